package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"moonfund/verify/document"
	"moonfund/verify/reserves"
)

// one returns the only place.
func one(places []string) (string, error) {
	if len(places) != 1 {
		return "", fmt.Errorf("%w: name one file or address", errUsage)
	}
	return places[0], nil
}

// readSigned reads a statement and reports whether it is valid. It returns an error if it can't be read.
func readSigned(ctx context.Context, r *report, o options, place string) (s document.Signed, valid bool, err error) {
	text, err := read(ctx, place)
	if err != nil {
		return s, false, err
	}
	if s, err = document.ReadSigned(text); err != nil {
		r.fail("%s: %v.", place, err)
		return s, false, nil
	}
	if o.key == "" {
		return s, true, nil
	}
	key, err := document.ParseHash(o.key)
	if err != nil {
		return s, false, fmt.Errorf("%w: --key: %w", errUsage, err)
	}
	if s.Key != key {
		r.fail("%s: it is signed by the key %s, not by the given one.", place, s.Key)
		return s, false, nil
	}
	return s, true, nil
}

// reportKey says by which key statements are signed.
func reportKey(r *report, o options, key document.Hash) {
	if o.key != "" {
		r.ok("Signed by the given key.")
		return
	}
	r.note("Signed by the key %s. Compare it with the key that the community publishes (--key).", key)
}

func day(unix int64) string { return time.Unix(unix, 0).UTC().Format("2006-01-02 15:04") }

// title prints which statement the following lines are about.
func title(r *report, s document.Signed) {
	fmt.Fprintf(r.out, "\nStatement %d of %s (%s): epoch %d, %s to %s UTC\n      id %s\n", s.Sequence, s.Community,
		s.Network, s.Epoch, day(s.Start), day(s.End), s.ID)
}

// reportSums says what the statement says about sums.
func reportSums(r *report, s document.Signed) {
	r.ok("The sums agree: %s, stakes of %s, rewards of %s, %s owed (base units).",
		plural(int(s.Owners.Count), "owner", "owners"), s.Owners.Stake, s.Owners.Reward, s.Owners.Owed)
	shortfalls := s.Shortfalls()
	for _, sentence := range shortfalls {
		r.fail("%s", sentence)
	}
	if len(shortfalls) == 0 {
		r.ok("The stated reserves cover the stakes and what is owed: %s.", plural(len(s.Reserves), "output", "outputs"))
	}
	for _, i := range s.Incidents {
		r.note("Incident, %s UTC: %s: %q", day(i.Time), i.Kind, i.Detail)
	}
}

// verifyDetails verifies the details at a place. checked is false if there is none.
func verifyDetails(
	ctx context.Context, r *report, s document.Signed, place string,
) (d document.Details, checked bool, err error) {
	text, err := read(ctx, place)
	if errors.Is(err, os.ErrNotExist) {
		r.note("Statement %d: the rewards are not checked: there is no %s.", s.Sequence, place)
		return d, false, nil
	}
	if err != nil {
		return d, false, err
	}
	if d, err = document.ReadDetails(text); err == nil {
		err = d.Verify(s)
	}
	if err != nil {
		r.fail("%s: %v.", place, err)
		return d, false, nil
	}
	return d, true, nil
}

func verifyStatements(ctx context.Context, r *report, o options, places []string) error {
	for _, place := range places {
		s, valid, err := readSigned(ctx, r, o, place)
		if err != nil {
			return err
		}
		if !valid {
			continue
		}
		title(r, s)
		reportKey(r, o, s.Key)
		reportSums(r, s)
		if o.noRewards {
			continue
		}
		d, checked, err := verifyDetails(ctx, r, s, detailsBeside(place))
		if err != nil {
			return err
		}
		if checked {
			r.ok("The rewards and the tree follow from the details: %s of %s.",
				plural(len(d.Inputs), "unit", "units"), plural(len(d.Owners), "owner", "owners"))
			reportInstructions(r, d)
		}
	}
	return nil
}

// found is a statement and its place.
type found struct {
	document.Signed
	place string
}

// collect reads the statements of a chain, ascending by sequence.
func collect(ctx context.Context, r *report, o options, places []string) (all []found, err error) {
	for _, place := range places {
		list, err := statementsAt(ctx, r, o, place)
		if err != nil {
			return nil, err
		}
		for _, place := range list {
			s, valid, err := readSigned(ctx, r, o, place)
			if err != nil {
				return nil, err
			}
			if valid {
				all = append(all, found{s, place})
			}
		}
	}
	slices.SortStableFunc(all, func(a, b found) int { return cmp.Compare(a.Sequence, b.Sequence) })
	return all, nil
}

// statementsAt returns the place of each statement of a folder or a server.
func statementsAt(ctx context.Context, r *report, o options, place string) ([]string, error) {
	if isURL(place) {
		return addresses(ctx, r, o, place)
	}
	return files(place, o.community)
}

// addresses returns the address of each statement of a server, and of the newest one once more: the server must not
// answer with another statement there.
func addresses(ctx context.Context, r *report, o options, base string) ([]string, error) {
	base = strings.TrimSuffix(base, "/")
	head, valid, err := readSigned(ctx, r, o, base+"/head")
	if err != nil || !valid {
		return nil, err
	}
	var list []string
	for n := int64(0); n <= head.Sequence; n++ {
		list = append(list, base+"/"+strconv.FormatInt(n, 10))
	}
	return append(list, base+"/head"), nil
}

func verifyChain(ctx context.Context, r *report, o options, places []string) error {
	all, err := collect(ctx, r, o, places)
	if err != nil || len(all) == 0 {
		return err
	}
	if first := all[0]; first.Sequence != 0 {
		r.fail("The chain starts with statement %d: those before it are missing.", first.Sequence)
	}
	chain := all[:1]
	for _, s := range all[1:] {
		before := chain[len(chain)-1]
		if s.ID == before.ID {
			continue // the same statement from two places
		}
		if err := s.Follows(before.Signed); err != nil {
			r.fail("%v (%s).", err, s.place)
		}
		chain = append(chain, s)
	}
	last := chain[len(chain)-1]
	if r.failed == 0 {
		reportKey(r, o, last.Key)
		r.ok("%s of %s (%s), each following the one before, epochs %d to %d.",
			plural(len(chain), "statement", "statements"), last.Community, last.Network, chain[0].Epoch, last.Epoch)
	}
	if o.head != "" && !slices.ContainsFunc(chain, func(s found) bool { return s.ID.String() == o.head }) {
		r.fail("The chain does not contain the statement %s.", o.head)
	}
	for _, s := range chain {
		for _, sentence := range s.Shortfalls() {
			r.fail("Statement %d: %s", s.Sequence, sentence)
		}
	}
	if !o.noRewards {
		err = verifyAllRewards(ctx, r, chain)
	}
	title(r, last.Signed)
	return err
}

// verifyAllRewards verifies the details of a chain, and that rewards which owners compounded were paid.
func verifyAllRewards(ctx context.Context, r *report, chain []found) error {
	rewards := map[int64]document.Details{}
	count, unknown := 0, 0
	for _, s := range chain {
		d, checked, err := verifyDetails(ctx, r, s.Signed, detailsBeside(s.place))
		if err != nil {
			return err
		}
		if !checked {
			continue
		}
		count++
		verifyContinues(r, s, d, rewards)
		for _, i := range d.Inputs {
			epoch, isReward := i.EarlierEpoch()
			earlier, known := rewards[epoch]
			switch {
			case !isReward:
			case !known:
				unknown++
			case earlier.RewardOf(i.Owner) != i.Amount:
				r.fail("Statement %d: %s counts %s, epoch %d rewarded its owner with %s.", s.Sequence, i.Unit, i.Amount,
					epoch, earlier.RewardOf(i.Owner))
			}
		}
		rewards[s.Epoch] = d
	}
	if count > 0 && r.failed == 0 {
		r.ok("The rewards of %s follow from their details.", plural(count, "epoch", "epochs"))
	}
	if unknown > 0 {
		r.note("%s of epochs before the first statement can't be checked.",
			plural(unknown, "compounded reward", "compounded rewards"))
	}
	return nil
}

func verifyProof(ctx context.Context, r *report, o options, places []string) error {
	place, err := one(places)
	if err == nil && o.statement == "" {
		err = fmt.Errorf("%w: name the statement (--statement)", errUsage)
	}
	if err != nil {
		return err
	}
	s, valid, err := readSigned(ctx, r, o, o.statement)
	if err != nil || !valid {
		return err
	}
	text, err := read(ctx, place)
	if err != nil {
		return err
	}
	p, err := document.ReadProof(text)
	if err == nil {
		err = p.Verify(s)
	}
	if err != nil {
		r.fail("%s: %v.", place, err)
		return nil
	}
	title(r, s)
	reportKey(r, o, s.Key)
	if o.owner != "" && p.Owner != o.owner {
		r.fail("The proof is for %s, not for %s.", p.Owner, o.owner)
		return nil
	}
	r.ok("The statement counts for %s (base units): stake %s, reward %s, owed %s.", p.Owner, p.Stake, p.Reward, p.Owed)
	return nil
}

func verifyReserves(ctx context.Context, r *report, o options, places []string) error {
	place, err := one(places)
	if err == nil && o.esplora == "" && o.ord == "" {
		err = fmt.Errorf("%w: name a server (--esplora, --ord)", errUsage)
	}
	if err != nil {
		return err
	}
	servers, err := newServers(o)
	if err != nil {
		return err
	}
	s, valid, err := readSigned(ctx, r, o, place)
	if err != nil || !valid {
		return err
	}
	title(r, s)
	reportKey(r, o, s.Key)
	outputs := s.Reserves
	if o.sample > 0 && o.sample < len(outputs) {
		rand.Shuffle(len(outputs), func(i, k int) { outputs[i], outputs[k] = outputs[k], outputs[i] })
		outputs = outputs[:o.sample]
		r.note("Only %d of %d outputs are compared.", len(outputs), len(s.Reserves))
	}
	result, err := servers.Compare(ctx, s.Statement, outputs)
	for _, sentence := range result.Findings {
		r.fail("%s", sentence)
	}
	if err != nil {
		return err
	}
	if len(result.Findings) == 0 {
		r.ok("%s as stated and unspent at block %d.", plural(result.Checked, "output is", "outputs are"), s.AsOf.Height)
	}
	if result.Unconfirmed > 0 {
		r.note("%s in no block up to block %d: the statement counts unconfirmed ones.",
			plural(result.Unconfirmed, "output was", "outputs were"), s.AsOf.Height)
	}
	if result.Spent > 0 {
		r.note("%s spent since.", plural(result.Spent, "output was", "outputs were"))
	}
	reportRunes(r, o, result)
	return nil
}

// reportRunes says of how many outputs the runes were compared.
func reportRunes(r *report, o options, result reserves.Result) {
	switch {
	case o.ord == "":
		r.note("Rune amounts not checked: Esplora shows outputs, not runes. Ask an ord server (--ord).")
	case result.WithRunes < result.Checked:
		r.note("Rune amounts not checked for %s.",
			plural(result.Checked-result.WithRunes, "output that is spent", "outputs that are spent"))
	default:
		r.ok("The rune amounts are those of the ord server.")
	}
}

func newServers(o options) (s reserves.Servers, err error) {
	var esplora, ord error
	if o.esplora != "" {
		s.Esplora, esplora = reserves.NewEsplora(o.esplora)
	}
	if o.ord != "" {
		s.Ord, ord = reserves.NewOrd(o.ord)
	}
	if err := errors.Join(esplora, ord); err != nil {
		return s, fmt.Errorf("%w: %w", errUsage, err)
	}
	return s, nil
}
