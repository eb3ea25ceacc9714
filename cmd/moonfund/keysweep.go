package main

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"

	"github.com/btcsuite/btcd/wire/v2"
	"lukechampine.com/uint128"

	"moonfund/amount"
	"moonfund/chain"
	"moonfund/console"
	"moonfund/ledger"
	"moonfund/operator"
	"moonfund/runes"
	"moonfund/signer"
	"moonfund/store"
	"moonfund/vault"
)

type keySweep struct {
	changing
	File      string `arg:"" help:"The file of the key that the treasury is at now." type:"path"`
	Community string `arg:"" help:"The community's prefix."`
	To        string `required:"" help:"The other key's account, as 'moonfund key check' prints it for it: xpub…, tpub…." placeholder:"XPUB"`
	Rate      int64  `required:"" help:"Fee rate in sat/vB. A thief pays well, too." placeholder:"N"`
	nodeFlags `prefix:"node-"`
}

// sweep is a treasury on its way to another key.
type sweep struct {
	tx          *wire.MsgTx // signed
	runesTo     string
	satsTo      string
	base        amount.Runes // base units of the community's rune
	sats        amount.Sats  // that arrive
	cost        vault.PayoutCost
	left        int          // treasury outputs that wait for another sweep, or for a block
	stakes      amount.Runes // that stay where they are
	stakeNumber int
	payments    amount.Sats
}

// Run is `moonfund key sweep`.
func (k keySweep) Run(ctx context.Context) error {
	if err := k.check(); err != nil {
		return err
	}
	if k.Rate <= 0 || k.Rate > 10_000 {
		return fmt.Errorf("--rate is %d: want 1 to 10000 sat/vB", k.Rate)
	}
	db, err := k.existing(ctx)
	if err != nil {
		return err
	}
	defer db.Close()
	keys, err := openKeys(k.File)
	if err != nil {
		return err
	}
	var s sweep
	if err := db.View(ctx, func(tx *store.Tx) (err error) {
		s, err = k.build(ctx, tx, keys)
		return err
	}); err != nil {
		return err
	}
	preview := s.preview(k.Community)
	if err := k.agree(preview); err != nil {
		return err
	}
	raw := chain.NewTx(s.tx)
	if err := db.Update(ctx, func(tx *store.Tx) error {
		at, err := operator.Now(ctx, tx)
		if err != nil {
			return err
		}
		_, err = tx.Log(ctx, k.author().Line(at, "key sweep", k.Community, preview))
		return err
	}); err != nil {
		return err
	}
	if err := k.client().Broadcast(ctx, raw.Bytes()); err != nil {
		return fmt.Errorf("the node did not take it: %w. It is signed: any node can be given it with sendrawtransaction\n%s", err, hex.EncodeToString(raw.Bytes()))
	}
	if k.JSON {
		return console.JSON(map[string]any{"txid": raw.ID.String(), "runes": s.base.String(), "sats": s.sats, "fee": s.cost.Fee, "outputs_left": s.left})
	}
	fmt.Printf("Sent %s. When the server has seen it: moonfund treasury explain %s\n", raw.ID, raw.ID)
	return nil
}

// build makes the transaction from everything that the treasury holds in blocks.
func (k keySweep) build(ctx context.Context, tx *store.Tx, keys *signer.Keys) (s sweep, err error) {
	if err := operator.CheckCommunity(ctx, tx, k.Community); err != nil {
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
	for _, b := range bindings {
		if b.Prefix == k.Community {
			return k.from(ctx, tx, keys, b)
		}
	}
	return s, ledger.ErrNotFound
}

func (k keySweep) from(ctx context.Context, tx *store.Tx, keys *signer.Keys, b store.Binding) (s sweep, err error) {
	account, err := accountOf(keys, b)
	if err != nil {
		return s, err
	}
	if err := sameTreasury(ctx, tx, b.Prefix, account); err != nil {
		return s, err
	}
	next, err := vault.NewAccount(k.To, account.Network())
	if err != nil {
		return s, fmt.Errorf("--to: %w", err)
	}
	runesTo, _ := next.TreasuryRunes()
	satsTo, _ := next.TreasurySats()
	if from, _ := account.TreasuryRunes(); from.Text == runesTo.Text {
		return s, errors.New("--to is the key that the treasury is at")
	}
	id, err := runes.ParseID(b.RuneID)
	if err != nil {
		return s, err
	}
	coins, err := s.collect(ctx, tx, account, b.Prefix, id)
	if err != nil {
		return s, err
	}
	if s.left += max(0, len(coins)-vault.MaxSweepInputs); len(coins) > vault.MaxSweepInputs {
		coins = coins[:vault.MaxSweepInputs]
	}
	unsigned, cost, err := vault.BuildSweep(coins, runesTo.Script, satsTo.Script, amount.SatPerVB(k.Rate))
	if err != nil {
		return s, err
	}
	if err := vault.VerifySweep(unsigned, coins, vault.AllocateBy(runes.RulesFor(account.Network()))); err != nil {
		return s, err
	}
	for _, c := range coins {
		n, err := c.RuneAmount(id)
		if err == nil {
			s.base, err = s.base.Add(n)
		}
		if err != nil {
			return s, err
		}
		s.sats += amount.Sats(c.Output.Value)
	}
	s.runesTo, s.satsTo, s.cost, s.sats = runesTo.Text, satsTo.Text, cost, s.sats-cost.Fee
	s.tx, err = signer.Sweep(keys, account.Network(), uint32(b.Account), unsigned, coins)
	return s, err
}

// collect returns the treasury's outputs, those with runes first, and counts what the key alone must not move.
func (s *sweep) collect(ctx context.Context, tx *store.Tx, account vault.Account, community string, id runes.ID) (coins []vault.Coin, err error) {
	outputs, err := tx.UnspentOutputs(ctx, community)
	if err != nil {
		return nil, err
	}
	var plain []vault.Coin
	for _, o := range outputs {
		kind := vault.TreasuryRunes
		switch o.Kind {
		case ledger.StakeKind:
			s.stakes, s.stakeNumber = s.stakes+o.Runes, s.stakeNumber+1
			continue
		case ledger.PaymentKind:
			s.payments += o.Value
			continue
		case ledger.SatsKind:
			kind = vault.TreasurySats
		}
		if o.Height == ledger.None {
			s.left++
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

func (s sweep) preview(community string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "The treasury of %s moves to another key, by one transaction of %d outputs:\n", community, len(s.tx.TxIn))
	fmt.Fprintf(&b, "  %s of the rune, and whatever other runes are on these outputs, to %s\n", s.base.Decimal(8), s.runesTo)
	fmt.Fprintf(&b, "  %d sats in all to it and to %s, after a fee of %d for %d vB\n", s.sats, s.satsTo, s.cost.Fee, s.cost.VBytes)
	if s.left > 0 {
		fmt.Fprintf(&b, "%d more outputs of the treasury are not in it: run this again once it, and they, are in a block.\n", s.left)
	}
	fmt.Fprintf(&b, "It does not move the stakes, %s of the rune on outputs: %d. They are their stakers', who take them back with their own keys;\n", s.stakes.Decimal(8), s.stakeNumber)
	fmt.Fprintf(&b, "nor %d sats at the addresses of orders: refund those. Rewards that are not delivered yet have nothing behind them then.\n", s.payments)
	return b.String()
}
