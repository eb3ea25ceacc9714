package devnet

import (
	"context"
	"time"

	"moonfund/amount"
)

// Product is the program that runs on the network, as the controls use it. Its methods may be
// called with the network's lock held (AdvanceEpoch), so they must not call methods of the
// network.
type Product interface {
	// Settle returns when the ledger has followed the node's tip and mempool and
	// every payout that became due was broadcast.
	Settle(ctx context.Context) error
	// AdvanceEpoch ends the running epoch at `at`, on the scale of block headers,
	// for one community or, with an empty prefix, for all; it returns the epoch
	// that starts there. The next block's header time is at or after `at`. After
	// much mining in little time `at` lies some seconds ahead of the clock, since
	// header times must rise: the new epoch counts as running all the same. An
	// unknown prefix is a *Refused.
	AdvanceEpoch(ctx context.Context, prefix string, at time.Time) (epoch int64, err error)
	// AdvanceClock advances the clock of deadlines and the epoch calendar and returns the new
	// time.
	AdvanceClock(ctx context.Context, by time.Duration) (time.Time, error)
	// SetFeeRate sets a fixed fee rate; nil restores the node's estimate.
	SetFeeRate(*amount.FeeRate)
	Communities() []Community
	// Epoch returns the current epoch; an empty prefix means the first community.
	Epoch(prefix string) int64
}

// Community is one of the product's communities as GET /dev/info shows it.
type Community struct {
	Prefix        string `json:"prefix"`
	Host          string `json:"host"`
	RuneID        string `json:"rune_id"`
	RuneName      string `json:"rune_name"`
	Symbol        string `json:"symbol"`
	Divisibility  int    `json:"divisibility"`
	EtchingHeight int64  `json:"etching_height"`
}
