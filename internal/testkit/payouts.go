package testkit

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/amount"
	"moonfund/internal/audit"
	"moonfund/internal/bitcoin/runes"
	"moonfund/internal/server/wiring"
	"moonfund/internal/staking/action"
	"moonfund/internal/staking/community"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/staking/order"
	"moonfund/internal/staking/payout"
	"moonfund/internal/store"
)

// manifest returns the community's manifest.
func (w *World) manifest() community.Manifest {
	fee := ServiceFee
	if w.serviceFee != nil {
		fee = *w.serviceFee
	}
	return community.Manifest{
		Network: w.Network.Name, Prefix: Prefix, Name: Name, Token: Name,
		Rune:    community.Rune{ID: Rune.String(), Divisibility: amount.RuneDecimals},
		Genesis: onChain(Genesis), EpochLength: epochLength(), Budgets: []community.Budget{{Amount: Budget}},
		MinimumStake: MinimumStake, ServiceFee: fee, RecoveryDelay: cmp.Or(w.recoveryDelay, delay), OperatorCustody: true,
		Limits:  community.Limits{MaxUnitsPerOrder: order.MaxUnits, MaxFeeRate: amount.SatPerVB(500)},
		Refunds: community.Refunds{PerDay: 1 << 40, PerOwnerDay: 1 << 36},
	}
}

// manifestOf returns the manifest of a further community.
func (w *World) manifestOf(n int) community.Manifest {
	m := w.manifest()
	m.Prefix, m.Name, m.Account = w.others[n], w.others[n], uint32(n)+1
	if own, known := w.own[m.Prefix]; known {
		m.Rune.ID, m.Genesis = own.rune.String(), onChain(own.genesis)
	}
	return m
}

// AddCommunity restarts the world with a further community, which has the same rune and calendar, and no stakes. A
// server refuses two communities with one rune (community.Together, wiring.Check); a world does not check that.
func (w *World) AddCommunity(prefix string) {
	w.Helper()
	w.others = append(w.others, prefix)
	w.Restart()
}

// ownValues are the values of a further community that differ from the first one's.
type ownValues struct {
	rune    runes.ID
	genesis time.Time
}

// AddCommunityAt is AddCommunity for one with a rune of its own whose epoch 0 begins at genesis. The signer signs for
// it, too.
func (w *World) AddCommunityAt(prefix string, rune runes.ID, genesis time.Time) {
	w.Helper()
	if w.own == nil {
		w.own = map[string]ownValues{}
	}
	w.own[prefix], w.Signer = ownValues{rune, genesis}, nil
	w.AddCommunity(prefix)
}

// terms returns the terms of the communities, as tuned by the test.
func (w *World) terms() (terms wiring.Terms) {
	w.Helper()
	if w.unserved {
		return terms
	}
	Must(w, terms.Add(w.manifest(), w.Network, w.Account, "lobo.localhost:8080"))
	for n, prefix := range w.others {
		Must(w, terms.Add(w.manifestOf(n), w.Network, w.accountOf(n), prefix+".localhost:8080"))
	}
	if w.tune != nil {
		w.tune(&terms.Payouts[0])
	}
	return terms
}

// SetPayoutTerms restarts the world with other payout terms.
func (w *World) SetPayoutTerms(change func(*payout.Terms)) {
	w.Helper()
	w.tune = change
	w.Restart()
}

// SetServed restarts the world with or without the community's manifest.
func (w *World) SetServed(served bool) {
	w.Helper()
	w.unserved = !served
	w.Restart()
}

// SetRecoveryDelay restarts the world with another recovery delay, in blocks, of later stake addresses.
func (w *World) SetRecoveryDelay(blocks uint32) {
	w.Helper()
	w.recoveryDelay = blocks
	w.Restart()
}

// SetServiceFee restarts the world with another service fee.
func (w *World) SetServiceFee(fee amount.Sats) {
	w.Helper()
	w.serviceFee = &fee
	w.Restart()
}

// AddTreasurySats adds a booked and confirmed treasury output for each value in sats.
func (w *World) AddTreasurySats(each ...amount.Sats) {
	w.Helper()
	treasury, _ := w.Account.TreasurySats()
	var outs []*wire.TxOut
	for _, sats := range each {
		outs = append(outs, wire.NewTxOut(int64(sats), treasury.Script))
	}
	w.Node.Grant(outs...)
	w.Settle(3)
	w.Update(func(tx *store.Tx) error {
		_, err := tx.BookTreasury(w.Context(), Prefix, ledger.Cause{Kind: "operator", ID: "test", At: w.Clock.Now()})
		return err
	})
}

// Audit fails the test if the audit finds a violation.
func (w *World) Audit() {
	w.Helper()
	if text := w.AuditText(); text != "" {
		w.Fatal(text)
	}
}

// AuditText returns the report of an audit that finds violations, or "".
func (w *World) AuditText() string {
	w.Helper()
	db, err := audit.Open(w.url)
	Must(w, err)
	defer db.Close()
	report, err := audit.Run(w.Context(), db, w.Chain(), audit.Config{
		Rules: runes.RulesFor(w.Network), Start: w.start, MinimumStake: map[string]amount.Runes{Prefix: MinimumStake},
	})
	Must(w, err)
	if report.OK() {
		return w.surplusText(report.Totals[Prefix])
	}
	var text strings.Builder
	_, _ = report.WriteTo(&text)
	return text.String()
}

// surplusText compares the treasury that limits withdrawals with the audit's treasury, which follows the chain. It
// returns "" if they are equal.
func (w *World) surplusText(audited audit.Totals) (text string) {
	w.Helper()
	w.Update(func(tx *store.Tx) error {
		tip, err := tx.Tip(w.Context())
		if err != nil {
			return err
		}
		f, err := tx.TreasuryFigures(w.Context(), payout.FiguresQuery{Community: Prefix, Highest: tip.Height})
		if int64(f.Runes.Treasury) != audited.VirtualFunds || int64(f.Runes.Owed) != audited.VirtualUnits {
			text = fmt.Sprintf("withdrawals count on a treasury of %d base units and rewards of %d; it holds %d and owes %d",
				f.Runes.Treasury, f.Runes.Owed, audited.VirtualFunds, audited.VirtualUnits)
		}
		return err
	})
	return text
}

// LimitSigner gives the signer access to an index and limits the runes that it signs for in 24 hours.
func (w *World) LimitSigner(perDay amount.Runes) {
	w.Helper()
	w.runesPerDay = perDay
	w.GiveSignerIndex()
}

// Request inserts a request of an operator, which a running server executes.
func (w *World) Request(kind payout.RequestKind, subject string) {
	w.Helper()
	w.Update(func(tx *store.Tx) error {
		_, err := tx.InsertRequest(w.Context(), payout.Request{
			Kind: kind, OrderID: subject, By: "test", Why: "it is time", At: w.Clock.Now(),
		}, "")
		return err
	})
}

// Withdraw inserts a request of an operator to withdraw from the treasury.
func (w *World) Withdraw(withdrawal payout.Withdrawal) {
	w.Helper()
	w.Update(func(tx *store.Tx) error {
		_, err := tx.InsertRequest(w.Context(), payout.Request{
			Kind: payout.RequestWithdraw, OrderID: payout.TreasurySubject(Prefix), By: "test", Why: "earned",
			At: w.Clock.Now(), Withdrawal: withdrawal,
		}, "")
		return err
	})
}

// ExplainSpends states that no unexplained spend delivered a reward.
func (w *World) ExplainSpends() {
	w.Helper()
	w.Update(func(tx *store.Tx) error {
		open, err := tx.UnexplainedSpends(w.Context())
		for _, o := range open {
			o.Status = ledger.SpendExplained
			if _, err := ledger.RecordExplanation(w.Context(), tx.LedgerTx(), o, nil, ledger.Cause{}); err != nil {
				return err
			}
		}
		return err
	})
}

// OrderInAudit returns an order in AUDIT and the id of its unit. The order is paid in full, and an operator has put it
// under review.
func (w *World) OrderInAudit() (order.Order, string) {
	w.Helper()
	id := w.Unlocked(w.Anna, 5000)
	o := *w.Act(w.Anna, action.Withdraw, id).Order
	w.Pay(w.Anna, o, o.Due())
	w.Step()
	w.Change(func(tx *store.Tx) error {
		cause := ledger.Cause{Kind: "operator", ID: "test: a doubt", At: w.Clock.Now()}
		_, err := w.Orders.Review(w.Context(), tx.OrderTx(), o.ID, cause)
		return err
	})
	w.Settle(1)
	w.WantStatus(o.ID, order.Audit)
	return o, id
}
