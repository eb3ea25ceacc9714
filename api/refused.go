package api

import (
	"encoding/json"
	"fmt"
	"net"
	"regexp"

	"moonfund/fault"
)

// Listener has what net/http refuses before any handler runs answered like every other refusal: a header that is too
// large (431), and a request that is not HTTP (400, 501, 505).
func Listener(l net.Listener) net.Listener { return refusingListener{l} }

type refusingListener struct{ net.Listener }

// Accept implements net.Listener.
func (l refusingListener) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return refusingConn{conn}, nil
}

type refusingConn struct{ net.Conn }

// plainRefusal is the whole head of what net/http writes by itself, in one piece. The head of a
// handler's answer has a Date.
var plainRefusal = regexp.MustCompile(
	`^HTTP/1\.1 (\d{3} [A-Za-z ]+)[^\r\n]*\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n`)

// Write passes on what a handler answers, and puts the envelope in the place of a refusal of net/http.
func (c refusingConn) Write(data []byte) (int, error) {
	refused := plainRefusal.FindSubmatch(data[:min(len(data), 512)])
	if refused == nil {
		return c.Conn.Write(data)
	}
	status, sentence := string(refused[1]), fault.NotHTTP
	if status[:3] == "431" {
		sentence = fault.HeaderTooLarge
	}
	body, err := json.Marshal(failure(fault.Reject(sentence)))
	if err != nil {
		return 0, err
	}
	body = append(body, '\n')
	_, err = fmt.Fprintf(c.Conn, "HTTP/1.1 %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\nConnection: "+
		"close\r\n\r\n%s",
		status, len(body), body)
	return len(data), err
}

// CloseWrite lets net/http end a connection so that the client still reads the answer.
func (c refusingConn) CloseWrite() error {
	if half, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return nil
}
