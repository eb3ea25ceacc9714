package main

import (
	"context"
	"fmt"
	"strings"

	"moonfund/verify/document"
)

// reportInstructions says which instructions to compound automatically the details of a statement list.
func reportInstructions(r *report, d document.Details) {
	if !d.ListsInstructions {
		r.note("The details are of a format that lists no instructions to compound automatically.")
		return
	}
	active, rewards := 0, 0
	for _, i := range d.Instructions {
		rewards += len(i.Rewards)
		if i.Ended == 0 {
			active++
		}
	}
	r.ok("Instructions to compound automatically: %d active, %d ended. They compounded %s of this epoch.", active,
		len(d.Instructions)-active, plural(rewards, "input", "inputs"))
}

// verifyContinues compares the instructions of an epoch's details with those of the epoch before.
func verifyContinues(r *report, s found, d document.Details, earlier map[int64]document.Details) {
	if before, known := earlier[s.Epoch-1]; known {
		if err := d.VerifyContinues(before); err != nil {
			r.fail("Statement %d: %v.", s.Sequence, err)
		}
	}
}

// verifyInstruction compares an owner's signed message with the instruction that the details of a statement list.
func verifyInstruction(ctx context.Context, r *report, o options, places []string) error {
	place, err := one(places)
	if err == nil && o.statement == "" {
		err = fmt.Errorf("%w: name the statement (--statement)", errUsage)
	}
	if err != nil {
		return err
	}
	s, valid, err := readSigned(ctx, r, o, o.statement)
	if err != nil || !valid {
		return err
	}
	title(r, s)
	reportKey(r, o, s.Key)
	d, checked, err := verifyDetails(ctx, r, s, detailsBeside(o.statement))
	if err != nil {
		return err
	}
	if !checked {
		return fmt.Errorf("the instruction can't be checked without valid details: %s", detailsBeside(o.statement))
	}
	message, err := read(ctx, place)
	if err != nil {
		return err
	}
	i, err := d.InstructionOf(strings.TrimSuffix(strings.ReplaceAll(string(message), "\r\n", "\n"), "\n"))
	if err != nil {
		r.fail("%s: %v.", place, err)
		return nil
	}
	if o.owner != "" && i.Owner != o.owner {
		r.fail("The instruction is one of %s, not of %s.", i.Owner, o.owner)
		return nil
	}
	r.ok("The message is that of instruction %q of %s for the epochs %d to %d, accepted %s UTC.", i.ID, i.Owner, i.First,
		i.Last, day(i.Begun))
	if i.Ended == 0 {
		r.ok("It was active when the statement was made.")
	} else {
		r.ok("It was %q %s UTC.", i.End, day(i.Ended))
	}
	for _, epoch := range i.Rewards {
		r.ok("It compounded the owner's reward of epoch %d, which this epoch rewards.", epoch)
	}
	if len(i.Rewards) == 0 {
		r.note("It compounded none of the inputs of this epoch.")
	}
	r.note("The signature of the message is not checked here. Its hash is in the receipt of the action.")
	return nil
}
