package vault

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/runes"
)

// CoinKind is the branch of a custody output, which determines its use.
type CoinKind string

// The kinds of custody outputs, one per branch.
const (
	Stake         CoinKind = "stake"
	Payment       CoinKind = "payment"
	TreasuryRunes CoinKind = "treasury_runes"
	TreasurySats  CoinKind = "treasury_sats"
)

// Coin is an unspent custody output with everything needed to spend it. Leaf, Delay and Self are set only for stakes:
// the signer recomputes the script from them, which proves the owner.
type Coin struct {
	OutPoint   wire.OutPoint
	Output     wire.TxOut
	Path       KeyPath
	MerkleRoot []byte // 32 bytes for a stake, nil for a BIP-86 output
	Leaf       []byte // staker's x-only key
	Delay      uint32 // blocks
	Self       bool   // a stake in self-custody
	Runes      []runes.Balance
	Kind       CoinKind
	OrderID    string // order of the payment or unit
}

// Coin returns the coin for an output of this stake address.
func (s StakeOutput) Coin(outpoint wire.OutPoint, value amount.Sats, balances []runes.Balance, orderID string) Coin {
	return Coin{
		OutPoint: outpoint, Output: wire.TxOut{Value: int64(value), PkScript: s.Script}, Path: s.Path,
		MerkleRoot: s.MerkleRoot, Leaf: s.Leaf, Delay: s.Delay, Self: s.Self, Runes: balances, Kind: Stake, OrderID: orderID,
	}
}

// OwnerSigns reports whether the output can't be spent without a signature of its owner.
func (c Coin) OwnerSigns() bool { return c.Kind == Own || c.Self }

// Coin returns the coin for an output of a payment or treasury address. orderID determines the address of a payment. It
// returns an error for other kinds.
func (a Account) Coin(
	kind CoinKind, outpoint wire.OutPoint, value amount.Sats, balances []runes.Balance, orderID string,
) (Coin, error) {
	var path KeyPath
	switch kind {
	case Payment:
		path = a.PaymentPath(orderID)
	case TreasuryRunes:
		path = treasuryRunesPath
	case TreasurySats:
		path = treasurySatsPath
	default:
		return Coin{}, fmt.Errorf("coin kind %q has no address of its own", kind)
	}
	script, err := a.keyScript(path)
	if err != nil {
		return Coin{}, err
	}
	return Coin{
		OutPoint: outpoint, Output: wire.TxOut{Value: int64(value), PkScript: script},
		Path: path, Runes: balances, Kind: kind, OrderID: orderID,
	}, nil
}

// CheckCoin recomputes the coin's script from its path, and for a stake from its keys, and compares it with the output.
// It returns an error if they differ or if the kind does not match the branch. Of a coin that is no stake, it returns
// only the script.
func (a Account) CheckCoin(c Coin) (StakeOutput, error) {
	want, err := a.coinOutput(c)
	switch {
	case err != nil:
		return want, fmt.Errorf("output %s: %w", c.OutPoint, err)
	case !bytes.Equal(want.Script, c.Output.PkScript):
		return want, fmt.Errorf("output %s: script is not the one of key path %s", c.OutPoint, c.Path)
	case c.MerkleRoot != nil && !bytes.Equal(want.MerkleRoot, c.MerkleRoot):
		return want, fmt.Errorf("output %s: merkle root is not the one of its leaves", c.OutPoint)
	}
	return want, nil
}

func (a Account) coinOutput(c Coin) (StakeOutput, error) {
	fixed := func(path KeyPath) (StakeOutput, error) {
		if !slices.Equal(c.Path, path) || c.Self {
			return StakeOutput{}, fmt.Errorf("a %s output is not on key path %s", c.Kind, c.Path)
		}
		script, err := a.keyScript(path)
		return StakeOutput{Script: script}, err
	}
	switch c.Kind {
	case Stake:
		if len(c.Path) != 2 || c.Path[0] != BranchStake {
			return StakeOutput{}, fmt.Errorf("a stake output is not on key path %s", c.Path)
		}
		return a.StakeOutput(StakeKeys{c.Path[1], c.Leaf, c.Delay, c.Self})
	case Payment:
		return fixed(a.PaymentPath(c.OrderID))
	case TreasuryRunes:
		return fixed(treasuryRunesPath)
	case TreasurySats:
		return fixed(treasurySatsPath)
	}
	return StakeOutput{}, fmt.Errorf("unknown kind %q", c.Kind)
}

// Outputs returns a function that looks up the outputs of coins by outpoint.
func Outputs(coins []Coin) func(wire.OutPoint) (*wire.TxOut, bool) {
	found := map[wire.OutPoint]*wire.TxOut{}
	for i := range coins {
		found[coins[i].OutPoint] = &coins[i].Output
	}
	return func(out wire.OutPoint) (*wire.TxOut, bool) {
		output, ok := found[out]
		return output, ok
	}
}

// RuneAmount returns the amount of a rune on the coin, in base units. It returns an error if the amount exceeds the
// range of amount.Runes.
func (c Coin) RuneAmount(id runes.ID) (amount.Runes, error) {
	var total amount.Runes
	for _, b := range c.Runes {
		if b.ID != id {
			continue
		}
		n, err := toRunes(b.Amount)
		if err != nil {
			return 0, fmt.Errorf("output %s: %w", c.OutPoint, err)
		}
		if total, err = total.Add(n); err != nil {
			return 0, err
		}
	}
	return total, nil
}

// holdsOnly reports whether the coin holds the given rune and no other.
func (c Coin) holdsOnly(id runes.ID) bool {
	for _, b := range c.Runes {
		if b.ID != id {
			return false
		}
	}
	return len(c.Runes) > 0
}

// SelectTreasury selects treasury rune outputs with at least need base units of the rune in total: the smallest single
// output that suffices, otherwise the largest first. The result does not depend on the order of coins. It skips outputs
// of other kinds and outputs that also hold another rune. The caller passes only confirmed outputs. It returns
// *ErrRunesShort if all of them are not enough.
func SelectTreasury(coins []Coin, id runes.ID, need amount.Runes) ([]Coin, error) {
	var usable []sized
	for _, c := range coins {
		if c.Kind != TreasuryRunes || !c.holdsOnly(id) {
			continue
		}
		n, err := c.RuneAmount(id)
		if err != nil {
			return nil, err
		}
		usable = append(usable, sized{c, int64(n)})
	}
	chosen, missing := choose(usable, int64(need))
	if missing > 0 {
		return nil, &ErrRunesShort{Rune: id, Missing: amount.Runes(missing)}
	}
	return chosen, nil
}

// SelectSats selects treasury sats outputs worth at least need in total, by the rule of SelectTreasury. It skips
// outputs with runes, which never pay fees. It returns *ErrSatsShort if all of them are not enough.
func SelectSats(coins []Coin, need amount.Sats) ([]Coin, error) {
	var usable []sized
	for _, c := range coins {
		if c.Kind == TreasurySats && len(c.Runes) == 0 {
			usable = append(usable, sized{c, c.Output.Value})
		}
	}
	chosen, missing := choose(usable, int64(need))
	if missing > 0 {
		return nil, &ErrSatsShort{Missing: amount.Sats(missing)}
	}
	return chosen, nil
}

type sized struct {
	Coin
	size int64
}

// choose returns the selected coins, or the missing amount if all coins are not enough.
func choose(usable []sized, need int64) (chosen []Coin, missing int64) {
	if need <= 0 {
		return nil, 0
	}
	slices.SortFunc(usable, func(a, b sized) int {
		return cmp.Or(cmp.Compare(b.size, a.size), compareOutPoints(a.OutPoint, b.OutPoint))
	})
	for i := len(usable) - 1; i >= 0; i-- {
		if usable[i].size >= need {
			return []Coin{usable[i].Coin}, 0
		}
	}
	for _, c := range usable {
		chosen = append(chosen, c.Coin)
		if need -= c.size; need <= 0 {
			return chosen, 0
		}
	}
	return nil, need
}

func compareOutPoints(a, b wire.OutPoint) int {
	return cmp.Or(bytes.Compare(a.Hash[:], b.Hash[:]), cmp.Compare(a.Index, b.Index))
}

var errDuplicate = errors.New("an output is spent twice")

func checkDistinct(coins []Coin) error {
	seen := map[wire.OutPoint]bool{}
	for _, c := range coins {
		if seen[c.OutPoint] {
			return fmt.Errorf("%s: %w", c.OutPoint, errDuplicate)
		}
		seen[c.OutPoint] = true
	}
	return nil
}
