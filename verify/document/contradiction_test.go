package document

import (
	"encoding/json"
	"strings"
	"testing"
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
	for want, change := range map[string]func(s tree){
		"the liabilities are": func(s tree) { s["owners"].(tree)["owed"] = "1" },
		"is not above":        func(s tree) { r := s["reserves"].([]any); r[0], r[1] = r[1], r[0] },
		"are due":             func(s tree) { s["rewards"].(tree)["total"] = "1" },
		"ends before it starts": func(s tree) {
			s["end"] = s["start"]
		},
		"before the epoch's last block": func(s tree) { s["as_of"].(tree)["height"] = json.Number("1") },
		"as the one before":             func(s tree) { s["previous"] = strings.Repeat("0", 64) },
		"source of the budget":          func(s tree) { s["budget"].(tree)["source"] = "gift" },
		"owners have a reward":          func(s tree) { s["rewards"].(tree)["count"] = json.Number("99") },
		"there is no network":           func(s tree) { s["network"] = "othernet" },
		"is not the id of a rune":       func(s tree) { s["rune"] = "01:2" },
		"is not an outpoint":            func(s tree) { s["reserves"].([]any)[0].(tree)["outpoint"] = "ab:0" },
		"half a byte":                   func(s tree) { s["reserves"].([]any)[0].(tree)["script"] = "abc" },
		"there is no liability stakes": func(s tree) {
			l := s["liabilities"].([]any)
			s["liabilities"] = l[:len(l)-1]
		},
		"not below 2^128": func(s tree) {
			for _, r := range s["reserves"].([]any)[:2] {
				r.(tree)["sats"] = "340282366920938463463374607431768211455"
			}
		},
		"the incidents are not in order": func(s tree) {
			s["incidents"] = []any{tree{"detail": "", "kind": "pause", "time": json.Number("2")},
				tree{"detail": "", "kind": "pause", "time": json.Number("1")}}
		},
	} {
		s := parse(t, of.Statement)
		change(s)
		_, err := ReadSigned([]byte(sign(t, v.Secret, canonical(t, s))))
		wantError(t, want, err, want)
	}
	_, err := ReadSigned([]byte(strings.Replace(of.Signed, `"epoch":2`, `"epoch":02`, 1)))
	wantError(t, "a leading zero", err, "want an integer")
}

// A successor of the right statement is refused if its epoch, times or blocks do not continue that one.
func TestSuccessorsThatDoNotContinue(t *testing.T) {
	v, before, of, _ := lastTwo(t)
	first, err := ReadSigned([]byte(before.Signed))
	must(t, err)
	for want, change := range map[string]func(s tree){
		"is of epoch 3":            func(s tree) { s["epoch"] = json.Number("3") },
		"its epoch does not start": func(s tree) { s["start"] = json.Number("1") },
		"can't be after block":     func(s tree) { s["cut"].(tree)["height"] = json.Number("1") },
		"the one before of lobo":   func(s tree) { s["rune"] = "840000:36" },
		"is of wolf (regtest":      func(s tree) { s["community"] = "wolf" },
	} {
		s := parse(t, of.Statement)
		change(s)
		changed, err := ReadSigned([]byte(sign(t, v.Secret, canonical(t, s))))
		must(t, err)
		wantError(t, want, changed.Follows(first), want)
	}
}

// Details with an owner in two leaves are refused, although the tree and the sums of the statement fit them.
func TestDuplicateOwnersAreRefused(t *testing.T) {
	v, _, of, _ := lastTwo(t)
	details := parse(t, of.Details)
	owners := details["owners"].([]any)
	last := owners[len(owners)-1].(tree)
	owners = append(owners, tree{"owner": last["owner"], "owed": "5", "reward": "0", "stake": "0"})
	details["owners"] = owners
	text := canonical(t, details)
	_, err := ReadDetails(text)
	wantError(t, "an owner twice", err, "is not above")

	statement := parse(t, of.Statement)
	statement["rewards"].(tree)["count"] = json.Number("1")
	statement["rewards"].(tree)["digest"] = Tagged("moonfund/details", of.Details).String()
	s, err := ReadSigned([]byte(sign(t, v.Secret, canonical(t, statement))))
	must(t, err)
	d, err := ReadDetails([]byte(of.Details))
	must(t, err)
	wantError(t, "another number of rewards", d.Verify(s), "owners have a reward, the statement says 1")
}

func TestProofsOutsideOfTheTree(t *testing.T) {
	_, _, _, of := lastTwo(t)
	s, err := ReadSigned([]byte(of.Signed))
	must(t, err)
	p, err := ReadProof([]byte(of.Proofs[0]))
	must(t, err)
	p.Index = p.Count
	wantError(t, "an index outside", p.Verify(s), "the proof is for owner")
	p, err = ReadProof([]byte(of.Proofs[0]))
	must(t, err)
	p.Community = "wolf"
	wantError(t, "another community", p.Verify(s), "of wolf on regtest")
	p.Community, p.Siblings = s.Community, p.Siblings[1:]
	wantError(t, "a sibling less", p.Verify(s), "too few siblings")
}

// A unit that claims to be a reward is one of an earlier epoch to its owner.
func TestRewardUnits(t *testing.T) {
	_, _, of, _ := lastTwo(t)
	details := parse(t, of.Details)
	for _, input := range details["inputs"].([]any) {
		unit, _ := input.(tree)["unit"].(string)
		rest, isReward := strings.CutPrefix(unit, "reward:1:")
		if !isReward {
			continue
		}
		for _, wrong := range []string{"reward:2:" + rest, "reward:01:" + rest, "reward:1:" + strings.Repeat("0", 16),
			"reward::" + rest, "reward:1", "reward:-1:" + rest} {
			input.(tree)["unit"] = wrong
			_, err := ReadDetails(canonical(t, details))
			wantError(t, wrong, err, "neither an outpoint nor a reward")
		}
		return
	}
	t.Error("the vectors have no compounded reward")
}
