package signer

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"sync"

	"moonfund/internal/signed/statement"
)

// Head is the last statement that a signer signed for a community. The head of a chain without statements has the
// sequence -1 and the zero id.
type Head struct {
	Sequence int64          `json:"sequence"`
	ID       statement.Hash `json:"id"`
}

// NoHead is the head of a chain without statements.
var NoHead = Head{Sequence: -1}

// Heads stores the head of each account's statements across restarts.
type Heads interface {
	// Load returns the head of an account, or NoHead.
	Load(ctx context.Context, account uint32) (Head, error)
	// Advance replaces the head from by to, which may be the same. The head is durable when Advance returns nil. It
	// returns ErrHeadMoved if to does not follow the stored head.
	Advance(ctx context.Context, account uint32, from, to Head) error
}

var (
	// ErrHeadMoved means that another signer has advanced the head.
	ErrHeadMoved = errors.New("signer: another statement was signed meanwhile")
	// ErrHeadsDiffer means that two statements with one sequence were signed.
	ErrHeadsDiffer = errors.New("signer: the records of the last statement differ: do two servers use this key with " +
		"different databases?")
	// ErrHeadsLost means that the key has signed statements, and the record of the last one is missing.
	ErrHeadsLost = errors.New("signer: the record of the last signed statement is missing, and this key has signed " +
		"statements: if the key was moved, run moonfund signer adopt, which moves its records too; if this is the wrong " +
		"folder, or its disk is not mounted, correct that; only if statements.json is lost, restore it from a backup, or " +
		"write the last published statement into it (moonfund help restore)")
)

// HeadFile stores heads by account in a small JSON file that is replaced atomically. Marker is the path of a file
// beside the key, in another folder, which records that the head file existed. Without a marker a missing head file
// holds no heads.
type HeadFile struct {
	Path, Marker string

	mu sync.Mutex
}

// Load implements Heads. It returns ErrHeadsLost if only the marker exists.
func (f *HeadFile) Load(_ context.Context, account uint32) (Head, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	all, err := f.read()
	if err != nil {
		return Head{}, err
	}
	if head, known := all[strconv.FormatUint(uint64(account), 10)]; known {
		return head, nil
	}
	return NoHead, nil
}

// Advance implements Heads. It also accepts a head above a stored head other than from, because a signer with another
// file may have advanced the shared record.
func (f *HeadFile) Advance(_ context.Context, account uint32, _, to Head) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	all, err := f.read()
	if err != nil {
		return err
	}
	name := strconv.FormatUint(uint64(account), 10)
	kept, known := all[name]
	switch {
	case known && kept == to:
		return nil
	case known && kept.Sequence >= to.Sequence:
		return ErrHeadMoved
	}
	all[name] = to
	data, err := json.MarshalIndent(all, "", "  ")
	if err != nil {
		return err
	}
	temporary, err := writeTemporary(f.Path, append(data, '\n'))
	if err != nil {
		return err
	}
	if err := os.Rename(temporary, f.Path); err != nil {
		os.Remove(temporary)
		return err
	}
	if err := syncFolder(f.Path); err != nil {
		return err
	}
	return f.mark()
}

// mark writes the marker. The head file is written first: a crash in between leaves a file without a marker, which the
// next Advance completes.
func (f *HeadFile) mark() error {
	if f.Marker == "" {
		return nil
	}
	err := writeNew(f.Marker, []byte("The key beside this file has signed statements. Where the record of the last one "+
		"is missing, it was lost.\n"))
	if errors.Is(err, ErrKeyFileExists) {
		return nil
	}
	return err
}

func (f *HeadFile) read() (map[string]Head, error) {
	all := map[string]Head{}
	data, err := os.ReadFile(f.Path)
	if errors.Is(err, fs.ErrNotExist) {
		if f.Marker == "" {
			return all, nil
		}
		if _, err := os.Stat(f.Marker); err == nil {
			return nil, ErrHeadsLost
		} else if !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		return all, nil
	}
	if err == nil {
		err = json.Unmarshal(data, &all)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.Path, err)
	}
	return all, nil
}

// CombinedHeads stores heads in two places: the signer's own, and one shared with the signers of other servers. The
// higher head of both counts.
type CombinedHeads struct{ Own, Shared Heads }

// Load implements Heads. It returns ErrHeadsDiffer if both have another statement with the same sequence.
func (b CombinedHeads) Load(ctx context.Context, account uint32) (Head, error) {
	own, err := b.Own.Load(ctx, account)
	if err != nil {
		return Head{}, err
	}
	shared, err := b.Shared.Load(ctx, account)
	if err != nil {
		return Head{}, err
	}
	switch {
	case own.Sequence > shared.Sequence:
		return own, nil
	case own.Sequence == shared.Sequence && own.ID != shared.ID:
		return Head{}, ErrHeadsDiffer
	}
	return shared, nil
}

// Advance implements Heads. It replaces the shared head first, by a comparison with from, so that only one of two
// signers advances it to a given sequence.
func (b CombinedHeads) Advance(ctx context.Context, account uint32, from, to Head) error {
	if err := b.Shared.Advance(ctx, account, from, to); err != nil {
		return err
	}
	return b.Own.Advance(ctx, account, from, to)
}
