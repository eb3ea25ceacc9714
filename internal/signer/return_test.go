package signer

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/btcsuite/btcd/wire/v2"
	"lukechampine.com/uint128"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/runes"
	"moonfund/internal/bitcoin/vault"
	"moonfund/internal/signed/message"
)

// returning returns anna's deposit of a foreign rune to her, with a fee paid from the treasury's sats.
func (w *world) returning() Request {
	w.Helper()
	anna := newWallet(w, 1, chain.P2TR, w.network)
	deposit := w.stake(anna, 0, "")
	deposit.Runes = []runes.Balance{{ID: runes.ID{Block: 900_000, Tx: 3}, Amount: uint128.New(5, 7)}}
	w.balances[deposit.OutPoint] = deposit.Runes
	satsChange, _ := w.account.TreasurySats()
	r := Request{Return: &Return{Owner: anna.ordinals.Text}}
	var err error
	r.Tx, r.Inputs, _, err = vault.BuildReturn(vault.ReturnPlan{
		Deposit: deposit, Spare: []vault.Coin{w.coin(vault.TreasurySats, 20_000, 0, "")}, To: anna.ordinals.Script,
		SatsChange: satsChange.Script, FeeRate: amount.SatPerVB(3),
	})
	must(w, err)
	return r
}

func TestReturnIsSigned(t *testing.T) {
	for _, informed := range []bool{true, false} {
		w := newWorld(t)
		if !informed {
			w.config.Balances = nil
		}
		tx, err := w.signer().Sign(context.Background(), w.returning())
		must(t, err)
		if len(tx.TxIn) != 2 || len(tx.TxIn[0].Witness) != 1 {
			t.Errorf("with an index %t: signed %+v", informed, tx)
		}
	}
}

// TestReturnRefusals checks that an output at a stake address returns completely to the address that its leaf key
// derives from, whatever a compromised server requests.
func TestReturnRefusals(t *testing.T) {
	thief := newWallet(t, 9, chain.P2TR, newWorld(t).network)
	for name, row := range map[string]struct {
		reason Reason
		change func(w *world, r *Request)
	}{
		"another owner": {NotOwner, func(_ *world, r *Request) { r.Return.Owner = thief.ordinals.Text }},
		"another owner and destination": {NotOwner, func(_ *world, r *Request) {
			r.Return.Owner, r.Tx.TxOut[0].PkScript = thief.ordinals.Text, thief.ordinals.Script
		}},
		"another destination": {WrongTarget, func(_ *world, r *Request) { r.Tx.TxOut[0].PkScript = thief.ordinals.Script }},
		"no address":          {WrongTarget, func(_ *world, r *Request) { r.Return.Owner = "nobody" }},
		"less than there is":  {WrongTarget, func(_ *world, r *Request) { r.Tx.TxOut[0].Value-- }},
		"more than there is": {WrongTarget, func(_ *world, r *Request) {
			r.Tx.TxOut[0].Value += 1000
			r.Tx.TxOut[1].Value -= 1000
		}},
		"change to a stranger": {WrongTarget, func(_ *world, r *Request) { r.Tx.TxOut[1].PkScript = thief.ordinals.Script }},
		"a third output": {WrongTarget, func(_ *world, r *Request) {
			r.Tx.AddTxOut(wire.NewTxOut(600, thief.ordinals.Script))
			r.Tx.TxOut[1].Value -= 600
		}},
		"a runestone": {WrongTarget, func(_ *world, r *Request) {
			script, err := runes.Runestone{Edicts: []runes.Edict{{ID: lobo, Amount: uint128.From64(1), Output: 1}}}.Script()
			must(t, err)
			r.Tx.AddTxOut(wire.NewTxOut(0, script))
		}},
		"treasury runes for the fee": {WrongTarget, func(w *world, r *Request) {
			coin := w.coin(vault.TreasuryRunes, 20_000, 50, "")
			r.Inputs[1], r.Tx.TxIn[1].PreviousOutPoint = coin, coin.OutPoint
		}},
		"another stake beside it": {WrongTarget, func(w *world, r *Request) {
			coin := w.stake(newWallet(w, 2, chain.P2TR, w.network), 500, "")
			r.Inputs[1], r.Tx.TxIn[1].PreviousOutPoint = coin, coin.OutPoint
		}},
		"a payment without a proof": {BadProof, func(w *world, r *Request) {
			coin := w.coin(vault.Payment, 600, 0, "x")
			r.Inputs[0], r.Tx.TxIn[0].PreviousOutPoint = coin, coin.OutPoint
		}},
		"a refund too": {BadRequest, func(_ *world, r *Request) { r.Refund = &Refund{OrderID: "x"} }},
		"an order too": {BadRequest, func(_ *world, r *Request) { r.Orders = []Order{{}} }},
		"other runes":  {WrongRunes, func(w *world, r *Request) { w.balances[r.Inputs[0].OutPoint] = balance(7) }},
		"too dear":     {FeeTooHigh, func(_ *world, r *Request) { r.Tx.TxOut[1].Value = 546 }},
		"over the limit": {OverLimit, func(w *world, _ *Request) {
			policy := w.config.Policies[0]
			policy.SatsPerDay = 100
			w.config.Policies[0] = policy
		}},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.config.MaxFeeRate = amount.SatPerVB(20)
			r := w.returning()
			row.change(w, &r)
			if _, err := w.signer().Sign(context.Background(), r); !refusedFor(err, row.reason) {
				t.Errorf("got error %v, want a refusal for %q", err, row.reason)
			}
		})
	}
}

// TestReturnsCountInTheLimit checks that the sats that the treasury adds to a return count against the limit of 24
// hours, once per return.
func TestReturnsCountInTheLimit(t *testing.T) {
	w := newWorld(t)
	policy := w.config.Policies[0]
	policy.SatsPerDay = 1000
	w.config.Policies[0] = policy
	s := w.signer()
	signed := 0
	first := w.returning()
	for range 2 {
		_, err := s.Sign(context.Background(), first)
		must(t, err)
	}
	for range 5 {
		if _, err := s.Sign(context.Background(), w.returning()); err == nil {
			signed++
		} else if !refusedFor(err, OverLimit) {
			t.Fatal(err)
		}
	}
	if signed != 0 {
		t.Errorf("%d more returns were signed", signed)
	}
	w.now = w.now.Add(24 * time.Hour)
	_, err := s.Sign(context.Background(), w.returning())
	must(t, err)
}

// misplaced returns runes at the payment address of anna's order to her.
func (w *world) misplaced(n amount.Runes) Request {
	w.Helper()
	anna := newWallet(w, 1, chain.P2TR, w.network)
	satsChange, _ := w.account.TreasurySats()
	proof := anna.proof(w, anna.intent("CLAIM", "600", []string{"reward-x"}))
	r := Request{Return: &Return{Owner: anna.ordinals.Text, Proof: proof}}
	var err error
	r.Tx, r.Inputs, _, err = vault.BuildReturn(vault.ReturnPlan{
		Deposit: w.coin(vault.Payment, 546, n, message.OrderID(proof.Text)),
		Spare:   []vault.Coin{w.coin(vault.TreasurySats, 20_000, 0, "")},
		To:      anna.ordinals.Script, SatsChange: satsChange.Script, FeeRate: amount.SatPerVB(3),
	})
	must(w, err)
	return r
}

// TestReturnOfAPayment checks that runes at a payment address go to the address in the order's message and count
// against the limit, because only the server knows the owner of the order.
func TestReturnOfAPayment(t *testing.T) {
	w := newWorld(t)
	_, err := w.signer().Sign(context.Background(), w.misplaced(4_000))
	must(t, err)
	_, err = w.signer().Sign(context.Background(), w.misplaced(6_001))
	if !refusedFor(err, OverLimit) {
		t.Errorf("return above the limit: got error %v", err)
	}
	thief := newWallet(t, 9, chain.P2TR, w.network)
	r := w.misplaced(100)
	r.Return.Owner, r.Tx.TxOut[0].PkScript = thief.ordinals.Text, thief.ordinals.Script
	if _, err := w.signer().Sign(context.Background(), r); !refusedFor(err, NotOwner) {
		t.Errorf("return to another address: got error %v", err)
	}
}

// TestUntrackedOutputs checks that an output that may hold a rune unknown to the signer's index cannot fund or be part
// of a delivery and is only returned to its owner.
func TestUntrackedOutputs(t *testing.T) {
	for _, kind := range []vault.CoinKind{vault.Stake, vault.Payment, vault.TreasuryRunes, vault.TreasurySats} {
		w := newWorld(t)
		r := w.mixed()
		r.Inputs = append(r.Inputs, w.coin(vault.TreasurySats, 5000, 0, ""))
		w.build(&r)
		at := slices.IndexFunc(r.Inputs, func(c vault.Coin) bool { return c.Kind == kind })
		if at < 0 {
			t.Fatalf("the payout has no %s input", kind)
		}
		w.config.Untracked = func(_ context.Context, out wire.OutPoint) (bool, error) {
			return out == r.Inputs[at].OutPoint, nil
		}
		_, err := w.signer().Sign(t.Context(), r)
		if !refusedFor(err, WrongRunes) {
			t.Errorf("untracked %s input: got error %v, want a refusal for its runes", kind, err)
		}
		w.config.Untracked = func(context.Context, wire.OutPoint) (bool, error) { return false, nil }
		_, err = w.signer().Sign(t.Context(), r)
		must(t, err)
		w.config.Untracked = func(context.Context, wire.OutPoint) (bool, error) { return false, errors.New("no node") }
		if _, err = w.signer().Sign(t.Context(), r); err == nil || !strings.Contains(err.Error(), "no node") {
			t.Errorf("without a node: got error %v", err)
		}
	}
	w := newWorld(t)
	r := w.returning()
	untracked := r.Inputs[0].OutPoint
	w.config.Untracked = func(_ context.Context, out wire.OutPoint) (bool, error) { return out == untracked, nil }
	_, err := w.signer().Sign(t.Context(), r)
	must(t, err)
	untracked = r.Inputs[1].OutPoint // the input for the fee
	if _, err = w.signer().Sign(t.Context(), r); !refusedFor(err, WrongRunes) {
		t.Errorf("untracked input for the fee: got error %v", err)
	}
}
