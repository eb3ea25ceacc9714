// Package publisher publishes the statements of settled epochs: it builds each statement from the facts that the
// settlement recorded, requests its signature, stores it and archives it as files.
package publisher

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"moonfund/internal/signed/statement"
	"moonfund/internal/signer"
	"moonfund/internal/state"
	"moonfund/internal/store"
)

// Signer signs statements, in this process or in another one.
type Signer interface {
	SignStatement(ctx context.Context, account uint32, text []byte) (statement.Signed, error)
	StatementHead(ctx context.Context, account uint32) (signer.Head, error)
}

// Community is a community whose manifest has a statement key.
type Community struct {
	Prefix  string
	Account uint32
	Key     statement.Key
}

// Publisher publishes the statements of communities. It is safe for concurrent use.
type Publisher struct {
	Communities []Community
	Store       *store.Store
	Archive     statement.Archive
	Signer      Signer
	Leads       func() bool // whether this server may sign and import
	Log         *slog.Logger

	failure atomic.Pointer[string] // of the last Publish; nil or "": it succeeded

	mu       sync.Mutex
	archived map[string]int64 // number of statements known to be in the archive, by community
	trees    map[string]trees // by community
}

const interval = 2 * time.Second

// Run publishes statements until ctx is done.
func (p *Publisher) Run(ctx context.Context) {
	tick := time.NewTicker(interval)
	defer tick.Stop()
	last := ""
	for {
		text := ""
		if err := p.Publish(ctx); err != nil && ctx.Err() == nil {
			text = err.Error()
		}
		if text != last && text != "" {
			p.Log.Error("statements can't be published", "error", text)
		}
		last = text
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// Publish signs every statement whose facts are recorded, and archives every signed one. A server that does not lead
// only archives. Each step can be repeated, so a crash between two of them loses nothing.
func (p *Publisher) Publish(ctx context.Context) error {
	all := p.publish(ctx)
	text := ""
	if all != nil {
		text = all.Error()
	}
	if ctx.Err() == nil {
		p.failure.Store(&text)
	}
	return all
}

// Stopped returns why the last Publish failed, or "".
func (p *Publisher) Stopped() string {
	if p == nil {
		return ""
	}
	if text := p.failure.Load(); text != nil {
		return *text
	}
	return ""
}

func (p *Publisher) publish(ctx context.Context) (all error) {
	for _, c := range p.Communities {
		var err error
		if p.Leads() {
			err = p.sign(ctx, c)
		}
		if err = errors.Join(err, p.archive(ctx, c)); err != nil {
			all = errors.Join(all, fmt.Errorf("community %s: %w", c.Prefix, err))
		}
	}
	return all
}

// sign signs the recorded statements of a community in their order.
func (p *Publisher) sign(ctx context.Context, c Community) error {
	if err := p.importMissing(ctx, c); err != nil {
		return err
	}
	for {
		d, details, err := p.next(ctx, c)
		if errors.Is(err, state.ErrNotFound) {
			return nil
		}
		if err != nil {
			return err
		}
		if err := p.Archive.PutUnsigned(d, details); err != nil {
			return err
		}
		signed, err := p.signature(ctx, c, d)
		if err != nil {
			return err
		}
		if err := p.Store.Update(ctx, func(tx *store.Tx) error { return tx.StoreSigned(ctx, signed) }); err != nil {
			return err
		}
		p.Log.Info("published a statement", "community", c.Prefix, "sequence", d.Sequence, "epoch", d.Epoch)
	}
}

// next returns the first statement of a community that is not signed, or state.ErrNotFound.
func (p *Publisher) next(
	ctx context.Context, c Community,
) (d statement.Document, details statement.Details, err error) {
	err = p.Store.View(ctx, func(tx *store.Tx) (err error) {
		d, details, err = tx.UnsignedStatement(ctx, c.Prefix)
		return err
	})
	return d, details, err
}

// signature requests the signature of a document, and verifies it with the key in the manifest.
func (p *Publisher) signature(ctx context.Context, c Community, d statement.Document) (statement.Signed, error) {
	text, err := d.Encode()
	if err != nil {
		return statement.Signed{}, err
	}
	signed, err := p.Signer.SignStatement(ctx, c.Account, text)
	if err != nil {
		return signed, err
	}
	return signed, signed.Verify(c.Key)
}

// importMissing imports the statements that the signer signed and this ledger does not have, because the ledger is an
// earlier copy. It reads them from the archive.
func (p *Publisher) importMissing(ctx context.Context, c Community) error {
	head, err := p.Signer.StatementHead(ctx, c.Account)
	if err != nil {
		return err
	}
	for {
		var own store.StatementHead
		var recorded bool
		if err := p.Store.View(ctx, func(tx *store.Tx) (err error) {
			if own, err = tx.StatementHead(ctx, c.Prefix); err != nil || own.Sequence+1 != head.Sequence {
				return err
			}
			recorded, err = p.isRecorded(ctx, tx, c, head)
			return err
		}); err != nil || own.Sequence >= head.Sequence || recorded {
			return err
		}
		signed, details, err := p.archivedStatement(ctx, c, own.Sequence+1, head)
		if err != nil {
			return fmt.Errorf("the signer has signed statement %d, and this ledger has only the statements up to %d. Copy the "+
				"files of the missing ones into %s, from a backup or from another server: %w", head.Sequence, own.Sequence,
				p.Archive, err)
		}
		if err := p.Store.Update(ctx, func(tx *store.Tx) error {
			return tx.ImportStatement(ctx, signed, details)
		}); err != nil {
			return err
		}
		p.Log.Warn("imported a statement that this ledger lacked", "community", c.Prefix, "sequence", own.Sequence+1)
	}
}

// isRecorded reports whether the signer's head is the next statement of this ledger: the server stopped after it was
// signed, before it stored the signature.
func (p *Publisher) isRecorded(ctx context.Context, tx *store.Tx, c Community, head signer.Head) (bool, error) {
	d, _, err := tx.UnsignedStatement(ctx, c.Prefix)
	if errors.Is(err, state.ErrNotFound) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	id, err := d.ID()
	return id == head.ID, err
}

// archivedStatement reads a statement from the archive and verifies its signature. If the archive has only the document
// of the signer's head, the document is signed again.
func (p *Publisher) archivedStatement(
	ctx context.Context, c Community, sequence int64, head signer.Head,
) (signed statement.Signed, details statement.Details, err error) {
	if details, err = p.Archive.Details(c.Prefix, sequence); err != nil {
		return signed, details, err
	}
	signed, err = p.Archive.Signed(c.Prefix, sequence)
	if errors.Is(err, fs.ErrNotExist) && sequence == head.Sequence {
		d, unsignedErr := p.Archive.Unsigned(c.Prefix, sequence)
		if unsignedErr != nil {
			return signed, details, err
		}
		signed, err = p.signature(ctx, c, d)
	}
	if err != nil {
		return signed, details, err
	}
	return signed, details, signed.Verify(c.Key)
}

// archive writes the files of every signed statement that the archive lacks.
func (p *Publisher) archive(ctx context.Context, c Community) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.archived == nil {
		p.archived = map[string]int64{}
	}
	for ; ; p.archived[c.Prefix]++ {
		sequence := p.archived[c.Prefix]
		if p.Archive.Has(c.Prefix, sequence) {
			continue
		}
		signed, err := p.signed(ctx, c.Prefix, sequence)
		if errors.Is(err, state.ErrNotFound) {
			return nil
		}
		if err != nil {
			return err
		}
		details, err := p.details(ctx, signed)
		if err == nil {
			err = p.Archive.PutUnsigned(signed.Document, details)
		}
		if err == nil {
			err = p.Archive.PutSigned(signed)
		}
		if err != nil {
			return err
		}
	}
}

// tree is the tree of a published statement.
type tree struct {
	sequence int64
	id       statement.Hash
	*statement.Tree
}

// trees are the cached trees of a community: the one with the highest sequence of the proofs, which most callers want,
// and the last other one. So requests for old statements do not have the newest tree built again.
type trees struct{ newest, other *tree }

// of returns the tree of a sequence, or nil.
func (t trees) of(sequence int64) *tree {
	for _, cached := range []*tree{t.newest, t.other} {
		if cached != nil && cached.sequence == sequence {
			return cached
		}
	}
	return nil
}

// with returns the trees after another one was read.
func (t trees) with(read *tree) trees {
	if t.newest == nil || read.sequence > t.newest.sequence {
		return trees{newest: read, other: t.newest}
	}
	return trees{newest: t.newest, other: read}
}

// Head returns the newest signed statement of a community, or state.ErrNotFound.
func (p *Publisher) Head(ctx context.Context, community string) (text string, err error) {
	err = p.Store.View(ctx, func(tx *store.Tx) error {
		head, err := tx.StatementHead(ctx, community)
		if err == nil && head.Sequence < 0 {
			err = state.ErrNotFound
		}
		text = head.Signed
		return err
	})
	return text, err
}

// Signed returns a signed statement in canonical JSON, or state.ErrNotFound.
func (p *Publisher) Signed(ctx context.Context, community string, sequence int64) (text string, err error) {
	signed, err := p.signed(ctx, community, sequence)
	if err != nil {
		return "", err
	}
	encoded, err := signed.Encode()
	return string(encoded), err
}

func (p *Publisher) signed(ctx context.Context, community string, sequence int64) (s statement.Signed, err error) {
	err = p.Store.View(ctx, func(tx *store.Tx) (err error) {
		s, err = tx.SignedStatement(ctx, community, sequence)
		return err
	})
	return s, err
}

// Details returns the details of a signed statement in canonical JSON, or state.ErrNotFound.
func (p *Publisher) Details(ctx context.Context, community string, sequence int64) (string, error) {
	signed, err := p.signed(ctx, community, sequence)
	if err != nil {
		return "", err
	}
	details, err := p.details(ctx, signed)
	if err != nil {
		return "", err
	}
	text, err := details.Encode()
	return string(text), err
}

// details returns the details of a signed statement. The details of an imported statement are only in the archive until
// its epoch settles again.
func (p *Publisher) details(ctx context.Context, s statement.Signed) (details statement.Details, err error) {
	if err = p.Store.View(ctx, func(tx *store.Tx) (err error) {
		details, err = tx.StatementDetails(ctx, s)
		return err
	}); err != nil || s.Document.Match(details) == nil {
		return details, err
	}
	if details, err = p.Archive.Details(s.Document.Community, s.Document.Sequence); err != nil {
		return details, err
	}
	return details, s.Document.Match(details)
}

// Proof returns the proof of an owner in canonical JSON, or state.ErrNotFound. It caches trees of statements.
func (p *Publisher) Proof(ctx context.Context, community string, sequence int64, owner string) (string, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	found := p.trees[community].of(sequence)
	if found == nil {
		signed, err := p.signed(ctx, community, sequence)
		if err != nil {
			return "", err
		}
		if found, err = p.readTree(ctx, signed.Document); err != nil {
			return "", err
		}
		if p.trees == nil {
			p.trees = map[string]trees{}
		}
		p.trees[community] = p.trees[community].with(found)
	}
	proof, ok := statement.ProofOf(found.Tree, found.id, owner)
	if !ok {
		return "", state.ErrNotFound
	}
	text, err := proof.Encode()
	return string(text), err
}

func (p *Publisher) readTree(ctx context.Context, d statement.Document) (*tree, error) {
	var leaves []statement.Leaf
	if err := p.Store.View(ctx, func(tx *store.Tx) (err error) {
		leaves, err = tx.StatementOwners(ctx, d.Community, d.Sequence)
		return err
	}); err != nil {
		return nil, err
	}
	built, err := statement.NewTree(d.Binding(), leaves)
	if err != nil {
		return nil, err
	}
	if built.Root() != d.Owners.Node() {
		return nil, fmt.Errorf("the recorded owners do not belong to statement %d of %s", d.Sequence, d.Community)
	}
	id, err := d.ID()
	return &tree{d.Sequence, id, built}, err
}
