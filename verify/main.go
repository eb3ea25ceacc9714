// Command moonfund-verify verifies statements and receipts of a Moon Fund community without its server: the form,
// signatures and chain of statements, the rewards, the proof of one owner, the reserves on a block explorer of the
// user's choice, and receipts. docs/statements.md and docs/receipts.md specify the formats.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
)

// Exit codes.
const (
	exitVerified    = 0 // everything that was checked is right
	exitFailed      = 1 // a check failed
	exitUsage       = 2 // the command line is wrong
	exitUnavailable = 3 // a document or a server can't be read, so that not everything was checked
	exitUnknownKey  = 4 // everything that was checked is right, but no --key was given
)

const usage = `moonfund-verify verifies the statements and receipts of a Moon Fund community without its server.

  moonfund-verify statement FILE|URL…   form, signature, sums, and rewards (with the details beside it)
  moonfund-verify chain FILE|FOLDER|URL…   all statements from the first one, each following the one before;
                                        a URL is that of all statements: https://host/community/statements
  moonfund-verify proof FILE|URL --statement FILE|URL   what a statement counts for one owner
  moonfund-verify reserves FILE|URL --esplora URL --ord URL   outputs and runes; at least one of the two
  moonfund-verify receipt FILE|URL…     receipts: what the server said about actions and orders
  moonfund-verify instruction FILE --statement FILE|URL   which rewards an owner's signed message to compound
                                        automatically compounded, by the details beside the statement

Options:
  --key HEX        the statement key that the community publishes; get it from elsewhere than from the server
  --head ID        chain: a statement that you saw before, which the chain must contain
  --community NAME chain: the community whose statements in a folder are verified
  --owner ADDRESS  proof, receipt: the owner that the proof or every receipt must be for
  --no-rewards     statement, chain: do not check the rewards
  --sample N       reserves: compare only N outputs, chosen at random

Exit code 0: everything that was checked is right. 1: a check failed. 2: wrong command line. 3: something could not
be read, so that not everything was checked. 4: everything that was checked is right, but without --key the signatures
were checked only with the key in the document, which proves nothing about who signed.
`

// options are the flags of all commands.
type options struct {
	key, head, owner, statement, esplora, ord, community string
	noRewards                                            bool
	sample                                               int
}

// errUsage means that the command line is wrong.
var errUsage = errors.New("wrong command line")

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// run runs the command line and returns the exit code.
func run(ctx context.Context, arguments []string, out, problems io.Writer) int {
	commands := map[string]func(context.Context, *report, options, []string) error{
		"statement": verifyStatements, "chain": verifyChain, "proof": verifyProof, "reserves": verifyReserves,
		"receipt": verifyReceipts, "instruction": verifyInstruction,
	}
	if len(arguments) == 0 || commands[arguments[0]] == nil {
		fmt.Fprint(problems, usage)
		return exitUsage
	}
	o, places, err := parse(arguments[1:])
	r := &report{out: out}
	if err == nil {
		err = commands[arguments[0]](ctx, r, o, places)
	}
	switch {
	case errors.Is(err, errUsage):
		fmt.Fprintf(problems, "moonfund-verify: %v\n\n%s", err, usage)
		return exitUsage
	case r.failed > 0:
		fmt.Fprintf(out, "\nNOT VERIFIED: %s failed.\n", plural(r.failed, "check", "checks"))
		if err != nil {
			fmt.Fprintln(problems, "moonfund-verify:", err)
		}
		return exitFailed
	case err != nil:
		fmt.Fprintln(problems, "moonfund-verify:", err)
		return exitUnavailable
	case o.key == "":
		fmt.Fprintln(out, "\nNOT VERIFIED: who signed is unknown. The signatures were checked only with the key in the "+
			"document. Give the key that the community publishes (--key).")
		return exitUnknownKey
	}
	fmt.Fprintln(out, "\nVerified.")
	return exitVerified
}

// parse reads options, which may be between the places.
func parse(arguments []string) (o options, places []string, err error) {
	flags := flag.NewFlagSet("moonfund-verify", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	flags.StringVar(&o.key, "key", "", "")
	flags.StringVar(&o.head, "head", "", "")
	flags.StringVar(&o.owner, "owner", "", "")
	flags.StringVar(&o.statement, "statement", "", "")
	flags.StringVar(&o.esplora, "esplora", "", "")
	flags.StringVar(&o.ord, "ord", "", "")
	flags.StringVar(&o.community, "community", "", "")
	flags.BoolVar(&o.noRewards, "no-rewards", false, "")
	flags.IntVar(&o.sample, "sample", 0, "")
	for len(arguments) > 0 {
		if err := flags.Parse(arguments); err != nil {
			return o, nil, fmt.Errorf("%w: %w", errUsage, err)
		}
		if arguments = flags.Args(); len(arguments) > 0 {
			places, arguments = append(places, arguments[0]), arguments[1:]
		}
	}
	if len(places) == 0 {
		return o, nil, fmt.Errorf("%w: name a file or an address", errUsage)
	}
	return o, places, nil
}
