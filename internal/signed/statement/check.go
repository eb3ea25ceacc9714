package statement

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// maxInteger is the largest integer of a document: every JSON parser reads it exactly.
const maxInteger = 1<<53 - 1

var (
	namePattern   = regexp.MustCompile(`^[a-z0-9][a-z0-9_-]{0,63}$`)
	blockPattern  = regexp.MustCompile(`^[0-9a-f]{64}$`)
	scriptPattern = regexp.MustCompile(`^([0-9a-f]{2})+$`)
)

// networks are the values of the field network.
var networks = []string{"mainnet", "testnet", "testnet4", "signet", "regtest"}

// liabilityKinds are the kinds of liabilities that every statement has.
var liabilityKinds = []string{Contested, Delivering, Payments, Refunds, Unpaid, Stakes}

const (
	maxText   = 1000  // bytes
	maxScript = 20000 // hex digits
)

func isName(text string) bool { return namePattern.MatchString(text) }

func isNetwork(text string) bool { return slices.Contains(networks, text) }

// isText reports whether a text is in printable ASCII and not too long. RFC 8785 and encoding/json write it the same
// way.
func isText(text string) bool { return isPlain(text) && len(text) <= maxText }

func isOwner(text string) bool { return text != "" && len(text) <= maxOwner && isPlain(text) }

// isOutpoint reports whether a text is txid:vout.
func isOutpoint(text string) bool {
	txid, vout, _ := strings.Cut(text, ":")
	return blockPattern.MatchString(txid) && isDecimal(vout, 32)
}

// isRune reports whether a text is the id of a rune, block:tx.
func isRune(text string) bool {
	block, tx, _ := strings.Cut(text, ":")
	return isDecimal(block, 64) && isDecimal(tx, 32)
}

// isDecimal reports whether a text is an unsigned number of at most the given bits, without a sign or leading zeros.
func isDecimal(text string, bits int) bool {
	n, err := strconv.ParseUint(text, 10, bits)
	return err == nil && strconv.FormatUint(n, 10) == text
}

// Binding returns the binding of the tree over the owners.
func (d Document) Binding() Binding { return Binding{d.Network, d.Community, d.Epoch} }

// Check returns an error if the document is invalid: a value out of its range, a list that is not sorted, or sums that
// contradict each other.
func (d Document) Check() error {
	integers := []int64{
		d.Sequence, d.Epoch, d.Start, d.End, d.Cut.Height, d.AsOf.Height, d.AsOf.Time, d.Owners.Count, d.Rewards.Count,
	}
	switch {
	case d.Format != Format:
		return fmt.Errorf("statement: the format is %q, want %q", d.Format, Format)
	case !isName(d.Community) || !isNetwork(d.Network):
		return fmt.Errorf("statement: community %q on network %q", d.Community, d.Network)
	case !isRune(d.Rune):
		return fmt.Errorf("statement: rune %q", d.Rune)
	case slices.Min(integers) < 0 || slices.Max(integers) > maxInteger:
		return fmt.Errorf("statement: an integer is out of range")
	case d.Start >= d.End:
		return fmt.Errorf("statement: the epoch starts at %d and ends at %d", d.Start, d.End)
	case (d.Sequence == 0) != (d.Previous == Hash{}):
		return fmt.Errorf("statement: statement %d has the previous id %s", d.Sequence, d.Previous)
	case d.Budget.Source != SourcePlanned && d.Budget.Source != SourceTreasury:
		return fmt.Errorf("statement: the source of the budget is %q", d.Budget.Source)
	case !blockPattern.MatchString(d.Cut.Hash) || !blockPattern.MatchString(d.AsOf.Hash) || d.AsOf.Height < d.Cut.Height:
		return fmt.Errorf("statement: cut at %+v, as of %+v", d.Cut, d.AsOf)
	}
	if err := d.checkLists(); err != nil {
		return err
	}
	return d.checkSums()
}

func (d Document) checkLists() error {
	for i, l := range d.Liabilities {
		if !isName(l.Kind) || (i > 0 && l.Kind <= d.Liabilities[i-1].Kind) {
			return fmt.Errorf("statement: the liability %q is not above the one before", l.Kind)
		}
	}
	for _, kind := range liabilityKinds {
		if !slices.ContainsFunc(d.Liabilities, func(l Liability) bool { return l.Kind == kind }) {
			return fmt.Errorf("statement: there is no liability %q", kind)
		}
	}
	for i, r := range d.Reserves {
		if !isOutpoint(r.Outpoint) || (i > 0 && r.Outpoint <= d.Reserves[i-1].Outpoint) {
			return fmt.Errorf("statement: the reserve %q is not above the one before", r.Outpoint)
		}
		if !isName(r.Kind) || len(r.Script) > maxScript || !scriptPattern.MatchString(r.Script) {
			return fmt.Errorf("statement: reserve %s of kind %q with script %q", r.Outpoint, r.Kind, r.Script)
		}
		if !r.namesCustody() {
			return fmt.Errorf("statement: reserve %s of kind %q in the custody %q", r.Outpoint, r.Kind, r.CustodyKind)
		}
	}
	for i, incident := range d.Incidents {
		if !isName(incident.Kind) || !isText(incident.Detail) || incident.Time < 0 || incident.Time > maxInteger ||
			(i > 0 && incident.Compare(d.Incidents[i-1]) < 0) {
			return fmt.Errorf("statement: incident %+v", incident)
		}
	}
	return nil
}

// Compare orders incidents by time, kind and detail.
func (i Incident) Compare(j Incident) int {
	return cmp.Or(cmp.Compare(i.Time, j.Time), cmp.Compare(i.Kind, j.Kind), cmp.Compare(i.Detail, j.Detail))
}

// checkSums adds up the lists, and compares the sums that the document states more than once.
func (d Document) checkSums() (err error) {
	var owed, owedSats, held, heldSats Sum
	add := func(total *Sum, n Sum) {
		if err == nil {
			*total, err = total.Add(n)
		}
	}
	for _, l := range d.Liabilities {
		add(&owed, l.Runes)
		add(&owedSats, l.Sats)
	}
	for _, r := range d.Reserves {
		add(&held, r.Runes)
		add(&heldSats, r.Sats)
	}
	if err != nil {
		return err
	}
	reward := d.Budget.Amount
	if d.Owners.Stake.IsZero() {
		reward = Sum{}
	}
	switch {
	case owed != d.Owners.Owed:
		return fmt.Errorf("statement: the liabilities are %s, the owners are owed %s", owed, d.Owners.Owed)
	case d.Owners.Reward != reward || d.Rewards.Total != reward:
		return fmt.Errorf("statement: the owners' rewards are %s, their total is %s, want %s", d.Owners.Reward,
			d.Rewards.Total, reward)
	case d.Rewards.Count > d.Owners.Count:
		return fmt.Errorf("statement: %d rewards of %d owners", d.Rewards.Count, d.Owners.Count)
	}
	return nil
}

// isPlain reports whether a text has only printable ASCII characters.
func isPlain(text string) bool {
	for _, c := range []byte(text) {
		if c < ' ' || c > '~' {
			return false
		}
	}
	return true
}

// Plain returns a text in a form that a document may contain: in printable ASCII and not too long.
func Plain(text string) string {
	plain := strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' {
			return '?'
		}
		return r
	}, text)
	return plain[:min(len(plain), maxText)]
}
