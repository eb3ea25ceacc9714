package signer

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"moonfund/internal/signed/statement"
)

// document returns a statement of the world's community. sats changes its id.
func (w *world) document(sequence int64, previous statement.Hash, sats string) statement.Document {
	w.Helper()
	block := strings.Repeat("ab", 32)
	d := statement.Document{
		Format: statement.Format, Network: w.network.Name, Community: "lobo", Rune: lobo.String(), Sequence: sequence,
		Previous: previous, Epoch: 7 + sequence, Start: 100, End: 200, Cut: statement.Block{Hash: block, Height: 10},
		AsOf:   statement.Snapshot{Hash: block, Height: 17},
		Budget: statement.Budget{Source: statement.SourcePlanned},
	}
	_, err := d.Complete(statement.Details{
		Format: statement.DetailsFormat, Network: d.Network, Community: d.Community, Epoch: d.Epoch,
	})
	must(w, err)
	refunds := statement.Liability{Kind: statement.Refunds}
	must(w, refunds.Sats.UnmarshalText([]byte(sats)))
	d.Liabilities = []statement.Liability{
		{Kind: statement.Contested}, {Kind: statement.Delivering}, {Kind: statement.Payments}, refunds,
		{Kind: statement.Unpaid}, {Kind: statement.Stakes},
	}
	return d
}

func encoded(t testing.TB, d statement.Document) []byte {
	t.Helper()
	text, err := d.Encode()
	must(t, err)
	return text
}

func idOf(t testing.TB, d statement.Document) statement.Hash {
	t.Helper()
	id, err := d.ID()
	must(t, err)
	return id
}

func (w *world) withHeads(heads Heads) *Signer {
	w.Helper()
	policy := w.config.Policies[0]
	policy.Prefix = "lobo"
	w.config.Policies[0], w.config.Heads = policy, heads
	s, err := New(w.keys, w.config)
	must(w, err)
	return s
}

// statementSigner is a signer in this process or a client of one.
type statementSigner interface {
	SignStatement(ctx context.Context, account uint32, text []byte) (statement.Signed, error)
	StatementHead(ctx context.Context, account uint32) (Head, error)
}

// statementsOverSocket serves the signer of a world and returns a client.
func (w *world) statementsOverSocket(s *Signer) *Client {
	w.Helper()
	path := filepath.Join(w.TempDir(), "s")
	listener, err := ListenSocket(path)
	must(w, err)
	ctx, stop := context.WithCancel(context.Background())
	w.Cleanup(stop)
	go func() { _ = s.Serve(ctx, listener, slog.New(slog.DiscardHandler)) }()
	return Dial(path)
}

// Each sequence is signed once: the same document has the same signature again, also after a restart, and no other
// document is signed.
func TestStatementsAreSignedInOrder(t *testing.T) {
	for _, scheme := range []Scheme{SchemeSeed, SchemeBIP39} {
		worldScheme = scheme
		w := newWorld(t)
		worldScheme = SchemeSeed
		path := filepath.Join(t.TempDir(), "statements.json")
		local := w.withHeads(&HeadFile{Path: path})
		public, err := w.keys.StatementKey(0, w.network)
		must(t, err)
		first := w.document(0, statement.Hash{}, "1")
		second := w.document(1, idOf(t, first), "1")
		third := w.document(2, idOf(t, second), "1")
		for _, signer := range []statementSigner{local, w.statementsOverSocket(local)} {
			must(t, os.RemoveAll(path))
			if head, err := signer.StatementHead(t.Context(), 0); err != nil || head != NoHead {
				t.Errorf("head before the first statement: got %+v, %v", head, err)
			}
			var last statement.Signed
			for _, d := range []statement.Document{first, second} {
				if last, err = signer.SignStatement(t.Context(), 0, encoded(t, d)); err != nil || last.Verify(public) != nil {
					t.Fatalf("statement %d: %v", d.Sequence, err)
				}
			}
			restarted := w.withHeads(&HeadFile{Path: path})
			again, err := restarted.SignStatement(t.Context(), 0, encoded(t, second))
			must(t, err)
			if again.Signature != last.Signature {
				t.Error("the same statement has another signature")
			}
			for name, d := range map[string]statement.Document{
				"an old one": first, "another second": w.document(1, idOf(t, first), "2"),
				"another first": w.document(0, statement.Hash{}, "2"), "a gap": w.document(3, idOf(t, second), "1"),
				"a fork": w.document(2, idOf(t, first), "1"),
			} {
				if _, err := signer.SignStatement(t.Context(), 0, encoded(t, d)); !refusedFor(err, NotSuccessor) {
					t.Errorf("%s: got error %v", name, err)
				}
			}
			_, err = signer.SignStatement(t.Context(), 0, encoded(t, third))
			must(t, err)
			head, err := signer.StatementHead(t.Context(), 0)
			if must(t, err); head != (Head{2, idOf(t, third)}) {
				t.Errorf("head: got %+v", head)
			}
		}
	}
}

// TestStatementRefusals checks that the signer signs neither a document of another community or network nor anything
// but a canonical statement, and stores no head for them.
func TestStatementRefusals(t *testing.T) {
	w := newWorld(t)
	heads := &HeadFile{Path: filepath.Join(t.TempDir(), "statements.json")}
	client := w.statementsOverSocket(w.withHeads(heads))
	right := string(encoded(t, w.document(0, statement.Hash{}, "1")))
	for _, text := range []string{
		"", "{}", "null", right + " ", strings.Replace(right, `"lobo"`, `"wolf"`, 1),
		strings.Replace(right, `"regtest"`, `"mainnet"`, 1), strings.Replace(right, lobo.String(), "1:1", 1),
		strings.Replace(right, `"sequence":0`, `"sequence":-1`, 1), strings.Replace(right, `"1"`, `"-1"`, 1),
	} {
		if _, err := client.SignStatement(t.Context(), 0, []byte(text)); !refusedFor(err, BadStatement) {
			t.Errorf("%.40q: got error %v", text, err)
		}
	}
	if _, err := client.SignStatement(t.Context(), 1, []byte(right)); !refusedFor(err, BadRequest) {
		t.Errorf("another account: got error %v", err)
	}
	if head, err := heads.Load(t.Context(), 0); err != nil || head != NoHead {
		t.Errorf("head: got %+v, %v", head, err)
	}
	w.config.Paused = func() (string, error) { return "anna: check", nil }
	if _, err := w.withHeads(heads).SignStatement(t.Context(), 0, []byte(right)); !refusedFor(err, Paused) {
		t.Errorf("paused signer: got error %v", err)
	}
}

// The statement key differs from the keys that sign transactions, and can't be derived from the account's public key.
func TestStatementKeyIsItsOwn(t *testing.T) {
	w := newWorld(t)
	seen := map[statement.Key]bool{}
	for account := range uint32(3) {
		key, err := w.keys.StatementKey(account, w.network)
		must(t, err)
		seen[key] = true
	}
	if len(seen) != 3 {
		t.Error("two accounts have the same statement key")
	}
	own, err := w.keys.StatementKey(0, w.network)
	must(t, err)
	for branch := range uint32(8) {
		for _, path := range [][]uint32{{branch}, {branch, 0}} {
			key, err := w.account.InternalKey(path)
			must(t, err)
			if statement.KeyOf(key) == own {
				t.Errorf("the statement key is the key at %v", path)
			}
		}
	}
}

// failingHeads fails before or after the head is stored, as a crash does.
type failingHeads struct {
	Heads
	before, after bool
}

var errCrash = errors.New("crash")

func (f *failingHeads) Advance(ctx context.Context, account uint32, from, to Head) error {
	if f.before {
		return errCrash
	}
	if err := f.Heads.Advance(ctx, account, from, to); err != nil || !f.after {
		return err
	}
	return errCrash
}

// After a crash before or after the head is stored, the signer signs the same document, and no other document with its
// sequence.
func TestStatementCrashes(t *testing.T) {
	w := newWorld(t)
	file := &HeadFile{Path: filepath.Join(t.TempDir(), "statements.json")}
	first, other := w.document(0, statement.Hash{}, "1"), w.document(0, statement.Hash{}, "2")
	crash := func(f *failingHeads) {
		t.Helper()
		if _, err := w.withHeads(f).SignStatement(t.Context(), 0, encoded(t, first)); !errors.Is(err, errCrash) {
			t.Fatalf("got error %v", err)
		}
	}
	crash(&failingHeads{Heads: file, before: true})
	if head, err := file.Load(t.Context(), 0); err != nil || head != NoHead {
		t.Errorf("head after a crash before it was stored: %+v, %v", head, err)
	}
	crash(&failingHeads{Heads: file, after: true})
	restarted := w.withHeads(file)
	if _, err := restarted.SignStatement(t.Context(), 0, encoded(t, other)); !refusedFor(err, NotSuccessor) {
		t.Errorf("another document after a crash: got error %v", err)
	}
	_, err := restarted.SignStatement(t.Context(), 0, encoded(t, first))
	must(t, err)
}

// TestDeletedHeadFile checks that a deleted head file stops the statements instead of starting another chain.
func TestDeletedHeadFile(t *testing.T) {
	w := newWorld(t)
	file := &HeadFile{Path: filepath.Join(t.TempDir(), "statements.json"), Marker: filepath.Join(t.TempDir(), "key.s")}
	s := w.withHeads(file)
	first := encoded(t, w.document(0, statement.Hash{}, "1"))
	_, err := s.SignStatement(t.Context(), 0, first)
	must(t, err)
	must(t, os.Remove(file.Path))
	if _, err := s.SignStatement(t.Context(), 0, first); !refusedFor(err, HeadsLost) {
		t.Errorf("got error %v", err)
	}
	moved := &HeadFile{Path: filepath.Join(t.TempDir(), "statements.json"), Marker: filepath.Join(t.TempDir(), "key.s")}
	second := encoded(t, w.document(1, statement.Hash{1}, "1")) // the key was moved here without any record
	if _, err := w.withHeads(moved).SignStatement(t.Context(), 0, second); !refusedFor(err, HeadsLost) ||
		!strings.Contains(err.Error(), "moonfund signer adopt") {
		t.Errorf("got error %v", err)
	}
	must(t, os.WriteFile(file.Path, []byte("{"), 0o600))
	if _, err := s.SignStatement(t.Context(), 0, first); err == nil {
		t.Error("signed with a head file that can't be read")
	}
}

// Two signers with separate files and a shared record sign one chain, even if one of them reads an outdated record.
// Records that contradict each other stop both.
func TestTwoSignersSignOneChain(t *testing.T) {
	w := newWorld(t)
	shared := &HeadFile{Path: filepath.Join(t.TempDir(), "shared.json")}
	own := func() Heads { return &HeadFile{Path: filepath.Join(t.TempDir(), "own.json")} }
	firstOwn, secondOwn := own(), own()
	one := w.withHeads(CombinedHeads{Own: firstOwn, Shared: shared})
	two := w.withHeads(CombinedHeads{Own: secondOwn, Shared: shared})
	first := w.document(0, statement.Hash{}, "1")
	a, err := one.SignStatement(t.Context(), 0, encoded(t, first))
	must(t, err)
	b, err := two.SignStatement(t.Context(), 0, encoded(t, first))
	must(t, err)
	if a.Signature != b.Signature {
		t.Error("two signatures of one statement")
	}
	left, right := w.document(1, idOf(t, first), "1"), w.document(1, idOf(t, first), "2")
	_, err = one.SignStatement(t.Context(), 0, encoded(t, left))
	must(t, err)
	if _, err := two.SignStatement(t.Context(), 0, encoded(t, right)); !refusedFor(err, NotSuccessor) {
		t.Errorf("a fork by the other signer: got error %v", err)
	}
	stale := Head{0, idOf(t, first)}
	if err := shared.Advance(t.Context(), 0, stale, Head{1, idOf(t, right)}); !errors.Is(err, ErrHeadMoved) {
		t.Errorf("a head that was read too early: got error %v", err)
	}
	must(t, os.Remove(shared.Path)) // by an attacker who can write to the database
	if _, err := one.SignStatement(t.Context(), 0, encoded(t, right)); !refusedFor(err, NotSuccessor) {
		t.Errorf("a fork after the shared record was deleted: got error %v", err)
	}
	must(t, shared.Advance(t.Context(), 0, NoHead, Head{1, idOf(t, right)}))
	if _, err := one.SignStatement(t.Context(), 0, encoded(t, left)); !refusedFor(err, HeadsLost) {
		t.Errorf("records that contradict each other: got error %v", err)
	}
}

// TestStatementOf250000Outputs checks that the signer process accepts a statement of 250,000 reserves, which
// docs/adr/0061-statements.md states as the limit.
func TestStatementOf250000Outputs(t *testing.T) {
	w := newWorld(t)
	d := w.document(0, statement.Hash{}, "1")
	var runesHeld statement.Sum
	must(t, runesHeld.UnmarshalText([]byte("123456789012345678")))
	for i := range 250_000 {
		d.Reserves = append(d.Reserves, statement.Reserve{
			CustodyKind: statement.CustodyOperator, Kind: statement.ReserveStake, Outpoint: fmt.Sprintf("%064x:1", i),
			Runes: runesHeld, Sats: runesHeld, Script: "5120" + strings.Repeat("ab", 32),
		})
	}
	body, err := json.Marshal(statementRequest{Text: string(encoded(t, d))})
	must(t, err)
	t.Logf("%d bytes for each output", len(body)/len(d.Reserves))
	if len(body) > maxStatementBytes {
		t.Errorf("the request has %d bytes, the signer accepts %d", len(body), maxStatementBytes)
	}
}
