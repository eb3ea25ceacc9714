package runes

import (
	"errors"
	"slices"

	"github.com/btcsuite/btcd/wire/v2"
	"lukechampine.com/uint128"
)

// ErrNoEntries is returned when a transaction mints and no entries were given to look the rune up.
var ErrNoEntries = errors.New("runes: the transaction mints, but there are no entries to look the rune up")

// purse holds amounts by rune.
type purse map[ID]uint128.Uint128

// add puts an amount in. It returns ErrOverflow.
func (p purse) add(id ID, amount uint128.Uint128) error {
	total, fits := sum(p[id], amount)
	if !fits {
		return ErrOverflow
	}
	p[id] = total
	return nil
}

// balances returns what the purse holds, ordered by id, without zeros.
func (p purse) balances() []Balance {
	var balances []Balance
	for id, amount := range p {
		if !amount.IsZero() {
			balances = append(balances, Balance{ID: id, Amount: amount})
		}
	}
	slices.SortFunc(balances, func(a, b Balance) int { return a.ID.Compare(b.ID) })
	return balances
}

// allocation spreads the runes that enter one transaction over its outputs.
type allocation struct {
	tx      *wire.MsgTx
	free    purse   // not allocated yet
	outputs []purse // by output, OP_RETURN outputs too; nil where nothing went
	keeping []int   // outputs that are no OP_RETURN
}

func burns(out *wire.TxOut) bool { return len(out.PkScript) > 0 && out.PkScript[0] == opReturn }

// move gives an output at most amount of what is free.
func (a *allocation) move(id ID, amount uint128.Uint128, output int) {
	amount = least(amount, a.free[id])
	if amount.IsZero() {
		return
	}
	if a.outputs[output] == nil {
		a.outputs[output] = purse{}
	}
	a.free[id] = a.free[id].Sub(amount)
	a.outputs[output][id] = a.outputs[output][id].Add(amount) // a part of what was free, it fits
}

// edict carries out one edict on a rune that is free in some amount.
func (a *allocation) edict(id ID, amount uint128.Uint128, output uint32) {
	left := a.free[id]
	switch {
	case left.IsZero():
	case int(output) < len(a.outputs):
		if amount.IsZero() {
			amount = left
		}
		a.move(id, amount, int(output))
	default:
		a.split(id, amount)
	}
}

// split gives the amount to each output that is no OP_RETURN, or with amount 0
// divides what is left evenly, the first outputs taking one more of the rest.
func (a *allocation) split(id ID, amount uint128.Uint128) {
	to := a.keeping
	if len(to) == 0 {
		return
	}
	var more uint64
	even := amount.IsZero()
	if even {
		amount, more = a.free[id].QuoRem64(uint64(len(to)))
	}
	for i, output := range to {
		share := amount
		if even && uint64(i) < more {
			share = share.Add64(1)
		}
		a.move(id, share, output)
	}
}

// rest gives what is left to the pointer's output, or else to the first that is
// no OP_RETURN. Without either it stays free, to be burned.
func (a *allocation) rest(pointer *uint32) {
	var to int
	switch {
	case pointer != nil:
		to = int(*pointer)
	case len(a.keeping) > 0:
		to = a.keeping[0]
	default:
		return
	}
	for id, amount := range a.free {
		a.move(id, amount, to)
	}
}

// burned takes what went to OP_RETURN outputs, and what is still free, out of
// the allocation and returns it. Amounts of one rune fit: they were free together.
func (a *allocation) burned() purse {
	burned := a.free
	for i, out := range a.tx.TxOut {
		if burns(out) {
			for id, amount := range a.outputs[i] {
				burned[id] = burned[id].Add(amount)
			}
			a.outputs[i] = nil
		}
	}
	return burned
}

// allocate spreads free over the outputs of tx and returns each output's purse
// and what burns. Mint and premine are in free already; etched is the id of the
// rune that tx etches, nil when it etches none.
func allocate(tx *wire.MsgTx, artifact *Artifact, free purse, etched *ID) (outputs []purse, burned purse) {
	a := allocation{tx: tx, free: free, outputs: make([]purse, len(tx.TxOut))}
	if artifact != nil && artifact.Cenotaph != nil {
		return a.outputs, free
	}
	for i, out := range tx.TxOut {
		if !burns(out) {
			a.keeping = append(a.keeping, i)
		}
	}
	var pointer *uint32
	if artifact != nil {
		stone := artifact.Runestone
		pointer = stone.Pointer
		for _, e := range stone.Edicts {
			id := e.ID
			if id == (ID{}) {
				if etched == nil {
					continue
				}
				id = *etched
			}
			a.edict(id, e.Amount, e.Output)
		}
	}
	a.rest(pointer)
	return a.outputs, a.burned()
}

// Allocate returns what a transaction would do in a block of the given height:
// outputs[i] are the runes that output i of tx would hold, ordered by id (none on
// OP_RETURN outputs), and burned those that would be lost. inputs tells the runes
// of each spent output. With cenotaph everything burns. A rune that tx itself
// etches has no id before it is mined and is left out.
//
// It returns ErrOverflow when the inputs can't be true, ErrNoEntries when tx mints
// and entries is nil, and errors of entries.
func (r Rules) Allocate(tx *wire.MsgTx, inputs func(wire.OutPoint) []Balance, entries EntryReader, height int64) (outputs [][]Balance, burned []Balance, cenotaph bool, err error) {
	free := purse{}
	for _, in := range tx.TxIn {
		for _, b := range inputs(in.PreviousOutPoint) {
			if err := free.add(b.ID, b.Amount); err != nil {
				return nil, nil, false, err
			}
		}
	}
	artifact := Decipher(tx)
	if artifact != nil && artifact.mint() != nil && height >= r.FirstHeight {
		if entries == nil {
			return nil, nil, false, ErrNoEntries
		}
		entry, amount, err := r.mintable(entries, *artifact.mint(), height)
		if err != nil {
			return nil, nil, false, err
		}
		if entry != nil {
			if err := free.add(entry.ID, amount); err != nil {
				return nil, nil, false, err
			}
		}
	}
	purses, lost := allocate(tx, artifact, free, nil)
	outputs = make([][]Balance, len(purses))
	for i, p := range purses {
		outputs[i] = p.balances()
	}
	return outputs, lost.balances(), artifact != nil && artifact.Cenotaph != nil, nil
}

// mintable returns the entry of a rune and what a mint of it yields at a height,
// or nil when the mint has no effect.
func (r Rules) mintable(entries EntryReader, id ID, height int64) (*Entry, uint128.Uint128, error) {
	if !r.follows(id) {
		return nil, uint128.Zero, nil
	}
	entry, found, err := entries.RuneEntry(id)
	if err != nil || !found {
		return nil, uint128.Zero, err
	}
	amount, refusal := entry.Mintable(height)
	if refusal != nil {
		return nil, uint128.Zero, nil
	}
	return &entry, amount, nil
}
