package api

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"
)

// TestEarlyRefusalsHaveTheEnvelope checks requests that are refused before a call is found.
func TestEarlyRefusalsHaveTheEnvelope(t *testing.T) {
	b := build(t, nil)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := NewServer("", b.Config.Handler, b.hub)
	go server.Serve(Listener(listener))
	t.Cleanup(func() { server.Close() })
	for name, row := range map[string]struct {
		request string
		status  int
	}{
		"a header that is too large": {"GET /lobo/status HTTP/1.1\r\nHost: localhost\r\nX: " + strings.Repeat("x",
			64<<10) + "\r\n\r\n", 431},
		"no HTTP":         {"hello\r\n\r\n", 400},
		"no host":         {"GET /lobo/status HTTP/1.1\r\n\r\n", 400},
		"another version": {"GET / HTTP/9.9\r\nHost: localhost\r\n\r\n", 505},
		"a call":          {"GET /lobo/status HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", 200},
	} {
		conn, err := net.Dial("tcp", listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		conn.SetDeadline(time.Now().Add(20 * time.Second))
		fmt.Fprint(conn, row.request)
		response, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		var e map[string]any
		err = json.NewDecoder(response.Body).Decode(&e)
		conn.Close()
		if err != nil || response.StatusCode != row.status || response.Header.Get("Content-Type") != "application/json" ||
			e["success"] != (row.status == 200) || row.status != 200 && (e["message"] == "" || e["code"] == nil || len(e) != 4) {
			t.Errorf("%s: HTTP %d, %v, %v", name, response.StatusCode, e, err)
		}
	}
}

// TestAddressesHaveOneForm checks that an address in upper case, as in QR codes, is the same address.
func TestAddressesHaveOneForm(t *testing.T) {
	b := build(t, nil)
	_, want := b.call(t, "postInfoWallet", wallets(""))
	loud := strings.NewReplacer(ordinalsAddr, strings.ToUpper(ordinalsAddr), paymentAddr,
		strings.ToUpper(paymentAddr)).Replace(wallets(""))
	status, got := b.call(t, "postInfoWallet", loud)
	if status != 200 || string(got) != string(want) {
		t.Errorf("HTTP %d %s, want %s", status, got, want)
	}
}

// TestNumbersOutOfRange checks that an integer beyond 64 bits is reported as out of range, not as a syntax error.
func TestNumbersOutOfRange(t *testing.T) {
	b := build(t, nil)
	for query, want := range map[string]string{
		"?limit=99999999999999999999": "limit must be between", "?before=99999999999999999999": "before must be between",
		"?limit=-1": "limit must be between 1 and 500.", "?limit=x": "limit must be a whole number.",
		"?limit=1.5": "limit must be a whole number.",
	} {
		response, err := b.Client().Get(b.URL + "/lobo/epochs" + query)
		if err != nil {
			t.Fatal(err)
		}
		var e map[string]any
		err = json.NewDecoder(response.Body).Decode(&e)
		response.Body.Close()
		if text, _ := e["message"].(string); err != nil || response.StatusCode != 400 || !strings.Contains(text, want) {
			t.Errorf("%s: HTTP %d %v, want %q", query, response.StatusCode, e, want)
		}
	}
}
