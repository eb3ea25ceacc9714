package reserves

import (
	"context"
	"errors"
	"fmt"

	"github.com/btcsuite/btcd/txscript/v2"
	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/fault"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/state"
)

// Outputs reads the outputs at addresses of communities.
type Outputs interface {
	// Output returns an output, or state.ErrNotFound if it is at no address of a community.
	Output(ctx context.Context, out wire.OutPoint) (ledger.Output, error)
}

// Node broadcasts transactions.
type Node interface {
	// Broadcast returns nil if the node accepts the transaction or already has it, and a *chain.Refusal if the node
	// rejects it.
	Broadcast(ctx context.Context, raw []byte) error
}

// Sender broadcasts recoveries that stakers signed. It broadcasts nothing else, so that the server can't be used as an
// open relay.
type Sender struct {
	Node Node
	View func(ctx context.Context, fn func(Outputs) error) error // calls fn in one database transaction
}

// maxReason is the maximum length, in bytes, of the node's rejection text that is shown to a staker.
const maxReason = 200

// Send checks that raw is a recovery of stakes of the owner, an ordinals address, and broadcasts it. It succeeds too if
// the node already has the transaction or a block contains it. It returns a *fault.Error if raw is not such a recovery,
// if the node rejects it, or if the node does not answer.
func (s Sender) Send(ctx context.Context, community, owner string, raw []byte) (chain.Tx, error) {
	tx, err := chain.DecodeTx(raw)
	if err != nil {
		return chain.Tx{}, fault.Refuse(fault.TransactionUnreadable).Because(err)
	}
	var confirmed bool
	err = s.View(ctx, func(outputs Outputs) (err error) {
		confirmed, err = checkRecovery(ctx, outputs, community, owner, tx)
		return err
	})
	if err != nil || confirmed {
		return tx, err
	}
	// Broadcast outside of the database transaction, so that a slow node does not block other writers.
	return tx, explainRefusal(s.Node.Broadcast(ctx, raw))
}

// checkRecovery returns an error unless tx spends a stake output of the owner, spends no other output of a community,
// and spends all of these by their script path. confirmed reports whether a block already contains tx.
func checkRecovery(ctx context.Context, outputs Outputs, community, owner string,
	tx chain.Tx) (confirmed bool, err error) {
	found := false
	for _, in := range tx.Msg.TxIn {
		output, err := outputs.Output(ctx, in.PreviousOutPoint)
		switch {
		case errors.Is(err, state.ErrNotFound):
			continue // a fee input
		case err != nil:
			return false, fmt.Errorf("output %s: %w", in.PreviousOutPoint, err)
		case output.Kind != ledger.StakeKind || output.Community != community || output.Owner != owner:
			return false, fault.Refuse(fault.RecoveryOtherOwner, in.PreviousOutPoint.String(), owner)
		case !spendsByScript(in.Witness, output.Script):
			return false, fault.Refuse(fault.RecoveryKeyPath, in.PreviousOutPoint.String())
		}
		found = true
		confirmed = confirmed || output.SpentBy == tx.ID.String() && output.SpentHeight != chain.None
	}
	if !found {
		return false, fault.Refuse(fault.RecoveryForeign, owner)
	}
	return confirmed, nil
}

// spendsByScript reports whether the witness reveals a script that the taproot output commits to. It returns false for
// a key path spend and for a witness with an annex. The node verifies the signature.
func spendsByScript(witness wire.TxWitness, pkScript []byte) bool {
	const taprootScript, items = 34, 3 // signature, script, control block
	if len(witness) != items || len(pkScript) != taprootScript {
		return false
	}
	control, err := txscript.ParseControlBlock(witness[2])
	return err == nil && txscript.VerifyTaprootLeafCommitment(control, pkScript[2:], witness[1]) == nil
}

// explainRefusal converts the node's answer into an error for the staker.
func explainRefusal(err error) error {
	if err == nil {
		return nil
	}
	refusal, refused := errors.AsType[*chain.Refusal](err)
	if !refused {
		return fault.Refuse(fault.RecoveryUnanswered).Because(err)
	}
	said := map[chain.RefusalKind]fault.Sentence{
		chain.RefusedEarly: fault.RecoveryTooEarly, chain.RefusedFee: fault.RecoveryFeeTooLow,
		chain.RefusedDust: fault.RecoveryDust, chain.RefusedSpent: fault.RecoverySpent,
	}
	if sentence, known := said[refusal.Kind()]; known {
		return fault.Refuse(sentence).Because(err)
	}
	reason := refusal.Reason[:min(len(refusal.Reason), maxReason)]
	return fault.Refuse(fault.RecoveryRefused, reason).Because(err)
}
