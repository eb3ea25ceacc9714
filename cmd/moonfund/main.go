// Command moonfund contains the server, the dev network and the operator's commands.
package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/signal"
	"os/user"
	"path/filepath"
	"reflect"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"

	"github.com/alecthomas/kong"

	"moonfund/internal/operate/setup"
	"moonfund/internal/operate/terminal"
	"moonfund/internal/store"
)

// version and commit are set when a release is built.
var version, commit = "dev", ""

type commands struct {
	Settings settingsFlag     `placeholder:"FILE" help:"${help_settings}"`
	Version  kong.VersionFlag `help:"Print the version and the commit."`

	Setup        setupCommand       `cmd:"" help:"${help_setup}"`
	Doctor       doctorCommand      `cmd:"" help:"${help_doctor}"`
	Dev          devCommand         `cmd:"" help:"${help_dev}"`
	Serve        serveCommand       `cmd:"" help:"Serve communities on a Bitcoin node."`
	Init         initCommand        `cmd:"" help:"Create an empty ledger for a key that was never used."`
	Ledger       ledgerCommands     `cmd:"" help:"Show the ledger; adopt stakes that another copy of it contains."`
	Signer       signerCommands     `cmd:"" help:"Run the signer as a separate process, with its own rules."`
	Key          keyCommands        `cmd:"" help:"Create, check, back up and rotate the key file."`
	Community    communityCommands  `cmd:"" help:"List, add and retire communities."`
	Manifest     manifestCommands   `cmd:"" help:"Write and check a community's manifest."`
	Find         findCommand        `cmd:"" help:"${help_find}"`
	Console      consoleCommand     `cmd:"" help:"${help_console}"`
	Order        orderCommands      `cmd:"" help:"List, show, refund and resolve payment orders."`
	RuneOrder    runeOrderCommands  `cmd:"" help:"List and show mint and etch orders."`
	Payout       payoutCommands     `cmd:"" help:"List, show, replace, export and import payouts."`
	Unit         unitCommands       `cmd:"" help:"Show units."`
	Epoch        epochCommands      `cmd:"" help:"List, show and verify epochs."`
	Pause        pauseCommand       `cmd:"" help:"Pause payouts, also of one community, or every change."`
	Resume       resumeCommand      `cmd:"" help:"End a pause, also one that a failed audit started."`
	Notify       notifyCommands     `cmd:"" help:"Test the receivers of notifications; list and replay events."`
	Log          logCommand         `cmd:"" help:"Show what operators did, when and why."`
	Treasury     treasuryCommand    `cmd:"" help:"Show a community's treasury; credit deposits."`
	Quarantine   quarantineCommands `cmd:"" help:"List and return outputs that can't be credited."`
	Audit        auditCommands      `cmd:"" help:"Check the ledger; accept a violation that you understand."`
	Backup       backupCommand      `cmd:"" help:"${help_backup}"`
	Restore      restoreCommand     `cmd:"" help:"Create a ledger from a backup. It starts paused."`
	Rebuild      rebuildCommand     `cmd:"" help:"${help_rebuild}"`
	Recover      recoverCommand     `cmd:"" help:"${help_recover}"`
	Help         helpCommand        `cmd:"" help:"Print a page of the guide or a runbook, such as restore."`
	PrintVersion versionCommand     `cmd:"" name:"version" help:"Print the version and the commit."`

	UnitFile unitFile `cmd:"" hidden:"" help:"Print the systemd unit of a package."`
}

type versionCommand struct {
	JSON bool `help:"Print JSON."`
}

// versionView is the JSON of `moonfund version`.
type versionView struct {
	Version string `json:"version"`
	Commit  string `json:"commit"` // "" if the build has none
	Go      string `json:"go"`
	OS      string `json:"os"`
	Arch    string `json:"arch"`
}

// Run is `moonfund version`.
func (c versionCommand) Run() error {
	if c.JSON {
		return terminal.JSON(versionView{version, revision(), runtime.Version(), runtime.GOOS, runtime.GOARCH})
	}
	fmt.Println(versionLine())
	return nil
}

func versionLine() string {
	if of := revision(); of != "" {
		return "moonfund " + version + " (commit " + of + ")"
	}
	return "moonfund " + version
}

// revision returns the commit of the source, or "" if the build has none.
func revision() string {
	if commit != "" {
		return commit
	}
	info, known := debug.ReadBuildInfo()
	if !known {
		return ""
	}
	for _, setting := range info.Settings {
		if setting.Key == "vcs.revision" {
			return setting.Value
		}
	}
	return ""
}

func main() {
	parsed, err := readCommand(os.Args[1:])
	if err != nil {
		fail(err)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	parsed.BindTo(ctx, (*context.Context)(nil))
	if err := parsed.Run(); err != nil {
		fail(err)
	}
}

// readCommand parses a command line with the settings that are installed, and takes the service's user if root runs it.
func readCommand(args []string) (*kong.Context, error) {
	var cli commands
	parser, err := kong.New(&cli, parserOptions()...)
	if err != nil {
		return nil, err
	}
	var unknown error
	if !informs(args) { // the error's advice is to read them
		unknown = checkNames(parser, "environment", environment()) // an empty one, too
	}
	if err := dropEmptySettings(); err != nil {
		return nil, err
	}
	installed, path := forInstallation(args), ""
	if installed {
		path = installedSettings(filepath.Join(setup.DefaultFolder, setup.SettingsName), args)
	}
	if path != "" {
		if args[0] != "serve" {
			fmt.Fprintln(os.Stderr, "Settings:", path)
		}
		err := applySettings(parser, path)
		if errors.Is(err, fs.ErrPermission) && args[0] == "signer" { // the signer's user has settings of its own
			path, err = "", nil
		}
		if err != nil {
			return nil, err
		}
	}
	if unknown != nil { // after the file's errors: the service's environment contains the file
		return nil, unknown
	}
	parsed, err := parser.Parse(args)
	if hint := explainMissing(parser, err, path); hint != "" {
		parser.FatalIfErrorf(err, "%s", hint)
	}
	parser.FatalIfErrorf(err)
	if installed {
		err = actAsService(dataFolder(parsed))
	}
	return parsed, err
}

// fail prints the error and exits with the error's exit code, or with 1 if the error has none. kong exits with 80 for a
// command line that it can't parse.
func fail(err error) {
	fmt.Fprintln(os.Stderr, "moonfund:", store.Advise(err, ""))
	code := 1
	if coded := kong.ExitCoder(nil); errors.As(err, &coded) {
		code = coded.ExitCode()
	}
	os.Exit(code)
}

func parserOptions() []kong.Option {
	return []kong.Option{
		kong.Name("moonfund"), kong.Description("Staking for Bitcoin runes."),
		kong.NamedMapper("path", kong.MapperFunc(decodePath)), kong.PostBuild(expandHelp),
		kong.ShortUsageOnError(), kong.Resolvers(kong.ResolverFunc(resolveSecret)),
		kong.Vars{"user": userName(), "version": versionLine()},
	}
}

// secretVariables are the variables of flags that hold a secret. Each may also be a file or a systemd credential.
var secretVariables = []string{
	"MOONFUND_NODE_PASSWORD", "MOONFUND_DATABASE", "MOONFUND_RECOVERY_KEY", "MOONFUND_FEE_KEY",
}

// resolveSecret returns the value of a flag with a secret that neither the command line nor the environment has.
func resolveSecret(_ *kong.Context, _ *kong.Path, flag *kong.Flag) (any, error) {
	for _, variable := range flag.Envs {
		if !slices.Contains(secretVariables, variable) || os.Getenv(variable) != "" {
			continue
		}
		if text, err := terminal.Secret(variable); text != "" || err != nil {
			return text, err
		}
	}
	return nil, nil
}

// userName returns the name in USER or, where systemd or cron does not set USER, the name of the system's user; "" if
// unknown.
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

// decodePath makes a path absolute. It returns an error for an empty path, which would name the working directory.
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
// settings file means that the setting is absent.
func dropEmptySettings() error {
	for _, line := range os.Environ() {
		if name, value, _ := strings.Cut(line, "="); strings.HasPrefix(name, ours) && value == "" {
			if err := os.Unsetenv(name); err != nil {
				return err
			}
		}
	}
	return nil
}

// unfinished is the error of a check that could not be completed. Its exit code, 2, means neither success nor failure.
type unfinished struct{ error }

func (e unfinished) Unwrap() error { return e.error }

// ExitCode implements kong.ExitCoder.
func (unfinished) ExitCode() int { return 2 }
