package action

import (
	"context"
	"errors"
	"fmt"

	"moonfund/internal/fault"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/staking/order"
	"moonfund/internal/state"
)

// The number of epochs of an instruction to compound automatically.
const (
	DefaultCompounding = 12
	MaxCompounding     = 104
)

// compounding reports whether an action begins or ends automatic compounding.
func (t Type) compounding() bool { return t == AutoCompound || t == EndAutoCompound }

// allowedInPause reports whether an action is accepted while everything is paused. Ending automatic compounding moves
// nothing. If it were refused, a reward could be compounded when the pause ends, before its owner can prevent that.
func (t Type) allowedInPause() bool { return t == EndAutoCompound }

// PostCompounding stores a new AUTO_COMPOUND or END_AUTO_COMPOUND and returns the message to sign. epochs is the number
// of epochs of an AUTO_COMPOUND, 0 for DefaultCompounding. The statement is used as in Post.
func (s *Service) PostCompounding(ctx context.Context, community string, w Wallet, kind Type, epochs int64,
	statement string) (Requested, error) {
	w, err := s.canonical(w)
	if err != nil {
		return Requested{}, err
	}
	if epochs == 0 {
		epochs = DefaultCompounding
	}
	if epochs < 1 || epochs > MaxCompounding {
		return Requested{}, fault.Reject(fault.NumberOutOfRange, "epochs", int64(1), int64(MaxCompounding))
	}
	a := Action{Community: community, Type: kind, Wallet: w, UnitIDs: []string{}}
	err = s.changeFor(ctx, kind, func(tx Tx, terms Terms, m ledger.Moment) error {
		if err := refuseClosed(ctx, tx, community, kind); err != nil {
			return err
		}
		a.Created, a.Expires = m.Now, m.Now.Add(Validity)
		first, active, err := ledger.NextCompounded(ctx, tx.LedgerTx(), community, w.Ordinals)
		if err != nil {
			return err
		}
		if kind == AutoCompound {
			a.First, a.Last = first, first+epochs-1
		} else if a.Ends = active.ID; a.Ends == "" {
			return fault.Refuse(fault.NotCompounding)
		}
		if a.Statement, err = statementFor(ctx, tx, community, statement); err != nil {
			return err
		}
		a, err = s.record(ctx, tx, terms, a, nil, order.Order{}, m)
		return err
	}, community)
	return s.requested(a, err)
}

// briefCompounding returns the brief of an action about automatic compounding: the digest of a.Message, and the epochs
// or the instruction that the message names.
func (a Action) briefCompounding() string {
	if a.Type == EndAutoCompound {
		return briefDigest(a.Message) + " " + a.Ends
	}
	return fmt.Sprintf("%s %d-%d", briefDigest(a.Message), a.First, a.Last)
}

// readCompounding sets the fields of an action from its brief.
func (a *Action) readCompounding(brief string) error {
	if a.Type == EndAutoCompound {
		a.Ends = brief
		return nil
	}
	if _, err := fmt.Sscanf(brief, "%d-%d", &a.First, &a.Last); err != nil {
		return fmt.Errorf("action %s: its brief has the epochs %q: %w", a.ID, brief, err)
	}
	return nil
}

// checkCompounding returns a fault if an action about automatic compounding can't be applied any more: an epoch of the
// instruction has settled since, or the instruction to end is not active.
func checkCompounding(ctx context.Context, tx Tx, a Action) error {
	first, active, err := ledger.NextCompounded(ctx, tx.LedgerTx(), a.Community, a.Wallet.Ordinals)
	switch {
	case err != nil:
		return err
	case a.Type == EndAutoCompound && active.ID == "":
		return fault.Refuse(fault.NotCompounding)
	case a.Type == EndAutoCompound && active.ID != a.Ends, a.Type == AutoCompound && first != a.First:
		return changedSince()
	}
	return nil
}

// applyCompounding begins or ends the automatic compounding of a verified action.
func applyCompounding(ctx context.Context, tx Tx, a Action, m ledger.Moment) error {
	cause := ledger.Cause{Kind: "action", ID: a.ID, At: m.Now}
	if a.Type == AutoCompound {
		return ledger.BeginCompounding(ctx, tx.LedgerTx(), ledger.Instruction{
			ID: a.ID, Community: a.Community, Owner: a.Wallet.Ordinals, First: a.First, Last: a.Last, Signed: m.Now,
		}, cause)
	}
	active, err := tx.Instructions.ActiveInstruction(ctx, a.Community, a.Wallet.Ordinals)
	if errors.Is(err, state.ErrNotFound) {
		return fault.Refuse(fault.NotCompounding)
	}
	if err != nil {
		return err
	}
	return ledger.EndCompounding(ctx, tx.LedgerTx(), active, ledger.CompoundingEnded, cause)
}
