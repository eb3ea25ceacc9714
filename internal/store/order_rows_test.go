package store

import (
	"bytes"
	"errors"
	"math"
	"reflect"
	"testing"
	"time"

	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/vault"
	"moonfund/internal/staking/action"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/staking/order"
	"moonfund/internal/staking/payout"
	"moonfund/internal/state"
)

func sampleOrder() order.Order {
	return order.Order{
		ID: "0123", Community: "lobo", Reason: ledger.ForWithdraw, Owner: anna.Ordinals, Payment: anna.Payment,
		ActionID: "action",
		UnitIDs:  []string{point(1).String(), "reward:1:ab"}, RealUnits: 1, Amount: math.MaxInt64, FeeRate: 1500,
		Fees:    order.Fees{Dust: vault.DustSats, Network: 1, Service: 2, Rutxos: 3, PerRutxo: 4},
		Address: "address", Script: []byte{1, 2}, Status: order.Pending, Created: noon, RateDate: noon.Add(1 * time.Second),
		Deadline: noon.Add(2 * time.Second), Seen: 5, Confirmed: 6, Late: 7, PayoutID: "payout", PayoutTx: "tx",
		Updated: noon.Add(3 * time.Second), Number: 1,
	}
}

// The queries of an owner's orders by status select the orders of the statuses in package order, and no others.
func TestOrdersOfAnOwnerByStatus(t *testing.T) {
	ctx := t.Context()
	statuses := []order.Status{order.Pending, order.Confirmed, order.PendingRerate, order.Paid, order.Sent,
		order.Delivered, order.Consolidated, order.Canceled, order.Expired, order.Invalid, order.Audit}
	for _, status := range statuses {
		for _, reason := range []ledger.Reason{ledger.ForClaim, ledger.ForWithdraw} {
			within(t, func(tx *Tx) {
				o := sampleOrder()
				o.Reason = reason
				must(t, tx.InsertOrder(ctx, o))
				o.Status, o.OneTx = status, reason == ledger.ForWithdraw
				must(t, tx.UpdateOrders(ctx, order.Change{Order: o, From: order.Pending}))
				active, err := tx.HasActiveClaim(ctx, "lobo", anna.Ordinals)
				same(t, "active claim", active, err, reason == ledger.ForClaim && status.Active())
				sent, err := tx.SentOneTxOrders(ctx, "lobo", anna.Ordinals)
				same(t, "sent in one transaction", len(sent) == 1 && sent[0] == o.ID, err,
					reason == ledger.ForWithdraw && status == order.Sent)
				for _, owner := range [][2]string{{"wolf", anna.Ordinals}, {"lobo", "another"}} {
					active, err = tx.HasActiveClaim(ctx, owner[0], owner[1])
					same(t, "active claim of another owner", active, err, false)
				}
			})
		}
	}
}

func TestOrdersAndPayments(t *testing.T) {
	ctx := t.Context()
	within(t, func(tx *Tx) {
		o := sampleOrder()
		must(t, tx.InsertOrder(ctx, o))
		got, err := tx.Order(ctx, o.ID)
		same(t, "order", got, err, o)
		if _, err := tx.Order(ctx, "none"); !errors.Is(err, state.ErrNotFound) {
			t.Errorf("an unknown order: got %v, want ErrNotFound", err)
		}
		o.Status, o.FeeRate, o.Fees = order.Confirmed, 9, order.Fees{Dust: vault.DustSats, Network: 9, Service: 8, Rutxos: 7,
			PerRutxo: 6}
		o.RateDate, o.Deadline, o.Updated = noon.Add(4*time.Second), noon.Add(5*time.Second), noon.Add(6*time.Second)
		o.Seen, o.Confirmed, o.Late, o.PayoutID, o.PayoutTx = 50, 60, 70, "", ""
		if err := tx.UpdateOrders(ctx, order.Change{Order: o, From: order.Paid}); !errors.Is(err, state.ErrConflict) {
			t.Errorf("update from another status: got %v, want ErrConflict", err)
		}
		must(t, tx.UpdateOrders(ctx, order.Change{Order: o, From: order.Pending}))
		second := sampleOrder()
		second.ID, second.Number = "4567", 2
		must(t, tx.InsertOrder(ctx, second))
		list, err := tx.OrdersOf(ctx, "lobo", anna.Ordinals)
		same(t, "newest first", list, err, []order.Order{second, o})
		list, err = tx.OrdersInStatus(ctx, order.Confirmed)
		same(t, "confirmed", list, err, []order.Order{o})

		p := order.Payment{OutPoint: point(3), OrderID: o.ID, Value: 546, SeenAt: noon, Counted: true, Height: 7, Number: 1}
		out := output(3, ledger.PaymentKind)
		out.Coinbase, p.Coinbase = true, true
		must(t, tx.PutOutput(ctx, out))
		must(t, tx.InsertPayments(ctx, []order.Payment{p}))
		if err := tx.InsertPayments(ctx, []order.Payment{p}); !errors.Is(err, state.ErrConflict) {
			t.Errorf("a known payment: %v", err)
		}
		payments, err := tx.PaymentsOf(ctx, o.ID)
		same(t, "payments", payments, err, []order.Payment{p})
		p.Late, p.Counted, p.Waiting = true, false, order.WaitingForSum
		must(t, tx.UpdatePayments(ctx, p))
		payments, err = tx.PaymentsOf(ctx, o.ID)
		same(t, "late", payments, err, []order.Payment{p})
		p.OutPoint = point(9)
		if err := tx.UpdatePayments(ctx, p); !errors.Is(err, state.ErrConflict) {
			t.Errorf("an unknown payment: %v", err)
		}
	})
}

func TestPayouts(t *testing.T) {
	ctx := t.Context()
	within(t, func(tx *Tx) {
		p := payout.Payout{ID: "p", Community: "lobo", OrderIDs: []string{"a", "b"}, Status: payout.Live, Created: noon}
		for n := range 2 {
			p.Versions = append(p.Versions, payout.Version{
				Tx: spend(int64(n), point(1)), Fee: 300, VBytes: 200, Created: noon.Add(time.Duration(n) * time.Second),
				Height: chain.None,
			})
		}
		must(t, tx.InsertPayout(ctx, p))
		list, err := tx.PayoutsIn(ctx, payout.Live, payout.Confirmed)
		same(t, "payouts", list, err, []payout.Payout{p})
		must(t, tx.Track(ctx, ledger.Tracked{Tx: p.Versions[1].Tx, SeenAt: noon, Height: 12, Ours: true}))
		p.Versions[1].Height = 12
		list, err = tx.PayoutsIn(ctx, payout.Live)
		same(t, "a version in a block", list, err, []payout.Payout{p})
		must(t, tx.Unconfirm(ctx, 12, noon))
		p.Versions[1].Height = chain.None
		list, err = tx.PayoutsIn(ctx, payout.Live)
		same(t, "and out of it", list, err, []payout.Payout{p})
		first := p.Versions[0].Tx.ID.String()
		ours, err := tx.PayoutTxs(ctx, first, point(1).Hash.String())
		same(t, "transactions of payouts", ours, err, map[string]bool{first: true})
		p.Status = payout.Confirmed
		if err := tx.UpdatePayout(ctx, p, payout.Dead); !errors.Is(err, state.ErrConflict) {
			t.Errorf("update from another status: got %v, want ErrConflict", err)
		}
		must(t, tx.UpdatePayout(ctx, p, payout.Live))
		list, err = tx.PayoutsIn(ctx, payout.Live)
		if err != nil || len(list) != 0 {
			t.Errorf("live: %v, %v", list, err)
		}
	})
}

func TestActionsAndLinks(t *testing.T) {
	ctx := t.Context()
	within(t, func(tx *Tx) {
		a := action.Action{
			ID: "a", Community: "lobo", Type: action.Withdraw, Wallet: anna, UnitIDs: []string{"x", "y"}, Amount: 5,
			OrderID: "o",
			Message: "a\nmessage", Created: noon, Expires: noon.Add(time.Hour), UsedAt: instant(0),
		}
		must(t, tx.InsertAction(ctx, a))
		got, err := tx.Action(ctx, "a")
		same(t, "action", got, err, a)
		if _, err := tx.Action(ctx, "none"); !errors.Is(err, state.ErrNotFound) {
			t.Errorf("an unknown action: got %v, want ErrNotFound", err)
		}
		a.Used, a.UsedAt, a.Signature, a.Signer, a.OrderID = true, noon, "signature", anna.Payment, "order"
		must(t, tx.UseAction(ctx, a))
		if err := tx.UseAction(ctx, a); !errors.Is(err, state.ErrConflict) {
			t.Errorf("second use of an action: got %v, want ErrConflict", err)
		}
		got, err = tx.Action(ctx, "a")
		same(t, "used", got, err, a)

		if _, err := tx.ProofOf(ctx, "a"); !errors.Is(err, state.ErrNotFound) {
			t.Errorf("a proof by the payment address without a link: got %v, want ErrNotFound", err)
		}
		if _, err := tx.Link(ctx, "lobo", anna); !errors.Is(err, state.ErrNotFound) {
			t.Errorf("an unknown link: got %v, want ErrNotFound", err)
		}
		link := action.Link{Message: "first", OrdinalsSignature: "o", PaymentSignature: "p"}
		must(t, tx.PutLink(ctx, "lobo", anna, link))
		must(t, tx.PutLink(ctx, "lobo", anna, action.Link{Message: "second"}))
		stored, err := tx.Link(ctx, "lobo", anna)
		same(t, "the first link stays", stored, err, link)
		if _, err := tx.Link(ctx, "other", anna); !errors.Is(err, state.ErrNotFound) {
			t.Errorf("a link of another community: %v", err)
		}
		proof, err := tx.ProofOf(ctx, "a")
		same(t, "proof", proof, err, payout.Proof{
			Text: "a\nmessage", Signature: "signature", Signer: anna.Payment,
			Link: &payout.Link{Text: "first", OrdinalsSignature: "o", PaymentSignature: "p"},
		})
	})
}

// The proof of a wallet with a single address needs no link.
func TestProofOfOneAddress(t *testing.T) {
	ctx := t.Context()
	within(t, func(tx *Tx) {
		one := action.Wallet{Ordinals: anna.Ordinals, Payment: anna.Ordinals}
		a := action.Action{
			ID: "a", Community: "lobo", Type: action.Claim, Wallet: one, UnitIDs: []string{"x"}, Amount: 5,
			Message: "a\nmessage",
			Created: noon, Expires: noon.Add(time.Hour), UsedAt: instant(0),
		}
		must(t, tx.InsertAction(ctx, a))
		a.Used, a.UsedAt, a.Signature, a.Signer = true, noon, "signature", one.Ordinals
		must(t, tx.UseAction(ctx, a))
		proof, err := tx.ProofOf(ctx, "a")
		same(t, "proof", proof, err, payout.Proof{Text: "a\nmessage", Signature: "signature", Signer: one.Ordinals})
	})
}

func TestStakeAddresses(t *testing.T) {
	ctx := t.Context()
	within(t, func(tx *Tx) {
		s := action.StakeRecord{
			Address: "stake", Community: "lobo", Position: 4, LeafKey: "00ff", Delay: 144, Wallet: anna, ActionID: "a",
			Created: noon,
		}
		asked := action.StakeRecord{Community: "lobo", LeafKey: "00ff", Delay: 144, Wallet: anna}
		if _, err := tx.OpenStake(ctx, asked); !errors.Is(err, state.ErrNotFound) {
			t.Errorf("an open address before any was issued: got %v, want ErrNotFound", err)
		}
		must(t, tx.InsertStake(ctx, s))
		got, err := tx.OpenStake(ctx, asked)
		same(t, "open", got, err, s)
		for _, other := range []func(*action.StakeRecord){
			func(s *action.StakeRecord) { s.LeafKey = "ff" }, func(s *action.StakeRecord) { s.Delay = 145 },
			func(s *action.StakeRecord) { s.Wallet.Ordinals = "x" },
			func(s *action.StakeRecord) { s.Community = "other" },
		} {
			changed := asked
			other(&changed)
			if _, err := tx.OpenStake(ctx, changed); !errors.Is(err, state.ErrNotFound) {
				t.Errorf("an open address of another owner: %v", err)
			}
		}
		elsewhere, paidElsewhere := asked, s
		elsewhere.Wallet.Payment, paidElsewhere.Wallet.Payment = "x", "x"
		got, err = tx.OpenStake(ctx, elsewhere)
		same(t, "open with another payment address", got, err, paidElsewhere)
		keys, err := tx.StakeKeys(ctx, "stake")
		same(t, "keys", keys, err, vault.StakeKeys{Position: 4, Leaf: []byte{0, 255}, Delay: 144})
		seen, err := tx.StakeSeen(ctx, "a")
		same(t, "not seen", seen, err, false)
		o := output(1, ledger.StakeKind)
		o.Ref, o.Quarantine = "stake", ledger.NoRunes
		must(t, tx.PutOutput(ctx, o))
		seen, err = tx.StakeSeen(ctx, "a")
		same(t, "quarantined", seen, err, false)
		if _, err := tx.OpenStake(ctx, asked); !errors.Is(err, state.ErrNotFound) {
			t.Errorf("an address with a deposit is open: %v", err)
		}
		o.Quarantine = ""
		must(t, tx.PutOutput(ctx, o))
		seen, err = tx.StakeSeen(ctx, "a")
		same(t, "seen", seen, err, true)

		w := ledger.Watched{Number: 1, Script: []byte{1}, Community: "lobo", Kind: ledger.StakeKind, Ref: "stake",
			Owner: anna.Ordinals}
		must(t, tx.WatchScript(ctx, w))
		must(t, tx.WatchScript(ctx, w))
		second := w
		second.Script = []byte{2}
		must(t, tx.WatchScript(ctx, second))
		list, err := tx.WatchedAfter(ctx, 0)
		if err != nil || len(list) != 2 || !reflect.DeepEqual(list[0], w) {
			t.Errorf("watched: %+v, %v", list, err)
		}
		list, err = tx.WatchedAfter(ctx, list[0].Number)
		if err != nil || len(list) != 1 || list[0].Script[0] != 2 {
			t.Errorf("watched after the first: %+v, %v", list, err)
		}
		var after []byte
		must(t, tx.EachWatched(ctx, w.Number, func(_ int64, script []byte) { after = append(after, script...) }))
		if !bytes.Equal(after, second.Script) {
			t.Errorf("scripts after the first: %x", after)
		}
		all := map[byte]int{}
		last, err := tx.EachScript(ctx, func(script []byte) { all[script[0]]++ })
		same(t, "every script", all, err, map[byte]int{1: 1, 2: 1})
		if list, err = tx.WatchedAfter(ctx, last-1); err != nil || len(list) != 1 || list[0].Script[0] != 2 {
			t.Errorf("the last script: %+v, %v", list, err)
		}
		found, err := tx.WatchedScripts(ctx, [][]byte{{3}, w.Script, w.Script})
		if err != nil || !reflect.DeepEqual(found, map[string]ledger.Watched{string(w.Script): w}) {
			t.Errorf("watched scripts: %+v, %v", found, err)
		}
	})
}
