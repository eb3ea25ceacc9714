package server

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"time"

	"moonfund/internal/server/disk"
	"moonfund/internal/server/stop"
	"moonfund/internal/signer"
	"moonfund/internal/store"
)

const (
	// signerInterval is the time between two checks of the signer.
	signerInterval = 5 * time.Second
	// noticedAfter is the age from which operators are notified of a stop: a node or signer that restarts is none.
	noticedAfter = 5 * time.Minute
)

// watchSigner checks the signer until ctx is done.
func (s *Server) watchSigner(ctx context.Context) {
	tick := time.NewTicker(signerInterval)
	defer tick.Stop()
	for {
		s.CheckSigner(ctx)
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// CheckSigner asks the signer why it signs nothing now, and stores the answer.
func (s *Server) CheckSigner(ctx context.Context) {
	reason := ""
	switch err := s.signs.Ready(ctx); {
	case ctx.Err() != nil:
		return
	case errors.Is(err, signer.ErrUnreachable):
		reason = "the signer's process does not answer"
	case err != nil:
		reason = err.Error()
	}
	s.signerStop.Store(&reason)
}

// signerStopped returns why the signer signs nothing, or "".
func (s *Server) signerStopped() string {
	if reason := s.signerStop.Load(); reason != nil {
		return *reason
	}
	return ""
}

// liveStops returns what does not work now, except pauses, which are in the ledger.
func (s *Server) liveStops() (all []stop.Stop) {
	add := func(what, reason string) bool {
		if reason != "" {
			all = append(all, stop.New(what, reason))
		}
		return reason != ""
	}
	state := s.state()
	if state.Steps > 0 {
		add(stop.Node, state.Unusable)
		add(stop.Node, state.Downloading)
		add(stop.Relay, state.NoRunes)
	}
	if _, err := s.Clock.Moment(); err != nil {
		add(stop.Clock, err.Error())
	} else if state.Steps > 0 && state.Err != nil && state.Unusable == "" && !state.CatchesUp {
		add(stop.Chain, state.Err.Error())
	}
	folders := s.folders()
	for _, name := range slices.Sorted(maps.Keys(folders)) {
		if free, err := disk.Free(folders[name]); err == nil && free < disk.Least {
			add(stop.Disk, fmt.Sprintf("less than %d MiB are free on the disk of the %s", disk.Least>>20, name))
		}
	}
	if !add(stop.Signer, s.signerStopped()) { // a signer that signs nothing signs no statements either
		add(stop.Statements, s.statementsStopped())
	}
	return all
}

// statementsStopped returns why statements or receipts can't be signed or published, or "".
func (s *Server) statementsStopped() string {
	receipts := s.receipts.Stopped()
	if receipts != "" {
		receipts = stop.NoReceipts + receipts
	}
	return cmp.Or(s.statements.Stopped(), receipts)
}

// folders returns the folders that the server writes to, by name.
func (s *Server) folders() map[string]string {
	all := map[string]string{"ledger": s.Data}
	if s.Backups != nil {
		all["backups"] = s.Backups.Folder()
	}
	return all
}

// stops returns what does not work now, with the pauses.
func (s *Server) stops(ctx context.Context, tx *store.Tx) ([]stop.Stop, error) {
	pauses, err := stop.Pauses(ctx, tx)
	all := make([]stop.Stop, len(pauses))
	for i, p := range pauses {
		all[i] = p.Stop
	}
	return append(all, s.liveStops()...), err
}

// stopWatch logs what stopped, each other reason, and the end, and notifies operators of the stops that last.
type stopWatch struct {
	*Server
	since map[string]time.Time // by what stopped: the reason may change while it lasts
	said  map[stop.Stop]bool   // the stops of the last check, without the numbers of their reasons
}

var digits = regexp.MustCompile(`\d+`)

// check compares the present stops with those of the last check.
func (w *stopWatch) check(ctx context.Context) error {
	var present []stop.Stop
	if err := w.Store.View(ctx, func(tx *store.Tx) (err error) {
		present, err = w.stops(ctx, tx)
		return err
	}); err != nil {
		return err
	}
	before, said := w.since, w.said
	w.since, w.said = map[string]time.Time{}, map[stop.Stop]bool{}
	lasting := map[string]stop.Stop{}
	for _, p := range present {
		began, known := before[p.What]
		if !known {
			began = w.now()
		}
		wording := p
		wording.Reason = digits.ReplaceAllString(p.Reason, "") // such as the number of the last block
		if !said[wording] {
			w.Log.Error("stopped", "what", p.What, "reason", p.Reason, "runbook", p.Runbook)
		}
		w.since[p.What], w.said[wording] = began, true
		if w.now().Sub(began) >= noticedAfter || p.What == stop.Disk { // a full disk stores no event
			lasting[p.What] = p
		}
	}
	for what := range before {
		if _, still := w.since[what]; !still {
			w.Log.Info("goes on", "what", what)
		}
	}
	if !w.Leads() {
		return nil
	}
	for _, what := range stop.Noticed {
		p, holds := lasting[what]
		data := store.EventData{Reason: p.Reason}
		if err := w.Store.SetCondition(ctx, store.EventStop, what, holds, data); err != nil {
			return err
		}
	}
	return nil
}
