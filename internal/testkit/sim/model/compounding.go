package model

import (
	"context"
	"database/sql"
	"slices"
	"strconv"
	"strings"
	"time"
)

// instruction is a signed instruction to compound the rewards of the epochs first to last.
type instruction struct {
	id, owner   string // owner: script
	first, last int64
	ended       bool // by its owner, also by a new instruction
}

func (i *instruction) covers(epoch int64) bool { return i.first <= epoch && epoch <= i.last }

// instructionRow is a row of the server's instructions.
type instructionRow struct {
	id, owner   string
	first, last int64
	ended       bool
}

func readInstructions(ctx context.Context, db *sql.DB) (all []instructionRow, err error) {
	rows, err := db.QueryContext(ctx, `SELECT id, owner, first_epoch, last_epoch, ended_at FROM auto_compound`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var row instructionRow
		var ended int64
		if err := rows.Scan(&row.id, &row.owner, &row.first, &row.last, &ended); err != nil {
			return nil, err
		}
		row.ended = ended != 0
		all = append(all, row)
	}
	return all, rows.Err()
}

// Began records that a signed message began an instruction of an owner for a number of epochs, and ended the owner's
// earlier one. It returns a *Violation if the message covers another number of epochs, or a reward that its owner could
// already see.
func (m *Model) Began(actionID, ownerAddress, message string, epochs int64) error {
	owner, err := m.script(ownerAddress)
	if err != nil {
		return err
	}
	i := &instruction{id: actionID, owner: owner}
	for line := range strings.Lines(message) {
		label, number, _ := strings.Cut(strings.TrimSpace(line), ": ")
		switch label {
		case "First epoch":
			i.first, err = strconv.ParseInt(number, 10, 64)
		case "Last epoch":
			i.last, err = strconv.ParseInt(number, 10, 64)
		}
		if err != nil {
			return err
		}
	}
	if i.last-i.first+1 != epochs {
		return broken("an instruction covers as many epochs as its owner chose", "%s covers %d to %d, not %d",
			actionID, i.first, i.last, epochs)
	}
	old := m.current[owner]
	renews := old != nil && !old.ended && old.covers(i.first)
	for n := range m.settled {
		if n >= i.first && !renews {
			return broken("an instruction covers no settled epoch", "%s covers %d to %d, and %d is settled", actionID,
				i.first, i.last, n)
		}
	}
	if old != nil {
		old.ended = true
	}
	m.instructions[actionID], m.current[owner] = i, i
	return nil
}

// Ended records that an owner ended the instruction that a signed message names.
func (m *Model) Ended(ownerAddress string) error {
	owner, err := m.script(ownerAddress)
	if err != nil {
		return err
	}
	if m.current[owner] == nil || m.current[owner].ended {
		return broken("only an active instruction can be ended", "%s has none", ownerAddress)
	}
	m.current[owner].ended = true
	return nil
}

// ReadCompounded reads the rewards that instructions have compounded since its last call, by a server whose clock went
// from one time to another in between. It returns a *Violation if an instruction does not cover a reward, or if the
// server names another time.
func (m *Model) ReadCompounded(ctx context.Context, db *sql.DB, from, to time.Time) error {
	rows, err := db.QueryContext(ctx, `SELECT number, subject, owner, cause_id, at FROM journal
		WHERE number > $1 AND event = 'compound' AND cause_kind = 'instruction' ORDER BY number`, m.journalRead)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var unit, owner, cause string
		var seconds int64
		if err := rows.Scan(&m.journalRead, &unit, &owner, &cause, &seconds); err != nil {
			return err
		}
		at := time.Unix(seconds, 0)
		script, err := m.script(owner)
		if err != nil {
			return err
		}
		i := m.instructions[cause]
		n, is := rewardEpoch(unit)
		switch {
		case i == nil || i.owner != script || i.ended:
			return broken("only an active instruction of its owner compounds a reward", "%s was compounded by %q", unit,
				cause)
		case !is || !i.covers(n):
			return broken("an instruction compounds only the epochs that it names", "%s names %d to %d, not %s", cause,
				i.first, i.last, unit)
		case m.compounded[unit] != nil:
			return broken("a reward is compounded once", "%s", unit)
		case at.Before(from.Truncate(time.Second)) || at.After(to):
			return broken("an instruction compounds at the present time", "%s at %s", unit, at)
		}
		m.compounded[unit], m.intents[unit] = i, "COMPOUND"
		m.Acted("COMPOUND", []string{unit}, m.OnChain(at))
	}
	return rows.Err()
}

// instructed compares the server's instructions with the instructions that were signed and ended.
func (m *Model) instructed(b Tables) error {
	for unit := range m.compounded {
		if m.claimed[unit] {
			return broken("an instruction leaves a reward on its order", "%s", unit)
		}
	}
	if len(b.instructions) != len(m.instructions) {
		return broken("every instruction was signed", "%d are stored, %d were signed", len(b.instructions),
			len(m.instructions))
	}
	for _, row := range b.instructions {
		i := m.instructions[row.id]
		owner, err := m.script(row.owner)
		switch {
		case err != nil:
			return err
		case i == nil || i.owner != owner || i.first != row.first || i.last != row.last:
			return broken("every instruction was signed", "%+v", row)
		case i.ended && !row.ended:
			return broken("an instruction ends when its owner says so", "%s is active", row.id)
		case row.ended && !i.ended && !b.settled(row.last):
			return broken("an instruction holds until its last epoch", "%s has ended before epoch %d", row.id, row.last)
		}
	}
	return nil
}

func (b Tables) settled(epoch int64) bool {
	return slices.ContainsFunc(b.Epochs, func(e Epoch) bool { return e.Number == epoch && e.Settled })
}

// applied checks that every instruction has compounded the rewards that it covers and that were not on an order, and
// has ended with its last epoch. The server has followed the chain to its tip.
func (m *Model) applied(b Tables) error {
	for _, row := range b.instructions {
		if !row.ended && b.settled(row.last) {
			return broken("an instruction ends with its last epoch", "%s is active after epoch %d", row.id, row.last)
		}
	}
	for _, u := range b.Units {
		n, is := rewardEpoch(u.ID)
		if !is || u.Stage != "CLAIMABLE" || m.claimed[u.ID] {
			continue
		}
		owner, err := m.script(u.Owner)
		if err != nil {
			return err
		}
		if i := m.current[owner]; i != nil && !i.ended && i.covers(n) {
			return broken("an instruction compounds each reward that it covers", "%s is CLAIMABLE, %s covers %d to %d",
				u.ID, i.id, i.first, i.last)
		}
	}
	return nil
}

// Compounded counts the rewards that instructions compounded, and the covered rewards that they left on an order.
func (m *Model) Compounded(b Tables) (compounded, left int, err error) {
	for _, u := range b.Units {
		n, is := rewardEpoch(u.ID)
		if !is || !m.claimed[u.ID] {
			continue
		}
		owner, err := m.script(u.Owner)
		if err != nil {
			return 0, 0, err
		}
		for _, i := range m.instructions {
			if i.owner == owner && !i.ended && i.covers(n) {
				left++
			}
		}
	}
	return len(m.compounded), left, nil
}

// Restored checks a ledger that was restored from a backup: it has compounded nothing since, and has ended every
// instruction if it has followed the chain to its tip and is not paused. before is the number of the last posting in
// the backup. It returns the number of instructions that ended because of the restore.
func Restored(ctx context.Context, db *sql.DB, before int64, followed bool) (ended int, err error) {
	var compounded, active int
	var paused string
	if err := db.QueryRowContext(ctx, `SELECT
		(SELECT COUNT(*) FROM journal WHERE number > $1 AND event = 'compound' AND cause_kind = 'instruction'),
		(SELECT COUNT(*) FROM journal WHERE number > $1 AND event = 'auto compound restored'),
		(SELECT COUNT(*) FROM auto_compound WHERE ended_at = 0),
		COALESCE((SELECT MAX(value) FROM setting WHERE name = 'pause_all'), '')`, before,
	).Scan(&compounded, &ended, &active, &paused); err != nil {
		return 0, err
	}
	if compounded > 0 || (followed && paused == "" && active > 0) {
		return 0, broken("a restore ends every instruction", "%d rewards were compounded, %d instructions are active",
			compounded, active)
	}
	return ended, nil
}
