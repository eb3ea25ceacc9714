package inquiry

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strconv"
	"testing"

	"moonfund/internal/operate/decisions"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/staking/order"
	"moonfund/internal/staking/payout/refund"
)

// TestSentences checks that every sentence has its own code, and every stage, status and state has a sentence.
func TestSentences(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "text.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	ast.Inspect(file, func(n ast.Node) bool {
		literal, ok := n.(*ast.CompositeLit)
		if !ok || len(literal.Elts) != 2 {
			return true
		}
		first, ok := literal.Elts[0].(*ast.BasicLit)
		if !ok {
			return true
		}
		code, err := strconv.Unquote(first.Value)
		if err != nil || seen[code] {
			t.Errorf("the code %s occurs twice, or is not a string: %v", first.Value, err)
		}
		seen[code] = true
		return true
	})
	if len(seen) < 80 {
		t.Errorf("only %d sentences were read", len(seen))
	}
	for _, stage := range decisions.Stages {
		if inStage[stage].code == "" {
			t.Errorf("no sentence for stage %s", stage)
		}
	}
	for _, row := range ledger.Stages.Rows {
		if row.To != "" && !slices.Contains(decisions.Stages, row.To) {
			t.Errorf("decisions.Stages lacks %s", row.To)
		}
	}
	for _, row := range order.Statuses.Rows {
		if row.To != "" && next[row.To].code == "" {
			t.Errorf("no sentence for status %s", row.To)
		}
	}
	for _, s := range []refund.State{refund.Due, refund.WaitingRate, refund.WaitingConfirmation,
		refund.OverLimit, refund.WaitingPerson, refund.Sending, refund.Sent, refund.Done} {
		if refundNext[s].code == "" {
			t.Errorf("no sentence for a refund that is %s", s)
		}
	}
}

func TestDecimal(t *testing.T) {
	for _, row := range []struct {
		digits string
		places int
		want   string
	}{
		{"0", 0, "0"}, {"5000", 0, "5000"}, {"5000", 2, "50"}, {"5001", 2, "50.01"}, {"7", 8, "0.00000007"},
		{"340282366920938463463374607431768211455", 38, "3.40282366920938463463374607431768211455"},
	} {
		if got := decimal(row.digits, row.places); got != row.want {
			t.Errorf("decimal(%s, %d): got %s, want %s", row.digits, row.places, got, row.want)
		}
	}
}
