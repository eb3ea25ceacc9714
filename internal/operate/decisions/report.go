package decisions

import (
	"context"
	"encoding/csv"
	"errors"
	"io"
	"strconv"
	"strings"
	"time"

	"moonfund/internal/staking/ledger"
	"moonfund/internal/staking/payout"
	"moonfund/internal/state"
	"moonfund/internal/store"
)

// ReportLine is one line of a community's income and costs. Amounts are integers: sats, or base units of the rune. A
// line that a reorg undid has a second line with the negative amount.
type ReportLine struct {
	At      time.Time    `json:"at"`
	Kind    string       `json:"kind"`
	Asset   ledger.Asset `json:"asset"` // sats or rune
	Amount  int64        `json:"amount"`
	TxID    string       `json:"txid"`
	OrderID string       `json:"order"`
	Posting int64        `json:"posting"` // number in the journal
}

// Kinds of report lines.
const (
	reportServiceFee  = "service fee earned"
	reportCollected   = "network fee collected"
	reportNetworkFee  = "network fee paid"
	reportDeposit     = "deposit for network fees"
	reportRefund      = "refund"
	reportReward      = "reward credited"
	reportDelivered   = "reward paid"
	reportSats        = "sats withdrawn"
	reportRunes       = "runes withdrawn"
	reportWithdrawFee = "network fee of a withdrawal"
)

// Report returns a community's income and costs in the calendar month (UTC) of an instant, oldest first.
func Report(ctx context.Context, tx *store.Tx, community string, month time.Time) ([]ReportLine, error) {
	if err := CheckCommunity(ctx, tx, community); err != nil {
		return nil, err
	}
	since := time.Date(month.Year(), month.Month(), 1, 0, 0, 0, 0, time.UTC)
	postings, err := tx.JournalBetween(ctx, community, since, since.AddDate(0, 1, 0))
	if err != nil {
		return nil, err
	}
	lines := []ReportLine{}
	for _, p := range postings {
		line, counts := reportLine(p)
		if !counts {
			continue
		}
		if p.Cause.Kind == "payout" {
			if line.TxID, err = tx.PayoutTxid(ctx, p.Cause.ID); err != nil && !errors.Is(err, state.ErrNotFound) {
				return nil, err
			}
		}
		lines = append(lines, line)
	}
	return lines, nil
}

// reportLine returns the line of a posting; false if the posting is neither income nor cost.
func reportLine(p store.ReportLine) (line ReportLine, counts bool) {
	line = ReportLine{At: p.Cause.At, Asset: p.Asset, Amount: p.Amount, TxID: p.PayoutTx, OrderID: p.OrderID,
		Posting: p.Number}
	switch p.Asset {
	case ledger.RuneAsset:
		if p.Reward {
			line.Kind, line.Amount = rewardKind(p)
		}
	case ledger.TreasuryAsset:
		line.Kind, line.Asset = reportRunes, ledger.RuneAsset
	case ledger.SatsAsset:
		line.Kind, line.Amount = satsKind(p)
	case ledger.NoAsset:
		line.Asset = ledger.SatsAsset
		if p.ServiceFee > 0 && p.From == "order:SENT" && p.To == "order:DELIVERED" {
			line.Kind, line.Amount = reportServiceFee, int64(p.ServiceFee)
		} else if p.ServiceFee > 0 && p.To == "order:SENT" && p.From != "order:PAID" { // a reorg undid the delivery
			line.Kind, line.Amount = reportServiceFee, -int64(p.ServiceFee)
		}
	}
	return line, line.Kind != ""
}

// rewardKind returns the kind of a posting of a reward, and its amount.
func rewardKind(p store.ReportLine) (kind string, n int64) {
	withdrawn := string(ledger.Withdrawn)
	switch {
	case p.From == ledger.Outside:
		return reportReward, p.Amount
	case p.To == withdrawn:
		return reportDelivered, p.Amount
	case p.From == withdrawn:
		return reportDelivered, -p.Amount
	}
	return "", 0
}

// satsKind returns the kind of a posting of sats, and its amount.
func satsKind(p store.ReportLine) (kind string, n int64) {
	fees := payout.FeeAccount(p.Community)
	refunded := func(account string) bool {
		return strings.HasPrefix(account, "refunded:") || strings.HasPrefix(account, "returned:")
	}
	switch {
	case p.To == payout.WithdrawnAccount(p.Community):
		return reportSats, p.Amount
	case p.To == payout.WithdrawalFeesAccount(p.Community):
		return reportWithdrawFee, p.Amount
	case p.To == fees && p.Cause.Kind == "operator":
		return reportDeposit, p.Amount
	case p.To == fees:
		return reportCollected, p.Amount
	case p.From == fees:
		return reportNetworkFee, p.Amount
	case refunded(p.To) && !refunded(p.From):
		return reportRefund, p.Amount
	case refunded(p.From) && !refunded(p.To):
		return reportRefund, -p.Amount
	}
	return "", 0
}

// WriteReport writes the lines of a report as CSV, with a header.
func WriteReport(to io.Writer, lines []ReportLine) error {
	w := csv.NewWriter(to)
	_ = w.Write([]string{"at_utc", "kind", "asset", "amount", "txid", "order", "posting"})
	for _, l := range lines {
		_ = w.Write([]string{
			l.At.UTC().Format(time.RFC3339), l.Kind, string(l.Asset), strconv.FormatInt(l.Amount, 10), l.TxID, l.OrderID,
			strconv.FormatInt(l.Posting, 10),
		})
	}
	w.Flush()
	return w.Error()
}
