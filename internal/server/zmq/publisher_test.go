package zmq

import (
	"bytes"
	"encoding/binary"
	"io"
	"net"
	"slices"
	"sync"
	"testing"

	"github.com/btcsuite/btcd/chainhash/v2"
)

// publisher is a ZeroMQ publisher (ZMTP 3.0) of one topic. It starts its counter at 0, as a node does.
type publisher struct {
	t        testing.TB
	listener net.Listener
	counter  uint32

	mu    sync.Mutex
	conns []net.Conn
}

// publish listens on an address; port 0 chooses a port.
func publish(t testing.TB, address string) *publisher {
	t.Helper()
	listener, err := net.Listen("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	p := &publisher{t: t, listener: listener}
	t.Cleanup(p.stop)
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go p.shake(conn)
		}
	}()
	return p
}

func (p *publisher) address() string { return "tcp://" + p.listener.Addr().String() }

// stop ends the publisher, as when the node is stopped.
func (p *publisher) stop() {
	_ = p.listener.Close()
	p.disconnect()
}

// disconnect closes the connections.
func (p *publisher) disconnect() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, conn := range p.conns {
		_ = conn.Close()
	}
	p.conns = nil
}

// subscribers returns the number of subscribed connections.
func (p *publisher) subscribers() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.conns)
}

// shake does the handshake of ZMTP 3.0 with the NULL mechanism, and reads the subscription.
func (p *publisher) shake(conn net.Conn) {
	greeting := make([]byte, 64)
	copy(greeting, []byte{0xff, 9: 0x7f, 10: 3})
	copy(greeting[12:], "NULL")
	ready := append([]byte{5}, "READY\x0bSocket-Type\x00\x00\x00\x03PUB"...)
	_, _ = conn.Write(greeting)
	_, _ = conn.Write(append([]byte{4, byte(len(ready))}, ready...))
	if _, err := io.ReadFull(conn, greeting); err != nil {
		return
	}
	for _, command := range []bool{true, false} { // READY, then the subscription
		var header [2]byte
		if _, err := io.ReadFull(conn, header[:]); err != nil || (header[0]&4 != 0) != command {
			return
		}
		if _, err := io.CopyN(io.Discard, conn, int64(header[1])); err != nil {
			return
		}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.conns = append(p.conns, conn)
}

// send publishes a message of the label A, R, C or D.
func (p *publisher) send(label byte, id chainhash.Hash) {
	p.t.Helper()
	body := slices.Clone(id[:])
	slices.Reverse(body)
	body = append(body, label)
	if label == 'A' || label == 'R' {
		body = binary.LittleEndian.AppendUint64(body, uint64(p.counter)+1)
	}
	p.frames([]byte(topic), body, binary.LittleEndian.AppendUint32(nil, p.counter))
	p.counter++
}

// frames writes a message of short frames to every subscriber.
func (p *publisher) frames(frames ...[]byte) {
	var wire bytes.Buffer
	for i, frame := range frames {
		more := byte(1)
		if i == len(frames)-1 {
			more = 0
		}
		wire.Write([]byte{more, byte(len(frame))})
		wire.Write(frame)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, conn := range p.conns {
		if _, err := conn.Write(wire.Bytes()); err != nil {
			p.t.Logf("publisher: %v", err)
		}
	}
}
