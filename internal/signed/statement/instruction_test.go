package statement_test

import (
	"encoding/json"
	"strings"
	"testing"

	"moonfund/internal/signed/statement"
)

// instructed returns two successive statements of the vectors whose details list instructions.
func instructed(t *testing.T) (first, second statementVector) {
	t.Helper()
	chain := readVectors(t).Chains[2].Statements
	return chain[1], chain[2]
}

// Details whose instructions contradict the inputs or each other are refused, although the operator signed them.
func TestInstructionsThatContradict(t *testing.T) {
	of, _ := instructed(t)
	for want, change := range map[string]func(compounding, other object){
		"compounds no reward of epoch":   func(i, _ object) { i["first"] = json.Number("8") },
		"which is no input":              func(i, _ object) { i["owner"] = "bcrt1pnobody" },
		"are active":                     func(i, other object) { other["owner"] = i["owner"] },
		"which is no input of its owner": func(_, other object) { other["rewards"] = []any{json.Number("7")} },
		`instructions "`: func(i, other object) {
			other["owner"], other["rewards"] = i["owner"], i["rewards"]
			other["end"], other["ended"] = "ended", json.Number("1")
		},
		"is \"active\", it ended at 5": func(i, _ object) { i["ended"] = json.Number("5") },
		"no reward of epoch 7":         func(i, _ object) { i["rewards"] = []any{json.Number("7"), json.Number("7")} },
		"is not above":                 func(i, other object) { i["id"], other["id"] = other["id"], i["id"] },
		"of the epochs 19 to 18 ":      func(i, _ object) { i["first"] = json.Number("19") },
	} {
		details := parse(t, of.Details)
		var compounding, other object
		for _, one := range details["instructions"].([]any) {
			if i := one.(object); len(i["rewards"].([]any)) > 0 {
				compounding = i
			} else {
				other = i
			}
		}
		change(compounding, other)
		text := canonical(t, details)
		d, err := statement.ParseDetails(text)
		if err == nil {
			document := must(readSigned(of.Signed)).Document
			document.Rewards.Digest = statement.TaggedHash("moonfund/details", text)
			err = d.Verify(document)
		}
		wantError(t, want, err, want)
	}
	details := parse(t, of.Details)
	details["format"] = "moonfund/details/2"
	_, err := statement.ParseDetails(canonical(t, details))
	wantError(t, "another format", err, "not details")
	noError(t, json.Unmarshal([]byte(of.Details), &details))
	delete(details, "instructions")
	_, err = statement.ParseDetails(canonical(t, details))
	wantError(t, "without instructions", err, "not in canonical form")
}

// An instruction does not change, has no effect after its end, and keeps the rewards that it compounded.
func TestInstructionsThatChange(t *testing.T) {
	first, second := instructed(t)
	earlier := must(statement.ParseDetails([]byte(first.Details)))
	for want, change := range map[string]func(i *statement.Instruction){
		"it has changed":         func(i *statement.Instruction) { i.Last++ },
		"its end has changed":    func(i *statement.Instruction) { i.Ended++ },
		"the reward of epoch 9":  func(i *statement.Instruction) { i.Rewards = []int64{9} },
		"was compounded by the ": func(*statement.Instruction) {},
	} {
		d := must(statement.ParseDetails([]byte(second.Details)))
		noError(t, d.Continues(earlier))
		before := earlier
		for n := range d.Instructions {
			i := &d.Instructions[n]
			if i.End != "replaced" {
				continue
			}
			before.Instructions = append([]statement.Instruction(nil), earlier.Instructions...)
			for k := range before.Instructions {
				if b := &before.Instructions[k]; b.ID == i.ID {
					b.End, b.Ended = i.End, i.Ended
				}
			}
			change(i)
		}
		if strings.HasPrefix(want, "was") {
			d.Inputs = append(d.Inputs, before.Inputs...)
		}
		wantError(t, want, d.Continues(before), want)
	}
}

// A message is compared with the owner and the epochs of its instruction.
func TestInstructionOf(t *testing.T) {
	of, _ := instructed(t)
	d := must(statement.ParseDetails([]byte(of.Details)))
	_, err := d.InstructionOf(of.Messages[0] + " ")
	wantError(t, "another message", err, "no instruction has the message hash")
	for n := range d.Instructions {
		d.Instructions[n].Last++
	}
	_, err = d.InstructionOf(of.Messages[0])
	wantError(t, "other epochs", err, "the message does not say")
}
