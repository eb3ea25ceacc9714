package statement_test

import (
	"encoding/json"
	"strings"
	"testing"

	"moonfund/internal/signed/statement"
)

// wantError checks that an error contains a text.
func wantError(t *testing.T, what string, err error, want string) {
	t.Helper()
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("%s: got %v, want an error with %q", what, err, want)
	}
}

// Statements that contradict themselves are refused, although the operator signed them.
func TestContradictionsAreRefused(t *testing.T) {
	v, _, of, _ := lastTwo(t)
	for want, change := range map[string]func(s object){
		"the owners are owed":  func(s object) { s["owners"].(object)["owed"] = "1" },
		"is not above":         func(s object) { r := s["reserves"].([]any); r[0], r[1] = r[1], r[0] },
		"their total is 1":     func(s object) { s["rewards"].(object)["total"] = "1" },
		"the epoch starts at":  func(s object) { s["end"] = s["start"] },
		"as of {":              func(s object) { s["as_of"].(object)["height"] = json.Number("1") },
		"has the previous id":  func(s object) { s["previous"] = strings.Repeat("0", 64) },
		"source of the budget": func(s object) { s["budget"].(object)["source"] = "gift" },
		"99 rewards of":        func(s object) { s["rewards"].(object)["count"] = json.Number("99") },
		"on network":           func(s object) { s["network"] = "othernet" },
		"rune \"01:2\"":        func(s object) { s["rune"] = "01:2" },
		"the reserve \"ab:0\"": func(s object) { s["reserves"].([]any)[0].(object)["outpoint"] = "ab:0" },
		"with script \"abc\"":  func(s object) { s["reserves"].([]any)[0].(object)["script"] = "abc" },
		"there is no liability \"stakes\"": func(s object) {
			l := s["liabilities"].([]any)
			s["liabilities"] = l[:len(l)-1]
		},
		"exceeds 128 bits": func(s object) {
			for _, r := range s["reserves"].([]any)[:2] {
				r.(object)["sats"] = "340282366920938463463374607431768211455"
			}
		},
		"incident {": func(s object) {
			s["incidents"] = []any{object{"detail": "", "kind": "pause", "time": json.Number("2")},
				object{"detail": "", "kind": "pause", "time": json.Number("1")}}
		},
	} {
		s := parse(t, of.Statement)
		change(s)
		_, err := readSigned(sign(t, v.Secret, canonical(t, s)))
		wantError(t, want, err, want)
	}
	_, err := readSigned(strings.Replace(of.Signed, `"epoch":2`, `"epoch":02`, 1))
	wantError(t, "a leading zero", err, "not in canonical form")
}

// A successor of the right statement is refused if its epoch, times or blocks do not continue that statement.
func TestSuccessorsThatDoNotContinue(t *testing.T) {
	v, before, of, _ := lastTwo(t)
	first := must(readSigned(before.Signed))
	for want, change := range map[string]func(s object){
		"is of epoch 3":          func(s object) { s["epoch"] = json.Number("3") },
		"from 1, the one before": func(s object) { s["start"] = json.Number("1") },
		"can't be after block":   func(s object) { s["cut"].(object)["height"] = json.Number("1") },
		"the one before of lobo": func(s object) { s["rune"] = "840000:36" },
		"is of wolf (regtest":    func(s object) { s["community"] = "wolf" },
	} {
		s := parse(t, of.Statement)
		change(s)
		changed := must(readSigned(sign(t, v.Secret, canonical(t, s))))
		wantError(t, want, changed.Continues(first), want)
	}
}

// Details with an owner in two leaves are refused, although the tree and the sums of the statement fit them.
func TestDuplicateOwnersAreRefused(t *testing.T) {
	v, _, of, _ := lastTwo(t)
	details := parse(t, of.Details)
	owners := details["owners"].([]any)
	last := owners[len(owners)-1].(object)
	owners = append(owners, object{"owner": last["owner"], "owed": "5", "reward": "0", "stake": "0"})
	details["owners"] = owners
	text := canonical(t, details)
	_, err := statement.ParseDetails(text)
	wantError(t, "an owner twice", err, "is not above")

	document := parse(t, of.Statement)
	document["rewards"].(object)["count"] = json.Number("1")
	s := must(readSigned(sign(t, v.Secret, canonical(t, document))))
	d := must(statement.ParseDetails([]byte(of.Details)))
	wantError(t, "another number of rewards", d.Verify(s.Document), "says 1 of")
}

// A unit with the id of a reward must be a reward of an earlier epoch to its owner.
func TestRewardUnits(t *testing.T) {
	_, _, of, _ := lastTwo(t)
	details := parse(t, of.Details)
	for _, input := range details["inputs"].([]any) {
		unit, _ := input.(object)["unit"].(string)
		rest, isReward := strings.CutPrefix(unit, "reward:1:")
		if !isReward {
			continue
		}
		for _, wrong := range []string{"reward:2:" + rest, "reward:01:" + rest, "reward:1:" + strings.Repeat("0", 16),
			"reward::" + rest, "reward:1", "reward:-1:" + rest} {
			input.(object)["unit"] = wrong
			_, err := statement.ParseDetails(canonical(t, details))
			wantError(t, wrong, err, "neither an outpoint nor a reward")
		}
		return
	}
	t.Error("the vectors have no compounded reward")
}
