package store

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// copyReader reads the lines of a copy after its head.
type copyReader struct {
	lines *json.Decoder
	ahead json.RawMessage // a line that was read and is not a row: the next table, or the end; nil if there is none
	rows  int64
}

func (c *copyReader) next() (json.RawMessage, error) {
	var line json.RawMessage
	err := c.lines.Decode(&line)
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, errors.New("it ends too early")
	}
	return line, err
}

// table returns the next table, or more = false at the end of a complete copy.
func (c *copyReader) table() (t copyTable, more bool, err error) {
	if c.ahead == nil {
		if c.ahead, err = c.next(); err != nil {
			return t, false, err
		}
	}
	var line struct {
		copyTable
		copyEnd
	}
	if err := json.Unmarshal(c.ahead, &line); err != nil {
		return t, false, err
	}
	if line.Table == "" {
		if line.Rows != c.rows {
			return t, false, fmt.Errorf("it has %d rows of %d", c.rows, line.Rows)
		}
		return t, false, nil
	}
	c.ahead = nil
	return line.copyTable, true, nil
}

// insert inserts the rows of a table up to the first line that is not a row.
func (c *copyReader) insert(ctx context.Context, tx *sql.Tx, t copyTable) error {
	places := make([]string, len(t.Columns))
	for i := range places {
		places[i] = fmt.Sprintf("$%d", i+1)
	}
	statement, err := tx.PrepareContext(ctx,
		`INSERT INTO `+t.Table+` (`+strings.Join(t.Columns, ", ")+`) VALUES (`+strings.Join(places, ", ")+`)`)
	if err != nil {
		return err
	}
	defer statement.Close()
	for {
		line, err := c.next()
		if err != nil {
			return err
		}
		if line[0] != '[' {
			c.ahead = line
			return nil
		}
		values, err := t.values(line)
		if err != nil {
			return err
		}
		if _, err := statement.ExecContext(ctx, values...); err != nil {
			return err
		}
		c.rows++
	}
}

// values parses the columns of one row.
func (t copyTable) values(line json.RawMessage) ([]any, error) {
	decoder := json.NewDecoder(bytes.NewReader(line))
	decoder.UseNumber()
	var values []any
	if err := decoder.Decode(&values); err != nil {
		return nil, err
	}
	if len(values) != len(t.Columns) {
		return nil, fmt.Errorf("a row has %d values for %d columns", len(values), len(t.Columns))
	}
	for i, value := range values {
		var err error
		switch text := value.(type) {
		case json.Number:
			values[i], err = text.Int64()
		case string:
			if slices.Contains(t.Bytes, i) {
				values[i], err = base64.StdEncoding.DecodeString(text)
			}
		default:
			err = fmt.Errorf("%v is neither a number nor a text", value)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", t.Columns[i], err)
		}
	}
	return values, nil
}
