package verify

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"

	"moonfund/internal/signed/statement"
)

// Chain verifies the whole chain of statements at the places, from the first statement on. A place is a file, a folder
// or the address of a server's statements. community selects the files of a folder; head is the id of a statement that
// the chain must contain, or "".
func (v *Verifier) Chain(ctx context.Context, places []string, community, head string) error {
	all, err := v.collect(ctx, places, community)
	if err != nil || len(all) == 0 {
		return err
	}
	if first := all[0]; first.Document.Sequence != 0 {
		v.fail("The chain starts with statement %d: the statements before it are missing.", first.Document.Sequence)
	}
	chain := all[:1]
	for _, s := range all[1:] {
		before := chain[len(chain)-1]
		if s.id == before.id {
			continue // the same statement from two places
		}
		if err := s.Continues(before.Signed); err != nil {
			v.fail("%v (%s).", err, s.place)
		}
		chain = append(chain, s)
	}
	last := chain[len(chain)-1]
	if v.failed == 0 {
		v.reportKey(last.Key)
		v.ok("%s of %s (%s), each following the one before, epochs %d to %d.",
			Plural(len(chain), "statement", "statements"), last.Document.Community, last.Document.Network,
			chain[0].Document.Epoch, last.Document.Epoch)
	}
	if head != "" && !slices.ContainsFunc(chain, func(s found) bool { return s.id.String() == head }) {
		v.fail("The chain does not contain the statement %s.", head)
	}
	for _, s := range chain {
		for _, sentence := range shortfalls(s.Document) {
			v.fail("Statement %d: %s", s.Document.Sequence, sentence)
		}
	}
	if !v.NoRewards {
		err = v.rewards(ctx, chain)
	}
	v.title(last)
	return err
}

// collect reads the statements of a chain, ascending by sequence.
func (v *Verifier) collect(ctx context.Context, places []string, community string) (all []found, err error) {
	for _, place := range places {
		list := []string(nil)
		if isURL(place) {
			list, err = v.addresses(ctx, place)
		} else {
			list, err = files(place, community)
		}
		if err != nil {
			return nil, err
		}
		for _, place := range list {
			s, valid, err := v.read(ctx, place)
			if err != nil {
				return nil, err
			}
			if valid {
				all = append(all, s)
			}
		}
	}
	slices.SortStableFunc(all, func(a, b found) int { return cmp.Compare(a.Document.Sequence, b.Document.Sequence) })
	return all, nil
}

// addresses returns the address of each statement of a server, and also the address of the newest one, which must be
// the same statement.
func (v *Verifier) addresses(ctx context.Context, base string) ([]string, error) {
	base = strings.TrimSuffix(base, "/")
	head, valid, err := v.read(ctx, base+"/head")
	if err != nil || !valid {
		return nil, err
	}
	var list []string
	for n := int64(0); n <= head.Document.Sequence; n++ {
		list = append(list, base+"/"+strconv.FormatInt(n, 10))
	}
	return append(list, base+"/head"), nil
}

// rewards verifies the details of a chain, and that every compounded reward was paid.
func (v *Verifier) rewards(ctx context.Context, chain []found) error {
	byEpoch := map[int64]statement.Details{}
	count, unknown := 0, 0
	for _, s := range chain {
		d, checked, err := v.details(ctx, s)
		if err != nil {
			return err
		}
		if !checked {
			continue
		}
		count++
		if before, known := byEpoch[d.Epoch-1]; known {
			if err := d.Continues(before); err != nil {
				v.fail("Statement %d: %v.", s.Document.Sequence, err)
			}
		}
		for _, i := range d.Inputs {
			epoch, isReward := i.EarlierEpoch()
			earlier, known := byEpoch[epoch]
			switch {
			case !isReward:
			case !known:
				unknown++
			case earlier.RewardOf(i.Owner) != i.Amount:
				v.fail("Statement %d: %s counts %s, epoch %d rewarded its owner with %s.", s.Document.Sequence, i.Unit,
					i.Amount, epoch, earlier.RewardOf(i.Owner))
			}
		}
		byEpoch[d.Epoch] = d
	}
	if count > 0 && v.failed == 0 {
		v.ok("The rewards of %s follow from their details.", Plural(count, "epoch", "epochs"))
	}
	if unknown > 0 {
		v.note("%s of epochs before the first statement can't be checked.",
			Plural(unknown, "compounded reward", "compounded rewards"))
	}
	return nil
}
