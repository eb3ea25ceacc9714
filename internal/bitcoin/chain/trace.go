package chain

import (
	"context"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"
)

// traced runs a call in a span with the name of its method. The span has no parameters, results or error texts.
func traced(ctx context.Context, method string, call func(context.Context) error) error {
	ctx, span := otel.Tracer("moonfund/internal/bitcoin/chain").Start(ctx, "node "+method,
		trace.WithSpanKind(trace.SpanKindClient), trace.WithAttributes(attribute.String("rpc.method", method)))
	defer span.End()
	err := call(ctx)
	if err != nil {
		span.SetStatus(codes.Error, "")
	}
	return err
}
