package push

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"sync"
	"time"

	"github.com/SherClockHolmes/webpush-go"

	"moonfund/internal/staking/ledger"
	"moonfund/internal/state"
	"moonfund/internal/store"
)

const (
	interval    = 10 * time.Second // between two searches for news
	quiet       = 10 * time.Minute // after a message, its browser gets no other for this time
	firstDelay  = 10 * time.Second
	maxDelay    = 6 * time.Hour
	maxAttempts = 20             // of one message, in two to three days
	keptFor     = 48 * time.Hour // a push service keeps a message for a browser that is off
	readAtOnce  = 500            // postings whose messages are sent before their results are stored
	sentAtOnce  = 16             // requests at the same time, because a push service may be slow
)

// message is what one browser is told at once.
type message struct {
	to       store.PushSubscription
	attempts int64             // that failed before
	told     int64             // number of the last posting before the news
	through  int64             // number of the last posting of the news
	news     map[string]string // newest id by kind: unlocked, reward, order
}

// Run sends messages until ctx is done. It returns at once if they are off.
func (s *Service) Run(ctx context.Context) {
	if s.private == "" {
		return
	}
	tick := time.NewTicker(interval)
	defer tick.Stop()
	for {
		if s.Leads() {
			if err := s.deliver(ctx); err != nil && ctx.Err() == nil {
				s.Log.Error("messages to stakers can't be read or stored", "error", err.Error())
			}
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// deliver sends the messages that are due, outside of any transaction, then stores the results, also while the server
// stops. The journal has the news, and only changes that are committed. Before, it claims the messages for the time
// quiet, so that none is repeated earlier if the results can't be stored, and none is sent while nothing can be stored.
func (s *Service) deliver(ctx context.Context) error {
	var due []message
	err := s.Store.View(ctx, func(tx *store.Tx) (err error) {
		due, err = s.read(ctx, tx)
		return err
	})
	if err != nil || len(due) == 0 {
		return err
	}
	results := make([]result, len(due))
	for i, m := range due {
		results[i] = result{told: m.told, attempts: m.attempts, due: s.Now().Add(quiet)}
	}
	if err := s.store(ctx, due, results); err != nil {
		return err
	}
	var running sync.WaitGroup
	slots := make(chan struct{}, sentAtOnce)
	for i, m := range due {
		slots <- struct{}{}
		running.Go(func() {
			results[i] = s.attempt(ctx, m)
			<-slots
		})
	}
	running.Wait()
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), requestTime)
	defer cancel()
	return s.store(last, due, results)
}

// store stores the results of messages.
func (s *Service) store(ctx context.Context, of []message, results []result) error {
	return s.Store.Update(ctx, func(tx *store.Tx) error {
		for i, m := range of {
			if err := results[i].store(ctx, tx, m.to); err != nil {
				return err
			}
		}
		return nil
	})
}

// read returns the messages that are due. A message without news only moves its browser past postings that need no
// message. Of more than readAtOnce postings for one browser, older ones are not read and count as told.
func (s *Service) read(ctx context.Context, tx *store.Tx) (due []message, err error) {
	postings, err := tx.PushNews(ctx, s.Now(), readAtOnce)
	if err != nil {
		return nil, err
	}
	for _, p := range postings { // of each browser, the newest first
		if len(due) == 0 || due[len(due)-1].to != p.PushSubscription {
			due = append(due, message{
				to: p.PushSubscription, attempts: p.Attempts, through: p.Number, news: map[string]string{},
			})
		}
		m := &due[len(due)-1]
		m.told = p.Number - 1
		kind, err := kindOf(ctx, tx, p)
		if err != nil {
			return nil, err
		}
		if kind != "" && m.news[kind] == "" {
			m.news[kind] = p.Subject
		}
	}
	if len(postings) == readAtOnce && len(due) > 1 { // the last browser's postings may not be complete
		due = due[:len(due)-1]
	}
	return due, nil
}

// kindOf returns the kind of news that a posting is, or "" if it is none.
func kindOf(ctx context.Context, tx *store.Tx, p store.PushPosting) (string, error) {
	switch p.Event {
	case ledger.CooldownOver:
		return "unlocked", nil
	case ledger.Rewarded:
		return "reward", nil
	}
	o, err := tx.Order(ctx, p.Subject)
	if err != nil && !errors.Is(err, state.ErrNotFound) { // an order that is not in the ledger needs nobody
		return "", err
	}
	if o.NeedsOwner() {
		return "order", nil
	}
	return "", nil
}

// result is what the attempt to send a message changes.
type result struct {
	ended          bool // the subscription
	told, attempts int64
	due            time.Time // of the next attempt
}

func (r result) store(ctx context.Context, tx *store.Tx, of store.PushSubscription) error {
	if r.ended {
		return tx.DeletePushSubscriptions(ctx, of.Endpoint)
	}
	return tx.UpdatePushSubscription(ctx, of, r.told, r.attempts, r.due)
}

// attempt sends a message and returns the result.
func (s *Service) attempt(ctx context.Context, m message) result {
	if len(m.news) == 0 {
		return result{told: m.through, due: s.Now()}
	}
	status, after, err := s.send(ctx, m)
	if err == nil && status/100 == 2 {
		return result{told: m.through, due: s.Now().Add(quiet)}
	}
	if ctx.Err() != nil { // the server stops, which is no failure
		return result{told: m.told, attempts: m.attempts, due: s.Now()}
	}
	delay := max(s.delay(m.attempts), min(after, maxDelay))
	r := result{told: m.told, attempts: m.attempts + 1, due: s.Now().Add(delay)}
	givenUp := r.attempts >= maxAttempts
	if err == nil {
		r.ended = status == http.StatusNotFound || status == http.StatusGone
		// Other answers below 500, but for 429, would be the same in a further attempt.
		givenUp = givenUp || status != http.StatusTooManyRequests && status < 500
	}
	if givenUp {
		r.told, r.attempts = m.through, 0
	}
	// The endpoint is not logged: who knows it can end the subscription.
	s.Log.Warn("a message to a staker was not sent", "push_service", hostOf(m.to.Endpoint), "status", status,
		"attempt", m.attempts+1, "given_up", givenUp, "failed", err != nil)
	return r
}

// send sends a message. It returns the status, and how long the push service asks to wait.
func (s *Service) send(ctx context.Context, m message) (status int, after time.Duration, err error) {
	body, err := json.Marshal(m.news)
	if err != nil {
		return 0, 0, err
	}
	answer, err := webpush.SendNotificationWithContext(ctx, body, &webpush.Subscription{
		Endpoint: m.to.Endpoint, Keys: webpush.Keys{P256dh: m.to.Key, Auth: m.to.Auth},
	}, &webpush.Options{
		HTTPClient: s.client, Subscriber: s.Contact, VAPIDPublicKey: s.public, VAPIDPrivateKey: s.private,
		TTL: int(keptFor.Seconds()), Urgency: webpush.UrgencyNormal,
	})
	if err != nil {
		return 0, 0, err
	}
	defer answer.Body.Close() // nothing in it is needed
	seconds, _ := strconv.ParseInt(answer.Header.Get("Retry-After"), 10, 32)
	return answer.StatusCode, time.Duration(seconds) * time.Second, nil
}

// delay returns the time until the next attempt: firstDelay, doubled for each failed attempt before, less a random part
// of at most a half.
func (s *Service) delay(failed int64) time.Duration {
	delay := maxDelay
	if failed < 12 { // firstDelay<<12 exceeds maxDelay
		delay = min(maxDelay, firstDelay<<failed)
	}
	return delay - time.Duration(s.jitter()*float64(delay/2))
}

func hostOf(endpoint string) string {
	address, err := url.Parse(endpoint)
	if err != nil {
		return ""
	}
	return address.Hostname()
}
