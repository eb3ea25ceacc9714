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
	Dev        devCommand         `cmd:"" help:"Run a dev network: a regtest node, the rune, a treasury, and the product on it."`
	Serve      serveCommand       `cmd:"" help:"Serve communities on a Bitcoin node."`
	Signer     signerCommands     `cmd:"" help:"Hold the key in a process of its own, which signs what its rules allow."`
	Key        keyCommands        `cmd:"" help:"Make and check the key file."`
	Manifest   manifestCommands   `cmd:"" help:"Begin a community's manifest, and check it."`
	Order      orderCommands      `cmd:"" help:"Payment orders: look at them, refund them, resolve those in AUDIT."`
	RuneOrder  runeOrderCommands  `cmd:"" help:"Orders of the mint and etch service."`
	Payout     payoutCommands     `cmd:"" help:"Payouts and refunds on the chain."`
	Unit       unitCommands       `cmd:"" help:"Units of stake."`
	Epoch      epochCommands      `cmd:"" help:"Epochs and what they rewarded."`
	Pause      pauseCommand       `cmd:"" help:"Hold up payouts, or every change."`
	Resume     resumeCommand      `cmd:"" help:"End a pause; also one that a violated promise began."`
	Log        logCommand         `cmd:"" help:"What operators did, when and why."`
	Treasury   treasuryCommand    `cmd:"" help:"What a community holds and owes; book what arrived."`
	Quarantine quarantineCommands `cmd:"" help:"What arrived and can't be credited: list it, give it back."`
	Audit      auditCommand       `cmd:"" help:"Check every promise of the ledger against the chain. Exits with 1 when one is broken."`
	Backup     backupCommand      `cmd:"" help:"Write the ledger, the limits, the key file and the manifests into one file, while the server runs."`
	Restore    restoreCommand     `cmd:"" help:"Make a new ledger from a backup. It starts paused."`
	Rebuild    rebuildCommand     `cmd:"" help:"Read everything anew that the chain knows, after damage. Everything is paused then."`
	Recover    recoverCommand     `cmd:"" help:"Take staked outputs back alone, after their delay, with the recovery kit and your own key."`
	Version    versionCommand     `cmd:"" help:"Print the version."`
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
