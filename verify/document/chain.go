package document

import (
	"errors"
	"fmt"
)

// ErrFork means that two different statements have the same sequence: the operator published two histories.
var ErrFork = errors.New("two different statements have the same sequence")

// Follows returns an error unless s is the successor of the statement before it. The error is ErrFork if both are
// signed for the same place.
func (s Signed) Follows(before Signed) error {
	switch {
	case s.Key != before.Key:
		return fmt.Errorf("statement %d is signed by the key %s, the one before by %s", s.Sequence, s.Key, before.Key)
	case s.Network != before.Network || s.Community != before.Community || s.Rune != before.Rune:
		return fmt.Errorf("statement %d is of %s (%s, rune %s), the one before of %s (%s, rune %s)", s.Sequence,
			s.Community, s.Network, s.Rune, before.Community, before.Network, before.Rune)
	case s.Sequence == before.Sequence && s.ID != before.ID:
		return fmt.Errorf("statement %d: %w, %s and %s", s.Sequence, ErrFork, before.ID, s.ID)
	case s.Sequence != before.Sequence+1:
		return fmt.Errorf("statement %d is missing: statement %d comes after statement %d", before.Sequence+1,
			s.Sequence, before.Sequence)
	case s.Previous != before.ID:
		return fmt.Errorf("statement %d names %s as the one before, not %s: it continues another history",
			s.Sequence, s.Previous, before.ID)
	case s.Epoch != before.Epoch+1:
		return fmt.Errorf("statement %d is of epoch %d, the one before of epoch %d", s.Sequence, s.Epoch, before.Epoch)
	case s.Start != before.End:
		return fmt.Errorf("statement %d: its epoch does not start when the one before ends", s.Sequence)
	case s.Cut.Height < before.Cut.Height || (s.Cut.Height == before.Cut.Height && s.Cut.Hash != before.Cut.Hash):
		return fmt.Errorf("statement %d: its epoch's last block %d (%s) can't be after block %d (%s)", s.Sequence,
			s.Cut.Height, s.Cut.Hash, before.Cut.Height, before.Cut.Hash)
	}
	return nil
}
