package chain

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/btcsuite/btcd/btcjson"
	"github.com/btcsuite/btcd/chainhash/v2"
)

// idList is a result that is a list of ids. A mempool has hundreds of thousands, in 67 bytes of JSON each, so a
// response is decoded while it is received, and its text is never in memory as a whole.
type idList struct {
	ids    []chainhash.Hash
	isRead bool // readResponse decoded the list
}

const (
	idDigits   = 2 * chainhash.HashSize
	listedSize = idDigits + 3 // bytes of an id in a list, with its quotes and a comma
)

// readResponse is the responseReader of the list. If the list does not start within the first 64 bytes, as in the
// responses of Core and btcd, the response is decoded from its whole text.
func (l *idList) readResponse(status int, size int64, body io.Reader) (*btcjson.Response, error) {
	const key, within = `"result":[`, 64
	*l = idList{}
	r := bufio.NewReader(body)
	head, _ := r.Peek(within) // a shorter body is no error
	before, _, found := bytes.Cut(head, []byte(key))
	if !found {
		return readResponse(status, size, r)
	}
	rest := append(slices.Clone(before), key...)
	if _, err := r.Discard(len(rest)); err != nil {
		return nil, err
	}
	if size > 0 {
		l.ids = make([]chainhash.Hash, 0, size/listedSize+1)
	}
	if err := l.readIDs(r); err != nil {
		return nil, fmt.Errorf("a list of ids: %w", err)
	}
	after, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	l.isRead = true
	return decodeResponse(status, slices.Concat(rest, []byte("]"), after))
}

// readIDs reads and appends the ids up to and including the closing bracket.
func (l *idList) readIDs(r *bufio.Reader) error {
	next, err := readToken(r)
	if next == ']' {
		return nil
	}
	for ; err == nil; next, err = readToken(r) {
		if next != '"' {
			return fmt.Errorf("%q instead of an id", next)
		}
		id, err := readID(r)
		if err != nil {
			return err
		}
		l.ids = append(l.ids, id)
		next, err = readToken(r)
		if err != nil || next == ']' {
			return err
		}
		if next != ',' {
			return fmt.Errorf("%q after an id", next)
		}
	}
	return err
}

// readID reads an id and the quote after it.
func readID(r *bufio.Reader) (chainhash.Hash, error) {
	text, err := r.Peek(idDigits + 1)
	if err != nil {
		return chainhash.Hash{}, incomplete(err)
	}
	if text[idDigits] != '"' {
		return chainhash.Hash{}, fmt.Errorf("an id that is not %d digits", idDigits)
	}
	id, err := decodeID(text[:idDigits])
	if err != nil {
		return chainhash.Hash{}, err
	}
	_, err = r.Discard(len(text))
	return id, err
}

// readToken reads the next byte that is not white space.
func readToken(r *bufio.Reader) (byte, error) {
	for {
		b, err := r.ReadByte()
		if err != nil {
			return 0, incomplete(err)
		}
		if b != ' ' && b != '\t' && b != '\r' && b != '\n' {
			return b, nil
		}
	}
}

// incomplete returns the error for the end of a body within a list.
func incomplete(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

// UnmarshalJSON decodes a list that readResponse has not decoded.
func (l *idList) UnmarshalJSON(text []byte) error {
	if l.isRead {
		return nil
	}
	var listed []string
	if err := json.Unmarshal(text, &listed); err != nil {
		return err
	}
	for _, text := range listed {
		id, err := decodeID([]byte(text))
		if err != nil {
			return err
		}
		l.ids = append(l.ids, id)
	}
	return nil
}

// decodeID decodes the reversed hex of an id. It does not allocate.
func decodeID(text []byte) (id chainhash.Hash, err error) {
	if len(text) != idDigits {
		return id, fmt.Errorf("an id of %d characters, want %d", len(text), idDigits)
	}
	if _, err := hex.Decode(id[:], text); err != nil {
		return id, err
	}
	slices.Reverse(id[:])
	return id, nil
}
