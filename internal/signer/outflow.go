package signer

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"time"

	"moonfund/internal/amount"
)

// window is the period to which the limits apply.
const window = 24 * time.Hour

// Outflow is the maximum that a set of signed transactions can take out of the treasury for one purpose: one order,
// refund, return or rearrangement. Every transaction of the set spends each of Inputs, so at most one transaction can
// confirm, and only the largest amounts count. Refunds and other outflows are counted apart, so their entries are never
// merged.
type Outflow struct {
	At      time.Time    `json:"at"` // time of the latest signature
	Account uint32       `json:"account"`
	Inputs  []string     `json:"inputs"` // outpoints as "txid:vout"
	Runes   amount.Runes `json:"runes"`  // base units of the account's rune
	Sats    amount.Sats  `json:"sats"`

	// RefundOwner is the ordinals address of the owner whose order is refunded, and empty if this is no refund.
	RefundOwner string `json:"refund_owner,omitempty"`
}

// Outflows stores the outflows of the last 24 hours across restarts. Store must be durable when it returns, because the
// signature is released after it.
type Outflows interface {
	Load() ([]Outflow, error)
	Store([]Outflow) error
}

// record adds the charges of one transaction to the outflows of the last 24 hours and returns the new outflows. No two
// charges share an input, so two orders of one transaction, which confirm together, never share an entry.
func record(kept, charges []Outflow, now time.Time) (all []Outflow) {
	for _, o := range kept {
		if now.Sub(o.At) < window {
			all = append(all, o)
		}
	}
	for _, next := range charges {
		all = add(all, next)
	}
	return all
}

// usage is the sum of an account's outflows.
type usage struct {
	runes                 amount.Runes // of everything
	sats                  amount.Sats  // without refunds
	refunds, ownerRefunds amount.Sats
}

// sum adds up the outflows of an account; ownerRefunds are the refunds to owner.
func sum(all []Outflow, account uint32, owner string) (u usage, err error) {
	for _, o := range all {
		if o.Account != account {
			continue
		}
		sats := &u.sats
		if o.RefundOwner != "" {
			sats = &u.refunds
		}
		var runesErr, satsErr error
		u.runes, runesErr = u.runes.Add(o.Runes)
		*sats, satsErr = sats.Add(o.Sats)
		if err := errors.Join(runesErr, satsErr); err != nil {
			return u, err
		}
		if o.RefundOwner != "" && o.RefundOwner == owner {
			u.ownerRefunds += o.Sats // at most u.refunds
		}
	}
	return u, nil
}

// add merges next into the largest entry that it shares an input with, or appends it. The merged entry keeps only the
// common inputs. Any later outflow that is merged into it shares one of these inputs, and so conflicts with every
// transaction that the entry covers. An outflow is never merged into two entries, because both of their transactions
// may confirm instead of it.
func add(all []Outflow, next Outflow) []Outflow {
	best, bestShared := -1, []string(nil)
	for i, o := range all {
		shared := common(o.Inputs, next.Inputs)
		if o.Account != next.Account || o.RefundOwner != next.RefundOwner || len(shared) == 0 {
			continue
		}
		if best < 0 || o.Runes > all[best].Runes || o.Runes == all[best].Runes && o.Sats > all[best].Sats {
			best, bestShared = i, shared
		}
	}
	if best < 0 {
		return append(all, next)
	}
	o := &all[best]
	o.Inputs, o.Runes, o.Sats = bestShared, max(o.Runes, next.Runes), max(o.Sats, next.Sats)
	if next.At.After(o.At) {
		o.At = next.At
	}
	return all
}

// common returns the elements of a that are in b.
func common(a, b []string) (both []string) {
	for _, x := range a {
		if slices.Contains(b, x) {
			both = append(both, x)
		}
	}
	return both
}

// CombinedOutflows stores outflows in two places: the signer's own, and one shared with the signers of other servers.
// An outflow counts once if it is in either place. Therefore neither an attacker who deletes shared entries nor a
// server that has just become the leader can exceed the limit.
type CombinedOutflows struct{ Own, Shared Outflows }

// Load implements Outflows.
func (b CombinedOutflows) Load() ([]Outflow, error) {
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
		all = add(all, o)
	}
	return all, nil
}

// Store implements Outflows.
func (b CombinedOutflows) Store(kept []Outflow) error {
	return errors.Join(b.Own.Store(kept), b.Shared.Store(kept))
}

// OutflowFile stores outflows in a small JSON file that is replaced atomically. A missing file holds no outflows
// (StartOutflows detects a deleted file); an unreadable file is an error and stops signing.
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
	return ReplaceFile(string(f), append(data, '\n'))
}
