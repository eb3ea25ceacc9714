package main

import (
	"context"

	"moonfund/console"
	"moonfund/operator"
	"moonfund/store"
)

type quarantineCommands struct {
	List   quarantineList   `cmd:"" help:"List outputs at our addresses that can't be credited."`
	Return quarantineReturn `cmd:"" help:"Return one quarantined output to its owner's ordinals address."`
}

type quarantineList struct {
	reading
	Community string `help:"Only of this community."`
	All       bool   `help:"Also outputs that were returned or recovered already."`
}

// Run is `moonfund quarantine list`.
func (c quarantineList) Run(ctx context.Context) error {
	outputs, err := read(ctx, c.reading, func(tx *store.Tx) ([]operator.QuarantineView, error) {
		return operator.Quarantined(ctx, tx, c.Community, c.All)
	})
	if err != nil {
		return err
	}
	const titles = "OUTPUT,COMMUNITY,AT,WHY,SATS,RUNES,BLOCK,OWNER,SPENT BY"
	return console.List(c.JSON, outputs, titles, func(o operator.QuarantineView) []string {
		return []string{
			o.OutPoint, o.Community, string(o.Kind), o.Reason, console.Number(o.Value), o.Holding(),
			console.Height(o.Height), console.OrDash(o.Owner), console.OrDash(o.SpentBy),
		}
	})
}

type quarantineReturn struct {
	requesting
	Output string `arg:"" help:"The output, txid:vout, at a stake or payment address."`
}

// Run is `moonfund quarantine return`.
func (c quarantineReturn) Run(ctx context.Context) error {
	return c.request(ctx, c.Output, operator.Return(c.author(), c.Output))
}
