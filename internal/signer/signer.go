package signer

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/btcsuite/btcd/btcec/v2"
	"github.com/btcsuite/btcd/txscript/v2"
	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/runes"
	"moonfund/internal/bitcoin/vault"
)

// Policy configures the signer for one account.
type Policy struct {
	Community   string       // name of the community in signed messages
	Prefix      string       // prefix of the community, in its statements
	Rune        runes.ID     // the only rune that the signer delivers
	RunesPerDay amount.Runes // limit of base units in 24 hours
	SatsPerDay  amount.Sats  // limit in 24 hours, without refunds
	ColdAbove   amount.Runes // an order of more requires signing by hand; 0: no limit
	ServiceFee  amount.Sats  // part of the price of every order

	// Refunds count against separate limits, so that refunds and deliveries can't use up each other's limit. The owner
	// is the ordinals address in the order's message.
	RefundSatsPerDay      amount.Sats
	RefundSatsPerOwnerDay amount.Sats
}

// Config configures a signer. It must not come from the server that requests signatures.
type Config struct {
	Network    chain.Network
	Policies   map[uint32]Policy // by account; other accounts are refused
	MaxFee     amount.Sats       // per transaction
	MaxFeeRate amount.FeeRate
	Outflows   Outflows

	// Now returns the time that the 24 hour limits use. While it returns an error, the clock is in doubt and nothing
	// that counts against the limits is signed.
	Now func() (time.Time, error)

	// Paused returns why signing is paused, or "". May be nil.
	Paused func() (why string, err error)

	// Ready returns an error if the signer's own index can't be used now. May be nil.
	Ready func() error

	// Balances returns the runes on an output from the signer's own index. Without it (nil) the amounts in a request
	// are unverified and the signer is stricter: only the first order of a payout may have stakes, and the whole
	// delivery of a payout that spends treasury runes counts against the limit.
	Balances func(context.Context, wire.OutPoint) ([]runes.Balance, error)

	// Untracked reports whether an output may carry a rune that Balances does not follow. Such an output is only
	// returned to its owner. Nil means that every rune is followed.
	Untracked func(context.Context, wire.OutPoint) (bool, error)

	// WithdrawTo are the only addresses to which the operator may withdraw from a treasury. They must not come from the
	// server or from the manifests. AnyWithdrawal accepts every address;
	// set it only where an operator reads every request, never in a running signer.
	WithdrawTo    []string
	AnyWithdrawal bool

	// RuneOrders enables signing for the mint and etch service, which has its own account. May be nil.
	RuneOrders *RuneOrderPolicy

	// Heads stores the last statement that was signed for each account. Nil disables statements.
	Heads Heads

	// Marks stores the high-water mark of the ledger that this key serves. Nil disables the calls for the mark.
	Marks Marks
}

// Signer signs the transactions that its rules allow. It is safe for concurrent use. It handles one request at a time,
// so that two requests cannot both use the remainder of a limit.
type Signer struct {
	mu       sync.Mutex
	keys     *Keys
	config   Config
	allocate vault.Allocate

	withdrawTo [][]byte // scripts of Config.WithdrawTo
}

// New returns a signer, or an error if the configuration would disable a rule.
func New(keys *Keys, c Config) (*Signer, error) {
	switch {
	case keys == nil || c.Outflows == nil || c.Now == nil || c.Network.Params == nil:
		return nil, errors.New("signer: keys, network, outflows and clock are needed")
	case c.MaxFee <= 0 || c.MaxFeeRate <= 0:
		return nil, errors.New("signer: the fee caps must be positive")
	case len(c.Policies) == 0:
		return nil, errors.New("signer: no account is configured")
	}
	for account, p := range c.Policies {
		if p.Community == "" || min(p.RunesPerDay, amount.Runes(p.SatsPerDay)) <= 0 ||
			min(p.RefundSatsPerDay, p.RefundSatsPerOwnerDay) <= 0 {
			return nil, fmt.Errorf("signer: account %d needs a community and positive limits", account)
		}
	}
	withdrawTo, err := parseWithdrawTo(c.WithdrawTo, c.Network)
	if err != nil {
		return nil, err
	}
	return &Signer{keys: keys, config: c, allocate: vault.AllocateBy(runes.RulesFor(c.Network)),
		withdrawTo: withdrawTo}, nil
}

// Order is one order of a payout. Output i of the transaction pays order i.
type Order struct {
	Delivery vault.Delivery
	Units    []wire.OutPoint // stakes that the order spends; none for a claim
	UnitIDs  []string        // all units as in the signed message: "txid:vout" for stakes, other ids for virtual units
	Proof    Proof           // the message that opened the order
	Withdraw bool
	// Raised reports whether the owner of an order with economy delivery paid the difference to the normal price.
	Raised bool `json:",omitempty"`
}

// Refund returns the payments of one order to the payment address in the proof.
type Refund struct {
	OrderID string
	Proof   Proof
}

// Return returns one output that the ledger could not credit, with everything on it, to the ordinals address Owner. For
// a stake address, Owner is the address of the leaf key; for a payment address, Proof must name it.
type Return struct {
	Owner string
	Proof Proof
}

// Request is a transaction to sign and the proof that it is allowed. It is a payout of Orders (none: the treasury
// rearranges its own outputs), a Refund, a Return, a Withdrawal, or a transaction of a RuneOrder. Inputs are the inputs
// of Tx, in order. Change goes to the account's treasury addresses, which the signer derives itself. If the owner of
// the only order signs, too (see vault.Coin.OwnerSigns), Tx has the owner's witnesses and signature scripts, and change
// goes to the payment address in the message.
type Request struct {
	Account uint32
	Tx      *wire.MsgTx
	Inputs  []vault.Coin
	Orders  []Order
	Refund  *Refund
	Return  *Return

	Withdrawal *Withdrawal
	RuneOrder  *vault.RuneOrder // set for the mint and etch service, with Account vault.OrdersAccount
}

// Sign verifies the request and returns a signed copy of its transaction (key path, SIGHASH_DEFAULT; an etching's
// commitment is spent by its script, and a stake in self-custody by the leaf Together; the signatures of its owner are
// kept). The same request results in the same bytes. It returns a *Refusal if a rule rejects the request, and another
// error if the limits or the index cannot be read or written, or if the clock is in doubt.
func (s *Signer) Sign(ctx context.Context, r Request) (*wire.MsgTx, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.checkPause(); err != nil {
		return nil, err
	}
	if r.RuneOrder != nil {
		return s.signRuneOrder(ctx, r)
	}
	c, err := s.open(r)
	if err != nil {
		return nil, err
	}
	if err := c.checkInputs(ctx); err != nil {
		return nil, err
	}
	charged := make([]amount.Runes, 1) // per order; every other request has one charge
	switch {
	case r.isOneTx():
		charged, err = c.checkOneTx()
	case r.Refund != nil:
		err = c.checkRefund()
	case r.Return != nil:
		charged[0], err = c.checkReturn()
	case r.Withdrawal != nil:
		charged[0], err = c.checkWithdrawal()
	case len(r.Orders) > 0:
		charged, err = c.checkPayout()
	default:
		_, err = c.checkPayout()
	}
	if err != nil {
		return nil, err
	}
	sats, err := c.checkSats()
	if err != nil {
		return nil, err
	}
	// Charge the limit before signing: a crash in between only wastes part of the limit.
	if err := s.charge(c, charged, sats); err != nil {
		return nil, err
	}
	return c.sign()
}

func (s *Signer) checkPause() error {
	if s.config.Paused == nil {
		return nil
	}
	why, err := s.config.Paused()
	if err != nil {
		return err
	}
	if why != "" {
		return refuse(Paused, "%s", why)
	}
	return nil
}

// Ready returns an error if the signer signs nothing now: it is paused, its clock or its index can't be used, or the
// record of the last 24 hours is missing.
func (s *Signer) Ready(context.Context) error {
	if err := s.checkPause(); err != nil {
		return err
	}
	if s.config.Ready != nil {
		if err := s.config.Ready(); err != nil {
			return err
		}
	}
	if _, err := s.config.Now(); err != nil {
		return fmt.Errorf("signer: clock: %w", err)
	}
	_, err := s.config.Outflows.Load()
	return err
}

// charge returns a *Refusal if the outflows exceed a limit, and stores them otherwise.
func (s *Signer) charge(c *check, charged []amount.Runes, sats amount.Sats) error {
	now, err := s.config.Now()
	if err != nil {
		return fmt.Errorf("signer: clock: %w", err)
	}
	kept, err := s.config.Outflows.Load()
	if errors.Is(err, ErrOutflowsLost) {
		return refuse(LimitsLost, "%v", err)
	}
	if err != nil {
		return fmt.Errorf("signer: limits: %w", err)
	}
	all := record(kept, c.outflows(charged, sats, now.UTC()), now)
	if err := c.checkLimits(all); err != nil {
		return err
	}
	if err := s.config.Outflows.Store(all); err != nil {
		return fmt.Errorf("signer: limits: %w", err)
	}
	return nil
}

// checkLimits compares the outflows of the last 24 hours, this request's included, with the limits that this request
// counts against.
func (c *check) checkLimits(all []Outflow) error {
	used, err := sum(all, c.request.Account, c.refundOwner)
	limits, refund := c.policy, c.refundOwner != ""
	switch {
	case err != nil:
		return refuse(OverLimit, "%v", err)
	case refund && used.ownerRefunds > limits.RefundSatsPerOwnerDay:
		return refuse(OverLimit, "%d sats of refunds to %s in 24 hours, the limit is %d", used.ownerRefunds, c.refundOwner,
			limits.RefundSatsPerOwnerDay)
	case refund && used.refunds > limits.RefundSatsPerDay:
		return refuse(OverLimit, "%d sats of refunds in 24 hours, the limit is %d", used.refunds, limits.RefundSatsPerDay)
	case !refund && used.runes > limits.RunesPerDay:
		return refuse(OverLimit, "%s base units in 24 hours, the limit is %s", used.runes, limits.RunesPerDay)
	case !refund && used.sats > limits.SatsPerDay:
		return refuse(OverLimit, "%d sats in 24 hours, the limit is %d", used.sats, limits.SatsPerDay)
	}
	return nil
}

// outflows divides a transaction's outflow among its orders. Each entry has the order's own inputs, its payments and
// stakes, because a retry spends them again even if its treasury inputs differ. The sats are divided by number of
// inputs, rounded up. A transaction without orders is one outflow with all of its inputs.
func (c *check) outflows(charged []amount.Runes, sats amount.Sats, at time.Time) []Outflow {
	all := make([]Outflow, len(charged))
	for i, runes := range charged {
		all[i] = Outflow{At: at, Account: c.request.Account, RefundOwner: c.refundOwner, Runes: runes, Sats: sats}
	}
	if len(c.request.Orders) == 0 {
		for _, coin := range c.inputs {
			all[0].Inputs = append(all[0].Inputs, coin.OutPoint.String())
		}
		return all
	}
	var owned amount.Sats
	for _, coin := range c.inputs {
		if i := c.orderOf(coin); i >= 0 {
			all[i].Inputs = append(all[i].Inputs, coin.OutPoint.String())
			owned++
		}
	}
	for i := range all {
		all[i].Sats = (sats*amount.Sats(len(all[i].Inputs)) + owned - 1) / owned
	}
	return all
}

// orderOf returns the index of the order whose payment or stake the input is, or -1 for a treasury input.
func (c *check) orderOf(coin vault.Coin) int {
	return slices.IndexFunc(c.request.Orders, func(o Order) bool {
		return coin.Kind == vault.Payment && coin.OrderID == o.Delivery.OrderID ||
			coin.Kind == vault.Stake && slices.Contains(o.Units, coin.OutPoint)
	})
}

// sign signs every input and then runs checkScripts.
func (c *check) sign() (*wire.MsgTx, error) {
	tx := c.request.Tx.Copy()
	previous := map[wire.OutPoint]*wire.TxOut{}
	for _, coin := range c.inputs {
		previous[coin.OutPoint] = &coin.Output
	}
	fetcher := txscript.NewMultiPrevOutFetcher(previous)
	hashes := txscript.NewTxSigHashes(tx, fetcher)
	for i, coin := range c.inputs {
		if coin.Kind == vault.Own {
			continue // signed by its owner, and verified
		}
		key, err := private(c.key, coin.Path)
		if err != nil {
			return nil, err
		}
		witness, err := c.witness(tx, hashes, i, key)
		key.Zero()
		if err != nil {
			return nil, fmt.Errorf("signer: input %d: %w", i, err)
		}
		tx.TxIn[i].Witness = witness
	}
	if err := checkScripts(tx, c.inputs, hashes, fetcher); err != nil {
		return nil, err
	}
	return tx, nil
}

// witness signs an input. Of a stake in self-custody, it completes the owner's witness.
func (c *check) witness(tx *wire.MsgTx, hashes *txscript.TxSigHashes, i int, key *btcec.PrivateKey) (wire.TxWitness,
	error) {
	coin := c.inputs[i]
	if !coin.Self {
		signature, err := txscript.RawTxInTaprootSignature(tx, hashes, i, coin.Output.Value, coin.Output.PkScript,
			coin.MerkleRoot, txscript.SigHashDefault, key)
		return wire.TxWitness{signature}, err
	}
	output, err := c.account.CheckCoin(coin)
	if err != nil {
		return nil, err
	}
	signature, err := txscript.RawTxInTapscriptSignature(tx, hashes, i, coin.Output.Value, coin.Output.PkScript,
		txscript.NewBaseTapLeaf(output.Together.Script), txscript.SigHashDefault, key)
	return append(wire.TxWitness{signature}, tx.TxIn[i].Witness...), err
}

// checkScripts verifies the script of every input by the consensus rules and the standardness rules. It returns a
// *Refusal with the reason BadSignature if one fails.
func checkScripts(
	tx *wire.MsgTx, inputs []vault.Coin, hashes *txscript.TxSigHashes, fetcher txscript.PrevOutputFetcher,
) error {
	for i, coin := range inputs {
		engine, err := txscript.NewEngine(coin.Output.PkScript, tx, i, txscript.StandardVerifyFlags, nil,
			hashes, coin.Output.Value, fetcher)
		if err == nil {
			err = engine.Execute()
		}
		if err != nil {
			return refuse(BadSignature, "input %d: %v", i, err)
		}
	}
	return nil
}
