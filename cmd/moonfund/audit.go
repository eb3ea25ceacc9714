package main

import (
	"context"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/btcsuite/btcd/chainhash/v2"

	"moonfund/internal/amount"
	"moonfund/internal/audit"
	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/runes"
	"moonfund/internal/operate/decisions"
	"moonfund/internal/operate/terminal"
	"moonfund/internal/server/nodecheck"
	"moonfund/internal/staking/community"
)

type auditCommands struct {
	Check  auditCommand `cmd:"" default:"withargs" help:"${help_audit}"`
	Accept auditAccept  `cmd:"" help:"${help_audit_accept}"`
}

// audited has the flags of a command that audits a ledger.
type audited struct {
	ledgerFlags
	Network     string `env:"MOONFUND_NETWORK" help:"Network of the server; optional for a dev network's data folder."`
	Communities string `env:"MOONFUND_COMMUNITIES" help:"Folder of the manifests, for the minimum stakes." type:"path"`
	JSON        bool   `help:"Print JSON."`
	nodeFlags   `prefix:"node-"`
}

type auditCommand struct{ audited }

type auditAccept struct {
	audited
	answerable
	Violation string `arg:"" help:"The violation's id, as moonfund audit prints it."`
}

// Run is `moonfund audit accept`.
func (c auditAccept) Run(ctx context.Context) error {
	if err := c.check(); err != nil {
		return err
	}
	report, err := c.report(ctx)
	if err != nil {
		return unfinished{err}
	}
	i := slices.IndexFunc(report.Violations, func(v audit.Violation) bool { return v.ID() == c.Violation })
	if i < 0 {
		return fmt.Errorf("the audit finds no violation %q: see moonfund audit", c.Violation)
	}
	db, err := c.existing(ctx)
	if err != nil {
		return err
	}
	defer db.Close()
	v, err := decisions.AcceptViolation(c.author(), report.Violations[i]).Make(ctx, db, c.agree)
	if err != nil {
		return err
	}
	return terminal.Print(c.JSON, v, func() error {
		fmt.Printf("Accepted: %s. End what it paused with `moonfund resume`.\n", c.Violation)
		return nil
	})
}

// recheckDelay is the delay before the audit of a running server is repeated to confirm a violation.
const recheckDelay = 3 * time.Second

// Run is `moonfund audit`.
func (c auditCommand) Run(ctx context.Context) error {
	report, err := c.report(ctx)
	if err != nil {
		return unfinished{err}
	}
	if err := c.write(report); err != nil {
		return unfinished{err}
	}
	if !report.OK() {
		return fmt.Errorf("%d invariants are violated", len(report.Violations))
	}
	return nil
}

// report audits the ledger against the node.
func (c audited) report(ctx context.Context) (none audit.Report, err error) {
	network, node, err := whereNode(c.Network, c.Data, c.nodeFlags)
	if err != nil {
		return none, err
	}
	rules := runes.RulesFor(network)
	minimum, err := c.minimumStakes(network.Name)
	if err != nil {
		return none, err
	}
	opened, err := c.existing(ctx) // also refuses the tables of another version
	if err != nil {
		return none, err
	}
	if err := opened.Close(); err != nil {
		return none, err
	}
	db, err := audit.Open(c.address())
	if err != nil {
		return none, err
	}
	defer db.Close()
	report, err := audit.Run(ctx, db, placed{node, network}, audit.Config{
		Rules: rules, Start: rules.Start(), MinimumStake: minimum, RecheckAfter: recheckDelay,
	})
	if err != nil {
		return none, fmt.Errorf("the audit could not be completed: %w", err)
	}
	return report, nil
}

// placed is a node that must be on the configured network. Best checks the network. It runs after the ledger was read,
// so that a damaged ledger is reported even without a node.
type placed struct {
	*chain.Client
	network chain.Network
}

// Best implements audit.Node.
func (p placed) Best(ctx context.Context) (chainhash.Hash, int64, error) {
	if err := nodecheck.SameNetwork(ctx, p.Client, p.network); err != nil {
		return chainhash.Hash{}, 0, err
	}
	return p.Client.Best(ctx)
}

// write prints the report.
func (c auditCommand) write(report audit.Report) error {
	return terminal.Print(c.JSON, report.View(), func() error {
		_, err := report.WriteTo(os.Stdout)
		return err
	})
}

func (c audited) minimumStakes(network string) (map[string]amount.Runes, error) {
	if c.Communities == "" {
		return nil, nil
	}
	manifests, err := community.LoadDir(c.Communities, network)
	minimum := map[string]amount.Runes{}
	for _, m := range manifests {
		minimum[m.Prefix] = m.MinimumStake
	}
	return minimum, err
}
