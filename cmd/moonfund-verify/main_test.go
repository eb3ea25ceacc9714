package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"moonfund/internal/signed/statement"
)

// chainVector is a chain of testdata/vectors.json.
type chainVector struct {
	Key        string
	Statements []struct {
		ID, Signed, Details string
		Proofs, Messages    []string
	}
}

func chains(t *testing.T) []chainVector {
	t.Helper()
	text, err := os.ReadFile("../../internal/signed/statement/testdata/vectors.json")
	must(t, err)
	var file struct{ Chains []chainVector }
	must(t, json.Unmarshal(text, &file))
	return file.Chains
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func write(t *testing.T, folder, name, text string) string {
	t.Helper()
	path := filepath.Join(folder, name)
	must(t, os.WriteFile(path, []byte(text), 0o600))
	return path
}

// archive writes a chain to a folder.
func archive(t *testing.T, c chainVector) string {
	t.Helper()
	folder := t.TempDir()
	for i, s := range c.Statements {
		write(t, folder, fmt.Sprintf("c-%d.json", i), s.Signed)
		write(t, folder, fmt.Sprintf("c-%d-details.json", i), s.Details)
	}
	return folder
}

// expect runs a command line and checks its exit code and that the output contains texts.
func expect(t *testing.T, code int, line string, want ...string) {
	t.Helper()
	var out bytes.Buffer
	if got := run(t.Context(), strings.Fields(line), &out, &out); got != code {
		t.Errorf("%s: exit code %d, want %d:\n%s", line, got, code, &out)
	}
	for _, text := range want {
		if !strings.Contains(out.String(), text) {
			t.Errorf("%s: no %q in\n%s", line, text, &out)
		}
	}
}

func TestStatementCommand(t *testing.T) {
	c := chains(t)[0]
	folder := archive(t, c)
	file := filepath.Join(folder, "c-2.json")
	expect(t, exitVerified, "statement "+file+" --key "+c.Key, "Signed by the given key", "The sums agree",
		"The rewards and the tree follow", "Incident", "Stated to be in self-custody: ", "Verified.")
	expect(t, exitUnknownKey, "statement "+file, "Compare it with the key that the community publishes",
		"NOT VERIFIED: who signed is unknown")
	expect(t, exitFailed, "statement "+file+" --key "+strings.Repeat("ab", 32), "not by the given one", "NOT VERIFIED")
	expect(t, exitUsage, "statement "+file+" --key 12", "--key")
	expect(t, exitUnavailable, "statement "+folder+"/none.json", "no such file")
	must(t, os.WriteFile(filepath.Join(folder, "c-2-details.json"), []byte(c.Statements[1].Details), 0o600))
	expect(t, exitFailed, "statement "+file, "of other details")
	expect(t, exitUnknownKey, "statement --no-rewards "+file)
	must(t, os.Remove(filepath.Join(folder, "c-2-details.json")))
	expect(t, exitUnknownKey, "statement "+file, "the rewards are not checked")
	for _, wrong := range []string{"", "verify x", "statement", "statement x --no-such-flag", "proof x", "reserves x"} {
		expect(t, exitUsage, wrong, "moonfund-verify: ")
	}
}

func TestInstructionCommand(t *testing.T) {
	c := chains(t)[2]
	folder := archive(t, c)
	line := func(message string) string {
		return "instruction " + write(t, t.TempDir(), "message.txt", message) + " --statement " +
			filepath.Join(folder, "c-1.json") + " --key " + c.Key
	}
	messages := c.Statements[1].Messages
	expect(t, exitVerified, line(messages[0]+"\n"), "The message belongs to instruction", "It was active",
		"reward of epoch 7, which this epoch rewards")
	expect(t, exitVerified, line(messages[1]), "It compounded none")
	expect(t, exitFailed, line(messages[0])+" --owner bcrt1pnobody", "not of bcrt1pnobody")
	expect(t, exitFailed, line("Action: AUTO_COMPOUND"), "no instruction has the message hash")
	expect(t, exitUsage, "instruction message.txt", "missing flags: --statement")
	expect(t, exitUnknownKey, "chain "+folder, "5 statements", "rewards of 5 epochs")
	file := filepath.Join(folder, "c-3.json")
	expect(t, exitVerified, "statement "+file+" --key "+c.Key, "Instructions to compound automatically: 2 active, 1 ended")
	must(t, os.Remove(filepath.Join(folder, "c-1-details.json")))
	expect(t, exitUnavailable, line(messages[0]), "can't be checked without valid details")
}

func TestChainCommand(t *testing.T) {
	c := chains(t)[0]
	folder := archive(t, c)
	expect(t, exitUnknownKey, "chain "+folder+" --head "+c.Statements[1].ID, "4 statements", "rewards of 4 epochs")
	expect(t, exitFailed, "chain "+folder+" --head "+strings.Repeat("00", 32), "does not contain")
	expect(t, exitFailed, "chain "+folder+" "+archive(t, chains(t)[1]), "one before")
	write(t, folder, "c-4-unsigned.json", "{}") // a server has such a file while it signs
	expect(t, exitUnknownKey, "chain "+folder, "4 statements")
	expect(t, exitUnavailable, "chain "+t.TempDir(), "has no statements")
	other := write(t, folder, "other-0.json", chains(t)[1].Statements[0].Signed)
	expect(t, exitUsage, "chain "+folder, "several communities")
	expect(t, exitUnknownKey, "chain --community c "+folder, "4 statements")
	must(t, os.Remove(other))
	must(t, os.Remove(filepath.Join(folder, "c-1.json")))
	expect(t, exitFailed, "chain "+folder, "statement 1 is missing")
	must(t, os.Remove(filepath.Join(folder, "c-0.json")))
	expect(t, exitFailed, "chain "+folder, "starts with statement 2")
}

// The server of this test answers with a chain, and on request with another newest statement.
func TestChainOfAServer(t *testing.T) {
	c := chains(t)[0]
	head := c.Statements[3].Signed
	routes := http.NewServeMux()
	serve := func(path string, text *string) {
		routes.HandleFunc("GET /lobo/statements/"+path, func(w http.ResponseWriter, _ *http.Request) {
			fmt.Fprint(w, *text)
		})
	}
	serve("head", &head)
	for i := range c.Statements {
		serve(fmt.Sprint(i), &c.Statements[i].Signed)
		serve(fmt.Sprint(i)+"/details", &c.Statements[i].Details)
	}
	busy := true // the first request is refused, as a server's rate limit does
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if busy {
			busy = false
			w.Header().Set("Retry-After", "0")
			w.WriteHeader(http.StatusTooManyRequests)
			return
		}
		routes.ServeHTTP(w, r)
	}))
	defer server.Close()
	expect(t, exitVerified, "chain "+server.URL+"/lobo/statements --key "+c.Key, "4 statements", "rewards of 4 epochs")
	expect(t, exitUnknownKey, "statement "+server.URL+"/lobo/statements/3", "follow from the details")
	c.Statements[2].Signed = c.Statements[1].Signed
	expect(t, exitFailed, "chain "+server.URL+"/lobo/statements", "statement 2 is missing")
	expect(t, exitUnavailable, "statement "+server.URL+"/none", "not exist")
}

func TestProofCommand(t *testing.T) {
	c := chains(t)[0]
	folder := archive(t, c)
	s := c.Statements[3]
	for _, text := range s.Proofs {
		p, err := statement.ParseProof([]byte(text))
		must(t, err)
		file := write(t, t.TempDir(), "proof.json", text)
		line := "proof " + file + " --statement " + folder
		expect(t, exitUnknownKey, line+"/c-3.json --owner "+p.Owner, p.Owner, "owed "+p.Owed.String())
		expect(t, exitFailed, line+"/c-3.json --owner bcrt1other", "not for bcrt1other")
		expect(t, exitFailed, line+"/c-2.json", "the proof is for the statement "+s.ID)
	}
}

// explorer is an Esplora server and an ord server for the reserves of a statement.
type explorer struct {
	of      statement.Document
	tx      map[string]string // answers by path, instead of the right answers
	indexed bool
}

func (e explorer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	part := strings.Split(strings.Trim(r.URL.Path, "/"), "/")
	if answer, changed := e.tx[r.URL.Path]; changed {
		fmt.Fprint(w, answer)
		return
	}
	blocks := map[string]string{
		fmt.Sprint(e.of.Cut.Height): e.of.Cut.Hash, fmt.Sprint(e.of.AsOf.Height): e.of.AsOf.Hash,
	}
	switch {
	case part[0] == "block-height" || part[0] == "blockhash":
		fmt.Fprint(w, blocks[part[1]])
	case part[0] == "rune":
		fmt.Fprintf(w, `{"id":%q,"entry":{"spaced_rune":"LOBO•WOLF"}}`, e.of.Rune)
	case part[0] == "output":
		for _, v := range e.of.Reserves {
			if v.Outpoint == part[1] {
				fmt.Fprintf(w, `{"indexed":%t,"value":%s,"script_pubkey":%q,"spent":false,"runes":{"LOBO•WOLF":{"amount":%s}}}`,
					e.indexed, v.Sats, v.Script, v.Runes)
			}
		}
	case len(part) == 4:
		fmt.Fprint(w, `{"spent":false}`)
	default:
		e.serveTx(w, part[1])
	}
}

func (e explorer) serveTx(w http.ResponseWriter, txid string) {
	outputs := make([]string, 11)
	for i := range outputs {
		outputs[i] = `{"scriptpubkey":"00","value":0}`
	}
	for _, v := range e.of.Reserves {
		if id, vout, _ := strings.Cut(v.Outpoint, ":"); id == txid {
			var n int
			fmt.Sscan(vout, &n)
			outputs[n] = fmt.Sprintf(`{"scriptpubkey":%q,"value":%s}`, v.Script, v.Sats)
		}
	}
	fmt.Fprintf(w, `{"vout":[%s],"status":{"confirmed":true,"block_height":5}}`, strings.Join(outputs, ","))
}

func TestReservesCommand(t *testing.T) {
	c := chains(t)[0]
	signed, err := statement.ParseSigned([]byte(c.Statements[3].Signed))
	must(t, err)
	s := signed.Document
	file := filepath.Join(archive(t, c), "c-3.json")
	of := s.Reserves[0]
	txid, vout, _ := strings.Cut(of.Outpoint, ":")
	height := s.AsOf.Height
	e := explorer{of: s, tx: map[string]string{}, indexed: true}
	server := httptest.NewServer(&e)
	defer server.Close()
	keyed := "reserves " + file + " --key " + c.Key
	esplora, ord := keyed+" --esplora "+server.URL, keyed+" --ord "+server.URL
	expect(t, exitVerified, esplora, "outputs are as stated", "Rune amounts not checked: Esplora")
	expect(t, exitVerified, ord, "The rune amounts equal the ord server's")
	expect(t, exitVerified, esplora+" --ord "+server.URL, "outputs are as stated", "The rune amounts equal")
	expect(t, exitVerified, esplora+" --sample 2", "Only 2 of", "2 outputs are as stated")

	spend := "/tx/" + txid + "/outspend/" + vout
	output := fmt.Sprintf(`{"indexed":true,"value":%s,"script_pubkey":%q,"spent":`, of.Sats, of.Script)
	for name, change := range map[string]struct{ path, answer, line, want string }{
		"spent before": {spend, fmt.Sprintf(`{"spent":true,"txid":"ab","status":{"confirmed":true,"block_height":%d}}`,
			height), esplora, "spent it in block"},
		"another value": {"/tx/" + txid, `{"vout":[{"scriptpubkey":"00","value":1},{"scriptpubkey":"00","value":1},` +
			`{"scriptpubkey":"00","value":1}],"status":{"confirmed":true}}`, esplora, "it holds 1 sats"},
		"another script": {"/tx/" + txid, `{"vout":[{"scriptpubkey":"00","value":1},{"scriptpubkey":"00","value":1},` +
			`{"scriptpubkey":"00","value":1}],"status":{"confirmed":true}}`, esplora, "its script is 00"},
		"no such output": {"/tx/" + txid, `{"vout":[]}`, esplora, "there is no such output"},
		"another block": {fmt.Sprintf("/block-height/%d", s.Cut.Height), strings.Repeat("ab", 32), esplora,
			"epoch's last block"},
		"other runes": {"/output/" + of.Outpoint, output + `false,"runes":{"LOBO•WOLF":{"amount":7}}}`, ord,
			"it holds 7 base units"},
		"spent now": {"/output/" + of.Outpoint, output + `true,"runes":{}}`, ord, "it is spent"},
	} {
		e.tx = map[string]string{change.path: change.answer}
		t.Run(name, func(t *testing.T) { expect(t, exitFailed, change.line, change.want) })
	}
	e.tx = map[string]string{
		spend: fmt.Sprintf(`{"spent":true,"status":{"confirmed":true,"block_height":%d}}`, height+1),
	}
	expect(t, exitVerified, esplora, "1 output was spent since")
	unconfirmed := fmt.Sprintf(`{"scriptpubkey":%q,"value":%s}`, of.Script, of.Sats)
	e.tx = map[string]string{"/tx/" + txid: `{"vout":[` + unconfirmed + "," + unconfirmed + "," + unconfirmed +
		`],"status":{"confirmed":false}}`}
	expect(t, exitVerified, esplora, "1 output was in no block up to block")
	e.tx = map[string]string{"/output/" + of.Outpoint: output +
		`false,"runes":[["LOBO•WOLF",{"amount":` + of.Runes.String() + `}]]}`}
	expect(t, exitVerified, ord)
	e.tx, e.indexed = nil, false
	expect(t, exitUnavailable, ord, "--index-runes")
	expect(t, exitUsage, "reserves "+file+" --ord ftp://x", "not an address")
	server.Close()
	expect(t, exitUnavailable, esplora, "moonfund-verify:")
}

func TestReceiptCommand(t *testing.T) {
	text, err := os.ReadFile("../../internal/signed/statement/testdata/vectors.json")
	must(t, err)
	var vectors struct {
		Receipts []struct {
			Key   string
			Files []string
		}
	}
	must(t, json.Unmarshal(text, &vectors))
	b, folder := vectors.Receipts[5], t.TempDir()
	one := write(t, folder, "one.json", b.Files[0])
	all := write(t, folder, "all.json", "["+strings.Join(b.Files, ",")+"]")
	owner := regexp.MustCompile(`"owner":"([^"]+)"`).FindStringSubmatch(b.Files[0])[1]
	expect(t, exitVerified, "receipt "+one+" --key "+b.Key+" --owner "+owner, "lobo said to "+owner+": claim",
		"2026-09-21 14:15 UTC: lobo", "recorded 2026-09-21 14:13 UTC", "12345 sats", "not that it was true", "Verified.")
	expect(t, exitUnknownKey, "receipt "+one+" "+all, "delivery", "refund", "Compare it with the key")
	expect(t, exitFailed, "receipt "+all+" --owner "+owner, "not for")
	expect(t, exitFailed, "receipt "+one+" --key "+strings.Repeat("ab", 32), "not by the given one")
	expect(t, exitUsage, "receipt "+one+" --key 12", "--key")
	expect(t, exitFailed, "receipt "+write(t, folder, "bad.json", strings.Replace(b.Files[0], "12345", "12346", 1)),
		"does not lead to the root")
	expect(t, exitUnknownKey, "receipt "+write(t, folder, "none.json", "[]"), "has no receipts")
}
