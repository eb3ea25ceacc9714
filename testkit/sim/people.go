package sim

import (
	"errors"
	"slices"

	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/action"
	"moonfund/amount"
	"moonfund/chain"
	"moonfund/fault"
	"moonfund/ledger"
	"moonfund/order"
	"moonfund/store"
	"moonfund/testkit"
	"moonfund/testkit/sim/model"
	"moonfund/vault"
)

// refused ends the life unless an error is a sentence for people, or an injected
// one: then nobody knows whether the effect stands.
func (l *life) refused(err error) (refused, unknown bool) {
	if err == nil {
		return false, false
	}
	l.note("  %v", err)
	if errors.Is(err, errFault) {
		return false, true
	}
	if f := new(fault.Error); !errors.As(err, &f) || f.Kind == fault.Internal {
		l.Fatalf("not a refusal: %v", err)
	}
	return true, false
}

// stakeAddress asks for one; ok says that it came.
func (l *life) stakeAddress(from *testkit.Wallet) (script []byte, ok bool) {
	var given action.StakeAddress
	var err error
	if l.guarded(func() {
		given, err = l.Actions.NewStake(l.Context(), testkit.Prefix, from.Request(testkit.MinimumStake))
	}) {
		l.restart()
		return nil, false
	}
	if err != nil {
		l.refused(err)
		return nil, false
	}
	to, err := chain.ParseAddress(given.Address, l.Network)
	testkit.Must(l, err)
	l.must(l.model.Stake(to.Script, from.Ordinals.Text))
	return to.Script, true
}

func (l *life) deposit() {
	l.depositOf(l.wallet(), amount.Runes(l.from(int64(testkit.MinimumStake), 40_000)))
}

func (l *life) depositOf(from *testkit.Wallet, n amount.Runes) {
	coin, ok := l.runes(from, n, false)
	if !ok {
		return
	}
	script, ok := l.stakeAddress(from)
	if !ok {
		return
	}
	sats := l.sats(from)
	l.note("  of %d", n)
	if l.give(l.TransferOf(from, coin, sats, script, n, fee)) {
		l.cheats = append(l.cheats, spend{from, sats, fee})
	}
}

func (l *life) depositForeign() {
	from := l.wallet()
	coin, ok := l.runes(from, 0, true)
	if !ok {
		return
	}
	script, ok := l.stakeAddress(from)
	if !ok {
		return
	}
	sats := l.sats(from)
	l.give(from.Spend([]testkit.Coin{coin, sats}, wire.NewTxOut(coin.Out.Value, script),
		wire.NewTxOut(sats.Out.Value-fee, from.Payment.Script)))
}

// dust sends too little of something to an address of ours.
func (l *life) dust() {
	from := l.wallet()
	switch l.rng.IntN(4) {
	case 0:
		l.depositOf(from, amount.Runes(l.from(1, int64(testkit.MinimumStake)-1)))
	case 1:
		l.depositOf(from, 0) // sats alone
	case 2:
		if o, _, ok := l.order(); ok {
			l.payTo(from, o, amount.Sats(l.from(330, 700)))
		}
	case 3:
		treasury, _ := l.Account.TreasuryRunes()
		if coin, ok := l.runes(from, 2000, false); ok {
			l.give(l.TransferOf(from, coin, l.sats(from), treasury.Script, 2000, fee))
		}
	}
}

// signing is a signed message, and what came of it.
type signing struct {
	from    *testkit.Wallet
	kind    action.Type
	units   []string
	request action.SignRequest
	told    bool   // its owner was told that it is done
	unsure  bool   // an answer was lost: nobody but the server knows whether it is done
	orderID string // that it made
}

// stageFor is where an action takes its units from.
var stageFor = map[action.Type]ledger.Stage{
	action.Withdraw: ledger.Unlocked, action.Restake: ledger.Unlocked, action.Unstake: ledger.Staked,
	action.Claim: ledger.Claimable, action.Compound: ledger.Claimable,
}

// units returns the ids of a wallet's units in a stage, as the books were read.
func (l *life) units(of *testkit.Wallet, stage ledger.Stage) (ids []string) {
	for _, u := range l.read.Units {
		if u.Owner == of.Ordinals.Text && u.Stage == string(stage) {
			ids = append(ids, u.ID)
		}
	}
	return ids
}

// prepare posts an action and signs its message.
func (l *life) prepare(from *testkit.Wallet, kind action.Type, units []string) (s *signing) {
	var requested action.Requested
	var err error
	if l.guarded(func() { requested, err = l.Actions.Post(l.Context(), testkit.Prefix, from.Pair(), kind, units) }) {
		l.restart()
		return nil
	}
	if err != nil {
		l.refused(err)
		return nil
	}
	if len(units) == 0 { // all that can be
		units = l.units(from, ledger.Claimable)
	}
	s = &signing{from: from, kind: kind, units: units, request: action.SignRequest{
		Wallet: from.Pair(), ActionID: requested.ActionID, Type: kind, Signature: from.Sign(requested.Message),
	}}
	l.signing = append(l.signing, s)
	return s
}

// hand hands a signed message in. The answer may be lost: then it is handed in again, another time.
func (l *life) hand(s *signing) (done bool) {
	if s == nil {
		return false
	}
	var signed action.Signed
	var err error
	if l.guarded(func() { signed, err = l.Actions.Sign(l.Context(), testkit.Prefix, s.request) }) {
		l.doubt(s)
		l.restart()
		return false
	}
	if err != nil {
		refused, unknown := l.refused(err)
		if refused && s.told && !l.paused() {
			l.Fatalf("%s was done, and is refused now: %v", s.kind, err)
		}
		if unknown {
			l.doubt(s)
		}
		return false
	}
	if !signed.Applied {
		l.Fatalf("a signed %s has no effect and no refusal", s.kind)
	}
	id := ""
	if signed.Order != nil {
		id = signed.Order.ID
		l.note("  order %s", id)
	}
	if s.told && id != s.orderID {
		l.Fatalf("%s made the order %q, and says now %q", s.kind, s.orderID, id)
	}
	if !s.told {
		s.told, s.orderID = true, id
		if s.unsure { // it may have been done long ago, and others after it
			l.model.Told(s.request.ActionID, "", nil)
		} else {
			l.model.Told(s.request.ActionID, model.Intent(s.kind), s.units)
		}
	}
	return true
}

// doubt notes that the answer to a signed message was lost.
func (l *life) doubt(s *signing) {
	s.unsure = true
	l.model.Unsure(s.units)
}

func (l *life) paused() bool {
	return l.inDoubt() || len(l.column(`SELECT value FROM setting WHERE name = 'pause_all' AND value <> ''`)) > 0
}

// act posts and signs any action, mostly on units in a stage that allows it.
func (l *life) act() {
	from := l.wallet()
	kind := choose(l, []action.Type{
		action.Withdraw, action.Withdraw, action.Withdraw, action.Claim, action.Claim, action.Unstake, action.Unstake,
		action.Restake, action.Compound,
	})
	units := l.units(from, stageFor[kind])
	if l.one(10) {
		units = l.units(from, choose(l, []ledger.Stage{ledger.PendingStake, ledger.PendingUnlock, ledger.POLocked,
			ledger.BatchLocked, ledger.Withdrawn}))
	}
	if len(units) > 1 && l.one(2) {
		units = units[:1+l.rng.IntN(len(units)-1)]
	}
	l.note("  %s of %d units", kind, len(units))
	if s := l.prepare(from, kind, units); s != nil && !l.one(6) { // else it is signed later, or never
		l.hand(s)
	}
}

// signLate hands in a message that waits, or whose answer was lost.
func (l *life) signLate() {
	var open []*signing
	for _, s := range l.signing {
		if !s.told {
			open = append(open, s)
		}
	}
	if len(open) > 0 {
		l.hand(choose(l, open[max(0, len(open)-5):]))
	}
}

// race has two actions on the same units signed: one of them wins.
func (l *life) race() {
	from := l.wallet()
	pairs := [][2]action.Type{
		{action.Withdraw, action.Restake}, {action.Withdraw, action.Withdraw}, {action.Claim, action.Compound},
		{action.Claim, action.Claim},
		{action.Unstake, action.Unstake},
	}
	pair := choose(l, pairs)
	units := l.units(from, stageFor[pair[0]])
	if len(units) == 0 {
		return
	}
	first, second := l.prepare(from, pair[0], units[:1]), l.prepare(from, pair[1], units[:1])
	if l.hand(first) && l.hand(second) {
		l.Fatalf("%s and %s of %s both had an effect", pair[0], pair[1], units[0])
	}
}

// replay hands in again what was done, as it was or forged: nothing may change.
func (l *life) replay() {
	var done []*signing
	for _, s := range l.signing {
		if s.told {
			done = append(done, s)
		}
	}
	if len(done) == 0 {
		return
	}
	s := choose(l, done)
	before := l.head()
	forged := *s
	forged.told = false
	other := choose(l, l.signing)
	switch l.rng.IntN(5) {
	case 0:
		l.hand(s)
		l.unchanged(before)
		return
	case 1:
		forged.request.Wallet = choose(l, people(l.World)).Pair()
		if forged.request.Wallet == s.request.Wallet {
			return
		}
	case 2:
		if forged.request.ActionID = other.request.ActionID; other.told || other == s {
			return
		}
		forged.request.Type, forged.request.Wallet = other.request.Type, other.request.Wallet
	case 3:
		forged.request.Type = choose(l, []action.Type{action.Unstake, action.Restake, action.Compound})
		if forged.request.Type == s.request.Type {
			return
		}
	case 4:
		open := slices.DeleteFunc(slices.Clone(l.signing), func(s *signing) bool { return s.told })
		if len(open) == 0 {
			return
		}
		target := choose(l, open)
		stranger := choose(l, people(l.World))
		if stranger == target.from {
			return
		}
		forged.request = target.request
		forged.request.Signature = stranger.Sign("anything")
	}
	_, err := l.Actions.Sign(l.Context(), testkit.Prefix, forged.request)
	if err == nil {
		l.Fatalf("a forged %s was accepted", forged.request.Type)
	}
	l.refused(err)
	l.unchanged(before)
}

// head is the number of the last posting: nothing changes without one.
func (l *life) head() string {
	return l.column(`SELECT CAST(COALESCE(MAX(number), 0) AS TEXT) FROM journal`)[0]
}

func (l *life) unchanged(before string) {
	if after := l.head(); after != before {
		l.Fatalf("a replay changed something: the journal was at %s and is at %s", before, after)
	}
}

// order returns an order, with its owner: mostly one with such a status, if there is one, or else a late one.
func (l *life) order(likely ...order.Status) (o order.Order, owner *testkit.Wallet, ok bool) {
	if len(l.read.Orders) == 0 {
		return o, nil, false
	}
	all := l.read.Orders
	row := choose(l, all[max(0, len(all)-6):])
	for try := 0; try < 8 && !slices.Contains(likely, order.Status(row.Status)) && !l.one(8); try++ {
		row = choose(l, all[max(0, len(all)-12):])
	}
	o = l.Order(row.ID)
	for _, wallet := range people(l.World) {
		if wallet.Ordinals.Text == o.Owner {
			owner = wallet
		}
	}
	l.note("  %s order %s", o.Status, o.ID)
	return o, owner, true
}

// sum returns what somebody pays: mostly what is due, or a part, too much, dust.
func (l *life) sum(o order.Order) amount.Sats {
	due := max(o.Due(), vault.PaymentFloor(o.FeeRate))
	switch l.rng.IntN(10) {
	case 0, 1:
		due = amount.Sats(l.from(600, int64(due)+600))
	case 2:
		due += amount.Sats(l.from(1, 20_000))
	case 3:
		due = amount.Sats(l.from(330, 3000))
	}
	return min(due, 100_000)
}

func (l *life) pay() {
	o, owner, ok := l.order(order.Pending, order.Confirmed, order.PendingRerate)
	if ok {
		l.payTo(owner, o, l.sum(o))
	}
}

func (l *life) payTo(from *testkit.Wallet, o order.Order, sats amount.Sats) {
	coin := l.sats(from)
	l.note("  %d of %d sats due", sats, o.Due())
	if l.give(l.Payment(from, coin, o, sats, fee)) {
		l.cheats = append(l.cheats, spend{from, coin, fee})
	}
}

func (l *life) payRunes() {
	o, owner, ok := l.order()
	if !ok {
		return
	}
	if coin, found := l.runes(owner, 5000, false); found {
		l.give(l.TransferOf(owner, coin, l.sats(owner), o.Script, 5000, fee))
	}
}

// replace spends a coin of an earlier payment or deposit otherwise: to the wallet
// itself or to an order, by fee or by a block of its own.
func (l *life) replace() {
	if len(l.cheats) == 0 {
		return
	}
	s := &l.cheats[len(l.cheats)-1-l.rng.IntN(min(4, len(l.cheats)))]
	if s.fee += 2 * fee; s.fee > 15*fee {
		return
	}
	tx := l.Elsewhere(s.from, s.fee, s.coin)
	if o, _, ok := l.order(); ok && l.one(2) {
		tx = l.Payment(s.from, s.coin, o, l.sum(o), s.fee)
	}
	if l.one(3) {
		l.alone(tx)
		return
	}
	l.give(tx)
}

// recover takes a staked output back by its owner alone.
func (l *life) recover() {
	l.recoverOne(l.wallet(), choose(l, []ledger.Stage{
		ledger.PendingStake, ledger.Staked, ledger.PendingUnlock, ledger.Unlocked, ledger.POLocked, ledger.PendingWithdraw,
		ledger.BatchLocked, ledger.BatchLocked,
	}), l.one(2))
}

func (l *life) recoverOne(from *testkit.Wallet, stage ledger.Stage, byBlock bool) bool {
	for _, id := range l.units(from, stage) {
		if l.Unit(id).Virtual() {
			continue
		}
		l.note("  %s unit %s", stage, id)
		if tx := l.RecoverWith(from, id, l.sats(from), 40*fee); byBlock {
			return l.alone(tx)
		} else {
			return l.give(tx)
		}
	}
	return false
}

func (l *life) cancel() {
	if o, owner, ok := l.order(order.Pending, order.Confirmed, order.PendingRerate, order.Paid); ok {
		l.cancelOrder(o, owner, func() {})
	}
}

// cancelOrder has an owner cancel an order; between runs after he signed.
func (l *life) cancelOrder(o order.Order, owner *testkit.Wallet, between func()) {
	var asked action.Requested
	var err error
	if l.guarded(func() { asked, err = l.Actions.AskCancel(l.Context(), testkit.Prefix, owner.Pair(), o.ID) }) {
		l.restart()
		return
	}
	if err != nil {
		l.refused(err)
		return
	}
	between()
	if l.guarded(func() {
		_, err = l.Actions.SignCancel(l.Context(), testkit.Prefix, action.SignRequest{
			Wallet: owner.Pair(), ActionID: asked.ActionID, Signature: owner.Sign(asked.Message),
		}, o.ID)
	}) {
		l.restart()
		return
	}
	if err == nil {
		l.model.Told(asked.ActionID, "", nil)
		return
	}
	l.refused(err)
}

func (l *life) rerate() {
	o, _, ok := l.order(order.PendingRerate)
	if !ok || l.paused() {
		return
	}
	l.refused(l.Store.Update(l.Context(), func(tx *store.Tx) error {
		_, err := l.Orders.Rerate(l.Context(), tx.OrderTx(), testkit.Prefix, o.Owner, o.ID, l.Rate, l.Clock.Now())
		return err
	}))
}
