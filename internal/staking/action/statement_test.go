package action_test

import (
	"strings"
	"testing"
	"time"

	"moonfund/internal/fault"
	"moonfund/internal/signed/message"
	"moonfund/internal/signed/statement"
	"moonfund/internal/staking/action"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/store"
	"moonfund/internal/testkit"
)

// statements publishes the statements of a world's settled epochs and returns their ids. folder has the signer's heads
// and the archive.
func statements(w *testkit.World, folder string) (ids []string) {
	w.Helper()
	p := w.Publisher(w.StatementSigner(folder), folder)
	testkit.Must(w, p.Publish(w.Context()))
	for sequence := int64(0); ; sequence++ {
		text, err := p.Signed(w.Context(), testkit.Prefix, sequence)
		if err != nil {
			return ids
		}
		signed, err := statement.ParseSigned([]byte(text))
		testkit.Must(w, err)
		id, err := signed.Document.ID()
		testkit.Must(w, err)
		ids = append(ids, id.String())
	}
}

func postWith(w *testkit.World, id string, kind action.Type, unit string) (action.Requested, error) {
	w.Helper()
	return w.Actions.Post(w.Context(), testkit.Prefix, w.Anna.Pair(), kind, []string{unit}, id)
}

// A message names the newest statement, or the earlier one that the page knows. The message stays valid when further
// statements are published, even on a server that does not cache the action.
func TestMessageNamesStatement(t *testing.T) {
	w := testkit.NewWorld(t).InjectFaults()
	a, b, c := w.Staked(w.Anna, 5000), w.Staked(w.Anna, 6000), w.Staked(w.Anna, 7000)
	w.NextEpoch()
	w.Settle(ledger.SettleDepth)
	known := statements(w, t.TempDir())
	if len(known) < 2 {
		t.Fatalf("%d statements, want some", len(known))
	}
	newest := known[len(known)-1]
	for unit, want := range map[string]string{a: known[0], b: newest} {
		issued, err := postWith(w, want, action.Unstake, unit)
		testkit.Must(t, err)
		intent, err := message.Parse(issued.Message)
		if err != nil || intent.Statement != want {
			t.Errorf("the message names %q, %v, want %s", intent.Statement, err, want)
		}
		if unit == b {
			w.Restart()
			w.Step()
		}
		_, err = sign(w, signing(w, w.Anna, action.Unstake, issued))
		testkit.Must(t, err)
		w.WantStage(unit, ledger.PendingUnlock)
		if row := w.Rows(`SELECT statement FROM action WHERE id = $1`, issued.ActionID); !strings.Contains(row, want) {
			t.Errorf("the action has the statement %q, want %s", row, want)
		}
	}
	issued := post(w, w.Anna, action.Unstake, c) // a caller that keeps no statement sends none
	if !strings.Contains(issued.Message, "\nStatement: "+newest+"\n") {
		t.Errorf("the message does not name the newest statement:\n%s", issued.Message)
	}
	w.Audit()
}

// A statement that was published between the message and its signature does not make the message stale.
func TestStatementBetweenMessageAndSignature(t *testing.T) {
	w := testkit.NewWorld(t).InjectFaults()
	id, folder := w.Unlocked(w.Anna, 5000), t.TempDir()
	w.Settle(ledger.SettleDepth)
	before := statements(w, folder)
	w.NextEpoch()
	issued := post(w, w.Anna, action.Withdraw, id)
	w.Settle(ledger.SettleDepth)
	after := statements(w, folder)
	if len(after) != len(before)+1 {
		t.Fatalf("%d statements, then %d", len(before), len(after))
	}
	signed, err := sign(w, signing(w, w.Anna, action.Withdraw, issued))
	if err != nil || signed.Order == nil {
		t.Fatalf("%+v, %v", signed, err)
	}
	cancel, err := w.Actions.PostCancel(t.Context(), testkit.Prefix, w.Anna.Pair(), signed.Order.ID, after[0])
	testkit.Must(t, err)
	if !strings.Contains(cancel.Message, "\nStatement: "+after[0]+"\n") {
		t.Errorf("the cancel does not name the given statement:\n%s", cancel.Message)
	}
	w.Restart()
	w.Step()
	_, err = w.Actions.SignCancel(t.Context(), testkit.Prefix, action.SignRequest{
		Wallet: w.Anna.Pair(), ActionID: cancel.ActionID, Signature: w.Anna.Sign(cancel.Message),
	}, signed.Order.ID)
	testkit.Must(t, err)
	w.Audit()
}

// A request is refused and nothing is stored if its statement is unknown, unsigned, malformed, or of another community.
func TestForeignStatementIsRefused(t *testing.T) {
	w := testkit.NewWorld(t).InjectFaults()
	id, _ := w.Rewarded(w.Anna, 5000)
	folder := t.TempDir()
	own := statements(w, folder)
	foreign := foreignStatement(w, folder)
	before := w.Dump()
	for name, given := range map[string]string{
		"unknown": strings.Repeat("ab", 32), "another community's": foreign, "no id": "x",
		"two lines": own[0] + "\nStatement: " + own[0], "upper case": strings.ToUpper(own[0]), "shorter": own[0][:63],
	} {
		_, err := postWith(w, given, action.Unstake, id)
		t.Run(name, func(t *testing.T) { refused(t, err, fault.StatementUnknown) })
	}
	if w.Dump() != before {
		t.Error("a refused call changed the ledger")
	}
	issued, err := postWith(w, own[0], action.Unstake, id)
	testkit.Must(t, err)
	// The proof of an action with a statement that the ledger does not have is refused, too.
	w.Update(func(tx *store.Tx) error {
		a, err := tx.Action(t.Context(), issued.ActionID)
		if err != nil {
			return err
		}
		intent, err := message.Parse(issued.Message)
		testkit.Must(t, err)
		intent.Nonce, intent.Statement = strings.Repeat("e", 32), foreign
		a.ID, a.Brief, a.Message, a.UnitIDs, a.Statement = intent.Nonce, "", intent.Text(), []string{id}, foreign
		issued = action.Requested{ActionID: a.ID, Message: a.Message}
		return tx.InsertAction(t.Context(), a)
	})
	_, err = sign(w, signing(w, w.Anna, action.Unstake, issued))
	refused(t, err, fault.StatementUnknown)
	w.WantStage(id, ledger.Staked)
}

// foreignStatement stores the first statement of another community, and returns its id.
func foreignStatement(w *testkit.World, folder string) string {
	w.Helper()
	p := w.Publisher(w.StatementSigner(folder), folder)
	text, err := p.Signed(w.Context(), testkit.Prefix, 0)
	testkit.Must(w, err)
	signed, err := statement.ParseSigned([]byte(text))
	testkit.Must(w, err)
	details, err := p.Details(w.Context(), testkit.Prefix, 0)
	testkit.Must(w, err)
	parsed, err := statement.ParseDetails([]byte(details))
	testkit.Must(w, err)
	signed.Document.Community, parsed.Community = "other", "other"
	_, err = signed.Document.Complete(parsed)
	testkit.Must(w, err)
	w.Change(func(tx *store.Tx) error { return tx.ImportStatement(w.Context(), signed, parsed) })
	id, err := signed.Document.ID()
	testkit.Must(w, err)
	return id.String()
}

// A message that was issued before the community's first statement is accepted afterwards, and its order is delivered.
// New messages name the statement.
func TestMessageBeforeTheFirstStatement(t *testing.T) {
	w := testkit.NewWorld(t).InjectFaults()
	id := w.Unlocked(w.Anna, 5000)
	w.Settle(ledger.SettleDepth)
	earlier := post(w, w.Anna, action.Withdraw, id)
	if intent, err := message.Parse(earlier.Message); err != nil || intent.Statement != "" {
		t.Fatalf("%+v, %v: want a message without a statement", intent, err)
	}
	if len(statements(w, t.TempDir())) == 0 {
		t.Fatal("no statement was published")
	}
	if later := post(w, w.Anna, action.Withdraw, id); !strings.Contains(later.Message, "\nStatement: ") {
		t.Errorf("a new message names no statement:\n%s", later.Message)
	}
	w.Restart()
	w.Step()
	w.Clock.Advance(time.Minute)
	signed, err := sign(w, signing(w, w.Anna, action.Withdraw, earlier))
	if err != nil || signed.Order == nil {
		t.Fatalf("%+v, %v", signed, err)
	}
	w.Pay(w.Anna, *signed.Order, signed.Order.Due())
	w.Settle(6)
	w.WantStage(id, ledger.Withdrawn)
	w.Audit()
}
