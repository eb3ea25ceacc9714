package sim

import (
	"errors"
	"fmt"
	"slices"

	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/runes"
	"moonfund/internal/fault"
	"moonfund/internal/staking/etching"
	"moonfund/internal/staking/order"
	"moonfund/internal/testkit"
	"moonfund/internal/testkit/engine"
	"moonfund/internal/testkit/sim/model"
)

// etchings returns the main flows of the mint and etch service. Cleo orders an etching, then two mints and a higher
// rate for them. Two further orders are refunded: the first payment is too small, and in the second case another
// transaction takes the last mint.
func etchings() (all []flowStep) {
	add := func(flowSteps ...flowStep) { all = append(all, flowSteps...) }
	add(follows("the mint and etch service begins", func(s *walkthrough) { s.Etch() }))
	add(orders("an etching", func(c etching.Common) etching.Request {
		return etching.Request{Etch: &etching.EtchRequest{
			Common: c, Premine: "1000", IsMintable: true, Terms: &etching.TermsRequest{Amount: "50", Cap: "3"},
		}}
	}))
	add(follows("the etching is paid", func(s *walkthrough) { s.fund(s.ordered.FundAmount) }))
	add(flowStep{name: "execute the etching", do: execute})
	add(follows("its commitment is sent", mined(1)))
	add(follows("its commitment is in a block", mined(1)))
	add(follows("a reorg undoes payment and commitment", func(s *walkthrough) {
		s.Node.Rewind(2)
		s.Node.MineOnly()
		s.Mine(2)
	}))
	add(follows("its commitment ripens, and it is revealed", mined(4)))
	add(follows("its rune is etched", mined(1)))
	add(follows("a reorg undoes the reveal", func(s *walkthrough) { s.Node.Rewind(1); s.Node.MineOnly(); s.Mine(1) }))

	mints := func(n int64) func(c etching.Common) etching.Request {
		return func(c etching.Common) etching.Request {
			return etching.Request{Mint: &etching.MintRequest{Common: c, Repeats: n}}
		}
	}
	add(orders("two mints", mints(2)))
	add(follows("the mints are paid and sent", func(s *walkthrough) { s.fund(s.ordered.FundAmount); s.Mine(1) }))
	add(flowStep{name: "ask for faster mints", do: func(s *walkthrough) (err error) {
		_, s.more, err = s.Etching.Quote(s.Context(), s.ordered.ID, 9)
		return err
	}})
	add(follows("the faster mints are paid and sent", func(s *walkthrough) { s.Node.MineOnly(s.fund(s.more)) }))
	add(follows("the mints are in a block", mined(1)))

	add(orders("a mint", mints(1)))
	add(follows("the mint is paid in part", func(s *walkthrough) { s.fund(s.ordered.FundAmount - 1); s.Mine(1) }))
	add(follows("its funding window ends", func(s *walkthrough) { s.Clock.Advance(etching.FundingWindow) }))
	add(follows("its payment is refunded", mined(1)))
	add(follows("a reorg undoes that", func(s *walkthrough) {
		s.Node.Rewind(1)
		s.Node.Forget()
		s.Node.MineOnly()
		s.Node.MineOnly()
	}))

	add(orders("the last mint", mints(1)))
	add(follows("the last mint is paid and sent", func(s *walkthrough) { s.fund(s.ordered.FundAmount); s.Mine(1) }))
	add(follows("another wallet has taken it", func(s *walkthrough) { s.Node.MineOnly(s.mintOfBert()) }))
	add(follows("everything is refunded and final", mined(7)))
	return all
}

const etched = "CRASHED•AT•EVERY•POINT"

// orders returns the step that orders a mint or an etching.
func orders(what string, request func(etching.Common) etching.Request) flowStep {
	return flowStep{name: "order " + what, draws: true, do: func(s *walkthrough) (err error) {
		s.ordered, err = s.Etching.Create(s.Context(), request(etching.Common{
			RuneName: etched, Destination: s.Cleo.Ordinals.Text, Refund: s.Cleo.Payment.Text, FeeRate: 3,
		}))
		return err
	}}
}

// fund pays Cleo's order.
func (s *walkthrough) fund(sats amount.Sats) chain.Tx {
	s.payment = s.Pay(s.Cleo, order.Order{Script: s.ordered.Script}, sats)
	return s.payment
}

// execute reports the payment of the order to the service. The service refuses a second call, which is not an error
// here.
func execute(s *walkthrough) error {
	_, err := s.Etching.Execute(s.Context(), etching.Etch, s.ordered.ID, s.payment.ID.String())
	var refused *fault.Error
	if errors.As(err, &refused) && refused.Message == fault.Reject(fault.RuneOrderExecuted,
		s.payment.ID.String()).Message {
		return nil
	}
	return err
}

// mintOfBert returns a transaction with which Bert mints Cleo's rune.
func (s *walkthrough) mintOfBert() chain.Tx {
	stone, err := runes.Runestone{Mint: &s.ordered.Mint.Rune}.Script()
	testkit.Must(s, err)
	coin := s.Bert.Sats()
	return s.Bert.Spend([]testkit.Coin{coin}, wire.NewTxOut(coin.Out.Value-2000, s.Bert.Payment.Script),
		wire.NewTxOut(0, stone))
}

// runeOrders returns the rows of the paid mint and etch orders and all known transactions, after the model has checked
// them against the chain.
func (s *walkthrough) runeOrders() string {
	if s.Etching == nil {
		return ""
	}
	db := engine.Connect(s, s.URL())
	defer db.Close()
	m := model.NewRuneOrders(s.Node, s.Network, s.Clock.Now)
	var known []string
	for _, tx := range s.Node.Known(0) {
		m.Learn(tx)
		known = append(known, tx.ID.String())
	}
	testkit.Must(s, errors.Join(m.Always(s.Context(), db), m.Synced(s.Context(), db, false),
		m.Kept(s.Context(), db, int64(s.Rate))))
	slices.Sort(known)
	return s.Rows(`SELECT id, state, cause, reason, executed, quotes, settled FROM rune_order
			WHERE id IN (SELECT order_id FROM rune_order_output) ORDER BY id`) +
		s.Rows(`SELECT txid, vout, order_id, value, runes, height, vanished FROM rune_order_output ORDER BY txid, vout`) +
		s.Rows(`SELECT txid, order_id, role, generation, position, fee, vbytes, height, vanished, got FROM rune_order_tx
			ORDER BY txid, order_id`) +
		fmt.Sprint(slices.Compact(known))
}
