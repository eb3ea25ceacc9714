package runes

import (
	"context"
	"fmt"

	"github.com/btcsuite/btcd/wire/v2"
	"lukechampine.com/uint128"

	"moonfund/chain"
)

// Apply brings the index from the state before a block to the state after it and
// keeps the record that Undo needs. It returns the runes that went to each output
// the block creates, also those that it spends itself; outputs without runes are
// left out. Blocks must come in order.
//
// On an error nothing was written, unless the store itself failed. It returns
// ErrApplied, ErrOverflow (the store is not of this chain), and errors of the
// store and of commitments.
func (r Rules) Apply(ctx context.Context, store Store, commitments Commitments, block chain.Block) (map[wire.OutPoint][]Balance, error) {
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
		burned: purse{}, allocated: map[wire.OutPoint][]Balance{}}
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
	burned      purse
	allocated   map[wire.OutPoint][]Balance
}

func (u *updater) run(ctx context.Context) error {
	if entry, exists := u.genesis(); exists && u.block.Height == u.FirstHeight {
		u.create(entry)
	}
	for i := range u.block.Txs {
		tx := &u.block.Txs[i]
		if err := u.transaction(ctx, uint32(i), tx); err != nil {
			return fmt.Errorf("transaction %s: %w", tx.ID, err)
		}
		u.mine[tx.ID] = true
	}
	return u.recordBurned()
}

func (u *updater) transaction(ctx context.Context, index uint32, tx *chain.Tx) error {
	free, err := u.enter(tx.Msg)
	if err != nil {
		return err
	}
	artifact := Decipher(tx.Msg)
	if artifact == nil && len(free) == 0 {
		return nil
	}
	if free == nil {
		free = purse{}
	}
	var etched *ID
	if artifact != nil {
		if err := u.mint(artifact, free); err != nil {
			return err
		}
		if etched, err = u.etch(ctx, index, tx, artifact, free); err != nil {
			return err
		}
	}
	outputs, burned := allocate(tx.Msg, artifact, free, etched)
	for i, p := range outputs {
		if balances := p.balances(); len(balances) > 0 {
			o := wire.OutPoint{Hash: tx.ID, Index: uint32(i)}
			u.made[o], u.allocated[o] = balances, balances
		}
	}
	for id, amount := range burned {
		if err := u.burned.add(id, amount); err != nil {
			return err
		}
	}
	return nil
}

// enter takes the runes of the outputs that tx spends.
func (u *updater) enter(tx *wire.MsgTx) (purse, error) {
	var free purse
	for _, in := range tx.TxIn {
		if in.PreviousOutPoint.Index == wire.MaxPrevOutIndex { // coinbase
			continue
		}
		balances, err := u.spend(in.PreviousOutPoint)
		if err != nil {
			return nil, err
		}
		if free == nil && len(balances) > 0 { // most transactions need none
			free = purse{}
		}
		for _, b := range balances {
			if err := free.add(b.ID, b.Amount); err != nil {
				return nil, err
			}
		}
	}
	return free, nil
}

// mint adds what the artifact mints. It counts in a cenotaph too, and burns there.
func (u *updater) mint(artifact *Artifact, free purse) error {
	id := artifact.mint()
	if id == nil {
		return nil
	}
	entry, amount, err := u.mintable(u.layer, *id, u.block.Height)
	if err != nil || entry == nil {
		return err
	}
	entry.Mints = entry.Mints.Add64(1) // below the cap, so it fits
	if err := u.change(*entry); err != nil {
		return err
	}
	return free.add(entry.ID, amount)
}

// etch creates the rune that the artifact etches, adds its premine and returns
// its id; nil when there is none or the etching is not valid. From a cenotaph only
// a name comes, without supply or terms.
func (u *updater) etch(ctx context.Context, index uint32, tx *chain.Tx, artifact *Artifact, free purse) (*ID, error) {
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
		if free, err := u.nameFree(ctx, tx.Msg, name); err != nil || !free {
			return nil, err
		}
	}
	u.create(Entry{
		ID:           id,
		Etching:      tx.ID,
		Name:         name,
		Spacers:      or0(etching.Spacers),
		Divisibility: or0(etching.Divisibility),
		Symbol:       etching.Symbol,
		Premine:      value(etching.Premine),
		Terms:        etching.Terms,
		Timestamp:    u.block.Time.Unix(),
		Turbo:        etching.Turbo,
	})
	return &id, free.add(id, value(etching.Premine))
}

func or0[T uint8 | uint32](v *T) T {
	if v == nil {
		return 0
	}
	return *v
}

// nameFree says whether tx may etch the name in this block.
func (u *updater) nameFree(ctx context.Context, tx *wire.MsgTx, name Name) (bool, error) {
	if !u.open(name, u.block.Height) {
		return false, nil
	}
	if taken, err := u.nameTaken(name); err != nil || taken {
		return false, err
	}
	return committed(ctx, u.commitments, tx, name, u.block.Height, u.isMine)
}

// recordBurned adds the block's burns to the entries.
func (u *updater) recordBurned() error {
	for id, amount := range u.burned {
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
		if err := u.change(entry); err != nil {
			return err
		}
	}
	return nil
}
