package payout

import (
	"context"
	"log/slog"
	"time"

	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/runes"
	"moonfund/internal/bitcoin/vault"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/staking/order"
)

// Terms are the parameters of a community.
type Terms struct {
	Prefix  string // identifies the community
	Rune    runes.ID
	Account vault.Account  // derives the treasury's addresses and the keys of the inputs
	MaxRate amount.FeeRate // maximum fee rate of its payouts

	MaxWait      time.Duration // longest time that a PAID order waits for other orders
	MaxRunestone int           // maximum size of the runestone's script in bytes; 0 means 83
	// ColdAbove is the amount in base units above which an operator signs the delivery of an order by hand; 0 means no
	// limit.
	ColdAbove amount.Runes
	FeeTopUp  amount.Sats // maximum amount that one payout may take from the fee account
	Refunds   RefundLimits
}

// Cold reports whether a delivery exceeds the amount above which an operator must sign it by hand.
func (t Terms) Cold(d vault.Delivery) bool { return t.ColdAbove > 0 && d.Amount > t.ColdAbove }

// Config is the configuration of payouts.
type Config struct {
	Network chain.Network
	Signer  Signer
	Own     OwnCoins // nil: withdrawals in one transaction are off
	Ledger  *ledger.Service
	Orders  *order.Service
	Policy  chain.PolicyLimits
	Log     *slog.Logger
	NewID   func() (string, error) // random ids
	Terms   []Terms
	// RelaysV3 reports whether the node is known to relay transactions of version 3; nil means that it does not.
	RelaysV3 func() bool
	// MempoolMin returns the minimum fee rate of transactions that the node accepts now; nil or 0: none is known.
	MempoolMin func() amount.FeeRate
}

// Book has what payouts of all kinds share: the communities' terms, the signatures of a Prepare, and how transactions
// are recorded. It is not safe for concurrent use, except for reading its exported fields but Signatures, Paused,
// Unevaluated and Changed.
type Book struct {
	Communities ledger.Communities[Terms]
	Network     chain.Network
	Ledger      *ledger.Service
	Orders      *order.Service
	Allocate    vault.Allocate // the rules of the runes protocol
	Log         *slog.Logger
	Signatures  vault.Signatures  // of the payouts that the last Prepare built
	Paused      map[string]string // why payouts of single communities are paused; set by each Prepare
	Unevaluated map[string]string // why orders can't be evaluated, by id; set by each Prepare
	Changed     []string          // orders that the last Prepare changed without a payout, by id

	signer     Signer
	own        OwnCoins // nil: no OneTx
	policy     chain.PolicyLimits
	newID      func() (string, error)
	relaysV3   func() bool
	mempoolMin func() amount.FeeRate
	failures   failures
	waits      failures // reasons of Wait
}

// NewBook returns the book of the given communities.
func NewBook(c Config) *Book {
	b := &Book{
		Network: c.Network, Ledger: c.Ledger, Orders: c.Orders, Allocate: vault.AllocateBy(runes.RulesFor(c.Network)),
		Log: c.Log, signer: c.Signer, own: c.Own, policy: c.Policy, newID: c.NewID, relaysV3: c.RelaysV3,
		mempoolMin: c.MempoolMin, failures: newFailures(), waits: newFailures(),
	}
	for _, t := range c.Terms {
		b.Communities.Add(t.Prefix, t)
	}
	return b
}

// Delivery returns the output that delivers an order: the runes, and 546 sats plus the sats of the unit outputs.
func (b *Book) Delivery(terms Terms, o order.Order, units []ledger.Unit) (vault.Delivery, error) {
	value := amount.Sats(vault.DustSats)
	for _, unit := range units {
		if !unit.Virtual() {
			value += unit.Value
		}
	}
	to, err := chain.ParseAddress(o.Owner, b.Network)
	return vault.Delivery{OrderID: o.ID, Rune: terms.Rune, Amount: o.Amount, To: to.Script, Value: value}, err
}

// TxVersion returns the version of new transactions: 3 (TRUC, BIP-431) if the node relays it, so that recipients can't
// delay a replacement by descendants, else 2. Payouts spend only confirmed outputs, so they comply with the limit of
// version 3 for unconfirmed ancestors.
func (b *Book) TxVersion() int32 {
	if b.relaysV3 != nil && b.relaysV3() {
		return 3
	}
	return 2
}

// ErrUnsigned is returned by Prepare if Sign must be called first.
var ErrUnsigned = vault.ErrUnsigned

// Signed returns a transaction with its signatures, or the signer's refusal. If the signer was not called yet, it
// returns the transaction unsigned, and Prepare then returns ErrUnsigned, so it is never stored. It returns a
// *WaitError while the payouts of its community are paused.
func (b *Book) Signed(u Unsigned) (*wire.MsgTx, error) {
	if err := b.checkPaused(u.Community); err != nil {
		return nil, err
	}
	return b.Signatures.Of(u.Tx, func(ctx context.Context) (*wire.MsgTx, error) {
		if err := b.checkOwn(ctx, u); err != nil {
			return nil, err
		}
		return b.signer.Sign(ctx, u)
	})
}

// checkPaused returns a *WaitError if the payouts of a community are paused.
func (b *Book) checkPaused(community string) error {
	if reason := b.Paused[community]; reason != "" {
		return Waitf("the payouts of %s are paused: %s", community, reason)
	}
	return nil
}

// checkOwn asks the node again about the coins of stakers that a transaction spends, immediately before it is signed.
func (b *Book) checkOwn(ctx context.Context, u Unsigned) error {
	own := OwnOf(u.Inputs)
	if len(own) == 0 {
		return nil
	}
	return b.own.Check(ctx, own, u.Replaced)
}

// OwnOf returns the inputs that the owner of an order signs.
func OwnOf(inputs []vault.Coin) (own []vault.Coin) {
	for _, coin := range inputs {
		if coin.Kind == vault.Own {
			own = append(own, coin)
		}
	}
	return own
}

// Info logs a message, except in a Prepare that will be rolled back because signatures are missing.
func (b *Book) Info(text string, args ...any) {
	if b.Signatures.Missing() == nil {
		b.Log.Info(text, args...)
	}
}

// PaysOwnCoins reports whether coins of stakers can pay for withdrawals in one transaction.
func (b *Book) PaysOwnCoins() bool { return b.own != nil }

// CheckPolicy returns an error if nodes would not relay a transaction. runestone is the maximum size of its runestone
// if that is more than nodes relay by default, or 0.
func (b *Book) CheckPolicy(tx *wire.MsgTx, inputs []vault.Coin, runestone int) error {
	policy := b.policy
	policy.DataCarrier = max(policy.DataCarrier, runestone)
	return chain.CheckPolicy(tx, vault.Outputs(inputs), policy)
}
