package main

import (
	"context"
	"errors"

	"moonfund/action"
	"moonfund/api"
)

type auditCommand struct{}

func (auditCommand) Run() error { return errors.New("pending") }

type proofs struct{ *house }

func (p proofs) RecoveryKit(ctx context.Context, community string, w action.Wallet) (api.RecoveryKit, error) {
	return api.RecoveryKit{}, errors.New("pending")
}
func (p proofs) Reserves(ctx context.Context, community string) (api.Reserves, error) {
	return api.Reserves{}, errors.New("pending")
}
