package signer

import (
	"bytes"
	"context"
	"errors"
	"os"
	"testing"
	"time"

	"github.com/btcsuite/btcd/txscript/v2"
	"github.com/btcsuite/btcd/wire/v2"
	"pgregory.net/rapid"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/runes"
	"moonfund/internal/bitcoin/vault"
	"moonfund/internal/signed/message"
)

func serialized(t testing.TB, tx *wire.MsgTx) []byte {
	t.Helper()
	var b bytes.Buffer
	must(t, tx.Serialize(&b))
	return b.Bytes()
}

// executeAll runs every input's script, independently of the signer's own check.
func executeAll(t testing.TB, tx *wire.MsgTx, inputs []vault.Coin) {
	t.Helper()
	previous := map[wire.OutPoint]*wire.TxOut{}
	for _, c := range inputs {
		previous[c.OutPoint] = &c.Output
	}
	fetcher := txscript.NewMultiPrevOutFetcher(previous)
	for i, c := range inputs {
		engine, err := txscript.NewEngine(c.Output.PkScript, tx, i, txscript.StandardVerifyFlags, nil,
			txscript.NewTxSigHashes(tx, fetcher), c.Output.Value, fetcher)
		must(t, err)
		must(t, engine.Execute())
	}
}

func TestSignsWhatIsOwed(t *testing.T) {
	w := newWorld(t)
	r := w.mixed()
	unsigned := serialized(t, r.Tx)
	tx, err := w.signer().Sign(t.Context(), r)
	must(t, err)
	executeAll(t, tx, r.Inputs)
	if !bytes.Equal(serialized(t, r.Tx), unsigned) {
		t.Error("the request's transaction was changed")
	}
	again, err := w.signer().Sign(t.Context(), r)
	must(t, err)
	if !bytes.Equal(serialized(t, tx), serialized(t, again)) {
		t.Error("the same request gave other bytes")
	}
	kept, err := w.config.Outflows.Load()
	must(t, err)
	// 1000 virtual and 500 claimed base units leave the treasury, but no stakes.
	if len(kept) != 3 || kept[0].Runes != 0 || kept[1].Runes != 1000 || kept[2].Runes != 500 {
		t.Errorf("the recorded outflows are %+v", kept)
	}
}

func TestSignsRandomBatches(t *testing.T) {
	w := newWorld(t)
	w.limit(1<<60, 1<<50)
	s := w.signer()
	rapid.Check(t, func(r *rapid.T) {
		var request Request
		treasury := amount.Runes(0)
		for i := range rapid.IntRange(1, 6).Draw(r, "orders") {
			id := string(rune('a'+i)) + "-order"
			kind := rapid.SampledFrom([]chain.AddressType{chain.P2TR, chain.P2PKH}).Draw(r, "type")
			owner := newWallet(t, byte(i), kind, w.network)
			if rapid.Bool().Draw(r, "claim") {
				n := amount.Runes(rapid.Int64Range(1, 1e12).Draw(r, "amount"))
				w.claim(&request, owner, id, n)
				treasury += n
				continue
			}
			switch rapid.IntRange(0, 2).Draw(r, "shape") {
			case 0:
				w.withdrawal(&request, owner, id, 0, w.stake(owner, 1000, id))
			case 1:
				w.withdrawal(&request, owner, id, 0, w.stake(owner, 400, id), w.stake(owner, 600, id))
			case 2:
				w.withdrawal(&request, owner, id, 400, w.stake(owner, 1000, id))
				treasury += 400
			}
		}
		if treasury > 0 {
			treasury += amount.Runes(rapid.Int64Range(0, 9).Draw(r, "rest"))
			request.Inputs = append(request.Inputs, w.coin(vault.TreasuryRunes, 546, treasury, ""))
		}
		w.build(&request)
		tx, err := s.Sign(t.Context(), request)
		if err != nil {
			r.Fatal(err)
		}
		executeAll(t, tx, request.Inputs)
		must(t, w.config.Outflows.Store(nil))
	})
}

// TestUnverifiedRunes checks that false rune balances do not help a compromised server, even if the signer has no
// index.
func TestUnverifiedRunes(t *testing.T) {
	w := newWorld(t)
	w.config.Balances = nil
	s := w.signer()
	if _, err := s.Sign(t.Context(), w.mixed()); !refusedFor(err, UnsafeBatch) {
		t.Errorf("two orders with stakes: got error %v", err)
	}
	anna := newWallet(t, 1, chain.P2TR, w.network)
	var r Request
	w.withdrawal(&r, anna, "order-a", 0, w.stake(anna, 1000, "order-a"))
	w.build(&r)
	_, err := s.Sign(t.Context(), r)
	must(t, err)
	kept, _ := w.config.Outflows.Load()
	if len(kept) != 1 || kept[0].Runes != 0 {
		t.Errorf("outflows of a payout of stakes alone: got %+v", kept)
	}
	// With treasury runes as inputs, the full delivery of a stake declared as 1000 counts as outflow.
	w.limit(999, 1_000_000)
	r = Request{}
	w.withdrawal(&r, anna, "order-b", 0, w.stake(anna, 1000, "order-b"))
	r.Inputs = append(r.Inputs, w.coin(vault.TreasuryRunes, 546, 50_000, ""))
	w.build(&r)
	if _, err := w.signer().Sign(t.Context(), r); !refusedFor(err, OverLimit) {
		t.Errorf("unverified balances beside treasury runes: got error %v", err)
	}
}

func TestPaymentKeyWithLink(t *testing.T) {
	w := newWorld(t)
	anna, thief := newWallet(t, 1, chain.P2TR, w.network), newWallet(t, 9, chain.P2TR, w.network)
	var r Request
	w.withdrawal(&r, anna, "order-a", 0, w.stake(anna, 1000, "order-a"))
	w.build(&r)
	p := &r.Orders[0].Proof
	p.Signer, p.Signature = anna.payment.Text, anna.signPayment(p.Text)
	link := anna.intent("UNSTAKE", "1000", r.Orders[0].UnitIDs).Text()
	p.Link = &Link{Text: link, OrdinalsSignature: anna.sign(t, link), PaymentSignature: anna.signPayment(link)}
	_, err := w.signer().Sign(t.Context(), r)
	must(t, err)
	for name, bad := range map[string]Link{
		"ordinals": {Text: link, OrdinalsSignature: thief.sign(t, link), PaymentSignature: anna.signPayment(link)},
		"payment":  {Text: link, OrdinalsSignature: anna.sign(t, link), PaymentSignature: thief.signPayment(link)},
		"text": {
			Text:              thief.intent("UNSTAKE", "1000", nil).Text(),
			OrdinalsSignature: anna.sign(t, link), PaymentSignature: anna.signPayment(link),
		},
	} {
		p.Link = &bad
		if _, err := w.signer().Sign(t.Context(), r); !refusedFor(err, BadProof) {
			t.Errorf("%s: got error %v, want a refusal of the proof", name, err)
		}
	}
	// A payment address beside another staker's ordinals address proves nothing.
	x := anna.intent("WITHDRAW", "1000", r.Orders[0].UnitIDs)
	x.Payment = thief.payment.Text
	text := x.Text()
	*p = Proof{Text: text, Signature: thief.signPayment(text), Signer: thief.payment.Text,
		Link: &Link{Text: text, OrdinalsSignature: thief.sign(t, text), PaymentSignature: thief.signPayment(text)}}
	if _, err := w.signer().Sign(t.Context(), r); !refusedFor(err, BadProof) {
		t.Errorf("proof by the thief's payment address: got error %v", err)
	}
}

func TestClaimNeedsItsProof(t *testing.T) {
	w := newWorld(t)
	_, err := w.signer().Sign(t.Context(), w.claimOf(400))
	must(t, err)
	r := w.claimOf(400)
	r.Orders[0].Delivery.Amount = 600
	w.build(&r)
	if _, err := w.signer().Sign(t.Context(), r); !refusedFor(err, WrongRunes) {
		t.Errorf("delivery of another sum: got error %v", err)
	}
	r = w.claimOf(400)
	r.Orders[0].Proof = Proof{}
	if _, err := w.signer().Sign(t.Context(), r); !refusedFor(err, BadProof) {
		t.Errorf("claim without a proof: got error %v", err)
	}
}

func TestRollingLimit(t *testing.T) {
	w := newWorld(t)
	w.limit(1_000, 1_000_000)
	first := w.claimOf(600)
	sign := func(r Request) error { // with a new signer each time: the state is on disk
		_, err := w.signer().Sign(t.Context(), r)
		return err
	}
	must(t, sign(first))
	must(t, sign(first)) // the same request counts once
	w.now = w.now.Add(12 * time.Hour)
	if err := sign(w.claimOf(401)); !refusedFor(err, OverLimit) {
		t.Errorf("Sign of 401 more: got error %v", err)
	}
	must(t, sign(w.claimOf(400)))
	bump := first
	plan := w.plan(&bump)
	plan.FeeRate *= 3
	tx, _, err := vault.BuildPayout(plan)
	must(t, err)
	bump.Tx = tx
	must(t, sign(bump)) // shares its inputs with the first request, so it counts once
	w.now = w.now.Add(-13 * time.Hour)
	if err := sign(w.claimOf(1)); !refusedFor(err, OverLimit) {
		t.Errorf("Sign after the clock was set back: got error %v", err)
	}
	w.now = w.now.Add(13*time.Hour + 24*time.Hour)
	must(t, sign(w.claimOf(1_000)))
}

// TestNothingIsSignedByAClockInDoubt checks that the signer signs nothing while its clock is in doubt, and that a clock
// jump resets no limit.
func TestNothingIsSignedByAClockInDoubt(t *testing.T) {
	w := newWorld(t)
	w.limit(1_000, 1_000_000)
	s := w.signer()
	_, err := s.Sign(t.Context(), w.claimOf(1_000))
	must(t, err)
	w.now, w.doubt = w.now.Add(25*time.Hour), errors.New("the clock jumped")
	if tx, err := s.Sign(t.Context(), w.claimOf(1_000)); tx != nil || !errors.Is(err, w.doubt) {
		t.Errorf("Sign with a clock in doubt: got error %v", err)
	}
	w.now, w.doubt = w.now.Add(-25*time.Hour), nil
	if _, err := s.Sign(t.Context(), w.claimOf(1)); !refusedFor(err, OverLimit) {
		t.Errorf("Sign above the limit after the doubt: got error %v", err)
	}
}

func TestLimitStateMustBeReadable(t *testing.T) {
	w := newWorld(t)
	r := w.claimOf(1)
	path := string(w.config.Outflows.(OutflowFile))
	must(t, os.WriteFile(path, []byte("{"), 0o600))
	tx, err := w.signer().Sign(t.Context(), r)
	var refusal *Refusal
	if tx != nil || err == nil || errors.As(err, &refusal) {
		t.Errorf("Sign with unreadable limits: got error %v", err)
	}
	must(t, os.Remove(path))
	failed := errors.New("index is down")
	w.config.Balances = func(context.Context, wire.OutPoint) ([]runes.Balance, error) { return nil, failed }
	if _, err := w.signer().Sign(t.Context(), r); !errors.Is(err, failed) {
		t.Errorf("Sign while the index fails: got error %v", err)
	}
}

func TestTreasurySplit(t *testing.T) {
	w := newWorld(t)
	r := Request{Inputs: []vault.Coin{
		w.coin(vault.TreasuryRunes, 546, 50_000, ""), w.coin(vault.TreasurySats, 20_000, 0, ""),
	}}
	plan := w.plan(&r)
	plan.RuneChangeOutputs = 8
	tx, cost, err := vault.BuildPayout(plan)
	must(t, err)
	r.Tx = tx
	signed, err := w.signer().Sign(t.Context(), r)
	must(t, err)
	executeAll(t, signed, r.Inputs)
	kept, _ := w.config.Outflows.Load()
	if len(kept) != 1 || kept[0].Runes != 0 || kept[0].Sats != cost.Fee {
		t.Errorf("want only the fee of a split: %+v, fee %d", kept, cost.Fee)
	}
}

func TestRefund(t *testing.T) {
	w := newWorld(t)
	anna, thief := newWallet(t, 1, chain.P2TR, w.network), newWallet(t, 9, chain.P2TR, w.network)
	proof := anna.proof(t, anna.intent("CLAIM", "1000", []string{"u"}))
	id := message.OrderID(proof.Text)
	request := func() Request {
		r := Request{Inputs: []vault.Coin{w.coin(vault.Payment, 5_000, 0, id)}}
		var err error
		plan := vault.RefundPlan{Inputs: r.Inputs, To: anna.payment.Script, FeeRate: amount.SatPerVB(2)}
		r.Tx, _, err = vault.BuildRefund(plan)
		must(t, err)
		r.Refund = &Refund{OrderID: id, Proof: proof}
		return r
	}
	r := request()
	tx, err := w.signer().Sign(t.Context(), r)
	must(t, err)
	executeAll(t, tx, r.Inputs)

	for name, row := range map[string]struct {
		reason Reason
		tamper func(*Request)
	}{
		"destination":   {WrongTarget, func(r *Request) { r.Tx.TxOut[0].PkScript = thief.payment.Script }},
		"second output": {WrongTarget, func(r *Request) { r.Tx.AddTxOut(wire.NewTxOut(1, thief.payment.Script)) }},
		"message of another order": {OtherOrder, func(r *Request) {
			r.Inputs[0] = w.coin(vault.Payment, 5_000, 0, "order-b")
			r.Refund.OrderID = "order-b"
			r.Tx.TxIn[0].PreviousOutPoint = r.Inputs[0].OutPoint
		}},
		"a stranger's cancel of this order": {BadProof, func(r *Request) {
			cancel := thief.intent(message.Cancel, "1000", []string{"u"})
			cancel.Order, cancel.Status, cancel.Seen = id, "PENDING_RERATE", 5_000
			r.Refund.Proof, r.Tx.TxOut[0].PkScript = thief.proof(t, cancel), thief.payment.Script
		}},
		"order": {NoPayment, func(r *Request) { r.Refund.OrderID = "order-b" }},
		"treasury sats": {NoPayment, func(r *Request) {
			r.Inputs[0] = w.coin(vault.TreasurySats, 5_000, 0, "")
			r.Tx.TxIn[0].PreviousOutPoint = r.Inputs[0].OutPoint
		}},
		"proof": {BadProof, func(r *Request) { r.Refund.Proof = Proof{} }},
		"action": {BadProof, func(r *Request) {
			r.Refund.Proof = anna.proof(t, anna.intent("UNSTAKE", "1000", []string{"u"}))
		}},
		"fee":                {FeeTooHigh, func(r *Request) { r.Tx.TxOut[0].Value = 600; w.config.MaxFee = 1_000 }},
		"runes on a payment": {WrongRunes, func(r *Request) { w.balances[r.Inputs[0].OutPoint] = balance(5) }},
	} {
		r := request()
		row.tamper(&r)
		if tx, err := w.signer().Sign(t.Context(), r); tx != nil || !refusedFor(err, row.reason) {
			t.Errorf("%s: %v, want %q", name, err, row.reason)
		}
	}
}

func TestNewRefusesMissingRules(t *testing.T) {
	for name, change := range map[string]func(*Config){
		"clock":     func(c *Config) { c.Now = nil },
		"outflows":  func(c *Config) { c.Outflows = nil },
		"network":   func(c *Config) { c.Network = chain.Network{} },
		"fee":       func(c *Config) { c.MaxFee = 0 },
		"fee rate":  func(c *Config) { c.MaxFeeRate = 0 },
		"accounts":  func(c *Config) { c.Policies = nil },
		"limits":    func(c *Config) { c.Policies = map[uint32]Policy{0: {Community: "LOBO", Rune: lobo}} },
		"community": func(c *Config) { changePolicy(c, func(p *Policy) { p.Community = "" }) },
	} {
		w := newWorld(t)
		change(&w.config)
		if _, err := New(w.keys, w.config); err == nil {
			t.Errorf("New accepted an invalid configuration: %s", name)
		}
	}
}
