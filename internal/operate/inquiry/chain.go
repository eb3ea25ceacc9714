package inquiry

import (
	"github.com/btcsuite/btcd/chainhash/v2"
	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/bitcoin/runes"
	"moonfund/internal/staking/ledger"
)

// indexed is the number of outputs of a transaction that are looked up in the rune index.
const indexed = 32

// transaction describes a transaction's effects at the server's addresses.
func (f *finder) transaction(txid string) error {
	f.section(txTitle)
	tracked, err := f.tx.TrackedTx(f.ctx, txid)
	if exists, err := known(err); err != nil {
		return err
	} else if exists {
		f.say(txState, f.block(tracked.Height))
		if tracked.Vanished {
			f.say(txReplaced)
		}
	}
	for _, part := range []func(string) error{
		f.payoutTx, f.pays, f.spends, f.runeOrderTx, f.unexplained, f.elsewhere, f.unitsOfTx,
	} {
		if err := part(txid); err != nil {
			return err
		}
	}
	return nil
}

// payoutTx describes the payout that a transaction belongs to.
func (f *finder) payoutTx(txid string) error {
	p, err := f.tx.PayoutOf(f.ctx, txid)
	if exists, err := known(err); !exists {
		return err
	}
	return f.payout(p, txid)
}

// pays describes a transaction's outputs at the server's addresses.
func (f *finder) pays(txid string) error {
	outputs, err := f.tx.OutputsOf(f.ctx, txid)
	if err != nil {
		return err
	}
	for _, o := range outputs {
		held, err := f.contents(o)
		if err != nil {
			return err
		}
		f.once(o.OutPoint.String())
		f.found(txPays, number(o.OutPoint.Index), held, place(o))
		if o.Quarantine != "" {
			if err := f.uncredited(o); err != nil {
				return err
			}
		}
	}
	return nil
}

// place describes the purpose of an output's address.
func place(o ledger.Output) string { return line(places[o.Kind], o.Ref).Text }

// spends describes a transaction's inputs from the server's addresses.
func (f *finder) spends(txid string) error {
	outputs, err := f.tx.OutputsSpentBy(f.ctx, txid)
	if err != nil {
		return err
	}
	for _, o := range outputs {
		f.found(txSpends, o.OutPoint.String(), place(o))
	}
	return nil
}

// runeOrderTx describes the role of a transaction in mint and etch orders.
func (f *finder) runeOrderTx(txid string) error {
	payments, err := f.tx.RuneOrderPaymentsIn(f.ctx, txid)
	if err != nil {
		return err
	}
	ids := []string{}
	for _, p := range payments {
		ids = append(ids, p.OrderID)
	}
	txs, err := f.tx.RuneOrderTxs(f.ctx, txid)
	if err != nil {
		return err
	}
	for _, t := range txs {
		ids = append(ids, t.OrderID)
	}
	for _, id := range ids {
		if _, err := f.runeOrderByID(id); err != nil {
			return err
		}
	}
	return nil
}

// unexplained describes the amounts that a transaction, which is no payout, took from a treasury.
func (f *finder) unexplained(txid string) error {
	spends, err := f.tx.UnexplainedSpendsBy(f.ctx, txid)
	if err != nil {
		return err
	}
	for _, s := range spends {
		c, exists := f.community(s.Community)
		if !exists {
			continue
		}
		took, err := f.tokens(c, s.Amount)
		if err != nil {
			return err
		}
		if s.Sats > 0 {
			took += " and " + sats(s.Sats)
		}
		to, explained := s.Owner, spendOpen
		if to == "" {
			to = noAddress.text
		}
		if s.Status == ledger.SpendMatched || s.Status == ledger.SpendExplained {
			explained = spendExplained
		}
		f.found(txUnexplained, took, c.Prefix, to, explained.text)
	}
	return nil
}

// elsewhere lists the outputs of a transaction that hold runes at other addresses than the server's. It looks up only
// the first outputs.
func (f *finder) elsewhere(txid string) error {
	hash, err := chainhash.NewHashFromStr(txid)
	if err != nil {
		return err
	}
	for vout := range uint32(indexed) {
		out := wire.OutPoint{Hash: *hash, Index: vout}
		all, err := runes.BalancesOf(f.tx.Runes(f.ctx), out)
		if err != nil {
			return err
		}
		if len(all) == 0 || !f.once(out.String()) {
			continue
		}
		held, err := f.balances(all, 0)
		if err != nil {
			return err
		}
		f.found(txElsewhere, number(vout), held)
	}
	return nil
}

// unitsOfTx describes the units of the deposits that a transaction made or spent.
func (f *finder) unitsOfTx(txid string) error {
	made, err := f.tx.OutputsOf(f.ctx, txid)
	if err != nil {
		return err
	}
	spent, err := f.tx.OutputsSpentBy(f.ctx, txid)
	if err != nil {
		return err
	}
	for _, o := range append(made, spent...) {
		if err := f.behind(o); err != nil {
			return err
		}
	}
	return nil
}

// behind describes the unit or the order that an output at one of the server's addresses belongs to.
func (f *finder) behind(o ledger.Output) error {
	var err error
	switch {
	case o.Kind == ledger.StakeKind && f.once("unit "+o.OutPoint.String()):
		_, err = f.unitByID(o.OutPoint.String())
	case o.Kind == ledger.PaymentKind:
		_, err = f.orderByID(o.Ref)
	}
	return err
}

// output describes one output.
func (f *finder) output(out wire.OutPoint) error {
	f.section(outTitle)
	o, err := f.tx.Output(f.ctx, out)
	exists, err := known(err)
	if err != nil {
		return err
	}
	if !exists {
		return f.foreign(out)
	}
	held, err := f.contents(o)
	if err != nil {
		return err
	}
	f.found(outLine, held, place(o), f.block(o.Height))
	if o.Vanished {
		f.say(outReplaced)
	}
	if o.SpentBy != "" {
		f.say(outSpent, o.SpentBy, f.block(o.SpentHeight))
	}
	if o.Quarantine != "" || (o.Kind == ledger.PaymentKind && o.Runes > 0) {
		if err := f.uncredited(o); err != nil {
			return err
		}
	}
	if o.SpentBy != "" {
		if err := f.payoutTx(o.SpentBy); err != nil {
			return err
		}
	}
	return f.behind(o)
}

// foreign describes an output that is not at one of the server's addresses.
func (f *finder) foreign(out wire.OutPoint) error {
	payments, err := f.tx.RuneOrderPaymentsIn(f.ctx, out.Hash.String())
	if err != nil {
		return err
	}
	for _, p := range payments {
		if p.OutPoint == out {
			if _, err := f.runeOrderByID(p.OrderID); err != nil {
				return err
			}
		}
	}
	all, err := runes.BalancesOf(f.tx.Runes(f.ctx), out)
	if err != nil || len(all) == 0 {
		return err
	}
	held, err := f.balances(all, 0)
	f.found(outElsewhere, held)
	return err
}
