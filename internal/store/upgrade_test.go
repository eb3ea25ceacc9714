package store

import (
	"bufio"
	"bytes"
	"context"
	"database/sql"
	"encoding/base64"
	"encoding/binary"
	commandline "flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/btcsuite/btcd/chainhash/v2"

	"moonfund/internal/amount"
	"moonfund/internal/audit"
	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/runes"
	"moonfund/internal/testkit/engine"
)

// testdata/upgrade contains a data folder with schema 12, from a version without ledger ids: the ledger as SQL, and the
// blocks of its dev network, one per line. It was created by `moonfund dev --epoch 0 --block 0` of that version,
// through its API and with signing wallets: all steps of internal/testkit/e2e (two stakers who stake, earn, compound,
// claim, unstake, restake and withdraw), a third staker whose orders were canceled, expired, paid late and refunded by
// the operator, and a fourth one with withdrawals that are sent, partly paid, and unpaid; also a waiting etching, a
// deposit in the mempool, and an unsigned intent. Its audit found no violation when the server was stopped. `go test
// ./internal/store -run TestUpgrade -folder DATA` writes the two files from such a folder.
var upgradeFolder = commandline.String("folder", "",
	"data folder of a dev network that TestUpgrade is to be written from")

const upgradeData = "testdata/upgrade"

// TestUpgrade opens the ledger of that folder as `moonfund serve` does, also after restoring that version's backup to
// SQLite and PostgreSQL. The ledger gets an id, its rows do not change, and the audit finds no violation.
func TestUpgrade(t *testing.T) {
	if *upgradeFolder != "" {
		writeUpgrade(t, *upgradeFolder)
	}
	old := filepath.Join(t.TempDir(), "ledger.db")
	script, err := os.ReadFile(filepath.Join(upgradeData, "ledger.sql"))
	must(t, err)
	db, err := sql.Open("sqlite", "file:"+old)
	must(t, err)
	_, err = db.Exec(string(script))
	must(t, err)
	must(t, db.Close())
	before := facts(t, "sqlite:"+old)
	if before["unit"] == "" || before["payment_order"] == "" || before["payment"] == "" || before["journal"] == "" {
		t.Fatalf("the old ledger is empty: %v", before)
	}
	addresses := map[string]string{"the folder itself": "sqlite:" + old}
	for name, address := range map[string]string{"a backup on SQLite": "sqlite:" + filepath.Join(t.TempDir(), "x.db"),
		"a backup on PostgreSQL": engine.NewPostgres(t, nil)} {
		must(t, Load(t.Context(), address, strings.NewReader(oldCopy(t, "sqlite:"+old)), nil))
		addresses[name] = address
	}
	for name, address := range addresses {
		t.Run(name, func(t *testing.T) {
			first := upgraded(t, address)
			for table, want := range before {
				if got := facts(t, address)[table]; got != want {
					t.Errorf("%s was\n%s\nand is\n%s", table, want, got)
				}
			}
			auditUpgraded(t, address)
			if again := upgraded(t, address); first == "" || again != first {
				t.Errorf("the ledger's id is %q, and after reopening %q", first, again)
			}
		})
	}
}

// upgraded opens a ledger as a server does, and returns its id.
func upgraded(t *testing.T, address string) (id string) {
	t.Helper()
	s, err := OpenLedger(t.Context(), address)
	must(t, err)
	defer func() { must(t, s.Close()) }()
	must(t, s.View(t.Context(), func(tx *Tx) (err error) {
		id, err = tx.LedgerID(t.Context())
		return err
	}))
	return id
}

// oldCopy returns the copy in a backup of the old version.
func oldCopy(t *testing.T, address string) string {
	t.Helper()
	s, err := connect(address)
	must(t, err)
	defer func() { must(t, s.Close()) }()
	var text bytes.Buffer
	_, err = s.Copy(t.Context(), &text)
	must(t, err)
	return text.String()
}

// facts returns the rows of a ledger that an upgrade must not change, as text by table.
func facts(t *testing.T, address string) map[string]string {
	t.Helper()
	db, err := audit.Open(address)
	must(t, err)
	defer db.Close()
	all := map[string]string{}
	for table, columns := range map[string]string{
		"unit": "id, owner, origin, amount, stage, not_before, eligible_epoch, staked_to, unlock_epoch, order_id, " +
			"txid, vout",
		"payment_order": "id, number, owner, status, amount, network_fee, service_fee, rutxos_fee, seen, confirmed, late, " +
			"refunded, returned, payout_tx",
		"payment": "txid, vout, number, order_id, counted, late",
		"journal": "number, community, subject, owner, event, asset, amount, from_account, to_account, cause_kind, " +
			"cause_id, at",
		"payout":        "id, kind, order_ids, status",
		"custody":       "txid, vout, kind, ref, owner, value, runes, quarantine, booked, height, spent_by, spent_height",
		"stake_address": "address, position, leaf_key, delay, owner, payment",
	} {
		rows, err := db.Query("SELECT " + columns + " FROM " + table + " ORDER BY 1, 2, 3")
		must(t, err)
		values := make([]any, strings.Count(columns, ",")+1)
		for rows.Next() {
			into := make([]any, len(values))
			for i := range values {
				into[i] = &values[i]
			}
			must(t, rows.Scan(into...))
			all[table] += fmt.Sprintln(values...)
		}
		must(t, rows.Err())
	}
	return all
}

// savedChain is a node with the saved blocks.
type savedChain []chain.Block

func (c savedChain) Best(context.Context) (chainhash.Hash, int64, error) {
	last := c[len(c)-1]
	return last.Hash, last.Height, nil
}

func (c savedChain) BlockHash(_ context.Context, height int64) (chainhash.Hash, error) {
	if height >= int64(len(c)) {
		return chainhash.Hash{}, chain.ErrUnknown
	}
	return c[height].Hash, nil
}

func (c savedChain) Block(_ context.Context, hash chainhash.Hash, height int64) (chain.Block, error) {
	if height >= int64(len(c)) || c[height].Hash != hash {
		return chain.Block{}, chain.ErrUnknown
	}
	return c[height], nil
}

func (c savedChain) Tx(_ context.Context, id chainhash.Hash) (chain.Tx, chain.Status, error) {
	for _, block := range c {
		if i := slices.IndexFunc(block.Txs, func(tx chain.Tx) bool { return tx.ID == id }); i >= 0 {
			return block.Txs[i], chain.Status{BlockHash: &block.Hash, Confirmations: int64(len(c)) - block.Height}, nil
		}
	}
	return chain.Tx{}, chain.Status{}, chain.ErrUnknown
}

func auditUpgraded(t *testing.T, address string) {
	t.Helper()
	network, err := chain.NetworkByName("regtest")
	must(t, err)
	genesis := network.Params.GenesisBlock
	saved := savedChain{{Hash: genesis.BlockHash(), Time: genesis.Header.Timestamp,
		Txs: []chain.Tx{chain.NewTx(genesis.Transactions[0])}}}
	file, err := os.Open(filepath.Join(upgradeData, "blocks.txt"))
	must(t, err)
	defer file.Close()
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		raw, err := base64.StdEncoding.DecodeString(lines.Text())
		must(t, err)
		block, err := chain.DecodeBlock(raw, int64(len(saved)))
		must(t, err)
		saved = append(saved, block)
	}
	must(t, lines.Err())
	db, err := audit.Open(address)
	must(t, err)
	defer db.Close()
	rules := runes.RulesFor(network)
	report, err := audit.Run(t.Context(), db, saved, audit.Config{
		Rules: rules, Start: rules.Start(), MinimumStake: map[string]amount.Runes{},
	})
	must(t, err)
	if !report.OK() {
		t.Errorf("audit violations: %v", report.Violations)
	}
}

// writeUpgrade writes the two files of testdata/upgrade from a data folder.
func writeUpgrade(t *testing.T, folder string) {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+filepath.Join(folder, "ledger.db")+"?mode=ro")
	must(t, err)
	defer db.Close()
	var out strings.Builder
	list := func(query string, args ...any) (texts []string) {
		rows, err := db.Query(query, args...)
		must(t, err)
		defer rows.Close()
		for rows.Next() {
			var text string
			must(t, rows.Scan(&text))
			texts = append(texts, text)
		}
		must(t, rows.Err())
		return texts
	}
	for _, statement := range list(`SELECT sql FROM sqlite_master WHERE type = 'table' AND name <> 'sqlite_sequence'
		ORDER BY name`) {
		fmt.Fprintln(&out, statement+";")
	}
	for _, table := range list(`SELECT name FROM sqlite_master WHERE type = 'table' AND name <> 'sqlite_sequence'
		ORDER BY name`) {
		columns := list(`SELECT 'quote(' || name || ')' FROM pragma_table_info($1) ORDER BY cid`, table)
		for _, row := range list(`SELECT ` + strings.Join(columns, " || ',' || ") + ` FROM ` + table + ` ORDER BY 1`) {
			fmt.Fprintf(&out, "INSERT INTO %s VALUES(%s);\n", table, row)
		}
	}
	for _, statement := range list(`SELECT sql FROM sqlite_master WHERE type <> 'table' AND sql <> '' ORDER BY name`) {
		fmt.Fprintln(&out, statement+";")
	}
	must(t, os.MkdirAll(upgradeData, 0o755))
	must(t, os.WriteFile(filepath.Join(upgradeData, "ledger.sql"), []byte(out.String()), 0o644))
	frames, err := os.ReadFile(filepath.Join(folder, "chain", "blocks"))
	must(t, err)
	out.Reset()
	for len(frames) > 8 { // length, checksum, block
		n := binary.LittleEndian.Uint32(frames)
		fmt.Fprintln(&out, base64.StdEncoding.EncodeToString(frames[8:8+n]))
		frames = frames[8+n:]
	}
	must(t, os.WriteFile(filepath.Join(upgradeData, "blocks.txt"), []byte(out.String()), 0o644))
}
