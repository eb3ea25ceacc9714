package server

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"time"

	"moonfund/internal/server/stop"
	"moonfund/internal/signer"
	"moonfund/internal/store"
)

// markInterval is the interval at which the ledger is compared with the high-water mark of its key.
const markInterval = time.Second

// errNotCompared is the reason for refusing actions until the signer has returned its mark.
var errNotCompared = errors.New("the ledger is not compared with the signer's high-water mark yet")

// CompareMark compares the ledger with its key's high-water mark and raises the mark. If the ledger is behind the mark,
// it pauses everything, with the reason. It returns an error if the key belongs to another ledger, or if the mark can't
// be written. It is called at the start of the server, and afterwards only by keepMark.
func (s *Server) CompareMark(ctx context.Context) error {
	if s.Marks == nil {
		return nil
	}
	var current store.Mark
	if err := s.Store.View(ctx, func(tx *store.Tx) (err error) {
		current, err = tx.Mark(ctx)
		return err
	}); err != nil {
		return err
	}
	mark := signer.Mark(current)
	stored, err := s.Marks.Raise(ctx, mark, "")
	if errors.Is(err, signer.ErrOtherLedger) {
		return fmt.Errorf("the key serves the ledger %s, but this is the ledger %s: is this the right data folder or "+
			"database? Neither contains the stakes of the other", stored.Ledger, mark.Ledger)
	}
	if err != nil {
		return fmt.Errorf("the high-water mark beside the key can't be raised: %w", err)
	}
	s.compared.Store(true)
	if _, behind := mark.Behind(stored); behind {
		return s.pauseBehind(ctx, stored)
	}
	return nil
}

// pauseBehind pauses everything if the ledger is behind a stored mark. It does nothing if everything is paused because
// of the same mark. The comparison in the transaction decides: since CompareMark read the ledger, another server may
// have raised the mark after further changes, or an operator may have continued with this copy.
func (s *Server) pauseBehind(ctx context.Context, stored signer.Mark) error {
	known := false
	if err := s.Store.View(ctx, func(tx *store.Tx) error {
		found, _, err := tx.Behind(ctx)
		if err != nil {
			return err
		}
		paused, err := tx.PausedAll(ctx)
		known = paused != "" && reflect.DeepEqual(found, store.Mark(stored))
		return err
	}); err != nil || known {
		return err
	}
	at, err := s.Clock.Moment()
	if err != nil {
		return err
	}
	var reason string
	err = s.Store.Update(ctx, func(tx *store.Tx) error {
		current, err := tx.Mark(ctx)
		if err != nil {
			return err
		}
		if reason = behindReason(signer.Mark(current), stored); reason == "" {
			return nil
		}
		return tx.FoundBehind(ctx, store.Mark(stored), reason, at.Now)
	})
	if err == nil && reason != "" {
		s.Log.Error("the ledger is behind its key's high-water mark: everything is paused", "reason", reason)
	}
	return err
}

// behindReason returns why a ledger with the current mark is paused, or "" if it is not behind the stored mark.
func behindReason(current, stored signer.Mark) string {
	name, behind := current.Behind(stored)
	switch {
	case !behind:
		return ""
	case name == "generation":
		return stop.Replaced + ": an operator continued with another copy of it. Serve that copy"
	}
	return fmt.Sprintf(stop.OlderCopy+": its key has served a newer one (%s %d, here %d). "+
		"Find that copy: it has stakes and payouts that this one lacks. Continue with this one only if it is lost",
		name, stored.Counts[name], current.Counts[name])
}

// markCompared returns errNotCompared until the ledger has been compared with its key's mark.
func (s *Server) markCompared() error {
	if s.Marks == nil {
		return nil
	}
	if !s.compared.Load() {
		return errNotCompared
	}
	return nil
}

// keepMark raises the mark as the ledger grows, until ctx is done.
func (s *Server) keepMark(ctx context.Context) {
	tick := time.NewTicker(markInterval)
	defer tick.Stop()
	last := ""
	for {
		text := ""
		if err := s.CompareMark(ctx); err != nil && ctx.Err() == nil {
			text = err.Error()
		}
		if text != last && text != "" {
			s.Log.Error("the high-water mark", "error", text)
		}
		last = text
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}
