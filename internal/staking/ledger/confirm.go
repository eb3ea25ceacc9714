package ledger

import (
	"context"

	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/bitcoin/vault"
)

// ConfirmTxs records the block of its transactions that the ledger has as unconfirmed and of which only the block
// changes. It uses few statements for all of them together, because a block can confirm 9,000 payments. It returns the
// changes, and the other transactions, which RecordTx must record. seen are transactions of one block, in its order,
// and none is a payout of ours.
func (s *Service) ConfirmTxs(
	ctx context.Context, tx Tx, watch WatchList, seen []Observation,
) (changes Changes, others []Observation, err error) {
	states, err := tx.Tracked.States(ctx, idsOf(seen)...)
	if err != nil {
		return changes, nil, err
	}
	var known []Observation
	for _, obs := range seen {
		if state, found := states[obs.Tx.ID.String()]; found && state.replaceable() {
			known = append(known, obs)
		}
	}
	if _, err := s.conflicts(ctx, tx, watch, known, &changes); err != nil {
		return changes, nil, err
	}
	stored, err := readStored(ctx, tx, watch, known)
	if err != nil {
		return changes, nil, err
	}
	var c confirmation
	done := map[string]bool{}
	for i, obs := range known {
		made, spent := stored.made[i], stored.spentBy(obs, watch)
		if s.confirmsOnly(obs, made, spent, stored.before[obs.Tx.ID.String()]) {
			c.add(obs, made, spent)
			done[obs.Tx.ID.String()] = true
		}
	}
	for _, obs := range seen {
		if !done[obs.Tx.ID.String()] {
			others = append(others, obs)
		}
	}
	changes.Outputs, changes.Spent = c.outputs, append(changes.Spent, c.spent...)
	return changes, others, c.write(ctx, tx)
}

func idsOf(seen []Observation) (ids []string) {
	for _, obs := range seen {
		ids = append(ids, obs.Tx.ID.String())
	}
	return ids
}

// storedOutputs are the outputs of observed transactions, and our outputs that they spend.
type storedOutputs struct {
	made   [][]Output               // outputs at our addresses by observation, see outputsMade
	before map[string][]Output      // by transaction: the outputs that the ledger has
	spent  map[wire.OutPoint]Output // outputs of ours that are spent
}

func readStored(ctx context.Context, tx Tx, watch WatchList, seen []Observation) (stored storedOutputs, err error) {
	if stored.made, err = outputsMade(ctx, tx, watch, seen); err != nil {
		return stored, err
	}
	outputs, err := tx.Outputs.OutputsOf(ctx, idsOf(seen)...)
	if err != nil {
		return stored, err
	}
	stored.before = map[string][]Output{}
	for _, output := range outputs {
		txid := output.OutPoint.Hash.String()
		stored.before[txid] = append(stored.before[txid], output)
	}
	var spends []wire.OutPoint
	for _, obs := range seen {
		spends = append(spends, obs.Tx.Spends(watch.Output)...)
	}
	if outputs, err = tx.Outputs.Outputs(ctx, spends); err != nil {
		return stored, err
	}
	stored.spent = map[wire.OutPoint]Output{}
	for _, output := range outputs {
		stored.spent[output.OutPoint] = output
	}
	return stored, nil
}

// spentBy returns our outputs that a transaction spends.
func (s storedOutputs) spentBy(obs Observation, watch WatchList) (spent []Output) {
	for _, point := range obs.Tx.Spends(watch.Output) {
		if output, ours := s.spent[point]; ours {
			spent = append(spent, output)
		}
	}
	return spent
}

// confirmsOnly reports whether of a recorded transaction only the block changes. before are its stored outputs. It
// completes the outputs made. A transaction that spends anything but stakes by their owner's recovery may be a payout,
// or change a treasury.
func (s *Service) confirmsOnly(obs Observation, made, spent, before []Output) bool {
	ours := map[wire.OutPoint]bool{}
	for _, output := range spent {
		if output.Kind != StakeKind || output.SpentBy != obs.Tx.ID.String() || output.SpentOurs {
			return false
		}
		ours[output.OutPoint] = true
	}
	for _, in := range obs.Tx.Msg.TxIn {
		if ours[in.PreviousOutPoint] && vault.SignedByCommunity(in.Witness) {
			return false
		}
	}
	return s.completeAll(made, before, obs)
}

// confirmation are transactions of a block that it only confirms.
type confirmation struct {
	height         int64
	txids, spends  []string // ids of all, and of the ones that spend our outputs
	placed         []Confirmed
	outputs, spent []Output
}

func (c *confirmation) add(obs Observation, made, spent []Output) {
	c.height = obs.Height
	c.txids = append(c.txids, obs.Tx.ID.String())
	if len(made) > 0 {
		c.placed = append(c.placed, obs.confirmed())
		c.outputs = append(c.outputs, made...)
	}
	if len(spent) > 0 {
		c.spends = append(c.spends, obs.Tx.ID.String())
	}
	for _, output := range spent {
		output.SpentHeight = obs.Height
		c.spent = append(c.spent, output)
	}
}

func (c *confirmation) write(ctx context.Context, tx Tx) error {
	if err := tx.Outputs.ConfirmOutputs(ctx, c.placed...); err != nil {
		return err
	}
	if err := tx.Outputs.ConfirmSpends(ctx, c.height, c.spends...); err != nil {
		return err
	}
	return tx.Tracked.ConfirmTxs(ctx, c.height, c.txids...)
}
