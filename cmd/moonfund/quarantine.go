package main

import (
	"context"

	"moonfund/internal/operate/decisions"
	"moonfund/internal/operate/terminal"
	"moonfund/internal/store"
)

type quarantineCommands struct {
	List   quarantineList   `cmd:"" help:"List outputs at our addresses that can't be credited."`
	Return quarantineReturn `cmd:"" help:"${help_quarantine_return}"`
}

type quarantineList struct {
	reading
	Community string `help:"Only of this community."`
	All       bool   `help:"Also outputs that were returned or recovered already."`
}

// Run is `moonfund quarantine list`.
func (c quarantineList) Run(ctx context.Context) error {
	outputs, err := read(ctx, c.reading, func(tx *store.Tx) ([]decisions.QuarantineView, error) {
		return decisions.Quarantined(ctx, tx, c.Community, c.All)
	})
	if err != nil {
		return err
	}
	const titles = "OUTPUT,COMMUNITY,AT,WHY,SATS,RUNES,BLOCK,OWNER,SPENT BY"
	return terminal.List(c.JSON, outputs, titles, func(o decisions.QuarantineView) []string {
		return []string{
			o.OutPoint, o.Community, string(o.Kind), o.Reason, terminal.Number(o.Value), o.Holding(),
			terminal.Height(o.Height), terminal.OrDash(o.Owner), terminal.OrDash(o.SpentBy),
		}
	})
}

type quarantineReturn struct {
	requesting
	Output string `arg:"" help:"The output, txid:vout, as the list shows it."`
}

// Run is `moonfund quarantine return`.
func (c quarantineReturn) Run(ctx context.Context) error {
	return c.request(ctx, c.Output, decisions.Return(c.author(), c.Output))
}
