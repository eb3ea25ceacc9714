package devnet

import (
	"cmp"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/btcsuite/btcd/btcec/v2"
	"github.com/btcsuite/btcd/chainhash/v2"
	"github.com/btcsuite/btcd/txscript/v2"
	"github.com/btcsuite/btcd/wire/v2"
	"lukechampine.com/uint128"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/runes"
)

const (
	dustSats      = 546                 // value of an output that carries runes
	faucetDefault = 1_000_000           // sats sent if no amount is requested
	faucetMost    = 50 * 100_000_000    // maximum number of sats per call
	edictsPerTx   = 5                   // limits a runestone to the standard 83 bytes
	smallCoin     = 10_000              // sats; fund does not spend smaller coins
	faucetFeeRate = amount.FeeRate(2e3) // 2 sat/vB
)

// faucetKey is the key of all mined and premined coins, with its P2TR script.
type faucetKey struct {
	private *btcec.PrivateKey
	script  []byte
}

// loadFaucetKey reads the key, or creates it if the file does not exist.
func loadFaucetKey(path string) (faucetKey, error) {
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		fresh, err := btcec.NewPrivateKey()
		if err != nil {
			return faucetKey{}, err
		}
		if err := os.WriteFile(path, []byte(hex.EncodeToString(fresh.Serialize())), 0o600); err != nil {
			return faucetKey{}, err
		}
		return newFaucetKey(fresh)
	}
	if err != nil {
		return faucetKey{}, err
	}
	secret, err := hex.DecodeString(strings.TrimSpace(string(text)))
	if err != nil || len(secret) != btcec.PrivKeyBytesLen {
		return faucetKey{}, fmt.Errorf("%s does not hold the faucet's key", path)
	}
	private, _ := btcec.PrivKeyFromBytes(secret)
	return newFaucetKey(private)
}

func newFaucetKey(private *btcec.PrivateKey) (faucetKey, error) {
	script, err := txscript.PayToTaprootScript(txscript.ComputeTaprootKeyNoScript(private.PubKey()))
	return faucetKey{private: private, script: script}, err
}

// gift is an output to pay: sats, and optionally base units of the payment's rune.
type gift struct {
	script []byte
	sats   int64
	runes  int64
}

// Faucet sends sats and, if runes > 0, base units of a community's rune to an address. Without either it sends a
// default amount of sats. An empty prefix means the first community. It returns the transaction and the outputs that
// pay the address: sats first, then runes on an output of 546 sats.
func (n *Network) Faucet(ctx context.Context, address string, sats amount.Sats, units amount.Runes,
	prefix string) (txid chainhash.Hash, vouts []uint32, err error) {
	to, err := n.parseAddress(address)
	if err != nil {
		return chainhash.Hash{}, nil, err
	}
	etched, err := n.etchedFor(prefix)
	if err != nil && (prefix != "" || units > 0) {
		return chainhash.Hash{}, nil, err
	}
	if sats == 0 && units == 0 {
		sats = faucetDefault
	}
	var gifts []gift
	switch {
	case sats != 0 && (sats < dustSats || sats > faucetMost):
		return chainhash.Hash{}, nil, refuse("sats must be between %d and %d", dustSats, int64(faucetMost))
	case units < 0:
		return chainhash.Hash{}, nil, refuse("runes must not be negative")
	}
	if sats > 0 {
		gifts = append(gifts, gift{script: to, sats: int64(sats)})
	}
	if units > 0 {
		gifts = append(gifts, gift{script: to, sats: dustSats, runes: int64(units)})
	}
	if err := n.enter(ctx); err != nil {
		return chainhash.Hash{}, nil, err
	}
	defer n.leave()
	txid, err = n.pay(ctx, gifts, etched.ID)
	for i := range gifts {
		vouts = append(vouts, uint32(i))
	}
	return txid, vouts, err
}

// Treasury describes a call of FundTreasury. Each amount is a total that is divided evenly over the outputs.
type Treasury struct {
	Prefix       string
	RunesAddress string
	Runes        amount.Runes
	SatsAddress  string
	Sats         amount.Sats
	Outputs      int64 // of each kind
}

// FundTreasury sends initial funds to a community's operator and mines them. It returns the transactions.
func (n *Network) FundTreasury(ctx context.Context, t Treasury) ([]chainhash.Hash, error) {
	runesTo, err := n.parseAddress(t.RunesAddress)
	if err != nil {
		return nil, err
	}
	satsTo, err := n.parseAddress(t.SatsAddress)
	if err != nil {
		return nil, err
	}
	etched, err := n.etchedFor(t.Prefix)
	if err != nil {
		return nil, err
	}
	if t.Outputs < 1 || int64(t.Runes) < t.Outputs || int64(t.Sats) < t.Outputs*dustSats {
		return nil, refuse("the treasury's amounts do not fill %d outputs", t.Outputs)
	}
	var runeGifts, satGifts []gift
	for i := range t.Outputs {
		runeGifts = append(runeGifts, gift{script: runesTo, sats: dustSats, runes: share(int64(t.Runes), t.Outputs, i)})
		satGifts = append(satGifts, gift{script: satsTo, sats: share(int64(t.Sats), t.Outputs, i)})
	}
	if err := n.enter(ctx); err != nil {
		return nil, err
	}
	defer n.leave()
	var txids []chainhash.Hash
	for _, gifts := range slices.Collect(slices.Chunk(runeGifts, edictsPerTx)) {
		txid, err := n.pay(ctx, gifts, etched.ID)
		if err != nil {
			return txids, err
		}
		txids = append(txids, txid)
	}
	txid, err := n.pay(ctx, satGifts, runes.ID{})
	if err != nil {
		return txids, err
	}
	return append(txids, txid), n.mineBlock(ctx, nil, time.Time{}, n.config.Now())
}

// share returns part i of a total divided into equal parts. The first parts take the remainder.
func share(total, parts, i int64) int64 {
	if i < total%parts {
		return total/parts + 1
	}
	return total / parts
}

func (n *Network) parseAddress(text string) ([]byte, error) {
	address, err := chain.ParseAddress(text, n.chain)
	switch {
	case errors.Is(err, chain.ErrWrongNetwork):
		return nil, refuse("the address is not one of the regtest network")
	case err != nil:
		return nil, refuse("Invalid address")
	}
	return address.Script, nil
}

func (n *Network) etchedFor(prefix string) (Etched, error) {
	for _, e := range n.etched {
		if prefix == "" || e.Prefix == prefix {
			return e, nil
		}
	}
	return Etched{}, refuse("no community has the prefix %q", prefix)
}

// pay sends gifts from the faucet. The caller holds the lock.
func (n *Network) pay(ctx context.Context, gifts []gift, id runes.ID) (chainhash.Hash, error) {
	pool, err := n.readMempool(ctx)
	if err != nil {
		return chainhash.Hash{}, err
	}
	p := &payment{purse: n.spendable(pool), key: n.key}
	if err := p.addGifts(gifts, id); err != nil {
		return chainhash.Hash{}, err
	}
	if err := p.fund(); err != nil {
		return chainhash.Hash{}, err
	}
	if err := p.sign(); err != nil {
		return chainhash.Hash{}, err
	}
	return p.tx.TxHash(), n.publish(ctx, p.tx)
}

// spendable returns the faucet's coins that can be spent in the next block, oldest first and unconfirmed ones last.
// Faucet payments therefore rarely depend on each other, and a reorg that deletes one keeps the others.
func (n *Network) spendable(pool *mempool) []coin {
	coins := slices.DeleteFunc(pool.coinsOf(n.key.script), func(c coin) bool {
		return c.coinbase && n.ix.height()+1-c.height < coinbaseMaturity
	})
	slices.SortStableFunc(coins, func(a, b coin) int { return cmp.Compare(a.age(), b.age()) })
	return coins
}

// age is the sort key of a coin: its height, with unconfirmed coins last.
func (c coin) age() int64 {
	if c.height == chain.None {
		return math.MaxInt64
	}
	return c.height
}

// payment is a faucet transaction that is being built.
type payment struct {
	purse  []coin // available coins, in order of preference
	key    faucetKey
	tx     *wire.MsgTx
	inputs []coin
}

// addGifts adds the outputs and, when runes are given, rune inputs, rune change and a runestone with one explicit edict
// per gift.
func (p *payment) addGifts(gifts []gift, id runes.ID) error {
	p.tx = wire.NewMsgTx(2)
	var stone runes.Runestone
	var total uint128.Uint128
	for vout, g := range gifts {
		p.tx.AddTxOut(wire.NewTxOut(g.sats, g.script))
		if g.runes > 0 {
			units := uint128.From64(uint64(g.runes))
			total = total.Add(units)
			stone.Edicts = append(stone.Edicts, runes.Edict{ID: id, Amount: units, Output: uint32(vout)})
		}
	}
	if total.IsZero() {
		return nil
	}
	if err := p.takeRunes(id, total); err != nil {
		return err
	}
	change := uint32(len(p.tx.TxOut))
	stone.Pointer = &change
	script, err := stone.Script()
	if err != nil {
		return err
	}
	p.tx.AddTxOut(wire.NewTxOut(dustSats, p.key.script))
	p.tx.AddTxOut(wire.NewTxOut(0, script))
	return nil
}

// takeRunes adds the first coin that covers the amount, or several coins.
func (p *payment) takeRunes(id runes.ID, total uint128.Uint128) error {
	holds := func(c coin) uint128.Uint128 {
		for _, b := range c.runes {
			if b.ID == id {
				return b.Amount
			}
		}
		return uint128.Zero
	}
	enough := slices.IndexFunc(p.purse, func(c coin) bool { return holds(c).Cmp(total) >= 0 })
	if enough >= 0 {
		p.spend(p.purse[enough])
		return nil
	}
	var got uint128.Uint128
	for _, c := range p.purse {
		if held := holds(c); !held.IsZero() && got.Cmp(total) < 0 {
			p.spend(c)
			got = got.Add(held)
		}
	}
	if got.Cmp(total) < 0 {
		return refuse("the faucet has only %s base units of the rune left", got)
	}
	return nil
}

// fund adds sats inputs until outputs, fee and change are covered: the first coin that suffices alone, otherwise the
// largest ones.
func (p *payment) fund() error {
	p.tx.AddTxOut(wire.NewTxOut(0, p.key.script)) // change
	purse := slices.DeleteFunc(slices.Clone(p.purse), func(c coin) bool { return len(c.runes) > 0 || c.Value < smallCoin })
	if p.settle() {
		return nil
	}
	if i := slices.IndexFunc(purse, func(c coin) bool { return c.Value >= p.missing(1) }); i >= 0 {
		p.spend(purse[i])
		p.settle()
		return nil
	}
	slices.SortStableFunc(purse, func(a, b coin) int { return cmp.Compare(b.Value, a.Value) })
	for _, c := range purse {
		p.spend(c)
		if p.settle() {
			return nil
		}
	}
	return refuse("the faucet does not have that many sats at the moment: mine some blocks")
}

// missing returns the number of sats that the inputs lack to pay for the outputs, the fee and a change output above
// dust. The fee includes the given number of further inputs.
func (p *payment) missing(more int64) int64 {
	const inputVBytes, witnessWeight = 41, 66
	lack := int64(dustSats)
	for _, out := range p.tx.TxOut {
		lack += out.Value
	}
	for _, in := range p.inputs {
		lack -= in.Value
	}
	inputs := int64(len(p.inputs)) + more
	bare := p.tx.Copy()
	bare.TxIn = nil
	vbytes := int64(bare.SerializeSize()) + 3 + inputs*inputVBytes + (inputs*witnessWeight+2+3)/4
	return lack + int64(faucetFeeRate.Fee(vbytes))
}

// settle pays the remainder to the change output, which must be the last output. It returns false if the inputs do not
// suffice.
func (p *payment) settle() bool {
	left := -p.missing(0)
	if left < 0 {
		return false
	}
	p.tx.TxOut[len(p.tx.TxOut)-1].Value = left + dustSats
	return true
}

func (p *payment) spend(c coin) {
	p.inputs = append(p.inputs, c)
	p.tx.AddTxIn(wire.NewTxIn(&c.OutPoint, nil, nil))
}

// sign signs every input by the key path (BIP-341, SIGHASH_DEFAULT).
func (p *payment) sign() error {
	hashes := p.hashes()
	for i, c := range p.inputs {
		signature, err := txscript.RawTxInTaprootSignature(p.tx, hashes, i, c.Value, c.PkScript, nil, txscript.SigHashDefault,
			p.key.private)
		if err != nil {
			return fmt.Errorf("sign the faucet's input %d: %w", i, err)
		}
		p.tx.TxIn[i].Witness = wire.TxWitness{signature}
	}
	return nil
}

func (p *payment) hashes() *txscript.TxSigHashes {
	previous := map[wire.OutPoint]*wire.TxOut{}
	for _, c := range p.inputs {
		previous[c.OutPoint] = c.TxOut
	}
	return txscript.NewTxSigHashes(p.tx, txscript.NewMultiPrevOutFetcher(previous))
}
