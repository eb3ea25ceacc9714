package store

import (
	"database/sql"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// throughAll has the queries that may scan a table or all rows of a community, with the reason.
var throughAll = map[string][]string{
	"few rows": {"AdoptedOutputs", "AdvanceReceipts", "Anchors", "NewestIncidents", "BoundariesAt", "Communities",
		"CountPushSubscriptions", "FailedEvaluations", "LastBoundary", "PushNews", "ReceiptCursor",
		"UnexplainedSpends",
		"RefusedTxs", "Sinks", "Standing", "SumsOf", "TotalStaked", "UnsettledAccounts"},
	"ends at the first row": {"DeleteReceiptBatchesBefore", "HasInstructions", "LastChange", "LastSigned", "Tip"},
	"at the start":          {"OurRuneOrderTxs", "OwedBy", "RuneOrderFunds", "StandingEvents", "Waits"},
	"once an hour":          {"DeleteOrphanedDeliveries"},
	"when an epoch closes": {"InsertRewardPostings", "InsertRewardUnits", "InsertStatement", "InsertStatementOwners",
		"InsertStatementStakes", "NextStatement", "RecordInputs", "VirtualCarried",
		"VirtualOutstanding"},
	"a statement's details":  {"InstructionsAt"},
	"when a block is undone": {"UnconfirmVersions", "UndoRuneOrderOutputs"},
	"rebuild from the chain": {"CustodyFacts", "ForgetCustodyHeights", "ForgetRuneOrderOutputs", "ForgetRuneOrderTxs",
		"ForgetSpends", "ForgetTrackedHeights", "ForgetVersionHeights", "StakeAddresses", "UnsettleRuneOrders"},
	"an operator's question": {"BookTreasury", "EventsSince", "JournalBetween", "LatestEvents", "LiveUnits",
		"OperatorLinesAbout", "OrdersOfCommunity", "Payouts", "Quarantined", "RuneOrderTally",
		"RuneOrders", "RuneOrdersNaming", "UnbookedTreasury", "UnspentCustody"},
	"a test's": {"UnitsInStage"},
}

var (
	named  = regexp.MustCompile(`(?m)^-- name: (\w+) :\w+\n`)
	hole   = regexp.MustCompile(`\$\d+|@\w+`)
	narrow = regexp.MustCompile(`\((community=\?)?( AND )?((kind|stage|type)=\?)?\)$`)
	using  = regexp.MustCompile(`USING (?:COVERING )?INDEX (\w+)`)
)

// ofStatement matches scans of rows that the statement itself lists or computes.
var ofStatement = []string{"SCAN CONSTANT ROW", "SCAN changed", "SCAN conflicted", "SCAN wanted"}

// Other queries use an index that selects few rows, regardless of the size of the ledger.
func TestQuestionsHaveTheirIndex(t *testing.T) {
	s := onSQLite(t)
	partial := map[string]bool{}
	rows, err := s.reader.QueryContext(t.Context(), `SELECT name FROM sqlite_schema WHERE type = 'index'
		AND sql LIKE '% WHERE %'`)
	must(t, err)
	for rows.Next() {
		var name string
		must(t, rows.Scan(&name))
		partial[name] = true
	}
	must(t, rows.Close())
	may := map[string]string{}
	for when, names := range throughAll {
		for _, name := range names {
			may[name] = when
		}
	}
	for name, text := range questions(t) {
		wide := ""
		for _, line := range plan(t, s.writer, text) {
			index := using.FindStringSubmatch(line)
			if index != nil && partial[index[1]] {
				continue
			}
			if strings.HasPrefix(line, "SCAN ") && !slices.Contains(ofStatement, line) ||
				strings.HasPrefix(line, "SEARCH ") && narrow.MatchString(line) {
				wide = line
			}
		}
		if wide != "" && may[name] == "" {
			t.Errorf("%s scans all rows: %s", name, wide)
		}
		if wide != "" {
			delete(may, name)
		}
	}
	if len(may) > 0 {
		t.Errorf("no longer scan all rows: %v", may)
	}
}

// A step examines only a part of the due refunds, by an index range with both bounds.
func TestDueRefundsAreExaminedInParts(t *testing.T) {
	s := onSQLite(t)
	all := questions(t)
	for name, want := range map[string]string{
		"RefundWindow":  "(community=? AND (refund_due,number)>(?,?))",
		"RefundsToSend": "(community=? AND (refund_due,number)>(?,?) AND (refund_due,number)<(?,?))",
	} {
		steps := plan(t, s.writer, all[name])
		if !strings.Contains(steps[0], "payment_order_refund "+want) {
			t.Errorf("%s: %s, want the range %s", name, steps[0], want)
		}
		for _, step := range steps {
			if strings.Contains(step, "TEMP B-TREE") {
				t.Errorf("%s sorts: %s", name, step)
			}
		}
	}
}

// A start reads the scripts and unspent outputs from indices, which are smaller than the tables, and looks up only
// outputs whose spend a reorg can undo.
func TestStartReadsIndices(t *testing.T) {
	s := onSQLite(t)
	for text, want := range map[string][]string{
		eachScript: {"SCAN watch USING COVERING INDEX sqlite_autoindex_watch_1"},
		eachOpenOutpoint: {"SCAN custody USING COVERING INDEX custody_kind",
			"SEARCH custody USING INDEX custody_spending (spent_height=?)",
			"SEARCH custody USING INDEX custody_spent (spent_height>?)"},
	} {
		var reads []string
		for _, step := range plan(t, s.writer, text) {
			if strings.HasPrefix(step, "SCAN ") || strings.HasPrefix(step, "SEARCH ") {
				reads = append(reads, step)
			}
		}
		if !slices.Equal(reads, want) {
			t.Errorf("%s reads %q, want %q", text, reads, want)
		}
	}
}

func questions(t *testing.T) map[string]string {
	t.Helper()
	files, err := filepath.Glob("queries/*.sql")
	must(t, err)
	all := map[string]string{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		must(t, err)
		starts := named.FindAllSubmatchIndex(text, -1)
		for i, at := range starts {
			end := len(text)
			if i+1 < len(starts) {
				end = starts[i+1][0]
			}
			all[string(text[at[2]:at[3]])] = string(text[at[1]:end])
		}
	}
	return all
}

// plan returns the steps of SQLite's query plan, without statistics about the tables.
func plan(t *testing.T, db *sql.DB, text string) (steps []string) {
	t.Helper()
	rows, err := db.QueryContext(t.Context(), "EXPLAIN QUERY PLAN "+hole.ReplaceAllString(text, "NULL"))
	if err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	defer func() { must(t, rows.Close()) }()
	for rows.Next() {
		var id, parent, unused int
		var step string
		must(t, rows.Scan(&id, &parent, &unused, &step))
		steps = append(steps, step)
	}
	return steps
}
