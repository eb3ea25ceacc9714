package treasury_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/staking/action"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/staking/order"
	"moonfund/internal/staking/payout"
	"moonfund/internal/store"
	"moonfund/internal/testkit"
)

// earning is the service fee of the orders in these tests.
const earning = amount.Sats(60_000)

// earned returns a world with a surplus of sats, whose signer may withdraw to Cleo's payment address.
func earned(t *testing.T) *testkit.World {
	t.Helper()
	w := testkit.NewWorld(t).InjectFaults()
	w.SetServiceFee(earning)
	w.AllowWithdrawals(w.Cleo.Payment.Text)
	earn(w)
	return w
}

// earn delivers an order and settles it, so that its service fee is surplus.
func earn(w *testkit.World) {
	w.Helper()
	o := *w.Act(w.Anna, action.Withdraw, w.Unlocked(w.Anna, 5000)).Order
	w.Pay(w.Anna, o, o.Due())
	w.Settle(18)
	w.WantStatus(o.ID, order.Consolidated)
}

// figures returns the figures of the treasury, computed as for a withdrawal now.
func figures(w *testkit.World) (f payout.TreasuryFigures) {
	w.Helper()
	w.Update(func(tx *store.Tx) error {
		tip, err := tx.Tip(w.Context())
		if err != nil {
			return err
		}
		f, err = tx.TreasuryFigures(w.Context(), payout.FiguresQuery{
			Community: testkit.Prefix, Highest: payout.HighestSpendable(tip.Height), NextBudget: testkit.Budget,
		})
		return err
	})
	return f
}

func surplusOf(w *testkit.World) (amount.Runes, amount.Sats) {
	w.Helper()
	f := figures(w)
	runes, err := f.Runes.Surplus()
	testkit.Must(w, err)
	sats, err := f.Sats.Surplus()
	testkit.Must(w, err)
	return runes, sats
}

// withdrawn requests a withdrawal to Cleo and returns its payout.
func withdrawn(w *testkit.World, what payout.Withdrawal) payout.Payout {
	w.Helper()
	what.To = w.Cleo.Payment.Text
	w.Withdraw(what)
	w.Step()
	for _, p := range w.PayoutsIn(payout.Live) {
		if p.Kind == payout.Withdraw {
			return p
		}
	}
	w.Fatalf("no withdrawal: %s", w.Rows(`SELECT kind, status, note FROM operator_request`))
	return payout.Payout{}
}

// refusedWithdrawal requests a withdrawal, which must be refused for a reason. Nothing may be stored.
func refusedWithdrawal(w *testkit.World, what payout.Withdrawal, want string) {
	w.Helper()
	before := w.Rows(`SELECT COUNT(*) FROM payout`)
	if what.To == "" {
		what.To = w.Cleo.Payment.Text
	}
	w.Withdraw(what)
	w.Step()
	note := w.Rows(`SELECT note FROM operator_request WHERE status = 'refused' ORDER BY number DESC LIMIT 1`)
	if !strings.Contains(note, want) || w.Rows(`SELECT status FROM operator_request WHERE status = 'open'`) != "" {
		w.Errorf("refusal of %+v: got %q, want %q", what, note, want)
	}
	if after := w.Rows(`SELECT COUNT(*) FROM payout`); after != before {
		w.Errorf("payouts: %s, before %s", after, before)
	}
}

// accounts returns the journal's sums of sats, of runes and of network fees that withdrawals took.
func accounts(w *testkit.World) string {
	return strings.Join(strings.Fields(w.Rows(`SELECT asset || ' ' || amount AS moved FROM journal
		WHERE subject LIKE 'withdraw%' ORDER BY number`)), " ")
}

// paidTo returns the sats that a transaction pays to a wallet's payment address.
func paidTo(to *testkit.Wallet, tx chain.Tx) (sats amount.Sats) {
	for _, out := range tx.Msg.TxOut {
		if string(out.PkScript) == string(to.Payment.Script) {
			sats += amount.Sats(out.Value)
		}
	}
	return sats
}

func TestWithdrawSats(t *testing.T) {
	w := earned(t)
	w.Audit()
	_, before := surplusOf(w)
	_, _, feesBefore := w.TreasuryBalance()
	if before < earning || before > earning+2_000 {
		t.Fatalf("surplus: got %d sats after a service fee of %d", before, earning)
	}
	p := withdrawn(w, payout.Withdrawal{Sats: 40_000})
	w.Audit()
	v := p.Versions[0]
	if got := paidTo(w.Cleo, v.Tx); got != 40_000 {
		t.Errorf("paid: got %d sats", got)
	}
	w.Settle(3)
	w.Audit()
	if got := w.PayoutsIn(payout.Confirmed); len(got) != 1 || got[0].Kind != payout.Withdraw {
		t.Errorf("confirmed: got %+v", got)
	}
	if _, got := surplusOf(w); got != before-40_000-v.Fee {
		t.Errorf("surplus: got %d sats, want %d", got, before-40_000-v.Fee)
	}
	if got := accounts(w); got != "" {
		t.Errorf("journal before the withdrawal is final: got %s", got)
	}
	w.Settle(12)
	w.Audit()
	if got := w.Rows(`SELECT status FROM payout WHERE kind = 'withdrawal'`); !strings.Contains(got, "final") {
		t.Errorf("status: got %s", got)
	}
	if _, _, fees := w.TreasuryBalance(); fees != feesBefore {
		t.Errorf("fee account: got %d sats, want %d", fees, feesBefore)
	}
	if got := accounts(w); !strings.Contains(got, "sats 40000") || strings.Contains(got, "treasury") {
		t.Errorf("journal: got %s", got)
	}
}

// Exactly the surplus can be withdrawn, and not one base unit more. The rest stays in the treasury.
func TestWithdrawRunes(t *testing.T) {
	w := earned(t)
	runes, _ := surplusOf(w)
	held, _, _ := w.TreasuryBalance()
	refusedWithdrawal(w, payout.Withdrawal{Runes: runes + 1}, "and the surplus is "+runes.String())
	p := withdrawn(w, payout.Withdrawal{Runes: runes})
	w.Audit()
	w.Settle(3)
	w.Audit()
	tx := p.Versions[0].Tx
	if got := w.RunesOn(wire.OutPoint{Hash: tx.ID}); got != runes || paidTo(w.Cleo, tx) != 546 {
		t.Errorf("paid: got %s base units of %s", got, runes)
	}
	if left, _, _ := w.TreasuryBalance(); left != held-runes {
		t.Errorf("treasury: got %s, want %s", left, held-runes)
	}
	if got, _ := surplusOf(w); got != 0 {
		t.Errorf("surplus: got %s, want 0", got)
	}
	refusedWithdrawal(w, payout.Withdrawal{Runes: 1}, "and the surplus is 0")
	w.Settle(12)
	w.Audit()
	if got := accounts(w); !strings.Contains(got, "treasury "+runes.String()) || !strings.Contains(got, "sats 546") {
		t.Errorf("journal: got %s", got)
	}
}

// The network fee is part of what a withdrawal of sats takes: the surplus minus the fee can be withdrawn, and not one
// sat more.
func TestWithdrawAllSats(t *testing.T) {
	w := earned(t)
	_, sats := surplusOf(w)
	refusedWithdrawal(w, payout.Withdrawal{Sats: sats}, "can't be built")
	var fee amount.Sats // of one input and one output
	note := w.Rows(`SELECT note FROM operator_request`)
	_, err := fmt.Sscanf(note[strings.Index(note, "inputs are"):], "inputs are %d sats short", &fee)
	testkit.Must(t, err)
	w.AddTreasurySats(30_000) // for the fee account, and not for a withdrawal
	refusedWithdrawal(w, payout.Withdrawal{Sats: sats}, fmt.Sprintf("and the surplus is %d", sats))
	refusedWithdrawal(w, payout.Withdrawal{Sats: sats - fee + 1}, fmt.Sprintf("and the surplus is %d", sats))
	p := withdrawn(w, payout.Withdrawal{Sats: sats - fee})
	w.Settle(15)
	w.Audit()
	if _, left := surplusOf(w); left != 0 || p.Versions[0].Fee != fee {
		t.Errorf("surplus: got %d sats after a fee of %d", left, p.Versions[0].Fee)
	}
}

// Sats at the treasury's address count once the operator credits them, and belong to the fee account.
func TestDepositsAreNoSurplus(t *testing.T) {
	w := earned(t)
	want := figures(w)
	total, _, _ := w.TreasuryBalance()
	if want.Runes.Confirmed != total || want.Runes.Treasury != total || want.Runes.NextBudget != testkit.Budget ||
		want.Runes.Running != testkit.Budget || want.Runes.Carried != 0 {
		t.Errorf("figures: got %+v, treasury %s", want, total)
	}
	address, _ := w.Account.TreasurySats()
	w.Node.Grant(wire.NewTxOut(30_000, address.Script))
	w.Settle(3)
	if got := figures(w); got != want {
		t.Errorf("before it is credited: got %+v, want %+v", got, want)
	}
	w.AddTreasurySats(5_000)
	want.Sats.Confirmed += 35_000
	want.Sats.FeeAccount += 35_000
	if got := figures(w); got != want {
		t.Errorf("credited: got %+v, want %+v", got, want)
	}
}

// A withdrawal is compared with the surplus at the commit: a reward or an epoch that was added since the operator read
// the surplus is subtracted, and unconfirmed change does not count.
func TestSurplusIsComputedAtTheCommit(t *testing.T) {
	w := earned(t)
	before, _ := surplusOf(w)
	w.Staked(w.Bert, 50_000)
	w.NextEpoch()
	w.Settle(ledger.SettleDepth)
	w.NextEpoch()
	after, _ := surplusOf(w)
	if after >= before {
		t.Fatalf("surplus: %s, before %s", after, before)
	}
	refusedWithdrawal(w, payout.Withdrawal{Runes: before}, "and the surplus is "+after.String())
	earn(w)
	free, _ := surplusOf(w)
	withdrawn(w, payout.Withdrawal{Runes: 1})
	if got, _ := surplusOf(w); got > free-testkit.TreasuryCoin {
		t.Errorf("unconfirmed change counts: surplus %s, before %s", got, free)
	}
	w.Settle(3)
	if got, _ := surplusOf(w); got != free-1 {
		t.Errorf("surplus: got %s, want %s", got, free-1)
	}
	w.Audit()
}

// A withdrawal is DEAD if another transaction of the same key spends its input. It is not booked. The other one is an
// unexplained spend.
func TestDeadWithdrawal(t *testing.T) {
	w := earned(t)
	thief := w.Copy() // a second server with the same key
	thief.AllowWithdrawals(w.Cleo.Payment.Text)
	mine := withdrawn(w, payout.Withdrawal{Sats: 30_000})
	w.Node.Evict(mine.Versions[0].Tx.ID)
	taken := withdrawn(thief, payout.Withdrawal{Sats: 20_000})
	w.Node.MineOnly(taken.Versions[0].Tx)
	w.Settle(8)
	if got := w.PayoutsIn(payout.Dead); len(got) != 1 || got[0].ID != mine.ID {
		t.Errorf("payout after its input was taken: got %+v", got)
	}
	if text := w.AuditText(); !strings.Contains(text, "20000 sats out of the treasury") {
		t.Errorf("audit: got %q, want the other withdrawal", text)
	}
	w.ExplainSpends()
	w.Audit()
	if got := accounts(w); got != "" {
		t.Errorf("journal: got %s", got)
	}
}

// A server that was restored from a backup with a request does not carry it out again: it sees the other transaction.
func TestWithdrawalAfterTheCopy(t *testing.T) {
	w := earned(t)
	w.Withdraw(payout.Withdrawal{Sats: 20_000, To: w.Cleo.Payment.Text})
	restored := w.Copy()
	restored.AllowWithdrawals(w.Cleo.Payment.Text)
	w.Step()
	w.Settle(1)
	restored.Step()
	want := "moonfund treasury explain"
	if note := restored.Rows(`SELECT status, note FROM operator_request`); !strings.Contains(note, want) ||
		!strings.Contains(note, "status=refused") {
		t.Errorf("request: got %s, want it refused: %s", note, want)
	}
	restored.ExplainSpends()
	restored.Audit()
}

func TestWithdrawalRefused(t *testing.T) {
	w := earned(t)
	own, _ := w.Account.TreasurySats()
	for _, row := range []struct {
		what payout.Withdrawal
		want string
	}{
		{payout.Withdrawal{Sats: 10_000, To: w.Anna.Payment.Text}, "not one of the withdrawal addresses of this signer"},
		{payout.Withdrawal{Runes: 10, To: w.Anna.Payment.Text}, "--by-hand"},
		{payout.Withdrawal{Sats: 10_000, To: own.Text}, "is an address of this server"},
		{payout.Withdrawal{Sats: 10_000, To: "nobody"}, "is no address"},
		{payout.Withdrawal{Sats: 10_000, Runes: 10}, "either sats or runes"},
		{payout.Withdrawal{}, "either sats or runes"},
		{payout.Withdrawal{Sats: -1}, "either sats or runes"},
		{payout.Withdrawal{Sats: 545}, "too few for an output"},
		{payout.Withdrawal{Sats: 1 << 50}, "can't be built"},
		{payout.Withdrawal{Runes: 1 << 60}, "can't be built"},
	} {
		refusedWithdrawal(w, row.what, row.want)
	}
	w.Audit()
}

// A request that waited too long is refused: a ledger that was restored from a backup could repeat a withdrawal.
func TestOldWithdrawalRefused(t *testing.T) {
	w := earned(t)
	w.Withdraw(payout.Withdrawal{Sats: 10_000, To: w.Cleo.Payment.Text})
	w.Clock.Advance(2 * time.Hour)
	w.Step()
	if note := w.Rows(`SELECT note FROM operator_request`); !strings.Contains(note, "older than an hour") {
		t.Errorf("note: got %s", note)
	}
}

// A stuck withdrawal is replaced with the same inputs and the same amount. Any version may confirm, and a reorg may
// replace one by the other. Each is booked once, when it is final.
func TestWithdrawalIsReplaced(t *testing.T) {
	w := earned(t)
	first := withdrawn(w, payout.Withdrawal{Sats: 30_000})
	w.Rate = amount.SatPerVB(20)
	w.Request(payout.RequestBump, first.ID)
	w.Step()
	all := w.PayoutsIn(payout.Live)[0].Versions
	if len(all) != 2 || all[1].Fee < amount.SatPerVB(20).Fee(all[1].VBytes) || paidTo(w.Cleo, all[1].Tx) != 30_000 {
		t.Fatalf("versions: got %+v\n%s", all, w.Rows(`SELECT * FROM operator_request`))
	}
	w.Audit()
	w.Node.MineOnly(all[0].Tx)
	w.Settle(3)
	w.Audit()
	w.Node.Rewind(4)
	w.Node.MineOnly(all[1].Tx)
	w.Settle(15)
	w.Audit()
	if got := accounts(w); strings.Count(got, "sats 30000") != 1 {
		t.Errorf("journal: got %s", got)
	}
	w.Rate = amount.SatPerVB(40)
	w.Request(payout.RequestBump, first.ID)
	w.Step()
	if note := w.Rows(`SELECT note FROM operator_request WHERE status = 'refused'`); !strings.Contains(note, "final") {
		t.Errorf("replacement of a final withdrawal: %s", note)
	}
}
