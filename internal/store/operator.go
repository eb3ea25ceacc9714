package store

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/amount"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/staking/order"
	"moonfund/internal/staking/payout"
	"moonfund/internal/store/sqlc"
)

// OperatorLine is an entry of the operator log.
type OperatorLine struct {
	Number  int64
	At      time.Time
	By      string // name of the operator
	Command string // such as "order refund"
	Subject string // the order, the community, the pause
	Why     string
	Detail  string // text of the preview
}

// Log records an operator's change, in the transaction of the change. It returns the entry's number.
func (t *Tx) Log(ctx context.Context, l OperatorLine) (int64, error) {
	number, err := t.next(ctx, "operator")
	if err != nil {
		return 0, err
	}
	return number, wrap(t.q.InsertOperatorLine(ctx, sqlc.InsertOperatorLineParams{
		Number: number, At: unix(l.At), ByWhom: l.By, Command: l.Command, Subject: l.Subject, Why: l.Why, Detail: l.Detail,
	}))
}

func toLine(row sqlc.OperatorLog) (OperatorLine, error) {
	return OperatorLine{
		Number: row.Number, At: instant(row.At), By: row.ByWhom, Command: row.Command, Subject: row.Subject, Why: row.Why,
		Detail: row.Detail,
	}, nil
}

// OperatorLines returns at most limit entries with numbers below the given one, newest first.
func (t *Tx) OperatorLines(ctx context.Context, below int64, limit int) ([]OperatorLine, error) {
	rows, err := t.q.OperatorLines(ctx, sqlc.OperatorLinesParams{Number: below, Limit: int32(limit)})
	return mapAll(rows, err, toLine)
}

// OperatorLinesAbout returns the entries about a subject, oldest first.
func (t *Tx) OperatorLinesAbout(ctx context.Context, subject string) ([]OperatorLine, error) {
	rows, err := t.q.OperatorLinesAbout(ctx, subject)
	return mapAll(rows, err, toLine)
}

// requestCommands are the commands that store a request to a running server.
var requestCommands = map[payout.RequestKind]string{
	payout.RequestRefund: "order refund", payout.RequestResume: "order resolve",
	payout.RequestReview: "order review", payout.RequestClose: "order resolve --close",
	payout.RequestBump: "payout bump", payout.RequestExport: "payout export", payout.RequestSend: "payout import",
	payout.RequestReturn: "quarantine return", payout.RequestWithdraw: "treasury withdraw",
}

// InsertRequest stores a request to a running server about the order, payout or output that OrderID names. r must have
// Kind, OrderID, By, Why and At. It returns the request's number.
func (t *Tx) InsertRequest(ctx context.Context, r payout.Request, detail string) (int64, error) {
	number, err := t.Log(ctx, OperatorLine{
		At: r.At, By: r.By, Command: requestCommands[r.Kind], Subject: r.OrderID, Why: r.Why, Detail: detail,
	})
	if err != nil {
		return 0, err
	}
	return number, wrap(t.q.InsertOperatorRequest(ctx, sqlc.InsertOperatorRequestParams{
		Number: number, Kind: string(r.Kind), OrderID: r.OrderID, Tx: r.Tx, Sats: int64(r.Withdrawal.Sats),
		Runes: int64(r.Withdrawal.Runes), Address: r.Withdrawal.To,
	}))
}

// WithdrawalRequest returns the request that a withdrawal carries out, or state.ErrNotFound.
func (t *Tx) WithdrawalRequest(ctx context.Context, payoutID string) (payout.Request, error) {
	row, err := t.q.WithdrawalRequest(ctx, payoutID)
	if err != nil {
		return payout.Request{}, wrap(err)
	}
	return toRequest(sqlc.OperatorRequestsAboutRow(row))
}

// OpenRequests returns the unfinished requests, oldest first.
func (t *Tx) OpenRequests(ctx context.Context) ([]payout.Request, error) {
	rows, err := t.q.OperatorRequests(ctx, string(payout.RequestOpen))
	return mapAll(rows, err, func(row sqlc.OperatorRequestsRow) (payout.Request, error) {
		return toRequest(sqlc.OperatorRequestsAboutRow(row))
	})
}

// RequestsAbout returns the requests about an order, oldest first.
func (t *Tx) RequestsAbout(ctx context.Context, orderID string) ([]payout.Request, error) {
	rows, err := t.q.OperatorRequestsAbout(ctx, orderID)
	return mapAll(rows, err, toRequest)
}

func toRequest(row sqlc.OperatorRequestsAboutRow) (payout.Request, error) {
	return payout.Request{
		Number: row.Number, Kind: payout.RequestKind(row.Kind), OrderID: row.OrderID,
		Status: payout.RequestStatus(row.Status), Note: row.Note, PayoutID: row.PayoutID, Tx: row.Tx, By: row.ByWhom,
		Why: row.Why, At: instant(row.At),
		Withdrawal: payout.Withdrawal{Sats: amount.Sats(row.Sats), Runes: amount.Runes(row.Runes), To: row.Address},
	}, nil
}

// UpdateRequest writes the state of an open request. It returns state.ErrConflict if the request is not open.
func (t *Tx) UpdateRequest(ctx context.Context, r payout.Request) error {
	return exactlyOne(t.q.UpdateOperatorRequest(ctx, sqlc.UpdateOperatorRequestParams{
		Number: r.Number, Status: string(r.Status), Note: r.Note, PayoutID: r.PayoutID, Tx: r.Tx,
	}))
}

// RefundsOf returns the refunds of an order, including superseded ones, oldest first.
func (t *Tx) RefundsOf(ctx context.Context, orderID string) (all []payout.Payout, err error) {
	ids, err := json.Marshal([]string{orderID})
	if err != nil {
		return nil, err
	}
	rows, err := t.q.RefundsOf(ctx, string(ids))
	return mapAll(rows, err, func(row sqlc.Payout) (payout.Payout, error) { return t.toPayout(ctx, row) })
}

// PayoutOf returns the payout of which a transaction is a version, or state.ErrNotFound.
func (t *Tx) PayoutOf(ctx context.Context, txid string) (payout.Payout, error) {
	row, err := t.q.PayoutOfVersion(ctx, txid)
	if err != nil {
		return payout.Payout{}, wrap(err)
	}
	return t.toPayout(ctx, row)
}

// PayoutTxid returns the id of a payout's confirmed version, or of its latest version if none is confirmed. It returns
// "" if there is no such payout.
func (t *Tx) PayoutTxid(ctx context.Context, id string) (string, error) {
	txid, err := t.q.PayoutTxid(ctx, id)
	_, err = absent(err)
	return txid, err
}

// Payout returns a payout by its id, or state.ErrNotFound.
func (t *Tx) Payout(ctx context.Context, id string) (payout.Payout, error) {
	row, err := t.q.PayoutByID(ctx, id)
	if err != nil {
		return payout.Payout{}, wrap(err)
	}
	return t.toPayout(ctx, row)
}

// Payouts returns every payout, newest first.
func (t *Tx) Payouts(ctx context.Context) ([]payout.Payout, error) {
	rows, err := t.q.Payouts(ctx)
	return mapAll(rows, err, func(row sqlc.Payout) (payout.Payout, error) { return t.toPayout(ctx, row) })
}

// AcceptPayment clears the late flag of a payment. It returns state.ErrConflict if the payment is not late.
func (t *Tx) AcceptPayment(ctx context.Context, out wire.OutPoint) error {
	return exactlyOne(t.q.AcceptPayment(ctx, sqlc.AcceptPaymentParams{Txid: out.Hash.String(), Vout: int64(out.Index)}))
}

// OrdersOfCommunity returns every order of a community, newest first.
func (t *Tx) OrdersOfCommunity(ctx context.Context, community string) ([]order.Order, error) {
	rows, err := t.q.OrdersOfCommunity(ctx, community)
	return mapAll(rows, err, toOrder)
}

// Communities returns the prefixes of the communities in the ledger.
func (t *Tx) Communities(ctx context.Context) ([]string, error) {
	rows, err := t.q.Communities(ctx)
	return mapAll(rows, err, func(row sqlc.Community) (string, error) { return row.Prefix, nil })
}

// Bindings returns the communities in the ledger, without their calendars.
func (t *Tx) Bindings(ctx context.Context) ([]Binding, error) {
	rows, err := t.q.Communities(ctx)
	return mapAll(rows, err, func(row sqlc.Community) (Binding, error) {
		return Binding{Prefix: row.Prefix, RuneID: row.RuneID, Account: row.Account, Network: row.Network}, nil
	})
}

// Owed is what a ledger owes to a community's stakers.
type Owed struct{ Units, Orders, Payouts int64 }

// Any reports whether anything is owed.
func (o Owed) Any() bool { return o != Owed{} }

// String returns the counts for operators.
func (o Owed) String() string {
	return fmt.Sprintf("%d stakes and rewards, %d open orders, %d unfinished payouts", o.Units, o.Orders, o.Payouts)
}

// OwedBy counts a community's units that are not WITHDRAWN, its orders that are open or have a refund due, and its
// payouts that a reorg can undo.
func (t *Tx) OwedBy(ctx context.Context, community string) (Owed, error) {
	row, err := t.q.OwedBy(ctx, community)
	return Owed{Units: row.Units, Orders: row.Orders, Payouts: row.Payouts}, wrap(err)
}

// retiredSetting is the name of the setting with the time at which a community was retired.
const retiredSetting = "retired:"

// Retired returns when a community was retired; the zero time if it was not.
func (t *Tx) Retired(ctx context.Context, community string) (at time.Time, err error) {
	text, err := t.Setting(ctx, retiredSetting+community)
	if err != nil || text == "" {
		return at, err
	}
	return time.Parse(time.RFC3339, text)
}

// Retire closes a community for new stakes.
func (t *Tx) Retire(ctx context.Context, community string, at time.Time) error {
	return t.PutSetting(ctx, retiredSetting+community, at.UTC().Format(time.RFC3339))
}

// Pauses maps the names of the pauses, as operators use them, to the names of their settings.
var Pauses = map[string]string{"payouts": PausePayouts, "all": PauseAll}

// PauseSetting returns the name of a pause's setting, given a name in Pauses or "payouts:" and a community.
func PauseSetting(name string) string {
	if community, isOne := strings.CutPrefix(name, "payouts:"); isOne {
		return PausePayoutsOf(community)
	}
	return Pauses[name]
}

// Pause pauses payouts or everything from an instant on. name is PauseAll, PausePayouts or one of PausePayoutsOf. An
// existing pause keeps its reason and instant.
func (t *Tx) Pause(ctx context.Context, name, reason string, at time.Time) error {
	standing, err := t.Setting(ctx, name)
	if err != nil || standing != "" {
		return err
	}
	if err := t.PutSetting(ctx, name+sinceSuffix, at.UTC().Format(time.RFC3339)); err != nil {
		return err
	}
	if err := t.PutSetting(ctx, name, reason); err != nil {
		return err
	}
	return t.BeginCondition(ctx, EventPause, pauseName(name), EventData{Reason: reason})
}

// PauseByServer is Pause by the server itself, which the operator log records with the reason.
func (t *Tx) PauseByServer(ctx context.Context, name, reason string, at time.Time) error {
	standing, err := t.Setting(ctx, name)
	if err != nil || standing != "" {
		return err
	}
	line := OperatorLine{At: at, By: "the server", Command: "pause", Subject: pauseName(name), Why: reason}
	if _, err := t.Log(ctx, line); err != nil {
		return err
	}
	return t.Pause(ctx, name, reason, at)
}

// pauseName returns the name of a pause in Pauses, or "payouts:" and the community, given its setting.
func pauseName(setting string) string {
	if community, isOne := strings.CutPrefix(setting, PausePayoutsOf("")); isOne {
		return "payouts:" + community
	}
	for name, of := range Pauses {
		if of == setting {
			return name
		}
	}
	return setting
}

// sinceSuffix follows the name of a pause in the name of the setting with the pause's start.
const sinceSuffix = "_since"

// PausedSince returns the reason and the start of a pause, or "" if there is no such pause. The start is zero if it was
// not stored.
func (t *Tx) PausedSince(ctx context.Context, name string) (reason string, since time.Time, err error) {
	if reason, err = t.Setting(ctx, name); err != nil || reason == "" {
		return "", since, err
	}
	text, err := t.Setting(ctx, name+sinceSuffix)
	if err != nil || text == "" {
		return reason, since, err
	}
	since, err = time.Parse(time.RFC3339, text)
	return reason, since, err
}

// Resume ends a pause. At the end of a pause of everything it extends the deadlines of open orders by the length of the
// pause. It returns the number of extended deadlines.
func (t *Tx) Resume(ctx context.Context, name string, cause ledger.Cause) (moved int, err error) {
	reason, since, err := t.PausedSince(ctx, name)
	if err != nil {
		return 0, err
	}
	if reason != "" { // the pause of a restored backup is no condition, so the end of a condition does not record this
		what, community, _ := strings.Cut(pauseName(name), ":")
		if err := t.RecordIncident(ctx, community, IncidentResume, what, time.Now()); err != nil {
			return 0, err
		}
	}
	if name == PauseAll && !since.IsZero() && cause.At.After(since) {
		if moved, err = order.Extend(ctx, t.OrderTx(), cause.At.Sub(since), cause); err != nil {
			return moved, err
		}
	}
	if err := t.PutSetting(ctx, name+sinceSuffix, ""); err != nil {
		return moved, err
	}
	if err := t.PutSetting(ctx, name, ""); err != nil {
		return moved, err
	}
	if name != PauseAll { // an audit that still finds a violation pauses payouts again
		if err := t.EndCondition(ctx, EventViolation, SubjectLedger); err != nil {
			return moved, err
		}
	}
	return moved, t.EndCondition(ctx, EventPause, pauseName(name))
}
