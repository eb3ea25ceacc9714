package signer

import (
	"context"
	"fmt"
	"slices"

	"github.com/btcsuite/btcd/wire/v2"
	"lukechampine.com/uint128"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/runes"
	"moonfund/internal/bitcoin/vault"
	"moonfund/internal/signed/message"
)

// attempts are the rows of the table in docs/trust.md. Together they use every kind of request of the signer's socket.
var attempts = []attempt{
	{what: "redirect a stake in self-custody", bound: "script", tries: stolenSelfStakes, self: true,
		rules: []Reason{WrongTarget, WrongUnits, NotOwner, BadSignature, BadRequest, BadProof, OtherOrder}},
	{what: "redirect a stake in operator custody", bound: "proof", tries: stolenStakes,
		rules: []Reason{WrongTarget, WrongRunes, WrongUnits, NotOwner, NotOurs, BadProof, NoPayment}},
	{what: "redirect a withdrawal in one transaction", bound: "proof", tries: stolenOneTx,
		rules: []Reason{WrongTarget, WrongUnits, NotOwner, BadSignature}},
	{what: "take another stake of the same payout", bound: "open withdrawals", tries: stolenInABatch,
		rules: []Reason{WrongRunes, UnsafeBatch}},
	{what: "destroy runes", bound: "runestone", tries: burnedRunes,
		rules: []Reason{WrongRunes, UnsafeBatch}},
	{what: "withdraw to another address", bound: "its setting", tries: stolenWithdrawals,
		rules: []Reason{Unlisted, WrongTarget, WrongRunes}},
	{what: "redirect a refund or a returned payment", bound: "proof",
		tries: stolenRefunds, rules: []Reason{WrongTarget, OtherOrder, BadProof, NoPayment, NotOwner}},
	{what: "deliver without a payment", bound: "payment", tries: unpaidDeliveries,
		rules: []Reason{NoPayment}},
	{what: "claim rewards not earned", bound: "`daily_outflow`", first: treasuryRunes / 100,
		repeated: []func(*compromise, int64) Request{claimOf}},
	{what: "deliver an old claim again", bound: "`daily_outflow`", first: treasuryRunes / 100,
		repeated: []func(*compromise, int64) Request{replayedClaim}},
	{what: "overstate an own stake", bound: "index", first: treasuryRunes,
		repeated: []func(*compromise, int64) Request{overstatedStake}},
	{what: "take runes on the treasury's sats", bound: "index", tries: hiddenRunes,
		rules: []Reason{WrongRunes}},
	{what: "burn the treasury's sats as fees", bound: "`daily_sats`", first: 1000, repeated: feesOfTheTreasury,
		anyIndex: true},
	{what: "burn refunds as fees", bound: "`per_day`", first: 1000, anyIndex: true,
		repeated: []func(*compromise, int64) Request{refundFee}},
	{what: "burn mint and etch payments", bound: "per payment", first: 5_000_000,
		repeated: []func(*compromise, int64) Request{mintFee}, anyIndex: true},
	{what: "send a stake back unasked", bound: "proof", tries: unasked},
}

// victims returns a valid withdrawal of a stake of 5,000 LOBO, as anna signed it.
func (c *compromise) victims() Request {
	c.Helper()
	var r Request
	c.withdrawal(&r, c.anna, "", 0, c.stake(c.anna, 5_000*coinLOBO, ""))
	c.build(&r)
	return r
}

// changed returns a copy of anna's withdrawal with a change.
func (c *compromise) changed(change func(r *Request)) Request {
	c.Helper()
	r := c.victims()
	change(&r)
	return r
}

// spending returns a transaction of the inputs that pays all sats but 1,000 to a script.
func spending(to []byte, inputs ...vault.Coin) Request {
	r := Request{Tx: wire.NewMsgTx(2), Inputs: inputs}
	var sats int64
	for _, coin := range inputs {
		r.Tx.AddTxIn(&wire.TxIn{PreviousOutPoint: coin.OutPoint, Sequence: vault.Sequence})
		sats += coin.Output.Value
	}
	r.Tx.AddTxOut(wire.NewTxOut(sats-1_000, to))
	return r
}

func stolenStakes(c *compromise) map[string]Request {
	stake := func() vault.Coin { return c.stake(c.anna, 5_000*coinLOBO, "") }
	spare := func() vault.Coin { return c.coin(vault.TreasurySats, 20_000, 0, "") }
	to := c.thief.ordinals
	id, proof := c.opened(c.thief)
	tries := map[string]Request{
		"another destination": c.changed(func(r *Request) { r.Orders[0].Delivery.To = to.Script; c.build(r) }),
		"another output":      c.changed(func(r *Request) { r.Tx.TxOut[0].PkScript = to.Script }),
		"the attacker's message": c.changed(func(r *Request) {
			o := &r.Orders[0]
			o.Delivery.To = to.Script
			o.Proof = c.thief.proof(c, c.thief.intent("WITHDRAW", o.Delivery.Amount.String(), o.UnitIDs))
			o.Delivery.OrderID = message.OrderID(o.Proof.Text)
			r.Inputs[1] = c.coin(vault.Payment, 5_000, 0, o.Delivery.OrderID)
			c.build(r)
		}),
		"a message for another action": c.changed(func(r *Request) {
			o := &r.Orders[0]
			o.Proof = c.anna.proof(c, c.anna.intent("RESTAKE", o.Delivery.Amount.String(), o.UnitIDs))
			o.Delivery.OrderID = message.OrderID(o.Proof.Text)
			r.Inputs[1] = c.coin(vault.Payment, 5_000, 0, o.Delivery.OrderID)
			c.build(r)
		}),
		"a part of the stake": c.changed(func(r *Request) { r.Orders[0].Delivery.Amount /= 2; c.build(r) }),
		"as change":           c.changed(func(r *Request) { r.Tx.TxOut[len(r.Tx.TxOut)-1].PkScript = to.Script }),
		"as the attacker's":   c.changed(func(r *Request) { r.Inputs[0].Leaf = c.thief.leaf }),
		"as the treasury's":   c.changed(func(r *Request) { r.Inputs[0].Kind = vault.TreasuryRunes }),
	}
	add := func(name string, r Request, change func(*Request)) {
		change(&r)
		tries[name] = r
	}
	add("returned to the attacker", spending(to.Script, stake(), spare()), func(r *Request) {
		r.Return = &Return{Owner: to.Text}
	})
	add("returned to another output", spending(to.Script, stake(), spare()), func(r *Request) {
		r.Return = &Return{Owner: c.anna.ordinals.Text}
	})
	add("as a payment to refund", spending(c.thief.payment.Script, stake(), spare()), func(r *Request) {
		r.Refund = &Refund{OrderID: id, Proof: proof}
	})
	add("as a withdrawal from the treasury", spending(to.Script, stake(), spare()), func(r *Request) {
		r.Withdrawal = &Withdrawal{Community: "lobo", To: c.operator, Runes: 5_000 * coinLOBO}
	})
	add("as a rearrangement", spending(to.Script, stake(), spare()), func(*Request) {})
	var claim Request
	c.claim(&claim, c.thief, "with a stake", 1)
	claim.Inputs = append(claim.Inputs, stake(), c.coin(vault.TreasuryRunes, 546, treasuryRunes, ""))
	c.build(&claim)
	tries["beside a claim"] = claim
	return tries
}

// stolenInABatch delivers the attacker's own order first, with a stake that holds less than declared, and then anna's
// order. Edicts are applied in order, so the first edict would take the runes that the second needs.
func stolenInABatch(c *compromise) map[string]Request {
	own := c.stake(c.thief, 1*coinLOBO, "")
	declare(&own, 5_000*coinLOBO)
	var r Request
	c.withdrawal(&r, c.thief, "", 0, own)
	c.withdrawal(&r, c.anna, "", 0, c.stake(c.anna, 5_000*coinLOBO, ""))
	c.build(&r)
	return map[string]Request{"the attacker's order first": r}
}

// burnedRunes changes the runestone, so that runes of anna's stake or of the treasury would burn.
func burnedRunes(c *compromise) map[string]Request {
	replace := func(r *Request, stone runes.Runestone) {
		script, err := stone.Script()
		must(c, err)
		for _, out := range r.Tx.TxOut {
			if out.Value == 0 {
				out.PkScript = script
			}
		}
	}
	edict := func(n amount.Runes, output uint32) runes.Edict {
		return runes.Edict{ID: lobo, Amount: uint128.From64(uint64(n)), Output: output}
	}
	tries := map[string]Request{}
	for name, base := range map[string]func() Request{
		"stake": c.victims, "treasury": func() Request { return claimOf(c, coinLOBO) },
	} {
		for change, tamper := range map[string]func(r *Request){
			"cenotaph": func(r *Request) {
				for _, out := range r.Tx.TxOut {
					if out.Value == 0 {
						out.PkScript = []byte{0x6a, 0x5d, 1, 0x7e, 1, 0}
					}
				}
			},
			"pointer": func(r *Request) {
				stone := uint32(slices.IndexFunc(r.Tx.TxOut, func(o *wire.TxOut) bool { return o.Value == 0 }))
				replace(r, runes.Runestone{Pointer: &stone})
			},
			"edict": func(r *Request) {
				stone := uint32(slices.IndexFunc(r.Tx.TxOut, func(o *wire.TxOut) bool { return o.Value == 0 }))
				replace(r, runes.Runestone{Edicts: []runes.Edict{edict(r.Orders[0].Delivery.Amount, stone)}})
			},
			"no runestone": func(r *Request) {
				for _, out := range r.Tx.TxOut {
					if out.Value == 0 {
						out.PkScript = []byte{0x6a}
					}
				}
			},
		} {
			r := base()
			tamper(&r)
			tries[name+": "+change] = r
		}
	}
	return tries
}

func stolenWithdrawals(c *compromise) map[string]Request {
	operator := c.config.WithdrawTo
	tries := map[string]Request{}
	for name, base := range map[string]func() Request{
		"sats":  func() Request { return c.withdrawing(30_000, 0) },
		"runes": func() Request { return c.withdrawing(0, 4_000) },
	} {
		r := base()
		r.Withdrawal.To = c.thief.payment.Text
		tries[name+" to the attacker"] = r
		r = base()
		for _, out := range r.Tx.TxOut {
			if out.Value != 0 {
				out.PkScript = c.thief.payment.Script
			}
		}
		tries[name+" to another output"] = r
	}
	c.config.WithdrawTo = operator
	return tries
}

func stolenRefunds(c *compromise) map[string]Request {
	id, annas := c.opened(c.anna)
	_, own := c.opened(c.thief)
	rate := amount.SatPerVB(2)
	payment := func() vault.Coin { return c.coin(vault.Payment, 50_000, 0, id) }
	intent := c.thief.intent("CANCEL", "1000", []string{"reward-x"})
	intent.Order, intent.Status, intent.Seen = id, "CONFIRMED", 50_000
	cancel := c.thief.proof(c, intent)
	misplaced := c.coin(vault.Payment, 20_000, 700*coinLOBO, id)
	other, _ := c.opened(c.anna)
	returned := func(proof Proof) Request {
		r := spending(c.thief.ordinals.Script, misplaced, c.coin(vault.TreasurySats, 20_000, 0, ""))
		r.Return = &Return{Owner: c.thief.ordinals.Text, Proof: proof}
		return r
	}
	return map[string]Request{
		"to the attacker":                c.refunding(c.thief, id, annas, rate, payment()),
		"with the attacker's message":    c.refunding(c.thief, id, own, rate, payment()),
		"with a message of cancel":       c.refunding(c.thief, id, cancel, rate, payment()),
		"runes, with anna's message":     returned(annas),
		"runes, with another message":    returned(own),
		"with payments of another order": c.refunding(c.anna, other, annas, rate, payment()),
	}
}

func unpaidDeliveries(c *compromise) map[string]Request {
	unpaid := func() Request {
		var r Request
		c.claim(&r, c.thief, fmt.Sprint("unpaid-", c.outputs), coinLOBO)
		r.Inputs = []vault.Coin{c.coin(vault.TreasuryRunes, 50_000, treasuryRunes, "")}
		c.build(&r)
		return r
	}
	foreign := claimOf(c, coinLOBO)
	foreign.Inputs[0] = c.coin(vault.Payment, 5_000, 0, "order-of-anna")
	c.build(&foreign)
	return map[string]Request{"unpaid": unpaid(), "another order's payment": foreign}
}

func claimOf(c *compromise, n int64) Request {
	c.Helper()
	var r Request
	c.claim(&r, c.thief, fmt.Sprint("claim-", c.outputs), amount.Runes(n))
	r.Inputs = append(r.Inputs, c.coin(vault.TreasuryRunes, 546, treasuryRunes, ""))
	c.build(&r)
	return r
}

// replayedClaim delivers the same message again, with a new payment to the order's address.
func replayedClaim(c *compromise, n int64) Request {
	c.Helper()
	var r Request
	c.claim(&r, c.thief, "old", amount.Runes(n))
	r.Inputs = append(r.Inputs, c.coin(vault.TreasuryRunes, 546, treasuryRunes, ""))
	c.build(&r)
	return r
}

// returnedRunes returns a payment of the attacker's order that holds runes.
func returnedRunes(c *compromise, n int64) Request {
	c.Helper()
	_, satsChange := c.changeScripts()
	id, proof := c.opened(c.thief)
	r := Request{Return: &Return{Owner: c.thief.ordinals.Text, Proof: proof}}
	var err error
	r.Tx, r.Inputs, _, err = vault.BuildReturn(vault.ReturnPlan{Deposit: c.coin(vault.Payment, 546, amount.Runes(n), id),
		Spare: []vault.Coin{c.coin(vault.TreasurySats, 20_000, 0, "")}, To: c.thief.ordinals.Script,
		SatsChange: satsChange, FeeRate: amount.SatPerVB(3)})
	must(c, err)
	return r
}

// overstatedStake withdraws an own stake of 1 LOBO as if it held n, with the treasury's runes in the same transaction.
func overstatedStake(c *compromise, n int64) Request {
	c.Helper()
	own := c.stake(c.thief, 1*coinLOBO, "")
	declare(&own, amount.Runes(n))
	var r Request
	c.withdrawal(&r, c.thief, "", 0, own)
	r.Inputs = append(r.Inputs, c.coin(vault.TreasuryRunes, 546, treasuryRunes, ""))
	c.build(&r)
	return r
}

// hiddenRunes withdraws an own stake with an output of the treasury's sats that holds 100 LOBO. Without a pointer they
// go to the first output, the attacker's.
func hiddenRunes(c *compromise) map[string]Request {
	var r Request
	c.withdrawal(&r, c.thief, "", 0, c.stake(c.thief, 1*coinLOBO, ""))
	hidden := c.coin(vault.TreasurySats, 20_000, 100*coinLOBO, "")
	declare(&hidden, 0)
	hidden.Runes = nil
	r.Inputs = append(r.Inputs, hidden)
	c.build(&r)
	script, err := runes.Runestone{Edicts: []runes.Edict{{ID: lobo, Amount: uint128.From64(coinLOBO)}}}.Script()
	must(c, err)
	for _, out := range r.Tx.TxOut {
		if out.Value == 0 {
			out.PkScript = script
		}
	}
	return map[string]Request{"without a pointer": r}
}

// feesOfTheTreasury are the kinds of requests that spend the treasury's sats on fees, at a rate in sat/vB.
var feesOfTheTreasury = []func(*compromise, int64) Request{
	func(c *compromise, rate int64) Request { // a rearrangement
		r := Request{Inputs: []vault.Coin{c.coin(vault.TreasuryRunes, 546, treasuryRunes, ""),
			c.coin(vault.TreasurySats, 2_000_000, 0, "")}}
		plan := c.plan(&r)
		plan.RuneChangeOutputs, plan.FeeRate = 2, amount.SatPerVB(rate)
		tx, _, err := vault.BuildPayout(plan)
		must(c, err)
		r.Tx = tx
		return r
	},
	func(c *compromise, rate int64) Request { // a delivery
		var r Request
		c.withdrawal(&r, c.thief, "", 0, c.stake(c.thief, 1, ""))
		r.Inputs = append(r.Inputs, c.coin(vault.TreasurySats, 2_000_000, 0, ""))
		plan := c.plan(&r)
		plan.FeeRate = amount.SatPerVB(rate)
		tx, _, err := vault.BuildPayout(plan)
		must(c, err)
		r.Tx = tx
		return r
	},
	func(c *compromise, rate int64) Request { // a return
		_, satsChange := c.changeScripts()
		r := Request{Return: &Return{Owner: c.thief.ordinals.Text}}
		var err error
		r.Tx, r.Inputs, _, err = vault.BuildReturn(vault.ReturnPlan{Deposit: c.stake(c.thief, 1, ""),
			Spare: []vault.Coin{c.coin(vault.TreasurySats, 2_000_000, 0, "")}, To: c.thief.ordinals.Script,
			SatsChange: satsChange, FeeRate: amount.SatPerVB(rate)})
		must(c, err)
		return r
	},
	func(c *compromise, rate int64) Request { // a withdrawal to the operator
		_, satsChange := c.changeScripts()
		operator, err := chain.ParseAddress(c.operator, c.network)
		must(c, err)
		r := Request{Withdrawal: &Withdrawal{Community: "lobo", To: c.operator, Sats: 546}}
		r.Tx, r.Inputs, _, err = vault.BuildSatsWithdrawal(vault.SatsWithdrawal{Amount: 546, To: operator.Script,
			Spare: []vault.Coin{c.coin(vault.TreasurySats, 2_000_000, 0, "")}, SatsChange: satsChange,
			FeeRate: amount.SatPerVB(rate)})
		must(c, err)
		return r
	},
}

// refundFee refunds a payment that hardly covers the fee, each time for another customer.
func refundFee(c *compromise, rate int64) Request {
	c.Helper()
	customer := newWallet(c, byte(10+c.outputs%100), chain.P2TR, c.network)
	id, proof := c.opened(customer)
	c.customers[string(customer.payment.Script)] = true
	const vbytes = 100 // of a refund
	return c.refunding(customer, id, proof, amount.SatPerVB(rate), c.coin(vault.Payment,
		amount.Sats(rate*vbytes)+1_000, 0, id))
}

// mintFee refunds a payment for a mint order and pays almost all of it as the fee.
func mintFee(c *compromise, fee int64) Request {
	c.Helper()
	m := c.minting(false)
	c.config.RuneOrders = &RuneOrderPolicy{FeeTo: m.bert.ordinals.Text}
	r := spending(m.anna.ordinals.Script, m.fund(amount.Sats(fee)+546)...)
	r.Tx.TxOut[0].Value = 546
	order := m.plan.Order
	r.Account, r.RuneOrder = vault.OrdersAccount, &order
	return r
}

// unasked sends stakes to their owner without a request: as a return, and with an old message of anna's that she never
// submitted.
func unasked(c *compromise) map[string]Request {
	_, satsChange := c.changeScripts()
	r := Request{Return: &Return{Owner: c.anna.ordinals.Text}}
	var err error
	r.Tx, r.Inputs, _, err = vault.BuildReturn(vault.ReturnPlan{Deposit: c.stake(c.anna, 5_000*coinLOBO, ""),
		Spare: []vault.Coin{c.coin(vault.TreasurySats, 20_000, 0, "")}, To: c.anna.ordinals.Script,
		SatsChange: satsChange, FeeRate: amount.SatPerVB(3)})
	must(c, err)
	return map[string]Request{"as a return": r, "an old withdrawal": c.victims()}
}

// balancesOf makes the signer's node confirm every balance that the server declares.
func (w *world) balancesOf(declared map[wire.OutPoint][]runes.Balance) {
	w.config.Balances = func(_ context.Context, o wire.OutPoint) ([]runes.Balance, error) { return declared[o], nil }
}
