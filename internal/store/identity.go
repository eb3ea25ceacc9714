package store

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"moonfund/internal/bitcoin/vault"
	"moonfund/internal/staking/action"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/store/sqlc"
)

// ErrNoLedger is returned for a database in which no ledger was created.
var ErrNoLedger = errors.New("there is no ledger in this database")

// ledgerID is the name of the setting with the ledger's random id. A copy of a ledger has the same id.
const ledgerID = "ledger_id"

// LedgerID returns the ledger's id.
func (t *Tx) LedgerID(ctx context.Context) (string, error) { return t.Setting(ctx, ledgerID) }

// Create creates a ledger with a random id in a database, and returns the id. It returns an error if the database
// already has a ledger. An interrupted Create leaves no ledger and can be repeated.
func Create(ctx context.Context, url string) (id string, err error) {
	s, err := connect(url)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	if err := s.reachable(ctx); err != nil {
		return "", err
	}
	held, err := s.holdsLedger(ctx)
	if err != nil {
		return "", err
	}
	if held {
		return "", errors.New("this database holds a ledger already, and nothing was changed")
	}
	if err := s.migrate(ctx); err != nil {
		return "", err
	}
	return s.identify(ctx)
}

// OpenLedger opens the ledger at a URL for a server. It migrates a schema of an earlier version after it called before
// with the ledger as it is, for a backup; if before fails, nothing is migrated. If before is nil, OpenLedger returns
// ErrOlder for such a ledger. It returns ErrNoLedger, and changes nothing, if there is no ledger.
func OpenLedger(ctx context.Context, url string, before func(context.Context, *Store) error) (*Store, error) {
	if path, isFile := strings.CutPrefix(url, "sqlite:"); isFile {
		if _, err := os.Stat(path); errors.Is(err, os.ErrNotExist) {
			return nil, ErrNoLedger
		}
	}
	return openWith(ctx, url, func(s *Store, ctx context.Context) error {
		held, err := s.holdsLedger(ctx)
		if err != nil {
			return err
		}
		if !held {
			return ErrNoLedger
		}
		if err := s.agrees(ctx); err == nil || before == nil || !errors.Is(err, ErrOlder) {
			return err
		}
		if err := s.unserved(ctx); err != nil {
			return err
		}
		if err := before(ctx, s); err != nil {
			return fmt.Errorf("the backup before the migration failed, and nothing was migrated: %w", err)
		}
		return s.migrate(ctx)
	})
}

// holdsLedger reports whether the database has a ledger's id.
func (s *Store) holdsLedger(ctx context.Context) (bool, error) {
	_, current, _, err := s.versions(ctx)
	if err != nil || current == 0 {
		return false, err
	}
	var n int64
	err = s.direct.QueryRowContext(ctx, `SELECT COUNT(*) FROM setting WHERE name = $1`, ledgerID).Scan(&n)
	return n > 0, wrap(err)
}

// identify gives a new ledger a random id, unless another Create did, and returns the ledger's id.
func (s *Store) identify(ctx context.Context) (id string, err error) {
	if _, err := s.direct.ExecContext(ctx,
		`INSERT INTO setting (name, value) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING`, ledgerID,
		rand.Text()); err != nil {
		return "", wrap(err)
	}
	err = s.direct.QueryRowContext(ctx, `SELECT value FROM setting WHERE name = $1`, ledgerID).Scan(&id)
	return id, wrap(err)
}

// unserved returns an error if a server of another version uses the database, whose schema must not change. On SQLite
// the caller holds the ledger's lock. On PostgreSQL one of the running servers leads and renews its lease regularly;
// when it ends, another one acquires the lease.
func (s *Store) unserved(ctx context.Context) error {
	_, current, target, err := s.versions(ctx)
	if err != nil || current == target || !s.engine.shared {
		return err
	}
	before, err := s.leaseRow(ctx)
	if err != nil {
		return err
	}
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(leaseTimeout):
	}
	after, err := s.leaseRow(ctx)
	if err != nil {
		return err
	}
	if before.Token != after.Token || before.Beat != after.Beat {
		return fmt.Errorf("a server of another version works on this database: stop every server on it first. "+
			"Its schema is %d and this program's is %d", current, target)
	}
	return nil
}

// leaseRow returns the leader's lease, or a zero lease if no server ever led.
func (s *Store) leaseRow(ctx context.Context) (sqlc.Lease, error) {
	row, err := sqlc.New(s.direct).Lease(ctx)
	_, err = absent(err)
	return row, err
}

// Mark is the progress of a ledger, which is compared with the high-water mark of its key.
type Mark struct {
	Ledger     string // id
	Generation int64  // number of times that an operator chose to continue with an older copy

	// Counts never decrease: "journal" (postings), PayoutVersions and, for each community, "stake:PREFIX" (last address
	// index) and "first stake:PREFIX" (issued first addresses).
	Counts map[string]int64
}

// PayoutVersions is the name of the count of signed transactions.
const PayoutVersions = "payout version"

// Names of settings.
const (
	generation = "ledger_generation" // Mark.Generation
	behindMark = "ledger_behind"     // the mark that the ledger was found to be behind, as JSON; "" for none
)

// Mark returns the ledger's progress.
func (t *Tx) Mark(ctx context.Context) (s Mark, err error) {
	if s.Ledger, err = t.LedgerID(ctx); err != nil {
		return s, err
	}
	if s.Generation, err = t.numberSetting(ctx, generation); err != nil {
		return s, err
	}
	rows, err := t.q.Standing(ctx)
	s.Counts = make(map[string]int64, len(rows))
	for _, row := range rows {
		s.Counts[row.Name] = row.Value
	}
	return s, wrap(err)
}

func (t *Tx) numberSetting(ctx context.Context, name string) (n int64, err error) {
	text, err := t.Setting(ctx, name)
	if err != nil || text == "" {
		return 0, err
	}
	return strconv.ParseInt(text, 10, 64)
}

// FoundBehind pauses everything because this copy of the ledger is behind another copy, whose progress is mark. A
// search for deposits at the addresses that the other copy may have issued becomes due.
func (t *Tx) FoundBehind(ctx context.Context, mark Mark, reason string, at time.Time) error {
	text, err := json.Marshal(mark)
	if err != nil {
		return err
	}
	if err := t.PutSetting(ctx, behindMark, string(text)); err != nil {
		return err
	}
	own, err := t.Mark(ctx)
	if err != nil {
		return err
	}
	if err := t.PutStakeSearch(ctx, StakeSearch{Due: true, From: own.Counts}); err != nil {
		return err
	}
	return t.PauseByServer(ctx, PauseAll, reason, at)
}

// Behind returns the mark of the newer copy of this ledger, if one was found. ok is false if there is none, or if an
// operator chose to continue with this copy.
func (t *Tx) Behind(ctx context.Context) (mark Mark, ok bool, err error) {
	text, err := t.Setting(ctx, behindMark)
	if err != nil || text == "" {
		return mark, false, err
	}
	return mark, true, json.Unmarshal([]byte(text), &mark)
}

// AcceptBehind continues with this copy, in the next generation. It skips the address indexes that the other copy used,
// so that no index is issued twice.
func (t *Tx) AcceptBehind(ctx context.Context, mark Mark) error {
	for name, n := range mark.Counts {
		if !strings.HasPrefix(name, stakeCounter) {
			continue
		}
		if err := t.raiseCounter(ctx, name, n); err != nil {
			return err
		}
	}
	if err := t.PutSetting(ctx, generation, strconv.FormatInt(mark.Generation+1, 10)); err != nil {
		return err
	}
	return t.PutSetting(ctx, behindMark, "")
}

// raiseCounter ensures that the next number of a counter is above n.
func (t *Tx) raiseCounter(ctx context.Context, name string, n int64) error {
	return wrap(t.q.RaiseCounter(ctx, sqlc.RaiseCounterParams{Name: name, Value: n}))
}

// AdoptStake stores and watches a stake address that another ledger with the same key issued. It reports whether the
// address is new. The address's index is never issued again. The server searches the followed blocks for deposits.
func (t *Tx) AdoptStake(ctx context.Context, s action.StakeRecord, script []byte) (added bool, err error) {
	_, err = t.q.StakeAddress(ctx, s.Address)
	known, err := absent(err)
	if err != nil || known {
		return false, err
	}
	if err := t.InsertStake(ctx, s); err != nil {
		return false, err
	}
	if !vault.IsFirstStake(s.Position) {
		if err := t.raiseCounter(ctx, stakeCounter+s.Community, s.Position); err != nil {
			return false, err
		}
	}
	if err := t.q.InsertAdoptedAddress(ctx, s.Address); err != nil {
		return false, wrap(err)
	}
	return true, t.WatchScript(ctx, ledger.Watched{
		Script: script, Community: s.Community, Kind: ledger.StakeKind, Ref: s.Address, Owner: s.Wallet.Ordinals,
	})
}

// ReadStakes returns the stake addresses of another ledger, which may have an older schema. It does not change that
// ledger.
func ReadStakes(ctx context.Context, url string) (all []action.StakeRecord, err error) {
	if path, isFile := strings.CutPrefix(url, "sqlite:"); isFile {
		if _, err := os.Stat(path); err != nil {
			return nil, err
		}
	}
	s, err := connect(url)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	rows, err := s.reader.QueryContext(ctx, `SELECT address, community, position, leaf_key, delay, self_custody, owner,
		payment, created_at
		FROM stake_address ORDER BY community, position, address`)
	if err != nil {
		return nil, wrap(err)
	}
	defer rows.Close()
	for rows.Next() {
		var r action.StakeRecord
		var created int64
		if err := rows.Scan(
			&r.Address, &r.Community, &r.Position, &r.LeafKey, &r.Delay, &r.Self,
			&r.Wallet.Ordinals, &r.Wallet.Payment, &created,
		); err != nil {
			return nil, wrap(err)
		}
		r.Created = instant(created)
		all = append(all, r)
	}
	return all, wrap(rows.Err())
}

// StakeOwnerKeys returns the distinct pairs of owner and leaf key to which a community has issued stake addresses. Only
// Community, LeafKey and Wallet are set.
func (t *Tx) StakeOwnerKeys(ctx context.Context, community string) (all []action.StakeRecord, err error) {
	rows, err := t.q.StakeAddresses(ctx, community)
	if err != nil {
		return nil, wrap(err)
	}
	seen := map[[2]string]bool{}
	for _, row := range rows {
		key := [2]string{row.Owner, row.LeafKey}
		if seen[key] {
			continue
		}
		seen[key] = true
		all = append(all, action.StakeRecord{
			Community: community, LeafKey: row.LeafKey, Wallet: action.Wallet{Ordinals: row.Owner, Payment: row.Payment},
		})
	}
	return all, nil
}
