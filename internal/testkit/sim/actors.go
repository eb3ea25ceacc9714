package sim

import (
	"errors"
	"slices"

	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/vault"
	"moonfund/internal/fault"
	"moonfund/internal/staking/action"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/staking/order"
	"moonfund/internal/store"
	"moonfund/internal/testkit"
)

// refused ends the scenario unless err is nil, a refusal with a message for the user, or an injected error. After an
// injected error it is unknown whether the call had an effect.
func (sc *scenario) refused(err error) (refused, unknown bool) {
	if err == nil {
		return false, false
	}
	sc.note("  %v", err)
	if errors.Is(err, errFault) {
		return false, true
	}
	if f := new(fault.Error); !errors.As(err, &f) || f.Kind == fault.Internal {
		sc.Fatalf("not a refusal: %v", err)
	}
	return true, false
}

// stakeAddress requests a stake address. ok is false if the server refused or crashed.
func (sc *scenario) stakeAddress(from *testkit.Wallet) (script []byte, ok bool) {
	if sc.oneIn(8) {
		from.Self = !from.Self
	}
	var given action.StakeAddress
	var err error
	if sc.guarded(func() {
		given, err = sc.Actions.NewStake(sc.Context(), testkit.Prefix, from.Request(testkit.MinimumStake))
	}) {
		sc.restart()
		return nil, false
	}
	if err != nil {
		sc.refused(err)
		return nil, false
	}
	to, err := chain.ParseAddress(given.Address, sc.Network)
	testkit.Must(sc, err)
	sc.require(sc.model.Stake(to.Script, from.Ordinals.Text))
	if given.Self != from.Self {
		sc.Fatalf("a stake address has the custody that was asked for: %s", given.Address)
	}
	if given.Self {
		sc.model.InSelfCustody(to.Script)
	}
	return to.Script, true
}

func (sc *scenario) deposit() {
	sc.depositOf(sc.wallet(), amount.Runes(sc.between(int64(testkit.MinimumStake), 40_000)))
}

func (sc *scenario) depositOf(from *testkit.Wallet, n amount.Runes) {
	coin, ok := sc.runes(from, n, false)
	if !ok {
		return
	}
	script, ok := sc.stakeAddress(from)
	if !ok {
		return
	}
	sats := sc.sats(from)
	sc.note("  of %d", n)
	if sc.broadcast(sc.TransferOf(from, []testkit.Coin{coin, sats}, script, n, fee)) {
		sc.replaceable = append(sc.replaceable, spend{from, sats, fee})
	}
}

func (sc *scenario) depositForeign() {
	from := sc.wallet()
	coin, ok := sc.runes(from, 0, true)
	if !ok {
		return
	}
	script, ok := sc.stakeAddress(from)
	if !ok {
		return
	}
	sats := sc.sats(from)
	sc.broadcast(from.Spend([]testkit.Coin{coin, sats}, wire.NewTxOut(coin.Out.Value, script),
		wire.NewTxOut(sats.Out.Value-fee, from.Payment.Script)))
}

// dust sends less than the minimum to a stake, payment or treasury address.
func (sc *scenario) dust() {
	from := sc.wallet()
	switch sc.rng.IntN(4) {
	case 0:
		sc.depositOf(from, amount.Runes(sc.between(1, int64(testkit.MinimumStake)-1)))
	case 1:
		sc.depositOf(from, 0) // sats without runes
	case 2:
		if o, _, ok := sc.order(); ok {
			sc.payTo(from, o, amount.Sats(sc.between(330, 700)))
		}
	case 3:
		treasury, _ := sc.Account.TreasuryRunes()
		if coin, ok := sc.runes(from, 2000, false); ok {
			sc.broadcast(sc.TransferOf(from, []testkit.Coin{coin, sc.sats(from)}, treasury.Script, 2000, fee))
		}
	}
}

// stageFor maps an action to the stage that its units must have.
var stageFor = map[action.Type]ledger.Stage{
	action.Withdraw: ledger.Unlocked, action.Restake: ledger.Unlocked, action.Unstake: ledger.Staked,
	action.Claim: ledger.Claimable, action.Compound: ledger.Claimable,
}

// units returns the ids of a wallet's units in a stage, according to the last read of the tables.
func (sc *scenario) units(of *testkit.Wallet, stage ledger.Stage) (ids []string) {
	for _, u := range sc.tables.Units {
		if u.Owner == of.Ordinals.Text && u.Stage == string(stage) {
			ids = append(ids, u.ID)
		}
	}
	return ids
}

func (sc *scenario) paused() bool {
	return sc.inDoubt() || len(sc.column(`SELECT value FROM setting WHERE name = 'pause_all' AND value <> ''`)) > 0
}

// act requests and signs a random action, mostly on units in a stage that allows it.
func (sc *scenario) act() {
	from := sc.wallet()
	kind := choose(sc, []action.Type{
		action.Withdraw, action.Withdraw, action.Withdraw, action.Claim, action.Claim, action.Unstake, action.Unstake,
		action.Restake, action.Compound,
	})
	units := sc.units(from, stageFor[kind])
	if sc.oneIn(10) {
		units = sc.units(from, choose(sc, []ledger.Stage{ledger.PendingStake, ledger.PendingUnlock, ledger.POLocked,
			ledger.BatchLocked, ledger.Withdrawn}))
	}
	if len(units) > 1 && sc.oneIn(2) {
		units = units[:1+sc.rng.IntN(len(units)-1)]
	}
	sc.note("  %s of %d units", kind, len(units))
	if s := sc.prepare(from, kind, units); s != nil && !sc.oneIn(6) { // otherwise signLate may submit it
		sc.submit(s)
	}
}

// signLate submits a message that was not submitted yet, or whose response was lost.
func (sc *scenario) signLate() {
	var open []*signing
	for _, s := range sc.signings {
		if !s.acknowledged {
			open = append(open, s)
		}
	}
	if len(open) > 0 {
		sc.submit(choose(sc, open[max(0, len(open)-5):]))
	}
}

// race submits two actions on the same unit, of which at most one may have an effect.
func (sc *scenario) race() {
	from := sc.wallet()
	pairs := [][2]action.Type{
		{action.Withdraw, action.Restake}, {action.Withdraw, action.Withdraw}, {action.Claim, action.Compound},
		{action.Claim, action.Claim},
		{action.Unstake, action.Unstake},
	}
	pair := choose(sc, pairs)
	units := sc.units(from, stageFor[pair[0]])
	if len(units) == 0 {
		return
	}
	first, second := sc.prepare(from, pair[0], units[:1]), sc.prepare(from, pair[1], units[:1])
	if sc.submit(first) && sc.submit(second) {
		sc.Fatalf("%s and %s of %s both had an effect", pair[0], pair[1], units[0])
	}
}

// replay submits an acknowledged message again, unchanged or forged. This must not change the ledger.
func (sc *scenario) replay() {
	var done []*signing
	for _, s := range sc.signings {
		if s.acknowledged {
			done = append(done, s)
		}
	}
	if len(done) == 0 {
		return
	}
	s := choose(sc, done)
	before := sc.head()
	forged := *s
	forged.acknowledged = false
	other := choose(sc, sc.signings)
	switch sc.rng.IntN(5) {
	case 0:
		sc.submit(s)
		sc.unchanged(before)
		return
	case 1:
		forged.request.Wallet = choose(sc, actors(sc.World)).Pair()
		if forged.request.Wallet == s.request.Wallet {
			return
		}
	case 2:
		if forged.request.ActionID = other.request.ActionID; other.acknowledged || other == s {
			return
		}
		forged.request.Type, forged.request.Wallet = other.request.Type, other.request.Wallet
	case 3:
		forged.request.Type = choose(sc, []action.Type{action.Unstake, action.Restake, action.Compound})
		if forged.request.Type == s.request.Type {
			return
		}
	case 4:
		open := slices.DeleteFunc(slices.Clone(sc.signings), func(s *signing) bool { return s.acknowledged })
		if len(open) == 0 {
			return
		}
		target := choose(sc, open)
		stranger := choose(sc, actors(sc.World))
		if stranger == target.from {
			return
		}
		forged.request = target.request
		forged.request.Signature = stranger.Sign("anything")
	}
	_, err := sc.Actions.Sign(sc.Context(), testkit.Prefix, forged.request)
	if err == nil {
		sc.Fatalf("the server accepted a forged %s", forged.request.Type)
	}
	sc.refused(err)
	sc.unchanged(before)
}

// head returns the number of the last journal posting. Every change adds a posting.
func (sc *scenario) head() string {
	return sc.column(`SELECT CAST(COALESCE(MAX(number), 0) AS TEXT) FROM journal`)[0]
}

func (sc *scenario) unchanged(before string) {
	if after := sc.head(); after != before {
		sc.Fatalf("a replay changed the ledger: the journal was at %s and is at %s", before, after)
	}
}

// order returns one of the latest orders and its owner, mostly one in a likely status.
func (sc *scenario) order(likely ...order.Status) (o order.Order, owner *testkit.Wallet, ok bool) {
	if len(sc.tables.Orders) == 0 {
		return o, nil, false
	}
	all := sc.tables.Orders
	row := choose(sc, all[max(0, len(all)-6):])
	for try := 0; try < 8 && !slices.Contains(likely, order.Status(row.Status)) && !sc.oneIn(8); try++ {
		row = choose(sc, all[max(0, len(all)-12):])
	}
	o = sc.Order(row.ID)
	for _, wallet := range actors(sc.World) {
		if wallet.Ordinals.Text == o.Owner {
			owner = wallet
		}
	}
	sc.note("  %s order %s", o.Status, o.ID)
	return o, owner, true
}

// sum returns the sats of a payment: mostly the due sum, otherwise a part, too much, or dust.
func (sc *scenario) sum(o order.Order) amount.Sats {
	due := max(o.Due(), vault.PaymentFloor(o.FeeRate))
	switch sc.rng.IntN(10) {
	case 0, 1:
		due = amount.Sats(sc.between(600, int64(due)+600))
	case 2:
		due += amount.Sats(sc.between(1, 20_000))
	case 3:
		due = amount.Sats(sc.between(330, 3000))
	}
	return min(due, 100_000)
}

func (sc *scenario) pay() {
	o, owner, ok := sc.order(order.Pending, order.Confirmed, order.PendingRerate)
	if ok {
		sc.payTo(owner, o, sc.sum(o))
	}
}

func (sc *scenario) payTo(from *testkit.Wallet, o order.Order, sats amount.Sats) {
	coin := sc.sats(from)
	sc.note("  %d of %d sats due", sats, o.Due())
	if sc.broadcast(sc.Payment(from, coin, o, sats, fee)) {
		sc.replaceable = append(sc.replaceable, spend{from, coin, fee})
	}
}

func (sc *scenario) payRunes() {
	o, owner, ok := sc.order()
	if !ok {
		return
	}
	if coin, found := sc.runes(owner, 5000, false); found {
		sc.broadcast(sc.TransferOf(owner, []testkit.Coin{coin, sc.sats(owner)}, o.Script, 5000, fee))
	}
}

// replace double-spends an earlier payment or deposit: to the wallet itself or to an order, with a higher fee or
// directly in a block.
func (sc *scenario) replace() {
	if len(sc.replaceable) == 0 {
		return
	}
	s := &sc.replaceable[len(sc.replaceable)-1-sc.rng.IntN(min(4, len(sc.replaceable)))]
	if s.fee += 2 * fee; s.fee > 15*fee {
		return
	}
	tx := sc.SpendToSelf(s.from, s.fee, s.coin)
	if o, _, ok := sc.order(); ok && sc.oneIn(2) {
		tx = sc.Payment(s.from, s.coin, o, sc.sum(o), s.fee)
	}
	if sc.oneIn(3) {
		sc.mineOnly(tx)
		return
	}
	sc.broadcast(tx)
}

// recover spends a staked output with the owner's recovery path.
func (sc *scenario) recover() {
	sc.recoverOne(sc.wallet(), choose(sc, []ledger.Stage{
		ledger.PendingStake, ledger.Staked, ledger.PendingUnlock, ledger.Unlocked, ledger.POLocked, ledger.PendingWithdraw,
		ledger.BatchLocked, ledger.BatchLocked,
	}), sc.oneIn(2))
}

func (sc *scenario) recoverOne(from *testkit.Wallet, stage ledger.Stage, byBlock bool) bool {
	for _, id := range sc.units(from, stage) {
		if sc.Unit(id).Virtual() {
			continue
		}
		sc.note("  %s unit %s", stage, id)
		if tx := sc.RecoverWith(from, id, sc.sats(from), 40*fee); byBlock {
			return sc.mineOnly(tx)
		} else {
			return sc.broadcast(tx)
		}
	}
	return false
}

func (sc *scenario) cancel() {
	if o, owner, ok := sc.order(order.Pending, order.Confirmed, order.PendingRerate, order.Paid); ok {
		sc.cancelOrder(o, owner, func() {})
	}
}

// cancelOrder cancels an order with the owner's proof; between runs after the message was issued.
func (sc *scenario) cancelOrder(o order.Order, owner *testkit.Wallet, between func()) {
	var requested action.Requested
	var err error
	if sc.guarded(func() { requested, err = sc.postCancel(owner, o.ID) }) {
		sc.restart()
		return
	}
	if err != nil {
		sc.refused(err)
		return
	}
	between()
	if sc.guarded(func() {
		_, err = sc.Actions.SignCancel(sc.Context(), testkit.Prefix, action.SignRequest{
			Wallet: owner.Pair(), ActionID: requested.ActionID, Signature: owner.Sign(requested.Message),
		}, o.ID)
	}) {
		sc.restart()
		return
	}
	if err == nil {
		sc.model.Acknowledged(requested.ActionID, "", nil)
		return
	}
	sc.refused(err)
}

func (sc *scenario) rerate() {
	o, _, ok := sc.order(order.PendingRerate)
	if !ok || sc.paused() {
		return
	}
	err := sc.Store.Update(sc.Context(), func(tx *store.Tx) error {
		_, err := sc.Orders.Rerate(sc.Context(), tx.OrderTx(), testkit.Prefix, o.Owner, o.ID, sc.Rate, sc.Clock.Now())
		return err
	})
	if refused, _ := sc.refused(err); !refused && o.Status == order.PendingRerate {
		sc.model.Rerated(o.ID, sc.trueClock.Now())
	}
}
