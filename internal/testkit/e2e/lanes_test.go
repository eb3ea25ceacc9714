package e2e

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"
	"time"
)

// lanes are open connections to a server, each from another loopback address, because the server limits the requests
// per source.
type lanes []lane

type lane struct {
	net.Conn
	in *bufio.Reader
}

const laneCount = 128

func (h *devServer) openLanes() lanes {
	h.t.Helper()
	all := make(lanes, laneCount)
	for i := range all {
		dialer := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.IPv4(127, 0, 1, byte(1+i))}}
		conn, err := dialer.Dial("tcp", fmt.Sprintf("127.0.0.1:%d", h.port))
		must(h.t, err)
		h.t.Cleanup(func() { conn.Close() })
		all[i] = lane{conn, bufio.NewReader(conn)}
	}
	return all
}

// raw returns a serialized request, which the client can send repeatedly.
func (s site) raw(method, call string, body []byte) []byte {
	text := fmt.Sprintf("%s /%s/%s HTTP/1.1\r\nHost: lobo.localhost:%d\r\n", method, prefix, call, s.port)
	if body != nil {
		text += fmt.Sprintf("Content-Type: application/json\r\nContent-Length: %d\r\n", len(body))
	}
	return append([]byte(text+"\r\n"), body...)
}

// ask sends a request and returns the body of the response. It returns an error unless the response is a success.
func (l lane) ask(request []byte) (body []byte, err error) {
	if _, err := l.Write(request); err != nil {
		return nil, err
	}
	response, err := http.ReadResponse(l.in, nil)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	body, err = io.ReadAll(response.Body)
	if err == nil && (response.StatusCode != http.StatusOK || !bytes.HasSuffix(bytes.TrimSpace(body),
		[]byte(`"success":true}`))) {
		err = fmt.Errorf("HTTP %d %.300s", response.StatusCode, body)
	}
	return body, err
}

// pace sends requests at a constant rate, even to a slow server, and returns their latencies, measured from the
// scheduled times and sorted in ascending order.
func (all lanes) pace(t testing.TB, rate int, requests [][]byte) (took []time.Duration) {
	t.Helper()
	type job struct {
		due     time.Time
		request []byte
	}
	type answered struct {
		after time.Duration
		err   error
	}
	jobs, answers := make(chan job, len(requests)), make(chan answered, len(requests))
	for _, l := range all {
		go func() {
			for j := range jobs {
				_, err := l.ask(j.request)
				answers <- answered{time.Since(j.due), err}
			}
		}()
	}
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	start := time.Now()
	for sent := 0; sent < len(requests); <-tick.C {
		for ; sent < len(requests); sent++ {
			due := start.Add(time.Duration(sent) * time.Second / time.Duration(rate))
			if due.After(time.Now()) {
				break
			}
			jobs <- job{due, requests[sent]}
		}
	}
	close(jobs)
	for range requests {
		a := <-answers
		must(t, a.err)
		took = append(took, a.after)
	}
	slices.Sort(took)
	return took
}

// processorTime returns the processor time of the server's process on Linux (100 ticks per second), or 0 on other
// systems.
func (h *devServer) processorTime() time.Duration {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", h.process.Process.Pid))
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(text), ") ")
	fields := strings.Fields(rest)
	var user, system int64
	_, _ = fmt.Sscan(fields[11], &user)
	_, _ = fmt.Sscan(fields[12], &system)
	return time.Duration(user+system) * 10 * time.Millisecond
}
