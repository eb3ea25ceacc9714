package main

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"moonfund/internal/operate/terminal"
	"moonfund/internal/server"
	"moonfund/internal/server/notify"
	"moonfund/internal/store"
)

// notifyFlags name the receivers of notifications. Secrets are in files only.
type notifyFlags struct {
	Webhook       string `env:"MOONFUND_NOTIFY_WEBHOOK" help:"${help_notify_webhook}"`
	WebhookSecret string `env:"MOONFUND_NOTIFY_WEBHOOK_SECRET" help:"${help_notify_webhook_secret}" type:"path"`
	Ntfy          string `env:"MOONFUND_NOTIFY_NTFY" help:"${help_notify_ntfy}"`
	NtfyToken     string `env:"MOONFUND_NOTIFY_NTFY_TOKEN" help:"${help_notify_ntfy_token}" type:"path"`
	Telegram      string `env:"MOONFUND_NOTIFY_TELEGRAM" help:"${help_notify_telegram}"`
	TelegramToken string `env:"MOONFUND_NOTIFY_TELEGRAM_TOKEN" help:"${help_notify_telegram_token}" type:"path"`
	TelegramAPI   string `name:"telegram-api" env:"MOONFUND_NOTIFY_TELEGRAM_API" help:"${help_notify_telegram_api}"`
}

func (f notifyFlags) sinks() ([]notify.Sink, error) { return notify.Config(f).Sinks() }

// receivers returns the names of the configured receivers.
func (f notifyFlags) receivers() (names []string, err error) {
	sinks, err := f.sinks()
	for _, sink := range sinks {
		names = append(names, sink.Name)
	}
	return names, err
}

// notifier returns the task that sends the notifications of a server that leads, and the names of the receivers.
func (f notifyFlags) notifier() (task func(*server.Server) func(context.Context), names []string, err error) {
	sinks, err := f.sinks()
	for _, sink := range sinks {
		names = append(names, sink.Name)
	}
	return func(s *server.Server) func(context.Context) {
		n := &notify.Notifier{Store: s.Store, Sinks: sinks, Leads: s.Leads, Now: time.Now, Log: s.Log}
		return n.Run
	}, names, err
}

type notifyCommands struct {
	Test   notifyTest   `cmd:"" help:"Send a test message to each receiver of the settings."`
	List   notifyList   `cmd:"" help:"List the last events and their deliveries."`
	Replay notifyReplay `cmd:"" help:"Send events again, to every receiver that the server ever had."`
}

type notifyTest struct {
	notifyFlags `prefix:"notify-"`
	JSON        bool `help:"Print JSON."`
}

// sentView is the result of a test message to one receiver.
type sentView struct {
	Receiver string `json:"receiver"`
	Error    string `json:"error"` // "" if it was accepted
}

// Run is `moonfund notify test`.
func (c notifyTest) Run(ctx context.Context) error {
	sinks, err := c.sinks()
	if err != nil {
		return err
	}
	if len(sinks) == 0 {
		return errors.New("no receiver is configured: set MOONFUND_NOTIFY_WEBHOOK, MOONFUND_NOTIFY_NTFY or " +
			"MOONFUND_NOTIFY_TELEGRAM in the settings file, and name that file with --settings")
	}
	failed, views := 0, []sentView{}
	results := notify.Test(ctx, sinks, time.Now())
	for _, s := range sinks {
		view := sentView{Receiver: s.Name}
		if err := results[s.Name]; err != nil {
			failed++
			view.Error = err.Error()
		}
		views = append(views, view)
	}
	if err := terminal.Print(c.JSON, views, func() error {
		for _, v := range views {
			if v.Error != "" {
				fmt.Printf("%s: not sent: %s\n", v.Receiver, v.Error)
			} else {
				fmt.Printf("%s: sent\n", v.Receiver)
			}
		}
		return nil
	}); err != nil {
		return err
	}
	if failed > 0 {
		return fmt.Errorf("%d of %d receivers did not accept the test message", failed, len(sinks))
	}
	return nil
}

type notifyList struct {
	reading
	Limit int `default:"20" help:"Number of events, newest first."`
}

// eventView is an event with its deliveries.
type eventView struct {
	ID         int64          `json:"id"`
	At         time.Time      `json:"at"`
	Kind       string         `json:"kind"`
	Subject    string         `json:"subject"`
	Title      string         `json:"title"`
	Ended      bool           `json:"ended"`
	Standing   bool           `json:"standing"`
	Deliveries []deliveryView `json:"deliveries"`
}

type deliveryView struct {
	Receiver string    `json:"receiver"`
	State    string    `json:"state"`
	Attempts int64     `json:"attempts"`
	Next     time.Time `json:"next_or_last_attempt"`
	Error    string    `json:"error,omitempty"`
}

// Run is `moonfund notify list`.
func (c notifyList) Run(ctx context.Context) error {
	if c.Limit < 1 || c.Limit > 10_000 {
		return errors.New("--limit must be from 1 to 10,000")
	}
	views, err := read(ctx, c.reading, func(tx *store.Tx) (views []eventView, err error) {
		all, err := tx.Events(ctx, c.Limit)
		for _, e := range all {
			deliveries, err := tx.DeliveriesOf(ctx, e.Number)
			if err != nil {
				return nil, err
			}
			views = append(views, viewEvent(e, deliveries))
		}
		return views, err
	})
	if err != nil {
		return err
	}
	return terminal.List(c.JSON, views, "ID,AT (UTC),ABOUT,WHAT,DELIVERIES", func(v eventView) []string {
		return []string{strconv.FormatInt(v.ID, 10), terminal.Time(v.At), v.Subject, v.Title, v.deliveries()}
	})
}

func viewEvent(e store.Event, deliveries []store.Delivery) eventView {
	v := eventView{
		ID: e.Number, At: e.At, Kind: string(e.Kind), Subject: e.Subject, Title: notify.Describe(e), Ended: e.Ended,
		Standing: e.Standing, Deliveries: []deliveryView{},
	}
	for _, d := range deliveries {
		v.Deliveries = append(v.Deliveries, deliveryView{d.Sink, string(d.State), d.Attempts, d.Due, d.Error})
	}
	return v
}

// deliveries returns the deliveries in one line.
func (v eventView) deliveries() string {
	line := ""
	for i, d := range v.Deliveries {
		if i > 0 {
			line += "; "
		}
		line += d.Receiver + " " + d.State
		if d.Error != "" {
			line += fmt.Sprintf(" after %d attempts: %s", d.Attempts, d.Error)
		}
	}
	return line
}

type notifyReplay struct {
	reading
	ID    int64         `arg:"" optional:"" help:"Id of an event, from notify list."`
	Since time.Duration `help:"Instead: every event of this last time, such as 24h."`
}

// Run is `moonfund notify replay`.
func (c notifyReplay) Run(ctx context.Context) error {
	if (c.ID > 0) == (c.Since > 0) {
		return errors.New("name one event by its id, or a time with --since")
	}
	db, err := c.existing(ctx)
	if err != nil {
		return err
	}
	defer db.Close()
	events, sinks := 0, 0
	err = db.Update(ctx, func(tx *store.Tx) (err error) {
		events, sinks, err = notify.Replay(ctx, tx, c.ID, time.Now(), c.Since)
		return err
	})
	if err != nil {
		return err
	}
	return c.print(map[string]int{"events": events, "receivers": sinks}, func() error {
		fmt.Printf("A running server sends %d events again, to %d receivers.\n", events, sinks)
		return nil
	})
}
