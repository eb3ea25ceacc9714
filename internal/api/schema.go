package api

import (
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"moonfund/internal/amount"
	"moonfund/internal/fault"
)

//go:embed openapi.json
var documentJSON []byte

// document is the part of openapi.yaml that the handler uses: the calls and the schemas of their bodies.
type document struct {
	Paths      map[string]map[string]json.RawMessage `json:"paths"`
	Components struct {
		Schemas       map[string]*schema `json:"schemas"`
		RequestBodies map[string]content `json:"requestBodies"`
	} `json:"components"`
}

type content struct {
	Ref     string `json:"$ref"`
	Content map[string]struct {
		Schema *schema `json:"schema"`
	} `json:"content"`
}

// schema is the subset of JSON Schema that request bodies use.
type schema struct {
	Ref        string             `json:"$ref"`
	Type       any                `json:"type"` // a string or a list of strings
	Required   []string           `json:"required"`
	Properties map[string]*schema `json:"properties"`
	Items      *schema            `json:"items"`
	Enum       []string           `json:"enum"`
	MaxLength  int                `json:"maxLength"`
	MaxItems   int                `json:"maxItems"`
	GoType     string             `json:"x-go-type"`
}

// operation is one call: its name and the schema of its body, nil if it has none.
type operation struct {
	ID          string   `json:"operationId"`
	RequestBody *content `json:"requestBody"`
	body        *schema
}

// calls maps path template and method to the operations of a community.
type calls map[string]map[string]operation

// readDocument parses the document. It omits paths with their own servers, which are not below a community's prefix.
func readDocument(raw []byte) (document, calls, error) {
	var d document
	if err := json.Unmarshal(raw, &d); err != nil {
		return d, nil, fmt.Errorf("openapi.json: %w", err)
	}
	all := calls{}
	for path, methods := range d.Paths {
		if _, elsewhere := methods["servers"]; elsewhere {
			continue
		}
		all[path] = map[string]operation{}
		for method, raw := range methods {
			var op operation
			if err := json.Unmarshal(raw, &op); err != nil {
				return d, nil, fmt.Errorf("openapi.json: %s %s: %w", method, path, err)
			}
			op.body = d.bodyOf(op)
			all[path][strings.ToUpper(method)] = op
		}
	}
	return d, all, nil
}

// bodyOf returns the schema of an operation's body, or nil if it has none.
func (d document) bodyOf(op operation) *schema {
	if op.RequestBody == nil {
		return nil
	}
	body := *op.RequestBody
	if body.Ref != "" {
		body = d.Components.RequestBodies[last(body.Ref)]
	}
	return d.resolve(body.Content["application/json"].Schema)
}

// resolve follows references to the schema that they name.
func (d document) resolve(s *schema) *schema {
	for s != nil && s.Ref != "" {
		s = d.Components.Schemas[last(s.Ref)]
	}
	return s
}

// last returns the part of a path or reference after its last slash.
func last(ref string) string { return ref[strings.LastIndex(ref, "/")+1:] }

// check compares a parsed value with its schema and returns it with known keys only, because the generated decoder
// ignores the case of keys. name is the name of the value in error messages.
func (d document) check(value any, s *schema, name string) (any, error) {
	s = d.resolve(s)
	switch {
	case s.GoType == "Amount":
		return value, checkAmount(value, name)
	case s.GoType == "Flag":
		return value, checkFlag(value, name)
	case s.Type == "object":
		return d.checkObject(value, s, name)
	case s.Type == "array":
		return d.checkArray(value, s, name)
	case s.Type == "string":
		return value, checkString(value, s, name)
	case s.Type == "boolean":
		if _, ok := value.(bool); !ok {
			return nil, fault.Reject(fault.WrongType, name, "true or false")
		}
		return value, nil
	case s.Type == "integer", s.Type == "number":
		return value, checkNumber(value, s, name)
	}
	return nil, fmt.Errorf("openapi.json: %s has a type that requests don't use: %v", name, s.Type)
}

func (d document) checkObject(value any, s *schema, name string) (any, error) {
	object, ok := value.(map[string]any)
	if !ok {
		return nil, fault.Reject(fault.WrongType, name, "an object")
	}
	for _, key := range s.Required {
		if object[key] == nil {
			return nil, fault.Reject(fault.MissingKey, key)
		}
	}
	known := map[string]any{}
	for key, property := range s.Properties {
		if object[key] == nil {
			continue // null means absent
		}
		checked, err := d.check(object[key], property, key)
		if err != nil {
			return nil, err
		}
		known[key] = checked
	}
	return known, nil
}

func (d document) checkArray(value any, s *schema, name string) (any, error) {
	items, ok := value.([]any)
	if !ok {
		return nil, fault.Reject(fault.WrongType, name, "a list")
	}
	if s.MaxItems > 0 && len(items) > s.MaxItems {
		return nil, fault.Reject(fault.TooLong, name, s.MaxItems)
	}
	for i, item := range items {
		if _, err := d.check(item, s.Items, fmt.Sprintf("%s[%d]", name, i)); err != nil {
			return nil, err
		}
	}
	return items, nil
}

func checkString(value any, s *schema, name string) error {
	text, ok := value.(string)
	if !ok {
		return fault.Reject(fault.WrongType, name, "a text")
	}
	if s.MaxLength > 0 && utf8.RuneCountInString(text) > s.MaxLength {
		return fault.Reject(fault.TooLong, name, s.MaxLength)
	}
	if len(s.Enum) == 0 {
		return nil
	}
	for _, allowed := range s.Enum {
		if text == allowed {
			return nil
		}
	}
	return fault.Reject(fault.NotOneOf, name, strings.Join(s.Enum, ", "))
}

func checkAmount(value any, name string) error {
	var text string
	switch v := value.(type) {
	case string:
		text = v
	case json.Number:
		text = v.String()
	default:
		return fault.Reject(fault.WrongType, name, "a whole number of base units, as a text of digits or a JSON integer")
	}
	_, err := amount.ParseRunes(text)
	switch {
	case errors.Is(err, amount.ErrOverflow):
		return fault.Reject(fault.AmountTooHuge, name)
	case err != nil:
		return fault.Reject(fault.NotAmount, name)
	}
	return nil
}

// checkNumber accepts integers of 64 bits, or finite floating-point numbers.
func checkNumber(value any, s *schema, name string) error {
	number, ok := value.(json.Number)
	if s.Type == "integer" {
		if _, err := number.Int64(); !ok || err != nil {
			return notInteger(name, string(number))
		}
		return nil
	}
	if _, err := number.Float64(); !ok || err != nil {
		return fault.Reject(fault.WrongType, name, "a number")
	}
	return nil
}

func checkFlag(value any, name string) error {
	if value == true || value == false || value == "true" || value == "false" {
		return nil
	}
	return fault.Reject(fault.WrongType, name, "true or false")
}
