package console

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"time"

	"moonfund/internal/api"
)

// Server names the listeners of the running server.
type Server struct {
	Listen  string // of pages and API
	Domain  string // a domain of the server, which it expects as Host
	Metrics string // of /metrics; "" if it is off
}

// serverState is the state of the running server.
type serverState struct {
	status     *api.Status // nil: the server did not respond
	why        string      // why status is nil
	metrics    map[string]float64
	whyMetrics string // why metrics is nil
}

// metric returns a metric without labels, if the server reports it.
func (s serverState) metric(name string) (value float64, known bool) {
	value, known = s.metrics["moonfund_"+name]
	return value, known
}

// since returns the duration of a metric in seconds.
func (s serverState) since(name string) (time.Duration, bool) {
	seconds, known := s.metric(name)
	return time.Duration(seconds * float64(time.Second)), known
}

// answerTime is the timeout of one request to the server.
const answerTime = 3 * time.Second

// client uses no proxy: the server is on this machine or in its network.
var client = &http.Client{
	Timeout: answerTime, Transport: &http.Transport{DisableKeepAlives: true},
	CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
}

// read reads the state of the server. community is any community of the ledger.
func (s Server) read(ctx context.Context, community string) (state serverState) {
	state.status, state.why = s.readStatus(ctx, community)
	state.metrics, state.whyMetrics = s.readMetrics(ctx)
	return state
}

// get requests a path of the server, with the domain as Host, and calls decode with the body.
func (s Server) get(ctx context.Context, address, path string, decode func(io.Reader) error) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+address+path, nil)
	if err != nil {
		return err
	}
	request.Host = s.Domain
	response, err := client.Do(request)
	if err != nil {
		if failure := new(url.Error); errors.As(err, &failure) {
			err = failure.Err
		}
		return err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("the answer is %s", response.Status)
	}
	const largest = 4 << 20
	return decode(io.LimitReader(response.Body, largest))
}

// readStatus reads /status.
func (s Server) readStatus(ctx context.Context, community string) (*api.Status, string) {
	var reply api.StatusReply
	err := s.get(ctx, s.Listen, "/"+community+"/status", func(body io.Reader) error {
		return json.NewDecoder(body).Decode(&reply)
	})
	if err == nil && reply.Data == nil {
		err = errors.New(otherProgram)
	}
	if err != nil {
		return nil, err.Error()
	}
	return reply.Data, ""
}

// gauge matches a metric of moonfund without labels. The parser of prometheus/common reads every format, but panics on
// some responses of other programs.
var gauge = regexp.MustCompile(`(?m)^(moonfund_[a-z_]+) (\S+)$`)

// readMetrics reads the metrics without labels of /metrics.
func (s Server) readMetrics(ctx context.Context) (map[string]float64, string) {
	if s.Metrics == "" {
		return nil, metricsOff
	}
	var text []byte
	err := s.get(ctx, s.Metrics, "/metrics", func(body io.Reader) (err error) {
		text, err = io.ReadAll(body)
		return err
	})
	if err != nil {
		return nil, err.Error()
	}
	values := map[string]float64{}
	for _, found := range gauge.FindAllSubmatch(text, -1) {
		if value, err := strconv.ParseFloat(string(found[2]), 64); err == nil {
			values[string(found[1])] = value
		}
	}
	if len(values) == 0 {
		return nil, otherProgram
	}
	return values, ""
}
