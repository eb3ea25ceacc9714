package api

import (
	"encoding/json"
	"fmt"
	"net"
	"regexp"

	"moonfund/internal/fault"
)

// Listener returns a listener on whose connections the envelope is written for requests that net/http refuses before
// any handler runs: requests with too large headers (431) and requests that are not HTTP (400, 501, 505).
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

// plainRefusal matches the complete head of a response that net/http writes without a handler. Responses of a handler
// have a Date.
var plainRefusal = regexp.MustCompile(
	`^HTTP/1\.1 (\d{3} [A-Za-z ]+)[^\r\n]*\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n`)

// Write writes the response of a handler unchanged, and replaces a refusal of net/http by the envelope.
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

// CloseWrite closes the write side, which net/http uses so that the client can still read the response.
func (c refusingConn) CloseWrite() error {
	if half, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return nil
}
