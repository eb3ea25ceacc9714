package runes

import (
	"context"
	"fmt"

	"github.com/btcsuite/btcd/wire/v2"
	"lukechampine.com/uint128"

	"moonfund/internal/bitcoin/chain"
)

// Apply updates the index with a block and stores the undo record for it. It returns the runes allocated to each output
// that the block creates, including outputs that the block also spends; outputs without runes are omitted. Blocks must
// be applied in order.
//
// Apply writes nothing before all checks have passed, so after an error the store is unchanged unless the store itself
// failed. It returns ErrApplied, ErrOverflow (the store belongs to another chain), and errors of the store and of
// commitments.
func (r Rules) Apply(
	ctx context.Context, store Store, commitments Commitments, block chain.Block,
) (Allocated, error) {
	if _, applied, err := store.RuneUndo(block.Height); err != nil {
		return nil, err
	} else if applied {
		return nil, fmt.Errorf("%w: %d", ErrApplied, block.Height)
	}
	l, err := newLayer(store, len(block.Txs))
	if err != nil {
		return nil, err
	}
	u := updater{Rules: r, layer: l, commitments: commitments, block: &block,
		allocated: Allocated{}}
	if block.Height >= r.FirstHeight {
		if err := u.run(ctx); err != nil {
			return nil, fmt.Errorf("block %d: %w", block.Height, err)
		}
	}
	return u.allocated, l.flush(block.Height)
}

// updater applies one block.
type updater struct {
	Rules
	*layer
	commitments Commitments
	block       *chain.Block
	burned      runeAmounts
	allocated   Allocated
}

func (u *updater) run(ctx context.Context) error {
	if entry, exists := u.genesis(); exists && u.block.Height == u.FirstHeight {
		u.create(entry)
	}
	if err := u.load(u.block.Txs); err != nil {
		return err
	}
	for i := range u.block.Txs {
		tx := &u.block.Txs[i]
		if err := u.transaction(ctx, uint32(i), tx); err != nil {
			return fmt.Errorf("transaction %s: %w", tx.ID, err)
		}
		u.blockTxs[tx.ID] = true
	}
	return u.recordBurned()
}

func (u *updater) transaction(ctx context.Context, index uint32, tx *chain.Tx) error {
	unallocated, err := u.spendInputs(tx.Msg)
	if err != nil {
		return err
	}
	artifact := Decipher(tx.Msg)
	if artifact == nil && unallocated.isEmpty() {
		return nil
	}
	var etched *ID
	if artifact != nil {
		if err := u.mint(artifact, &unallocated); err != nil {
			return err
		}
		if etched, err = u.etch(ctx, index, tx, artifact, &unallocated); err != nil {
			return err
		}
	}
	outputs, burned := allocate(tx.Msg, artifact, unallocated, etched)
	for i, holding := range outputs {
		if !holding.isEmpty() {
			u.created[wire.OutPoint{Hash: tx.ID, Index: uint32(i)}] = holding
			u.allocated[tx.ID] = outputs
		}
	}
	for id, amount := range burned.all() {
		if err := u.burned.add(id, amount); err != nil {
			return err
		}
	}
	return nil
}

// spendInputs removes and returns the runes of the outputs that tx spends.
func (u *updater) spendInputs(tx *wire.MsgTx) (runeAmounts, error) {
	var inputs inputSum
	for _, in := range tx.TxIn {
		if in.PreviousOutPoint.Index == wire.MaxPrevOutIndex { // coinbase
			continue
		}
		if err := inputs.add(u.spend(in.PreviousOutPoint)); err != nil {
			return inputs.sum, err
		}
	}
	return inputs.total()
}

// mint adds the amount that the artifact mints. A mint in a cenotaph also counts towards the cap, and its amount burns.
func (u *updater) mint(artifact *Artifact, unallocated *runeAmounts) error {
	id := artifact.mint()
	if id == nil {
		return nil
	}
	entry, amount, err := u.mintable(u.layer, *id, u.block.Height)
	if err != nil || entry == nil {
		return err
	}
	entry.Mints = entry.Mints.Add64(1) // below the cap, so no overflow
	if err := u.putEntry(*entry); err != nil {
		return err
	}
	return unallocated.add(entry.ID, amount)
}

// etch creates the rune that the artifact etches, adds its premine and returns its id, or nil if there is no valid
// etching. A cenotaph's etching creates only a name, without supply or terms.
func (u *updater) etch(ctx context.Context, index uint32, tx *chain.Tx, artifact *Artifact,
	unallocated *runeAmounts) (*ID, error) {
	var etching Etching
	switch {
	case artifact.Cenotaph != nil && artifact.Cenotaph.Etching != nil:
		etching = Etching{Name: artifact.Cenotaph.Etching}
	case artifact.Runestone != nil && artifact.Runestone.Etching != nil:
		etching = *artifact.Runestone.Etching
	default:
		return nil, nil
	}
	id := ID{Block: uint64(u.block.Height), Tx: index}
	if !u.follows(id) {
		return nil, nil
	}
	name := ReservedName(id)
	if etching.Name == nil {
		u.counters.Reserved++
	} else {
		name = *etching.Name
		if allowed, err := u.canEtchName(ctx, tx.Msg, name); err != nil || !allowed {
			return nil, err
		}
	}
	u.create(Entry{
		ID:           id,
		Etching:      tx.ID,
		Name:         name,
		Spacers:      orZero(etching.Spacers),
		Divisibility: orZero(etching.Divisibility),
		Symbol:       etching.Symbol,
		Premine:      value(etching.Premine),
		Terms:        etching.Terms,
		Timestamp:    u.block.Time.Unix(),
		Turbo:        etching.Turbo,
	})
	return &id, unallocated.add(id, value(etching.Premine))
}

func orZero[T uint8 | uint32](v *T) T {
	if v == nil {
		return 0
	}
	return *v
}

// canEtchName reports whether tx may etch the name in this block.
func (u *updater) canEtchName(ctx context.Context, tx *wire.MsgTx, name Name) (bool, error) {
	if !u.nameAllowed(name, u.block.Height) {
		return false, nil
	}
	if taken, err := u.nameTaken(name); err != nil || taken {
		return false, err
	}
	return hasCommitment(ctx, u.commitments, tx, name, u.block.Height, u.inBlock)
}

// recordBurned adds the block's burned amounts to the entries.
func (u *updater) recordBurned() error {
	for id, amount := range u.burned.all() {
		if amount == uint128.Zero {
			continue
		}
		entry, found, err := u.RuneEntry(id)
		if err != nil {
			return err
		}
		if !found {
			return fmt.Errorf("burned rune %s is not in the store", id)
		}
		var fits bool
		if entry.Burned, fits = sum(entry.Burned, amount); !fits {
			return ErrOverflow
		}
		if err := u.putEntry(entry); err != nil {
			return err
		}
	}
	return nil
}
