package main

import (
	"bufio"
	"context"
	"fmt"
	"log/slog"
	"os"
	"regexp"
	"time"

	"github.com/alecthomas/kong"

	"moonfund/internal/operate/console"
	"moonfund/internal/operate/decisions"
	"moonfund/internal/server"
	"moonfund/internal/store"
)

type consoleCommand struct {
	ledgerFlags
	Listen       string   `default:"127.0.0.1:9465" env:"MOONFUND_CONSOLE" help:"${help_console_listen}"`
	ServerListen string   `default:"127.0.0.1:8080" env:"MOONFUND_LISTEN" help:"Listen address of the server."`
	Metrics      string   `env:"MOONFUND_METRICS" help:"Listen address of the server's /metrics."`
	Domain       []string `default:"localhost" env:"MOONFUND_DOMAIN" help:"Domain of the server."`
	Communities  string   `env:"MOONFUND_COMMUNITIES" help:"${help_treasury_communities}" type:"path"`
}

// Run is `moonfund console`: it serves the console until it is interrupted, and prints its links.
func (c consoleCommand) Run(ctx context.Context, parsed *kong.Context) error {
	if err := console.CheckListen(c.Listen); err != nil {
		return err
	}
	db, err := c.existing(ctx)
	if err != nil {
		return err
	}
	defer db.Close()
	shown := console.New(console.Config{
		View: db.View, Budgets: c.budgets, Options: c.options(), Settings: settingsOf(parsed), Complete: c.complete(),
		Server: console.Server{Listen: c.ServerListen, Domain: c.Domain[0], Metrics: c.Metrics},
		Now:    time.Now, Log: slog.New(slog.NewTextHandler(os.Stderr, nil)),
	})
	listener, err := server.Listen(c.Listen)
	if err != nil {
		return err
	}
	fmt.Printf("The console only reads. This link works once, for 5 minutes:\n%s\n"+
		"Press Enter for a new link, Ctrl-C to end.\n", shown.Link(listener.Addr()))
	go func() {
		for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
			fmt.Println(shown.Link(listener.Addr()))
		}
	}()
	return shown.Serve(ctx, listener)
}

// budgets returns the budgets in the manifests. It returns nil without --communities, and if the manifests can't be
// read: `moonfund doctor` reports that error.
func (c consoleCommand) budgets(ctx context.Context, tx *store.Tx, prefix string) decisions.Budgets {
	budgets, err := budgetsOf(ctx, tx, c.Communities, prefix)
	if err != nil {
		return nil
	}
	return budgets
}

// options returns the flags that name this ledger in other commands, unless the settings or the environment do.
func (c consoleCommand) options() (flags []string) {
	if c.Data != kong.ExpandPath("data") && c.Data != kong.ExpandPath(os.Getenv("MOONFUND_DATA")) {
		flags = append(flags, "--data", c.Data)
	}
	if c.Database != "" && c.Database != os.Getenv("MOONFUND_DATABASE") {
		flags = append(flags, "--database", withoutPassword(c.Database))
	}
	return flags
}

// passwords are the places of a password in a database's URL, which may name several hosts and need not be valid.
var passwords = regexp.MustCompile(`(^[a-z]+://[^:/]*:).*(@)|([?&](?:ssl)?password=)[^&]*`)

// withoutPassword returns a database's URL with its passwords replaced.
func withoutPassword(address string) string {
	return passwords.ReplaceAllString(address, "${1}${3}xxxxx${2}")
}

// complete reports whether the settings or the environment suffice for `moonfund doctor`.
func (c consoleCommand) complete() bool {
	return os.Getenv("MOONFUND_COMMUNITIES") != "" && os.Getenv("MOONFUND_DOMAIN") != ""
}

// settingsOf returns the file that --settings names, or "".
func settingsOf(parsed *kong.Context) string {
	for _, flag := range parsed.Flags() {
		if path, ok := parsed.FlagValue(flag).(settingsFlag); ok && path != "" {
			return kong.ExpandPath(string(path))
		}
	}
	return ""
}
