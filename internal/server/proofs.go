package server

import (
	"context"

	"moonfund/internal/amount"
	"moonfund/internal/api"
	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/runes"
	"moonfund/internal/server/reserves"
	"moonfund/internal/staking/action"
	"moonfund/internal/staking/order"
	"moonfund/internal/store"
)

// proofs serves data that anyone can verify: recovery kits and reserves.
type proofs struct{ *Server }

// RecoveryKit implements api.Proofs.
func (p proofs) RecoveryKit(ctx context.Context, prefix string, w action.Wallet) (api.RecoveryKit, error) {
	address, err := action.ParseAddress(w.Ordinals, p.Network)
	if err != nil {
		return api.RecoveryKit{}, err
	}
	rate := p.Rates.Rate(ctx)
	var kit reserves.RecoveryKit
	err = p.Store.View(ctx, func(tx *store.Tx) error {
		tip, err := tx.Tip(ctx)
		if err != nil {
			return err
		}
		deposits, err := deposits(ctx, tx, prefix, address)
		if err != nil {
			return err
		}
		staker := reserves.Staker{Address: address.Text, Script: address.Script}
		units, err := tx.UnitsOf(ctx, prefix, address.Text)
		if err != nil {
			return err
		}
		for _, unit := range units {
			if unit.Virtual() && unit.Stage.Live() {
				if staker.Virtual, err = staker.Virtual.Add(unit.Amount); err != nil {
					return err
				}
			}
		}
		account, err := p.Accounts.Of(prefix)
		if err != nil {
			return err
		}
		kit, err = reserves.Kit(account, staker, tip.Height, rate, deposits)
		return err
	})
	return wireKit(kit), err
}

func deposits(
	ctx context.Context, tx *store.Tx, prefix string, owner chain.Address,
) (all []reserves.Deposit, err error) {
	outputs, err := tx.DepositsOf(ctx, prefix, owner.Text)
	if err != nil {
		return nil, err
	}
	for _, output := range outputs {
		keys, err := tx.StakeKeys(ctx, output.Ref)
		if err != nil {
			return nil, err
		}
		balances, err := runes.BalancesOf(tx.Runes(ctx), output.OutPoint)
		if err != nil {
			return nil, err
		}
		all = append(all, reserves.Deposit{
			Output: output, Keys: keys, Runes: held(balances),
		})
	}
	return all, nil
}

func held(balances []runes.Balance) (all []reserves.Held) {
	for _, b := range balances {
		all = append(all, reserves.Held{Rune: b.ID.String(), Amount: b.Amount.String()})
	}
	return all
}

func wireKit(kit reserves.RecoveryKit) api.RecoveryKit {
	wire := api.RecoveryKit{
		Network: kit.Network, Destination: kit.Destination, Height: kit.Height, VirtualAmount: kit.Virtual.String(),
		Signers: kit.Signers, Outputs: []api.RecoveryOutput{},
	}
	for _, o := range kit.Outputs {
		output := api.RecoveryOutput{
			Outpoint: o.OutPoint, Address: o.Address, Credited: o.Credited, Value: int64(o.Value), Delay: o.Delay,
			OpenHeight: o.OpenHeight, CustodyKind: api.CustodyKindOperator, Descriptor: o.Descriptor, InternalKey: o.InternalKey,
			CommunityKey: o.CommunityKey, LeafScript: o.LeafScript,
			ControlBlock: o.ControlBlock, PsbtOwnFee: o.OwnFee, PsbtAnyFee: o.AnyFee, Runes: []api.RuneBalance{},
		}
		if o.Self {
			output.CustodyKind = api.CustodyKindSelf
		}
		for _, h := range o.Runes {
			output.Runes = append(output.Runes, api.RuneBalance{RuneId: h.Rune, Amount: h.Amount})
		}
		wire.Outputs = append(wire.Outputs, output)
	}
	return wire
}

// SendRecovery implements api.Recoveries.
func (p proofs) SendRecovery(ctx context.Context, prefix string, w action.Wallet, raw []byte) (string, error) {
	sender := reserves.Sender{Node: p.Node, View: func(ctx context.Context, fn func(reserves.Outputs) error) error {
		return p.Store.View(ctx, func(tx *store.Tx) error { return fn(tx) })
	}}
	tx, err := sender.Send(ctx, prefix, w.Ordinals, raw)
	if err != nil {
		return "", err
	}
	p.Refresh(ctx) // so that the ledger includes the spend immediately
	return tx.ID.String(), nil
}

// Reserves implements api.Proofs.
func (p proofs) Reserves(ctx context.Context, prefix string) (api.Reserves, error) {
	var r reserves.Reserves
	err := p.Store.View(ctx, func(tx *store.Tx) error {
		tip, err := tx.Tip(ctx)
		if err != nil {
			return err
		}
		units, err := tx.LiveUnits(ctx, prefix)
		if err != nil {
			return err
		}
		outputs, err := tx.UnspentOutputs(ctx, prefix)
		if err != nil {
			return err
		}
		orders, err := tx.OrdersInStatus(ctx, order.Sent)
		if err != nil {
			return err
		}
		sent := map[string]bool{}
		for _, o := range orders {
			sent[o.ID] = true
		}
		id, err := p.runeIDs.Of(prefix)
		if err != nil {
			return err
		}
		r, err = reserves.Snapshot(tip, id.String(), units, outputs, func(id string) bool { return sent[id] })
		return err
	})
	return wireReserves(r), err
}

func wireReserves(r reserves.Reserves) api.Reserves {
	wire := api.Reserves{
		Height: r.Height, BlockHash: r.BlockHash, Time: r.Time, RuneId: r.Rune, StakedUnits: r.StakedUnits.String(),
		VirtualUnits: r.VirtualUnits.String(), StakeOutputs: r.StakeOutputs.String(),
		SelfOutputs: r.SelfOutputs.String(), TreasuryOutputs: r.TreasuryOutputs.String(),
		Covered: r.Covered, Outputs: []api.ReserveOutput{},
	}
	for _, o := range r.Outputs {
		output := api.ReserveOutput{
			Outpoint: o.OutPoint, Address: o.Address, Amount: runeAmount(o.Amount), Kind: api.ReserveOutputKindStake,
			Value: int64(o.Value),
		}
		switch {
		case o.Treasury:
			output.Kind = api.ReserveOutputKindTreasury
		case o.Self:
			output.CustodyKind = api.ReserveOutputCustodyKindSelf
		default:
			output.CustodyKind = api.ReserveOutputCustodyKindOperator
		}
		if height := o.Height; height != chain.None {
			output.Height = &height
		}
		wire.Outputs = append(wire.Outputs, output)
	}
	return wire
}

func runeAmount(a amount.Runes) api.RuneAmount { return api.RuneAmount(a.String()) }
