package ledger

import (
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"
)

// ErrUnknownCommunity means that this server does not serve a community, for example because its manifest was removed
// while its orders and payouts are still stored.
var ErrUnknownCommunity = errors.New("this server does not serve the community")

// Communities has the terms of each community that a server serves. Each package has its own type of terms. The map is
// private, so that every lookup by name goes through Of, whose error no caller can overlook.
type Communities[T any] struct{ terms map[string]T }

// Add adds a community, or replaces its terms.
func (c *Communities[T]) Add(community string, terms T) {
	if c.terms == nil {
		c.terms = map[string]T{}
	}
	c.terms[community] = terms
}

// Of returns the terms of a community, or ErrUnknownCommunity with its name.
func (c Communities[T]) Of(community string) (T, error) {
	terms, served := c.terms[community]
	if !served {
		return terms, fmt.Errorf("%w %q", ErrUnknownCommunity, community)
	}
	return terms, nil
}

// Has reports whether the server serves a community.
func (c Communities[T]) Has(community string) bool {
	_, served := c.terms[community]
	return served
}

// All returns the communities with their terms, ordered by name.
func (c Communities[T]) All() iter.Seq2[string, T] {
	return func(yield func(string, T) bool) {
		for _, community := range slices.Sorted(maps.Keys(c.terms)) {
			if !yield(community, c.terms[community]) {
				return
			}
		}
	}
}
