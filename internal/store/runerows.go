package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"

	"github.com/btcsuite/btcd/wire/v2"
	"github.com/pressly/goose/v3"
	"lukechampine.com/uint128"

	"moonfund/internal/bitcoin/runes"
)

// runeRowsVersion is the version of the schema in which the binary rows of the rune index are filled. It is between two
// migrations in SQL: version 31 creates the new tables, version 33 drops the old ones.
const runeRowsVersion = 32

// fillRuneRows converts the rune index from JSON to binary rows, in one transaction. A row that can't be read is an
// error, which leaves the ledger as it was.
func fillRuneRows() *goose.Migration {
	return goose.NewGoMigration(runeRowsVersion, &goose.GoFunc{RunTx: func(ctx context.Context, tx *sql.Tx) error {
		for _, c := range []conversion{
			{
				from: `SELECT id, name, entry FROM rune_entry WHERE id > $1 ORDER BY id LIMIT 5000`,
				into: `INSERT INTO rune_entry_of (id, name, entry) VALUES ($1, $2, $3)`,
				row:  binaryEntry,
			},
			{
				from: `SELECT outpoint, '', balances FROM rune_balance WHERE outpoint > $1 ORDER BY outpoint LIMIT 5000`,
				into: `INSERT INTO rune_balance_of (outpoint, balances) VALUES ($1, $2)`,
				row:  binaryBalances,
			},
		} {
			if err := convertRows(ctx, tx, c); err != nil {
				return err
			}
		}
		return nil
	}}, nil)
}

func binaryEntry(id, name, text string) ([]any, error) {
	var entry runes.Entry
	err := json.Unmarshal([]byte(text), &entry)
	if err == nil && (entry.ID.String() != id || entry.Name.String() != name) {
		err = fmt.Errorf("it is the entry of %s, %s", entry.ID, entry.Name)
	}
	return []any{id, name, runes.EncodeEntry(entry)}, err
}

func binaryBalances(outpoint, _, text string) ([]any, error) {
	point, err := wire.NewOutPointFromString(outpoint)
	if err != nil {
		return nil, err
	}
	balances, err := readBalances(text)
	if err != nil {
		return nil, err
	}
	data := runes.EncodeBalances(balances)
	_, err = runes.DecodeBalances(data) // refuse what could not be read later
	return []any{runes.EncodeOutPoint(*point), data}, err
}

// conversion is how the rows of one table are converted. from selects the rows after a key, which is the first of three
// columns.
type conversion struct {
	from, into string
	row        func(key, second, third string) ([]any, error)
}

// convertRows converts all rows of a table, some thousand at a time: PostgreSQL can't insert while it reads a result.
func convertRows(ctx context.Context, tx *sql.Tx, c conversion) error {
	insert, err := tx.PrepareContext(ctx, c.into)
	if err != nil {
		return err
	}
	defer insert.Close()
	for last := ""; ; {
		part, err := rowsAfter(ctx, tx, c.from, last)
		if err != nil || len(part) == 0 {
			return err
		}
		for _, old := range part {
			values, err := c.row(old[0], old[1], old[2])
			if err != nil {
				return fmt.Errorf("rune index: the row of %s can't be read: %w", old[0], err)
			}
			if _, err := insert.ExecContext(ctx, values...); err != nil {
				return err
			}
			last = old[0]
		}
	}
}

func rowsAfter(ctx context.Context, tx *sql.Tx, query, key string) (part [][3]string, err error) {
	rows, err := tx.QueryContext(ctx, query, key)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var row [3]string
		if err := rows.Scan(&row[0], &row[1], &row[2]); err != nil {
			return nil, err
		}
		part = append(part, row)
	}
	return part, rows.Err()
}

// heldRune is a balance in JSON: the rune's id and a decimal amount. Outputs of mint and etch orders are stored so, and
// the rune index was before runeRowsVersion.
type heldRune struct {
	ID     string `json:"id"`
	Amount string `json:"amount"`
}

func readBalances(text string) ([]runes.Balance, error) {
	var held []heldRune
	if err := json.Unmarshal([]byte(text), &held); err != nil {
		return nil, fmt.Errorf("store: rune balances: %w", err)
	}
	balances := make([]runes.Balance, len(held))
	for i, h := range held {
		var err error
		if balances[i].ID, err = runes.ParseID(h.ID); err != nil {
			return nil, err
		}
		if balances[i].Amount, err = uint128.FromString(h.Amount); err != nil {
			return nil, err
		}
	}
	return balances, nil
}

func writeBalances(balances []runes.Balance) (string, error) {
	held := make([]heldRune, len(balances))
	for i, b := range balances {
		held[i] = heldRune{b.ID.String(), b.Amount.String()}
	}
	text, err := json.Marshal(held)
	return string(text), err
}
