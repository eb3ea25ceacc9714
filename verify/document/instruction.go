package document

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Instruction is an owner's signed instruction to compound the rewards of the epochs First to Last when they settle.
type Instruction struct {
	ID, Owner    string
	First, Last  int64
	Message      Hash
	Begun, Ended int64 // unix seconds; Ended is 0 if it was active
	End          string
	Rewards      []int64 // epochs of the inputs that it compounded, ascending
}

func (r *reader) instruction() (i Instruction) {
	r.token(`{"begun":`)
	i.Begun = r.integer()
	r.token(`,"end":`)
	i.End = r.name()
	r.token(`,"ended":`)
	i.Ended = r.integer()
	r.token(`,"first":`)
	i.First = r.integer()
	r.token(`,"id":`)
	i.ID = r.str(maxText)
	r.token(`,"last":`)
	i.Last = r.integer()
	r.token(`,"message":`)
	i.Message = r.hash()
	r.token(`,"owner":`)
	i.Owner = r.owner()
	r.token(`,"rewards":`)
	i.Rewards = list(r, r.integer)
	r.token("}")
	switch {
	case r.err != nil:
	case i.ID == "" || i.First > i.Last || (i.End == "active") != (i.Ended == 0):
		r.fail("the instruction %q of the epochs %d to %d is %q and ended at %d", i.ID, i.First, i.Last, i.End, i.Ended)
	case !slices.IsSorted(i.Rewards) || len(slices.Compact(slices.Clone(i.Rewards))) != len(i.Rewards):
		r.fail("the rewards of the instruction %q are not ascending", i.ID)
	}
	return i
}

// verifyInstructions returns an error unless every reward that an instruction compounded is an input of its owner, is
// of an epoch that it names, and was compounded by one instruction, and an owner has at most one active instruction.
func (d Details) verifyInstructions() error {
	inputs := map[Input]bool{}
	for _, i := range d.Inputs {
		inputs[Input{Unit: i.Unit, Owner: i.Owner}] = true
	}
	compounded, active := map[string]string{}, map[string]string{}
	for _, i := range d.Instructions {
		for _, epoch := range i.Rewards {
			unit := d.rewardUnit(epoch, i.Owner)
			switch {
			case epoch < i.First || epoch > i.Last:
				return fmt.Errorf("the instruction %q compounded %s, and covers the epochs %d to %d", i.ID, unit, i.First, i.Last)
			case !inputs[Input{Unit: unit, Owner: i.Owner}]:
				return fmt.Errorf("the instruction %q compounded %s, which is no input of its owner", i.ID, unit)
			case compounded[unit] != "":
				return fmt.Errorf("the instructions %q and %q compounded %s", compounded[unit], i.ID, unit)
			}
			compounded[unit] = i.ID
		}
		if i.Ended != 0 {
			continue
		}
		if other := active[i.Owner]; other != "" {
			return fmt.Errorf("the instructions %q and %q of %s are active", other, i.ID, i.Owner)
		}
		active[i.Owner] = i.ID
	}
	return nil
}

// VerifyContinues returns an error if the instructions contradict those of earlier details: an instruction has
// changed, or has compounded a reward of an epoch after its end, or a reward was compounded by another instruction.
func (d Details) VerifyContinues(earlier Details) error {
	if !d.ListsInstructions || !earlier.ListsInstructions {
		return nil
	}
	before, by := map[string]Instruction{}, map[string]string{}
	for _, i := range earlier.Instructions {
		before[i.ID] = i
		for _, epoch := range i.Rewards {
			by[earlier.rewardUnit(epoch, i.Owner)] = i.ID
		}
	}
	now := map[string]string{}
	for _, i := range d.Instructions {
		for _, epoch := range i.Rewards {
			now[d.rewardUnit(epoch, i.Owner)] = i.ID
		}
		if old, known := before[i.ID]; known {
			if err := i.continues(old, earlier.Epoch); err != nil {
				return fmt.Errorf("epochs %d and %d: instruction %q: %w", earlier.Epoch, d.Epoch, i.ID, err)
			}
		}
	}
	for _, input := range d.Inputs {
		if id := by[input.Unit]; id != "" && now[input.Unit] != id {
			return fmt.Errorf("epochs %d and %d: %s was compounded by the instruction %q, and then by %q", earlier.Epoch,
				d.Epoch, input.Unit, id, now[input.Unit])
		}
	}
	return nil
}

// continues returns an error if an instruction contradicts what the details of an earlier epoch say about it.
func (i Instruction) continues(old Instruction, epoch int64) error {
	switch {
	case i.Owner != old.Owner || i.Message != old.Message || i.First != old.First || i.Last != old.Last ||
		i.Begun != old.Begun:
		return errors.New("it has changed")
	case old.Ended == 0:
		return nil
	case i.End != old.End || i.Ended != old.Ended:
		return errors.New("it had ended, and its end has changed")
	case len(i.Rewards) > 0 && slices.Max(i.Rewards) >= epoch:
		return fmt.Errorf("it had ended, and compounded the reward of epoch %d since", slices.Max(i.Rewards))
	}
	return nil
}

// InstructionOf returns the instruction that a signed message began, or an error if the details have none, or another
// owner or other epochs than the message.
func (d Details) InstructionOf(message string) (i Instruction, err error) {
	hash := Tagged("moonfund/message", []byte(message))
	at := slices.IndexFunc(d.Instructions, func(i Instruction) bool { return i.Message == hash })
	if at < 0 {
		return i, fmt.Errorf("no instruction has the message hash %s", hash)
	}
	i = d.Instructions[at]
	for _, lines := range [][]string{
		{"Action: AUTO_COMPOUND"},
		{"Ordinals address: " + i.Owner, "Ordinals: " + i.Owner}, // the layouts of messages have different labels
		{"First epoch: " + strconv.FormatInt(i.First, 10)},
		{"Last epoch: " + strconv.FormatInt(i.Last, 10)},
	} {
		says := func(line string) bool { return slices.Contains(lines, line) }
		if !slices.ContainsFunc(strings.Split(message, "\n"), says) {
			return i, fmt.Errorf("the message does not say %q", lines[0])
		}
	}
	return i, nil
}
