package api

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"unicode/utf8"

	"moonfund/internal/fault"
)

// maxDepth is the maximum nesting of a request. The wire format needs 2.
const maxDepth = 8

// parseObject parses a body that is one JSON object (RFC 8259) in valid UTF-8 without duplicate keys. Numbers become
// json.Number, so that they are not rounded.
func parseObject(body []byte) (map[string]any, error) {
	if !utf8.Valid(body) {
		return nil, fault.Reject(fault.NotJSON)
	}
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.UseNumber()
	value, err := parseValue(decoder, 0)
	if err != nil {
		return nil, err
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return nil, fault.Reject(fault.TrailingData)
	}
	object, ok := value.(map[string]any)
	if !ok {
		return nil, fault.Reject(fault.NotObject)
	}
	return object, nil
}

// parseValue parses a value at a depth of nesting.
func parseValue(decoder *json.Decoder, depth int) (any, error) {
	if depth > maxDepth {
		return nil, fault.Reject(fault.TooDeep)
	}
	token, err := decoder.Token()
	if err != nil {
		return nil, fault.Reject(fault.NotJSON).Because(err)
	}
	switch token {
	case json.Delim('{'):
		return parseMembers(decoder, depth)
	case json.Delim('['):
		return parseItems(decoder, depth)
	}
	return token, nil
}

func parseMembers(decoder *json.Decoder, depth int) (map[string]any, error) {
	members := map[string]any{}
	for decoder.More() {
		token, err := decoder.Token()
		if err != nil {
			return nil, fault.Reject(fault.NotJSON).Because(err)
		}
		key, ok := token.(string)
		if !ok {
			return nil, fault.Reject(fault.NotJSON)
		}
		if _, twice := members[key]; twice {
			return nil, fault.Reject(fault.DuplicateKey, shorten(key))
		}
		if members[key], err = parseValue(decoder, depth+1); err != nil {
			return nil, err
		}
	}
	return members, closing(decoder)
}

func parseItems(decoder *json.Decoder, depth int) ([]any, error) {
	items := []any{}
	for decoder.More() {
		item, err := parseValue(decoder, depth+1)
		if err != nil {
			return nil, err
		}
		items = append(items, item)
	}
	return items, closing(decoder)
}

// closing reads the end of an object or a list.
func closing(decoder *json.Decoder) error {
	if _, err := decoder.Token(); err != nil {
		return fault.Reject(fault.NotJSON).Because(err)
	}
	return nil
}

// shorten truncates client text that an error message quotes.
func shorten(text string) string {
	if utf8.RuneCountInString(text) <= 40 {
		return text
	}
	return string([]rune(text)[:40]) + "…"
}
