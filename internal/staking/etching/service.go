package etching

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"time"

	"github.com/btcsuite/btcd/chainhash/v2"
	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/runes"
	"moonfund/internal/bitcoin/vault"
	"moonfund/internal/fault"
	"moonfund/internal/state"
)

// Config configures the service.
type Config struct {
	Network      chain.Network
	Rules        runes.Rules
	Account      vault.Account // account of the service
	ServiceFee   amount.Sats   // per order; 0 for none
	ServiceFeeTo string        // address
	Policy       chain.PolicyLimits
	Signer       Signer
	Transact     func(ctx context.Context, fn func(Database) error) error
	View         func(ctx context.Context, fn func(Database) error) error
	NewID        func() (string, error) // at least 128 random bits
	Now          func() time.Time
	// Ready returns the reason why orders are not accepted now, or nil.
	Ready func(ctx context.Context) error
	Hint  func(ctx context.Context)                                    // requests a read of the mempool
	HasTx func(ctx context.Context, txid chainhash.Hash) (bool, error) // reports whether the node has a transaction
	// DescendantFees returns the fees of the transactions in the node's mempool that depend on a transaction.
	DescendantFees func(ctx context.Context, txid chainhash.Hash) (amount.Sats, error)
	MempoolMin     func() amount.FeeRate // minimum fee rate that the node accepts now; 0: none is known
	// DisabledReason is the reason why the service is off; "" if it is on.
	DisabledReason string
	// Unrelayed returns the reason why the node does not relay an order, or ""; nil: it relays all.
	Unrelayed func(kind Kind, inscribes bool) string
	Log       *slog.Logger
}

// Service accepts orders and carries them out.
type Service struct {
	Config
	watched    *watchList
	signatures vault.Signatures  // used by the only caller of Advance, like the fields below
	waits      map[string]string // why orders wait, by id, by the last Advance
	waited     map[string]string // the same, before the last ForgetSignatures
}

// NewService returns the service. The service is off if the index does not follow every rune, because such an index
// cannot prove that a name is free.
func NewService(c Config) *Service {
	if c.Rules.Follow != nil && c.DisabledReason == "" {
		c.DisabledReason = "the rune index follows only some runes, so names and mints can't be checked"
	}
	return &Service{Config: c, watched: newWatchList()}
}

// Request is a mint or an etch order; exactly one field is set.
type Request struct {
	Mint *MintRequest
	Etch *EtchRequest
}

func (s *Service) draft(ctx context.Context, tx Database, r Request) (Order, error) {
	store := tx.Etchings(ctx)
	tip, err := store.Txs.Tip()
	if err != nil {
		return Order{}, err
	}
	var o Order
	if r.Mint != nil {
		o, err = s.mintOrder(tx.Runes(ctx), *r.Mint, tip)
	} else {
		o, err = s.etchOrder(tx.Runes(ctx), *r.Etch, tip)
	}
	return o, err
}

// Estimate returns the cost of an order. It returns a *fault.Error if a field is invalid, a rune rule forbids the
// order, or the service is off.
func (s *Service) Estimate(ctx context.Context, r Request) (cost Cost, err error) {
	if err := s.checkAvailable(ctx, r); err != nil {
		return cost, err
	}
	err = s.View(ctx, func(tx Database) error {
		o, err := s.draft(ctx, tx, r)
		if err != nil {
			return err
		}
		o.ID = strings.Repeat("0", 32) // placeholder of an order that is not stored
		cost, err = s.cost(o)
		return err
	})
	return cost, err
}

// checkAvailable returns the reason why the order is not accepted now, or nil.
func (s *Service) checkAvailable(ctx context.Context, r Request) error {
	if s.DisabledReason != "" {
		return fault.New(fault.Unavailable, fault.RuneOrdersOff).Because(errors.New(s.DisabledReason))
	}
	kind, inscribes := Mint, false
	if r.Etch != nil {
		kind, inscribes = Etch, r.Etch.Inscribes || r.Etch.Delegate != ""
	}
	if reason := s.unrelayed(kind, inscribes); reason != "" {
		sentence := fault.NodeUnfit
		if inscribes && s.unrelayed(kind, false) == "" {
			sentence = fault.RuneInscriptionRefused
		}
		return fault.New(fault.Unavailable, sentence).Because(errors.New(reason))
	}
	return s.ready(ctx)
}

// unrelayed returns the reason why the node would not relay the transactions of an order, or "".
func (s *Service) unrelayed(kind Kind, inscribes bool) string {
	if s.Unrelayed == nil {
		return ""
	}
	return s.Unrelayed(kind, inscribes)
}

// unrelayedOrder is unrelayed of an order.
func (s *Service) unrelayedOrder(o Order) string {
	return s.unrelayed(o.Kind, o.Etch != nil && o.Etch.Inscription != nil)
}

// ready returns the reason why no order can be changed now, or nil.
func (s *Service) ready(ctx context.Context) error {
	if err := s.Ready(ctx); err != nil {
		return fault.From(err).WithKind(fault.Unavailable)
	}
	return nil
}

// Create stores a new order with a new address. It returns the errors of Estimate.
func (s *Service) Create(ctx context.Context, r Request) (o Order, err error) {
	if err := s.checkAvailable(ctx, r); err != nil {
		return o, err
	}
	err = s.Transact(ctx, func(tx Database) error {
		if o, err = s.draft(ctx, tx, r); err != nil {
			return err
		}
		if o.ID, err = s.NewID(); err != nil {
			return err
		}
		cost, err := s.cost(o)
		if err != nil {
			return err
		}
		plan, err := s.Account.PlanOrder(o.RuneOrder)
		if err != nil {
			return err
		}
		now := s.Now()
		o.State, o.FundAmount, o.Address, o.Script = New, cost.Total, plan.Fund.Text, plan.Fund.Script
		o.Created, o.Updated, o.Deadline = now, now, now.Add(FundingWindow)
		return tx.Etchings(ctx).Orders.Insert(o)
	})
	return o, err
}

// Execute records the transaction that pays an order. The order also proceeds without this call. It returns a
// *fault.Error: 404 for an unknown order or kind; 400 for an invalid txid, for a transaction that pays another address
// or too little, and for a second call; 503 if the transaction has not reached this server.
func (s *Service) Execute(ctx context.Context, kind Kind, id, txid string) (o Order, err error) {
	hash, err := chainhash.NewHashFromStr(txid)
	if err != nil || len(txid) != 2*chainhash.HashSize {
		return o, fault.Reject(fault.TxidInvalid)
	}
	txid = strings.ToLower(txid)
	if o, err = s.find(ctx, kind, id); err != nil {
		return o, err
	}
	if o.Executed != "" {
		return o, fault.Reject(fault.RuneOrderExecuted, o.Executed)
	}
	if s.Hint(ctx); ctx.Err() != nil {
		return o, ctx.Err()
	}
	if err = s.viewFacts(ctx, id, func(f *facts) error { return f.checkPays(txid) }); err == nil {
		err = s.Transact(ctx, func(tx Database) error {
			store := tx.Etchings(ctx)
			if o, err = store.Orders.Order(id); err != nil {
				return err
			}
			if o.Executed != "" {
				return fault.Reject(fault.RuneOrderExecuted, o.Executed)
			}
			o.Executed, o.Updated = txid, s.Now()
			return store.Orders.Change(o, o.State)
		})
	}
	if !errors.Is(err, errNotArrived) {
		return o, err
	}
	known, failed := s.HasTx(ctx, *hash)
	switch {
	case failed != nil:
		return o, failed
	case known:
		return o, fault.Reject(fault.RuneOrderTxForeign)
	}
	return o, err
}

// viewFacts calls fn with the facts of an order, read in a snapshot. Anyone can send thousands of payments to an order,
// so a request reads them before its write transaction.
func (s *Service) viewFacts(ctx context.Context, id string, fn func(f *facts) error) error {
	return s.View(ctx, func(tx Database) error {
		store := tx.Etchings(ctx)
		o, err := store.Orders.Order(id)
		if err != nil {
			return err
		}
		f, err := s.gather(store, o)
		if err != nil {
			return err
		}
		return fn(f)
	})
}

var errNotArrived = fault.New(fault.Unavailable, fault.RuneOrderTxUnknown)

// checkPays returns an error unless a transaction, together with the other funds received, pays the order.
func (f *facts) checkPays(txid string) error {
	if !slices.ContainsFunc(f.funding, func(t Tx) bool { return t.ID.String() == txid && !t.Vanished }) {
		return errNotArrived
	}
	seen, inputs := f.received(false)
	if need := f.needed(inputs); seen < need {
		return fault.Reject(fault.RuneOrderUnderpaid, int64(seen), int64(need))
	}
	return nil
}

func (s *Service) find(ctx context.Context, kind Kind, id string) (o Order, err error) {
	err = s.View(ctx, func(tx Database) error {
		o, err = tx.Etchings(ctx).Orders.Order(id)
		return err
	})
	if errors.Is(err, state.ErrNotFound) || err == nil && kind != "" && o.Kind != kind {
		return Order{}, fault.New(fault.NotFound, fault.RuneOrderUnknown)
	}
	return o, err
}

// Progress is an order with its transactions and their state.
type Progress struct {
	Order
	Received  amount.Sats // sum of the payments that count, including unconfirmed ones
	Tip       int64
	Txs       []Tx // payments first, then the service's confirmed and pending transactions
	RuneID    string
	NotBefore int64 // first height at which the reveal can be mined; None if unknown
}

// Progress returns an order's progress, or a *fault.Error (404).
func (s *Service) Progress(ctx context.Context, id string) (p Progress, err error) {
	err = s.View(ctx, func(tx Database) error {
		store := tx.Etchings(ctx)
		o, err := store.Orders.Order(id)
		if errors.Is(err, state.ErrNotFound) {
			return fault.New(fault.NotFound, fault.RuneOrderUnknown)
		}
		if err != nil {
			return err
		}
		f, err := s.gather(store, o)
		if err != nil {
			return err
		}
		p = Progress{Order: o, Tip: f.tip, NotBefore: chain.None, Txs: f.funding}
		p.Received, _ = f.received(false)
		for _, t := range ordered(f.txs) {
			if t.Height != chain.None || f.isCurrent(t) {
				p.Txs = append(p.Txs, t)
			}
			if t.Role == Commit && t.Height != chain.None {
				p.NotBefore = t.Height + vault.RevealSequence
			}
		}
		if err := s.explainWait(store, f, &p); err != nil {
			return err
		}
		return s.runeID(tx.Runes(ctx), &p)
	})
	return p, err
}

// explainWait sets the reason of an order that is not finished and waits for the node to relay its transactions, or for
// the operator.
func (s *Service) explainWait(store Store, f *facts, p *Progress) error {
	unrelayed := false
	switch p.State {
	case New, Pending:
		unrelayed = s.unrelayedOrder(p.Order) != ""
	case Executing:
		for _, t := range f.pending() {
			since, err := store.Txs.RefusedSince(t.ID.String())
			if err != nil {
				return err
			}
			unrelayed = unrelayed || !since.IsZero()
		}
	default:
		return nil
	}
	waits, err := store.Orders.Waits(p.ID)
	waits = waits && (p.State != Executing || len(f.pending()) == 0) // otherwise only a replacement waits
	if err != nil || !waits && !unrelayed {
		return err
	}
	reason := fault.Reject(fault.RuneOrderDelayed)
	if unrelayed {
		reason = fault.Reject(fault.RuneOrderWaits)
	}
	p.Reason, p.ReasonCode = reason.Message, reason.Code
	return nil
}

// Confirmations returns the confirmations of one of the order's transactions; 0 in the mempool.
func (p Progress) Confirmations(t Tx) int64 {
	return (&facts{tip: p.Tip}).confirmations(t.Height)
}

func (s *Service) runeID(index runes.Store, p *Progress) error {
	if p.Mint != nil {
		p.RuneID = p.Mint.Rune.String()
		return nil
	}
	if p.State != Complete {
		return nil
	}
	entry, found, err := index.RuneEntryByName(*p.Etch.Etching.Name)
	if found {
		p.RuneID = entry.ID.String()
	}
	return err
}

// maxQuotes limits the number of quotes per order.
const maxQuotes = 32

// Quote returns the additional payment that replaces an order's transactions at a higher fee rate, and stores the
// quote. The replacement happens once that payment is confirmed. It returns a *fault.Error: 404 for an unknown order;
// 400 if the rate is out of bounds, not higher, or below the minimum of the node's mempool, or if there is nothing to
// replace.
func (s *Service) Quote(ctx context.Context, id string, satPerVB float64) (o Order, cost amount.Sats, err error) {
	if err := s.ready(ctx); err != nil {
		return o, 0, err
	}
	rate, err := amount.FeeRateFromFloat(satPerVB)
	if err != nil || rate < s.Policy.MinRelay || rate > s.Policy.MaxFeeRate {
		return o, 0, fault.Reject(fault.RuneFeeRate, "newFeeRate", s.Policy.MaxFeeRate.String())
	}
	if least := s.MempoolMin(); rate < least {
		return o, 0, fault.Reject(fault.RuneOrderRateTooLow, least.String())
	}
	if o, err = s.find(ctx, "", id); err != nil {
		return o, 0, err
	}
	q := Quote{Rate: rate}
	if q.Descendants, err = s.descendants(ctx, id); err != nil {
		return o, 0, err
	}
	err = s.viewFacts(ctx, id, func(f *facts) (err error) {
		if err = f.order.checkSent(); err == nil {
			q.Cost, err = s.missingFor(f, q)
		}
		return err
	})
	if err != nil {
		return o, 0, err
	}
	err = s.Transact(ctx, func(tx Database) error {
		store := tx.Etchings(ctx)
		if o, err = store.Orders.Order(id); err != nil {
			return err
		}
		if err := o.checkSent(); err != nil {
			return err
		}
		return s.promise(store, &o, q)
	})
	return o, q.Cost, err
}

// descendants returns the fees of the mempool transactions of others that depend on the delivering transaction of an
// order: whoever receives an output of it can spend it before it confirms. A replacement must pay their fees too.
func (s *Service) descendants(ctx context.Context, id string) (fees amount.Sats, err error) {
	var last *Tx
	err = s.viewFacts(ctx, id, func(f *facts) error {
		for _, t := range f.pending() {
			if f.isDelivery(t) && f.sendable(t) {
				last = &t
			}
		}
		return nil
	})
	if err != nil || last == nil {
		return 0, err
	}
	return s.DescendantFees(ctx, last.ID)
}

// checkSent returns an error unless the order's transactions are sent and can be replaced.
func (o Order) checkSent() error {
	switch o.State {
	case New, Pending:
		return fault.Reject(fault.RuneOrderNotSent)
	case Executing:
		return nil
	}
	return fault.Reject(fault.RuneOrderOver, string(o.State))
}

// missingFor builds the replacement with one additional payment of no value and returns the missing amount.
func (s *Service) missingFor(f *facts, q Quote) (amount.Sats, error) {
	coin, err := f.plan.Coin(vault.OrderFund, wire.OutPoint{Index: wire.MaxPrevOutIndex}, 0)
	if err != nil {
		return 0, err
	}
	_, err = f.buildReplacement(q, []vault.Coin{coin})
	least := max(chain.Dust(f.plan.Fund.Script), f.minPayment())
	var short *vault.ErrSatsShort
	if errors.As(err, &short) {
		return max(short.Missing, least), nil
	}
	return least, err
}

func (s *Service) promise(store Store, o *Order, q Quote) error {
	at := slices.IndexFunc(o.Quotes, func(known Quote) bool { return known.Rate == q.Rate })
	switch {
	case at >= 0:
		o.Quotes[at] = q
	case len(o.Quotes) >= maxQuotes:
		return fault.Reject(fault.RuneOrderQuotes)
	default:
		o.Quotes = append(o.Quotes, q)
	}
	o.Updated = s.Now()
	return store.Orders.Change(*o, o.State)
}
