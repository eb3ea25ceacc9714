package sim

import (
	"slices"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/staking/action"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/staking/order"
	"moonfund/internal/testkit"
)

// oneTransactions returns the steps of two withdrawals in one transaction of Bert's: the first transaction is stuck and
// signed again, and the order of the second is also paid.
func oneTransactions() (all []flowStep) {
	add := func(flowSteps ...flowStep) { all = append(all, flowSteps...) }
	add(ownWithdrawal()...)
	add(follows("rates rise, and the transaction is stuck", func(s *walkthrough) {
		s.wantStatus(order.Sent)
		s.stuck, s.Rate = s.current(), amount.SatPerVB(9)
	}))
	add(signOwn("a stuck one")...)
	add(follows("the signer signs it again", func(*walkthrough) {}))
	add(follows("the second transaction is in a block", func(s *walkthrough) {
		if s.current().ID == s.stuck.ID {
			s.Fatal("the transaction is not replaced")
		}
		s.Mine(1)
	}))
	add(follows("a reorg lets the first one confirm", func(s *walkthrough) {
		s.Node.Rewind(1)
		s.Node.MineOnly(s.stuck)
		s.Mine(1)
	}))
	add(blocks("the withdrawal in one transaction is delivered", 2)...)

	add(ownWithdrawal()...)
	add(follows("its owner pays, too", func(s *walkthrough) {
		s.wantStatus(order.Sent)
		s.stuck = s.current()
		s.payByBert(20_000)
		s.Node.MineSome(func(tx chain.Tx) bool { return tx.ID != s.stuck.ID })
	}))
	add(blocks("the second withdrawal in one transaction is delivered", 3)...)
	add(follows("a reorg undoes the payment and the transaction", func(s *walkthrough) {
		s.Node.Rewind(4)
		s.Mine(4)
	}))
	add(follows("the withdrawal in one transaction is final", mined(9)))
	add(blocks("its payment is refunded", 4)...)
	return append(all, follows("rates fall after the withdrawals", func(s *walkthrough) {
		s.wantStatus(order.Consolidated)
		if o := s.Order(s.o.ID); o.Refunded == 0 {
			s.Fatalf("the payment is not refunded: %+v", o)
		}
		s.Rate = amount.SatPerVB(2)
	}))
}

// ownWithdrawal returns the steps of a withdrawal of Bert until its transaction is sent.
func ownWithdrawal() []flowStep {
	all := []flowStep{
		{name: "ask to withdraw in one transaction", draws: true, do: func(s *walkthrough) (err error) {
			s.requested, err = s.Ask(s.Bert, action.Withdraw, s.Units(s.Bert, ledger.Unlocked)[0])
			return err
		}},
		{name: "sign the message of one transaction", do: func(s *walkthrough) error {
			signed, err := s.Actions.Sign(s.Context(), testkit.Prefix, action.SignRequest{Wallet: s.Bert.Pair(),
				ActionID: s.requested.ActionID, Type: action.Withdraw, Signature: s.Bert.Sign(s.requested.Message)})
			if err == nil {
				s.o = *signed.Order
			}
			return err
		}},
	}
	all = append(all, signOwn("a new one")...)
	return append(all, follows("the signer signs one transaction", func(*walkthrough) {}))
}

// owner returns the wallet whose order it is.
func (s *walkthrough) owner() *testkit.Wallet {
	all := actors(s.World)
	return all[slices.IndexFunc(all, func(w *testkit.Wallet) bool { return w.Ordinals.Text == s.o.Owner })]
}

// signOwn returns the steps in which the server issues a transaction and the order's owner submits it with signatures.
func signOwn(which string) []flowStep {
	return []flowStep{
		{name: "begin one transaction: " + which, do: func(s *walkthrough) error {
			draft, err := s.OneTx.BeginOneTx(s.Context(), testkit.Prefix, s.owner().Pair(), s.o.ID, nil)
			s.psbt = draft.PSBT
			return err
		}},
		{name: "submit one transaction: " + which, before: func(s *walkthrough) {
			s.psbt, _ = s.owner().SignPSBT(s.psbt)
		}, do: func(s *walkthrough) error { return s.TrySendOneTx(s.owner(), s.o, s.psbt) }},
	}
}

// current returns the transaction that delivers the order.
func (s *walkthrough) current() (tx chain.Tx) {
	id := s.Order(s.o.ID).PayoutTx
	for _, known := range s.Node.Known(0) {
		if known.ID.String() == id {
			tx = known
		}
	}
	if tx.Msg == nil {
		s.Fatalf("the node does not know %s", id)
	}
	return tx
}
