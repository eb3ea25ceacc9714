package sim

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"github.com/btcsuite/btcd/chainhash/v2"
	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/amount"
	"moonfund/chain"
	"moonfund/etching"
	"moonfund/order"
	"moonfund/runes"
	"moonfund/store"
	"moonfund/testkit"
	"moonfund/vault"
)

// runeDeeds are what people do with the mint and etch service, where a life has one.
var runeDeeds = []deed{
	{"order a rune", 25, (*life).orderRune},
	{"pay a rune order", 60, (*life).payRuneOrder},
	{"faster", 15, (*life).faster},
	{"execute", 6, (*life).execute},
	{"somebody else mints", 10, (*life).mintElsewhere},
	{"somebody else has the last mint", 8, (*life).lastMint},
	{"a reorg takes the money of an etching away", 4, (*life).moneyGone},
}

// orderKeeper is the signer of the mint and etch service, which may be gone.
type orderKeeper struct {
	*life
	next etching.Signer
}

// SignRuneOrder implements etching.Signer.
func (k orderKeeper) SignRuneOrder(ctx context.Context, o vault.RuneOrder, tx vault.OrderTx) (*wire.MsgTx, error) {
	if k.trouble.due(signerDown) {
		k.note("  %s", signerDown)
		return nil, errFault
	}
	return k.next.SignRuneOrder(ctx, o, tx)
}

// tally is a log that counts the rows of the service's state table.
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

// runeName is one of a few: several people may want the same.
func (l *life) runeName() string {
	return "RANDOM•LIVES•" + string('A'+rune(l.rng.IntN(3))) + string('A'+rune(l.rng.IntN(4)))
}

// orderRune orders an etching, or mints of a rune that was etched here.
func (l *life) orderRune() {
	r := l.etching()
	if entries := l.entries(); len(entries) > 0 && l.one(2) {
		r = etching.Request{Mint: &etching.MintRequest{Common: l.common(choose(l, entries).SpacedName().String()),
			Repeats: l.from(1, 3)}}
	}
	l.create(r)
}

func (l *life) etching() etching.Request {
	return etching.Request{Etch: &etching.EtchRequest{
		Common: l.common(l.runeName()), Premine: "1000", IsMintable: true, Terms: &etching.TermsRequest{Amount: "50",
			Cap: fmt.Sprint(l.from(1, 6))},
	}}
}

// common is what every order says.
func (l *life) common(name string) etching.Common {
	from := l.wallet()
	c := etching.Common{RuneName: name, Destination: from.Ordinals.Text, Refund: from.Payment.Text,
		FeeRate: float64(l.from(1, 25))}
	if l.one(4) {
		c.AppFee, c.AppFeeTo = l.from(600, 3000), choose(l, people(l.World)).Payment.Text
	}
	return c
}

func (l *life) create(r etching.Request) (o etching.Order, ok bool) {
	var err error
	if l.guarded(func() { o, err = l.Etching.Create(l.Context(), r) }) {
		l.restart()
		return o, false
	}
	if err != nil {
		l.refused(err)
		return o, false
	}
	l.note("  %s %s, order %s", o.Kind, o.RuneName, o.ID)
	l.ordered = append(l.ordered, o)
	l.runeOrders.Told(o.ID)
	return o, true
}

// entries are the runes that were etched here.
func (l *life) entries() (all []runes.Entry) {
	ids := l.column(`SELECT e.id FROM rune_entry e JOIN rune_order o ON e.name = REPLACE(o.rune_name, '•', '')
		WHERE o.kind = 'rune_etch' AND o.state = 'complete' ORDER BY o.number`)
	l.Update(func(tx *store.Tx) error {
		for _, text := range ids {
			id, err := runes.ParseID(text)
			if err != nil {
				return err
			}
			entry, _, err := tx.Runes(l.Context()).RuneEntry(id)
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
func (l *life) runeOrder() (o etching.Order, ok bool) {
	if len(l.ordered) == 0 {
		return o, false
	}
	o = choose(l, l.ordered[max(0, len(l.ordered)-5):])
	l.note("  order %s", o.ID)
	return o, true
}

// payRuneOrder pays what is asked for, or something else.
func (l *life) payRuneOrder() {
	o, ok := l.runeOrder()
	if !ok {
		return
	}
	sats := o.FundAmount
	switch l.rng.IntN(8) {
	case 0:
		sats = amount.Sats(l.from(600, int64(sats)))
	case 1:
		sats += amount.Sats(l.from(1, 20_000))
	case 2:
		from := l.wallet()
		if coin, found := l.runes(from, 5000, false); found {
			l.give(l.TransferOf(from, coin, l.sats(from), o.Script, 5000, fee))
			return
		}
	case 3:
		sats = 330 // a stranger may, and it changes nothing
	}
	l.fund(o, sats)
}

func (l *life) fund(o etching.Order, sats amount.Sats) {
	from := l.wallet()
	coin := l.sats(from)
	l.note("  %d of %d sats", sats, o.FundAmount)
	if l.give(l.Payment(from, coin, order.Order{Script: o.Script}, min(sats, 110_000), fee)) {
		l.cheats = append(l.cheats, spend{from, coin, fee})
	}
}

// faster asks for a higher rate, and mostly pays for it.
func (l *life) faster() {
	o, ok := l.runeOrder()
	if !ok {
		return
	}
	var more amount.Sats
	var err error
	if l.guarded(func() { _, more, err = l.Etching.Quote(l.Context(), o.ID, float64(l.from(2, 60))) }) {
		l.restart()
		return
	}
	if err != nil {
		l.refused(err)
		return
	}
	if !l.one(4) {
		l.fund(o, more)
	}
}

// execute names a payment of an order.
func (l *life) execute() {
	o, ok := l.runeOrder()
	if !ok {
		return
	}
	paid := l.column(`SELECT txid FROM rune_order_output WHERE order_id = '` + o.ID + `' ORDER BY txid`)
	if len(paid) == 0 {
		return
	}
	var err error
	if l.guarded(func() { _, err = l.Etching.Execute(l.Context(), "", o.ID, choose(l, paid)) }) {
		l.restart()
		return
	}
	l.refused(err)
}

// mintElsewhere mints a rune that was etched here, by somebody's own hands.
func (l *life) mintElsewhere() {
	if entries := l.entries(); len(entries) > 0 {
		l.give(l.foreignMint(choose(l, entries).ID))
	}
}

func (l *life) foreignMint(id runes.ID) chain.Tx {
	stone, err := runes.Runestone{Mint: &id}.Script()
	testkit.Must(l, err)
	from := l.wallet()
	coin := l.sats(from)
	return from.Spend([]testkit.Coin{coin}, wire.NewTxOut(vault.DustSats, from.Ordinals.Script), wire.NewTxOut(0, stone),
		wire.NewTxOut(coin.Out.Value-vault.DustSats-fee, from.Payment.Script))
}

// lastMint has all that is left of a rune ordered, and one of its mints had by
// somebody else, in a block before ours; which a reorg may turn round.
func (l *life) lastMint() {
	entries := slices.DeleteFunc(l.entries(), func(e runes.Entry) bool { return e.Terms.Cap.Cmp(e.Mints) <= 0 })
	if len(entries) == 0 {
		return
	}
	l.resume()
	e := choose(l, entries)
	o, ok := l.create(etching.Request{Mint: &etching.MintRequest{
		Common: l.common(e.SpacedName().String()), Repeats: int64(e.Terms.Cap.Sub(e.Mints).Lo),
	}})
	if !ok {
		return
	}
	l.fund(o, o.FundAmount)
	l.full()
	l.seen()
	theirs := l.foreignMint(e.ID)
	if !l.alone(theirs) {
		return
	}
	if l.one(2) {
		l.full() // ours, before the server looked
		l.seen()
		l.rewind(2)
		l.pass(time.Minute)
		l.Node.MineSome(func(tx chain.Tx) bool { return tx.ID != theirs.ID })
		l.full()
		l.full()
	}
	l.seen()
}

// moneyGone undoes the payment of an etching that was begun, for good.
func (l *life) moneyGone() {
	l.resume()
	o, ok := l.create(l.etching())
	if !ok {
		return
	}
	from := l.wallet()
	s := spend{from, l.sats(from), fee}
	l.give(l.Payment(from, s.coin, order.Order{Script: o.Script}, o.FundAmount, fee))
	l.full()
	l.seen()
	l.rewind(1)
	l.takenBack(s)
	l.full()
	l.full()
	l.seen()
}

// holdsPayouts reports whether somebody paused what sends money.
func (l *life) holdsPayouts() bool {
	return len(l.column(`SELECT value FROM setting WHERE name IN ('`+store.PausePayouts+`', '`+store.PauseAll+
		`') AND value <> ''`)) > 0
}

// unripe drops from the mempool the reveals whose commitment a reorg made too young, as nodes do.
func (l *life) unripe() {
	ids, err := l.Node.Mempool(l.Context())
	testkit.Must(l, err)
	var young []chainhash.Hash
	for _, id := range ids {
		tx, _, err := l.Node.Tx(l.Context(), id)
		testkit.Must(l, err)
		for _, in := range tx.Msg.TxIn {
			if at, _ := l.Node.Where(in.PreviousOutPoint.Hash); in.Sequence == vault.RevealSequence &&
				(at < 0 || l.Node.Height()-at+1 < vault.RevealSequence) {
				young = append(young, id)
			}
		}
	}
	l.Node.Evict(young...)
}
