package statement

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// ErrForm means that a text is not the canonical JSON of the expected type.
var ErrForm = errors.New("statement: not in canonical form")

// canonical returns the canonical JSON of a value whose structs have their fields in the order of their JSON names and
// whose strings are printable ASCII. A test compares the result with a library for RFC 8785.
func canonical(value any) ([]byte, error) {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return nil, fmt.Errorf("statement: %w", err)
	}
	return bytes.TrimSuffix(out.Bytes(), []byte("\n")), nil
}

// decode parses one JSON value without unknown fields.
func decode(text []byte, into any) error {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(into); err != nil {
		return fmt.Errorf("%w: %w", ErrForm, err)
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return fmt.Errorf("%w: data follows it", ErrForm)
	}
	return nil
}

// same returns an error unless encode returns the text.
func same(text []byte, encode func() ([]byte, error)) error {
	again, err := encode()
	if err != nil {
		return err
	}
	if !bytes.Equal(again, text) {
		return ErrForm
	}
	return nil
}
