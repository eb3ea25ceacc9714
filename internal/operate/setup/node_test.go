package setup_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/operate/setup"
	"moonfund/internal/testkit"
)

// login is the user and the password of testkit's btcd.
const login = "testkit"

// realNode returns a proxy in front of btcd, a client of the proxy, and its network.
func realNode(t *testing.T) (*testkit.Faulty, *chain.Client, chain.Network) {
	t.Helper()
	testkit.OnBtcd(t)
	w := testkit.NewWorld(t)
	grantSample(w)
	faulty := w.Faulty()
	regtest, err := chain.NetworkByName("regtest")
	testkit.Must(t, err)
	return faulty, chain.NewClient(chain.ClientConfig{URL: faulty.URL, User: login, Password: login}), regtest
}

// grantSample mines an output that the probes of the node's policy can spend.
func grantSample(w *testkit.World) { w.Node.Grant(wire.NewTxOut(50_000, w.Anna.Ordinals.Script)) }

// answers replaces the results of some methods by a JSON value, or by an error: a JSON object that starts with {"code".
func answers(by map[string]string) testkit.Response {
	return func(w http.ResponseWriter, _ *http.Request, method string) bool {
		text, replaced := by[method]
		if !replaced {
			return false
		}
		if strings.HasPrefix(text, `{"code"`) {
			fmt.Fprintf(w, `{"result":null,"error":%s,"id":1}`, text)
		} else {
			fmt.Fprintf(w, `{"result":%s,"error":null,"id":1}`, text)
		}
		return true
	}
}

// find returns the finding of a check.
func find(t *testing.T, findings []setup.Finding, check string) setup.Finding {
	t.Helper()
	i := slices.IndexFunc(findings, func(f setup.Finding) bool { return f.Check == check })
	if i < 0 {
		t.Fatalf("no finding of %s in %+v", check, findings)
	}
	return findings[i]
}

// want fails unless a finding has a level, contains the words, and has advice if its level is not OK.
func want(t *testing.T, f setup.Finding, level setup.Level, words ...string) {
	t.Helper()
	text := f.Found + " " + f.Do
	for _, word := range words {
		if !strings.Contains(text, word) {
			t.Errorf("%s: %q is not in %q", f.Check, word, text)
		}
	}
	if f.Level != level || (f.Level == setup.OK) != (f.Do == "") {
		t.Errorf("%+v, want %s", f, level)
	}
}

func TestCheckNode(t *testing.T) {
	node, client, regtest := realNode(t)
	check := func() []setup.Finding { return setup.CheckNode(t.Context(), client, regtest, time.Now()) }
	if all := check(); len(all) != 5 || setup.Worst(all) != setup.OK {
		t.Errorf("findings for btcd: %+v", all)
	}
	node.SetResponse(answers(map[string]string{"getblockchaininfo": `{"pruned":true,"blocks":1,"bestblockhash":"00"}`}))
	want(t, find(t, check(), "blocks"), setup.Fail, "pruned", "prune=0")

	node.SetResponse(answers(map[string]string{"getrawtransaction": `{"code":-5,"message":"No such transaction"}`}))
	want(t, find(t, check(), "txindex"), setup.Fail, "no transaction index", "txindex=1")

	for reason, setting := range map[string]string{
		"tokens-runes": "rejecttokens=0", "datacarrier": "datacarriersize=83", "scriptpubkey": "datacarriersize=83",
	} {
		node.SetResponse(answers(map[string]string{
			"testmempoolaccept": fmt.Sprintf(`[{"txid":"00","allowed":false,"reject-reason":%q}]`, reason),
		}))
		want(t, find(t, check(), "policy"), setup.Fail, reason, setting)
	}
	node.SetResponse(answers(map[string]string{
		"testmempoolaccept": `[{"txid":"00","allowed":false,"reject-reason":"missing-inputs"}]`,
	}))
	want(t, find(t, check(), "policy"), setup.Warn, "not known yet", "asks again")
	node.SetResponse(func(http.ResponseWriter, *http.Request, string) bool { panic(http.ErrAbortHandler) })
	if all := check(); len(all) != 1 {
		t.Errorf("findings for a node that is down: %+v", all)
	} else {
		want(t, all[0], setup.Fail, "can't be reached", "Start the node")
	}
	node.SetResponse(nil)
	mainnet, err := chain.NetworkByName("mainnet")
	testkit.Must(t, err)
	want(t, setup.CheckNode(t.Context(), client, mainnet, time.Now())[0], setup.Fail, "another network")
}

func TestCheckSynchronization(t *testing.T) {
	node, client, _ := realNode(t)
	signet, err := chain.NetworkByName("signet")
	testkit.Must(t, err)
	genesis, err := json.Marshal(signet.Params.GenesisHash.String())
	testkit.Must(t, err)
	node.SetResponse(func(w http.ResponseWriter, r *http.Request, method string) bool {
		// Block 0 and the block of the transaction index come from signet, everything else from regtest's chain.
		return answers(map[string]string{"getblockhash": string(genesis)})(w, r, method)
	})
	later := time.Now().Add(30 * time.Hour)
	want(t, find(t, setup.CheckNode(t.Context(), client, signet, later), "sync"), setup.Warn, "still downloading", "Wait")
}

func TestCheckClock(t *testing.T) {
	_, client, _ := realNode(t)
	synchronized := func() (bool, error) { return true, nil }
	check := func(now time.Time, synchronized func() (bool, error)) setup.Finding {
		return setup.CheckClock(t.Context(), client, now, synchronized)
	}
	now := time.Now()
	want(t, check(now, synchronized), setup.OK)
	want(t, check(now.Add(-40*time.Hour), synchronized), setup.Fail, "the newest block is of", "timedatectl")
	want(t, check(now, func() (bool, error) { return false, nil }), setup.Warn, "no time server", "timedatectl")
	want(t, check(now, func() (bool, error) { return false, errors.New("not permitted") }), setup.Warn, "not permitted")
	if _, err := setup.ClockSynchronized(); err != nil {
		t.Errorf("ClockSynchronized: %v", err)
	}
}
