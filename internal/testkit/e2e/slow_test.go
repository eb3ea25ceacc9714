package e2e

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// serverTimeout is longer than the server's timeout for the headers and body of a request.
const serverTimeout = 25 * time.Second

// slow is a connection on which the client sends single bytes with long pauses.
type slow struct {
	net.Conn
	rest string
}

// TestSlowConnections opens a thousand connections that send headers or bodies very slowly. Reads on other connections
// must remain fast, and the server must close every slow connection.
func TestSlowConnections(t *testing.T) {
	h := newDevServer(t, "")
	body := `{"w_wallet_code":"x"`
	head := fmt.Sprintf("POST /%s/postInfoWallet HTTP/1.1\r\nHost: lobo.localhost\r\nContent-Type: application/json\r\n",
		prefix)
	var held []*slow
	for n := range 1_000 {
		conn, err := net.Dial("tcp", fmt.Sprintf("127.0.0.1:%d", h.port))
		must(t, err)
		defer conn.Close()
		text := head // the headers never end
		if n%2 == 0 {
			text += fmt.Sprintf("Content-Length: %d\r\n\r\n", 10*len(body)) // the body never ends
		}
		_, err = conn.Write([]byte(text))
		must(t, err)
		held = append(held, &slow{conn, strings.Repeat("x", 100)})
	}
	started := time.Now()
	reads := 0
	for ; reads < 300; reads++ {
		if reads%10 == 0 {
			trickle(held)
		}
		var globals map[string]any
		h.get("infoGlobals", &globals)
	}
	took := time.Since(started)
	if took > serverTimeout {
		t.Errorf("%d reads took %s while slow connections were open", reads, took)
	}
	var ended sync.WaitGroup
	var lock sync.Mutex
	open := 0
	for _, s := range held {
		ended.Go(func() {
			must(t, s.SetReadDeadline(started.Add(serverTimeout)))
			if _, err := io.Copy(io.Discard, s); errors.Is(err, os.ErrDeadlineExceeded) {
				lock.Lock()
				defer lock.Unlock()
				open++
			}
		})
	}
	ended.Wait()
	if open > 0 {
		t.Errorf("%d of %d slow connections are still open after %s", open, len(held), serverTimeout)
	}
	h.stop()
}

func trickle(held []*slow) {
	for _, s := range held {
		if s.rest != "" {
			s.Write([]byte(s.rest[:1])) // fails if the server has closed the connection
			s.rest = s.rest[1:]
		}
	}
}

// TestBrokenHTTP sends malformed HTTP. The server must reject it or close the connection, and continue to serve other
// requests.
func TestBrokenHTTP(t *testing.T) {
	h := newDevServer(t, "")
	post := "POST /" + prefix + "/postInfoWallet HTTP/1.1\r\nHost: lobo.localhost\r\nContent-Type: application/json\r\n"
	for name, text := range map[string]string{
		"no HTTP": "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
		"zeros":   strings.Repeat("\x00", 5_000),
		"no host": "GET /" + prefix + "/infoGlobals HTTP/1.1\r\n\r\n",
		"two hosts": "GET /" + prefix +
			"/infoGlobals HTTP/1.1\r\nHost: lobo.localhost\r\nHost: evil.example\r\n\r\n",
		"huge header":  "GET / HTTP/1.1\r\nHost: lobo.localhost\r\nX: " + strings.Repeat("x", 1<<20) + "\r\n\r\n",
		"many headers": "GET / HTTP/1.1\r\nHost: lobo.localhost\r\n" + strings.Repeat("X: y\r\n", 100_000) + "\r\n",
		"length and chunks": post + "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /" + prefix +
			"/status HTTP/1.1\r\nHost: evil.example\r\n\r\n",
		"two lengths":           post + "Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}x",
		"negative length":       post + "Content-Length: -1\r\n\r\n{}",
		"length beyond a body":  post + "Content-Length: 9223372036854775807\r\n\r\n{}",
		"chunk beyond a body":   post + "Transfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n{}",
		"odd transfer encoding": post + "Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
		"bare line feed":        "GET / HTTP/1.1\nHost: lobo.localhost\nX : y\n\n",
		"HTTP/2 preface":        "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
		"absolute target":       "GET http://evil.example/ HTTP/1.1\r\nHost: lobo.localhost\r\n\r\n",
		"CONNECT":               "CONNECT 127.0.0.1:22 HTTP/1.1\r\nHost: 127.0.0.1:22\r\n\r\n",
		"header injected":       "GET /x HTTP/1.1\r\nHost: lobo.localhost\r\nX: a\r\n b\x00\r\n\r\n",
	} {
		t.Run(name, func(t *testing.T) {
			conn, err := net.Dial("tcp", fmt.Sprintf("127.0.0.1:%d", h.port))
			must(t, err)
			defer conn.Close()
			must(t, conn.SetDeadline(time.Now().Add(serverTimeout)))
			if _, err := conn.Write([]byte(text)); err != nil && !errors.Is(err, syscall.EPIPE) &&
				!errors.Is(err, syscall.ECONNRESET) {
				t.Fatal(err)
			}
			conn.(*net.TCPConn).CloseWrite() // fails if the connection is closed
			response, err := http.ReadResponse(bufio.NewReader(conn), nil)
			if err != nil {
				return // closed
			}
			defer response.Body.Close()
			if response.StatusCode < 400 || response.StatusCode >= 500 && response.StatusCode != http.StatusNotImplemented &&
				response.StatusCode != http.StatusHTTPVersionNotSupported {
				t.Errorf("got status %s, want 4xx, 501 or 505", response.Status)
			}
		})
	}
	var globals map[string]any
	h.get("infoGlobals", &globals)
	h.stop()
}
