// Package notify sends the events of the outbox to the operator's receivers: a signed webhook, ntfy and Telegram. The
// packages that insert the events do not import it.
package notify

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net"
	"net/http"
	"sync"
	"syscall"
	"time"

	"moonfund/internal/fault"
	"moonfund/internal/state"
	"moonfund/internal/store"
)

const (
	interval      = 2 * time.Second     // between two searches for events to send
	requestTime   = 15 * time.Second    // timeout of a request
	maxAnswer     = 64 << 10            // maximum size of a response's headers, and of its body, in bytes
	firstDelay    = 10 * time.Second    // before the second attempt
	maxDelay      = 6 * time.Hour       // between two attempts
	giveUpAfter   = 3 * 24 * time.Hour  // after this time since the event was queued, a failed attempt is the last
	retention     = 90 * 24 * time.Hour // after which events are deleted
	cleanInterval = time.Hour           // between two deletions
	dueAtOnce     = 20                  // maximum number of events that are sent before the next search
)

// Notifier sends events. Of several servers on one database, only the leader sends.
type Notifier struct {
	Store *store.Store
	Sinks []Sink
	Leads func() bool // reports whether this server is the leader
	Now   func() time.Time
	Log   *slog.Logger

	client *http.Client   // nil: newClient
	jitter func() float64 // in [0, 1); nil: random
}

// newClient returns a client for untrusted servers. It limits the duration of a request and the size of a response's
// headers. It follows no redirects, because these can lead to other hosts.
func newClient(timeout time.Duration) *http.Client {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.MaxResponseHeaderBytes = maxAnswer
	transport.DisableCompression = true
	return &http.Client{
		Timeout: timeout, Transport: transport,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// Run sends events until ctx is done. It also deletes old events, even if no receiver is configured.
func (n *Notifier) Run(ctx context.Context) {
	if n.client == nil {
		n.client = newClient(requestTime)
	}
	var running sync.WaitGroup
	running.Go(func() {
		n.repeat(ctx, cleanInterval, func() error {
			return n.Store.Update(ctx, func(tx *store.Tx) error { return tx.DeleteEvents(ctx, n.Now().Add(-retention)) })
		})
	})
	for _, s := range n.Sinks {
		running.Go(func() { n.repeat(ctx, interval, func() error { return n.deliver(ctx, s) }) })
	}
	running.Wait()
}

// repeat calls fn at an interval while this server leads, and logs its errors.
func (n *Notifier) repeat(ctx context.Context, every time.Duration, fn func() error) {
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		if n.Leads() {
			if err := fn(); err != nil && ctx.Err() == nil {
				n.Log.Error("notifications can't be read or stored", "error", err.Error())
			}
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// deliver queues the new events for a sink and sends the due ones, in their order. It stops at the first failure,
// because the receiver may be down.
func (n *Notifier) deliver(ctx context.Context, s Sink) error {
	var queue bool
	err := n.Store.View(ctx, func(tx *store.Tx) (err error) {
		queue, err = tx.UnqueuedEvents(ctx, s.Name)
		return err
	})
	if err == nil && queue {
		err = n.Store.Update(ctx, func(tx *store.Tx) error { return tx.QueueDeliveries(ctx, s.Name, n.Now()) })
	}
	if err != nil {
		return err
	}
	var due []store.Delivery
	if err := n.Store.View(ctx, func(tx *store.Tx) (err error) {
		due, err = tx.DueDeliveries(ctx, s.Name, n.Now(), dueAtOnce)
		return err
	}); err != nil {
		return err
	}
	for _, d := range due {
		if !n.Leads() {
			return nil
		}
		failure := n.send(ctx, s, d.Event)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err := n.record(ctx, d, failure); err != nil || failure != nil {
			return err
		}
	}
	return nil
}

// record stores the result of an attempt. If another server or a replay changed the delivery meanwhile, it discards the
// result, so the event may be sent twice but is never lost.
func (n *Notifier) record(ctx context.Context, d store.Delivery, failure error) error {
	before := d.Attempts
	d.Attempts, d.Due, d.State, d.Error = before+1, n.Now(), store.DeliveryDelivered, ""
	if failure != nil {
		d.Error, d.State = failure.Error(), store.DeliveryPending
		if d.Due.Sub(d.Since) >= giveUpAfter {
			d.State = store.DeliveryFailed
		} else {
			d.Due = d.Due.Add(n.delay(before))
		}
		n.Log.Warn("a notification was not sent", "receiver", d.Sink, "event", d.Event.Number, "attempt", d.Attempts,
			"given_up", d.State == store.DeliveryFailed, "reason", d.Error)
	}
	err := n.Store.Update(ctx, func(tx *store.Tx) error { return tx.UpdateDelivery(ctx, d, before) })
	if errors.Is(err, state.ErrConflict) {
		return nil
	}
	return err
}

// delay returns the time until the next attempt. failed is the number of failed attempts before the last one. The delay
// is firstDelay, doubled for each of these up to maxDelay, and reduced by a random part of at most a half, so that a
// restarted receiver does not get all attempts at the same time.
func (n *Notifier) delay(failed int64) time.Duration {
	delay := maxDelay
	if failed < 12 { // firstDelay<<12 exceeds maxDelay
		delay = min(maxDelay, firstDelay<<failed)
	}
	random := rand.Float64
	if n.jitter != nil {
		random = n.jitter
	}
	return delay - time.Duration(random()*float64(delay/2))
}

// send sends an event to a sink. The error contains neither the address nor the response of the receiver.
func (n *Notifier) send(ctx context.Context, s Sink, e store.Event) error {
	r, err := s.request(ctx, newMessage(e), n.Now())
	if err != nil {
		return err
	}
	answer, err := n.client.Do(r)
	if err != nil {
		return explain(err, n.client.Timeout)
	}
	defer answer.Body.Close()
	if _, err := io.CopyN(io.Discard, answer.Body, maxAnswer); err != nil && !errors.Is(err, io.EOF) {
		return explain(err, n.client.Timeout)
	}
	switch code := answer.StatusCode; {
	case code >= 200 && code < 300:
		return nil
	case code >= 300 && code < 400:
		return fmt.Errorf(fault.NotifyRedirect, code)
	default:
		return fmt.Errorf(fault.NotifyStatus, code)
	}
}

// explain returns an error without the address for an error of a request, because the address may contain a secret.
func explain(err error, timeout time.Duration) error {
	var network net.Error
	var name *net.DNSError
	var certificate *tls.CertificateVerificationError
	switch {
	case errors.As(err, &network) && network.Timeout():
		return fmt.Errorf(fault.NotifyTimeout, timeout)
	case errors.As(err, &name):
		return errors.New(fault.NotifyNoHost)
	case errors.Is(err, syscall.ECONNREFUSED):
		return errors.New(fault.NotifyRefused)
	case errors.As(err, &certificate):
		return errors.New(fault.NotifyCertificate)
	}
	return errors.New(fault.NotifyConnection)
}

// Test sends a test message to each sink, and returns the results by the sink's name: an error, or nil for success.
func Test(ctx context.Context, sinks []Sink, now time.Time) map[string]error {
	n := Notifier{Now: func() time.Time { return now }, client: newClient(requestTime)}
	results := map[string]error{}
	for _, s := range sinks {
		results[s.Name] = n.send(ctx, s, TestEvent(now))
	}
	return results
}

// Replay makes deliveries to every sink that was ever configured pending again: of the event with the number, or with
// number 0 of all events in the time last before now. It returns the numbers of events and sinks, and an error if there
// is no sink or no such event.
func Replay(ctx context.Context, tx *store.Tx, number int64, now time.Time,
	last time.Duration) (events, sinks int, err error) {
	names, err := tx.Sinks(ctx)
	if err != nil {
		return 0, 0, err
	}
	if len(names) == 0 {
		return 0, 0, errors.New("no receiver was ever configured: see `moonfund notify test`")
	}
	var all []store.Event
	if number > 0 {
		e, err := tx.Event(ctx, number)
		if errors.Is(err, state.ErrNotFound) {
			return 0, 0, fmt.Errorf("there is no event %d: see `moonfund notify list`", number)
		}
		if err != nil {
			return 0, 0, err
		}
		all = append(all, e)
	} else if all, err = tx.EventsSince(ctx, now.Add(-last)); err != nil {
		return 0, 0, err
	}
	for _, e := range all {
		for _, name := range names {
			if err := tx.Replay(ctx, name, e.Number, now); err != nil {
				return 0, 0, err
			}
		}
	}
	return len(all), len(names), nil
}
