package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"time"

	"moonfund/internal/store/sqlc"
)

// Event is an event in the outbox: a condition began or ended.
type Event struct {
	Number   int64 // increases with every event
	Kind     EventKind
	Subject  string
	Ended    bool // the condition ended; otherwise it began
	Standing bool // the condition began and has not ended
	Data     EventData
	At       time.Time
}

func toEvent(row sqlc.Outbox) (Event, error) {
	e := Event{
		Number: row.Number, Kind: EventKind(row.Kind), Subject: row.Subject, Ended: row.Ended != 0,
		Standing: row.Standing != 0, At: instant(row.At),
	}
	return e, json.Unmarshal([]byte(row.Data), &e.Data)
}

// DeliveryState is the state of the delivery of one event to one sink.
type DeliveryState string

// The states.
const (
	DeliveryPending   DeliveryState = "pending"
	DeliveryDelivered DeliveryState = "delivered"
	DeliveryFailed    DeliveryState = "failed" // no further attempts, unless the event is replayed
)

// Delivery is the delivery of one event to one sink.
type Delivery struct {
	Sink     string
	State    DeliveryState
	Attempts int64
	Since    time.Time // when the delivery was queued or replayed
	Due      time.Time // time of the next attempt while it is pending, otherwise of the last one
	Error    string    // error of the last attempt; "" if it succeeded
	Event    Event
}

// Events returns at most limit events, newest first.
func (t *Tx) Events(ctx context.Context, limit int) ([]Event, error) {
	rows, err := t.q.LatestEvents(ctx, int32(limit))
	return mapAll(rows, err, toEvent)
}

// EventsSince returns the events from an instant on, oldest first.
func (t *Tx) EventsSince(ctx context.Context, at time.Time) ([]Event, error) {
	rows, err := t.q.EventsSince(ctx, unix(at))
	return mapAll(rows, err, toEvent)
}

// Event returns an event, or state.ErrNotFound.
func (t *Tx) Event(ctx context.Context, number int64) (Event, error) {
	row, err := t.q.Event(ctx, number)
	if err != nil {
		return Event{}, wrap(err)
	}
	return toEvent(row)
}

// Sinks returns the names of all sinks that were ever configured.
func (t *Tx) Sinks(ctx context.Context) ([]string, error) {
	names, err := t.q.Sinks(ctx)
	return names, wrap(err)
}

// queued is the maximum number of events that one call of QueueDeliveries queues for a sink that is not new.
const queued = 500

// UnqueuedEvents reports whether events exist that QueueDeliveries has not queued for a sink.
func (t *Tx) UnqueuedEvents(ctx context.Context, sink string) (bool, error) {
	last, err := t.q.SinkCursor(ctx, sink)
	if errors.Is(err, sql.ErrNoRows) {
		return true, nil
	}
	if err != nil {
		return false, wrap(err)
	}
	newest, err := t.q.LastEvent(ctx)
	return newest > last, wrap(err)
}

// QueueDeliveries inserts a pending delivery for each event that is new for a sink. For a new sink these are only the
// events of standing conditions.
func (t *Tx) QueueDeliveries(ctx context.Context, sink string, now time.Time) error {
	last, err := t.q.SinkCursor(ctx, sink)
	var rows []sqlc.Outbox
	switch {
	case errors.Is(err, sql.ErrNoRows):
		if last, err = t.q.LastEvent(ctx); err == nil {
			rows, err = t.q.StandingEvents(ctx)
		}
	case err == nil:
		if rows, err = t.q.EventsAfter(ctx, sqlc.EventsAfterParams{Number: last, Limit: queued}); len(rows) > 0 {
			last = rows[len(rows)-1].Number
		}
	}
	if err != nil {
		return wrap(err)
	}
	for _, row := range rows {
		if err := t.q.InsertDelivery(ctx, sqlc.InsertDeliveryParams{
			Sink: sink, Number: row.Number, Since: unix(now), DueAt: unix(now),
		}); err != nil {
			return wrap(err)
		}
	}
	return wrap(t.q.PutSinkCursor(ctx, sqlc.PutSinkCursorParams{Sink: sink, Last: last}))
}

// DueDeliveries returns at most limit pending deliveries of a sink that are due, in the order of their events. Their
// Due and Error are not set.
func (t *Tx) DueDeliveries(ctx context.Context, sink string, now time.Time, limit int) ([]Delivery, error) {
	rows, err := t.q.DueDeliveries(ctx, sqlc.DueDeliveriesParams{Sink: sink, DueAt: unix(now), Limit: int32(limit)})
	return mapAll(rows, err, func(row sqlc.DueDeliveriesRow) (Delivery, error) {
		e, err := toEvent(sqlc.Outbox{Number: row.Number, Kind: row.Kind, Subject: row.Subject, Ended: row.Ended,
			Standing: row.Standing, Data: row.Data, At: row.At})
		return Delivery{Sink: row.Sink, State: DeliveryPending, Attempts: row.Attempts, Since: instant(row.Since),
			Event: e}, err
	})
}

// UpdateDelivery stores the result of an attempt. attempts is the number of attempts when the delivery was read. It
// returns state.ErrConflict if another server or a replay changed the delivery since then.
func (t *Tx) UpdateDelivery(ctx context.Context, d Delivery, attempts int64) error {
	return exactlyOne(t.q.UpdateDelivery(ctx, sqlc.UpdateDeliveryParams{
		Sink: d.Sink, Number: d.Event.Number, State: string(d.State), Attempts: d.Attempts, DueAt: unix(d.Due),
		Error: d.Error, Attempts_2: attempts,
	}))
}

// DeliveriesOf returns the deliveries of an event, by sink. Their Event is not set.
func (t *Tx) DeliveriesOf(ctx context.Context, number int64) ([]Delivery, error) {
	rows, err := t.q.DeliveriesOf(ctx, number)
	return mapAll(rows, err, func(row sqlc.OutboxDelivery) (Delivery, error) {
		return Delivery{Sink: row.Sink, State: DeliveryState(row.State), Attempts: row.Attempts, Since: instant(row.Since),
			Due: instant(row.DueAt), Error: row.Error}, nil
	})
}

// Replay makes the delivery of an event to a sink pending, whether it exists or not.
func (t *Tx) Replay(ctx context.Context, sink string, number int64, now time.Time) error {
	return wrap(t.q.ReplayDelivery(ctx, sqlc.ReplayDeliveryParams{
		Sink: sink, Number: number, Since: unix(now), DueAt: unix(now),
	}))
}

// DeliveryTally counts the pending and the failed deliveries of a sink.
type DeliveryTally struct {
	Pending, Failed int64
	Oldest          time.Time // earliest Since of the pending deliveries; zero if there are none
}

// DeliveryTally returns the tally of a sink.
func (t *Tx) DeliveryTally(ctx context.Context, sink string) (tally DeliveryTally, err error) {
	rows, err := t.q.OpenDeliveries(ctx, sink)
	if err != nil {
		return tally, wrap(err)
	}
	for _, row := range rows {
		if DeliveryState(row.State) == DeliveryFailed {
			tally.Failed = row.Total
			continue
		}
		tally.Pending, tally.Oldest = row.Total, instant(row.Oldest)
	}
	return tally, nil
}

// DeleteEvents deletes the events before an instant with their deliveries, except standing conditions and the newest
// event, from which the next number is computed.
func (t *Tx) DeleteEvents(ctx context.Context, before time.Time) error {
	if n, err := t.q.DeleteEventsBefore(ctx, unix(before)); err != nil || n == 0 {
		return wrap(err)
	}
	return wrap(t.q.DeleteOrphanedDeliveries(ctx))
}
