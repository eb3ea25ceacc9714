package payout

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/runes"
	"moonfund/internal/bitcoin/vault"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/staking/order"
)

// store stores a signed delivery, and moves its orders to SENT. The transaction may be broadcast only after the commit.
func (s *Service) store(
	ctx context.Context, tx Tx, watch ledger.WatchList, batch []dueDelivery, b built, signed *wire.MsgTx, now time.Time,
) (p Payout, err error) {
	p = Payout{Community: batch[0].Order.Community, Kind: Delivery, Status: Live, Created: now}
	for _, d := range batch {
		p.OrderIDs = append(p.OrderIDs, d.Order.ID)
	}
	if p.ID, err = s.newID(); err != nil {
		return p, err
	}
	version := Version{Tx: chain.NewTx(signed), Fee: b.cost.Fee, VBytes: b.cost.VBytes, Created: now, Height: chain.None}
	p.Versions = []Version{version}
	if err := tx.Payouts.InsertPayout(ctx, p); err != nil {
		return p, err
	}
	if err := s.recordVersion(ctx, tx, watch, b.inputs, version, now); err != nil {
		return p, err
	}
	cause := ledger.Cause{Kind: "payout", ID: p.ID, At: now}
	for _, d := range batch {
		if _, err := s.orders.Apply(ctx, tx.OrderTx(), d.Order, order.PayoutStored, cause, func(o *order.Order) {
			o.PayoutID, o.PayoutTx = p.ID, version.Tx.ID.String()
		}); err != nil {
			return p, err
		}
	}
	s.info("payout stored", "payout", p.ID, "txid", version.Tx.ID.String(), "orders", len(batch), "fee_sats",
		int64(b.cost.Fee), "vbytes", b.cost.VBytes)
	return p, nil
}

// storeRequested signs and stores a refund, a return or a withdrawal. If the signer refuses it, storeRequested returns
// a *order.Refusal for a withdrawal and a *waitError for the others.
func (s *Service) storeRequested(
	ctx context.Context, tx Tx, kind Kind, orderIDs []string, u Unsigned, cost vault.PayoutCost, now time.Time,
) (Payout, error) {
	signed, err := s.signed(u)
	if err != nil {
		return Payout{}, notSigned(err, kind, u)
	}
	version := Version{Tx: chain.NewTx(signed), Fee: cost.Fee, VBytes: cost.VBytes, Created: now, Height: chain.None}
	p := Payout{Community: u.Community, Kind: kind, OrderIDs: orderIDs, Status: Live, Created: now,
		Versions: []Version{version}}
	if p.ID, err = s.newID(); err != nil {
		return Payout{}, err
	}
	return p, tx.Payouts.InsertPayout(ctx, p)
}

// notSigned returns the error for a payout that the signer refused: a *order.Refusal for a withdrawal, else a
// *waitError. Its text names the command to sign by hand a withdrawal, or a refund or return above the signer's limits.
func notSigned(err error, kind Kind, u Unsigned) error {
	waiting := &waitError{reason: fmt.Sprintf("it is not signed: %v", err)}
	var refused interface{ OverLimit() bool }
	isRefused := errors.As(err, &refused)
	if isRefused && kind == Withdraw {
		return refusal(waiting.reason + ". You can sign it by hand: repeat the command with --by-hand withdrawal.psbt")
	}
	if waiting.limit = isRefused && refused.OverLimit(); waiting.limit {
		subject := u.Inputs[0].OutPoint.String() // of a return
		if u.Refund != nil {
			subject = u.Refund.Order.ID
		}
		waiting.reason += fmt.Sprintf("; it is tried again, or sign it by hand: "+
			`moonfund payout export %s %s.psbt --why "above the limit"`, subject, kind)
	}
	return waiting
}

// recordVersion records a transaction of ours in the ledger: its inputs as spent, its change and kept overpayments as
// new outputs, and the payments that coins of a staker paid before, and that it spends, as vanished.
func (s *Service) recordVersion(ctx context.Context, tx Tx, watch ledger.WatchList, inputs []vault.Coin, v Version,
	now time.Time) error {
	balances := map[wire.OutPoint][]runes.Balance{}
	for _, coin := range inputs {
		balances[coin.OutPoint] = coin.Runes
	}
	outputs, _, _, err := s.allocate(v.Tx.Msg, func(out wire.OutPoint) []runes.Balance { return balances[out] })
	if err != nil {
		return err
	}
	seen, err := s.ledger.RecordTx(ctx, tx.LedgerTx(), watch, ledger.Observation{
		Tx: v.Tx, Height: chain.None, At: now, Ours: true,
		Allocated: func(vout uint32) []runes.Balance {
			if int(vout) < len(outputs) {
				return outputs[vout]
			}
			return nil
		},
	})
	if err != nil {
		return err
	}
	return s.orders.Replace(ctx, tx.OrderTx(), seen.Outputs, seen.Vanished, now)
}

// dropVersion marks a version of a payout as vanished, with its outputs, and records that the overpayments that it
// keeps vanished.
func (s *Service) dropVersion(ctx context.Context, tx Tx, v Version, now time.Time) error {
	seen, err := s.ledger.Drop(ctx, tx.LedgerTx(), v.Tx.ID.String())
	if err != nil {
		return err
	}
	return s.orders.Reverse(ctx, tx.OrderTx(), seen.Vanished, now)
}
