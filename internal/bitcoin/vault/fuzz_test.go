package vault

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"strings"
	"testing"

	"github.com/btcsuite/btcd/btcec/v2/schnorr"
	"github.com/btcsuite/btcd/psbt/v2"
	"github.com/btcsuite/btcd/txscript/v2"
	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/chain"
)

// packets returns serialized PSBTs of every kind that is exported or accepted, valid and invalid.
func packets(f *testing.F) [][]byte {
	c := newCustody(f)
	private, leaf := stakerKey(1)
	to := addressOf(f, chain.P2TR, private.PubKey().SerializeCompressed(), c.network).Script
	plan := PayoutPlan{
		Inputs: []Coin{c.stake(f, 1, 546, 700, "a"), c.coin(f, Payment, 2, 9_000, 0, "a"),
			c.coin(f, TreasuryRunes, 3, 546, 5_000, "")},
		Deliveries: []Delivery{
			{OrderID: "a", Rune: lobo, Amount: 1_000, To: to, Value: 2 * DustSats},
		},
		Rune: lobo, FeeRate: amount.SatPerVB(2),
	}
	plan.RuneChange, plan.SatsChange = c.change(f)
	tx, _, err := BuildPayout(plan)
	must(f, err)
	unsigned, err := c.PayoutPSBT(tx, plan.Inputs, Origin{Fingerprint: 7}, []byte(`{"why":"withdraw"}`))
	must(f, err)
	signed, err := SignPayoutPSBT(unsigned, c.sign(f, tx, plan.Inputs))
	must(f, err)
	stake, err := c.StakeOutput(StakeKeys{Position: 3, Leaf: leaf, Delay: 26280})
	must(f, err)
	own, anyFee, err := RecoveryPSBTs(stake, outpoint(1), DustSats, to, amount.SatPerVB(1))
	must(f, err)
	var all [][]byte
	for _, text := range []string{unsigned, signed, *own, anyFee} {
		all = append(all, unbase64(f, text))
	}
	change := func(text string, change func(*psbt.Packet)) {
		packet, err := readPSBT(text)
		must(f, err)
		change(packet)
		var b bytes.Buffer
		if packet.Serialize(&b) == nil {
			all = append(all, b.Bytes())
		}
	}
	change(unsigned, func(p *psbt.Packet) { p.Unknowns = nil })
	change(unsigned, func(p *psbt.Packet) { p.Inputs[0].NonWitnessUtxo = tx })
	change(signed, func(p *psbt.Packet) { must(f, psbt.MaybeFinalizeAll(p)) })
	change(signed, func(p *psbt.Packet) { p.Inputs[1].TaprootKeySpendSig = nil })
	change(signed, func(p *psbt.Packet) { p.Inputs[1].TaprootKeySpendSig = append(p.Inputs[1].TaprootKeySpendSig, 1) })
	change(signed, func(p *psbt.Packet) { p.Inputs[1].FinalScriptWitness = []byte{1, 0} })
	for _, witness := range [][]byte{{}, {0}, {1}, {2, 0}, bytes.Repeat([]byte{0xff}, 9), {0xfe, 0xff, 0xff, 0xff, 0x7f}} {
		change(signed, func(p *psbt.Packet) { p.Inputs[1].FinalScriptWitness = witness })
	}
	change(signed, func(p *psbt.Packet) { p.Inputs[0].FinalScriptSig = []byte{txscript.OP_TRUE} })
	change(signed, func(p *psbt.Packet) {
		p.Inputs[0].Unknowns = append(p.Inputs[0].Unknowns, &psbt.Unknown{Key: []byte{0xfc, 1, 'x', 0},
			Value: make([]byte, 300)})
		p.Outputs[0].Unknowns = append(p.Outputs[0].Unknowns, &psbt.Unknown{Key: []byte{0xf0}, Value: []byte{1}})
	})
	change(*own, func(p *psbt.Packet) { staked(f, p) })
	change(anyFee, func(p *psbt.Packet) { staked(f, p) })
	change(anyFee, func(p *psbt.Packet) { // with a fee input added
		staked(f, p)
		p.UnsignedTx.AddTxIn(&wire.TxIn{PreviousOutPoint: outpoint(9), Sequence: Sequence})
		p.Inputs = append(p.Inputs, psbt.PInput{
			WitnessUtxo: wire.NewTxOut(5_000, addressOf(f, chain.P2WPKH, private.PubKey().SerializeCompressed(),
				c.network).Script),
			FinalScriptSig: nil, FinalScriptWitness: append([]byte{2, 71},
				append(make([]byte, 71), append([]byte{33}, private.PubKey().SerializeCompressed()...)...)...),
		})
	})
	raw := unbase64(f, signed)
	// truncated, with a trailing byte, with a repeated start
	return append(all, raw[:len(raw)-1], append(bytes.Clone(raw), 0), append(raw[:5:5], raw[4:]...),
		bytes.Replace(raw, []byte("moonfund"), []byte("moonfünd"), 1), raw[:5], []byte("psbt\xff\x00"),
		chain.NewTx(c.sign(f, tx, plan.Inputs)).Bytes(),
		[]byte("psbt\xff\x01\x00\"0000\x00\x000000000000000000000000000000\x0200\x00\x0000"), // without inputs
		[]byte("psbt\xff\x01\xfb\x04\x02\x00\x00\x00\x01\x04\x01\x01\x01\x05\x01\x01\x00"))   // version 2 (BIP-370)
}

// staked signs the recovery leaf as a staker's wallet does.
func staked(f *testing.F, p *psbt.Packet) {
	private, _ := stakerKey(1)
	in := &p.Inputs[0]
	fetcher := txscript.NewCannedPrevOutputFetcher(in.WitnessUtxo.PkScript, in.WitnessUtxo.Value)
	leaf := txscript.NewBaseTapLeaf(in.TaprootLeafScript[0].Script)
	signature, err := txscript.RawTxInTapscriptSignature(p.UnsignedTx, txscript.NewTxSigHashes(p.UnsignedTx, fetcher), 0,
		in.WitnessUtxo.Value,
		in.WitnessUtxo.PkScript, leaf, in.SighashType, private)
	must(f, err)
	hash := leaf.TapHash()
	in.TaprootScriptSpendSig = []*psbt.TaprootScriptSpendSig{{
		XOnlyPubKey: schnorr.SerializePubKey(private.PubKey()), LeafHash: hash[:], Signature: signature[:64],
		SigHash: in.SighashType,
	}}
}

func unbase64(t testing.TB, text string) []byte {
	t.Helper()
	raw, err := base64.StdEncoding.DecodeString(text)
	must(t, err)
	return raw
}

// FuzzPSBT parses arbitrary bytes as a PSBT. A finished transaction is the PSBT's transaction with every input signed.
// A payout's PSBT can be signed and keeps its transaction and reasons.
func FuzzPSBT(f *testing.F) {
	for _, raw := range packets(f) {
		f.Add(raw)
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		text := base64.StdEncoding.EncodeToString(raw)
		finished, err := FinishPSBT(text)
		if err == nil {
			checkFinished(t, text, finished)
		}
		tx, reasons, err := ReadPayoutPSBT(text)
		if err != nil {
			return
		}
		signed := tx.Copy()
		for _, in := range signed.TxIn {
			in.Witness = wire.TxWitness{bytes.Repeat([]byte{1}, 64)}
		}
		again, err := SignPayoutPSBT(text, signed)
		if err != nil {
			return
		}
		same, why, err := ReadPayoutPSBT(again)
		if err != nil || same.TxHash() != tx.TxHash() || !bytes.Equal(why, reasons) {
			t.Errorf("signing %x changed the payout: %v %q, %v", raw, same, why, err)
		}
		if finished, err := FinishPSBT(again); err == nil {
			checkFinished(t, again, finished)
		}
	})
}

func checkFinished(t *testing.T, text string, finished *wire.MsgTx) {
	t.Helper()
	packet, err := readPSBT(text)
	must(t, err)
	bare := finished.Copy()
	for i, in := range finished.TxIn {
		if len(in.Witness)+len(in.SignatureScript) == 0 {
			t.Errorf("input %d of the finished transaction is not signed: %s", i, text)
		}
		bare.TxIn[i].SignatureScript = nil
	}
	if bare.TxHash() != packet.UnsignedTx.TxHash() {
		t.Errorf("the finished transaction is not the one of the PSBT: %s", text)
	}
	if tx, err := chain.DecodeTx(chain.NewTx(finished).Bytes()); err != nil ||
		tx.Msg.WitnessHash() != finished.WitnessHash() {
		t.Errorf("the finished transaction does not decode to itself: %s: %v", text, err)
	}
}

// FuzzInscriptionID parses arbitrary text as an inscription id. The bytes of an accepted id decode to the same id.
func FuzzInscriptionID(f *testing.F) {
	txid := strings.Repeat("0123456789abcdef", 4)
	for _, text := range []string{
		txid + "i0", txid + "i1", txid + "i255", txid + "i256", txid + "i4294967295", txid + "i4294967296", txid + "i01",
		txid + "i", txid + "i-1", txid,
		strings.ToUpper(txid) + "i0", txid[1:] + "i0", "0" + txid + "i0", txid[:63] + "gi0", "", "i0",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		held, err := inscriptionBytes(text)
		if err != nil {
			if !errors.Is(err, ErrInscriptionID) || CheckInscriptionID(text) == nil {
				t.Errorf("an error of another kind: %v", err)
			}
			return
		}
		var index uint64
		for i := len(held) - 1; i >= 32; i-- {
			index = index<<8 | uint64(held[i])
		}
		reversed := make([]byte, 32)
		for i := range reversed {
			reversed[i] = held[31-i]
		}
		if again := hex.EncodeToString(reversed) + "i" + amount.Runes(index).String(); again != text || len(held) > 32 &&
			held[len(held)-1] == 0 {
			t.Errorf("%q encodes to %x, which is %s", text, held, again)
		}
	})
}
