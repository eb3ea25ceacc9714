package verify

import (
	"context"
	"fmt"
	"strings"

	"moonfund/internal/signed/statement"
)

// reportInstructions reports the instructions to compound automatically in the details of a statement.
func (v *Verifier) reportInstructions(d statement.Details) {
	active, rewards := 0, 0
	for _, i := range d.Instructions {
		rewards += len(i.Rewards)
		if i.Ended == 0 {
			active++
		}
	}
	v.ok("Instructions to compound automatically: %d active, %d ended. They compounded %s of this epoch.", active,
		len(d.Instructions)-active, Plural(rewards, "input", "inputs"))
}

// Instruction compares an owner's signed message with the instruction that the details of a statement list.
func (v *Verifier) Instruction(ctx context.Context, place, of string) error {
	s, valid, err := v.read(ctx, of)
	if err != nil || !valid {
		return err
	}
	v.title(s)
	v.reportKey(s.Key)
	d, checked, err := v.details(ctx, s)
	if err != nil {
		return err
	}
	if !checked {
		return fmt.Errorf("the instruction can't be checked without valid details: %s", detailsBeside(of))
	}
	message, err := fetch(ctx, place)
	if err != nil {
		return err
	}
	i, err := d.InstructionOf(strings.TrimSuffix(strings.ReplaceAll(string(message), "\r\n", "\n"), "\n"))
	if err != nil {
		v.fail("%s: %v.", place, err)
		return nil
	}
	if v.Owner != "" && i.Owner != v.Owner {
		v.fail("The instruction is one of %s, not of %s.", i.Owner, v.Owner)
		return nil
	}
	v.ok("The message belongs to instruction %q of %s for the epochs %d to %d, accepted %s UTC.", i.ID, i.Owner,
		i.First, i.Last, minute(i.Begun))
	if i.Ended == 0 {
		v.ok("It was active when the statement was made.")
	} else {
		v.ok("It was %q %s UTC.", i.End, minute(i.Ended))
	}
	for _, epoch := range i.Rewards {
		v.ok("It compounded the owner's reward of epoch %d, which this epoch rewards.", epoch)
	}
	if len(i.Rewards) == 0 {
		v.note("It compounded none of the inputs of this epoch.")
	}
	v.note("The signature of the message is not checked here. Its hash is in the receipt of the action.")
	return nil
}
