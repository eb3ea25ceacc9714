package feerate

import (
	"bytes"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/chain"
)

// A wrong or missing fee estimate never moves the rate out of bounds. A line is logged once when an estimate is
// rejected, and once when the next estimate is used.
func TestNodeLiesAboutFees(t *testing.T) {
	var estimate string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if !strings.Contains(string(body), "estimatesmartfee") {
			_, _ = io.WriteString(w, `{"result":{"version":280000,"subversion":"/Satoshi:28.0.0/"},"error":null}`)
			return
		}
		_, _ = io.WriteString(w, `{"result":{"feerate":`+estimate+`,"blocks":6},"error":null}`)
	}))
	t.Cleanup(server.Close)
	var said bytes.Buffer
	source := New(chain.NewClient(chain.ClientConfig{URL: server.URL}),
		chain.FeePolicy{Fallback: amount.SatPerVB(20), Min: amount.SatPerVB(2), Max: amount.SatPerVB(1000)},
		slog.New(slog.NewTextHandler(&said, nil)))
	for _, c := range []struct {
		estimate string // BTC per 1,000 vB
		want     int64  // sat/vB
		says     string // contained in the log; "": nothing is logged
	}{
		{"0.00007", 7, ""},
		{"0", 20, "the node has no fee estimate"},
		{"-1", 20, ""}, // the same problem is not logged again
		{"0.00007", 7, "the node's fee estimate is used again"},
		{"0.5", 1000, "the estimate is 50000 sat/vB, the plausible maximum is 1000"},
		{"0.5", 1000, ""},
		{"20", 20, "a fee estimate of 20 BTC per 1000 vB"},
		{"0.00001", 2, "the node's fee estimate is used again"},
		{"0.00003", 3, ""},
		{`"dear"`, 20, "the node's fee estimate is not used"},
	} {
		estimate = c.estimate
		said.Reset()
		source.asked = time.Time{}
		if got := source.Rate(t.Context()); got != amount.SatPerVB(c.want) {
			t.Errorf("%s: %s sat/vB, want %d", c.estimate, got, c.want)
		}
		if text := said.String(); !strings.Contains(text, c.says) || c.says == "" && text != "" {
			t.Errorf("%s: the log is %q, want %q", c.estimate, text, c.says)
		}
	}
	source.log = nil
	source.logProblem(0, errors.New("not logged"))
}

// The minimum of a full mempool is above the rate that is used without an estimate: new orders pay it, up to the
// plausible maximum.
func TestRateIsAtLeastTheMempools(t *testing.T) {
	least := "0"
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		switch {
		case strings.Contains(string(body), "getmempoolinfo"):
			_, _ = io.WriteString(w, `{"result":{"mempoolminfee":`+least+`,"minrelaytxfee":0.00001},"error":null}`)
		case strings.Contains(string(body), "estimatesmartfee"):
			_, _ = io.WriteString(w, `{"result":{"errors":["Insufficient data or no feerate found"],"blocks":0},"error":null}`)
		default:
			_, _ = io.WriteString(w, `{"result":{"version":280000,"subversion":"/Satoshi:28.0.0/"},"error":null}`)
		}
	}))
	t.Cleanup(server.Close)
	source := New(chain.NewClient(chain.ClientConfig{URL: server.URL}),
		chain.FeePolicy{Fallback: amount.SatPerVB(10), Min: amount.SatPerVB(2), Max: amount.SatPerVB(100)}, nil)
	for _, c := range []struct {
		least string // BTC per 1,000 vB
		want  int64  // sat/vB
	}{{"0.00001", 10}, {"0.00035", 35}, {"0.005", 100}} {
		least, source.asked = c.least, time.Time{}
		if got := source.Rate(t.Context()); got != amount.SatPerVB(c.want) {
			t.Errorf("a minimum of %s: %s sat/vB, want %d", c.least, got, c.want)
		}
	}
}
