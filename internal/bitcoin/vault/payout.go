package vault

import (
	"errors"
	"fmt"
	"math"

	"github.com/btcsuite/btcd/wire/v2"
	"lukechampine.com/uint128"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/runes"
)

// Sequence is the nSequence of every input that this package builds: without a timelock, and signaling replaceability
// (BIP-125).
const Sequence = 0xfffffffd

// ErrSatsShort is returned if the inputs are worth Missing sats less than the outputs and the fee. Adding an input also
// adds the input's own fee.
type ErrSatsShort struct{ Missing amount.Sats }

func (e *ErrSatsShort) Error() string { return fmt.Sprintf("inputs are %d sats short", e.Missing) }

// ErrRunesShort is returned if the inputs hold Missing base units of Rune less than the deliveries need.
type ErrRunesShort struct {
	Rune    runes.ID
	Missing amount.Runes
}

func (e *ErrRunesShort) Error() string {
	return fmt.Sprintf("inputs are %s base units of rune %s short", e.Missing, e.Rune)
}

// ErrTooMany is returned if the deliveries do not fit in one transaction: Size exceeds Limit, both in Unit. The caller
// retries with fewer orders.
type ErrTooMany struct {
	Deliveries  int
	Size, Limit int64
	Unit        string
}

func (e *ErrTooMany) Error() string {
	return fmt.Sprintf("%d deliveries need %d %s, the limit is %d", e.Deliveries, e.Size, e.Unit, e.Limit)
}

// Delivery is the payout of one order: an amount of a rune on an output of Value sats (546 plus the sats of its units'
// outputs) to the script To. If its payments exceed its price by enough for a refund, Overpayment sats go back to the
// order's payment address, KeptAt. Otherwise Overpayment is 0.
type Delivery struct {
	OrderID     string
	Rune        runes.ID
	Amount      amount.Runes
	To          []byte
	Value       amount.Sats
	Overpayment amount.Sats
	KeptAt      []byte
}

// PayoutPlan describes a payout to build. It spends all Inputs in this order. A fee bump is the same plan with a higher
// rate and, if needed, additional treasury sats, so that all versions conflict with each other. Every input holds Rune
// only, or no rune.
type PayoutPlan struct {
	Inputs     []Coin
	Deliveries []Delivery
	Rune       runes.ID
	RuneChange []byte // script
	SatsChange []byte // script
	FeeRate    amount.FeeRate

	// RuneChangeOutputs is the maximum number of rune change outputs. The treasury has several, so that payouts do not
	// wait for each other. The runestone's size may lower the number. 0 means 1.
	RuneChangeOutputs int
	// MaxRunestone is the maximum size of the runestone script in bytes; 0 means 83.
	MaxRunestone int
	// Version is the transaction version, 2 or 3; 0 means 2.
	Version int32
}

// PayoutCost is the size of the signed transaction in vbytes, and its fee.
type PayoutCost struct {
	VBytes int64
	Fee    amount.Sats
}

// BuildPayout builds the unsigned payout. Its outputs are the deliveries in order, rune change (546 sats each, if runes
// remain), kept overpayments in the order of their deliveries, the runestone, and sats change unless it is dust, which
// goes to the fee. The runestone has one explicit edict per delivery and an explicit pointer to rune change, or to sats
// change if no rune remains, so that unknown runes also go to the treasury.
//
// BuildPayout builds a plan completely or not at all. It returns *ErrRunesShort, *ErrSatsShort or *ErrTooMany, or
// another error for an invalid plan.
func BuildPayout(p PayoutPlan) (*wire.MsgTx, PayoutCost, error) {
	if err := p.check(); err != nil {
		return nil, PayoutCost{}, err
	}
	remaining, err := p.remainingRunes()
	if err != nil {
		return nil, PayoutCost{}, err
	}
	change, err := p.fitChange(remaining)
	if err != nil {
		return nil, PayoutCost{}, err
	}
	tx, cost, err := p.fund(change)
	if err != nil {
		return nil, PayoutCost{}, err
	}
	if cost.VBytes > MaxPayoutVBytes {
		return nil, PayoutCost{}, &ErrTooMany{len(p.Deliveries), cost.VBytes, MaxPayoutVBytes, "vB"}
	}
	return tx, cost, nil
}

func (p PayoutPlan) check() error {
	if len(p.Inputs) == 0 {
		return errors.New("payout: no inputs")
	}
	if len(p.Deliveries) == 0 && p.RuneChangeOutputs < 2 {
		return errors.New("payout: nothing to deliver")
	}
	if p.FeeRate <= 0 {
		return errors.New("payout: fee rate must be positive")
	}
	if p.Version != 0 && p.Version != 2 && p.Version != 3 {
		return fmt.Errorf("payout: transaction version %d", p.Version)
	}
	for _, d := range p.Deliveries {
		if err := d.check(p.Rune); err != nil {
			return fmt.Errorf("payout: order %s: %w", d.OrderID, err)
		}
	}
	if err := checkDistinct(p.Inputs); err != nil {
		return fmt.Errorf("payout: %w", err)
	}
	return checkRunesOfInputs(p.Inputs, p.Rune)
}

func (d Delivery) check(id runes.ID) error {
	switch {
	case d.Rune != id:
		return fmt.Errorf("rune %s in a payout of %s", d.Rune, id)
	case d.Amount <= 0: // an edict of 0 would move the whole unallocated amount
		return errors.New("nothing to deliver")
	case len(d.To) == 0:
		return errors.New("no destination")
	case d.Value < DustSats:
		return fmt.Errorf("output of %d sats, at least %d wanted", d.Value, DustSats)
	case d.Overpayment != 0 && (d.Overpayment < DustSats || len(d.KeptAt) == 0):
		return fmt.Errorf("an overpayment of %d sats is kept nowhere", d.Overpayment)
	}
	return nil
}

// overpaymentOutputs returns the outputs that hold the overpayments of deliveries.
func overpaymentOutputs(deliveries []Delivery) (outs []*wire.TxOut) {
	for _, d := range deliveries {
		if d.Overpayment > 0 {
			outs = append(outs, wire.NewTxOut(int64(d.Overpayment), d.KeptAt))
		}
	}
	return outs
}

// checkRunesOfInputs returns an error if an input holds another rune, or if an input that pays fees holds any rune.
func checkRunesOfInputs(inputs []Coin, id runes.ID) error {
	for _, c := range inputs {
		for _, b := range c.Runes {
			if b.ID != id {
				return fmt.Errorf("payout: output %s holds another rune, %s", c.OutPoint, b.ID)
			}
			if c.Kind != Stake && c.Kind != TreasuryRunes {
				return fmt.Errorf("payout: %s output %s bears runes", c.Kind, c.OutPoint)
			}
		}
	}
	return nil
}

func (p PayoutPlan) remainingRunes() (amount.Runes, error) {
	var have, owed amount.Runes
	for _, c := range p.Inputs {
		n, err := c.RuneAmount(p.Rune)
		if err == nil {
			have, err = have.Add(n)
		}
		if err != nil {
			return 0, err
		}
	}
	for _, d := range p.Deliveries {
		var err error
		if owed, err = owed.Add(d.Amount); err != nil {
			return 0, err
		}
	}
	if have < owed {
		return 0, &ErrRunesShort{Rune: p.Rune, Missing: owed - have}
	}
	return have - owed, nil
}

// fitChange divides the remaining runes into as many outputs as the plan allows and the runestone can encode.
func (p PayoutPlan) fitChange(remaining amount.Runes) ([]amount.Runes, error) {
	if remaining > 0 && len(p.RuneChange) == 0 {
		return nil, errors.New("payout: runes remain and there is no script for rune change")
	}
	limit := p.MaxRunestone
	if limit == 0 {
		limit = DefaultMaxRunestone
	}
	for outputs := max(1, p.RuneChangeOutputs); ; outputs-- {
		change := spread(remaining, outputs)
		script, err := p.runestone(change, true).Script()
		if err != nil {
			return nil, err
		}
		if len(script) <= limit {
			return change, nil
		}
		if outputs == 1 {
			return nil, &ErrTooMany{len(p.Deliveries), int64(len(script)), int64(limit), "bytes of runestone"}
		}
	}
}

// spread divides total into at most n equal parts of at least 1. The first part also gets the remainder. It returns nil
// for a total of 0.
func spread(total amount.Runes, n int) []amount.Runes {
	if total == 0 {
		return nil
	}
	n = int(min(int64(n), int64(total)))
	parts := make([]amount.Runes, n)
	for i := range parts {
		parts[i] = total / amount.Runes(n)
	}
	parts[0] += total % amount.Runes(n)
	return parts
}

// fund adds sats change, or adds it to the fee if it would be dust.
func (p PayoutPlan) fund(change []amount.Runes) (*wire.MsgTx, PayoutCost, error) {
	in, err := inputSats(p.Inputs)
	if err != nil {
		return nil, PayoutCost{}, err
	}
	if len(p.SatsChange) > 0 {
		tx, err := p.template(change, true)
		if err != nil {
			return nil, PayoutCost{}, err
		}
		size := SignedVBytes(tx)
		left := in - outputSats(tx) - p.FeeRate.Fee(size)
		if left >= max(DustSats, chain.Dust(p.SatsChange)) {
			tx.TxOut[len(tx.TxOut)-1].Value = int64(left)
			return tx, PayoutCost{size, p.FeeRate.Fee(size)}, nil
		}
	}
	tx, err := p.template(change, false)
	if err != nil {
		return nil, PayoutCost{}, err
	}
	size := SignedVBytes(tx)
	fee := in - outputSats(tx)
	if missing := p.FeeRate.Fee(size) - fee; missing > 0 {
		return nil, PayoutCost{}, &ErrSatsShort{Missing: missing}
	}
	if len(p.SatsChange) == 0 && fee-p.FeeRate.Fee(size) >= DustSats {
		return nil, PayoutCost{}, errors.New("payout: sats remain and there is no script for sats change")
	}
	return tx, PayoutCost{size, fee}, nil
}

// template returns the transaction with all inputs and outputs. The value of sats change is 0.
func (p PayoutPlan) template(change []amount.Runes, satsChange bool) (*wire.MsgTx, error) {
	tx := wire.NewMsgTx(2)
	if p.Version != 0 {
		tx.Version = p.Version
	}
	for _, c := range p.Inputs {
		tx.AddTxIn(&wire.TxIn{PreviousOutPoint: c.OutPoint, Sequence: Sequence})
	}
	for _, d := range p.Deliveries {
		tx.AddTxOut(wire.NewTxOut(int64(d.Value), d.To))
	}
	for range change {
		tx.AddTxOut(wire.NewTxOut(DustSats, p.RuneChange))
	}
	for _, out := range overpaymentOutputs(p.Deliveries) {
		tx.AddTxOut(out)
	}
	script, err := p.runestone(change, satsChange).Script()
	if err != nil {
		return nil, fmt.Errorf("payout: runestone: %w", err)
	}
	tx.AddTxOut(wire.NewTxOut(0, script))
	if satsChange {
		tx.AddTxOut(wire.NewTxOut(0, p.SatsChange))
	}
	return tx, nil
}

// runestone returns one edict per delivery, one per rune change output except the first, and the pointer. The pointer
// can only name one output, so the other change outputs need edicts.
func (p PayoutPlan) runestone(change []amount.Runes, satsChange bool) runes.Runestone {
	var stone runes.Runestone
	edict := func(n amount.Runes, output int) {
		stone.Edicts = append(stone.Edicts, runes.Edict{ID: p.Rune, Amount: uint128.From64(uint64(n)),
			Output: uint32(output)})
	}
	deliveries := len(p.Deliveries)
	for i, d := range p.Deliveries {
		edict(d.Amount, i)
	}
	for i := 1; i < len(change); i++ {
		edict(change[i], deliveries+i)
	}
	pointer := uint32(deliveries)
	switch {
	case len(change) > 0:
		stone.Pointer = &pointer
	case satsChange:
		pointer += uint32(len(overpaymentOutputs(p.Deliveries))) + 1 // after the runestone output
		stone.Pointer = &pointer
	}
	return stone
}

// FundPayout is BuildPayout with treasury sats: while sats are missing it appends the smallest sufficient outputs of
// spare, which must be confirmed treasury sats. It also returns the plan that it built. If spare is not enough, it
// returns the *ErrSatsShort of the first attempt.
func FundPayout(p PayoutPlan, spare []Coin) (PayoutPlan, *wire.MsgTx, PayoutCost, error) {
	tx, cost, err := BuildPayout(p)
	var short *ErrSatsShort
	if !errors.As(err, &short) {
		return p, tx, cost, err
	}
	// Each added input increases the fee, so each round selects for the fee of one more input.
	need, first := short.Missing, short
	for inputs := int64(1); inputs <= int64(len(spare)); inputs++ {
		chosen, err := SelectSats(spare, need+p.FeeRate.Fee(inputs*InputVBytes(TreasurySats)))
		if err != nil {
			break
		}
		funded := p
		funded.Inputs = append(append([]Coin{}, p.Inputs...), chosen...)
		if tx, cost, err = BuildPayout(funded); !errors.As(err, &short) {
			return funded, tx, cost, err
		}
	}
	return p, nil, PayoutCost{}, first
}

func inputSats(coins []Coin) (total amount.Sats, err error) {
	for _, c := range coins {
		if c.Output.Value < 0 {
			return 0, fmt.Errorf("output %s: negative value", c.OutPoint)
		}
		if total, err = total.Add(amount.Sats(c.Output.Value)); err != nil {
			return 0, err
		}
	}
	return total, nil
}

func outputSats(tx *wire.MsgTx) (total amount.Sats) {
	for _, out := range tx.TxOut {
		total += amount.Sats(out.Value)
	}
	return total
}

// toRunes converts an amount of the rune index to the ledger's integer type.
func toRunes(n uint128.Uint128) (amount.Runes, error) {
	if n.Hi != 0 || n.Lo > math.MaxInt64 {
		return 0, fmt.Errorf("%s base units: %w", n, amount.ErrOverflow)
	}
	return amount.Runes(n.Lo), nil
}
