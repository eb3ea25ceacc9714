package publisher

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/btcsuite/btcd/btcec/v2"

	"moonfund/internal/signed/statement"
	"moonfund/internal/signer"
	"moonfund/internal/state"
	"moonfund/internal/store"
)

const (
	receiptInterval = time.Second
	receiptLifetime = 400 * 24 * time.Hour // time for which the server keeps receipts
	deletedAtOnce   = 1000
	// ReceiptsAtOnce is the maximum number of receipts that Of returns.
	ReceiptsAtOnce = 100
)

// Certifier certifies receipt keys, in this process or in another one.
type Certifier interface {
	CertifyReceiptKey(ctx context.Context, account uint32, key statement.Key) (signer.CertifiedKey, error)
}

// Receipts signs receipts of the journal's postings, and serves them. It is safe for concurrent use.
type Receipts struct {
	Communities []Community
	Store       *store.Store
	Certifier   Certifier
	Leads       func() bool // whether this server may sign
	Now         func() (time.Time, error)
	Log         *slog.Logger

	// Update runs a write transaction. Nil means Store.Update.
	Update func(ctx context.Context, fn func(*store.Tx) error) error

	failure atomic.Pointer[string] // of the last Issue by Run; nil or "": it succeeded

	mu      sync.Mutex
	keys    map[string]*receiptKey // by community
	scanned map[string]int64       // number of the posting up to which no receipt is due, by community
	deleted time.Time              // when old receipts were deleted last
}

// receiptKey is a key of this process. It is never stored.
type receiptKey struct {
	private   *btcec.PrivateKey
	certified signer.CertifiedKey
	sequence  int64 // of the next batch
}

// Run signs receipts until ctx is done.
func (r *Receipts) Run(ctx context.Context) {
	tick := time.NewTicker(receiptInterval)
	defer tick.Stop()
	last := ""
	for {
		text := ""
		if err := r.Issue(ctx); err != nil && ctx.Err() == nil {
			text = err.Error()
		}
		if text != last && text != "" {
			r.Log.Error("receipts can't be signed", "error", text)
		}
		last = text
		r.failure.Store(&text)
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// Stopped returns why receipts can't be signed, or "".
func (r *Receipts) Stopped() string {
	if r == nil {
		return ""
	}
	if text := r.failure.Load(); text != nil && *text != "" {
		return *text
	}
	return ""
}

// Issue signs the receipts that are due, if this server leads. It can be repeated, because receipts are made from
// committed postings and stored together with the number of the last one.
func (r *Receipts) Issue(ctx context.Context) error {
	if !r.Leads() {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.keys == nil {
		r.keys, r.scanned = map[string]*receiptKey{}, map[string]int64{}
	}
	var all error
	for _, c := range r.Communities {
		for more := true; more; {
			var err error
			if more, err = r.issue(ctx, c); err != nil {
				all, more = errors.Join(all, fmt.Errorf("community %s: %w", c.Prefix, err)), false
			}
		}
	}
	return errors.Join(all, r.deleteOld(ctx))
}

// issue signs one batch of receipts of a community, if any are due, and reports whether more may be.
func (r *Receipts) issue(ctx context.Context, c Community) (more bool, err error) {
	var due store.DueReceipts
	err = r.Store.View(ctx, func(tx *store.Tx) (err error) {
		due, err = tx.DueReceipts(ctx, c.Prefix, r.scanned[c.Prefix])
		return err
	})
	if errors.Is(err, store.ErrReceiptsNotBegun) {
		return true, r.update(ctx, func(tx *store.Tx) error { return tx.BeginReceipts(ctx, c.Prefix) })
	}
	if err != nil {
		return false, err
	}
	if len(due.Receipts) == 0 {
		r.scanned[c.Prefix] = due.Through
		return due.More, nil
	}
	now, err := r.Now()
	if err != nil {
		return false, err
	}
	key, err := r.key(ctx, c, now)
	if err != nil {
		return false, err
	}
	return due.More, r.sign(ctx, c, key, due, now)
}

// sign signs and stores a batch. If it is unknown whether the batch was stored, its key signs no other batch.
func (r *Receipts) sign(ctx context.Context, c Community, key *receiptKey, due store.DueReceipts, now time.Time) error {
	certificate := key.certified.Certificate
	receipts := make([]statement.Receipt, len(due.Receipts))
	for i, next := range due.Receipts {
		receipts[i] = next.Receipt
	}
	batch, texts, paths, err := statement.NewBatch(statement.Batch{
		Network: certificate.Network, Community: c.Prefix, Key: certificate.Key, Sequence: key.sequence,
		Time: max(now.Unix(), certificate.From), // the signer's clock may be ahead
	}, receipts)
	if err != nil {
		return err
	}
	signature, err := batch.Sign(key.private)
	if err != nil {
		return err
	}
	delete(r.keys, c.Prefix)
	if err := r.update(ctx, func(tx *store.Tx) error {
		return tx.StoreReceipts(ctx, due, statement.SignedReceipt{
			Batch: batch, BatchSignature: signature, Certificate: certificate,
			CertificateSignature: key.certified.Signature, Key: c.Key,
		}, texts, paths)
	}); err != nil {
		return err
	}
	key.sequence++
	r.keys[c.Prefix] = key
	return nil
}

// key returns the key that signs a community's batches. It generates another key when half of the validity is over.
func (r *Receipts) key(ctx context.Context, c Community, now time.Time) (*receiptKey, error) {
	if key := r.keys[c.Prefix]; key != nil {
		if from := time.Unix(key.certified.Certificate.From, 0); now.Sub(from) < statement.CertificateLifetime/2 {
			return key, nil
		}
	}
	private, err := btcec.NewPrivateKey()
	if err != nil {
		return nil, err
	}
	public := statement.KeyOf(private.PubKey())
	certified, err := r.Certifier.CertifyReceiptKey(ctx, c.Account, public)
	if err != nil {
		return nil, err
	}
	certificate := certified.Certificate
	if err := certificate.Verify(c.Key, certified.Signature); err != nil {
		return nil, err
	}
	if certificate.Key != public || certificate.Community != c.Prefix || certificate.To < now.Unix() {
		return nil, fmt.Errorf("the signer certified %+v, not the key %s", certificate, public)
	}
	r.keys[c.Prefix] = &receiptKey{private: private, certified: certified}
	return r.keys[c.Prefix], nil
}

// deleteOld deletes old receipts, in parts.
func (r *Receipts) deleteOld(ctx context.Context) error {
	now, err := r.Now()
	if err != nil || len(r.Communities) == 0 || now.Sub(r.deleted) < time.Hour {
		return err
	}
	var n int64
	err = r.update(ctx, func(tx *store.Tx) (err error) {
		n, err = tx.DeleteReceipts(ctx, now.Add(-receiptLifetime), deletedAtOnce)
		return err
	})
	if err == nil && n < deletedAtOnce {
		r.deleted = now
	}
	return err
}

func (r *Receipts) update(ctx context.Context, fn func(*store.Tx) error) error {
	if r.Update != nil {
		return r.Update(ctx, fn)
	}
	return r.Store.Update(ctx, fn)
}

// Of returns signed receipts of an owner, newest first, at most ReceiptsAtOnce, as a canonical JSON array. It returns
// state.ErrNotFound if the community has no receipts. orderID selects the receipts of an order, or else actionID the
// receipts of an action. With two empty ids it returns all receipts. It omits the newest skip receipts.
func (r *Receipts) Of(ctx context.Context, community, owner, actionID, orderID string, skip int32) (string, error) {
	known := false
	for _, c := range r.Communities {
		known = known || c.Prefix == community
	}
	if !known {
		return "", state.ErrNotFound
	}
	var all []statement.SignedReceipt
	if err := r.Store.View(ctx, func(tx *store.Tx) (err error) {
		f := store.ReceiptFilter{Action: actionID, Order: orderID, Skip: skip}
		all, err = tx.ReceiptsOf(ctx, community, owner, f, ReceiptsAtOnce)
		return err
	}); err != nil {
		return "", err
	}
	texts := make([][]byte, len(all))
	for i, s := range all {
		var err error
		if texts[i], err = s.Encode(); err != nil {
			return "", err
		}
	}
	return "[" + string(bytes.Join(texts, []byte(","))) + "]", nil
}
