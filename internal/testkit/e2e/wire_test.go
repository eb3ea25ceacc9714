package e2e

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"testing"
	"time"
)

// site is a client of one server: its community's calls and its dev controls.
type site struct {
	t        testing.TB
	port     int
	controls int // port of the dev network's controls; 0 if it is the server's port
}

const prefix = "lobo"

// answer is an HTTP response.
type answer struct {
	status int
	body   []byte
}

// send makes an HTTP call. It repeats the call while the server returns status 429.
func (s site) send(method, path, contentType string, body []byte) answer {
	s.t.Helper()
	for {
		request, err := http.NewRequest(method, fmt.Sprintf("http://127.0.0.1:%d%s", s.port, path), bytes.NewReader(body))
		must(s.t, err)
		request.Host = fmt.Sprintf("lobo.localhost:%d", s.port)
		if contentType != "" {
			request.Header.Set("Content-Type", contentType)
		}
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			s.t.Fatalf("%s %s: %v", method, path, err)
		}
		reply, err := io.ReadAll(response.Body)
		response.Body.Close()
		must(s.t, err)
		if response.StatusCode != http.StatusTooManyRequests {
			return answer{response.StatusCode, reply}
		}
		seconds, err := strconv.Atoi(response.Header.Get("Retry-After"))
		must(s.t, err)
		<-time.After(time.Duration(seconds) * time.Second)
	}
}

// envelope is the JSON format of responses.
type envelope struct {
	Success bool
	Message string
	Code    string
	Data    json.RawMessage
}

// envelope decodes the response and checks its fields: success, message and data, and for a refusal code, request_id
// and, if its message has parameters, values.
func (a answer) envelope(t testing.TB) envelope {
	t.Helper()
	var keys map[string]json.RawMessage
	var e envelope
	err := json.Unmarshal(a.body, &keys)
	valid := err == nil && keys["success"] != nil && keys["message"] != nil && keys["data"] != nil
	if string(keys["success"]) != "true" {
		valid = valid && keys["code"] != nil && keys["request_id"] != nil
		delete(keys, "code")
		delete(keys, "request_id")
		delete(keys, "values")
	}
	if !valid || len(keys) != 3 {
		t.Fatalf("HTTP %d is not the envelope: %s", a.status, a.body)
	}
	must(t, json.Unmarshal(a.body, &e))
	return e
}

type fields map[string]any

// try makes a POST call and returns the status and the envelope.
func (s site) try(call string, body any) (int, envelope) {
	s.t.Helper()
	raw, err := json.Marshal(body)
	must(s.t, err)
	a := s.send(http.MethodPost, "/"+prefix+"/"+call, "application/json", raw)
	return a.status, a.envelope(s.t)
}

// refused makes a POST call that must be refused and returns the message.
func (s site) refused(call string, body any) string {
	s.t.Helper()
	status, e := s.try(call, body)
	if status != http.StatusOK || e.Success || e.Message == "" || string(e.Data) != "null" {
		s.t.Fatalf("%s: HTTP %d, %+v, want a refusal", call, status, e)
	}
	return e.Message
}

// post makes a POST call that must succeed and decodes its data into into.
func (s site) post(call string, body, into any) {
	s.t.Helper()
	status, e := s.try(call, body)
	s.accept(call, status, e, into)
}

// get makes a GET call that must succeed and decodes its data into into.
func (s site) get(call string, into any) {
	s.t.Helper()
	a := s.send(http.MethodGet, "/"+prefix+"/"+call, "", nil)
	s.accept(call, a.status, a.envelope(s.t), into)
}

func (s site) accept(call string, status int, e envelope, into any) {
	s.t.Helper()
	if status != http.StatusOK || !e.Success {
		s.t.Fatalf("%s: HTTP %d, %q", call, status, e.Message)
	}
	if err := json.Unmarshal(e.Data, into); err != nil {
		s.t.Fatalf("%s: %v in %s", call, err, e.Data)
	}
}

// dev calls a control of the dev network; a nil body means GET.
func (s site) dev(path string, body, into any) {
	s.t.Helper()
	method, contentType := http.MethodGet, ""
	var raw []byte
	if body != nil {
		method, contentType = http.MethodPost, "application/json"
		var err error
		raw, err = json.Marshal(body)
		must(s.t, err)
	}
	s.port = cmp.Or(s.controls, s.port)
	a := s.send(method, "/dev/"+path, contentType, raw)
	if a.status != http.StatusOK {
		s.t.Fatalf("/dev/%s %s: HTTP %d %s", path, raw, a.status, a.body)
	}
	if into == nil {
		return
	}
	if err := json.Unmarshal(a.body, into); err != nil {
		s.t.Fatalf("/dev/%s: %v in %s", path, err, a.body)
	}
}

func (s site) mine(blocks int64) {
	s.t.Helper()
	s.dev("mine", fields{"blocks": blocks}, nil)
}

func (s site) reorg(depth int64) {
	s.t.Helper()
	s.dev("reorg", fields{"depth": depth}, nil)
}

// nextEpoch ends the current epoch and returns the number of the next one.
func (s site) nextEpoch() int64 {
	s.t.Helper()
	var out struct{ Epoch int64 }
	s.dev("epoch/advance", fields{}, &out)
	return out.Epoch
}

func (s site) advanceClock(by time.Duration) {
	s.t.Helper()
	s.dev("clock/advance", fields{"seconds": int64(by / time.Second)}, nil)
}

func (s site) broadcast(tx string) (txid string) {
	s.t.Helper()
	var out struct{ TxID string }
	s.dev("broadcast", fields{"tx": tx}, &out)
	return out.TxID
}

func (s site) coins(a account) (coins []coin) {
	s.t.Helper()
	s.dev("utxos?address="+a.text, nil, &coins)
	return coins
}

// confirmations returns the number of confirmations of a transaction.
func (s site) confirmations(txid string) int64 {
	s.t.Helper()
	var out struct{ Confirmations int64 }
	s.dev("tx?txid="+txid, nil, &out)
	return out.Confirmations
}

func (s site) runeID() string {
	s.t.Helper()
	var info struct {
		Communities []struct {
			Prefix string
			RuneID string `json:"rune_id"`
		}
	}
	s.dev("info", nil, &info)
	for _, community := range info.Communities {
		if community.Prefix == prefix {
			return community.RuneID
		}
	}
	s.t.Fatalf("no community %q in %+v", prefix, info)
	return ""
}

// patience is the limit of a wait for what the server does soon on an idle machine. Only a test that fails waits so
// long.
const patience = 2 * time.Minute

// await polls until a condition holds, and fails the test after the limit.
func await(t testing.TB, limit time.Duration, what string, holds func() bool) {
	t.Helper()
	deadline := time.After(limit)
	tick := time.NewTicker(25 * time.Millisecond)
	defer tick.Stop()
	for !holds() {
		select {
		case <-deadline:
			t.Fatalf("not within %s: %s", limit, what)
		case <-tick.C:
		}
	}
}
