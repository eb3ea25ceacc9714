// Command moonfund is the whole product in one binary: the server, the dev
// network and the operator's commands.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/alecthomas/kong"
)

// version is set when a release is built.
var version = "dev"

type commands struct {
	Dev      devCommand      `cmd:"" help:"Run a dev network: a regtest node, the rune, a treasury, and the product on it."`
	Serve    serveCommand    `cmd:"" help:"Serve communities on a Bitcoin node."`
	Key      keyCommands     `cmd:"" help:"Make and check the key file."`
	Treasury treasuryCommand `cmd:"" help:"Show the treasury's addresses, and book what arrived there."`
	Audit    auditCommand    `cmd:"" help:"Check every promise of the ledger against the chain. Exits with 1 when one is broken."`
	Version  versionCommand  `cmd:"" help:"Print the version."`
}

type versionCommand struct{}

func (versionCommand) Run() error {
	fmt.Println("moonfund", version)
	return nil
}

func main() {
	var cli commands
	parsed := kong.Parse(&cli, kong.Name("moonfund"), kong.Description("Staking for Bitcoin runes."), kong.UsageOnError())
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	parsed.BindTo(ctx, (*context.Context)(nil))
	if err := parsed.Run(); err != nil {
		fmt.Fprintln(os.Stderr, "moonfund:", err)
		os.Exit(1)
	}
}
