package etching

import (
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
	scripts map[string]string                  // script → order id
	ours    map[chainhash.Hash]string          // transaction of the service → order id
	inputs  map[wire.OutPoint][]chainhash.Hash // spent by unconfirmed payments
	funds   map[wire.OutPoint]string           // outputs at addresses of orders → order id
	last    int64                              // last loaded script
	loaded  bool
}

func newWatchList() *watchList {
	return &watchList{
		scripts: map[string]string{}, ours: map[chainhash.Hash]string{}, inputs: map[wire.OutPoint][]chainhash.Hash{},
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

func (w *watchList) addPayment(t chain.Tx) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, in := range t.Msg.TxIn {
		w.inputs[in.PreviousOutPoint] = append(w.inputs[in.PreviousOutPoint], t.ID)
	}
}

func (w *watchList) conflicting(t chain.Tx) (ids []chainhash.Hash) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, in := range t.Msg.TxIn {
		for _, id := range w.inputs[in.PreviousOutPoint] {
			if id != t.ID {
				ids = append(ids, id)
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

// doubt adds the inputs of every unconfirmed payment to the cache.
func (s *Service) doubt(store Store) error {
	waiting, err := store.Txs.UnconfirmedFunding()
	for _, t := range waiting {
		s.watched.addPayment(t.Tx)
	}
	return err
}

// Concerns reports whether a transaction may affect an order.
func (s *Service) Concerns(t chain.Tx) bool { return s.watched.concerns(t) }

// RecordTx records a transaction of the mempool (height None) or of a block: payments to orders,
// the service's own transactions, and transactions that conflict with a payment. allocated
// returns the runes on each output and is only set for a block. RecordTx is idempotent.
func (s *Service) RecordTx(
	store Store, t chain.Tx, height int64, now time.Time, allocated func(vout uint32) []runes.Balance,
) error {
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
		s.watched.addPayment(t)
		if err := store.Txs.PutTx(Tx{Tx: t, OrderID: order, Role: Funding, Created: now, Height: height}); err != nil {
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

// Undo reverts the effects of a block.
func (s *Service) Undo(store Store, height int64) error {
	if err := store.Txs.Undo(height); err != nil {
		return err
	}
	return s.doubt(store)
}
