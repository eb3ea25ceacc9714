package document

import (
	"encoding/json"
	"strings"
	"testing"
)

// instructed returns two successive statements of the vectors whose details list instructions.
func instructed(t *testing.T) (first, second statementVector) {
	t.Helper()
	chain := vectors(t).Chains[2].Statements
	return chain[1], chain[2]
}

// Details whose instructions contradict the inputs or each other are refused, although the operator signed them.
func TestInstructionsThatContradict(t *testing.T) {
	of, _ := instructed(t)
	for want, change := range map[string]func(compounding, other tree){
		"covers the epochs":              func(i, _ tree) { i["first"] = json.Number("8") },
		"which is no input":              func(i, _ tree) { i["owner"] = "bcrt1pnobody" },
		"are active":                     func(i, other tree) { other["owner"] = i["owner"] },
		"which is no input of its owner": func(_, other tree) { other["rewards"] = []any{json.Number("7")} },
		`instructions "`: func(i, other tree) {
			other["owner"], other["rewards"] = i["owner"], i["rewards"]
			other["end"], other["ended"] = "ended", json.Number("1")
		},
		"is \"active\" and ended at 5": func(i, _ tree) { i["ended"] = json.Number("5") },
		"are not ascending":            func(i, _ tree) { i["rewards"] = []any{json.Number("7"), json.Number("7")} },
		"is not above":                 func(i, other tree) { i["id"], other["id"] = other["id"], i["id"] },
		"of the epochs 19 to 18":       func(i, _ tree) { i["first"] = json.Number("19") },
	} {
		details := parse(t, of.Details)
		var compounding, other tree
		for _, one := range details["instructions"].([]any) {
			if i := one.(tree); len(i["rewards"].([]any)) > 0 {
				compounding = i
			} else {
				other = i
			}
		}
		change(compounding, other)
		d, err := ReadDetails(canonical(t, details))
		if err == nil {
			err = d.verifyInstructions()
		}
		wantError(t, want, err, want)
	}
	details := parse(t, of.Details)
	details["format"] = "moonfund/details/1"
	_, err := ReadDetails(canonical(t, details))
	wantError(t, "instructions in format 1", err, `want ,"network"`)
	details["format"] = "moonfund/details/3"
	_, err = ReadDetails(canonical(t, details))
	wantError(t, "another format", err, "the format")
	must(t, json.Unmarshal([]byte(of.Details), &details))
	delete(details, "instructions")
	_, err = ReadDetails(canonical(t, details))
	wantError(t, "format 2 without instructions", err, "instructions")
}

// An instruction stays what it was, has no effect after its end, and keeps the rewards that it compounded.
func TestInstructionsThatChange(t *testing.T) {
	first, second := instructed(t)
	earlier, err := ReadDetails([]byte(first.Details))
	must(t, err)
	for want, change := range map[string]func(i *Instruction){
		"it has changed":         func(i *Instruction) { i.Last++ },
		"its end has changed":    func(i *Instruction) { i.Ended++ },
		"the reward of epoch 9":  func(i *Instruction) { i.Rewards = []int64{9} },
		"was compounded by the ": func(*Instruction) {},
	} {
		d, err := ReadDetails([]byte(second.Details))
		must(t, err)
		must(t, d.VerifyContinues(earlier))
		before := earlier
		for n := range d.Instructions {
			i := &d.Instructions[n]
			if i.End != "replaced" {
				continue
			}
			before.Instructions = append([]Instruction(nil), earlier.Instructions...)
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
		wantError(t, want, d.VerifyContinues(before), want)
	}
}

// A message is compared with the owner and the epochs of its instruction.
func TestInstructionOf(t *testing.T) {
	of, _ := instructed(t)
	d, err := ReadDetails([]byte(of.Details))
	must(t, err)
	_, err = d.InstructionOf(of.Messages[0] + " ")
	wantError(t, "another message", err, "no instruction has the message hash")
	for n := range d.Instructions {
		d.Instructions[n].Last++
	}
	_, err = d.InstructionOf(of.Messages[0])
	wantError(t, "other epochs", err, "the message does not say")
}
