package inquiry

// instruction describes the last instruction to compound automatically that an owner signed, if any.
func (f *finder) instruction(c community, owner string) error {
	f.section(instructionTitle)
	i, err := f.tx.LastInstruction(f.ctx, c.Prefix, owner)
	if exists, err := known(err); !exists {
		return err
	}
	first, last := number(i.First), number(i.Last)
	if i.Ended.IsZero() {
		f.say(instructionActive, date(i.Signed), i.ID, first, last, number(i.Done+1))
	} else {
		event, err := f.tx.InstructionEnd(f.ctx, i.ID)
		if err != nil {
			return err
		}
		f.say(instructionOver, i.ID, date(i.Signed), first, last, date(i.Ended), howEnded[event].text)
	}
	compounded, err := f.tx.CompoundedBy(f.ctx, c.Prefix, owner, i.ID)
	if err != nil || compounded == 0 {
		return err
	}
	f.say(instructionRow, number(compounded))
	return nil
}
