package engine

import (
	"io"
	"net"
	"strconv"
	"sync"
	"testing"
)

// link is a TCP proxy to a port of this machine. While it is cut it forwards nothing in either direction, neither data
// nor the end of a connection, as if the network dropped every packet. Data that was sent meanwhile arrives after
// restore, because TCP repeats it. The operating system accepts a new connection, but no server answers it.
type link struct {
	port, target int
	listener     net.Listener

	mu     sync.Mutex
	flows  chan struct{} // closed while the link forwards
	isCut  bool
	closed chan struct{}
}

// newLink starts a proxy to a port, which ends with the test.
func newLink(t testing.TB, target int) *link {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	l := &link{port: listener.Addr().(*net.TCPAddr).Port, target: target, listener: listener,
		flows: make(chan struct{}), closed: make(chan struct{})}
	close(l.flows)
	go l.serve()
	t.Cleanup(func() { close(l.closed); _ = listener.Close() })
	return l
}

func (l *link) cut() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.isCut {
		l.isCut, l.flows = true, make(chan struct{})
	}
}

func (l *link) restore() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.isCut {
		l.isCut = false
		close(l.flows)
	}
}

// await blocks while the link is cut. It returns false after the test.
func (l *link) await() bool {
	l.mu.Lock()
	flows := l.flows
	l.mu.Unlock()
	select {
	case <-flows:
		return true
	case <-l.closed:
		return false
	}
}

func (l *link) serve() {
	for {
		client, err := l.listener.Accept()
		if err != nil { // the test has ended
			return
		}
		go l.forward(client)
	}
}

// forward connects a client to the target until one of them closes the connection.
func (l *link) forward(client net.Conn) {
	defer client.Close()
	if !l.await() {
		return
	}
	server, err := net.Dial("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(l.target)))
	if err != nil {
		return
	}
	defer server.Close()
	ended := make(chan struct{}, 2)
	for _, way := range [][2]net.Conn{{client, server}, {server, client}} {
		go func() { l.copy(way[1], way[0]); ended <- struct{}{} }()
	}
	select {
	case <-ended:
	case <-l.closed:
	}
}

// copy forwards the data of one side until that side ends.
func (l *link) copy(to io.Writer, from io.Reader) {
	buffer := make([]byte, 32<<10)
	for {
		n, err := from.Read(buffer)
		if !l.await() {
			return
		}
		if _, failed := to.Write(buffer[:n]); failed != nil || err != nil {
			return
		}
	}
}
