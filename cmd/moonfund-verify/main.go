// Command moonfund-verify verifies the statements and receipts of a Moon Fund community without its server.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"

	"github.com/alecthomas/kong"

	"moonfund/internal/signed/statement"
	"moonfund/internal/verify"
)

// Exit codes.
const (
	exitVerified    = 0 // every check succeeded
	exitFailed      = 1 // a check failed
	exitUsage       = 2 // the command line is wrong
	exitUnavailable = 3 // a document or a server can't be read, so that not everything was checked
	exitUnknownKey  = 4 // every check succeeded, but no --key was given
)

const description = `Verify the statements and receipts of a Moon Fund community without its server.

Exit code 0: everything that was checked is right. 1: a check failed. 2: wrong command line. 3: something could not be
read, so that not everything was checked. 4: everything that was checked is right, but without --key the signatures were
checked only with the key in the document, which proves nothing about who signed.`

var help = kong.Vars{
	"help_key":   "The statement key that the community publishes; get it from elsewhere than from the server.",
	"help_chain": "A URL names all statements: https://host/community/statements.",
}

type commands struct {
	Key   statement.Key `placeholder:"HEX" help:"${help_key}"`
	Owner string        `placeholder:"ADDRESS" help:"The owner of a proof, an instruction or every receipt."`

	Statement   statementCommand   `cmd:"" help:"Form, signature, sums, and rewards by the details beside a statement."`
	Chain       chainCommand       `cmd:"" help:"All statements from the first one, each following the one before."`
	Proof       proofCommand       `cmd:"" help:"What a statement counts for one owner."`
	Reserves    reservesCommand    `cmd:"" help:"Outputs, and with an ord server their runes."`
	Receipt     receiptCommand     `cmd:"" help:"What the server said about actions and orders."`
	Instruction instructionCommand `cmd:"" help:"Which rewards a signed message to compound automatically compounded."`
}

type statementCommand struct {
	Places    []string `arg:"" name:"file|url"`
	NoRewards bool     `help:"Do not check the rewards."`
}

func (c statementCommand) Run(ctx context.Context, v *verify.Verifier) error {
	v.NoRewards = c.NoRewards
	return v.Statements(ctx, c.Places)
}

type chainCommand struct {
	Places    []string `arg:"" name:"file|folder|url" help:"${help_chain}"`
	Head      string   `placeholder:"ID" help:"A statement that you saw before, which the chain must contain."`
	Community string   `placeholder:"NAME" help:"The community whose statements in a folder are verified."`
	NoRewards bool     `help:"Do not check the rewards."`
}

func (c chainCommand) Run(ctx context.Context, v *verify.Verifier) error {
	v.NoRewards = c.NoRewards
	return v.Chain(ctx, c.Places, c.Community, c.Head)
}

type proofCommand struct {
	Place     string `arg:"" name:"file|url"`
	Statement string `required:"" placeholder:"FILE|URL" help:"The statement."`
}

func (c proofCommand) Run(ctx context.Context, v *verify.Verifier) error {
	return v.Proof(ctx, c.Place, c.Statement)
}

type reservesCommand struct {
	Place   string `arg:"" name:"file|url"`
	Esplora string `placeholder:"URL" help:"A server with Esplora's API. It knows outputs, no runes."`
	Ord     string `placeholder:"URL" help:"An ord server with an index of runes."`
	Sample  int    `placeholder:"N" help:"Compare only N outputs, chosen at random."`
}

func (c reservesCommand) Run(ctx context.Context, v *verify.Verifier) error {
	return v.Reserves(ctx, c.Place, verify.Servers{Esplora: c.Esplora, Ord: c.Ord}, c.Sample)
}

type receiptCommand struct {
	Places []string `arg:"" name:"file|url"`
}

func (c receiptCommand) Run(ctx context.Context, v *verify.Verifier) error {
	return v.Receipts(ctx, c.Places)
}

type instructionCommand struct {
	Place     string `arg:"" name:"file" help:"The signed message."`
	Statement string `required:"" placeholder:"FILE|URL" help:"The statement, whose details are beside it."`
}

func (c instructionCommand) Run(ctx context.Context, v *verify.Verifier) error {
	return v.Instruction(ctx, c.Place, c.Statement)
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// run runs the command line and returns the exit code.
func run(ctx context.Context, arguments []string, out, problems io.Writer) int {
	var cli commands
	parser := kong.Must(&cli, kong.Name("moonfund-verify"), kong.Description(description), help,
		kong.Writers(out, problems), kong.BindTo(ctx, (*context.Context)(nil)))
	parsed, err := parser.Parse(arguments)
	if err != nil {
		fmt.Fprintln(problems, "moonfund-verify:", err)
		return exitUsage
	}
	v := &verify.Verifier{Out: out, Key: cli.Key, Owner: cli.Owner}
	err = parsed.Run(v)
	if err != nil {
		fmt.Fprintln(problems, "moonfund-verify:", err)
	}
	switch {
	case errors.Is(err, verify.ErrRequest):
		return exitUsage
	case v.Failed() > 0:
		fmt.Fprintf(out, "\nNOT VERIFIED: %s failed.\n", verify.Plural(v.Failed(), "check", "checks"))
		return exitFailed
	case err != nil:
		return exitUnavailable
	case !v.KnowsKey():
		fmt.Fprintln(out, "\nNOT VERIFIED: who signed is unknown. The signatures were checked only with the key in the "+
			"document. Give the key that the community publishes (--key).")
		return exitUnknownKey
	}
	fmt.Fprintln(out, "\nVerified.")
	return exitVerified
}
