package etching

import (
	"errors"
	"strconv"

	"lukechampine.com/uint128"

	"moonfund/internal/bitcoin/runes"
	"moonfund/internal/bitcoin/vault"
	"moonfund/internal/fault"
)

// feasible returns an error if an order cannot be carried out in the block after the tip. It uses the same index and
// rules as the later check of the result.
func (s *Service) feasible(index runes.Store, store Store, o Order, tip int64) error {
	if o.Kind == Mint {
		return s.mintable(index, o.RuneOrder, tip)
	}
	busy, err := store.Orders.NameBusy(o.Etch.Etching.Name.String(), o.ID)
	if err != nil {
		return err
	}
	if busy {
		return fault.Reject(fault.RuneNameBusy, o.RuneName)
	}
	return s.etchable(index, o.RuneOrder, tip)
}

// mintable checks that every mint of the order is open in the next block.
func (s *Service) mintable(index runes.Store, o vault.RuneOrder, tip int64) error {
	entry, found, err := index.RuneEntry(o.Mint.Rune)
	if err != nil {
		return err
	}
	name := o.Mint.Rune.String()
	if !found || nextHeight(tip) < s.Rules.FirstHeight {
		return fault.Reject(fault.RuneUnknown, name)
	}
	name = entry.SpacedName().String()
	if _, refusal := entry.Mintable(nextHeight(tip)); refusal != nil {
		return notMintable(name, refusal)
	}
	if entry.Terms.Amount == nil || entry.Terms.Amount.IsZero() {
		return fault.Reject(fault.RuneMintEmpty, name)
	}
	left := entry.Terms.Cap.Sub(entry.Mints) // the rune is mintable, so the cap exceeds the mints
	if left.Cmp64(uint64(o.Mint.Repeats)) < 0 {
		return fault.Reject(fault.RuneMintsLeft, left.String(), name)
	}
	return nil
}

// notMintable returns the error for a rune that can't be minted now. refusal is the index's reason.
func notMintable(name string, refusal error) error {
	sentence := fault.RuneNotMintable
	switch {
	case errors.Is(refusal, runes.ErrMintNotBegun):
		sentence = fault.RuneMintNotBegun
	case errors.Is(refusal, runes.ErrMintOver):
		sentence = fault.RuneMintOver
	case errors.Is(refusal, runes.ErrMintCap):
		sentence = fault.RuneMintedOut
	}
	return fault.Reject(sentence, name).Because(refusal)
}

// etchable checks that the name is free and unlocked in the first block that can contain the reveal, assuming that the
// commitment is in the next block.
func (s *Service) etchable(index runes.Store, o vault.RuneOrder, tip int64) error {
	e := o.Etch.Etching
	name := spaced(e)
	if e.Name.Reserved() {
		return fault.Reject(fault.RuneNameReserved, name)
	}
	reveal := nextHeight(tip) + runes.CommitConfirmations - 1
	if least := s.Rules.MinimumName(reveal); reveal < s.Rules.FirstHeight || e.Name.Cmp(least) < 0 {
		return fault.Reject(fault.RuneNameLocked, name, reveal, least.String())
	}
	entry, taken, err := index.RuneEntryByName(*e.Name)
	if err != nil {
		return err
	}
	if taken {
		return fault.Reject(fault.RuneNameTaken, name, entry.ID.String())
	}
	return nil
}

func spaced(e runes.Etching) string {
	name := runes.SpacedName{Name: *e.Name}
	if e.Spacers != nil {
		name.Spacers = *e.Spacers
	}
	return name.String()
}

// checkEffect returns a problem if the order's confirmed last transaction did not have the ordered effect.
func (s *Service) checkEffect(index runes.Store, o Order, last Tx) (problem error, err error) {
	if o.Kind == Etch {
		entry, found, err := index.RuneEntryByName(*o.Etch.Etching.Name)
		if err != nil {
			return nil, err
		}
		if !found || entry.Etching != last.ID {
			return fault.Reject(fault.RuneEtchedByOther, o.RuneName), nil
		}
		return nil, nil
	}
	entry, found, err := index.RuneEntry(o.Mint.Rune)
	if err != nil || !found || entry.Terms == nil || entry.Terms.Amount == nil || entry.Terms.Amount.IsZero() {
		return fault.Reject(fault.RunePartly, "0", o.Mint.Repeats), err
	}
	had := last.RunesReceived.Div(*entry.Terms.Amount)
	if had.Cmp(uint128.From64(uint64(o.Mint.Repeats))) < 0 {
		return fault.Reject(fault.RunePartly, strconv.FormatUint(had.Lo, 10), o.Mint.Repeats), nil
	}
	return nil, nil
}
