package devnet

import (
	"context"
	"fmt"
	"time"
	"unicode/utf8"

	"github.com/btcsuite/btcd/txscript/v2"
	"github.com/btcsuite/btcd/wire/v2"
	"lukechampine.com/uint128"

	"moonfund/internal/bitcoin/runes"
)

const (
	// fundedHeight is the height at which eleven block rewards are mature.
	fundedHeight = coinbaseMaturity + 10
	// premineCoins is the number of outputs that the premine is divided into, so that the faucet does not chain
	// unconfirmed change.
	premineCoins = 20
	// revealDelay is the number of blocks between a commitment and its reveal.
	revealDelay = runes.CommitConfirmations - 1
	// etchingDepth is the number of blocks mined on top of an etching to protect it from reorgs.
	etchingDepth = 6
)

// bootstrap mines the first funds and etches the missing runes. The first blocks have header times in the minutes
// before now, one second apart, because header times must increase and would otherwise run ahead of the clock.
func (n *Network) bootstrap(ctx context.Context) error {
	at := n.config.Now().Add(-(fundedHeight + 2*etchingDepth + 2) * time.Second)
	mine := func(blocks int64) error {
		for range blocks {
			if err := ctx.Err(); err != nil {
				return err
			}
			if at = at.Add(time.Second); at.After(n.config.Now()) || n.ix.latestTime().After(at) {
				at = n.config.Now()
			}
			if err := n.mineBlock(ctx, nil, time.Time{}, at); err != nil {
				return err
			}
		}
		return nil
	}
	if first := fundedHeight - n.ix.height(); first > 0 {
		n.config.Progress(fmt.Sprintf("Mining %d blocks", first))
		if err := mine(first); err != nil {
			return err
		}
	}
	if err := n.etchMissing(ctx, mine); err != nil {
		return err
	}
	return n.findEtched()
}

// etching is the state of one commitment and reveal.
type etching struct {
	Rune
	name   runes.SpacedName
	leaf   txscript.TapLeaf
	commit coin
}

// etchMissing etches all missing runes in parallel, each with a commitment and a reveal.
func (n *Network) etchMissing(ctx context.Context, mine func(int64) error) error {
	var etchings []*etching
	for _, r := range n.config.Runes {
		e, err := newEtching(r)
		if err != nil {
			return err
		}
		if _, there, err := n.ix.runes.RuneEntryByName(e.name.Name); err != nil {
			return err
		} else if there {
			continue
		}
		n.config.Progress("Etching " + r.Name)
		if err := n.commitEtching(ctx, e); err != nil {
			return fmt.Errorf("commit to the etching of %s: %w", r.Name, err)
		}
		etchings = append(etchings, e)
	}
	if len(etchings) == 0 {
		return nil
	}
	if err := mine(revealDelay); err != nil { // the first block contains the commitments
		return err
	}
	for _, e := range etchings {
		if err := n.revealEtching(ctx, e); err != nil {
			return fmt.Errorf("etch %s: %w", e.Name, err)
		}
	}
	return mine(1 + etchingDepth)
}

func newEtching(r Rune) (*etching, error) {
	name, err := runes.ParseSpacedName(r.Name)
	if err != nil {
		return nil, fmt.Errorf("the rune name %q: %w", r.Name, err)
	}
	if symbol, size := utf8.DecodeRuneInString(r.Symbol); symbol == utf8.RuneError || size != len(r.Symbol) {
		return nil, fmt.Errorf("the symbol of %s must be one character, found %q", r.Name, r.Symbol)
	}
	if r.Supply <= 0 {
		return nil, fmt.Errorf("the supply of %s must be above 0, found %d", r.Name, r.Supply)
	}
	return &etching{Rune: r, name: name}, nil
}

// commitEtching pays an output whose only script leaf reveals the name: <commitment> OP_DROP <key> OP_CHECKSIG.
func (n *Network) commitEtching(ctx context.Context, e *etching) error {
	if e.name.Name.Cmp(n.ix.rules.MinimumName(n.ix.height()+1+revealDelay)) < 0 {
		return refuse("the name is too short for this height: use at least 13 letters")
	}
	public := n.key.private.PubKey()
	script, err := txscript.NewScriptBuilder().AddData(e.name.Name.Commitment()).AddOp(txscript.OP_DROP).
		AddData(public.SerializeCompressed()[1:]).AddOp(txscript.OP_CHECKSIG).Script()
	if err != nil {
		return err
	}
	e.leaf = txscript.NewBaseTapLeaf(script)
	root := e.leaf.TapHash()
	pkScript, err := txscript.PayToTaprootScript(txscript.ComputeTaprootOutputKey(public, root[:]))
	if err != nil {
		return err
	}
	const revealVBytes = 300 + premineCoins*43
	value := premineCoins*dustSats + int64(faucetFeeRate.Fee(revealVBytes))
	txid, err := n.pay(ctx, []gift{{script: pkScript, sats: value}}, runes.ID{})
	e.commit = coin{OutPoint: wire.OutPoint{Hash: txid}, TxOut: wire.NewTxOut(value, pkScript)}
	return err
}

// revealEtching spends the commitment with the etching. Its sequence makes the reveal invalid by consensus until the
// commitment is old enough.
func (n *Network) revealEtching(ctx context.Context, e *etching) error {
	p := &payment{key: n.key, tx: wire.NewMsgTx(2)}
	p.spend(e.commit)
	p.tx.TxIn[0].Sequence = revealDelay
	for range premineCoins {
		p.tx.AddTxOut(wire.NewTxOut(dustSats, n.key.script))
	}
	symbol, _ := utf8.DecodeRuneInString(e.Symbol)
	stone := runes.Runestone{
		Etching: &runes.Etching{
			Name: &e.name.Name, Spacers: &e.name.Spacers, Divisibility: &e.Divisibility,
			Symbol: &symbol, Premine: new(uint128.From64(uint64(e.Supply))),
		},
		// An edict of amount 0 to one past the last output divides the balance evenly.
		Edicts: []runes.Edict{{Output: premineCoins + 1}},
	}
	script, err := stone.Script()
	if err != nil {
		return err
	}
	p.tx.AddTxOut(wire.NewTxOut(0, script))
	signature, err := txscript.RawTxInTapscriptSignature(p.tx, p.hashes(), 0, e.commit.Value, e.commit.PkScript, e.leaf,
		txscript.SigHashDefault, n.key.private)
	if err != nil {
		return err
	}
	tree := txscript.AssembleTaprootScriptTree(e.leaf)
	block := tree.LeafMerkleProofs[0].ToControlBlock(n.key.private.PubKey())
	control, err := block.ToBytes()
	if err != nil {
		return err
	}
	p.tx.TxIn[0].Witness = wire.TxWitness{signature, e.leaf.Script, control}
	return n.publish(ctx, p.tx)
}

// findEtched finds the configured runes on the chain.
func (n *Network) findEtched() error {
	n.etched = nil
	for _, r := range n.config.Runes {
		name, err := runes.ParseSpacedName(r.Name)
		if err != nil {
			return err
		}
		entry, there, err := n.ix.runes.RuneEntryByName(name.Name)
		if err != nil {
			return err
		}
		if !there {
			return fmt.Errorf("the rune %s was not etched: its reveal did not count", r.Name)
		}
		n.etched = append(n.etched, Etched{Rune: r, ID: entry.ID, Height: int64(entry.ID.Block)})
	}
	return nil
}
