package statement

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Instruction is an owner's signed instruction to compound rewards automatically, in its state when the facts of the
// statement were recorded. Its fields are in the order of their JSON names.
type Instruction struct {
	Begun   int64   `json:"begun"` // when the server accepted it, in unix seconds
	End     string  `json:"end"`   // one of the ends below
	Ended   int64   `json:"ended"` // in unix seconds; 0 if it is active
	First   int64   `json:"first"` // the epochs whose rewards it compounds
	ID      string  `json:"id"`    // of the signed action
	Last    int64   `json:"last"`
	Message Hash    `json:"message"` // hash of the signed message, see MessageHash
	Owner   string  `json:"owner"`   // ordinals address
	Rewards []int64 `json:"rewards"` // epochs of the inputs that it compounded, ascending
}

// The ends of instructions.
const (
	InstructionActive   = "active"
	InstructionEnded    = "ended"    // by its owner
	InstructionReplaced = "replaced" // by another one of its owner
	InstructionExpired  = "expired"  // after its last epoch
	InstructionRestored = "restored" // because the ledger was restored from a backup
)

// check returns an error if a field is invalid.
func (i Instruction) check() error {
	numbers := append([]int64{i.Begun, i.Ended, i.First, i.Last}, i.Rewards...)
	switch {
	case slices.Min(numbers) < 0 || slices.Max(numbers) > maxInteger || i.First > i.Last:
		return fmt.Errorf("statement: instruction %q of the epochs %d to %d has a number out of range", i.ID, i.First, i.Last)
	case i.ID == "" || !isText(i.ID) || !isOwner(i.Owner) || !isName(i.End):
		return fmt.Errorf("statement: instruction %q of %q, %q", i.ID, i.Owner, i.End)
	case (i.End == InstructionActive) != (i.Ended == 0):
		return fmt.Errorf("statement: instruction %q is %q, it ended at %d", i.ID, i.End, i.Ended)
	}
	for n, epoch := range i.Rewards {
		if epoch < i.First || epoch > i.Last || (n > 0 && epoch <= i.Rewards[n-1]) {
			return fmt.Errorf("statement: instruction %q compounds no reward of epoch %d", i.ID, epoch)
		}
	}
	return nil
}

// checkInstructions returns an error unless the instructions are valid and ascending by id.
func (d Details) checkInstructions() error {
	for n, i := range d.Instructions {
		if err := i.check(); err != nil {
			return err
		}
		if n > 0 && i.ID <= d.Instructions[n-1].ID {
			return fmt.Errorf("statement: the instruction %q is not above the one before", i.ID)
		}
	}
	return nil
}

// Continues returns an error if the instructions contradict earlier details: an instruction changed, an instruction
// compounded a reward of an epoch after its end, or two instructions compounded the same reward.
func (d Details) Continues(earlier Details) error {
	before, by := map[string]Instruction{}, map[string]string{}
	for _, i := range earlier.Instructions {
		before[i.ID] = i
		for _, epoch := range i.Rewards {
			by[earlier.rewardID(epoch, i.Owner)] = i.ID
		}
	}
	now := map[string]string{}
	for _, i := range d.Instructions {
		for _, epoch := range i.Rewards {
			now[d.rewardID(epoch, i.Owner)] = i.ID
		}
		if old, known := before[i.ID]; known {
			if err := i.continues(old, earlier.Epoch); err != nil {
				return fmt.Errorf("%w: epochs %d and %d: instruction %q: %w", ErrChain, earlier.Epoch, d.Epoch, i.ID, err)
			}
		}
	}
	for _, input := range d.Inputs {
		if id := by[input.Unit]; id != "" && now[input.Unit] != id {
			return fmt.Errorf("%w: epochs %d and %d: %s was compounded by the instruction %q, and then by %q", ErrChain,
				earlier.Epoch, d.Epoch, input.Unit, id, now[input.Unit])
		}
	}
	return nil
}

// continues returns an error if an instruction contradicts the same instruction in the details of an earlier epoch.
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

// InstructionOf returns the instruction that a signed message began, or an error if the details have no such
// instruction, or if its owner or its epochs differ from the message.
func (d Details) InstructionOf(message string) (i Instruction, err error) {
	hash := MessageHash(message)
	at := slices.IndexFunc(d.Instructions, func(i Instruction) bool { return i.Message == hash })
	if at < 0 {
		return i, fmt.Errorf("statement: no instruction has the message hash %s", hash)
	}
	i = d.Instructions[at]
	lines := strings.Split(message, "\n")
	for _, line := range []string{
		"Action: AUTO_COMPOUND",
		"Ordinals: " + i.Owner,
		fmt.Sprintf("First epoch: %d", i.First),
		fmt.Sprintf("Last epoch: %d", i.Last),
	} {
		if !slices.Contains(lines, line) {
			return i, fmt.Errorf("statement: the message does not say %q", line)
		}
	}
	return i, nil
}

// canonical returns the canonical JSON of valid details. Lists are written as [] if they are empty.
func (d Details) canonical() ([]byte, error) {
	d.Inputs, d.Owners = append([]Input{}, d.Inputs...), append([]Leaf{}, d.Owners...)
	d.Instructions = append([]Instruction{}, d.Instructions...)
	for n, i := range d.Instructions {
		d.Instructions[n].Rewards = append([]int64{}, i.Rewards...)
	}
	return canonical(d)
}
