package server

import (
	"strconv"

	"github.com/prometheus/client_golang/prometheus"

	"moonfund/internal/api"
	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/store"
)

// measures contains the metrics that are recorded for each request, call to the node and update. The other metrics are
// read when they are collected.
type measures struct {
	requests  *prometheus.CounterVec
	answers   *prometheus.HistogramVec
	nodeCalls *prometheus.HistogramVec
	waits     prometheus.Histogram
	writes    prometheus.Histogram
}

// Buckets of durations, in seconds.
var (
	answerBuckets = []float64{0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15}
	nodeBuckets   = []float64{0.005, 0.02, 0.1, 0.5, 1, 5, 30}
	writerBuckets = []float64{0.001, 0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10}
)

func newMeasures() *measures {
	times := func(name, help string, buckets []float64) prometheus.HistogramOpts {
		return prometheus.HistogramOpts{Namespace: "moonfund", Name: name, Help: help, Buckets: buckets}
	}
	return &measures{
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{
			Namespace: "moonfund", Name: "http_requests_total", Help: "Answered requests, by route and HTTP status.",
		}, []string{"route", "code"}),
		answers: prometheus.NewHistogramVec(times("http_request_duration_seconds",
			"Time until a request was answered, by route; open event streams are not included.", answerBuckets),
			[]string{"route"}),
		nodeCalls: prometheus.NewHistogramVec(times("node_call_duration_seconds",
			"Time of calls to the Bitcoin node, by method and result.", nodeBuckets), []string{"method", "result"}),
		waits: prometheus.NewHistogram(times("writer_wait_seconds",
			"Time that updates of the ledger waited for the writer.", writerBuckets)),
		writes: prometheus.NewHistogram(times("writer_held_seconds",
			"Time that updates of the ledger held the writer, until their commit was durable.", writerBuckets)),
	}
}

// collectors returns all collectors.
func (m *measures) collectors() []prometheus.Collector {
	return []prometheus.Collector{m.requests, m.answers, m.nodeCalls, m.waits, m.writes}
}

// request counts an answered request.
func (m *measures) request(a api.Answered) {
	m.requests.WithLabelValues(a.Route, strconv.Itoa(a.Code)).Inc()
	if a.Route != "events" {
		m.answers.WithLabelValues(a.Route).Observe(a.Took.Seconds())
	}
}

// nodeCall records the duration of a call to the node.
func (m *measures) nodeCall(c chain.NodeCall) {
	result := "ok"
	if c.Err != nil {
		result = "error"
	}
	m.nodeCalls.WithLabelValues(c.Method, result).Observe(c.Took.Seconds())
}

// writer records the durations of updates of the ledger.
func (m *measures) writer(t store.WriterTimes) {
	m.waits.Observe(t.Waited.Seconds())
	m.writes.Observe(t.Held.Seconds())
}
