package main

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"time"

	"moonfund/signer"
	"moonfund/store"
)

// markEvery is how often the ledger is compared with the mark that is kept with its key, and the mark is raised.
const markEvery = time.Second

// marksOf are kept beside the key file, or by the signer's process.
func marksOf(key string, process *signer.Client, network string) signer.Marks {
	if process != nil {
		return process
	}
	return &signer.MarkFile{Path: key + ".mark", Network: network}
}

// errNotCompared is why nothing can be changed until the signer has said which mark it keeps.
var errNotCompared = errors.New("the ledger is not compared with the signer's high-water mark yet")

// compareMark is called at the start, and then by keepMark alone. It holds the ledger against its key's mark. A ledger that is behind is paused, with the reason. Another
// ledger than the one that the key serves is an error, and so is a mark that can't be written.
func (h *house) compareMark(ctx context.Context) error {
	if h.marks == nil {
		return nil
	}
	var standing store.Standing
	if err := h.store.View(ctx, func(tx *store.Tx) (err error) {
		standing, err = tx.Standing(ctx)
		return err
	}); err != nil {
		return err
	}
	mark := signer.Mark(standing)
	kept, err := h.marks.Raise(ctx, mark, "")
	if errors.Is(err, signer.ErrOtherLedger) {
		return fmt.Errorf("the key serves the ledger %s, and this is the ledger %s: is this the right data folder or database? "+
			"Stakes of the one are not known to the other", kept.Ledger, mark.Ledger)
	}
	if err != nil {
		return fmt.Errorf("the high-water mark, which is kept with the key, can't be raised: %w", err)
	}
	h.compared.Store(true)
	if name, behind := mark.Behind(kept); behind {
		return h.pauseBehind(ctx, store.Standing(kept), name, standing)
	}
	return nil
}

// pauseBehind pauses everything, once for a mark.
func (h *house) pauseBehind(ctx context.Context, kept store.Standing, name string, standing store.Standing) error {
	known := false
	if err := h.store.View(ctx, func(tx *store.Tx) error {
		found, _, err := tx.Behind(ctx)
		if err != nil {
			return err
		}
		paused, err := tx.PausedAll(ctx)
		known = paused != "" && reflect.DeepEqual(found, kept)
		return err
	}); err != nil || known {
		return err
	}
	at, err := h.clock.moment()
	if err != nil {
		return err
	}
	reason := fmt.Sprintf("this ledger is an older copy: its key has served one that came farther (%s %d, here %d). "+
		"Find that one, it knows stakes and payouts that this one does not; only if it is lost, go on with this one",
		name, kept.Counts[name], standing.Counts[name])
	if name == "generation" {
		reason = "this ledger was replaced: an operator went on with another copy of it. Serve that one"
	}
	h.log.Error("the ledger is behind its key's high-water mark: everything is paused", "reason", reason)
	return h.store.Update(ctx, func(tx *store.Tx) error {
		return tx.FoundBehind(ctx, kept, reason, at.Now)
	})
}

// markCompared returns an error while the ledger was not compared with its key's mark.
func (h *house) markCompared() error {
	if h.marks == nil {
		return nil
	}
	if !h.compared.Load() {
		return errNotCompared
	}
	return nil
}

// keepMark raises the mark as the ledger grows, until ctx ends.
func (h *house) keepMark(ctx context.Context) {
	tick := time.NewTicker(markEvery)
	defer tick.Stop()
	last := ""
	for {
		text := ""
		if err := h.compareMark(ctx); err != nil && ctx.Err() == nil {
			text = err.Error()
		}
		if text != last && text != "" {
			h.log.Error("the high-water mark", "error", text)
		}
		last = text
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}
