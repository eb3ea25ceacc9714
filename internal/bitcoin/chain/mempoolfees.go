package chain

import (
	"context"
	"fmt"
	"math"

	"github.com/btcsuite/btcd/chainhash/v2"

	"moonfund/internal/amount"
)

// MempoolMin returns the minimum fee rate of transactions that the node accepts now, which rises while its mempool is
// full, in sat per 1,000 vB. It returns 0 for btcd, which reports none.
func (c *Client) MempoolMin(ctx context.Context) (amount.FeeRate, error) {
	var info struct {
		Min   float64 `json:"mempoolminfee"` // BTC per 1,000 vB
		Relay float64 `json:"minrelaytxfee"`
	}
	if err := c.call(ctx, &info, "getmempoolinfo"); err != nil {
		return 0, err
	}
	perKB := max(info.Min, info.Relay)
	if perKB <= 0 {
		return 0, nil
	}
	rate, err := amount.FeeRateFromFloat(perKB * 1e8 / 1000)
	if err != nil {
		return 0, fmt.Errorf("node: a minimum of %g BTC per 1000 vB: %w", perKB, err)
	}
	return rate, nil
}

// DescendantFees returns the sum of the fees of the transactions in the node's mempool that depend on a transaction. A
// replacement of the transaction must pay them too (BIP-125). It returns 0 for a transaction that is not in the
// mempool, and for btcd, which does not report them.
func (c *Client) DescendantFees(ctx context.Context, txid chainhash.Hash) (amount.Sats, error) {
	var entry struct {
		Fees struct {
			Modified   float64 `json:"modified"` // BTC
			Descendant float64 `json:"descendant"`
		} `json:"fees"`
	}
	err := c.call(ctx, &entry, "getmempoolentry", txid.String())
	if code := rpcCode(err); unknownHash(err) || code == codeMisc || code == codeNoSuchMethod {
		return 0, nil
	}
	fees := math.Round((entry.Fees.Descendant - entry.Fees.Modified) * 1e8)
	if err == nil && (math.IsNaN(fees) || fees < 0 || fees > maxMoney) {
		return 0, fmt.Errorf("node: getmempoolentry: fees of %g BTC", entry.Fees.Descendant)
	}
	return amount.Sats(fees), err
}
