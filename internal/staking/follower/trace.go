package follower

import (
	"context"
	"errors"
	"time"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"

	"moonfund/internal/staking/ledger"
	"moonfund/internal/staking/payout"
	"moonfund/internal/state"
)

func tracer() trace.Tracer { return otel.Tracer("moonfund/internal/staking/follower") }

// endSpan ends a span. Its error texts are not part of it, because they may contain addresses. A server that does not
// lead has not failed.
func endSpan(span trace.Span, err error) {
	if err != nil && !errors.Is(err, state.ErrNotLeading) {
		span.SetStatus(codes.Error, "")
	}
	span.End()
}

// broadcast sends a transaction to the node, one of ours in a span.
func (f *Follower) broadcast(ctx context.Context, t ledger.Tracked) (err error) {
	if t.Ours {
		var span trace.Span
		ctx, span = tracer().Start(ctx, "payout.broadcast",
			trace.WithAttributes(attribute.String("moonfund.txid", t.Tx.ID.String())))
		defer func() { endSpan(span, err) }()
	}
	return f.Node.Broadcast(ctx, t.Tx.Bytes())
}

// traceStored adds a span for payouts that were stored in a transaction that began at a time.
func traceStored(ctx context.Context, stored []payout.Payout, began time.Time) {
	for _, p := range stored {
		_, span := tracer().Start(ctx, "payout.store", trace.WithTimestamp(began), trace.WithAttributes(
			attribute.String("moonfund.payout.kind", string(p.Kind)),
			attribute.StringSlice("moonfund.order.ids", p.OrderIDs)))
		span.End()
	}
}
