package statement

import (
	"fmt"
	"slices"
)

// Instruction is an owner's signed instruction to compound rewards automatically, as it was when the facts of the
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
		return fmt.Errorf("statement: instruction %q has a number out of range", i.ID)
	case i.ID == "" || !isPlain(i.ID) || len(i.ID) > maxText || i.Owner == "" || !isPlain(i.Owner) || !isName(i.End):
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
	if d.Format == DetailsFormat1 && len(d.Instructions) > 0 {
		return fmt.Errorf("statement: details of the format %q have no instructions", d.Format)
	}
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

// details1 has the members of details of the format DetailsFormat1.
type details1 struct {
	Community string  `json:"community"`
	Epoch     int64   `json:"epoch"`
	Format    string  `json:"format"`
	Inputs    []Input `json:"inputs"`
	Network   string  `json:"network"`
	Owners    []Leaf  `json:"owners"`
}

// canonical returns the canonical JSON of valid details. Lists are written as [] if they are empty.
func (d Details) canonical() ([]byte, error) {
	d.Inputs, d.Owners = append([]Input{}, d.Inputs...), append([]Leaf{}, d.Owners...)
	if d.Format == DetailsFormat1 {
		return canonical(details1{d.Community, d.Epoch, d.Format, d.Inputs, d.Network, d.Owners})
	}
	d.Instructions = append([]Instruction{}, d.Instructions...)
	for n, i := range d.Instructions {
		d.Instructions[n].Rewards = append([]int64{}, i.Rewards...)
	}
	return canonical(d)
}
