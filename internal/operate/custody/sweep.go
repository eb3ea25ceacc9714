package custody

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/btcsuite/btcd/wire/v2"
	"lukechampine.com/uint128"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/runes"
	"moonfund/internal/bitcoin/vault"
	"moonfund/internal/operate/decisions"
	"moonfund/internal/signer"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/state"
	"moonfund/internal/store"
)

// Sweep is a signed transaction that moves a treasury to another key.
type Sweep struct {
	Tx       *wire.MsgTx
	RunesTo  string           // address
	SatsTo   string           // address
	Runes    amount.Runes     // base units of the community's rune, received
	Sats     amount.Sats      // received
	Cost     vault.PayoutCost // size and fee of the transaction
	Left     int              // number of treasury outputs that are not included
	Stakes   amount.Runes     // base units on the stake outputs, which are not moved
	Outputs  int              // number of stake outputs
	Payments amount.Sats      // sum at the payment addresses of orders, which is not moved
}

// SweepPlan configures a sweep.
type SweepPlan struct {
	Community string
	To        string // extended public key of the other key's account
	Rate      int64  // sat/vB
	// Account returns the account of a community, after checking that the ledger watches its treasury.
	Account func(ctx context.Context, tx *store.Tx, b store.Binding) (vault.Account, error)
}

// NewSweep builds and signs the transaction from all confirmed outputs of the treasury. The ledger must be paused,
// because a server could spend the same outputs.
func NewSweep(ctx context.Context, tx *store.Tx, keys *signer.Keys, p SweepPlan) (s Sweep, err error) {
	if err := decisions.CheckCommunity(ctx, tx, p.Community); err != nil {
		return s, err
	}
	if reason, err := tx.PausedAll(ctx); err != nil {
		return s, err
	} else if reason == "" {
		return s, errors.New("the server may be spending the treasury right now: 'moonfund pause all' first")
	}
	bindings, err := tx.Bindings(ctx)
	if err != nil {
		return s, err
	}
	at := slices.IndexFunc(bindings, func(b store.Binding) bool { return b.Prefix == p.Community })
	if at < 0 {
		return s, state.ErrNotFound
	}
	account, err := p.Account(ctx, tx, bindings[at])
	if err != nil {
		return s, err
	}
	unsigned, coins, err := s.build(ctx, tx, p, account, bindings[at].RuneID)
	if err != nil {
		return s, err
	}
	s.Tx, err = signer.Sweep(keys, account.Network(), uint32(bindings[at].Account), unsigned, coins)
	return s, err
}

// build returns the unsigned transaction and its inputs.
func (s *Sweep) build(
	ctx context.Context, tx *store.Tx, p SweepPlan, account vault.Account, runeID string,
) (unsigned *wire.MsgTx, coins []vault.Coin, err error) {
	next, err := vault.NewAccount(p.To, account.Network())
	if err != nil {
		return nil, nil, fmt.Errorf("--to: %w", err)
	}
	runesTo, _ := next.TreasuryRunes()
	satsTo, _ := next.TreasurySats()
	if from, _ := account.TreasuryRunes(); from.Text == runesTo.Text {
		return nil, nil, errors.New("--to is the key that holds the treasury now")
	}
	id, err := runes.ParseID(runeID)
	if err != nil {
		return nil, nil, err
	}
	if coins, err = s.collect(ctx, tx, account, p.Community, id); err != nil {
		return nil, nil, err
	}
	if s.Left += max(0, len(coins)-vault.MaxSweepInputs); len(coins) > vault.MaxSweepInputs {
		coins = coins[:vault.MaxSweepInputs]
	}
	unsigned, s.Cost, err = vault.BuildSweep(coins, runesTo.Script, satsTo.Script, amount.SatPerVB(p.Rate))
	if err != nil {
		return nil, nil, err
	}
	if err := vault.VerifySweep(unsigned, coins, vault.AllocateBy(runes.RulesFor(account.Network()))); err != nil {
		return nil, nil, err
	}
	for _, c := range coins {
		n, err := c.RuneAmount(id)
		if err == nil {
			s.Runes, err = s.Runes.Add(n)
		}
		if err != nil {
			return nil, nil, err
		}
		s.Sats += amount.Sats(c.Output.Value)
	}
	s.RunesTo, s.SatsTo, s.Sats = runesTo.Text, satsTo.Text, s.Sats-s.Cost.Fee
	return unsigned, coins, nil
}

// collect returns the treasury's confirmed outputs, outputs with runes first, and sums up the funds that are not swept.
func (s *Sweep) collect(
	ctx context.Context, tx *store.Tx, account vault.Account, community string, id runes.ID,
) (coins []vault.Coin, err error) {
	outputs, err := tx.UnspentOutputs(ctx, community)
	if err != nil {
		return nil, err
	}
	var plain []vault.Coin
	for _, o := range outputs {
		kind := vault.TreasuryRunes
		switch o.Kind {
		case ledger.StakeKind:
			s.Stakes, s.Outputs = s.Stakes+o.Runes, s.Outputs+1
			continue
		case ledger.PaymentKind:
			s.Payments += o.Value
			continue
		case ledger.SatsKind:
			kind = vault.TreasurySats
		}
		if o.Height == chain.None {
			s.Left++
			continue
		}
		var balances []runes.Balance
		if o.Runes > 0 {
			balances = []runes.Balance{{ID: id, Amount: uint128.From64(uint64(o.Runes))}}
		}
		coin, err := account.Coin(kind, o.OutPoint, o.Value, balances, "")
		if err != nil {
			return nil, err
		}
		if kind == vault.TreasuryRunes {
			coins = append(coins, coin)
		} else {
			plain = append(plain, coin)
		}
	}
	return append(coins, plain...), nil
}

// Preview describes the transaction and the funds that are not moved.
func (s Sweep) Preview(community string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "The treasury of %s moves to another key, by one transaction of %d outputs:\n",
		community, len(s.Tx.TxIn))
	fmt.Fprintf(&b, "  %s of the rune, and any other runes on these outputs, to %s\n",
		s.Runes.Whole(), s.RunesTo)
	fmt.Fprintf(&b, "  %d sats in total to it and to %s, after a fee of %d for %d vB\n",
		s.Sats, s.SatsTo, s.Cost.Fee, s.Cost.VBytes)
	if s.Left > 0 {
		fmt.Fprintf(&b, "%d more outputs of the treasury are not included: "+
			"run this again when it and they are confirmed.\n", s.Left)
	}
	fmt.Fprintf(&b, "It does not move the stakes (%s of the rune on %d outputs). "+
		"Stakers recover them with their own keys.\n", s.Stakes.Whole(), s.Outputs)
	fmt.Fprintf(&b, "It does not move %d sats at the addresses of orders: refund them. "+
		"Undelivered rewards are no longer backed afterwards.\n", s.Payments)
	return b.String()
}

// Log records the sweep before it is sent.
func (s Sweep) Log(ctx context.Context, db *store.Store, a decisions.Author, community string) error {
	return db.Update(ctx, func(tx *store.Tx) error {
		at, err := decisions.Now(ctx, tx)
		if err != nil {
			return err
		}
		_, err = tx.Log(ctx, a.Line(at, "key sweep", community, s.Preview(community)))
		return err
	})
}
