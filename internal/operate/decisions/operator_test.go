package decisions_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/operate/decisions"
	"moonfund/internal/staking/action"
	"moonfund/internal/staking/order"
	"moonfund/internal/staking/payout"
	"moonfund/internal/store"
	"moonfund/internal/testkit"
)

var olga = decisions.Author{By: "olga", Why: "a test"}

func agreed(string) error { return nil }

// TestChange checks that a change is not applied if the operator declines it or its preview fails, and that a change
// without a preview needs no confirmation.
func TestChange(t *testing.T) {
	w := testkit.NewWorld(t)
	declined, broken := errors.New("no"), errors.New("broken")
	applied, previews := 0, 0
	c := decisions.Change[int]{
		Preview: func(context.Context, *store.Tx) (string, error) { previews++; return "what happens", nil },
		Apply: func(_ context.Context, _ *store.Tx, at time.Time, preview string) (int, error) {
			if applied++; preview != "what happens" || at.IsZero() {
				t.Errorf("Apply was called with the time %s and the preview %q", at, preview)
			}
			return 7, nil
		},
	}
	no := func(string) error { return declined }
	if _, err := c.Make(t.Context(), w.Store, no); !errors.Is(err, declined) || applied != 0 {
		t.Errorf("declined change: error %v, applied %d times, want none", err, applied)
	}
	if n, err := c.Make(t.Context(), w.Store, agreed); err != nil || n != 7 || applied != 1 || previews != 3 {
		t.Errorf("confirmed change: result %d, error %v, applied %d times after %d previews", n, err, applied, previews)
	}
	c.Preview = func(context.Context, *store.Tx) (string, error) { return "", broken }
	if _, err := c.Make(t.Context(), w.Store, agreed); !errors.Is(err, broken) || applied != 1 {
		t.Errorf("change whose preview fails: error %v, applied %d times", err, applied)
	}
	if _, err := decisions.Pause(olga, "payouts").Make(t.Context(), w.Store, nil); err != nil {
		t.Errorf("change without a preview: error %v", err)
	}
}

// TestChangedMeanwhile checks that nothing is booked if deposits arrive while the operator reads the preview.
func TestChangedMeanwhile(t *testing.T) {
	w := testkit.NewWorld(t)
	sats, _ := w.Account.TreasurySats()
	w.Node.Grant(wire.NewTxOut(40_000, sats.Script))
	w.Step()
	credit := decisions.CreditTreasury(olga, testkit.Prefix)
	_, err := credit.Make(t.Context(), w.Store, func(preview string) error {
		if !strings.Contains(preview, "40000 sats") || strings.Contains(preview, "50000 sats") {
			t.Errorf("the preview is\n%s", preview)
		}
		w.Node.Grant(wire.NewTxOut(50_000, sats.Script))
		w.Step()
		return nil
	})
	if !errors.Is(err, decisions.ErrChanged) {
		t.Fatalf("CreditTreasury after a further deposit: got error %v, want ErrChanged", err)
	}
	read := func() (v decisions.TreasuryView, log []decisions.LogLine) {
		testkit.Must(t, w.Store.View(t.Context(), func(tx *store.Tx) (err error) {
			if v, err = decisions.ReadTreasury(t.Context(), tx, testkit.Prefix, nil); err != nil {
				return err
			}
			log, err = decisions.Log(t.Context(), tx, 10)
			return err
		}))
		return v, log
	}
	if v, log := read(); len(v.Unbooked) != 2 || len(log) != 0 {
		t.Errorf("outputs that are not booked: %+v, log %+v", v.Unbooked, log)
	}
	if n, err := credit.Make(t.Context(), w.Store, agreed); err != nil || n != 2 {
		t.Errorf("CreditTreasury: booked %d outputs, error %v", n, err)
	}
	v, log := read()
	if len(v.Unbooked) != 0 || len(log) != 1 || log[0].By != "olga" || log[0].Command != "treasury credit" {
		t.Errorf("after booking, the outputs that are not booked are %+v, and the log is %+v", v.Unbooked, log)
	}
}

// TestResumeOfAnotherPause checks that a new pause does not end if another operator ended the previewed pause and began
// the new one while the operator read the preview.
func TestResumeOfAnotherPause(t *testing.T) {
	w := testkit.NewWorld(t)
	pause := func(why string) {
		_, err := decisions.Pause(decisions.Author{By: "anna", Why: why}, "payouts").Make(t.Context(), w.Store, nil)
		testkit.Must(t, err)
	}
	pause("a look")
	_, err := decisions.Resume(olga, "payouts").Make(t.Context(), w.Store, func(string) error {
		_, err := decisions.Resume(olga, "payouts").Make(t.Context(), w.Store, agreed)
		pause("the key is stolen")
		return err
	})
	if !errors.Is(err, decisions.ErrChanged) {
		t.Errorf("Resume of another pause: got error %v, want ErrChanged", err)
	}
	testkit.Must(t, w.Store.View(t.Context(), func(tx *store.Tx) error {
		reason, _, err := tx.PausedSince(t.Context(), store.PausePayouts)
		if reason != "anna: the key is stolen" {
			t.Errorf("the reason of the pause is %q", reason)
		}
		return err
	}))
}

// TestRequest checks that the note of a waiting request names the pause that delays it, and that a second request is
// refused meanwhile.
func TestRequest(t *testing.T) {
	w := testkit.NewWorld(t)
	o := *w.Act(w.Anna, action.Withdraw, w.Unlocked(w.Anna, 5000)).Order
	refund := decisions.Decide(olga, decisions.Refund, o.ID)
	_, err := refund.Make(t.Context(), w.Store, agreed)
	if err == nil || !strings.Contains(err.Error(), "is refunded once it is closed") {
		t.Errorf("refund of an open order: got error %v", err)
	}
	w.Pay(w.Anna, o, o.Due())
	w.Step()
	w.Request(payout.RequestReview, o.ID)
	w.Step()
	w.Settle(1)
	w.WantStatus(o.ID, order.Audit)
	_, err = decisions.Pause(olga, "payouts").Make(t.Context(), w.Store, nil)
	testkit.Must(t, err)
	number, err := refund.Make(t.Context(), w.Store, agreed)
	testkit.Must(t, err)
	r, err := decisions.AwaitRequest(t.Context(), w.Store, o.ID, number, 0)
	if err != nil || r.Status != payout.RequestOpen || !strings.Contains(r.Note, "`moonfund resume payouts` comes first") {
		t.Errorf("AwaitRequest of a waiting request: got %+v, %v", r, err)
	}
	for _, second := range []decisions.Decision{decisions.Refund, decisions.Deliver} {
		_, err := decisions.Decide(olga, second, o.ID).Make(t.Context(), w.Store, agreed)
		if err == nil || !strings.Contains(err.Error(), "is not carried out yet") {
			t.Errorf("second request about the order: got error %v", err)
		}
	}
	_, err = decisions.Resume(olga, "payouts").Make(t.Context(), w.Store, agreed)
	testkit.Must(t, err)
	w.Step()
	r, err = decisions.AwaitRequest(t.Context(), w.Store, o.ID, number, time.Minute)
	if err != nil || r.Status != payout.RequestDone {
		t.Errorf("AwaitRequest of a finished request: got %+v, %v", r, err)
	}
}

func TestUnknown(t *testing.T) {
	w := testkit.NewWorld(t)
	testkit.Must(t, w.Store.View(t.Context(), func(tx *store.Tx) error {
		ctx := t.Context()
		_, noOrder := decisions.ReadOrder(ctx, tx, "x")
		_, noPayout := decisions.ReadPayout(ctx, tx, "x", false)
		_, noUnit := decisions.ReadUnit(ctx, tx, "", "x")
		_, noEpoch := decisions.ReadEpoch(ctx, tx, testkit.Prefix, 900)
		_, noCommunity := decisions.Orders(ctx, tx, decisions.OrderFilter{Community: "wolf", Limit: 1})
		for want, err := range map[string]error{
			`no order "x"`: noOrder, `no payout "x"`: noPayout, `no unit "x"`: noUnit, "has not begun": noEpoch,
			`no community "wolf"; it has: lobo`: noCommunity,
		} {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("want error %q, got %v", want, err)
			}
		}
		prefix, runeID, err := decisions.BoundRune(ctx, tx, "")
		if prefix != testkit.Prefix || runeID != testkit.Rune.String() {
			t.Errorf("BoundRune of the only community: got %s, %s", prefix, runeID)
		}
		if _, _, err := decisions.BoundRune(ctx, tx, "wolf"); err == nil {
			t.Error("no error for an unknown community")
		}
		return err
	}))
	if (decisions.PayoutView{Versions: []decisions.VersionView{
		{Txid: "a", Height: 7}, {Txid: "b", Height: chain.None},
	}}).Current().Txid != "a" {
		t.Error("the confirmed version is not the current one")
	}
}

func TestAuthor(t *testing.T) {
	for want, a := range map[string]decisions.Author{
		"--by is empty":            {By: " ", Why: "x"},
		"--why is empty":           {By: "olga", Why: "\t"},
		"at most 100 bytes":        {By: strings.Repeat("o", 101), Why: "x"},
		"--by has a line break":    {By: "ol\x07ga", Why: "x"},
		"--why has a line":         {By: "olga", Why: "one\ntwo"},
		"can't be shown: write it": {By: "olga", Why: "\xff"},
	} {
		if err := a.Check(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Check of %+v: want error %q, got %v", a, want, err)
		}
	}
	if err := (decisions.Author{By: " olga ", Why: "done\n"}).Check(); err != nil {
		t.Errorf("Check of an author with spaces: got error %v", err)
	}
	if text := (decisions.Author{By: " olga ", Why: "done\n"}).String(); text != "olga: done" {
		t.Errorf("String of an author: got %q", text)
	}
}

// TestRunwayText checks that the text contains the number of covered epochs and their end, or the first epoch that is
// not covered.
func TestRunwayText(t *testing.T) {
	until := time.Date(2027, 2, 3, 0, 0, 0, 0, time.UTC)
	for _, row := range []struct {
		view decisions.RunwayView
		want string
	}{
		{decisions.RunwayView{Epochs: 9, Until: until}, "the treasury covers 9 more epochs, until 2027-02-03 00:00:00"},
		{decisions.RunwayView{Epochs: 1, Until: until}, "the treasury covers 1 more epoch, until 2027-02-03 00:00:00"},
		{decisions.RunwayView{Epochs: 1000}, "the treasury covers 1000 more epochs or more"},
		{decisions.RunwayView{Next: 7, Budget: 150_000_000},
			"the treasury does not cover epoch 7 (1.5): its rewards will be smaller"},
	} {
		if got := row.view.String(); got != row.want {
			t.Errorf("%q, want %q", got, row.want)
		}
	}
	w := testkit.NewWorld(t)
	testkit.Must(t, w.Store.View(t.Context(), func(tx *store.Tx) error {
		newest, err := decisions.ReadTreasury(t.Context(), tx, testkit.Prefix, nil)
		testkit.Must(t, err)
		half := func(int64) amount.Runes { return testkit.Budget / 2 }
		planned, err := decisions.ReadTreasury(t.Context(), tx, testkit.Prefix, half)
		if newest.Covers.Epochs == 0 || planned.Covers.Epochs != 2*newest.Covers.Epochs {
			t.Errorf("runway by the newest epoch: %+v; by the manifest: %+v", newest.Covers, planned.Covers)
		}
		return err
	}))
}
