package main

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"os"
	"strconv"
	"time"

	"moonfund/internal/server"
	"moonfund/internal/server/dev"
)

type devCommand struct {
	Port        int    `default:"8080" help:"Port of pages and API."`
	Data        string `default:"data" help:"Folder of the chain, the ledger and the wallets." type:"path"`
	Epoch       string `default:"3m" help:"Length of an epoch, or 0 to end epochs by hand."`
	Block       string `default:"5s" help:"Time between blocks, or 0 to mine by hand."`
	Database    string `env:"MOONFUND_DATABASE" help:"${help_database}"`
	Btcd        string `default:"btcd" help:"Program of the node."`
	Communities string `help:"Folder of manifests. Default: the built-in LOBO and its test community." type:"path"`
	Metrics     string `help:"Listen address of /metrics, such as 127.0.0.1:9464. Off by default."`
	Source      string `help:"Where the source code is published. Every page links to it."`
	LearnMore   string `help:"Link 'Learn More' of the landing page."`
	Orders      bool   `default:"true" negatable:"" help:"${help_dev_orders}"`
	Verbose     bool   `help:"Log every step."`
	indexFlag
}

// Run is `moonfund dev`.
func (c devCommand) Run(ctx context.Context) error {
	epochLength, err := parseLength("--epoch", c.Epoch)
	if err != nil {
		return err
	}
	interval, err := parseLength("--block", c.Block)
	if err != nil {
		return err
	}
	if c.Port < 1 || c.Port > 65_535 {
		return fmt.Errorf("--port is %d; it must be from 1 to 65535", c.Port)
	}
	listener, err := server.Listen(net.JoinHostPort("127.0.0.1", strconv.Itoa(c.Port)))
	if err != nil {
		return err
	}
	defer listener.Close()
	level := slog.LevelWarn
	if c.Verbose {
		level = slog.LevelDebug
	}
	return dev.Run(ctx, dev.Config{
		Version: version, Commit: revision(), Data: c.Data, Port: c.Port,
		Database:    ledgerFlags{c.Data, c.Database}.address(),
		Communities: c.Communities, Epoch: epochLength, Block: interval, Btcd: c.Btcd, Index: c.Index, Orders: c.Orders,
		Metrics: c.Metrics, LearnMore: c.LearnMore, Source: c.Source,
		Tasks: func(s *server.Server) []func(context.Context) { return []func(context.Context){searchDeposits(s)} },
		Log:   slog.New(slog.NewJSONHandler(os.Stderr, &slog.HandlerOptions{Level: level})),
	}, listener)
}

// parseLength reads a duration in whole seconds; 0 means that epochs are ended, or blocks mined, by hand.
func parseLength(name, text string) (time.Duration, error) {
	if text == "0" {
		return 0, nil
	}
	length, err := time.ParseDuration(text)
	if err != nil || length < time.Second || length%time.Second != 0 {
		return 0, fmt.Errorf("%s is %q; it must be whole seconds such as 5s or 3m, or 0 for by hand", name, text)
	}
	return length, nil
}
