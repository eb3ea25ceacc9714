package main

import (
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/operate/terminal"
	"moonfund/internal/server/signing"
	"moonfund/internal/signed/statement"
	"moonfund/internal/signer"
	"moonfund/internal/store"
	"moonfund/internal/testkit"
)

// keyPlace is a key file with the folder of its records.
type keyPlace struct {
	t         *testing.T
	key, data string
}

func newKeyPlace(t *testing.T) keyPlace {
	t.Setenv("USER", "anna")
	return keyPlace{t, filepath.Join(t.TempDir(), "moonfund.key"), filepath.Join(t.TempDir(), "data")}
}

func (p keyPlace) network() chain.Network {
	p.t.Helper()
	network, err := chain.NetworkByName("regtest")
	testkit.Must(p.t, err)
	return network
}

func (p keyPlace) start() signer.StartedOutflows {
	p.t.Helper()
	testkit.Must(p.t, os.MkdirAll(p.data, 0o700))
	outflows, err := signing.StartOutflows(p.data, p.key, p.network(), slog.New(slog.DiscardHandler))
	testkit.Must(p.t, err)
	return outflows
}

func (p keyPlace) heads() signer.Heads { return signing.StatementHeads(p.data, p.key, p.network()) }

// used creates the key file and signs with it: one outflow, the first statements of account 3, and a mark.
func (p keyPlace) used() keyPlace {
	p.t.Helper()
	_, err := signer.NewKeyFile(p.key, "the right one")
	testkit.Must(p.t, err)
	testkit.Must(p.t, p.start().Store([]signer.Outflow{{Account: 3, Runes: 7, At: time.Now()}}))
	head := signer.Head{Sequence: 5, ID: statement.Hash{1}}
	testkit.Must(p.t, p.heads().Advance(p.t.Context(), 3, signer.NoHead, head))
	_, err = p.keyMark().Raise(p.t.Context(), mark, "")
	testkit.Must(p.t, err)
	return p
}

var mark = signer.Mark{Ledger: "the ledger", Counts: map[string]int64{store.PayoutVersions: 9}}

func (p keyPlace) keyMark() signer.Marks {
	return signing.Source{KeyFile: p.key}.Marks(p.network())
}

func (p keyPlace) adopt(from keyPlace, flags ...string) error {
	_, err := command(p.t, "yes\n", append([]string{"signer", "adopt", "--from-key", from.key, "--from", from.data,
		"--key", p.key, "--data", p.data, "--why", "a machine of its own"}, flags...)...)
	return err
}

// complete checks that the key has its records here, and that nothing is left at the old place.
func (p keyPlace) complete(old keyPlace) {
	p.t.Helper()
	if kept, err := p.start().Load(); err != nil || len(kept) != 1 || kept[0].Runes != 7 {
		p.t.Errorf("outflows: %+v, %v", kept, err)
	}
	if head, err := p.heads().Load(p.t.Context(), 3); err != nil || head.Sequence != 5 {
		p.t.Errorf("head of the statements: %+v, %v", head, err)
	}
	marks := signer.MarkFile{Path: filepath.Join(p.data, "mark.json"), Network: "regtest"}
	if kept, err := marks.Load(p.t.Context()); err != nil || kept.Ledger != mark.Ledger {
		p.t.Errorf("mark: %+v, %v", kept, err)
	}
	for _, folder := range []string{filepath.Dir(old.key), old.data} {
		left, err := filepath.Glob(filepath.Join(folder, "*"))
		if testkit.Must(p.t, err); len(left) > 0 {
			p.t.Errorf("left at the old place: %v", left)
		}
	}
	text, err := command(p.t, "", "signer", "status", "--data", p.data)
	if testkit.Must(p.t, err); !strings.Contains(text, signing.AdoptCommand) || !strings.Contains(text, "of its own") {
		p.t.Errorf("the record of the move: %s", text)
	}
}

// TestSignerAdopt checks that one command moves a key with its limits, statements and mark, and nothing before a yes.
func TestSignerAdopt(t *testing.T) {
	server, own := newKeyPlace(t).used(), newKeyPlace(t)
	if _, err := command(t, "no\n", "signer", "adopt", "--from-key", server.key, "--from", server.data, "--key", own.key,
		"--data", own.data, "--why", "x"); !errors.Is(err, terminal.ErrDeclined) {
		t.Errorf("declined: got error %v", err)
	}
	if _, err := os.Stat(own.key); err == nil {
		t.Fatal("a declined move wrote a key")
	}
	testkit.Must(t, own.adopt(server))
	own.complete(server)
	next := newKeyPlace(t)
	testkit.Must(t, signing.PauseFile(own.data).Set("anna", "moving", time.Now()))
	testkit.Must(t, next.adopt(own, "--json"))
	if reason, err := signing.PauseFile(next.data).Why(); err != nil || !strings.Contains(reason, "moving") {
		t.Errorf("the pause did not move: %q, %v", reason, err)
	}
	next.complete(own)
}

// TestHalfAMoveIsRefused checks that a key without its records signs nothing and says what to do: the key file alone,
// and its folder with the markers. `signer adopt` refuses half a move, and completes one.
func TestHalfAMoveIsRefused(t *testing.T) {
	for name, copied := range map[string]string{"the key file": "moonfund.key", "the key's folder": "*"} {
		t.Run(name, func(t *testing.T) {
			server, own := newKeyPlace(t).used(), newKeyPlace(t)
			files, err := filepath.Glob(filepath.Join(filepath.Dir(server.key), copied))
			testkit.Must(t, err)
			for _, file := range files {
				text, err := os.ReadFile(file)
				testkit.Must(t, err)
				testkit.Must(t, os.WriteFile(filepath.Join(filepath.Dir(own.key), filepath.Base(file)), text, 0o600))
			}
			outflows := own.start()
			_, err = signing.BeginOutflows(own.keyMark(), outflows).Raise(t.Context(), mark, "")
			testkit.Must(t, err)
			if _, err := outflows.Load(); !errors.Is(err, signer.ErrOutflowsLost) || !strings.Contains(err.Error(),
				"run moonfund signer adopt") {
				t.Errorf("limits of a key without its records: got error %v", err)
			}
			if err := newKeyPlace(t).adopt(own); err == nil || !strings.Contains(err.Error(), "half a move") {
				t.Errorf("half a move: got error %v", err)
			}
			testkit.Must(t, os.RemoveAll(own.key+".mark")) // of this test: a signer has mark.json
			testkit.Must(t, own.adopt(server))
			own.complete(server)
		})
	}
}

// TestAdoptKeepsOtherRecords checks that a move never replaces the records of another key, and that a running server is
// stopped first.
func TestAdoptKeepsOtherRecords(t *testing.T) {
	server, other := newKeyPlace(t).used(), newKeyPlace(t).used()
	if err := other.adopt(server); err == nil || !strings.Contains(err.Error(), "is another file than") {
		t.Errorf("into the folder of another key: got error %v", err)
	}
	ledger := filepath.Join(server.data, "ledger.db")
	testkit.Must(t, os.WriteFile(ledger, nil, 0o600))
	release, err := store.Lock("sqlite:" + ledger)
	testkit.Must(t, err)
	defer release()
	if err := newKeyPlace(t).adopt(server); err == nil || !strings.Contains(err.Error(), "stop it first") {
		t.Errorf("from a running server: got error %v", err)
	}
	if _, err := os.Stat(server.key); err != nil {
		t.Error(err)
	}
}

// TestFirstStartEndsWithTheLedger checks that a new ledger ends the first start: a payout that was signed by hand later
// does not look like a moved key.
func TestFirstStartEndsWithTheLedger(t *testing.T) {
	p := newKeyPlace(t)
	outflows := p.start()
	marks := signing.BeginOutflows(p.keyMark(), outflows)
	for _, payouts := range []int64{0, 1} {
		_, err := marks.Raise(t.Context(), signer.Mark{Ledger: "new", Counts: map[string]int64{
			store.PayoutVersions: payouts}}, "")
		testkit.Must(t, err)
		if _, err := p.start().Load(); err != nil {
			t.Errorf("after %d payouts: %v", payouts, err)
		}
	}
}
