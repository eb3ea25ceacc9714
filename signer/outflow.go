package signer

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"time"

	"moonfund/amount"
)

// window is the time over which the limits are summed.
const window = 24 * time.Hour

// Outflow is what one signed transaction may take out of the treasury. Inputs
// are its outpoints as "txid:vout".
type Outflow struct {
	At      time.Time    `json:"at"`
	Account uint32       `json:"account"`
	Inputs  []string     `json:"inputs"`
	Runes   amount.Runes `json:"runes"` // base units of the account's rune
	Sats    amount.Sats  `json:"sats"`
}

// Outflows keeps the outflows of the last 24 hours across restarts. Store must
// be durable when it returns: the signature is given out after it.
type Outflows interface {
	Load() ([]Outflow, error)
	Store([]Outflow) error
}

// record adds an outflow to those of the last 24 hours and returns the sums for
// its account, itself included. A transaction that spends every input of an
// earlier one is a new version of it (a bump, or the same request again): the
// two can never both confirm, so the larger amounts count, once.
func record(kept []Outflow, next Outflow) (all []Outflow, runesTotal amount.Runes, satsTotal amount.Sats, err error) {
	var replaced Outflow
	for _, o := range kept {
		switch {
		case next.At.Sub(o.At) >= window:
		case o.Account == next.Account && covers(next.Inputs, o.Inputs):
			if replaced.Runes, err = replaced.Runes.Add(o.Runes); err != nil {
				return nil, 0, 0, err
			}
			if replaced.Sats, err = replaced.Sats.Add(o.Sats); err != nil {
				return nil, 0, 0, err
			}
		default:
			all = append(all, o)
		}
	}
	next.Runes, next.Sats = max(next.Runes, replaced.Runes), max(next.Sats, replaced.Sats)
	all = append(all, next)
	for _, o := range all {
		if o.Account != next.Account {
			continue
		}
		var runesErr, satsErr error
		runesTotal, runesErr = runesTotal.Add(o.Runes)
		satsTotal, satsErr = satsTotal.Add(o.Sats)
		if err := errors.Join(runesErr, satsErr); err != nil {
			return nil, 0, 0, err
		}
	}
	return all, runesTotal, satsTotal, nil
}

func covers(inputs, part []string) bool {
	for _, p := range part {
		if !slices.Contains(inputs, p) {
			return false
		}
	}
	return true
}

// Both keeps outflows in two places: the signer's own, and one that it shares with
// the signers of other servers. What either remembers counts, once, so that neither
// a stranger who shortens the shared list nor a server that just took over lets
// more out.
type Both struct{ Own, Shared Outflows }

// Load implements Outflows.
func (b Both) Load() ([]Outflow, error) {
	own, err := b.Own.Load()
	if err != nil {
		return nil, err
	}
	shared, err := b.Shared.Load()
	if err != nil {
		return nil, err
	}
	all := slices.Clone(own)
	for _, o := range shared {
		at := slices.IndexFunc(all, func(k Outflow) bool { return k.Account == o.Account && slices.Equal(k.Inputs, o.Inputs) })
		if at < 0 {
			all = append(all, o)
			continue
		}
		all[at].Runes, all[at].Sats = max(all[at].Runes, o.Runes), max(all[at].Sats, o.Sats)
		if o.At.After(all[at].At) {
			all[at].At = o.At
		}
	}
	return all, nil
}

// Store implements Outflows.
func (b Both) Store(kept []Outflow) error {
	return errors.Join(b.Own.Store(kept), b.Shared.Store(kept))
}

// OutflowFile keeps outflows in a small JSON file that is replaced as a whole.
// A file that does not exist holds none (see StartOutflows for one that was lost);
// one that cannot be read stops signing.
type OutflowFile string

// Load implements Outflows.
func (f OutflowFile) Load() ([]Outflow, error) {
	data, err := os.ReadFile(string(f))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var kept []Outflow
	if err := json.Unmarshal(data, &kept); err != nil {
		return nil, fmt.Errorf("%s: %w", string(f), err)
	}
	return kept, nil
}

// Store implements Outflows.
func (f OutflowFile) Store(kept []Outflow) error {
	data, err := json.MarshalIndent(kept, "", "  ")
	if err != nil {
		return err
	}
	temporary, err := writeTemporary(string(f), append(data, '\n'))
	if err != nil {
		return err
	}
	if err := os.Rename(temporary, string(f)); err != nil {
		os.Remove(temporary)
		return err
	}
	return syncFolder(string(f))
}
