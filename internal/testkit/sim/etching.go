package sim

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"github.com/btcsuite/btcd/chainhash/v2"
	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/runes"
	"moonfund/internal/bitcoin/vault"
	"moonfund/internal/staking/etching"
	"moonfund/internal/staking/order"
	"moonfund/internal/store"
	"moonfund/internal/testkit"
)

// runeOperations are the operations of the mint and etch service, in scenarios that have one.
var runeOperations = []operation{
	{"order a rune", 25, (*scenario).orderRune},
	{"pay a rune order", 60, (*scenario).payRuneOrder},
	{"faster", 15, (*scenario).faster},
	{"execute", 6, (*scenario).execute},
	{"another wallet mints", 10, (*scenario).mintElsewhere},
	{"another wallet takes the last mint", 8, (*scenario).lastMint},
	{"a reorg takes the money of an etching away", 4, (*scenario).moneyGone},
}

// faultyOrderSigner is the signer of the mint and etch service, which may be unavailable.
type faultyOrderSigner struct {
	*scenario
	next etching.Signer
}

// SignRuneOrder implements etching.Signer.
func (k faultyOrderSigner) SignRuneOrder(ctx context.Context, o vault.RuneOrder,
	tx vault.OrderTx) (*wire.MsgTx, error) {
	if k.injected.fires(signerDown) {
		k.note("  %s", signerDown)
		return nil, errFault
	}
	return k.next.SignRuneOrder(ctx, o, tx)
}

// tally is a log handler that counts the transitions of the service's state table, by from, event and to.
type tally map[[3]string]int

func (tally) Enabled(context.Context, slog.Level) bool { return true }
func (t tally) WithAttrs([]slog.Attr) slog.Handler     { return t }
func (t tally) WithGroup(string) slog.Handler          { return t }

func (t tally) Handle(_ context.Context, record slog.Record) error {
	var row [3]string
	record.Attrs(func(a slog.Attr) bool {
		if at := slices.Index([]string{"from", "on", "to"}, a.Key); at >= 0 {
			row[at] = a.Value.String()
		}
		return true
	})
	if row[2] != "" {
		t[row]++
	}
	return nil
}

// runeName returns one of a few names, so that several actors may want the same name.
func (sc *scenario) runeName() string {
	return "RANDOM•LIVES•" + string('A'+rune(sc.rng.IntN(3))) + string('A'+rune(sc.rng.IntN(4)))
}

// orderRune orders an etching, or mints of a rune that was etched in this scenario.
func (sc *scenario) orderRune() {
	r := sc.etching()
	if entries := sc.entries(); len(entries) > 0 && sc.oneIn(2) {
		r = etching.Request{Mint: &etching.MintRequest{Common: sc.common(choose(sc, entries).SpacedName().String()),
			Repeats: sc.between(1, 3)}}
	}
	sc.create(r)
}

func (sc *scenario) etching() etching.Request {
	return etching.Request{Etch: &etching.EtchRequest{
		Common: sc.common(sc.runeName()), Premine: "1000", IsMintable: true, Terms: &etching.TermsRequest{Amount: "50",
			Cap: fmt.Sprint(sc.between(1, 6))},
	}}
}

// common returns the fields of every order.
func (sc *scenario) common(name string) etching.Common {
	from := sc.wallet()
	c := etching.Common{RuneName: name, Destination: from.Ordinals.Text, Refund: from.Payment.Text,
		FeeRate: float64(sc.between(1, 25))}
	if sc.oneIn(4) {
		c.AppFee, c.AppFeeTo = sc.between(600, 3000), choose(sc, actors(sc.World)).Payment.Text
	}
	return c
}

func (sc *scenario) create(r etching.Request) (o etching.Order, ok bool) {
	var err error
	if sc.guarded(func() { o, err = sc.Etching.Create(sc.Context(), r) }) {
		sc.restart()
		return o, false
	}
	if err != nil {
		sc.refused(err)
		return o, false
	}
	sc.note("  %s %s, order %s", o.Kind, o.RuneName, o.ID)
	sc.ordered = append(sc.ordered, o)
	sc.runeOrders.Acknowledged(o.ID)
	return o, true
}

// entries returns the runes that were etched in this scenario.
func (sc *scenario) entries() (all []runes.Entry) {
	ids := sc.column(`SELECT e.id FROM rune_entry e JOIN rune_order o ON e.name = REPLACE(o.rune_name, '•', '')
		WHERE o.kind = 'rune_etch' AND o.state = 'complete' ORDER BY o.number`)
	sc.Update(func(tx *store.Tx) error {
		for _, text := range ids {
			id, err := runes.ParseID(text)
			if err != nil {
				return err
			}
			entry, _, err := tx.Runes(sc.Context()).RuneEntry(id)
			if err != nil {
				return err
			}
			all = append(all, entry)
		}
		return nil
	})
	return all
}

// runeOrder returns one of the last orders.
func (sc *scenario) runeOrder() (o etching.Order, ok bool) {
	if len(sc.ordered) == 0 {
		return o, false
	}
	o = choose(sc, sc.ordered[max(0, len(sc.ordered)-5):])
	sc.note("  order %s", o.ID)
	return o, true
}

// payRuneOrder pays an order: with its price, less, more, dust or runes.
func (sc *scenario) payRuneOrder() {
	o, ok := sc.runeOrder()
	if !ok {
		return
	}
	sats := o.FundAmount
	switch sc.rng.IntN(8) {
	case 0:
		sats = amount.Sats(sc.between(600, int64(sats)))
	case 1:
		sats += amount.Sats(sc.between(1, 20_000))
	case 2:
		from := sc.wallet()
		if coin, found := sc.runes(from, 5000, false); found {
			sc.broadcast(sc.TransferOf(from, []testkit.Coin{coin, sc.sats(from)}, o.Script, 5000, fee))
			return
		}
	case 3:
		sats = 330 // dust: changes nothing
	}
	sc.fund(o, sats)
}

func (sc *scenario) fund(o etching.Order, sats amount.Sats) {
	from := sc.wallet()
	coin := sc.sats(from)
	sc.note("  %d of %d sats", sats, o.FundAmount)
	if sc.broadcast(sc.Payment(from, coin, order.Order{Script: o.Script}, min(sats, 110_000), fee)) {
		sc.replaceable = append(sc.replaceable, spend{from, coin, fee})
	}
}

// faster requests a higher rate, and mostly pays for it.
func (sc *scenario) faster() {
	o, ok := sc.runeOrder()
	if !ok {
		return
	}
	var more amount.Sats
	var err error
	if sc.guarded(func() { _, more, err = sc.Etching.Quote(sc.Context(), o.ID, float64(sc.between(2, 60))) }) {
		sc.restart()
		return
	}
	if err != nil {
		sc.refused(err)
		return
	}
	if !sc.oneIn(4) {
		sc.fund(o, more)
	}
}

// execute reports a payment of an order to the service.
func (sc *scenario) execute() {
	o, ok := sc.runeOrder()
	if !ok {
		return
	}
	paid := sc.column(`SELECT txid FROM rune_order_output WHERE order_id = '` + o.ID + `' ORDER BY txid`)
	if len(paid) == 0 {
		return
	}
	var err error
	if sc.guarded(func() { _, err = sc.Etching.Execute(sc.Context(), "", o.ID, choose(sc, paid)) }) {
		sc.restart()
		return
	}
	sc.refused(err)
}

// mintElsewhere mints a rune of this scenario without the service.
func (sc *scenario) mintElsewhere() {
	if entries := sc.entries(); len(entries) > 0 {
		sc.broadcast(sc.foreignMint(choose(sc, entries).ID))
	}
}

func (sc *scenario) foreignMint(id runes.ID) chain.Tx {
	stone, err := runes.Runestone{Mint: &id}.Script()
	testkit.Must(sc, err)
	from := sc.wallet()
	coin := sc.sats(from)
	return from.Spend([]testkit.Coin{coin}, wire.NewTxOut(vault.DustSats, from.Ordinals.Script), wire.NewTxOut(0, stone),
		wire.NewTxOut(coin.Out.Value-vault.DustSats-fee, from.Payment.Script))
}

// lastMint orders all remaining mints of a rune, and mines a foreign mint of the rune in an earlier block. A reorg may
// reverse their order.
func (sc *scenario) lastMint() {
	entries := slices.DeleteFunc(sc.entries(), func(e runes.Entry) bool { return e.Terms.Cap.Cmp(e.Mints) <= 0 })
	if len(entries) == 0 {
		return
	}
	sc.resume()
	e := choose(sc, entries)
	o, ok := sc.create(etching.Request{Mint: &etching.MintRequest{
		Common: sc.common(e.SpacedName().String()), Repeats: int64(e.Terms.Cap.Sub(e.Mints).Lo),
	}})
	if !ok {
		return
	}
	sc.fund(o, o.FundAmount)
	sc.mineAll()
	sc.followAndCheck()
	theirs := sc.foreignMint(e.ID)
	if !sc.mineOnly(theirs) {
		return
	}
	if sc.oneIn(2) {
		sc.mineAll() // the order's mint, before the server follows
		sc.followAndCheck()
		sc.rewind(2)
		sc.pass(time.Minute)
		skipped := map[chainhash.Hash]bool{theirs.ID: true}
		sc.Node.MineSome(func(tx chain.Tx) bool { return sc.minable(tx, skipped) })
		sc.mineAll()
		sc.mineAll()
	}
	sc.followAndCheck()
}

// moneyGone undoes the payment of a started etching by a reorg and a double spend.
func (sc *scenario) moneyGone() {
	sc.resume()
	o, ok := sc.create(sc.etching())
	if !ok {
		return
	}
	from := sc.wallet()
	s := spend{from, sc.sats(from), fee}
	sc.broadcast(sc.Payment(from, s.coin, order.Order{Script: o.Script}, o.FundAmount, fee))
	sc.mineAll()
	sc.followAndCheck()
	sc.rewind(1)
	sc.doubleSpend(s)
	sc.mineAll()
	sc.mineAll()
	sc.followAndCheck()
}

// holdsPayouts reports whether payouts or all changes are paused.
func (sc *scenario) holdsPayouts() bool {
	return len(sc.column(`SELECT value FROM setting WHERE name IN ('`+store.PausePayouts+`', '`+store.PauseAll+
		`') AND value <> ''`)) > 0
}

// evictUnripe evicts reveals whose commitment has too few confirmations after a reorg, as nodes do.
func (sc *scenario) evictUnripe() {
	ids, err := sc.Node.Mempool(sc.Context())
	testkit.Must(sc, err)
	var young []chainhash.Hash
	for _, id := range ids {
		tx, _, err := sc.Node.Tx(sc.Context(), id)
		testkit.Must(sc, err)
		for _, in := range tx.Msg.TxIn {
			if at, _ := sc.Node.Locate(in.PreviousOutPoint.Hash); in.Sequence == vault.RevealSequence &&
				(at < 0 || sc.Node.Height()-at+1 < vault.RevealSequence) {
				young = append(young, id)
			}
		}
	}
	sc.Node.Evict(young...)
}
