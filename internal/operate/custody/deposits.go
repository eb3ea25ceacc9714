package custody

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/store"
)

// Deposits is the running server's search for deposits that are not in its ledger. It searches every address that was
// adopted, or that was issued again after it expired. It also searches, once after a restore and once after the ledger
// was found to be behind its key's mark, for deposits of known stakers at addresses that another copy of the ledger may
// have issued.
type Deposits struct {
	Accounts Accounts
	Store    *store.Store
	Node     Node
	Log      *slog.Logger
	Now      func() time.Time

	Ready   func() bool                 // this server leads and has followed the chain to its tip
	Watches func(scripts [][]byte) bool // reports whether the follower watches the scripts
	Credit  func()                      // wakes the follower
}

const (
	searchEvery = 2 * time.Second // interval at which the ledger is checked for a due search
	searchPause = 9               // minimum pause in multiples of the search's duration: anyone can cause searches
	retryAfter  = time.Minute     // after an error, because a scan can be expensive
	searchGap   = 100             // indexes after the last known one
	mostTried   = 50_000          // maximum number of addresses in one automatic search
)

// Run runs the searches that are due, until ctx is done.
func (s *Deposits) Run(ctx context.Context) {
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-timer.C:
		}
		began := time.Now()
		err := s.Step(ctx)
		wait := max(searchEvery, searchPause*time.Since(began))
		if err != nil && ctx.Err() == nil {
			s.Log.Error("searching for deposits at adopted addresses", "error", err)
			wait = max(wait, retryAfter)
		}
		timer.Reset(wait)
	}
}

// Step runs the searches that are due now. Every part can be repeated after a crash.
func (s *Deposits) Step(ctx context.Context) error {
	due, err := s.begin(ctx)
	if err != nil || !s.Ready() {
		return err
	}
	if due != nil {
		if err := s.searchStakers(ctx, *due); err != nil {
			return err
		}
	}
	return s.searchAdopted(ctx)
}

// begin returns the due search for stakers, or nil. When it sees the search for the first time, it stores this ledger's
// last address indexes with it, because the ledger can issue further indexes if a pause ends before the search begins.
func (s *Deposits) begin(ctx context.Context) (due *store.StakeSearch, err error) {
	read := func(tx *store.Tx) error {
		found, err := tx.StakeSearch(ctx)
		if due = nil; err == nil && found != nil && found.Due {
			due = found
		}
		return err
	}
	if err := s.Store.View(ctx, read); err != nil || due == nil || due.From != nil {
		return due, err
	}
	err = s.Store.Update(ctx, func(tx *store.Tx) error {
		if err := read(tx); err != nil || due == nil || due.From != nil {
			return err
		}
		mark, err := tx.Mark(ctx)
		if err != nil {
			return err
		}
		due.From = mark.Counts
		return tx.PutStakeSearch(ctx, *due)
	})
	return due, err
}

// searchStakers adopts the addresses of known stakers that another copy issued and that received a payment.
func (s *Deposits) searchStakers(ctx context.Context, due store.StakeSearch) error {
	candidates, err := s.Accounts.candidates(ctx, s.Store, span{from: indexes(due.From), gap: searchGap, most: mostTried})
	if err != nil {
		return err
	}
	paid, err := s.scan(ctx, candidates.scripts())
	if err != nil {
		return err
	}
	found := candidates.paid(paid)
	return s.Store.Update(ctx, func(tx *store.Tx) error {
		now := s.Now()
		done := store.StakeSearch{
			From: due.From, At: now.Unix(), Tried: len(candidates.byScript), LeftOut: candidates.leftOut, Adopted: []string{},
		}
		for _, address := range found {
			added, err := tx.AdoptStake(ctx, address.StakeRecord, address.Script)
			if err != nil {
				return err
			}
			if added {
				done.Adopted = append(done.Adopted, address.Address)
			}
		}
		s.Log.Info("searched for deposits of known stakers", "tried", done.Tried, "left_out", done.LeftOut, "adopted",
			len(done.Adopted))
		if _, err := tx.Log(ctx, store.OperatorLine{
			At: now, By: "server", Command: "ledger adopt", Subject: fmt.Sprintf("%d addresses", len(done.Adopted)),
			Why: "the ledger is from a backup or behind its key",
			Detail: fmt.Sprintf("%d addresses of known stakers were tried, %d were too many. %s", done.Tried, done.LeftOut,
				strings.Join(done.Adopted, " ")),
		}); err != nil {
			return err
		}
		return tx.PutStakeSearch(ctx, done)
	})
}

// searchAdopted finds the deposits at adopted addresses in the blocks that were already followed. The follower credits
// them.
func (s *Deposits) searchAdopted(ctx context.Context) error {
	var addresses []string
	if err := s.Store.View(ctx, func(tx *store.Tx) (err error) {
		addresses, err = tx.UnsearchedAddresses(ctx)
		return err
	}); err != nil || len(addresses) == 0 {
		return err
	}
	var scripts [][]byte
	for _, text := range addresses {
		address, err := chain.ParseAddress(text, s.Accounts.Network)
		if err != nil {
			return err
		}
		scripts = append(scripts, address.Script)
	}
	if !s.Watches(scripts) {
		s.Credit()
		return nil // retried in the next Step: until then a block may be followed without the scripts
	}
	var height int64
	if err := s.Store.View(ctx, func(tx *store.Tx) error {
		tip, err := tx.Tip(ctx)
		height = tip.Height
		return err
	}); err != nil {
		return err
	}
	paid, err := s.scan(ctx, scripts)
	if err != nil {
		return err
	}
	var outputs []wire.OutPoint
	for _, out := range paid {
		outputs = append(outputs, out.OutPoint)
	}
	if err := s.Store.Update(ctx, func(tx *store.Tx) error {
		return tx.DepositsFound(ctx, addresses, height, outputs)
	}); err != nil {
		return err
	}
	s.Log.Info("searched for deposits at adopted addresses", "addresses", len(addresses), "outputs", len(outputs))
	s.Credit()
	return nil
}

// scan finds outputs at the scripts.
func (s *Deposits) scan(ctx context.Context, scripts [][]byte) ([]chain.Paid, error) {
	from, err := s.Accounts.start()
	if err != nil || len(scripts) == 0 {
		return nil, err
	}
	search := Search{Node: s.Node, Report: func(text string) { s.Log.Info("searching for deposits", "progress", text) }}
	return search.find(ctx, scripts, from)
}

// indexes returns the last address index of each community from a ledger's counts.
func indexes(counts map[string]int64) map[string]int64 {
	all := map[string]int64{}
	for name, n := range counts {
		if prefix, ok := strings.CutPrefix(name, "stake:"); ok {
			all[prefix] = n
		}
	}
	return all
}
