package model

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"maps"
	"slices"

	"github.com/btcsuite/btcd/chainhash/v2"
	"github.com/btcsuite/btcd/txscript/v2"
	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/chain"
)

// RuneOrders is what is known of the mint and etch service: every transaction, and
// by SQL of its own what the server says of its orders.
type RuneOrders struct {
	on       Chain
	network  chain.Network
	txs      map[chainhash.Hash]*wire.MsgTx
	paid     map[string][]wire.OutPoint // by script
	spenders map[wire.OutPoint][]chainhash.Hash
	dead     map[chainhash.Hash]bool // what could not be mined when it was looked at
	told     []string                // ids of orders
}

// NewRuneOrders returns a model that knows nothing yet.
func NewRuneOrders(on Chain, network chain.Network) *RuneOrders {
	return &RuneOrders{
		on: on, network: network, txs: map[chainhash.Hash]*wire.MsgTx{}, paid: map[string][]wire.OutPoint{},
		spenders: map[wire.OutPoint][]chainhash.Hash{}, dead: map[chainhash.Hash]bool{},
	}
}

// Learn takes in a transaction that the node took or that is in a block.
func (m *RuneOrders) Learn(tx chain.Tx) {
	if m.txs[tx.ID] != nil {
		return
	}
	m.txs[tx.ID] = tx.Msg
	for vout, out := range tx.Msg.TxOut {
		m.paid[string(out.PkScript)] = append(m.paid[string(out.PkScript)], wire.OutPoint{Hash: tx.ID, Index: uint32(vout)})
	}
	for _, in := range tx.Msg.TxIn {
		m.spenders[in.PreviousOutPoint] = append(m.spenders[in.PreviousOutPoint], tx.ID)
	}
}

// runeOrder is a row of the server's mint and etch orders, with the rows that belong to it.
type runeOrder struct {
	id, state, cause string
	script           string
	quoted           bool             // a replacement was asked for
	scripts          map[string]int64 // fees by the script that gets them
	destination      string           // script
	refund           string           // script

	outputs map[wire.OutPoint]booked
	sent    map[chainhash.Hash]booked
}

func (o *runeOrder) open() bool {
	return slices.Contains([]string{"new", "pending", "executing"}, o.state)
}

// booked is a payment to an order, or a transaction of ours, by the books.
type booked struct {
	height   int64
	sats     int64 // a payment's, or a transaction's fee
	vanished bool
}

// orders reads them all.
func (m *RuneOrders) orders(ctx context.Context, db *sql.DB) (all []*runeOrder, err error) {
	rows, err := db.QueryContext(ctx, `SELECT id, state, cause, script, promise, quotes FROM rune_order ORDER BY number`)
	if err != nil {
		return nil, err
	}
	byID := map[string]*runeOrder{}
	for rows.Next() {
		o := &runeOrder{scripts: map[string]int64{}, outputs: map[wire.OutPoint]booked{}, sent: map[chainhash.Hash]booked{}}
		var script []byte
		var promise, quotes string
		if err := rows.Scan(&o.id, &o.state, &o.cause, &script, &promise, &quotes); err != nil {
			return nil, err
		}
		o.script, o.quoted = string(script), quotes != "[]" && quotes != "null"
		if err := m.promise(o, promise); err != nil {
			return nil, err
		}
		byID[o.id] = o
		all = append(all, o)
	}
	if err := rows.Err(); err != nil {
		return nil, err
	}
	return all, m.booked(ctx, db, byID)
}

func (m *RuneOrders) promise(o *runeOrder, text string) error {
	var p struct {
		Destination  string `json:"destination"`
		Refund       string `json:"refund"`
		AppFee       int64  `json:"app_fee"`
		AppFeeTo     string `json:"app_fee_to"`
		ServiceFee   int64  `json:"service_fee"`
		ServiceFeeTo string `json:"service_fee_to"`
	}
	if err := json.Unmarshal([]byte(text), &p); err != nil {
		return err
	}
	script := func(address string) string {
		parsed, _ := chain.ParseAddress(address, m.network)
		return string(parsed.Script)
	}
	o.destination, o.refund = script(p.Destination), script(p.Refund)
	if p.AppFee > 0 {
		o.scripts[script(p.AppFeeTo)] += p.AppFee
	}
	if p.ServiceFee > 0 {
		o.scripts[script(p.ServiceFeeTo)] += p.ServiceFee
	}
	return nil
}

func (m *RuneOrders) booked(ctx context.Context, db *sql.DB, byID map[string]*runeOrder) error {
	rows, err := db.QueryContext(ctx, `SELECT order_id, txid, vout, value, height, vanished, 'payment'
		FROM rune_order_output
		UNION ALL SELECT order_id, txid, 0, fee, height, vanished, role FROM rune_order_tx WHERE role <> 'funding'`)
	if err != nil {
		return err
	}
	for rows.Next() {
		var id, txid, role string
		var vout uint32
		var b booked
		if err := rows.Scan(&id, &txid, &vout, &b.sats, &b.height, &b.vanished, &role); err != nil {
			return err
		}
		hash, err := chainhash.NewHashFromStr(txid)
		if err != nil {
			return err
		}
		if role == "payment" {
			byID[id].outputs[wire.OutPoint{Hash: *hash, Index: vout}] = b
		} else {
			byID[id].sent[*hash] = b
		}
	}
	return rows.Err()
}

// Acknowledged notes that somebody was told of an order.
func (m *RuneOrders) Acknowledged(id string) { m.told = append(m.told, id) }

// Always checks what holds after every transaction of the server.
func (m *RuneOrders) Always(ctx context.Context, db *sql.DB) error {
	all, err := m.orders(ctx, db)
	if err != nil {
		return err
	}
	for _, id := range m.told {
		if !slices.ContainsFunc(all, func(o *runeOrder) bool { return o.id == id }) {
			return broken("what was acknowledged is durable", "the mint or etch order %s", id)
		}
	}
	return m.each(all, m.stored, m.goes, m.versions, m.once)
}

// Synced checks what holds once the server has followed the chain to its end and,
// unless it is paused, done what was due.
func (m *RuneOrders) Synced(ctx context.Context, db *sql.DB, paused bool) error {
	all, err := m.orders(ctx, db)
	if err != nil || paused {
		return errors.Join(err, m.each(all, m.payments))
	}
	return m.each(all, m.payments, m.stands)
}

// Kept checks that no order that is over keeps money that is worth its way back:
// rate is what refunds pay, in sats per 1,000 vB.
func (m *RuneOrders) Kept(ctx context.Context, db *sql.DB, rate int64) error {
	all, err := m.orders(ctx, db)
	if err != nil {
		return err
	}
	return m.each(all, func(o *runeOrder, w *works) error {
		if o.open() {
			return nil
		}
		return m.keeps(o, w, rate)
	})
}

// Finished checks that every order came to its end.
func (m *RuneOrders) Finished(ctx context.Context, db *sql.DB) error {
	all, err := m.orders(ctx, db)
	if err != nil {
		return err
	}
	return m.each(all, func(o *runeOrder, _ *works) error {
		if o.open() {
			return broken("every order finishes", "the mint or etch order %s is %s", o.id, o.state)
		}
		return nil
	})
}

func (m *RuneOrders) each(all []*runeOrder, rules ...func(*runeOrder, *works) error) error {
	for _, o := range all {
		w := m.walk(o)
		for _, rule := range rules {
			if err := rule(o, w); err != nil {
				return err
			}
		}
	}
	return nil
}

// works are the transactions that spend an order's money, which only we can have signed.
type works struct {
	all        []chainhash.Hash
	coins      []wire.OutPoint // of the order: payments, and what its transactions carry on
	deliveries []chainhash.Hash
	refunds    []chainhash.Hash
}

// walk goes from the payments of an order through all that spends them.
func (m *RuneOrders) walk(o *runeOrder) *works {
	w := &works{coins: slices.Clone(m.paid[o.script])}
	seen := map[chainhash.Hash]bool{}
	for i := 0; i < len(w.coins); i++ {
		for _, id := range m.spenders[w.coins[i]] {
			if seen[id] {
				continue
			}
			seen[id] = true
			w.all = append(w.all, id)
			switch string(m.txs[id].TxOut[0].PkScript) {
			case o.destination:
				w.deliveries = append(w.deliveries, id)
			case o.refund:
				w.refunds = append(w.refunds, id)
			default:
				w.coins = append(w.coins, wire.OutPoint{Hash: id})
			}
		}
	}
	return w
}

// stored: the bytes were durable before the network saw them.
func (m *RuneOrders) stored(o *runeOrder, w *works) error {
	for _, id := range w.all {
		if _, ok := o.sent[id]; !ok {
			return broken("what is sent was stored", "%s of the order %s", id, o.id)
		}
	}
	return nil
}

// goes: sats go to the destination, to who paid, and as the fees that were agreed.
func (m *RuneOrders) goes(o *runeOrder, w *works) error {
	for _, id := range w.all {
		b, known := o.sent[id]
		left := -b.sats
		for _, in := range m.txs[id].TxIn {
			if parent := m.txs[in.PreviousOutPoint.Hash]; parent != nil {
				left += parent.TxOut[in.PreviousOutPoint.Index].Value
			}
		}
		for vout, out := range m.txs[id].TxOut {
			left -= out.Value
			script := string(out.PkScript)
			fee, agreed := o.scripts[script]
			switch {
			case script == o.destination && vout == 0, script == o.refund && (vout == 0) == (len(m.txs[id].TxOut) == 1):
			case agreed && fee == out.Value, script[0] == txscript.OP_RETURN && out.Value == 0:
			case vout == 0 && script != o.script: // a commitment, or what one mint leaves the next
			default:
				return broken("nobody else gets the money of a mint or etching", "%s sends %d to %x", id, out.Value, script)
			}
		}
		if known && left != 0 {
			return broken("the fee is what the books say", "%s of the order %s pays %d more", id, o.id, left)
		}
	}
	return nil
}

// versions: nothing is sent in two versions, but where a faster one was asked for, all is given
// back, or the other could not be mined any more: its place is taken, also when a reorg brings it
// back.
func (m *RuneOrders) versions(o *runeOrder, w *works) error {
	for _, point := range w.coins {
		var rivals []chainhash.Hash
		for _, id := range m.spenders[point] {
			if m.dead[id] = m.dead[id] || m.hopeless(o, id); !m.dead[id] && !slices.Contains(w.refunds, id) {
				rivals = append(rivals, id)
			}
		}
		if len(rivals) > 1 && !o.quoted {
			return broken("nothing is sent in two versions", "%s is spent by %v", point, rivals)
		}
	}
	return nil
}

// hopeless reports whether somebody else took what a transaction, or one that it builds on, would have spent.
func (m *RuneOrders) hopeless(o *runeOrder, id chainhash.Hash) bool {
	if at, waits := m.on.Locate(id); at >= 0 || waits || m.txs[id] == nil {
		return false
	}
	for _, in := range m.txs[id].TxIn {
		for _, other := range m.spenders[in.PreviousOutPoint] {
			at, waits := m.on.Locate(other)
			if _, ours := o.sent[other]; !ours && (at >= 0 || waits) {
				return true
			}
		}
		if m.hopeless(o, in.PreviousOutPoint.Hash) {
			return true
		}
	}
	return false
}

// once: there is one delivery, and none of a commitment that is not ripe.
func (m *RuneOrders) once(o *runeOrder, w *works) error {
	if done := m.mined(w.deliveries); len(done) > 1 {
		return broken("an order is delivered once", "%s by %v", o.id, done)
	}
	for _, id := range m.mined(w.deliveries) {
		at, _ := m.on.Locate(id)
		for _, in := range m.txs[id].TxIn {
			under, _ := m.on.Locate(in.PreviousOutPoint.Hash)
			if in.Sequence&wire.SequenceLockTimeDisabled == 0 && at-under < int64(in.Sequence) {
				return broken("a reveal waits for its commitment", "%s in block %d, its commitment in %d", id, at, under)
			}
		}
	}
	return nil
}

func (m *RuneOrders) mined(ids []chainhash.Hash) (in []chainhash.Hash) {
	for _, id := range ids {
		if at, _ := m.on.Locate(id); at >= 0 {
			in = append(in, id)
		}
	}
	return in
}

// payments: the books know every payment, and each transaction's block.
func (m *RuneOrders) payments(o *runeOrder, w *works) error {
	for _, point := range m.paid[o.script] {
		at, waits := m.on.Locate(point.Hash)
		b, known := o.outputs[point]
		if value := m.txs[point.Hash].TxOut[point.Index].Value; (at >= 0 || waits) &&
			(!known || b.vanished || b.height != at || b.sats != value) {
			return broken("no payment of a mint or etching is lost", "%s of %d in block %d, booked is %+v", point, value, at, b)
		}
	}
	for point, b := range o.outputs {
		if at, _ := m.on.Locate(point.Hash); b.height >= 0 && at != b.height {
			return broken("no payment of a mint or etching is made up", "%s in block %d, booked is %+v", point, at, b)
		}
	}
	for id, b := range o.sent {
		if at, _ := m.on.Locate(id); b.height != at {
			return broken("the books say what is in a block", "%s in block %d, booked is %+v", id, at, b)
		}
	}
	return nil
}

// stands: an order's state says what the chain says.
func (m *RuneOrders) stands(o *runeOrder, w *works) error {
	delivered, given, begun := len(m.mined(w.deliveries)) > 0, len(m.mined(w.refunds)) > 0, len(m.mined(w.all)) > 0
	right := false
	switch o.state {
	case "new", "pending":
		right = !begun
	case "executing":
		right = !delivered && len(o.sent) > 0
	case "complete":
		right = delivered
	case "failed":
		right = delivered == (o.cause == "ineffective")
	case "stale":
		right = !begun
	case "refunded":
		right = given && !delivered
	}
	if !right {
		return broken("an order stands where its transactions are", "%s is %s %s: delivered %t, refunded %t", o.id, o.state,
			o.cause, delivered, given)
	}
	return nil
}

// keeps: what an order that is over still holds is on its way back, or not worth the way.
func (m *RuneOrders) keeps(o *runeOrder, w *works, rate int64) error {
	held, coins := int64(0), []wire.OutPoint{}
	for _, point := range w.coins {
		if at, _ := m.on.Locate(point.Hash); at < 0 || m.taken(point) {
			continue
		}
		held += m.txs[point.Hash].TxOut[point.Index].Value
		coins = append(coins, point)
	}
	for _, id := range w.refunds {
		if _, waits := m.on.Locate(id); waits {
			return nil // one at a time
		}
	}
	if worth := rate*(60*int64(len(coins))+60)/1000 + dust; held > worth {
		return broken("nobody who paid is sent away", "the %s order %s keeps %d sats on %v", o.state, o.id, held, coins)
	}
	return nil
}

// taken reports whether a transaction in a block or on its way spends an output.
func (m *RuneOrders) taken(point wire.OutPoint) bool {
	return slices.ContainsFunc(m.spenders[point], func(id chainhash.Hash) bool {
		at, waits := m.on.Locate(id)
		return at >= 0 || waits
	})
}

// Fork returns a model that knows the same, and from now on learns what happens on another chain.
func (m *RuneOrders) Fork(on Chain) *RuneOrders {
	forked := *m
	forked.on, forked.told = on, nil
	forked.txs, forked.paid, forked.spenders = maps.Clone(m.txs), maps.Clone(m.paid), maps.Clone(m.spenders)
	for script, points := range forked.paid {
		forked.paid[script] = slices.Clip(points)
	}
	forked.dead = maps.Clone(m.dead)
	for point, ids := range forked.spenders {
		forked.spenders[point] = slices.Clip(ids)
	}
	return &forked
}

// Delivered checks, by the chain alone, that what a server delivers that may not
// know what was sent before goes where it should, and once.
func (m *RuneOrders) Delivered(ctx context.Context, db *sql.DB) error {
	all, err := m.orders(ctx, db)
	if err != nil {
		return err
	}
	return m.each(all, m.goes, m.once)
}
