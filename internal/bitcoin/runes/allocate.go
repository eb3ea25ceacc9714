package runes

import (
	"errors"

	"github.com/btcsuite/btcd/wire/v2"
	"lukechampine.com/uint128"
)

// ErrNoEntries is returned for a transaction that mints if no EntryReader is given to find the rune's terms.
var ErrNoEntries = errors.New("runes: the transaction mints, but there are no entries to look the rune up")

// inputSum sums the runes of a transaction's inputs. It adds a shared list once, however many inputs have it.
type inputSum struct {
	sum    runeAmounts
	shared map[*Balance]sharedInputs // by the address of the first balance
}

type sharedInputs struct {
	list   []Balance
	inputs uint64
}

// add adds the runes of an input. It returns ErrOverflow.
func (s *inputSum) add(h Holding) error {
	if len(h.Shared) > 0 {
		if s.shared == nil {
			s.shared = map[*Balance]sharedInputs{}
		}
		s.shared[&h.Shared[0]] = sharedInputs{h.Shared, s.shared[&h.Shared[0]].inputs + 1}
	}
	for _, b := range h.Own {
		if err := s.sum.add(b.ID, b.Amount); err != nil {
			return err
		}
	}
	return nil
}

// total returns the runes of all inputs. It returns ErrOverflow.
func (s *inputSum) total() (runeAmounts, error) {
	for _, shared := range s.shared {
		for _, b := range shared.list {
			if b.Amount.Cmp(uint128.Max.Div64(shared.inputs)) > 0 {
				return s.sum, ErrOverflow
			}
			if err := s.sum.add(b.ID, b.Amount.Mul64(shared.inputs)); err != nil {
				return s.sum, err
			}
		}
	}
	return s.sum, nil
}

// allocation distributes the runes that enter one transaction over its outputs.
type allocation struct {
	tx          *wire.MsgTx
	unallocated runeAmounts
	outputs     []runeAmounts // one per output, OP_RETURN outputs included
	spendable   []int         // indexes of the outputs that are not OP_RETURN
	each        runeAmounts   // allocated to every spendable output in addition to outputs
}

func isOpReturn(out *wire.TxOut) bool { return len(out.PkScript) > 0 && out.PkScript[0] == opReturn }

// move allocates the amount to an output, or the unallocated amount if that is less.
func (a *allocation) move(id ID, amount uint128.Uint128, output int) {
	left := a.unallocated.of(id)
	amount = minUint128(amount, left)
	if amount.IsZero() {
		return
	}
	a.unallocated.set(id, left.Sub(amount))
	to := &a.outputs[output]
	to.set(id, to.of(id).Add(amount)) // at most the total, so no overflow
}

// applyEdict applies an edict. It does nothing if the rune has no unallocated amount.
func (a *allocation) applyEdict(id ID, amount uint128.Uint128, output uint32) {
	left := a.unallocated.of(id)
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

// split allocates the amount to each spendable output in turn. With amount 0 it divides the unallocated amount evenly;
// the first outputs get one more base unit each until the remainder is used up. It visits the outputs only if it
// allocates the rest of the rune: a transaction can have thousands of outputs, and of edicts that split.
func (a *allocation) split(id ID, amount uint128.Uint128) {
	n := uint64(len(a.spendable))
	if n == 0 {
		return
	}
	even := amount.IsZero()
	left := a.unallocated.of(id)
	all, extra := left.QuoRem64(n) // the largest amount that every output can get
	if even || amount.Cmp(all) <= 0 {
		if even {
			amount = all
		}
		a.each.set(id, a.each.of(id).Add(amount)) // at most the total, so no overflow
		a.unallocated.set(id, left.Sub(amount.Mul64(n)))
		for i := uint64(0); even && i < extra; i++ {
			a.move(id, uint128.From64(1), a.spendable[i])
		}
		return
	}
	for i := 0; !left.IsZero(); i++ {
		a.move(id, amount, a.spendable[i])
		left = a.unallocated.of(id)
	}
}

// holding returns the runes of an output. If each is long, it becomes a shared list of all outputs.
func (a *allocation) holding(output int, each []Balance) Holding {
	if isOpReturn(a.tx.TxOut[output]) {
		return Holding{}
	}
	h := Holding{Own: a.outputs[output].balances(), Shared: each}
	if len(each) >= minShared {
		return h
	}
	return Holding{Own: h.All()}
}

// allocateRest allocates the unallocated amounts to the pointer's output, by default the first spendable one. Without
// either they remain unallocated and are burned.
func (a *allocation) allocateRest(pointer *uint32) {
	var to int
	switch {
	case pointer != nil:
		to = int(*pointer)
	case len(a.spendable) > 0:
		to = a.spendable[0]
	default:
		return
	}
	for id, amount := range a.unallocated.all() {
		a.move(id, amount, to)
	}
}

// burned returns the runes of OP_RETURN outputs and the unallocated runes. The sums fit, because all amounts come from
// the same totals.
func (a *allocation) burned() runeAmounts {
	burned := a.unallocated
	for i, out := range a.tx.TxOut {
		if isOpReturn(out) {
			for id, amount := range a.outputs[i].all() {
				burned.set(id, burned.of(id).Add(amount))
			}
		}
	}
	return burned
}

// allocate distributes unallocated over the outputs of tx. It returns the runes of each output and the burned runes.
// The caller has added mint and premine to unallocated. etched is the id of the rune that tx etches, or nil.
func allocate(
	tx *wire.MsgTx, artifact *Artifact, unallocated runeAmounts, etched *ID,
) (outputs []Holding, burned runeAmounts) {
	outputs = make([]Holding, len(tx.TxOut))
	if artifact != nil && artifact.Cenotaph != nil {
		return outputs, unallocated
	}
	a := allocation{
		tx: tx, unallocated: unallocated, outputs: make([]runeAmounts, len(tx.TxOut)),
		spendable: make([]int, 0, len(tx.TxOut)),
	}
	for i, out := range tx.TxOut {
		if !isOpReturn(out) {
			a.spendable = append(a.spendable, i)
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
			a.applyEdict(id, e.Amount, e.Output)
		}
	}
	a.allocateRest(pointer)
	each := a.each.balances()
	for i := range outputs {
		outputs[i] = a.holding(i, each)
	}
	return outputs, a.burned()
}

// Allocate returns what a transaction would do in a block of the given height: outputs[i] are the runes that output i
// of tx would hold, ordered by id (none for OP_RETURN outputs), and burned the runes that would be burned. inputs
// returns the runes of a spent output. If cenotaph is true, all runes burn. The rune that tx etches is omitted, because
// it has no id before tx is mined.
//
// It returns ErrOverflow if the inputs are impossible, ErrNoEntries if tx mints and entries is nil, and errors of
// entries.
func (r Rules) Allocate(
	tx *wire.MsgTx, inputs func(wire.OutPoint) []Balance, entries EntryReader, height int64,
) (outputs [][]Balance, burned []Balance, cenotaph bool, err error) {
	held, burned, cenotaph, err := r.AllocateHeld(tx, func(out wire.OutPoint) Holding {
		return Holding{Own: inputs(out)}
	}, entries, height)
	if err != nil {
		return nil, nil, cenotaph, err
	}
	outputs = make([][]Balance, len(held))
	for i, h := range held {
		outputs[i] = h.All()
	}
	return outputs, burned, cenotaph, nil
}

// AllocateHeld is Allocate with shared lists.
func (r Rules) AllocateHeld(
	tx *wire.MsgTx, inputs func(wire.OutPoint) Holding, entries EntryReader, height int64,
) (outputs []Holding, burned []Balance, cenotaph bool, err error) {
	var spent inputSum
	for _, in := range tx.TxIn {
		if err := spent.add(inputs(in.PreviousOutPoint)); err != nil {
			return nil, nil, false, err
		}
	}
	unallocated, err := spent.total()
	if err != nil {
		return nil, nil, false, err
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
			if err := unallocated.add(entry.ID, amount); err != nil {
				return nil, nil, false, err
			}
		}
	}
	outputs, lost := allocate(tx, artifact, unallocated, nil)
	return outputs, lost.balances(), artifact != nil && artifact.Cenotaph != nil, nil
}

// mintable returns the entry of a rune and the amount that a mint of it yields at a height, or nil if the mint has no
// effect.
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
