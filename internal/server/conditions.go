package server

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"syscall"
	"time"

	"moonfund/internal/signed/statement"
	"moonfund/internal/staking/community"
	"moonfund/internal/staking/follower"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/state"
	"moonfund/internal/store"
	"moonfund/internal/store/backup"
)

const (
	// conditionInterval is the time between two checks of the conditions that no transaction of the ledger changes.
	conditionInterval = time.Minute
	// lowRunway is the number of epochs below which operators are notified of a low treasury. MoonfundRewardsEndSoon in
	// docs/operations/alerts.yaml has the same limit.
	lowRunway = 4
	// incidentsKept is the number of the newest incidents that are searched for an earlier record of a deep reorg.
	incidentsKept = 100
	// lastingRefusal is the age from which operators are notified of a temporary refusal.
	lastingRefusal = time.Hour
)

// watchConditions checks the conditions until ctx is done. Of several servers on one database only the leader does.
func (s *Server) watchConditions(ctx context.Context) {
	tick := time.NewTicker(conditionInterval)
	defer tick.Stop()
	stops := stopWatch{Server: s}
	for {
		if err := stops.check(ctx); err != nil && ctx.Err() == nil {
			s.Log.Error("what stopped can't be checked", "error", err.Error())
		}
		if err := s.noteDeepReorg(ctx); err != nil && ctx.Err() == nil {
			s.Log.Error("the deep reorg can't be recorded", "error", err.Error())
		}
		if s.Leads() && s.state().Synced {
			if err := s.NoteConditions(ctx); err != nil && ctx.Err() == nil {
				s.Log.Error("the conditions for notifications can't be checked", "error", err.Error())
			}
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// NoteConditions begins or ends the condition of a low treasury for each community, and begins the conditions of
// temporary refusals that are older than lastingRefusal.
func (s *Server) NoteConditions(ctx context.Context) error {
	for _, m := range s.Communities {
		if err := s.noteRunway(ctx, m); err != nil {
			return err
		}
	}
	return s.noteRefusals(ctx)
}

func (s *Server) noteRunway(ctx context.Context, m community.Manifest) error {
	var runway ledger.Runway
	err := s.Store.View(ctx, func(tx *store.Tx) (err error) {
		runway, err = ledger.ReadRunway(ctx, tx.LedgerTx(), m.Prefix, m.Budget)
		return err
	})
	if err != nil {
		return err
	}
	return s.Store.SetCondition(ctx, store.EventRunway, m.Prefix, runway.Epochs < lowRunway,
		store.EventData{Community: m.Prefix, Epochs: runway.Epochs})
}

func (s *Server) noteRefusals(ctx context.Context) error {
	var refusals []ledger.Refusal
	err := s.Store.View(ctx, func(tx *store.Tx) (err error) {
		refusals, err = tx.Refusals(ctx)
		return err
	})
	if err != nil {
		return err
	}
	for _, r := range ledger.ForOperators(refusals) {
		if s.now().Sub(r.Since) < lastingRefusal {
			continue
		}
		if err := s.Store.Update(ctx, func(tx *store.Tx) error { return tx.NoteLastingRefusal(ctx, r.TxID) }); err != nil {
			return err
		}
	}
	return nil
}

// refusedForGood returns the reason why the node refused a payout if that is not temporary, or "".
func (s *Server) refusedForGood(ctx context.Context) (reason string, err error) {
	err = s.Store.View(ctx, func(tx *store.Tx) error {
		refusals, err := tx.Refusals(ctx)
		if err != nil {
			return err
		}
		reason = ""
		for _, r := range ledger.ForOperators(refusals) {
			if r.Passing {
				continue
			}
			_, err := tx.PayoutOf(ctx, r.TxID)
			if errors.Is(err, state.ErrNotFound) {
				continue // of a mint or etch order
			}
			reason = r.Reason
			return err
		}
		return nil
	})
	return reason, err
}

// noteDeepReorg records a deep reorg that stopped the follower, if this server leads.
func (s *Server) noteDeepReorg(ctx context.Context) error {
	state := s.state()
	if !s.Leads() || !errors.Is(state.Err, follower.ErrDeepReorg) {
		return nil
	}
	return s.noteReorg(ctx, state.Tip.Height)
}

// noteReorg appends a deep reorg, at whose height the follower stopped, to the public incident log, once for each
// height.
func (s *Server) noteReorg(ctx context.Context, height int64) error {
	detail := fmt.Sprintf("more than %d blocks up to block %d were replaced", follower.MaxReorg, height)
	return s.Store.Update(ctx, func(tx *store.Tx) error {
		newest, err := tx.Incidents(ctx, "", incidentsKept)
		if err != nil || slices.ContainsFunc(newest, func(i statement.Incident) bool {
			return i.Kind == store.IncidentReorg && i.Detail == detail
		}) {
			return err
		}
		return tx.RecordIncident(ctx, "", store.IncidentReorg, detail, s.now())
	})
}

// noteBackup begins or ends the condition that the last automatic backup failed. The event does not contain the error's
// text, which may name files and addresses. The text is in the log.
func (s *Server) noteBackup(ctx context.Context, failure error) {
	reason := ""
	switch {
	case errors.Is(failure, backup.ErrCopy):
		reason = "it was written, but not copied to another place"
	case errors.Is(failure, syscall.ENOSPC):
		reason = "the disk is full"
	case errors.Is(failure, fs.ErrPermission), errors.Is(failure, syscall.EROFS):
		reason = "the folder can't be written"
	case errors.Is(failure, fs.ErrNotExist):
		reason = "the folder does not exist"
	}
	err := s.Store.SetCondition(ctx, store.EventBackup, store.SubjectBackups, failure != nil,
		store.EventData{Reason: reason})
	if err != nil && ctx.Err() == nil {
		s.Log.Error("a failed backup can't be noted", "error", err.Error())
	}
}
