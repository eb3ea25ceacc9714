package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/signed/statement"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/state"
	"moonfund/internal/store/sqlc"
)

const (
	// maxPostings is the number of postings that DueReceipts reads for a batch.
	maxPostings = 1000
	// maxScanned is the number of postings that DueReceipts skips, because most may be about rewards.
	maxScanned = 50_000
)

// DueReceipt is a receipt that is not signed yet. There is one receipt of each kind and subject.
type DueReceipt struct {
	statement.Receipt
	Subject string
}

// DueReceipts are the receipts of the postings after a position of the journal.
type DueReceipts struct {
	Cursor   int64 // number of the last posting that receipts were made from
	Through  int64 // number of the last posting that these receipts are made from
	More     bool  // whether postings follow
	Receipts []DueReceipt
}

// BeginReceipts begins the receipts of a community with the next posting, unless they have begun.
func (t *Tx) BeginReceipts(ctx context.Context, community string) error {
	return wrap(t.q.BeginReceipts(ctx, community))
}

// ErrReceiptsNotBegun is returned by DueReceipts for a community whose receipts have not begun.
var ErrReceiptsNotBegun = errors.New("store: the receipts have not begun")

// DueReceipts returns the next receipts of a community, or ErrReceiptsNotBegun. scanned is the number of a posting up
// to which no receipt is due, or 0.
func (t *Tx) DueReceipts(ctx context.Context, community string, scanned int64) (due DueReceipts, err error) {
	due.Cursor, err = t.q.ReceiptCursor(ctx, community)
	if known, err := absent(err); err != nil {
		return due, err
	} else if !known {
		return due, ErrReceiptsNotBegun
	}
	last, err := t.q.LastPosting(ctx)
	if err != nil {
		return due, wrap(err)
	}
	bound, err := t.q.Community(ctx, community)
	if err != nil {
		return due, wrap(err)
	}
	after := max(due.Cursor, scanned)
	due.Through = max(after, min(last, after+maxScanned))
	rows, err := t.q.PostingsForReceipts(ctx, sqlc.PostingsForReceiptsParams{
		After: after, Last: due.Through, Community: community, Most: maxPostings,
	})
	if err != nil {
		return due, wrap(err)
	}
	if len(rows) == maxPostings {
		due.Through = rows[len(rows)-1].Number
	}
	due.More = due.Through < last
	seen := map[string]bool{}
	for _, row := range rows {
		next, err := t.dueReceipt(ctx, row, seen)
		if errors.Is(err, state.ErrNotFound) {
			continue
		}
		if err != nil {
			return due, fmt.Errorf("receipt of posting %d: %w", row.Number, err)
		}
		next.Format, next.Network, next.Community = statement.ReceiptFormat, bound.Network, community
		due.Receipts = append(due.Receipts, next)
	}
	return due, nil
}

// dueReceipt returns the receipt of a posting, or state.ErrNotFound if the posting has a receipt or needs none. It adds
// the subject to seen.
func (t *Tx) dueReceipt(ctx context.Context, p sqlc.Journal, seen map[string]bool) (due DueReceipt, err error) {
	due.Receipt = statement.Receipt{Owner: p.Owner, Time: p.At, TxID: statement.NoTx}
	if p.CauseKind == "action" {
		due.Subject = p.CauseID
		if seen[due.Subject] { // an action has a posting for each unit
			return due, state.ErrNotFound
		}
		seen[due.Subject] = true
		err = t.actionReceipt(ctx, &due.Receipt, p.CauseID)
	} else {
		due.Subject, err = t.chainReceipt(ctx, &due.Receipt, p)
	}
	if err != nil {
		return due, err
	}
	known, err := t.q.HasReceipt(ctx, sqlc.HasReceiptParams{
		Subject: due.Subject, Kind: due.Kind, Community: p.Community,
	})
	if id := due.Kind + " " + due.Subject; p.CauseKind != "action" {
		if seen[id] {
			return due, state.ErrNotFound
		}
		seen[id] = true
	}
	if err == nil && known > 0 {
		err = state.ErrNotFound
	}
	return due, wrap(err)
}

// actionReceipt sets the fields of the receipt of an accepted action.
func (t *Tx) actionReceipt(ctx context.Context, r *statement.Receipt, id string) error {
	a, err := t.Action(ctx, id)
	if err != nil {
		return err
	}
	r.Action, r.Order, r.Kind, r.Units = a.ID, a.OrderID, strings.ToLower(string(a.Type)), int64(len(a.UnitIDs))
	r.Message, r.Signature = statement.MessageHash(a.Message), statement.SignatureHash(a.Signature)
	if r.Runes, err = statement.SumOf(a.Amount); err != nil || r.Order == "" {
		return err
	}
	o, err := t.Order(ctx, r.Order)
	if err != nil || o.ActionID != a.ID {
		return err // a cancel does not state the price
	}
	r.Address = o.Address
	r.Sats, err = statement.SumOf(o.Fees.Total())
	return err
}

// chainReceipt sets the fields of the receipt of a posting about a transaction, and returns its subject.
func (t *Tx) chainReceipt(ctx context.Context, r *statement.Receipt, p sqlc.Journal) (subject string, err error) {
	switch p.Event {
	case string(ledger.Deposited):
		r.Kind, r.Units = statement.StakeReceipt, 1
		return p.Subject, t.outputReceipt(ctx, r, p.Subject)
	case "payment seen":
		o, err := t.Order(ctx, p.Subject)
		if err != nil {
			return "", err
		}
		r.Kind, r.Order, r.Address = statement.PaymentReceipt, o.ID, o.Address
		return p.CauseID, t.outputReceipt(ctx, r, p.CauseID)
	case "refund sent":
		return p.CauseID, t.refundReceipt(ctx, r, p)
	}
	return t.deliveryReceipt(ctx, r, p.Subject)
}

// outputReceipt sets the fields of a deposit or a payment from its output.
func (t *Tx) outputReceipt(ctx context.Context, r *statement.Receipt, id string) error {
	out, err := ledger.ParseOutPoint(id)
	if err != nil {
		return err
	}
	output, err := t.Output(ctx, out)
	if err != nil {
		return err
	}
	r.TxID, r.Vout, r.Height = out.Hash.String(), int64(out.Index), max(0, output.Height)
	if r.Kind == statement.StakeReceipt {
		r.Address = output.Ref
		if r.Runes, err = statement.SumOf(output.Runes); err != nil {
			return err
		}
		issued, err := t.q.StakeAddress(ctx, output.Ref)
		if _, err = absent(err); err != nil {
			return err
		}
		r.Action = issued.ActionID
	}
	r.Sats, err = statement.SumOf(output.Value)
	return err
}

// refundReceipt sets the fields of a refund from its first version.
func (t *Tx) refundReceipt(ctx context.Context, r *statement.Receipt, p sqlc.Journal) error {
	o, err := t.Order(ctx, p.Subject)
	if err != nil {
		return err
	}
	refund, err := t.Payout(ctx, p.CauseID)
	if err != nil {
		return err
	}
	sent := refund.Versions[0].Tx
	r.Kind, r.Order, r.Address, r.TxID = statement.RefundReceipt, o.ID, o.Payment, sent.ID.String()
	r.Sats, err = statement.SumOf(amount.Sats(sent.Msg.TxOut[0].Value))
	return err
}

// deliveryReceipt sets the fields of a delivery and returns its subject. It returns state.ErrNotFound if a reorg has
// undone the delivery since. When the delivery confirms again, there is another posting.
func (t *Tx) deliveryReceipt(ctx context.Context, r *statement.Receipt, orderID string) (subject string, err error) {
	o, err := t.Order(ctx, orderID)
	if err != nil {
		return "", err
	}
	delivery, err := t.PayoutOf(ctx, o.PayoutTx)
	if err != nil {
		return "", err
	}
	for _, v := range delivery.Versions {
		if v.Height == chain.None {
			continue
		}
		r.Kind, r.Order, r.Address, r.Units = statement.DeliveryReceipt, o.ID, o.Owner, int64(len(o.UnitIDs))
		r.TxID, r.Height = v.Tx.ID.String(), v.Height
		r.Runes, err = statement.SumOf(o.Amount)
		return o.ID + ":" + r.TxID, err
	}
	return "", state.ErrNotFound
}

// StoreReceipts stores a signed batch of due receipts. paths and texts belong to its leaves. It returns
// state.ErrConflict if receipts were stored since they became due.
func (t *Tx) StoreReceipts(
	ctx context.Context, due DueReceipts, signed statement.SignedReceipt, texts []string, paths [][]statement.Hash,
) error {
	b, c := signed.Batch, signed.Certificate
	if err := exactlyOne(t.q.AdvanceReceipts(ctx, sqlc.AdvanceReceiptsParams{
		Through: due.Through, Community: b.Community, Cursor: due.Cursor,
	})); err != nil {
		return err
	}
	keySignature, err := signed.CertificateSignature.MarshalText()
	if err != nil {
		return err
	}
	if err := t.q.InsertReceiptKey(ctx, sqlc.InsertReceiptKeyParams{
		Community: c.Community, ReceiptKey: c.Key.String(), ValidFrom: c.From, ValidTo: c.To,
		StatementKey: signed.Key.String(), Signature: string(keySignature),
	}); err != nil {
		return wrap(err)
	}
	signature, err := signed.BatchSignature.MarshalText()
	if err != nil {
		return err
	}
	if err := t.q.InsertReceiptBatch(ctx, sqlc.InsertReceiptBatchParams{
		Community: b.Community, ReceiptKey: b.Key.String(), Sequence: b.Sequence, At: b.Time, Receipts: b.Count,
		Root: b.Root.String(), Signature: string(signature),
	}); err != nil {
		return wrap(err)
	}
	rows := make([]sqlc.InsertReceiptParams, len(due.Receipts))
	last, err := t.reserve(ctx, "receipt", int64(len(rows)))
	if err != nil {
		return err
	}
	for i, r := range due.Receipts {
		path, err := json.Marshal(paths[i])
		if err != nil {
			return err
		}
		rows[i] = sqlc.InsertReceiptParams{
			Number: last - int64(len(rows)-1-i), Community: b.Community, Kind: r.Kind, Subject: r.Subject, Owner: r.Owner,
			ActionID: r.Action, OrderID: r.Order, ReceiptKey: b.Key.String(), Sequence: b.Sequence, Position: int64(i),
			Path: string(path), Document: texts[i], At: b.Time,
		}
	}
	return writeAll(ctx, t, rows, func(q *sqlc.Queries, row sqlc.InsertReceiptParams) error {
		return q.InsertReceipt(ctx, row)
	})
}

// ReceiptFilter selects receipts of an owner: of an action, of an order, or all if both ids are empty.
type ReceiptFilter struct {
	Action string // ignored if Order is set
	Order  string
	Skip   int32 // number of newer receipts that are left out
}

// ReceiptsOf returns at most limit signed receipts of an owner, newest first.
func (t *Tx) ReceiptsOf(
	ctx context.Context, community, owner string, f ReceiptFilter, limit int32,
) ([]statement.SignedReceipt, error) {
	if f.Order != "" {
		rows, err := t.q.ReceiptsOfOrder(ctx, sqlc.ReceiptsOfOrderParams{
			Community: community, Owner: owner, OrderID: f.Order, Most: limit, Skipped: f.Skip,
		})
		return mapAll(rows, err, func(row sqlc.ReceiptsOfOrderRow) (statement.SignedReceipt, error) {
			return toReceipt(sqlc.ReceiptsOfRow(row))
		})
	}
	if f.Action != "" {
		rows, err := t.q.ReceiptsOfAction(ctx, sqlc.ReceiptsOfActionParams{
			Community: community, Owner: owner, ActionID: f.Action, Most: limit, Skipped: f.Skip,
		})
		return mapAll(rows, err, func(row sqlc.ReceiptsOfActionRow) (statement.SignedReceipt, error) {
			return toReceipt(sqlc.ReceiptsOfRow(row))
		})
	}
	rows, err := t.q.ReceiptsOf(ctx, sqlc.ReceiptsOfParams{
		Community: community, Owner: owner, Most: limit, Skipped: f.Skip,
	})
	return mapAll(rows, err, toReceipt)
}

func toReceipt(row sqlc.ReceiptsOfRow) (s statement.SignedReceipt, err error) {
	s.Format, s.Index = statement.SignedReceiptFormat, row.Position
	if s.Receipt, err = statement.ParseReceipt([]byte(row.Document)); err != nil {
		return s, err
	}
	of := s.Receipt
	s.Batch = statement.Batch{
		Format: statement.BatchFormat, Network: of.Network, Community: of.Community, Sequence: row.Sequence, Time: row.At,
		Count: row.Receipts,
	}
	s.Certificate = statement.Certificate{
		Format: statement.CertificateFormat, Network: of.Network, Community: of.Community, From: row.ValidFrom,
		To: row.ValidTo,
	}
	err = errors.Join(s.Batch.Key.UnmarshalText([]byte(row.ReceiptKey)), s.Batch.Root.UnmarshalText([]byte(row.Root)),
		s.BatchSignature.UnmarshalText([]byte(row.Signature)), s.Key.UnmarshalText([]byte(row.StatementKey)),
		s.CertificateSignature.UnmarshalText([]byte(row.KeySignature)), json.Unmarshal([]byte(row.Path), &s.Path))
	s.Certificate.Key = s.Batch.Key
	return s, err
}

// DeleteReceipts deletes at most limit receipts of batches before an instant, and batches without receipts. It returns
// the number of deleted receipts.
func (t *Tx) DeleteReceipts(ctx context.Context, before time.Time, limit int64) (int64, error) {
	deleted, err := t.q.DeleteReceiptsBefore(ctx, sqlc.DeleteReceiptsBeforeParams{Most: limit, Before: unix(before)})
	if err != nil {
		return 0, wrap(err)
	}
	return deleted, wrap(t.q.DeleteReceiptBatchesBefore(ctx, unix(before)))
}
