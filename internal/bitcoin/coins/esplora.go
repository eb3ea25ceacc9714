package coins

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/btcsuite/btcd/chainhash/v2"
	"github.com/btcsuite/btcd/wire/v2"
)

const (
	esploraTimeout = 10 * time.Second
	maxAnswer      = 2 << 20         // bytes
	maxListed      = 10_000          // outputs in an answer; public servers list 500
	maxHeader      = 64 << 10        // bytes
	answerAge      = 3 * time.Second // for which an answer is used again
	maxAnswers     = 100             // answers to be used again
	defaultPause   = 10 * time.Second
	maxPause       = time.Minute
)

// CheckURL returns the parsed URL of an Esplora server, to which /address/{address}/utxo is appended. It returns an
// error unless the URL is https://, or http:// on this machine: plain http to another host would reveal the looked-up
// addresses to the network.
func CheckURL(text string) (*url.URL, error) {
	base, err := url.Parse(text)
	if err != nil || base.Hostname() == "" || base.Scheme != "https" && base.Scheme != "http" {
		return nil, fmt.Errorf("%q is not the address of an Esplora server, such as https://esplora.example.org/api", text)
	}
	switch {
	case base.User != nil:
		return nil, errors.New("the address of the Esplora server must not contain a user or password")
	case base.RawQuery != "" || base.ForceQuery || base.Fragment != "":
		return nil, fmt.Errorf("%q must end with the path of the Esplora server's API, without ? and #", text)
	case base.Scheme == "http" && !loopback(base.Hostname()):
		return nil, fmt.Errorf("%q must begin with https://, because the Esplora server is not on this machine", text)
	}
	return base, nil
}

func loopback(host string) bool {
	ip := net.ParseIP(host)
	return strings.EqualFold(host, "localhost") || ip != nil && ip.IsLoopback()
}

// esplora is a client of an Esplora server.
type esplora struct {
	base       *url.URL
	client     *http.Client
	pauseUntil atomic.Int64 // no request is sent before this Unix time, in nanoseconds: the server is unavailable

	mu      sync.Mutex
	answers map[string]answer    // by address
	pauses  map[string]time.Time // of sources that sent too many requests: no request of theirs is sent before
}

// answer is a cached answer for an address. A server that receives too many requests refuses all of them.
type answer struct {
	outs []wire.OutPoint
	at   time.Time
}

// newEsplora returns a client that uses neither a proxy of the environment nor a cookie, and follows no redirect: the
// server must not make this program send requests to other hosts, such as the hosts of an internal network.
func newEsplora(base *url.URL) *esplora {
	return &esplora{base: base, answers: map[string]answer{}, pauses: map[string]time.Time{}, client: &http.Client{
		Transport: &http.Transport{
			MaxIdleConnsPerHost: ofOrders + ofEstimates, IdleConnTimeout: time.Minute, ForceAttemptHTTP2: true,
			TLSHandshakeTimeout: esploraTimeout, MaxResponseHeaderBytes: maxHeader,
		},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Timeout:       esploraTimeout,
	}}
}

// outputs returns at most maxExamined different outputs that the server listed for an address in the last seconds:
// confirmed ones first, and then the largest. The answer is not verified. No error contains the address.
func (e *esplora) outputs(ctx context.Context, source, address string) ([]wire.OutPoint, error) {
	e.mu.Lock()
	known, found := e.answers[address]
	e.mu.Unlock()
	if found && time.Since(known.at) < answerAge {
		return known.outs, nil
	}
	outs, err := e.request(ctx, source, address)
	if err != nil {
		return nil, err
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if len(e.answers) >= maxAnswers {
		clear(e.answers)
	}
	e.answers[address] = answer{outs, time.Now()}
	return outs, nil
}

// refused pauses requests after an answer of the server: of the source whose request exceeded a limit, so that it does
// not stop others, or of all if the server is unavailable.
func (e *esplora) refused(source string, response *http.Response) {
	until := time.Now().Add(pause(response.Header.Get("Retry-After")))
	switch response.StatusCode {
	case http.StatusServiceUnavailable:
		e.pauseUntil.Store(until.UnixNano())
	case http.StatusTooManyRequests:
		e.mu.Lock()
		defer e.mu.Unlock()
		maps.DeleteFunc(e.pauses, func(_ string, end time.Time) bool { return time.Now().After(end) })
		e.pauses[source] = until
	}
}

// paused returns the time for which no request of a source is sent.
func (e *esplora) paused(source string) time.Duration {
	e.mu.Lock()
	defer e.mu.Unlock()
	return max(time.Until(e.pauses[source]), time.Until(time.Unix(0, e.pauseUntil.Load())))
}

// request sends a request of a source for the outputs of an address.
func (e *esplora) request(ctx context.Context, source, address string) ([]wire.OutPoint, error) {
	if wait := e.paused(source); wait > 0 {
		return nil, fmt.Errorf("the Esplora server wants no requests for %s", wait.Round(time.Second))
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, e.base.JoinPath("address", address, "utxo").String(),
		nil)
	if err != nil {
		return nil, errors.New("the address does not fit into a URL")
	}
	request.Header.Set("Accept", "application/json")
	response, err := e.client.Do(request)
	if failed, ok := errors.AsType[*url.Error](err); ok {
		err = failed.Err // the *url.Error contains the address
	}
	if err != nil {
		return nil, fmt.Errorf("the Esplora server does not respond: %w", err)
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		e.refused(source, response)
		return nil, fmt.Errorf("the Esplora server responds with HTTP status %d", response.StatusCode)
	}
	listed, err := decode(io.LimitReader(response.Body, maxAnswer))
	if err != nil {
		return nil, fmt.Errorf("the Esplora server's answer is not a list of outputs: %w", err)
	}
	return listed, nil
}

// pause returns the time for which no request is sent, from a Retry-After header in seconds.
func pause(retryAfter string) time.Duration {
	seconds, err := strconv.ParseInt(retryAfter, 10, 32)
	if err != nil || seconds < 1 {
		return defaultPause
	}
	return min(time.Duration(seconds)*time.Second, maxPause)
}

// listed is an output in an answer.
type listed struct {
	TxID   chainHash `json:"txid"`
	Vout   uint32    `json:"vout"`
	Value  uint64    `json:"value"`
	Status struct {
		Confirmed bool `json:"confirmed"`
	} `json:"status"`
}

func (l listed) outPoint() wire.OutPoint {
	return wire.OutPoint{Hash: chainhash.Hash(l.TxID), Index: l.Vout}
}

// chainHash decodes a transaction id.
type chainHash chainhash.Hash

// UnmarshalText implements encoding.TextUnmarshaler.
func (h *chainHash) UnmarshalText(text []byte) error {
	if len(text) != 2*chainhash.HashSize {
		return fmt.Errorf("a transaction id has %d characters, want %d", len(text), 2*chainhash.HashSize)
	}
	return chainhash.Decode((*chainhash.Hash)(h), string(text))
}

// decode reads the list of outputs in an answer one by one, so that a long answer does not take more memory than the
// outputs that are examined.
func decode(body io.Reader) ([]wire.OutPoint, error) {
	decoder := json.NewDecoder(body)
	if start, err := decoder.Token(); err != nil || start != json.Delim('[') {
		return nil, cmp.Or(err, errors.New("it is no array"))
	}
	var best []listed
	for n := 1; decoder.More(); n++ {
		var next listed
		if n > maxListed {
			return nil, fmt.Errorf("it has more than %d outputs", maxListed)
		}
		if err := decoder.Decode(&next); err != nil {
			return nil, err
		}
		if best = append(best, next); len(best) == 2*maxExamined {
			best = first(best)
		}
	}
	if _, err := decoder.Token(); err != nil { // the end of the array
		return nil, err
	}
	best = first(best)
	outs := make([]wire.OutPoint, len(best))
	for i, output := range best {
		outs[i] = output.outPoint()
	}
	return outs, nil
}

// first returns the first maxExamined different outputs: confirmed ones first, and then the largest.
func first(all []listed) []listed {
	slices.SortStableFunc(all, func(a, b listed) int {
		if a.Status.Confirmed != b.Status.Confirmed {
			if a.Status.Confirmed {
				return -1
			}
			return 1
		}
		return cmp.Compare(b.Value, a.Value)
	})
	seen := map[wire.OutPoint]bool{}
	different := all[:0]
	for _, output := range all {
		if out := output.outPoint(); !seen[out] {
			seen[out] = true
			different = append(different, output)
		}
	}
	return different[:min(maxExamined, len(different))]
}
