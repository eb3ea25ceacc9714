package api

import (
	"context"
	"time"

	"moonfund/internal/amount"
	"moonfund/internal/staking/action"
	"moonfund/internal/staking/community"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/staking/order"
	"moonfund/internal/staking/payout/refund"
)

// The parameter community of these methods is a community's prefix. Errors for the user are *fault.Error. Any other
// error results in a response with status 500, and its cause is only logged. Callers check the addresses of wallets.

// Ledger reads the units, epochs and rewards of wallets.
type Ledger interface {
	Globals(ctx context.Context, community string) (Globals, error)
	// Totals returns fault.WalletDoesNotExist for a wallet that was never seen.
	Totals(ctx context.Context, community string, w action.Wallet) (Totals, error)
	// Units returns the wallet's units, newest first. It includes WITHDRAWN units only if spent is true.
	Units(ctx context.Context, community string, w action.Wallet, spent bool) ([]UnitView, error)
	// Journal returns at most limit postings of the wallet with numbers below before (0: from the newest), newest first.
	Journal(ctx context.Context, community string, w action.Wallet, before int64, limit int) ([]JournalLine, error)
	// Earnings returns the wallet's rewards in at most limit settled epochs with numbers below before (chain.None: from
	// the newest), newest first.
	Earnings(ctx context.Context, community string, w action.Wallet, before int64, limit int) ([]EarningView, error)
	// Compounding returns the last instruction to compound automatically that a wallet signed.
	Compounding(ctx context.Context, community string, w action.Wallet) (CompoundingView, error)
	// Epochs returns at most limit epochs with numbers below before (chain.None: from the running one), newest first.
	Epochs(ctx context.Context, community string, before int64, limit int) ([]EpochView, error)
	// EpochRecord returns fault.EpochUnknown for an epoch that has not begun.
	EpochRecord(ctx context.Context, community string, epoch int64) (EpochRecord, error)
}

// Actions issues, prices and applies the signed actions; action.Service implements it.
type Actions interface {
	NewStake(ctx context.Context, community string, r action.StakeRequest) (action.StakeAddress, error)
	Post(ctx context.Context, community string, w action.Wallet, t action.Type, unitIDs []string,
		statement string) (action.Requested, error)
	// PostCompounding is Post for AUTO_COMPOUND, with the number of epochs (0: the default), and END_AUTO_COMPOUND.
	PostCompounding(ctx context.Context, community string, w action.Wallet, t action.Type, epochs int64,
		statement string) (action.Requested, error)
	// PostEconomy is Post for a claim or withdrawal with economy delivery. a has its community, type and wallet.
	PostEconomy(ctx context.Context, a action.Action, unitIDs []string, statement string,
		r action.EconomyRequest) (action.Requested, error)
	EstimateEconomy(ctx context.Context, a action.Action, unitIDs []string,
		r action.EconomyRequest) (action.EconomyQuote, error)
	Sign(ctx context.Context, community string, r action.SignRequest) (action.Signed, error)
	Estimate(ctx context.Context, community string, w action.Wallet, t action.Type,
		unitIDs []string) (order.Fees, amount.FeeRate, error)
	// TypicalFees returns the current prices of a claim of one reward and of a withdrawal of one stake.
	TypicalFees(ctx context.Context, community string) (claim, withdrawal order.Fees, err error)
	PostCancel(ctx context.Context, community string, w action.Wallet, orderID, statement string) (action.Requested, error)
	SignCancel(ctx context.Context, community string, r action.SignRequest, orderID string) (order.Order, error)
}

// Orders reads and rerates payment orders. Its methods return fault.OrderUnknown for an order of another wallet.
type Orders interface {
	// Orders returns the orders of a wallet, newest first.
	Orders(ctx context.Context, community string, w action.Wallet) ([]OrderView, error)
	// Order returns one order of a wallet.
	Order(ctx context.Context, community string, w action.Wallet, orderID string) (OrderView, error)
	// Payments returns the payments of an order, newest first.
	Payments(ctx context.Context, community string, w action.Wallet, orderID string) ([]order.Payment, error)
	// Rerate gives an order the current fee rate.
	Rerate(ctx context.Context, community string, w action.Wallet, orderID string) (order.Order, error)
	// Wait moves the limit of an economy order that reached it.
	Wait(ctx context.Context, community string, w action.Wallet, orderID string) (order.Order, error)
	// Raise sets the difference by which an economy order becomes a normal one.
	Raise(ctx context.Context, community string, w action.Wallet, orderID string) (order.Order, error)
}

// OneTx makes withdrawals in one transaction, which coins of the payment address pay. key is the payment address's
// public key, or nil.
type OneTx interface {
	// EstimateOneTx returns the price for units. It returns a fault if they can't be withdrawn in one transaction.
	EstimateOneTx(ctx context.Context, r action.OneTxEstimate) (action.OneTxQuote, error)
	// BeginOneTx issues the transaction that the wallet signs for a PENDING order, or for a SENT one to replace its
	// transaction.
	BeginOneTx(ctx context.Context, community string, w action.Wallet, orderID string,
		key []byte) (action.OneTxDraft, error)
	// SendOneTx accepts the last transaction that BeginOneTx issued, signed by the wallet: a PSBT in base64 or hex.
	SendOneTx(ctx context.Context, community string, w action.Wallet, orderID, psbt string) (order.Order, error)
}

// Proofs returns data for verification, in wire format.
type Proofs interface {
	RecoveryKit(ctx context.Context, community string, w action.Wallet) (RecoveryKit, error)
	Reserves(ctx context.Context, community string) (Reserves, error)
}

// Recoveries broadcasts the recovery transactions of stakers.
type Recoveries interface {
	// SendRecovery broadcasts a raw transaction and returns its id. It refuses a transaction that does not recover an
	// output at a stake address of the wallet.
	SendRecovery(ctx context.Context, community string, w action.Wallet, raw []byte) (txid string, err error)
}

// State is the state of the server.
type State interface {
	// Status returns the status with the figures of a community, or without them if community is "".
	Status(ctx context.Context, community string) (Status, error)
	// FeeRates returns current fee rates, fastest first.
	FeeRates(ctx context.Context) []FeeRate
	// MayChange returns an error while the server catches up or is paused.
	MayChange(ctx context.Context) error
	// Ready returns nil if the store responds and the node is fit for payouts. Otherwise it returns a *fault.Error with
	// the reason, or the error of the store.
	Ready(ctx context.Context) error
}

// PushRequest subscribes a browser to a wallet's messages. An action that the caller signed a short time ago shows that
// the wallet is theirs.
type PushRequest struct {
	Wallet              action.Wallet
	ActionID, Signature string
	Endpoint, Key, Auth string // of the browser's PushSubscription
}

// Push keeps the browsers that receive stakers' messages by Web Push.
type Push interface {
	// PushKey returns the public key for subscriptions, base64url, or "" if the messages are off.
	PushKey() string
	IsSubscribed(ctx context.Context, community string, w action.Wallet, endpoint string) (bool, error)
	Subscribe(ctx context.Context, community string, r PushRequest) error
	// Unsubscribe ends every subscription of a browser.
	Unsubscribe(ctx context.Context, endpoint string) error
}

// Services are the domain services that the handler uses.
type Services struct {
	Ledger     Ledger
	Actions    Actions
	Orders     Orders
	Proofs     Proofs
	Recoveries Recoveries
	State      State
	// OneTx makes withdrawals in one transaction; nil if this server doesn't.
	OneTx OneTx
	// OwnCoins reports whether coins of stakers can pay, which requires a coin finder.
	OwnCoins bool
	Push     Push
	// Receipts are the signed receipts of actions and orders; nil if this server signs none.
	Receipts Receipts
	// Statements are the signed statements of settled epochs; nil if this server publishes none.
	Statements Statements
	// RuneOrders is the mint and etch service; nil if this server has none.
	RuneOrders RuneOrders
	// Address returns the canonical form (bech32 in lower case) of an address of the server's network. It returns
	// fault.InvalidAddress or fault.WrongNetwork for any other text.
	Address func(text string) (canonical string, err error)
	// Now returns the time that deadlines are compared with; nil: time.Now.
	Now func() time.Time
}

// Site is one community: its manifest, completed with the id and name of the rune from the chain.
type Site = community.Manifest

// Globals are a community's figures. What a new figure touches, of a community or of a wallet (Totals), is in
// docs/recipes.md.
type Globals struct {
	TotalStaked amount.Runes
	TotalIssued string    // base units; up to 128 bits
	Epoch       int64     // epoch.NotStarted before the genesis
	NextEpoch   time.Time // start of the next epoch
	Notice      string    // FrontNotice of the manifest, or ""
}

// Totals are a wallet's sums by stage, and the sum of all stakes.
type Totals struct {
	PendingStake, Staked, Claimable, PendingUnlock, Unlocked amount.Runes
	AllStaked                                                amount.Runes
}

// CompoundingView is the last instruction that a wallet signed.
type CompoundingView struct {
	Next int64              // the first epoch that an instruction signed now would cover
	Last ledger.Instruction // its ID is "" if there is none
}

// UnitView is a unit and the end of its lock.
type UnitView struct {
	ledger.Unit
	Timeout time.Time // zero if there is no lock
}

// OrderView is the owner's view of an order.
//
// Every call whose response is an order uses the schema Order of openapi.yaml and wireOrder in convert.go. A new field
// that is not stored is added here and computed by orderReader in server/orders.go; a stored one belongs to
// order.Order. docs/recipes.md lists the places of both.
type OrderView struct {
	order.Order
	Refunds []refund.Status // the signed ones, oldest first, then the due one
	Rate    amount.FeeRate  // for the estimated cost of a refund that is not signed yet
	Economy EconomyView     // zero at normal speed
	OneTx   OneTxView       // zero unless its owner signs its transaction
	// SignUntil is when the paid order expires unless its owner signs the delivery; zero if it needs no signature.
	SignUntil time.Time

	PayoutHeight int64 // block of the payout of a SENT order; 0 until it is in one
}

// JournalLine is a numbered posting.
type JournalLine struct {
	Number int64
	ledger.Posting
	PayoutTxid string // of the payout that is the cause, or ""
}

// EpochView is an epoch's account with the epoch's start and end and the number of rewarded owners.
type EpochView struct {
	ledger.Account
	Start, End time.Time
	Owners     int64
}

// EarningView is one wallet's share of a settled epoch.
type EarningView struct {
	EpochView
	Stake, Reward amount.Runes
	Use           ledger.Use
}

// EpochRecord is an epoch with all rewarded units and all rewards.
type EpochRecord struct {
	EpochView
	Inputs  []EpochInput
	Rewards []ledger.Reward
}
