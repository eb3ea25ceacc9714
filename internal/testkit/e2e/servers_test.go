package e2e

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/staking/community"
	"moonfund/internal/testkit/engine"
)

// takeover limits a change of the leader after a crash. It takes five seconds on an idle machine.
const takeover = 15 * time.Second

// second is a second server on the same database and node.
type second struct {
	*devServer
	first *devServer
}

// manifest writes LOBO's manifest to a new folder and returns the folder. changes are pairs of an old and a new text.
func manifest(t testing.TB, changes ...string) string {
	t.Helper()
	text, err := community.Examples.ReadFile("manifests/dev/lobo.toml")
	must(t, err)
	dir := t.TempDir()
	must(t, os.WriteFile(filepath.Join(dir, "lobo.toml"), []byte(strings.NewReplacer(changes...).Replace(string(text))),
		0o600))
	return dir
}

// node returns the flags for the first server's node.
func (h *devServer) node() (flags []string) {
	h.t.Helper()
	var running struct{ Node chain.ClientConfig }
	text, err := os.ReadFile(filepath.Join(h.data, "running.json"))
	must(h.t, err)
	must(h.t, json.Unmarshal(text, &running))
	return []string{"--node-url", running.Node.URL, "--node-user", running.Node.User, "--node-password",
		running.Node.Password}
}

// joining returns a folder with manifests for a second server on the first server's dev network.
func joining(t *testing.T, first *devServer) (dir string) {
	t.Helper()
	var genesis int64
	must(t, engine.Connect(t, first.database).QueryRow(`SELECT starts_at FROM epoch_anchor WHERE epoch = 0`).Scan(
		&genesis))
	return manifest(t, "genesis = 2026-01-07T00:00:00Z", "genesis = "+time.Unix(genesis, 0).UTC().Format(time.RFC3339),
		`epoch_length = "3m"`, `epoch_length = "0s"`, "[rune]", "[rune]\nid = \""+first.runeID()+"\"")
}

// join starts `moonfund serve` as a second server. signing are additional flags, usually for the signer.
func join(t *testing.T, first *devServer, manifests string, signing ...string) *second {
	t.Helper()
	s := &second{prepareDevServer(t), first}
	s.run(slices.Concat([]string{"serve", "--network", "regtest", "--communities", manifests, "--data", s.data,
		"--database", first.database,
		"--domain", "localhost", "--listen", fmt.Sprintf("127.0.0.1:%d", s.port)}, signing, first.node())...)
	await(t, patience, "the second server knows where the first stands", func() bool { return !s.catchingUp() })
	return s
}

func (s site) catchingUp() bool {
	var status struct {
		CatchingUp bool `json:"catching_up"`
	}
	s.get("status", &status)
	return status.CatchingUp
}

// at returns the same staker as a client of the second server.
func (s *second) at(p *staker) *staker {
	other := *p
	other.port = s.port
	return &other
}

// takesLead takes the lease from the servers until the second server has acquired it.
func (s *second) takesLead() {
	s.t.Helper()
	db, err := sql.Open("pgx", s.first.database)
	must(s.t, err)
	defer db.Close()
	await(s.t, patience, "the second server leads", func() bool {
		if s.leads() {
			return true
		}
		_, err := db.Exec(`UPDATE lease SET token = token + 1, beat = -1, holder = '' WHERE beat > 2`)
		must(s.t, err)
		return false
	})
}

// leads reports whether the second server was the last to become leader and has reached the node's tip.
func (s *second) leads() bool {
	log, err := os.ReadFile(s.log.Name())
	must(s.t, err)
	lead, lost := strings.LastIndex(string(log), `"leading":true`), strings.LastIndex(string(log), `"leading":false`)
	return lead > lost && !s.catchingUp()
}

// TestTwoServers runs two servers on one database. Both serve requests, and one is the leader. When the leader is
// killed during a payout, the other server must become leader soon and continue from the stored state.
// No order may be delivered twice.
func TestTwoServers(t *testing.T) {
	first := newDevServerOnPostgres(t, "--communities", manifest(t))
	p := newStaker(first.site, "Dora", segwit, taproot)
	const units = 1_000 * lobo
	ids := p.unlock(first, units)
	b := join(t, first, joining(t, first), "--key", filepath.Join(first.data, "keys.json"))
	q := b.at(p)

	// The second server applies an action and publishes changes of the first one.
	withdraw := q.act("WITHDRAW", ids...)
	if got := p.order(withdraw.ID); got.Total != withdraw.Total {
		t.Errorf("the first server returns %+v, want %+v", got, withdraw)
	}
	changes := q.listen()
	begun := wantChange(t, changes, 0, "what the stream begins with")
	half := withdraw.Total / 2
	p.pay(*withdraw, half)
	wantChange(t, changes, begun, "a payment that the other server saw")
	await(t, patience, "half is paid", func() bool { return q.order(withdraw.ID).Balance == half })

	// The second server becomes leader and is killed as soon as all payments are confirmed.
	b.takesLead()
	p.pay(*withdraw, p.order(withdraw.ID).Due)
	await(t, patience, "all is paid", func() bool { return p.order(withdraw.ID).Due == 0 })
	mined := make(chan struct{})
	go func() { defer close(mined); p.mine(1) }()
	db := engine.Connect(t, first.database)
	ask := func(query string, into any, arguments ...any) { must(t, db.QueryRow(query, arguments...).Scan(into)) }
	status := func() (status string) {
		ask(`SELECT status FROM payment_order WHERE id = $1`, &status, withdraw.ID)
		return status
	}
	term := func() (token int64) {
		ask(`SELECT token FROM lease`, &token)
		return token
	}
	await(t, patience, "the payment is in a block", func() bool { return status() != "CONFIRMED" })
	last := term()
	b.kill()
	await(t, takeover, "the first server leads", func() bool { return term() > last })
	await(t, patience, "the payout is sent", func() bool { return status() == "SENT" && !p.catchingUp() })
	<-mined
	sent := p.awaitSent(withdraw.ID)
	first.mine(3)
	if got := p.awaitStatus(withdraw.ID, "DELIVERED"); *got.PayoutTx != *sent.PayoutTx {
		t.Errorf("sent as %s, delivered as %s", *sent.PayoutTx, *got.PayoutTx)
	}
	if got := p.balance(); got != units {
		t.Errorf("the wallet holds %d, want %d", got, units)
	}
	var payouts int
	ask(`SELECT COUNT(*) FROM payout`, &payouts)
	if payouts != 1 {
		t.Errorf("%d payouts were stored", payouts)
	}
	first.audit()
}
