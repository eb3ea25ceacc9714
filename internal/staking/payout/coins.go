package payout

import (
	"context"
	"slices"

	"github.com/btcsuite/btcd/wire/v2"
	"lukechampine.com/uint128"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/runes"
	"moonfund/internal/bitcoin/vault"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/staking/order"
)

// InputDepth is the number of confirmations that a stake, treasury or quarantined output needs before a payout spends
// it. Payments need order.PaymentDepth.
const InputDepth = 3

// Coins returns the inputs of a transaction with the data needed to spend them. All inputs must be outputs of ours.
func (t Terms) Coins(ctx context.Context, tx Tx, msg *wire.MsgTx) (coins []vault.Coin, err error) {
	for _, in := range msg.TxIn {
		coin, err := t.coin(ctx, tx, in.PreviousOutPoint)
		if err != nil {
			return nil, err
		}
		coins = append(coins, coin)
	}
	return coins, nil
}

// coin returns an output of ours with the data needed to spend it.
func (t Terms) coin(ctx context.Context, tx Tx, point wire.OutPoint) (vault.Coin, error) {
	output, err := tx.Outputs.Output(ctx, point)
	if err != nil {
		return vault.Coin{}, err
	}
	if output.Quarantine != "" {
		return t.Quarantined(ctx, tx, output)
	}
	switch output.Kind {
	case ledger.StakeKind:
		unit, err := tx.Units.Unit(ctx, t.Prefix, point.String())
		if err != nil {
			return vault.Coin{}, err
		}
		return t.UnitCoin(ctx, tx, unit, unit.OrderID)
	case ledger.PaymentKind:
		return t.Account.Coin(vault.Payment, point, output.Value, nil, output.Ref)
	case ledger.RunesKind:
		return t.Account.Coin(vault.TreasuryRunes, point, output.Value, t.Holding(output.Runes), "")
	}
	return t.Account.Coin(vault.TreasurySats, point, output.Value, nil, "")
}

// UnitCoin returns the output of a unit with the data needed to spend it.
func (t Terms) UnitCoin(ctx context.Context, tx Tx, unit ledger.Unit,
	orderID string) (vault.Coin, error) {
	output, err := tx.Outputs.Output(ctx, unit.OutPoint)
	if err != nil {
		return vault.Coin{}, err
	}
	keys, err := tx.Proofs.StakeKeys(ctx, output.Ref)
	if err != nil {
		return vault.Coin{}, err
	}
	stake, err := t.Account.StakeOutput(keys)
	if err != nil {
		return vault.Coin{}, err
	}
	return stake.Coin(unit.OutPoint, unit.Value, t.Holding(unit.Amount), orderID), nil
}

// Quarantined returns a quarantined output with the data needed to spend it, and with every rune on it according to the
// rune index.
func (t Terms) Quarantined(ctx context.Context, tx Tx, output ledger.Output) (vault.Coin, error) {
	balances, err := runes.BalancesOf(tx.Index.Runes(ctx), output.OutPoint)
	if err != nil {
		return vault.Coin{}, err
	}
	switch output.Kind {
	case ledger.PaymentKind:
		return t.Account.Coin(vault.Payment, output.OutPoint, output.Value, balances, output.Ref)
	case ledger.RunesKind:
		return t.Account.Coin(vault.TreasuryRunes, output.OutPoint, output.Value, balances, "")
	}
	keys, err := tx.Proofs.StakeKeys(ctx, output.Ref)
	if err != nil {
		return vault.Coin{}, err
	}
	stake, err := t.Account.StakeOutput(keys)
	return stake.Coin(output.OutPoint, output.Value, balances, ""), err
}

// PaymentsOf returns the payments that the newest version of a payout spends.
func (t Terms) PaymentsOf(ctx context.Context, tx Tx, p Payout) (payments []vault.Coin, err error) {
	inputs, err := t.inputsOf(ctx, tx, p.Last())
	return slices.DeleteFunc(inputs, func(c vault.Coin) bool { return c.Kind != vault.Payment }), err
}

// TreasuryRunes returns the treasury's outputs with runes that a payout may spend.
func (t Terms) TreasuryRunes(ctx context.Context, tx Tx) ([]vault.Coin, error) {
	return t.treasuryCoins(ctx, tx, ledger.RunesKind, vault.TreasuryRunes)
}

// TreasurySats returns the treasury's outputs without runes that a payout may spend.
func (t Terms) TreasurySats(ctx context.Context, tx Tx) ([]vault.Coin, error) {
	return t.treasuryCoins(ctx, tx, ledger.SatsKind, vault.TreasurySats)
}

// treasuryCoins returns the treasury outputs of a kind that a payout may spend: those with InputDepth confirmations,
// and of coinbase outputs those with order.CoinbaseDepth.
func (t Terms) treasuryCoins(ctx context.Context, tx Tx, kind ledger.Kind,
	as vault.CoinKind) (coins []vault.Coin, err error) {
	tip, err := tx.Headers.Tip(ctx)
	if err != nil {
		return nil, err
	}
	outputs, err := tx.Treasury.TreasuryOutputs(ctx, t.Prefix, kind)
	if err != nil {
		return nil, err
	}
	for _, output := range outputs {
		depth := ledger.Confirmations(output.Height, tip.Height)
		if depth < InputDepth || (output.Coinbase && depth < order.CoinbaseDepth) ||
			(kind == ledger.SatsKind && output.Runes > 0) {
			continue
		}
		coin, err := t.Account.Coin(as, output.OutPoint, output.Value, t.Holding(output.Runes), "")
		if err != nil {
			return nil, err
		}
		coins = append(coins, coin)
	}
	return coins, nil
}

// Holding returns n base units of the community's rune as the balance of an output.
func (t Terms) Holding(n amount.Runes) []runes.Balance {
	if n == 0 {
		return nil
	}
	return []runes.Balance{{ID: t.Rune, Amount: uint128.From64(uint64(n))}}
}

// inputsOf returns the inputs of a version, with those that the owner of its order signed.
func (t Terms) inputsOf(ctx context.Context, tx Tx, v Version) (inputs []vault.Coin, err error) {
	for _, in := range v.Tx.Msg.TxIn {
		if v.IsOwn(in.PreviousOutPoint) {
			continue // it holds no runes
		}
		coin, err := t.coin(ctx, tx, in.PreviousOutPoint)
		if err != nil {
			return nil, err
		}
		inputs = append(inputs, coin)
	}
	return inputs, nil
}
