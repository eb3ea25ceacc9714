package e2e

import (
	"bytes"
	"reflect"
	"slices"
	"strconv"
	"testing"
	"time"
)

// moment is a point in the scenario at which a test may disturb it.
type moment string

const (
	deposited    moment = "the deposits have three confirmations"
	claimSigned  moment = "the claim is signed"
	claimPaid    moment = "the claim's payment is broadcast"
	payoutStored moment = "the claim's payout is stored"
	halfPaid     moment = "half of the withdrawal's price is in a block"
	delivered    moment = "the withdrawal's payout has three confirmations"
)

const lobo = 100_000_000 // base units of one whole token

// scenario runs two stakers from the faucet to the last withdrawal.
type scenario struct {
	*devServer
	alice, bob *staker
	at         func(moment)
}

// outcome is the final state of a scenario. A disturbed scenario must have the outcome of the undisturbed one.
type outcome struct {
	OnChain  map[string]int64    // runes on the ordinals addresses
	Stages   map[string][]string // stage and base units of every unit
	Statuses map[string][]string // orders, oldest first
}

func runScenario(t *testing.T, h *devServer, at func(*scenario, moment)) outcome {
	t.Helper()
	l := &scenario{devServer: h, alice: newStaker(h.site, "Alice", segwit, taproot), bob: newStaker(h.site, "Bob", nested,
		taproot)}
	l.at = func(m moment) { t.Logf("%s", m); at(l, m) }
	const all, half, bobs = 3_000 * lobo, 1_500 * lobo, 777*lobo + 12_345_679
	l.alice.endow(all)
	l.bob.endow(bobs)
	l.mine(1)

	a, b := l.alice.stake(half), l.bob.stake(bobs)
	l.becomeStaked(a, b)
	reward := l.earn(a, b)
	l.claim(reward)
	l.unstakeAndRestake(a)
	l.withdraw(a, half)
	return l.outcome()
}

// becomeStaked waits for three confirmations and the next epoch.
func (l *scenario) becomeStaked(a, b unit) {
	l.t.Helper()
	if sums := l.alice.totals(); sums.Pending != a.Amount || sums.Staked != "0" {
		l.t.Errorf("with a pending stake the totals are %+v", sums)
	}
	l.mine(3)
	l.at(deposited)
	l.alice.wantStage(a.ID, "PENDING_STAKE")
	l.nextEpoch()
	l.alice.wantStage(a.ID, "STAKED")
	l.bob.wantStage(b.ID, "STAKED")
	var globals struct {
		Staked string `json:"total_staked"`
		Issued string `json:"total_issued"`
	}
	l.get("infoGlobals", &globals)
	if want := units(l.t, a.Amount) + units(l.t, b.Amount); globals.Staked != strconv.FormatInt(want, 10) ||
		units(l.t, globals.Issued) < want {
		l.t.Errorf("the global figures are %+v, want %d staked", globals, want)
	}
}

// earn runs two epochs and returns Alice's second reward. Alice compounds the first one.
func (l *scenario) earn(a, b unit) unit {
	l.t.Helper()
	staked := stakes{
		l.alice.ordinals.text: {a.ID: units(l.t, a.Amount)},
		l.bob.ordinals.text:   {b.ID: units(l.t, b.Amount)},
	}
	first := l.nextEpoch()
	paid := l.wantRewards(first-1, staked)
	compounded := l.alice.wantReward(paid[l.alice.ordinals.text])
	bobs := l.bob.wantReward(paid[l.bob.ordinals.text])
	l.alice.act("COMPOUND", compounded.ID)
	l.alice.wantStage(compounded.ID, "PENDING_STAKE")

	// The compounded reward earns from the next epoch on, not in this one.
	second := l.nextEpoch()
	paid = l.wantRewards(second-1, staked)
	l.alice.wantStage(compounded.ID, "STAKED")
	l.bob.act("COMPOUND") // without unit ids: everything claimable, two rewards
	l.bob.wantStage(bobs.ID, "PENDING_STAKE")
	if left := l.bob.in("CLAIMABLE"); len(left) != 0 {
		l.t.Errorf("after compounding everything Bob can still claim %+v", left)
	}
	return l.alice.wantReward(paid[l.alice.ordinals.text])
}

// claim claims a reward, pays in one payment and receives it.
func (l *scenario) claim(reward unit) {
	l.t.Helper()
	p := l.alice
	before := p.balance()
	estimate := p.estimate("CLAIM", reward.ID)
	o := *p.act("CLAIM")
	l.at(claimSigned)
	o = p.wantOrder(o, estimate, reward.Amount, reward.ID)
	p.wantStage(reward.ID, "PO_CLAIMED")
	if sentence := p.refused("postAction",
		p.with(fields{"utxos": []string{}, "wa_action_type": "CLAIM"})); sentence == "" {
		l.t.Error("a second claim while one is active was accepted")
	}
	txid := p.pay(o, o.Due)
	l.at(claimPaid)
	p.awaitStatus(o.ID, "CONFIRMED")
	if history := p.payments(o); len(history) != 1 || history[0].TxID != txid || history[0].Value != o.Due ||
		history[0].Confirmed {
		l.t.Errorf("the payment history is %+v", history)
	}
	p.wantStage(reward.ID, "PO_CLAIMED")
	l.mine(1)
	l.at(payoutStored)
	p.awaitSent(o.ID)
	p.wantStage(reward.ID, "BATCH_LOCKED")
	l.deliver(p, o, postage)
	if got := p.balance() - before; got != units(l.t, reward.Amount) {
		l.t.Errorf("the claim delivered %d base units, want %s", got, reward.Amount)
	}
}

// deliver mines blocks until the payout of a SENT order has three and then six confirmations, and checks the delivery
// on the chain.
func (l *scenario) deliver(p *staker, o order, value int64) {
	l.t.Helper()
	l.mine(3)
	o = p.awaitStatus(o.ID, "DELIVERED")
	if o.PayoutTx == nil || p.confirmations(*o.PayoutTx) < 3 {
		l.t.Fatalf("delivered without a payout three blocks deep: %+v", o)
	}
	for _, id := range o.Units {
		p.wantStage(id, "WITHDRAWN")
	}
	l.wantDelivery(p, o, value)
	if o.Type == "WITHDRAW" {
		l.at(delivered)
	}
	l.mine(3)
	p.awaitStatus(o.ID, "CONSOLIDATED")
}

func (l *scenario) wantDelivery(p *staker, o order, value int64) {
	l.t.Helper()
	var found struct{ Hex string }
	l.dev("tx?txid="+*o.PayoutTx, nil, &found)
	tx := decodeTx(l.t, found.Hex)
	vout := -1
	for i, out := range tx.TxOut {
		if bytes.Equal(out.PkScript, p.ordinals.script) && out.Value == value {
			vout = i
		}
	}
	for _, c := range p.coins(p.ordinals) {
		if c.TxID == *o.PayoutTx && int(c.Vout) == vout && strconv.FormatInt(c.holds(l.t, p.rune), 10) == o.Amount {
			return
		}
	}
	l.t.Errorf("the payout %s has no output of %d sats with %s base units for %s", *o.PayoutTx, value, o.Amount,
		p.ordinals.text)
}

// unstakeAndRestake twice unstakes a unit, waits for the end of its cooldown, and restakes the unit.
func (l *scenario) unstakeAndRestake(a unit) {
	l.t.Helper()
	l.coolDown(a)
	l.alice.act("RESTAKE", a.ID)
	l.alice.wantStage(a.ID, "PENDING_STAKE")
	l.nextEpoch()
	l.alice.wantStage(a.ID, "STAKED")
	l.coolDown(a)
}

func (l *scenario) coolDown(a unit) {
	l.t.Helper()
	p := l.alice
	var globals struct {
		End time.Time `json:"end_next_epoch_UTC"`
	}
	l.get("infoGlobals", &globals)
	p.act("UNSTAKE", a.ID)
	locked := p.unit(a.ID)
	if locked.Stage != "PENDING_UNLOCK" || locked.Timeout == nil ||
		!locked.Timeout.Equal(globals.End.Add(7*24*time.Hour)) {
		l.t.Errorf("after unstaking, with the epoch ending at %s: %+v", globals.End, locked)
	}
	if sums := p.totals(); sums.Locked != a.Amount {
		l.t.Errorf("in the cooldown the totals are %+v", sums)
	}
	running := l.nextEpoch()
	p.wantStage(a.ID, "PENDING_UNLOCK")
	var ended epochDetail
	l.get("epochs/"+strconv.FormatInt(running-1, 10), &ended)
	for _, input := range ended.Inputs {
		if input.UnitID == a.ID {
			l.t.Errorf("epoch %d, in which it was unstaked, counted the unit %s", running-1, a.ID)
		}
	}
	l.nextEpoch()
	p.wantStage(a.ID, "UNLOCKED")
	if sums := p.totals(); sums.Unlocked != a.Amount || sums.Locked != "0" {
		l.t.Errorf("after the cooldown the totals are %+v", sums)
	}
}

// withdraw withdraws a unit, pays in two parts and checks the delivery of the runes.
func (l *scenario) withdraw(a unit, staked int64) {
	l.t.Helper()
	p := l.alice
	before := p.balance()
	estimate := p.estimate("WITHDRAW", a.ID)
	o := *p.act("WITHDRAW", a.ID)
	o = p.wantOrder(o, estimate, a.Amount, a.ID)
	p.wantStage(a.ID, "PO_LOCKED")

	half := o.Total / 2
	p.pay(o, half)
	p.awaitStatus(o.ID, "CONFIRMED")
	p.wantStage(a.ID, "PENDING_WITHDRAW")
	l.mine(1)
	l.at(halfPaid)
	part := p.order(o.ID)
	if part.Balance != half || part.Confirmed != half || part.Total <= o.Total || part.Due != part.Total-half {
		l.t.Errorf("half paid: %+v, before %+v", part, o)
	}
	p.pay(part, part.Due)
	await(l.t, patience, "the order is paid in full", func() bool { return p.order(o.ID).Due == 0 })
	p.wantStage(a.ID, "PENDING_WITHDRAW")
	l.mine(1)
	sent := p.awaitSent(o.ID)
	if sent.Balance != sent.Total || sent.Confirmed != sent.Total || sent.Overpayment != 0 || len(p.payments(o)) != 2 {
		l.t.Errorf("paid exactly: %+v, %+v", sent, p.payments(o))
	}
	p.wantStage(a.ID, "BATCH_LOCKED")
	l.deliver(p, o, postage+*a.Value)
	if got := p.balance() - before; got != staked {
		l.t.Errorf("the withdrawal delivered %d base units, want %d", got, staked)
	}
}

// estimate returns the current price of an action.
func (p *staker) estimate(kind string, ids ...string) (sats int64) {
	p.t.Helper()
	var out struct{ Estimate int64 }
	p.post("estimateAction", p.with(fields{"utxos": ids, "wa_action_type": kind}), &out)
	return out.Estimate
}

// wantOrder checks the price and dates of a new order.
func (p *staker) wantOrder(made order, estimate int64, amount string, ids ...string) order {
	p.t.Helper()
	o := p.wantStatus(made.ID, "PENDING")
	real := int64(0)
	for _, id := range ids {
		if !p.unit(id).Virtual {
			real++
		}
	}
	switch {
	case !reflect.DeepEqual(made, o):
		p.t.Errorf("the order changed from %+v to %+v", made, o)
	case o.Total != postage+o.Network+o.Service+o.Rutxos, o.Rutxos != real*o.PerRutxo, o.Total != estimate, o.Network <= 0,
		o.Due != o.Total:
		p.t.Errorf("the price does not add up: %+v, estimated %d", o, estimate)
	case o.Amount != amount, !slices.Equal(o.Units, ids), o.Balance != 0, o.Payment != p.payment.text,
		o.Ordinals != p.ordinals.text:
		p.t.Errorf("the order differs from the request: %+v", o)
	case o.Deadline == nil, !o.Deadline.Equal(o.RateDate.Add(30 * time.Minute)), !o.Created.Equal(o.RateDate):
		p.t.Errorf("unexpected dates of the order: %+v", o)
	}
	return o
}

func (l *scenario) outcome() outcome {
	l.t.Helper()
	e := outcome{map[string]int64{}, map[string][]string{}, map[string][]string{}}
	for name, p := range map[string]*staker{"Alice": l.alice, "Bob": l.bob} {
		e.OnChain[name] = p.balance()
		for _, u := range p.units() {
			e.Stages[name] = append(e.Stages[name], u.Stage+" "+u.Amount)
		}
		slices.Sort(e.Stages[name])
		for _, o := range p.orders() {
			e.Statuses[name] = append(e.Statuses[name], o.Type+" "+o.Status+" "+o.Amount)
		}
	}
	return e
}

func units(t testing.TB, text string) int64 {
	t.Helper()
	n, err := strconv.ParseInt(text, 10, 64)
	must(t, err)
	return n
}
