package publisher_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"moonfund/internal/server/publisher"
	"moonfund/internal/signed/statement"
	"moonfund/internal/signer"
	"moonfund/internal/staking/action"
	"moonfund/internal/staking/follower"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/state"
	"moonfund/internal/store"
	"moonfund/internal/testkit"
)

// published returns the signed statements of a publisher after it published, and checks them: the chain, the
// signatures, the details, the proof of each owner, the files, and that the reserves cover the liabilities.
func published(w *testkit.World, p *publisher.Publisher) (all []statement.Signed) {
	w.Helper()
	testkit.Must(w, p.Publish(w.Context()))
	key := p.Communities[0].Key
	sequence, id := int64(-1), statement.Hash{}
	for {
		text, err := p.Signed(w.Context(), testkit.Prefix, sequence+1)
		if errors.Is(err, state.ErrNotFound) {
			break
		}
		testkit.Must(w, err)
		signed, err := statement.ParseSigned([]byte(text))
		testkit.Must(w, err)
		d := signed.Document
		testkit.Must(w, errors.Join(signed.Verify(key), d.Follows(sequence, id)))
		if len(all) > 0 && (d.Epoch != all[len(all)-1].Document.Epoch+1 || d.Start != all[len(all)-1].Document.End) {
			w.Errorf("statement %d is of epoch %d", d.Sequence, d.Epoch)
		}
		checkDetails(w, p, d)
		checkReserves(w, d)
		all, sequence = append(all, signed), d.Sequence
		id, err = d.ID()
		testkit.Must(w, err)
		if kept, err := p.Archive.Signed(testkit.Prefix, sequence); err != nil || kept.Signature != signed.Signature {
			w.Errorf("statement %d in the archive: %v", sequence, err)
		}
	}
	return all
}

func checkDetails(w *testkit.World, p *publisher.Publisher, d statement.Document) {
	w.Helper()
	text, err := p.Details(w.Context(), testkit.Prefix, d.Sequence)
	testkit.Must(w, err)
	details, err := statement.ParseDetails([]byte(text))
	testkit.Must(w, err)
	testkit.Must(w, d.Match(details))
	for _, owner := range details.Owners {
		text, err := p.Proof(w.Context(), testkit.Prefix, d.Sequence, owner.Owner)
		testkit.Must(w, err)
		var proof statement.Proof
		testkit.Must(w, json.Unmarshal([]byte(text), &proof))
		testkit.Must(w, proof.Verify(d))
	}
	if _, err := p.Proof(w.Context(), testkit.Prefix, d.Sequence, "nobody"); !errors.Is(err, state.ErrNotFound) {
		w.Errorf("proof of an owner that the statement does not contain: %v", err)
	}
	kept, err := p.Archive.Details(testkit.Prefix, d.Sequence)
	testkit.Must(w, err)
	testkit.Must(w, d.Match(kept))
}

func checkReserves(w *testkit.World, d statement.Document) {
	w.Helper()
	number := func(s statement.Sum) *big.Int {
		n, _ := new(big.Int).SetString(s.String(), 10)
		return n
	}
	held, owed := map[string]*big.Int{}, map[string]*big.Int{}
	for _, r := range d.Reserves {
		held[r.Kind] = new(big.Int).Add(number(r.Runes), cmpOr(held[r.Kind]))
	}
	for _, l := range d.Liabilities {
		owed[l.Kind] = number(l.Runes)
	}
	if cmpOr(held[statement.ReserveStake]).Cmp(owed[statement.Stakes]) < 0 ||
		cmpOr(held[statement.ReserveTreasury]).Cmp(owed[statement.Unpaid]) < 0 {
		w.Errorf("statement %d: the reserves %v do not cover %v", d.Sequence, held, owed)
	}
}

func cmpOr(n *big.Int) *big.Int {
	if n == nil {
		return new(big.Int)
	}
	return n
}

func liabilities(d statement.Document) string {
	var all []string
	for _, l := range d.Liabilities {
		if l.Runes.String() != "0" {
			all = append(all, fmt.Sprintf("%s=%s", l.Kind, l.Runes))
		}
	}
	return strings.Join(all, " ")
}

// TestStatementsOfSettledEpochs publishes the statements of epochs with stakes, rewards, an order in progress and a
// delivered one.
func TestStatementsOfSettledEpochs(t *testing.T) {
	w := testkit.NewWorld(t)
	p := w.Publisher(w.StatementSigner(t.TempDir()), t.TempDir())
	if len(published(w, p)) != 0 {
		t.Error("a statement before an epoch settled")
	}
	id, reward := w.Rewarded(w.Anna, 5000)
	w.Staked(w.Bert, 3000)
	w.Update(func(tx *store.Tx) error {
		if err := tx.Pause(t.Context(), store.PausePayouts, "anna: secret", w.Clock.Now()); err != nil {
			return err
		}
		_, err := tx.Resume(t.Context(), store.PausePayouts, ledger.Cause{At: w.Clock.Now()})
		return err
	})
	w.NextEpoch()
	w.Settle(8)
	w.Act(w.Anna, action.Unstake, id)
	w.NextEpoch()
	w.NextEpoch()
	w.Settle(8)
	w.Act(w.Anna, action.Compound, reward)
	w.NextEpoch()
	w.Settle(8)
	all := published(w, p)
	if len(all) < 4 {
		t.Fatalf("%d statements", len(all))
	}
	var incidents []string
	for _, s := range all {
		for _, i := range s.Document.Incidents {
			incidents = append(incidents, i.Kind+" "+i.Detail)
		}
	}
	if got := strings.Join(incidents, ", "); got != "pause payouts, resume payouts" {
		t.Errorf("incidents: %s", got)
	}
	last := all[len(all)-1].Document
	if got := liabilities(last); !strings.Contains(got, "stakes=8000") || !strings.Contains(got, "rewards=") ||
		last.Owners.Count != 2 || last.Budget.Amount.String() != "1000000" {
		t.Errorf("liabilities: %s, owners %+v", got, last.Owners)
	}
	again := published(w, w.Publisher(w.StatementSigner(t.TempDir()), t.TempDir()))
	if len(again) != len(all) || again[0].Signature != all[0].Signature {
		t.Errorf("another server: %d statements", len(again))
	}
}

// failing is a signer whose calls fail before or after it signs.
type failing struct {
	*signer.Signer
	before, after bool
}

var errCrash = errors.New("crash")

func (f *failing) SignStatement(ctx context.Context, account uint32, text []byte) (statement.Signed, error) {
	if f.before {
		return statement.Signed{}, errCrash
	}
	signed, err := f.Signer.SignStatement(ctx, account, text)
	if err == nil && f.after {
		return statement.Signed{}, errCrash
	}
	return signed, err
}

// A crash at each step of the publication leaves statements that the next start completes, with the same signature.
func TestCrashes(t *testing.T) {
	w := testkit.NewWorld(t)
	heads, archive := t.TempDir(), t.TempDir()
	w.Staked(w.Anna, 5000)
	w.NextEpoch()
	w.Settle(8)
	for _, sign := range []publisher.Signer{
		&failing{Signer: w.StatementSigner(heads), before: true}, &failing{Signer: w.StatementSigner(heads), after: true},
	} {
		if err := w.Publisher(sign, archive).Publish(t.Context()); !errors.Is(err, errCrash) {
			t.Fatalf("got error %v", err)
		}
	}
	all := published(w, w.Publisher(w.StatementSigner(heads), archive))
	if len(all) == 0 {
		t.Fatal("no statements")
	}
	testkit.Must(t, os.RemoveAll(archive)) // the archive is written again from the database
	if again := published(w, w.Publisher(w.StatementSigner(heads), archive)); len(again) != len(all) {
		t.Errorf("%d statements after the archive was lost, want %d", len(again), len(all))
	}
	other := w.Publisher(w.StatementSigner(heads), t.TempDir())
	other.Leads = func() bool { return false }
	w.NextEpoch()
	w.Settle(8)
	if again := published(w, other); len(again) != len(all) {
		t.Error("a server that does not lead published a statement")
	}
}

// A ledger that is restored from an older copy imports the statements that its signer has signed from the archive, and
// makes no other statements for their epochs. Without the archive it publishes nothing.
func TestRestoredLedgerImports(t *testing.T) {
	w := testkit.NewWorld(t)
	heads, archive := t.TempDir(), t.TempDir()
	w.Staked(w.Anna, 5000)
	w.NextEpoch()
	w.Settle(8)
	published(w, w.Publisher(w.StatementSigner(heads), archive))
	twin := w.Copy()
	w.NextEpoch()
	w.Settle(8)
	w.NextEpoch()
	w.Settle(8)
	all := published(w, w.Publisher(w.StatementSigner(heads), archive))
	w.NextEpoch()
	w.Settle(8)
	crashed := w.Publisher(&failing{Signer: w.StatementSigner(heads), after: true}, archive)
	if err := crashed.Publish(t.Context()); !errors.Is(err, errCrash) { // the signature was lost, but not the document
		t.Fatal(err)
	}

	signed := twin.StatementSigner(heads)
	if err := twin.Publisher(signed, t.TempDir()).Publish(t.Context()); err == nil ||
		!strings.Contains(err.Error(), "Copy the files") {
		t.Errorf("without the archive: got error %v", err)
	}
	forged := t.TempDir()
	testkit.Must(t, os.CopyFS(forged, os.DirFS(archive)))
	last := all[len(all)-1].Document
	path := filepath.Join(forged, fmt.Sprintf("lobo-%d.json", last.Sequence))
	text, err := os.ReadFile(path)
	testkit.Must(t, err)
	testkit.Must(t, os.WriteFile(path, []byte(strings.Replace(string(text), `"sats":"0"`, `"sats":"1"`, 1)), 0o600))
	if err := twin.Publisher(signed, forged).Publish(t.Context()); !errors.Is(err, statement.ErrSignature) {
		t.Errorf("a forged archive: got error %v", err)
	}

	imported := published(twin, twin.Publisher(signed, archive))
	if len(imported) != len(all)+1 {
		t.Fatalf("%d statements were imported, want %d", len(imported), len(all)+1)
	}
	for i, s := range all {
		if imported[i].Signature != s.Signature {
			t.Errorf("statement %d differs", i)
		}
	}
	twin.Step() // settles the epochs of the imported statements again
	twin.NextEpoch()
	twin.Settle(8)
	if more := published(twin, twin.Publisher(signed, archive)); len(more) != len(imported)+1 {
		t.Errorf("%d statements after the next epoch, want %d", len(more), len(imported)+1)
	}
}

// TestStatementBeforeAReorg checks that the blocks that a statement names are in the chain after the deepest reorg that
// the server follows.
func TestStatementBeforeAReorg(t *testing.T) {
	w := testkit.NewWorld(t)
	p := w.Publisher(w.StatementSigner(t.TempDir()), t.TempDir())
	w.Rewarded(w.Anna, 5000)
	all := published(w, p)
	w.Node.Rewind(follower.MaxReorg)
	w.Mine(follower.MaxReorg + 1)
	w.Step()
	if len(all) == 0 {
		t.Fatal("no statement was published")
	}
	for _, s := range all {
		d := s.Document
		for _, block := range []statement.Block{d.Cut, {Hash: d.AsOf.Hash, Height: d.AsOf.Height}} {
			hash, err := w.Node.BlockHash(t.Context(), block.Height)
			testkit.Must(t, err)
			if hash.String() != block.Hash {
				t.Errorf("statement %d names block %d %s, which is %s now", d.Sequence, block.Height, block.Hash, hash)
			}
		}
	}
}
