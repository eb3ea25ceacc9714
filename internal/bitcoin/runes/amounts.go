package runes

import (
	"iter"
	"slices"

	"lukechampine.com/uint128"
)

// fewRunes is the number of runes up to which runeAmounts are a list. Nearly all transactions have one or two runes,
// for which a map takes several times as long. A transaction can have thousands, for which a list would take time
// proportional to their square.
const fewRunes = 8

// runeAmounts are amounts of runes in base units. The zero value has none.
type runeAmounts struct {
	few  []Balance              // in no particular order
	many map[ID]uint128.Uint128 // nil: all of them are in few
}

// of returns the amount of a rune.
func (p *runeAmounts) of(id ID) uint128.Uint128 {
	if p.many != nil {
		return p.many[id]
	}
	for i := range p.few {
		if p.few[i].ID == id {
			return p.few[i].Amount
		}
	}
	return uint128.Zero
}

// set sets the amount of a rune.
func (p *runeAmounts) set(id ID, amount uint128.Uint128) {
	if p.many != nil {
		p.many[id] = amount
		return
	}
	for i := range p.few {
		if p.few[i].ID == id {
			p.few[i].Amount = amount
			return
		}
	}
	if len(p.few) < fewRunes {
		p.few = append(p.few, Balance{id, amount})
		return
	}
	p.many = map[ID]uint128.Uint128{id: amount}
	for _, b := range p.few {
		p.many[b.ID] = b.Amount
	}
	p.few = nil
}

// add adds an amount. It returns ErrOverflow.
func (p *runeAmounts) add(id ID, amount uint128.Uint128) error {
	total, fits := sum(p.of(id), amount)
	if !fits {
		return ErrOverflow
	}
	p.set(id, total)
	return nil
}

// isEmpty reports whether no amount was set.
func (p *runeAmounts) isEmpty() bool { return len(p.few) == 0 && len(p.many) == 0 }

// all yields the amounts in no particular order. The loop may set amounts of these runes.
func (p *runeAmounts) all() iter.Seq2[ID, uint128.Uint128] {
	return func(yield func(ID, uint128.Uint128) bool) {
		for _, b := range p.few {
			if !yield(b.ID, b.Amount) {
				return
			}
		}
		for id, amount := range p.many {
			if !yield(id, amount) {
				return
			}
		}
	}
}

// balances returns the non-zero amounts, ordered by id.
func (p *runeAmounts) balances() []Balance {
	var balances []Balance
	for id, amount := range p.all() {
		if !amount.IsZero() {
			balances = append(balances, Balance{ID: id, Amount: amount})
		}
	}
	slices.SortFunc(balances, func(a, b Balance) int { return a.ID.Compare(b.ID) })
	return balances
}
