package proof

import (
	"context"
	"errors"
	"fmt"

	"github.com/btcsuite/btcd/txscript/v2"
	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/chain"
	"moonfund/fault"
	"moonfund/ledger"
)

// Outputs finds the outputs at addresses of a community.
type Outputs interface {
	// Output returns ledger.ErrNotFound for an output that is not ours.
	Output(ctx context.Context, out wire.OutPoint) (ledger.Output, error)
}

// Node sends transactions to the network.
type Node interface {
	// Broadcast returns nil when the node has the transaction, also when it had it before, and a *chain.Refusal when it
	// refuses the transaction.
	Broadcast(ctx context.Context, raw []byte) error
}

// Sender sends recoveries that stakers signed. It sends nothing else, so that the server is no open relay.
type Sender struct {
	Node Node
	View func(ctx context.Context, fn func(Outputs) error) error
}

// maxReason bounds how much of the node's own words a person is shown.
const maxReason = 200

// Send checks that raw is a recovery of the owner's stake and gives it to the node. It returns the transaction once the
// node has it, also when it was sent before. Refusals are *fault.Error.
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
	// The node is asked outside of the transaction, which would hold up others while the node is slow.
	return tx, spoken(s.Node.Broadcast(ctx, raw))
}

// checkRecovery returns an error unless tx spends an output at a stake address of the owner, and every output of ours
// that it spends is one, by its script path. confirmed: a block holds the transaction already.
func checkRecovery(ctx context.Context, outputs Outputs, community, owner string, tx chain.Tx) (confirmed bool, err error) {
	found := false
	for _, in := range tx.Msg.TxIn {
		output, err := outputs.Output(ctx, in.PreviousOutPoint)
		switch {
		case errors.Is(err, ledger.ErrNotFound):
			continue // pays the fee
		case err != nil:
			return false, fmt.Errorf("output %s: %w", in.PreviousOutPoint, err)
		case output.Kind != ledger.StakeKind || output.Community != community || output.Owner != owner:
			return false, fault.Refuse(fault.RecoveryOtherOwner, in.PreviousOutPoint.String(), owner)
		case !spendsByScript(in.Witness, output.Script):
			return false, fault.Refuse(fault.RecoveryKeyPath, in.PreviousOutPoint.String())
		}
		found = true
		confirmed = confirmed || output.SpentBy == tx.ID.String() && output.SpentHeight != ledger.None
	}
	if !found {
		return false, fault.Refuse(fault.RecoveryForeign, owner)
	}
	return confirmed, nil
}

// spendsByScript reports whether the witness reveals a script to which the taproot output commits. Its signature is the
// node's to verify. A witness of the key path, or with an annex, does not.
func spendsByScript(witness wire.TxWitness, pkScript []byte) bool {
	const taprootScript, items = 34, 3 // signature, script, control block
	if len(witness) != items || len(pkScript) != taprootScript {
		return false
	}
	control, err := txscript.ParseControlBlock(witness[2])
	return err == nil && txscript.VerifyTaprootLeafCommitment(control, pkScript[2:], witness[1]) == nil
}

// spoken turns the node's answer into a sentence for the staker.
func spoken(err error) error {
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
