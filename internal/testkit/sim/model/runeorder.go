package model

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"time"

	"github.com/btcsuite/btcd/chainhash/v2"
	"github.com/btcsuite/btcd/txscript/v2"
	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/bitcoin/chain"
)

// RuneOrders checks the mint and etch service. It records every transaction and reads the server's orders with separate
// SQL queries.
type RuneOrders struct {
	on           Chain
	network      chain.Network
	now          func() time.Time // the true time
	txs          map[chainhash.Hash]*wire.MsgTx
	learned      map[chainhash.Hash]time.Time // when the model learned of a transaction
	paid         map[string][]wire.OutPoint   // by script
	spenders     map[wire.OutPoint][]chainhash.Hash
	dead         map[chainhash.Hash]bool // transactions that could not be mined at an earlier check
	acknowledged []string                // ids of acknowledged orders
}

// NewRuneOrders returns a model without transactions. now returns the true time.
func NewRuneOrders(on Chain, network chain.Network, now func() time.Time) *RuneOrders {
	return &RuneOrders{
		on: on, network: network, now: now, learned: map[chainhash.Hash]time.Time{},
		txs: map[chainhash.Hash]*wire.MsgTx{}, paid: map[string][]wire.OutPoint{},
		spenders: map[wire.OutPoint][]chainhash.Hash{}, dead: map[chainhash.Hash]bool{},
	}
}

// Learn adds a transaction that the node accepted or that is in a block.
func (m *RuneOrders) Learn(tx chain.Tx) {
	if m.txs[tx.ID] != nil {
		return
	}
	m.txs[tx.ID], m.learned[tx.ID] = tx.Msg, m.now()
	for vout, out := range tx.Msg.TxOut {
		m.paid[string(out.PkScript)] = append(m.paid[string(out.PkScript)], wire.OutPoint{Hash: tx.ID, Index: uint32(vout)})
	}
	for _, in := range tx.Msg.TxIn {
		m.spenders[in.PreviousOutPoint] = append(m.spenders[in.PreviousOutPoint], tx.ID)
	}
}

// runeOrder is a row of the server's mint and etch orders, with its payments and transactions.
type runeOrder struct {
	id, state, cause string
	script           string
	quoted           bool             // a higher rate was requested
	scripts          map[string]int64 // fees in sats, by the receiving script
	destination      string           // script
	refund           string           // script

	outputs map[wire.OutPoint]booked
	sent    map[chainhash.Hash]booked
}

func (o *runeOrder) open() bool {
	return slices.Contains([]string{"new", "pending", "executing"}, o.state)
}

// booked is a payment or a transaction of an order according to the database.
type booked struct {
	height   int64
	sats     int64 // value of a payment, or fee of a transaction
	vanished bool
}

// orders reads all orders.
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

// Acknowledged records that the creation of an order was acknowledged.
func (m *RuneOrders) Acknowledged(id string) { m.acknowledged = append(m.acknowledged, id) }

// Always checks the rules that hold after every database transaction of the server.
func (m *RuneOrders) Always(ctx context.Context, db *sql.DB) error {
	all, err := m.orders(ctx, db)
	if err != nil {
		return err
	}
	for _, id := range m.acknowledged {
		if !slices.ContainsFunc(all, func(o *runeOrder) bool { return o.id == id }) {
			return broken("acknowledged actions are durable", "the mint or etch order %s", id)
		}
	}
	return m.each(all, m.stored, m.destinations, m.versions, m.once)
}

// Synced checks the rules that hold when the server has followed the chain to its tip and, unless it is paused,
// completed all due work.
func (m *RuneOrders) Synced(ctx context.Context, db *sql.DB, paused bool) error {
	all, err := m.orders(ctx, db)
	if err != nil || paused {
		return errors.Join(err, m.each(all, m.payments))
	}
	return m.each(all, m.payments, m.stateMatches)
}

// Kept checks that no finished order holds sats that are worth a refund. rate is the fee rate of refunds in sats per
// 1,000 vB.
func (m *RuneOrders) Kept(ctx context.Context, db *sql.DB, rate int64) error {
	all, err := m.orders(ctx, db)
	if err != nil {
		return err
	}
	return m.each(all, func(o *runeOrder, w *works) error {
		if o.open() {
			return nil
		}
		return m.refundsAll(o, w, rate)
	})
}

// Finished checks that every order is in a final state.
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

// works are the transactions that spend an order's outputs, which only the service can sign.
type works struct {
	all        []chainhash.Hash
	coins      []wire.OutPoint // payments of the order, and outputs between its transactions
	deliveries []chainhash.Hash
	refunds    []chainhash.Hash
}

// walk collects the transactions that spend the payments of an order, directly or indirectly.
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

// stored checks that every transaction of the order is in the database, because it must be stored before it is sent.
func (m *RuneOrders) stored(o *runeOrder, w *works) error {
	for _, id := range w.all {
		if _, ok := o.sent[id]; !ok {
			return broken("transactions are stored before they are sent", "%s of the order %s", id, o.id)
		}
	}
	return nil
}

// destinations checks that sats go only to the destination, the refund address and the agreed fees, and that the stored
// transaction fees are correct.
func (m *RuneOrders) destinations(o *runeOrder, w *works) error {
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
			case vout == 0 && script != o.script: // a commitment, or the output for the next mint
			default:
				return broken("no other script receives sats of a mint or etching", "%s sends %d to %x", id, out.Value, script)
			}
		}
		if known && left != 0 {
			return broken("stored fees are correct", "%s of the order %s pays %d more", id, o.id, left)
		}
	}
	return nil
}

// versions checks that no transaction is sent in two versions, unless a higher rate was requested, the other version is
// a refund, or the other version could not be mined at an earlier check. A reorg may make such a version minable again.
func (m *RuneOrders) versions(o *runeOrder, w *works) error {
	for _, point := range w.coins {
		var rivals []chainhash.Hash
		for _, id := range m.spenders[point] {
			if m.dead[id] = m.dead[id] || m.cannotConfirm(o, id); !m.dead[id] && !slices.Contains(w.refunds, id) {
				rivals = append(rivals, id)
			}
		}
		if len(rivals) > 1 && !o.quoted {
			return broken("nothing is sent in two versions", "%s is spent by %v", point, rivals)
		}
	}
	return nil
}

// cannotConfirm reports whether a foreign transaction spends an input of a transaction or of its ancestors.
func (m *RuneOrders) cannotConfirm(o *runeOrder, id chainhash.Hash) bool {
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
		if m.cannotConfirm(o, in.PreviousOutPoint.Hash) {
			return true
		}
	}
	return false
}

// once checks that an order is delivered at most once, and that no reveal is mined before its commitment is old enough.
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

// payments checks that the database contains every payment, and the height of each payment and transaction. A payment
// that was unconfirmed for two weeks may have vanished.
func (m *RuneOrders) payments(o *runeOrder, w *works) error {
	for _, point := range m.paid[o.script] {
		at, waits := m.on.Locate(point.Hash)
		b, known := o.outputs[point]
		expired := at < 0 && m.now().Sub(m.learned[point.Hash]) > confirmWithin-tolerance
		if value := m.txs[point.Hash].TxOut[point.Index].Value; (at >= 0 || waits) &&
			(!known || b.vanished && !expired || b.height != at || b.sats != value) {
			return broken("no payment of a mint or etching is lost",
				"%s of %d in block %d, booked is %+v", point, value, at, b)
		}
	}
	for point, b := range o.outputs {
		if at, _ := m.on.Locate(point.Hash); b.height >= 0 && at != b.height {
			return broken("every stored payment exists", "%s in block %d, booked is %+v", point, at, b)
		}
	}
	for id, b := range o.sent {
		if at, _ := m.on.Locate(id); b.height != at {
			return broken("stored heights are correct", "%s in block %d, booked is %+v", id, at, b)
		}
	}
	return nil
}

// stateMatches checks that an order's state matches its transactions on the chain.
func (m *RuneOrders) stateMatches(o *runeOrder, w *works) error {
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
		return broken("the state of an order matches its transactions",
			"%s is %s %s: delivered %t, refunded %t", o.id, o.state,
			o.cause, delivered, given)
	}
	return nil
}

// refundsAll checks that the sats of a finished order are being refunded or are not worth a refund.
func (m *RuneOrders) refundsAll(o *runeOrder, w *works, rate int64) error {
	held, coins := int64(0), []wire.OutPoint{}
	for _, point := range w.coins {
		if at, _ := m.on.Locate(point.Hash); at < 0 || m.isSpent(point) {
			continue
		}
		held += m.txs[point.Hash].TxOut[point.Index].Value
		coins = append(coins, point)
	}
	for _, id := range w.refunds {
		if _, waits := m.on.Locate(id); waits {
			return nil // refunds are sent one at a time
		}
	}
	if worth := rate*(60*int64(len(coins))+60)/1000 + dust; held > worth {
		return broken("a closed order refunds its unspent payments",
			"the %s order %s keeps %d sats on %v", o.state, o.id, held, coins)
	}
	return nil
}

// isSpent reports whether a transaction in a block or in the mempool spends an output.
func (m *RuneOrders) isSpent(point wire.OutPoint) bool {
	return slices.ContainsFunc(m.spenders[point], func(id chainhash.Hash) bool {
		at, waits := m.on.Locate(id)
		return at >= 0 || waits
	})
}

// Fork returns a copy of the model that continues on another chain, without acknowledged orders.
func (m *RuneOrders) Fork(on Chain) *RuneOrders {
	forked := *m
	forked.on, forked.acknowledged = on, nil
	forked.txs, forked.paid, forked.spenders = maps.Clone(m.txs), maps.Clone(m.paid), maps.Clone(m.spenders)
	for script, points := range forked.paid {
		forked.paid[script] = slices.Clip(points)
	}
	forked.dead, forked.learned = maps.Clone(m.dead), maps.Clone(m.learned)
	for point, ids := range forked.spenders {
		forked.spenders[point] = slices.Clip(ids)
	}
	return &forked
}

// Delivered checks on the chain alone that a server, which may have an old database, sends sats only to the agreed
// addresses and delivers once.
func (m *RuneOrders) Delivered(ctx context.Context, db *sql.DB) error {
	all, err := m.orders(ctx, db)
	if err != nil {
		return err
	}
	return m.each(all, m.destinations, m.once)
}
