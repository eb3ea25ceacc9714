package vault

import (
	"errors"
	"fmt"
	"slices"

	"github.com/btcsuite/btcd/txscript/v2"
	"github.com/btcsuite/btcd/wire/v2"
	"lukechampine.com/uint128"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/runes"
)

// Own is the kind of a coin that belongs to the staker and pays for a withdrawal.
// It has no key path: the staker's wallet signs it.
const Own CoinKind = "own"

// MaxOwnCoins is the maximum number of own coins that a withdrawal spends.
const MaxOwnCoins = 20

// oneTxVersion is the transaction version that every wallet signs.
const oneTxVersion = 2

// Weights of the signed inputs of own coins, without strippedInputBytes. ECDSA signatures count as 72 bytes and Schnorr
// signatures as 65 (SIGHASH_ALL), so that no allowed signature makes the fee rate lower than intended.
const (
	witnessKeyWeight  = 1 + 1 + 72 + 1 + 33
	nestedScriptBytes = 1 + 22
	ownTaprootWeight  = 1 + 1 + 65
)

var (
	// ErrOwnScript is returned for a payment address whose coins can't pay in one transaction.
	ErrOwnScript = errors.New("the payment address must be P2WPKH, P2TR or P2SH-P2WPKH")
	// ErrOwnKeyNeeded is returned if the public key of a P2SH address is missing.
	ErrOwnKeyNeeded = errors.New("the public key of the payment address is needed")
)

// ErrCoinsUnavailable is returned if a staker's coins can't be looked up now. The call can be repeated.
var ErrCoinsUnavailable = errors.New("the outputs of the payment address can't be looked up now")

// UnfitCoin is the error for a coin that can't pay. Package coins has the reasons.
type UnfitCoin struct {
	OutPoint wire.OutPoint
	Reason   string
}

func (u *UnfitCoin) Error() string {
	return fmt.Sprintf("output %s can't pay: %s", u.OutPoint, u.Reason)
}

// OneTxPlan describes a withdrawal that its owner signs. It spends the units and the first Must coins, and further
// coins in their order until the sats suffice. All sats except the fee go to the outputs.
type OneTxPlan struct {
	Units []Coin // stakes
	Coins []Coin // payments of the order, then candidates of the kind Own, preferred ones first
	Must  int    // the first Must coins are always spent
	OneTxTargets
	FeeRate amount.FeeRate

	// Least, unless 0, is a lower fee rate: if the sats don't suffice for FeeRate, all of them go to the fee if they
	// suffice for Least.
	Least amount.FeeRate
	// Replaced is the cost of the version that the transaction replaces, or zero. The fee is raised to what nodes
	// require of a replacement (BIP-125).
	Replaced PayoutCost
	// MaxRunestone is the maximum size of the runestone script in bytes; 0 means 83.
	MaxRunestone int
}

// OneTxTargets are the outputs of a withdrawal that its owner signs, besides the runestone.
type OneTxTargets struct {
	Delivery Delivery
	Service  wire.TxOut // the service fee, of an order that payments pay; zero if it is not worth an output
	Change   []byte     // script of the payment address
}

// BuildOneTx builds the unsigned transaction and returns its inputs. Its outputs are the delivery, the runestone, the
// service fee if there is one, and change unless that would be less than 546 sats, which then go to the fee. The edict
// and the pointer of the runestone name the delivery, so that all runes of the inputs go there. It skips coins that
// cost more to spend than their value. It returns *ErrSatsShort with the value that one more coin at the payment
// address would need, *ErrTooMany, or another error for an invalid plan.
func BuildOneTx(p OneTxPlan) (*wire.MsgTx, []Coin, PayoutCost, error) {
	if err := p.check(); err != nil {
		return nil, nil, PayoutCost{}, fmt.Errorf("withdrawal in one transaction: %w", err)
	}
	inputs := slices.Concat(p.Units, p.Coins[:p.Must])
	var rest []Coin
	for _, c := range p.Coins[p.Must:] {
		vbytes := (4*strippedInputBytes + c.signedWeight() + 3) / 4
		if amount.Sats(c.Output.Value) > p.FeeRate.Fee(vbytes) {
			rest = append(rest, c)
		}
	}
	for {
		tx, cost, err := p.fund(inputs)
		short := new(ErrSatsShort)
		switch {
		case err == nil:
			return tx, inputs, cost, nil
		case !errors.As(err, &short) || len(rest) == 0 || countOwn(inputs) == MaxOwnCoins:
			return nil, nil, PayoutCost{}, err
		}
		inputs, rest = append(inputs, rest[0]), rest[1:]
	}
}

func (p OneTxPlan) check() error {
	switch {
	case len(p.Units) == 0 || p.Must < 0 || p.Must > len(p.Coins) || countOwn(p.Coins[:p.Must]) > MaxOwnCoins:
		return errors.New("no units, or an impossible number of coins")
	case p.FeeRate <= 0 || p.Replaced != (PayoutCost{}) && min(p.Replaced.VBytes, int64(p.Replaced.Fee)) <= 0:
		return errors.New("the fee rate and the cost of the replaced version must be positive")
	case p.Delivery.Overpayment != 0:
		return errors.New("an overpayment has no output")
	}
	if err := p.Delivery.check(p.Delivery.Rune); err != nil {
		return err
	}
	if err := checkOwnCoins(p.Coins, p.OneTxTargets); err != nil {
		return err
	}
	var units amount.Runes
	for _, c := range p.Units {
		n, err := c.RuneAmount(p.Delivery.Rune)
		if err == nil {
			units, err = units.Add(n)
		}
		if err != nil {
			return err
		}
		if c.Kind != Stake || !c.holdsOnly(p.Delivery.Rune) {
			return fmt.Errorf("%s is not a stake of the rune alone", c.OutPoint)
		}
	}
	if units != p.Delivery.Amount {
		return fmt.Errorf("%s base units are withdrawn, the units hold %s", p.Delivery.Amount, units)
	}
	return checkDistinct(slices.Concat(p.Units, p.Coins))
}

// checkOwnCoins checks that the coins are payments of the order, then plain coins at the payment address. There are
// none of the latter if it is the ordinals address.
func checkOwnCoins(coins []Coin, targets OneTxTargets) error {
	own := coins[len(coins)-countOwn(coins):]
	for _, c := range coins[:len(coins)-len(own)] {
		switch {
		case c.Kind != Payment || c.OrderID != targets.Delivery.OrderID:
			return fmt.Errorf("%s is neither a payment of the order nor a coin after the payments", c.OutPoint)
		case len(c.Runes) > 0:
			return fmt.Errorf("payment %s holds runes", c.OutPoint)
		}
	}
	switch {
	case len(own) == 0:
		return nil
	case ownType(targets.Change) == "":
		return ErrOwnScript
	case string(targets.Change) == string(targets.Delivery.To):
		return errors.New("the payment address is the ordinals address")
	}
	for _, c := range own {
		switch {
		case c.Kind != Own || len(c.Path) > 0 || string(c.Output.PkScript) != string(targets.Change):
			return fmt.Errorf("%s is not a coin of the payment address", c.OutPoint)
		case len(c.Runes) > 0:
			return fmt.Errorf("coin %s holds runes", c.OutPoint)
		}
	}
	return nil
}

// countOwn returns the number of coins of the kind Own.
func countOwn(coins []Coin) (n int) {
	for _, c := range coins {
		if c.Kind == Own {
			n++
		}
	}
	return n
}

// fund returns the transaction of these inputs, with change unless it would be dust.
func (p OneTxPlan) fund(inputs []Coin) (*wire.MsgTx, PayoutCost, error) {
	in, err := inputSats(inputs)
	if err != nil {
		return nil, PayoutCost{}, err
	}
	tx, err := p.template(inputs)
	if err != nil {
		return nil, PayoutCost{}, err
	}
	size := OneTxVBytes(tx, inputs)
	if size > MaxPayoutVBytes {
		return nil, PayoutCost{}, &ErrTooMany{1, size, MaxPayoutVBytes, "vB"}
	}
	least, err := p.fee(size)
	if err != nil {
		return nil, PayoutCost{}, err
	}
	left := in - p.Delivery.Value - amount.Sats(p.Service.Value)
	if left < least {
		if p.Least > 0 && left >= p.Least.Fee(size) {
			return tx, PayoutCost{size, left}, nil
		}
		more, err := p.fee(size + (4*strippedInputBytes+ownWeight(p.Change)+3)/4)
		if err != nil {
			return nil, PayoutCost{}, err
		}
		return nil, PayoutCost{}, &ErrSatsShort{Missing: more - left}
	}
	outputs := len(tx.TxOut)
	tx.AddTxOut(wire.NewTxOut(0, p.Change))
	changed := OneTxVBytes(tx, inputs)
	fee, err := p.fee(changed)
	if err != nil {
		return nil, PayoutCost{}, err
	}
	if change := left - fee; change >= max(DustSats, chain.Dust(p.Change)) && changed <= MaxPayoutVBytes {
		tx.TxOut[outputs].Value = int64(change)
		return tx, PayoutCost{changed, fee}, nil
	}
	tx.TxOut = tx.TxOut[:outputs]
	return tx, PayoutCost{size, left}, nil
}

// fee returns the fee in sats of a transaction of vbytes. A replacement pays more per vbyte than the version that it
// replaces, and the relay fee of its own size in addition to that version's fee.
func (p OneTxPlan) fee(vbytes int64) (amount.Sats, error) {
	fee := p.FeeRate.Fee(vbytes)
	if p.Replaced.Fee == 0 {
		return fee, nil
	}
	scaled, _, err := amount.MulDiv(int64(p.Replaced.Fee), vbytes, p.Replaced.VBytes)
	return max(fee, amount.Sats(scaled)+1, p.Replaced.Fee+minimumRelay.Fee(vbytes)), err
}

// template returns the transaction without change.
func (p OneTxPlan) template(inputs []Coin) (*wire.MsgTx, error) {
	tx := wire.NewMsgTx(oneTxVersion)
	for _, c := range inputs {
		tx.AddTxIn(&wire.TxIn{PreviousOutPoint: c.OutPoint, Sequence: Sequence})
	}
	var delivery uint32
	script, err := runes.Runestone{
		Edicts: []runes.Edict{{ID: p.Delivery.Rune, Amount: uint128.From64(uint64(p.Delivery.Amount)),
			Output: delivery}},
		Pointer: &delivery,
	}.Script()
	if err != nil {
		return nil, fmt.Errorf("runestone: %w", err)
	}
	limit := p.MaxRunestone
	if limit == 0 {
		limit = DefaultMaxRunestone
	}
	if len(script) > limit {
		return nil, &ErrTooMany{1, int64(len(script)), int64(limit), "bytes of runestone"}
	}
	tx.AddTxOut(wire.NewTxOut(int64(p.Delivery.Value), p.Delivery.To))
	tx.AddTxOut(wire.NewTxOut(0, script))
	if p.Service.Value > 0 {
		tx.AddTxOut(wire.NewTxOut(p.Service.Value, p.Service.PkScript))
	}
	return tx, nil
}

// OneTxVBytes returns the maximum virtual size of a withdrawal that its owner signs after all of its inputs are signed.
// Existing witnesses and signature scripts are ignored.
func OneTxVBytes(tx *wire.MsgTx, inputs []Coin) int64 {
	bare := wire.MsgTx{Version: tx.Version, TxOut: tx.TxOut, LockTime: tx.LockTime}
	for _, in := range tx.TxIn {
		bare.TxIn = append(bare.TxIn, &wire.TxIn{PreviousOutPoint: in.PreviousOutPoint, Sequence: in.Sequence})
	}
	weight := 4*int64(bare.SerializeSizeStripped()) + segwitMarkerWeight
	for _, c := range inputs {
		weight += c.signedWeight()
	}
	return (weight + 3) / 4
}

// signedWeight returns the maximum weight of the signatures of an input.
func (c Coin) signedWeight() int64 {
	switch {
	case c.Kind == Own:
		return ownWeight(c.Output.PkScript)
	case c.Self:
		return togetherWeight
	}
	return keySpendWeight
}

// ownWeight returns the maximum weight of the signature of a coin, by its script.
func ownWeight(script []byte) int64 {
	switch ownType(script) {
	case chain.P2SH:
		return witnessKeyWeight + 4*nestedScriptBytes
	case chain.P2TR:
		return ownTaprootWeight
	}
	return witnessKeyWeight
}

// ownType returns the address type of a script whose coins can pay in one transaction, or "". A P2SH script must
// contain a P2WPKH script, which only its public key shows.
func ownType(script []byte) chain.AddressType {
	switch {
	case txscript.IsPayToWitnessPubKeyHash(script):
		return chain.P2WPKH
	case txscript.IsPayToTaproot(script):
		return chain.P2TR
	case txscript.IsPayToScriptHash(script):
		return chain.P2SH
	}
	return ""
}

// OwnScriptAllowed returns an error if coins of a payment address can't pay in one transaction. key is the public key
// of the address: 33 bytes, for P2TR also 32. A P2SH address needs it. It may be nil for the others. It returns
// ErrOwnScript, ErrOwnKeyNeeded or ErrForeignKey.
func OwnScriptAllowed(script, key []byte) error {
	address := chain.Address{Script: script, Type: ownType(script)}
	switch {
	case address.Type == "":
		return ErrOwnScript
	case address.Type == chain.P2WPKH || address.Type == chain.P2TR && len(key) == 0:
		return nil
	case len(key) == 0:
		return ErrOwnKeyNeeded
	case !address.DerivesFrom(key):
		return ErrForeignKey
	}
	return nil
}
