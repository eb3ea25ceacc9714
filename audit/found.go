package audit

import (
	"iter"
	"math"

	"github.com/btcsuite/btcd/chainhash/v2"
	"github.com/btcsuite/btcd/wire/v2"
	"lukechampine.com/uint128"

	"moonfund/chain"
	"moonfund/runes"
)

// found is an output at one of our scripts, with its spend.
type found struct {
	purpose
	txid        string
	vout        int64
	script      script
	value       int64
	height      int64
	coinbase    bool
	balances    []runes.Balance
	spentBy     string // txid, "" while unspent
	spentHeight int64
	keyPath     bool // spent with one signature of the key itself
	stray       bool // it may bear runes that are not followed
}

// script is an output script of at most 34 bytes, as all addresses have, behind
// its length; of a longer one, which nobody was given, its mark.
type script [35]byte

const longScript = 255

func scriptOf(pkScript []byte) (s script) {
	if s[0] = byte(len(pkScript)); len(pkScript) < len(s) {
		copy(s[1:], pkScript)
		return s
	}
	long := scriptMark(pkScript)
	s[0] = longScript
	copy(s[1:], long[:])
	return s
}

func (s script) mark() mark {
	if s[0] == longScript {
		return mark(s[1:])
	}
	return scriptMark(s[1 : 1+s[0]])
}

// address is what the script was handed out as.
func (s script) address(n chain.Network) string {
	if s[0] == longScript {
		return ""
	}
	address, _ := chain.AddressFromScript(s[1:1+s[0]], n)
	return address.Text
}

// outputs are all that were found, packed as rows are: a server keeps them.
type outputs struct {
	purposes numbered[purpose]
	runes    numbered[runes.ID]
	spends   numbered[chainhash.Hash]
	rows     map[wire.OutPoint]packedOutput
	several  map[wire.OutPoint][]runes.Balance // of those that hold more than one rune, or very much
}

type packedOutput struct {
	value               int64
	amount              uint64 // of its only rune, 0 when it holds none
	purpose, rune       uint32
	height, spentHeight int32
	spentBy             uint32
	script              script
	flags               byte
}

const (
	coinbaseFlag = 1 << iota
	keyPathFlag
	strayFlag
	spentFlag
	severalFlag
)

func newOutputs() *outputs {
	return &outputs{rows: map[wire.OutPoint]packedOutput{}, several: map[wire.OutPoint][]runes.Balance{}}
}

// put takes in an output that no transaction spends yet.
func (o *outputs) put(point wire.OutPoint, f found) {
	delete(o.several, point)
	p := packedOutput{
		value: f.value, purpose: o.purposes.number(f.purpose), height: int32(f.height), spentHeight: chain.None, script: f.script,
		flags: flag(f.coinbase, coinbaseFlag) | flag(f.stray, strayFlag),
	}
	switch held := f.balances; {
	case len(held) == 1 && held[0].Amount.Hi == 0 && held[0].Amount.Lo > 0:
		p.rune, p.amount = o.runes.number(held[0].ID), held[0].Amount.Lo
	case len(held) > 0:
		o.several[point] = held
		p.flags |= severalFlag
	}
	o.rows[point] = p
}

func flag(set bool, bit byte) byte {
	if set {
		return bit
	}
	return 0
}

// at returns what was found at an outpoint, nil for nothing.
func (o *outputs) at(text string) *found {
	point, plain := pointOf(text)
	row, exists := o.rows[point]
	if !plain || !exists {
		return nil
	}
	f := o.unpack(point, row)
	return &f
}

func (o *outputs) all() iter.Seq2[string, found] {
	return func(yield func(string, found) bool) {
		for point, row := range o.rows {
			if !yield(textOf(point), o.unpack(point, row)) {
				return
			}
		}
	}
}

func (o *outputs) unpack(point wire.OutPoint, p packedOutput) found {
	f := found{
		purpose: o.purposes.at(p.purpose), txid: point.Hash.String(), vout: int64(point.Index), script: p.script, value: p.value,
		height: int64(p.height), coinbase: p.flags&coinbaseFlag != 0, spentHeight: int64(p.spentHeight),
		keyPath: p.flags&keyPathFlag != 0, stray: p.flags&strayFlag != 0,
	}
	if p.flags&severalFlag != 0 {
		f.balances = o.several[point]
	} else if p.amount > 0 {
		f.balances = []runes.Balance{{ID: o.runes.at(p.rune), Amount: uint128.From64(p.amount)}}
	}
	if p.flags&spentFlag != 0 {
		f.spentBy = o.spends.at(p.spentBy).String()
	}
	return f
}

// spend notes who spends an output, if it was found; it reports whether it was.
func (o *outputs) spend(in *wire.TxIn, by chainhash.Hash, height int64) bool {
	p, ours := o.rows[in.PreviousOutPoint]
	if ours {
		p.spentBy, p.spentHeight = o.spends.number(by), int32(height)
		p.flags = p.flags&^keyPathFlag | spentFlag | flag(keyPath(in.Witness), keyPathFlag)
		o.rows[in.PreviousOutPoint] = p
	}
	return ours
}

// undo takes back what the block of a height made and spent.
func (o *outputs) undo(height int64) {
	for point, p := range o.rows {
		if int64(p.height) == height {
			delete(o.rows, point)
			delete(o.several, point)
		} else if int64(p.spentHeight) == height {
			p.spentBy, p.spentHeight, p.flags = 0, chain.None, p.flags&^(keyPathFlag|spentFlag)
			o.rows[point] = p
		}
	}
}

// keyPath tells a taproot key-path spend, with or without an annex, from a script-path spend (BIP-341).
func keyPath(w wire.TxWitness) bool {
	const annex = 0x50
	return len(w) == 1 || (len(w) == 2 && len(w[1]) > 0 && w[1][0] == annex)
}

// held returns how much of a rune the balances hold, and whether any other.
func held(balances []runes.Balance, id runes.ID) (amount uint128.Uint128, foreign bool) {
	for _, b := range balances {
		if b.ID == id {
			amount = b.Amount
		} else {
			foreign = true
		}
	}
	return amount, foreign
}

// credit says how much of its community's rune an output holds, whether the
// ledger may credit it, and whether that is sure without the community's minimum.
func (a *auditor) credit(o *found) (base int64, creditable, sure bool) {
	amount, foreign := held(o.balances, a.runeOf(o.community))
	if amount.Hi != 0 || amount.Lo > math.MaxInt64 {
		return 0, false, true
	}
	base = int64(amount.Lo)
	switch {
	case o.stray || foreign || (o.kind == "stake" && base == 0):
		return base, false, true
	case o.kind != "stake":
		return base, o.kind != "payment" || base == 0, true
	}
	minimum, known := a.MinimumStake[o.community]
	return base, base >= int64(minimum), known
}
