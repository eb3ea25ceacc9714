package etching

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/btcsuite/btcd/chainhash/v2"
	"github.com/btcsuite/btcd/wire/v2"
	"lukechampine.com/uint128"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/runes"
)

// watchList caches the scripts and outpoints of orders, so that most transactions are skipped without a query. It may
// have false positives, never false negatives.
type watchList struct {
	mu      sync.Mutex
	scripts map[string]string             // script → order id
	ours    map[chainhash.Hash]string     // transaction of the service → order id
	inputs  map[wire.OutPoint][]dependent // spent by unconfirmed payments and their unconfirmed ancestors
	funds   map[wire.OutPoint]string      // outputs at addresses of orders → order id
	last    int64                         // last loaded script
	loaded  bool
}

// dependent is a payment that can't confirm if a transaction other than spender spends an output.
type dependent struct{ payment, spender chainhash.Hash }

func newWatchList() *watchList {
	return &watchList{
		scripts: map[string]string{}, ours: map[chainhash.Hash]string{}, inputs: map[wire.OutPoint][]dependent{},
		funds: map[wire.OutPoint]string{},
	}
}

func (w *watchList) addTx(id chainhash.Hash, order string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.ours[id] = order
}

func (w *watchList) concerns(t chain.Tx) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.scripts) == 0 {
		return false
	}
	if _, own := w.ours[t.ID]; own {
		return true
	}
	for _, out := range t.Msg.TxOut {
		if _, ok := w.scripts[string(out.PkScript)]; ok {
			return true
		}
	}
	for _, in := range t.Msg.TxIn {
		if _, ok := w.inputs[in.PreviousOutPoint]; ok {
			return true
		}
		if _, ok := w.spending(in.PreviousOutPoint); ok {
			return true
		}
	}
	return false
}

// spending returns the order whose funds an output may be.
func (w *watchList) spending(out wire.OutPoint) (order string, ok bool) {
	if order, ok = w.funds[out]; ok {
		return order, true
	}
	order, ok = w.ours[out.Hash]
	return order, ok && out.Index == 0
}

// spent returns the order whose funds a transaction may spend.
func (w *watchList) spent(t chain.Tx) (order string, ok bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, in := range t.Msg.TxIn {
		if order, ok = w.spending(in.PreviousOutPoint); ok {
			return order, true
		}
	}
	return "", false
}

func (w *watchList) addFunds(out wire.OutPoint, order string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.funds[out] = order
}

// addPayment watches what an unconfirmed payment and its unconfirmed ancestors spend.
func (w *watchList) addPayment(t Tx) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	add := func(out wire.OutPoint, spender chainhash.Hash) {
		if d := (dependent{t.ID, spender}); !slices.Contains(w.inputs[out], d) {
			w.inputs[out] = append(w.inputs[out], d)
		}
	}
	for _, in := range t.Msg.TxIn {
		add(in.PreviousOutPoint, t.ID)
	}
	for out, spender := range t.Ancestors {
		point, err := wire.NewOutPointFromString(out)
		if err != nil {
			return err
		}
		id, err := chainhash.NewHashFromStr(spender)
		if err != nil {
			return err
		}
		add(*point, *id)
	}
	return nil
}

// conflicting returns the payments that can't confirm if t does.
func (w *watchList) conflicting(t chain.Tx) (ids []chainhash.Hash) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, in := range t.Msg.TxIn {
		for _, d := range w.inputs[in.PreviousOutPoint] {
			if d.payment != t.ID && d.spender != t.ID {
				ids = append(ids, d.payment)
			}
		}
	}
	return ids
}

func (w *watchList) orderOf(script []byte) (string, bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	id, ok := w.scripts[string(script)]
	return id, ok
}

func (w *watchList) owner(id chainhash.Hash) (string, bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	order, ok := w.ours[id]
	return order, ok
}

// Forget makes the next Load read all data again, because another server may have written.
func (s *Service) Forget() {
	s.watched.mu.Lock()
	defer s.watched.mu.Unlock()
	s.watched.loaded, s.watched.last = false, 0
}

// Load reads the addresses that were added since the last call. The first call also reads the transactions and outputs
// of all orders.
func (s *Service) Load(store Store) error {
	s.watched.mu.Lock()
	last, loaded := s.watched.last, s.watched.loaded
	s.watched.mu.Unlock()
	scripts, err := store.Orders.Scripts(last)
	if err != nil {
		return err
	}
	s.watched.mu.Lock()
	for _, script := range scripts {
		s.watched.scripts[string(script.Script)], s.watched.last = script.OrderID, max(s.watched.last, script.Number)
	}
	s.watched.mu.Unlock()
	if loaded {
		return nil
	}
	ours, err := store.Txs.Ours()
	if err != nil {
		return err
	}
	for text, order := range ours {
		id, err := chainhash.NewHashFromStr(text)
		if err != nil {
			return err
		}
		s.watched.addTx(*id, order)
	}
	funds, err := store.Outputs.Funds()
	if err != nil {
		return err
	}
	for out, order := range funds {
		s.watched.addFunds(out, order)
	}
	if err := s.doubt(store); err != nil {
		return err
	}
	s.watched.mu.Lock()
	s.watched.loaded = true
	s.watched.mu.Unlock()
	return nil
}

// doubt watches what every unconfirmed payment spends.
func (s *Service) doubt(store Store) error {
	waiting, err := store.Txs.UnconfirmedFunding()
	for _, t := range waiting {
		if err := s.watched.addPayment(t); err != nil {
			return err
		}
	}
	return err
}

// Concerns reports whether a transaction may affect an order.
func (s *Service) Concerns(t chain.Tx) bool { return s.watched.concerns(t) }

// Seen is a transaction in the mempool or in a block.
type Seen struct {
	Tx        chain.Tx
	Height    int64 // chain.None in the mempool
	At        time.Time
	Allocated func(vout uint32) []runes.Balance // the runes on each output
	Parents   []chain.Tx                        // unconfirmed ancestors
}

// RecordTx records a transaction of the mempool (height None) or of a block: payments to orders, the service's own
// transactions, and transactions that conflict with a payment or an ancestor of it. seen.Allocated is only set for a
// block, and seen.Parents for the mempool. RecordTx is idempotent.
func (s *Service) RecordTx(store Store, seen Seen) error {
	t, height, now, allocated := seen.Tx, seen.Height, seen.At, seen.Allocated
	if err := s.adopt(store, t, now); err != nil {
		return err
	}
	if order, ours := s.watched.owner(t.ID); ours && height != chain.None {
		got, err := s.runesReceived(store, order, allocated(0))
		if err != nil {
			return err
		}
		if err := store.Txs.Confirm(t.ID.String(), height, got); err != nil {
			return err
		}
	}
	for _, id := range s.watched.conflicting(t) {
		if err := store.Txs.Vanish(id.String()); err != nil {
			return err
		}
	}
	paid := map[string]bool{}
	for vout, out := range t.Msg.TxOut {
		order, ok := s.watched.orderOf(out.PkScript)
		if !ok {
			continue
		}
		point := wire.OutPoint{Hash: t.ID, Index: uint32(vout)}
		output := Output{OutPoint: point, OrderID: order, Value: amount.Sats(out.Value), SeenAt: now, Height: height}
		if height != chain.None {
			output.Runes = allocated(uint32(vout))
		}
		if known, err := payment(store, order, point); err != nil {
			return err
		} else if known != nil {
			output.SeenAt = known.SeenAt
			if known.Height != chain.None && height == chain.None {
				continue // confirmed: only Undo of its block changes it
			}
		}
		if err := store.Outputs.PutOutput(output); err != nil {
			return err
		}
		s.watched.addFunds(point, order)
		paid[order] = true
	}
	for order := range paid {
		funding := Tx{Tx: t, OrderID: order, Role: Funding, Created: now, Height: height, Ancestors: spentBy(seen.Parents)}
		if err := cmp.Or(s.watched.addPayment(funding), store.Txs.PutTx(funding)); err != nil {
			return err
		}
	}
	return nil
}

// runesReceived returns the amount of the order's minted rune on an output.
func (s *Service) runesReceived(store Store, id string, held []runes.Balance) (uint128.Uint128, error) {
	o, err := store.Orders.Order(id)
	if err != nil || o.Mint == nil {
		return uint128.Zero, err
	}
	for _, b := range held {
		if b.ID == o.Mint.Rune {
			return b.Amount, nil
		}
	}
	return uint128.Zero, nil
}

func payment(store Store, order string, point wire.OutPoint) (*Output, error) {
	outputs, err := store.Outputs.Outputs(order)
	for _, o := range outputs {
		if o.OutPoint == point {
			return &o, err
		}
	}
	return nil, err
}

// Undo reverts the effects of a block, and watches what its transactions spend of which payments are descendants. txs
// are its transactions, or nil if the node no longer has them.
func (s *Service) Undo(store Store, height int64, txs []chain.Tx) error {
	if err := store.Txs.Undo(height); err != nil {
		return err
	}
	waiting, err := store.Txs.UnconfirmedFunding()
	if err != nil {
		return err
	}
	for _, t := range waiting {
		parents := ancestorsOf(t, txs)
		if len(parents) == 0 {
			continue
		}
		if t.Ancestors == nil {
			t.Ancestors = map[string]string{}
		}
		maps.Copy(t.Ancestors, spentBy(parents))
		if err := store.Txs.PutTx(t); err != nil {
			return err
		}
	}
	return s.doubt(store)
}

// spentBy returns the ids of transactions by the outpoints that they spend.
func spentBy(txs []chain.Tx) map[string]string {
	spent := map[string]string{}
	for _, t := range txs {
		for _, in := range t.Msg.TxIn {
			spent[in.PreviousOutPoint.String()] = t.ID.String()
		}
	}
	return spent
}

// ancestorsOf returns the ancestors of a payment among the transactions of a block, without the coinbase.
func ancestorsOf(payment Tx, txs []chain.Tx) (ancestors []chain.Tx) {
	needed := map[string]bool{}
	for _, in := range payment.Msg.TxIn {
		needed[in.PreviousOutPoint.Hash.String()] = true
	}
	for out := range payment.Ancestors {
		txid, _, _ := strings.Cut(out, ":")
		needed[txid] = true
	}
	for _, t := range slices.Backward(txs[min(1, len(txs)):]) {
		if !needed[t.ID.String()] || t.ID == payment.ID {
			continue
		}
		ancestors = append(ancestors, t)
		for _, in := range t.Msg.TxIn {
			needed[in.PreviousOutPoint.Hash.String()] = true
		}
	}
	return ancestors
}
