package notify

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"moonfund/internal/fault"
	"moonfund/internal/server/stop"
	"moonfund/internal/staking/order"
	"moonfund/internal/store"
)

// message is an event in the form in which it is sent.
type message struct {
	id     string // the same in every attempt and for every receiver
	title  string
	text   string
	urgent bool // a condition began, so an operator must act
	event  store.Event
}

// newMessage returns the message of an event. Its id is a hash of the event's kind, subject and time, of its number and
// of whether the condition ended. The number alone would not be unique, because a restored ledger numbers its events
// from 1 again.
func newMessage(e store.Event) message {
	sum := sha256.Sum256(fmt.Appendf(nil, "%d\n%s\n%s\n%t\n%d", e.Number, e.Kind, e.Subject, e.Ended, e.At.Unix()))
	title, text := describe(e)
	return message{
		id: "msg_" + hex.EncodeToString(sum[:12]), title: title, text: text, urgent: !e.Ended && e.Kind != store.EventTest,
		event: e,
	}
}

// TestEvent returns an event that only tests a sink. number distinguishes it from other test events.
func TestEvent(at time.Time) store.Event {
	return store.Event{Kind: store.EventTest, At: at, Number: at.UnixNano()}
}

// eventType returns the type of an event in webhooks, such as "ledger.paused.began".
func eventType(e store.Event) string {
	switch {
	case e.Kind == store.EventTest:
		return string(e.Kind)
	case e.Ended:
		return string(e.Kind) + ".ended"
	}
	return string(e.Kind) + ".began"
}

// payload is the body of a webhook.
type payload struct {
	Type      string    `json:"type"`
	Timestamp time.Time `json:"timestamp"` // of the event
	Data      content   `json:"data"`
}

// content is the data of a webhook.
type content struct {
	Number  int64  `json:"number"`
	Subject string `json:"subject,omitempty"`
	Title   string `json:"title"`
	Text    string `json:"text"`
	store.EventData
}

// json returns the body of a webhook.
func (m message) json() ([]byte, error) {
	return json.Marshal(payload{Type: eventType(m.event), Timestamp: m.event.At, Data: content{
		Number: m.event.Number, Subject: m.event.Subject, Title: m.title, Text: m.text, EventData: m.event.Data,
	}})
}

// Describe returns the title of an event.
func Describe(e store.Event) string {
	title, _ := describe(e)
	return title
}

// describe returns the title and the text of an event.
func describe(e store.Event) (title, text string) {
	fill := func(n fault.Notice, values ...any) (string, string) { return n.Title, fmt.Sprintf(n.Text, values...) }
	if e.Ended {
		return describeEnd(e)
	}
	d := e.Data
	switch e.Kind {
	case store.EventOrder:
		if d.Status == string(order.Audit) {
			return fill(fault.NoticeOrderAudit, e.Subject, d.Community, d.Sats, e.Subject)
		}
		return fill(fault.NoticeOrderHeld, e.Subject, d.Community, d.Sats, holdReason(d.Reason), e.Subject)
	case store.EventBroadcast:
		return fill(fault.NoticeRefused, e.Subject, reason(d.Reason), e.Subject)
	case store.EventPause:
		paused := stop.New(e.Subject, reason(d.Reason))
		return fill(fault.NoticePause, pauseText(e.Subject), paused.Reason, paused.Page(), resumeArguments(e.Subject))
	case store.EventStop:
		stopped := stop.New(e.Subject, reason(d.Reason))
		return fmt.Sprintf(fault.NoticeStop.Title, stopped.Title()),
			fmt.Sprintf(fault.NoticeStop.Text, stopped.Title(), stopped.Reason, stopped.Page())
	case store.EventViolation:
		return fill(fault.NoticeViolation, d.Count, reason(d.Reason))
	case store.EventRunway:
		return fill(fault.NoticeTreasuryLow, e.Subject, d.Epochs, e.Subject)
	case store.EventBackup:
		return fill(fault.NoticeBackup, reason(d.Reason))
	case store.EventTest:
		return fill(fault.NoticeTest)
	}
	return fmt.Sprintf(fault.NoticeUnknown.Title, e.Kind), fmt.Sprintf(fault.NoticeUnknown.Text, e.Subject)
}

// describeEnd returns the title and the text of the event that a condition ended.
func describeEnd(e store.Event) (title, text string) {
	n, values := fault.NoticeUnknown, []any{e.Subject}
	switch e.Kind {
	case store.EventOrder:
		n, values = fault.NoticeOrderEnd, []any{e.Subject, e.Data.Community}
	case store.EventBroadcast:
		n = fault.NoticeRefusedEnd
	case store.EventPause:
		n, values = fault.NoticePauseEnd, []any{pauseText(e.Subject)}
	case store.EventViolation:
		n, values = fault.NoticeViolationEnd, nil
	case store.EventRunway:
		n = fault.NoticeTreasuryLowEnd
	case store.EventBackup:
		n, values = fault.NoticeBackupEnd, nil
	case store.EventStop:
		n, values = fault.NoticeStopEnd, []any{stop.New(e.Subject, "").Title()}
	default:
		return fmt.Sprintf(n.Title, e.Kind), fmt.Sprintf(n.Text, values...)
	}
	return n.Title, fmt.Sprintf(n.Text, values...)
}

// reason returns a reason, or a text for an unknown reason.
func reason(text string) string {
	if text == "" {
		return fault.NoticeUnknownWhy
	}
	return text
}

func holdReason(hold string) string {
	switch order.RefundHold(hold) {
	case order.HoldLimit:
		return fault.NoticeHoldLimit
	}
	return fault.NoticeHoldRefused
}

func pauseText(subject string) string {
	switch community, isOne := strings.CutPrefix(subject, "payouts:"); {
	case isOne:
		return fmt.Sprintf(fault.NoticePayoutsOf, community)
	case subject == "payouts":
		return fault.NoticePayouts
	}
	return fault.NoticeEverything
}

// resumeArguments returns the arguments of "moonfund resume" that end a pause.
func resumeArguments(subject string) string {
	return strings.Replace(subject, ":", " --community ", 1)
}
