// Command moonfund is the whole product in one binary: the server, the dev
// network and the operator's commands.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"os/user"
	"reflect"
	"strings"
	"syscall"

	"github.com/alecthomas/kong"
)

// version is set when a release is built.
var version = "dev"

type commands struct {
	Dev        devCommand         `cmd:"" help:"Run a dev network: a regtest node, the rune, a treasury, and the product on it."`
	Serve      serveCommand       `cmd:"" help:"Serve communities on a Bitcoin node."`
	Init       initCommand        `cmd:"" help:"Make a new, empty ledger for a key that has served none."`
	Ledger     ledgerCommands     `cmd:"" help:"The ledger itself: take in stakes that another copy of it knows."`
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
	Audit      auditCommand       `cmd:"" help:"Check every invariant of the ledger against the chain. Exits with 1 when one is violated, with 2 when the audit can't be made."`
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
	if err := dropEmptySettings(); err != nil {
		fail(err)
	}
	var cli commands
	parsed := kong.Parse(&cli, append(parserOptions(), kong.UsageOnError())...)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	parsed.BindTo(ctx, (*context.Context)(nil))
	if err := parsed.Run(); err != nil {
		fail(err)
	}
}

// fail prints the error and exits with its code: 1, unless the error names another one.
func fail(err error) {
	fmt.Fprintln(os.Stderr, "moonfund:", err)
	code := 1
	if coded := kong.ExitCoder(nil); errors.As(err, &coded) {
		code = coded.ExitCode()
	}
	os.Exit(code)
}

func parserOptions() []kong.Option {
	return []kong.Option{
		kong.Name("moonfund"), kong.Description("Staking for Bitcoin runes."),
		kong.NamedMapper("path", kong.MapperFunc(decodePath)), kong.Vars{"user": userName()},
	}
}

// userName returns the name in USER or, where systemd or cron does not set that, the system's own; "" when unknown.
func userName() string {
	if name := os.Getenv("USER"); name != "" {
		return name
	}
	account, err := user.Current()
	if err != nil {
		return ""
	}
	return account.Username
}

// decodePath makes a path absolute. It refuses an empty one, which would name the working directory.
func decodePath(ctx *kong.DecodeContext, target reflect.Value) error {
	var path string
	if err := ctx.Scan.PopValueInto("file", &path); err != nil {
		return err
	}
	if path == "" {
		return errors.New("is empty; it must name a file or a folder")
	}
	target.SetString(kong.ExpandPath(path))
	return nil
}

// dropEmptySettings unsets the variables MOONFUND_… that are empty, so that a line such as "MOONFUND_BACKUPS=" in a
// file of settings means that the setting is not given.
func dropEmptySettings() error {
	for _, line := range os.Environ() {
		if name, value, _ := strings.Cut(line, "="); strings.HasPrefix(name, "MOONFUND_") && value == "" {
			if err := os.Unsetenv(name); err != nil {
				return err
			}
		}
	}
	return nil
}

// unfinished is the error of a check that could not be made. Its exit code tells programs that nothing was found
// wrong, and nothing right.
type unfinished struct{ error }

func (e unfinished) Unwrap() error { return e.error }

// ExitCode implements kong.ExitCoder.
func (unfinished) ExitCode() int { return 2 }
