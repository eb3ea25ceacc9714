// Package tracing exports the spans of requests, steps of the follower, calls to the node and payouts over HTTP, by the
// protocol of OpenTelemetry. Without an address of a collector, nothing is recorded or sent.
package tracing

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace"
	"go.opentelemetry.io/otel/sdk/resource"
	"go.opentelemetry.io/otel/sdk/trace"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"
)

// Variables of OpenTelemetry that this package reads. The SDK reads more: the sampler, the sizes of batches, the name
// of the service.
const (
	endpointVariable = "OTEL_EXPORTER_OTLP_ENDPOINT"
	tracesVariable   = "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"
	headersVariable  = "OTEL_EXPORTER_OTLP_HEADERS"
	protocolVariable = "OTEL_EXPORTER_OTLP_PROTOCOL"
)

const (
	protocol = "http/protobuf"
	timeout  = 10 * time.Second // of a request to the collector
	lastTime = 2 * time.Second  // of the last request, for which a restart waits
)

// New starts to record spans if the environment names a collector. run exports what is left when its context is done;
// it is nil if the environment names no collector. version is the program's.
func New(ctx context.Context, version string, log *slog.Logger) (run func(context.Context), err error) {
	address := os.Getenv(tracesVariable)
	if base := os.Getenv(endpointVariable); address == "" && base != "" {
		address = strings.TrimSuffix(base, "/") + "/v1/traces"
	}
	if address == "" {
		return nil, nil
	}
	if named := cmp.Or(os.Getenv(protocolVariable), protocol); named != protocol {
		return nil, fmt.Errorf("%s is %q; only %s is supported", protocolVariable, named, protocol)
	}
	if to, err := url.Parse(address); err != nil || to.Host == "" || to.Scheme != "http" && to.Scheme != "https" {
		return nil, fmt.Errorf("%s must begin with http:// or https:// and name a host", endpointVariable)
	}
	headers, err := parseHeaders(os.Getenv(headersVariable))
	if err != nil {
		return nil, err
	}
	exporter, err := otlptrace.New(ctx, collector{address, headers})
	if err != nil {
		return nil, fmt.Errorf("traces: %w", err)
	}
	about, err := resource.New(ctx, resource.WithTelemetrySDK(), resource.WithAttributes(
		attribute.String("service.name", "moonfund"), attribute.String("service.version", version)), resource.WithFromEnv())
	if err != nil {
		return nil, fmt.Errorf("traces: %w", err)
	}
	provider := trace.NewTracerProvider(trace.WithBatcher(exporter), trace.WithResource(about))
	otel.SetErrorHandler(otel.ErrorHandlerFunc(func(err error) { log.Warn("exporting traces", "error", err.Error()) }))
	otel.SetTracerProvider(provider)
	return func(ctx context.Context) {
		<-ctx.Done()
		last, cancel := context.WithTimeout(context.WithoutCancel(ctx), lastTime)
		defer cancel()
		if err := provider.Shutdown(last); err != nil {
			log.Warn("exporting traces", "error", err.Error())
		}
	}, nil
}

// parseHeaders parses headers such as "key=value,other=value", with values as in URLs.
func parseHeaders(text string) (http.Header, error) {
	headers := http.Header{}
	for part := range strings.SplitSeq(text, ",") {
		if strings.TrimSpace(part) == "" {
			continue
		}
		name, value, found := strings.Cut(part, "=")
		value, err := url.PathUnescape(strings.TrimSpace(value))
		if err != nil || !found {
			return nil, fmt.Errorf("%s must be such as key=value,other=value", headersVariable)
		}
		headers.Set(strings.TrimSpace(name), value)
	}
	return headers, nil
}

// collector sends spans to an address. It implements otlptrace.Client. OpenTelemetry's own client for HTTP would add a
// hundred packages to the program, most of them gRPC's.
type collector struct {
	address string
	headers http.Header
}

// Start implements otlptrace.Client.
func (collector) Start(context.Context) error { return nil }

// Stop implements otlptrace.Client.
func (collector) Stop(context.Context) error { return nil }

// UploadTraces implements otlptrace.Client. Spans that the collector does not accept are lost.
func (c collector) UploadTraces(ctx context.Context, spans []*tracepb.ResourceSpans) error {
	body, err := proto.Marshal(&tracepb.TracesData{ResourceSpans: spans}) // has the fields of an export request
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, c.address, bytes.NewReader(body))
	if err != nil {
		return err
	}
	request.Header = c.headers.Clone()
	request.Header.Set("Content-Type", "application/x-protobuf")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	_, _ = io.Copy(io.Discard, io.LimitReader(response.Body, 1<<16)) // so that the connection can be used again
	if response.StatusCode/100 != 2 {
		return fmt.Errorf("the collector answers %s", response.Status)
	}
	return nil
}
