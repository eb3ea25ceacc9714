package devnet

import (
	"context"
	"time"

	"moonfund/internal/amount"
)

// Product is the part of the server that the controls use. AdvanceEpoch is called with the network's lock held, so it
// must not call methods of the network.
type Product interface {
	// Settle returns when the ledger has processed the node's tip and mempool and all due payouts are broadcast.
	Settle(ctx context.Context) error
	// AdvanceEpoch ends the current epoch at the block header time at, for one community or, if prefix is empty, for
	// all, and returns the number of the new epoch. The header time of the next block is not before at. at can be some
	// seconds ahead of the clock when many blocks were mined in a short time, because header times must increase; the
	// new epoch is the current one nevertheless. AdvanceEpoch returns *Refused for an unknown prefix.
	AdvanceEpoch(ctx context.Context, prefix string, at time.Time) (epoch int64, err error)
	// AdvanceClock advances the clock that deadlines and the epoch calendar use, and returns the new time.
	AdvanceClock(ctx context.Context, by time.Duration) (time.Time, error)
	// SetFeeRate sets a fixed fee rate; nil restores the node's estimate.
	SetFeeRate(*amount.FeeRate)
	Communities() []Community
	// Epoch returns the current epoch; an empty prefix means the first community.
	Epoch(prefix string) int64
}

// Community is a community in the response of GET /dev/info, which web/src/devwallet/chain.ts reads.
type Community struct {
	Prefix        string `json:"prefix"`
	Host          string `json:"host"`
	RuneID        string `json:"rune_id"`
	RuneName      string `json:"rune_name"`
	Symbol        string `json:"symbol"`
	Divisibility  int    `json:"divisibility"`
	EtchingHeight int64  `json:"etching_height"`
}
