package vault

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/btcsuite/btcd/psbt/v2"
	"github.com/btcsuite/btcd/txscript/v2"
	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/runes"
)

// TestRecovery checks that a staker can recover a stake with only the PSBT, with nSequence equal to the delay and not
// with a shorter one.
func TestRecovery(t *testing.T) {
	c := newCustody(t)
	private, leaf := stakerKey(9)
	for _, kind := range []chain.AddressType{chain.P2TR, chain.P2WPKH} {
		out, err := c.StakeOutput(StakeKeys{Position: 3, Leaf: leaf, Delay: 26280})
		must(t, err)
		to := addressOf(t, kind, private.PubKey().SerializeCompressed(), c.network).Script
		own, anyone, err := RecoveryPSBTs(out, outpoint(1), DustSats, to, amount.SatPerVB(1))
		must(t, err)
		if own == nil {
			t.Fatalf("%s: no PSBT pays its own fee at 1 sat/vB", kind)
		}
		tx := recoverFrom(t, *own)
		if got := chain.VSize(tx); kind == chain.P2TR && got != 130 || tx.TxOut[0].Value != DustSats-got {
			t.Errorf("%s: %d vB, output %d", kind, got, tx.TxOut[0].Value)
		}
		tx = recoverFrom(t, anyone)
		if tx.TxOut[0].Value != DustSats {
			t.Errorf("%s: output %d", kind, tx.TxOut[0].Value)
		}
	}
}

// recoverFrom signs a recovery PSBT like a wallet, using only the data in it. It checks that the script is valid, that
// a shorter delay fails, that a fee input can be added only with ANYONECANPAY, and that no runestone can be added,
// which could send the runes to its author.
func recoverFrom(t *testing.T, text string) *wire.MsgTx {
	t.Helper()
	packet, err := psbt.NewFromRawBytes(strings.NewReader(text), true)
	must(t, err)
	in, tx := packet.Inputs[0], packet.UnsignedTx
	if tx.Version != 2 || tx.TxIn[0].Sequence != 26280 || len(tx.TxOut) != 1 {
		t.Fatalf("version %d, sequence %d, %d outputs", tx.Version, tx.TxIn[0].Sequence, len(tx.TxOut))
	}
	private, _ := stakerKey(9)
	leaf := in.TaprootLeafScript[0]
	spend := func(tx *wire.MsgTx) error {
		previous := map[wire.OutPoint]*wire.TxOut{tx.TxIn[0].PreviousOutPoint: in.WitnessUtxo}
		for _, other := range tx.TxIn[1:] {
			previous[other.PreviousOutPoint] = wire.NewTxOut(10_000, in.WitnessUtxo.PkScript)
		}
		fetcher := txscript.NewMultiPrevOutFetcher(previous)
		if tx.TxIn[0].Witness == nil {
			signature, err := txscript.RawTxInTapscriptSignature(tx, txscript.NewTxSigHashes(tx, fetcher), 0,
				in.WitnessUtxo.Value,
				in.WitnessUtxo.PkScript, txscript.NewBaseTapLeaf(leaf.Script), in.SighashType, private)
			must(t, err)
			tx.TxIn[0].Witness = wire.TxWitness{signature, leaf.Script, leaf.ControlBlock}
		}
		return execute(tx, 0, in.WitnessUtxo, fetcher)
	}
	for _, sequence := range []uint32{26279, 1, 0xfffffffd, 26280 | 1<<22, 26280 | 1<<31} {
		early := tx.Copy()
		early.TxIn[0].Sequence = sequence
		if spend(early) == nil {
			t.Errorf("the recovery is valid with sequence %#x", sequence)
		}
	}
	signed := tx.Copy()
	must(t, spend(signed))
	more := signed.Copy()
	more.AddTxIn(&wire.TxIn{PreviousOutPoint: outpoint(77), Sequence: Sequence})
	extensible := in.SighashType == txscript.SigHashAll|txscript.SigHashAnyOneCanPay
	if (spend(more) == nil) != extensible {
		t.Errorf("sighash %#x: adding a fee input succeeded = %v", in.SighashType, !extensible)
	}
	theft, err := runes.Runestone{Edicts: []runes.Edict{{ID: lobo, Output: 2}}}.Script()
	must(t, err)
	more.AddTxOut(wire.NewTxOut(0, theft))
	more.AddTxOut(wire.NewTxOut(DustSats, in.WitnessUtxo.PkScript))
	if spend(more) == nil {
		t.Errorf("sighash %#x: outputs can be added, with which the runes can be stolen", in.SighashType)
	}
	return signed
}

func TestRecoveryFeeMustFit(t *testing.T) {
	c := newCustody(t)
	private, leaf := stakerKey(9)
	out, err := c.StakeOutput(StakeKeys{Position: 3, Leaf: leaf, Delay: 26280})
	must(t, err)
	to := addressOf(t, chain.P2TR, private.PubKey().SerializeCompressed(), c.network).Script
	for _, rate := range []amount.FeeRate{amount.SatPerVB(2), 0, -1} {
		own, anyone, err := RecoveryPSBTs(out, outpoint(1), DustSats, to, rate)
		if err != nil || own != nil || anyone == "" {
			t.Errorf("%s sat/vB: own fee PSBT = %v, %v", rate, own != nil, err)
		}
	}
}

func TestRefund(t *testing.T) {
	c := newCustody(t)
	private, _ := stakerKey(2)
	to := addressOf(t, chain.P2WPKH, private.PubKey().SerializeCompressed(), c.network).Script
	plan := RefundPlan{
		Inputs: []Coin{c.coin(t, Payment, 1, 4_000, 0, "a"), c.coin(t, Payment, 2, 2_000, 0, "a")},
		To:     to, FeeRate: amount.SatPerVB(3),
	}
	tx, cost, err := BuildRefund(plan)
	must(t, err)
	signed := c.sign(t, tx, plan.Inputs)
	got := chain.VSize(signed)
	if got != cost.VBytes || cost.Fee != amount.Sats(3*got) || tx.TxOut[0].Value != 6_000-3*got || len(tx.TxOut) != 1 {
		t.Errorf("%d vB, fee %d, output %d", got, cost.Fee, tx.TxOut[0].Value)
	}
	plan.FeeRate = amount.SatPerVB(60)
	var short *ErrSatsShort
	if _, _, err := BuildRefund(plan); !errors.As(err, &short) {
		t.Errorf("a refund of dust: %v, want ErrSatsShort", err)
	}
	for name, bad := range map[string]RefundPlan{
		"other order": {Inputs: []Coin{plan.Inputs[0], c.coin(t, Payment, 3, 9_000, 0, "b")}, To: to, FeeRate: 1000},
		"treasury":    {Inputs: []Coin{c.coin(t, TreasurySats, 3, 9_000, 0, "")}, To: to, FeeRate: 1000},
		"runes":       {Inputs: []Coin{c.coin(t, Payment, 3, 9_000, 5, "a")}, To: to, FeeRate: 1000},
		"twice":       {Inputs: []Coin{plan.Inputs[0], plan.Inputs[0]}, To: to, FeeRate: 1000},
		"no inputs":   {To: to, FeeRate: 1000},
		"no address":  {Inputs: plan.Inputs, FeeRate: 1000},
		"version":     {Inputs: plan.Inputs, To: to, FeeRate: 1000, Version: 1},
	} {
		if _, _, err := BuildRefund(bad); err == nil {
			t.Errorf("%s: BuildRefund succeeded, want an error", name)
		}
	}
}

func TestSelection(t *testing.T) {
	c := newCustody(t)
	coins := []Coin{
		c.coin(t, TreasuryRunes, 1, 546, 100, ""), c.coin(t, TreasuryRunes, 2, 546, 300, ""),
		c.coin(t, TreasuryRunes, 3, 546, 200, ""), c.coin(t, TreasuryRunes, 4, 546, 300, ""),
		c.coin(t, TreasurySats, 5, 5_000, 0, ""), c.coin(t, TreasurySats, 6, 900_000, 7, ""), c.stake(t, 7, 546, 900, ""),
	}
	sum := func(chosen []Coin) (total amount.Runes) {
		for _, coin := range chosen {
			n, err := coin.RuneAmount(lobo)
			must(t, err)
			total += n
		}
		return total
	}
	for need, want := range map[amount.Runes][2]int64{
		0: {0, 0}, 1: {1, 100}, 150: {1, 200}, 300: {1, 300}, 301: {2, 600}, 700: {3, 800}, 900: {4, 900},
	} {
		chosen, err := SelectTreasury(coins, lobo, need)
		if err != nil || int64(len(chosen)) != want[0] || int64(sum(chosen)) != want[1] {
			t.Errorf("need %d: %d coins with %d, %v", need, len(chosen), sum(chosen), err)
		}
		reversed := slices.Clone(coins)
		slices.Reverse(reversed)
		again, _ := SelectTreasury(reversed, lobo, need)
		if !slices.EqualFunc(chosen, again, func(a, b Coin) bool { return a.OutPoint == b.OutPoint }) {
			t.Errorf("need %d: the selection depends on the order of the coins", need)
		}
	}
	var runesShort *ErrRunesShort
	if _, err := SelectTreasury(coins, lobo, 901); !errors.As(err, &runesShort) || runesShort.Missing != 1 {
		t.Errorf("need 901: %v, want ErrRunesShort with 1 missing", err)
	}
	var satsShort *ErrSatsShort
	if _, err := SelectSats(coins, 5_001); !errors.As(err, &satsShort) || satsShort.Missing != 1 {
		t.Errorf("need 5001 sats: %v, want ErrSatsShort with 1 missing", err)
	}
	if chosen, err := SelectSats(coins, 5_000); err != nil || len(chosen) != 1 {
		t.Errorf("5000 sats: %v", err)
	}
}

// TestCheckCoin checks that CheckCoin rejects a coin whose kind, path, leaf, delay or merkle root does not match its
// script.
func TestCheckCoin(t *testing.T) {
	c := newCustody(t)
	good := map[string]func() Coin{
		"stake":    func() Coin { return c.stake(t, 1, 546, 5, "") },
		"payment":  func() Coin { return c.coin(t, Payment, 2, 546, 0, "a") },
		"treasury": func() Coin { return c.coin(t, TreasuryRunes, 3, 546, 5, "") },
		"sats":     func() Coin { return c.coin(t, TreasurySats, 4, 546, 0, "") },
	}
	_, strangersLeaf := stakerKey(30)
	bad := map[string]func(*Coin){
		"script":    func(x *Coin) { x.Output.PkScript = slices.Concat(x.Output.PkScript[:33], []byte{0}) },
		"path":      func(x *Coin) { x.Path = KeyPath{x.Path[0], 99} },
		"branch":    func(x *Coin) { x.Path = append(KeyPath{9}, x.Path[1:]...) },
		"kind":      func(x *Coin) { x.Kind = map[bool]CoinKind{true: TreasurySats, false: Stake}[x.Kind == Stake] },
		"no kind":   func(x *Coin) { x.Kind = "" },
		"root":      func(x *Coin) { x.MerkleRoot = make([]byte, 32) },
		"leaf":      func(x *Coin) { x.Kind, x.Leaf = Stake, strangersLeaf },
		"no delay":  func(x *Coin) { x.Kind, x.Delay = Stake, 0 },
		"deep path": func(x *Coin) { x.Path = append(x.Path, 0) },
	}
	for kind, make := range good {
		coin := make()
		output, err := c.CheckCoin(coin)
		if err != nil || !slices.Equal(output.MerkleRoot, coin.MerkleRoot) {
			t.Errorf("CheckCoin of a valid %s: got error %v", kind, err)
		}
		for name, change := range bad {
			coin := make()
			change(&coin)
			if _, err := c.CheckCoin(coin); err == nil {
				t.Errorf("CheckCoin accepted a %s with a wrong %s", kind, name)
			}
		}
	}
	payment := c.coin(t, Payment, 2, 546, 0, "a")
	payment.OrderID = "b"
	if _, err := c.CheckCoin(payment); err == nil {
		t.Error("CheckCoin accepted a payment of another order")
	}
}
