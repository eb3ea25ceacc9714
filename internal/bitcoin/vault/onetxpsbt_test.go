package vault

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/btcsuite/btcd/psbt/v2"
	"github.com/btcsuite/btcd/txscript/v2"
	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/bitcoin/chain"
)

// walletPSBT adds the signatures of the own coins of a signed transaction to a PSBT, as a wallet does.
func walletPSBT(t testing.TB, text string, signed *wire.MsgTx, inputs []Coin) string {
	t.Helper()
	packet, err := readPSBT(text)
	must(t, err)
	for i, in := range inputs {
		switch witness := signed.TxIn[i].Witness; {
		case in.Kind != Own:
		case len(witness) == 1:
			packet.Inputs[i].TaprootKeySpendSig = witness[0]
		default:
			packet.Inputs[i].PartialSigs = []*psbt.PartialSig{{PubKey: witness[1], Signature: witness[0]}}
		}
	}
	return encodePSBT(t, packet)
}

func encodePSBT(t testing.TB, packet *psbt.Packet) string {
	t.Helper()
	var b bytes.Buffer
	must(t, packet.Serialize(&b))
	return PSBTText(b.Bytes())
}

// finalPSBT is walletPSBT of a wallet that finalizes the inputs and drops all other fields.
func finalPSBT(t testing.TB, signed *wire.MsgTx, inputs []Coin) string {
	t.Helper()
	bare := signed.Copy()
	for _, in := range bare.TxIn {
		in.Witness, in.SignatureScript = nil, nil
	}
	packet, err := psbt.NewFromUnsignedTx(bare)
	must(t, err)
	for i, in := range inputs {
		if in.Kind != Own {
			continue
		}
		var witness bytes.Buffer
		must(t, psbt.WriteTxWitness(&witness, signed.TxIn[i].Witness))
		packet.Inputs[i].FinalScriptWitness, packet.Inputs[i].FinalScriptSig = witness.Bytes(), signed.TxIn[i].SignatureScript
	}
	return encodePSBT(t, packet)
}

// asked is a withdrawal in one transaction that a wallet is asked to sign. Input 2 is the only coin.
type asked struct {
	ownWallet
	tx     *wire.MsgTx
	inputs []Coin
	text   string // PSBT
}

func ask(t testing.TB, kind chain.AddressType) asked {
	t.Helper()
	c := newCustody(t)
	w := newOwnWallet(t, 3, kind, c.network)
	tx, inputs, _, err := BuildOneTx(oneTxPlan(t, c, w, 20_000))
	must(t, err)
	text, err := c.OneTxPSBT(tx, inputs, w.public)
	must(t, err)
	return asked{w, tx, inputs, text}
}

// answers returns PSBTs with the requested signatures in every accepted form.
func (a asked) answers(t testing.TB) map[string]string {
	t.Helper()
	signed := a.sign(t, a.tx, a.inputs, txscript.SigHashAll)
	partial, final := walletPSBT(t, a.text, signed, a.inputs), finalPSBT(t, signed, a.inputs)
	all := map[string]string{
		"partial": partial, "final": final, "in hex": hex.EncodeToString(unbase64(t, partial)),
		"final, in hex": strings.ToUpper(hex.EncodeToString(unbase64(t, final))), "with spaces": "\n" + partial + " \n",
	}
	packet, err := readPSBT(partial)
	must(t, err)
	packet.Unknowns = append(packet.Unknowns, &psbt.Unknown{Key: []byte{0xfc, 1, 'x', 0}, Value: make([]byte, 300)})
	packet.Inputs[0].TaprootKeySpendSig = make([]byte, 64) // ignored: the wallet does not sign units
	all["with unknown fields and a signature of a unit"] = encodePSBT(t, packet)
	if a.Type == chain.P2TR {
		all["by default"] = walletPSBT(t, a.text, a.sign(t, a.tx, a.inputs, txscript.SigHashDefault), a.inputs)
	}
	return all
}

func TestReadOneTxPSBT(t *testing.T) {
	for _, kind := range ownTypes {
		a := ask(t, kind)
		for name, text := range a.answers(t) {
			tx, err := newCustody(t).ReadOneTxPSBT(text, a.tx, a.inputs)
			if err != nil {
				t.Errorf("%s, %s: %v", kind, name, err)
				continue
			}
			must(t, newCustody(t).VerifyOwnSignatures(tx, a.inputs))
			if len(tx.TxIn[0].Witness)+len(tx.TxIn[1].Witness) > 0 {
				t.Errorf("%s, %s: a unit is signed", kind, name)
			}
			if (tx.TxHash() == a.tx.TxHash()) != (kind != chain.P2SH) {
				t.Errorf("%s, %s: the transaction has the id %s", kind, name, tx.TxHash())
			}
		}
	}
}

// TestOneTxDeviations checks the reason and the index of every deviation of a wallet.
func TestOneTxDeviations(t *testing.T) {
	type deviation struct {
		reason OneTxReason
		index  int
		text   func(a asked) string
	}
	another := func(change func(tx *wire.MsgTx)) func(asked) string { // another transaction, signed
		return func(a asked) string {
			tx := a.tx.Copy()
			change(tx)
			packet, err := psbt.NewFromUnsignedTx(tx)
			must(t, err)
			return encodePSBT(t, packet)
		}
	}
	signedAs := func(sighash txscript.SigHashType) func(asked) string {
		return func(a asked) string {
			return walletPSBT(t, a.text, a.sign(t, a.tx, a.inputs, sighash), a.inputs)
		}
	}
	changed := func(change func(in *psbt.PInput)) func(asked) string { // a signed PSBT with changed fields
		return func(a asked) string {
			packet, err := readPSBT(signedAs(txscript.SigHashAll)(a))
			must(t, err)
			change(&packet.Inputs[2])
			return encodePSBT(t, packet)
		}
	}
	final := func(change func(in *wire.TxIn)) func(asked) string { // a finalized PSBT with a changed witness
		return func(a asked) string {
			signed := a.sign(t, a.tx, a.inputs, txscript.SigHashAll)
			change(signed.TxIn[2])
			return finalPSBT(t, signed, a.inputs)
		}
	}
	raw := func(change func(raw []byte) []byte) func(asked) string {
		return func(a asked) string {
			return base64.StdEncoding.EncodeToString(change(unbase64(t, signedAs(txscript.SigHashAll)(a))))
		}
	}
	stone, version2 := []byte{txscript.OP_RETURN, txscript.OP_13, 1, 0}, []byte{2, 0, 0, 0}
	rows := map[string]deviation{
		"no text":            {OneTxNotPSBT, -1, func(asked) string { return "" }},
		"not base64":         {OneTxNotPSBT, -1, func(asked) string { return "{}" }},
		"a transaction":      {OneTxNotPSBT, -1, func(a asked) string { return txHex(a.tx) }},
		"too large":          {OneTxTooLarge, -1, func(asked) string { return strings.Repeat("0", maxWalletPSBT+1) }},
		"cut off":            {OneTxNotPSBT, -1, raw(func(b []byte) []byte { return b[:len(b)-1] })},
		"a trailing byte":    {OneTxNotPSBT, -1, raw(func(b []byte) []byte { return append(b, 0) })},
		"without a magic":    {OneTxNotPSBT, -1, raw(func(b []byte) []byte { return b[5:] })},
		"only a magic":       {OneTxNotPSBT, -1, raw(func(b []byte) []byte { return b[:5] })},
		"without maps":       {OneTxNotPSBT, -1, raw(func(b []byte) []byte { return b[:8+len(b[8:])/8] })},
		"a global map alone": {OneTxNotPSBT, -1, raw(func(b []byte) []byte { return []byte("psbt\xff\x00") })},
		"version 2":          {OneTxNotPSBT, -1, raw(func(b []byte) []byte { return insertGlobal(b, 0xfb, version2) })},
		"the transaction twice": {OneTxNotPSBT, -1, raw(func(b []byte) []byte {
			return insertGlobal(b, 0, []byte{1})
		})},
		"a huge length": {OneTxNotPSBT, -1, raw(func(b []byte) []byte {
			return append(slices.Clone(b[:5]), 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff)
		})},
		"no transaction in it": {OneTxNotPSBT, -1, func(asked) string { return "cHNidP8BAAA=" }},

		"another version":     {OneTxVersion, -1, another(func(tx *wire.MsgTx) { tx.Version = 1 })},
		"a lock time":         {OneTxLockTime, -1, another(func(tx *wire.MsgTx) { tx.LockTime = 1 })},
		"an input more":       {OneTxInputs, -1, another(func(tx *wire.MsgTx) { tx.AddTxIn(&wire.TxIn{}) })},
		"an input less":       {OneTxInputs, -1, another(func(tx *wire.MsgTx) { tx.TxIn = tx.TxIn[:2] })},
		"another coin":        {OneTxInputs, 2, another(func(tx *wire.MsgTx) { tx.TxIn[2].PreviousOutPoint.Index++ })},
		"inputs in an order":  {OneTxInputs, 0, another(func(tx *wire.MsgTx) { slices.Reverse(tx.TxIn) })},
		"a final sequence":    {OneTxSequence, 1, another(func(tx *wire.MsgTx) { tx.TxIn[1].Sequence++ })},
		"a higher change":     {OneTxOutputs, 2, another(func(tx *wire.MsgTx) { tx.TxOut[2].Value++ })},
		"another destination": {OneTxOutputs, 0, another(func(tx *wire.MsgTx) { tx.TxOut[0].PkScript[5]++ })},
		"another runestone":   {OneTxOutputs, 1, another(func(tx *wire.MsgTx) { tx.TxOut[1].PkScript = stone })},
		"without change":      {OneTxOutputs, 2, another(func(tx *wire.MsgTx) { tx.TxOut = tx.TxOut[:2] })},
		"an output more":      {OneTxAdded, 3, another(func(tx *wire.MsgTx) { tx.AddTxOut(tx.TxOut[2]) })},
		"a second runestone": {OneTxRunestone, 3, another(func(tx *wire.MsgTx) {
			tx.AddTxOut(wire.NewTxOut(0, stone))
		})},

		"not signed":               {OneTxUnsigned, 2, func(a asked) string { return a.text }},
		"NONE":                     {OneTxSighash, 2, signedAs(txscript.SigHashNone)},
		"SINGLE":                   {OneTxSighash, 2, signedAs(txscript.SigHashSingle)},
		"ALL|ANYONECANPAY":         {OneTxSighash, 2, signedAs(txscript.SigHashAll | txscript.SigHashAnyOneCanPay)},
		"SINGLE|ANYONECANPAY":      {OneTxSighash, 2, signedAs(txscript.SigHashSingle | txscript.SigHashAnyOneCanPay)},
		"a final script signature": {OneTxWitness, 2, changed(func(in *psbt.PInput) { in.FinalScriptSig = []byte{0} })},
		"a witness that is cut off": {OneTxWitness, 2, changed(func(in *psbt.PInput) {
			in.FinalScriptWitness = []byte{2, 71}
		})},
		"a witness of many items": {OneTxWitness, 2, changed(func(in *psbt.PInput) {
			in.FinalScriptWitness = []byte{0xfe, 0xff, 0xff, 0xff, 0x7f}
		})},
		"an item more": {OneTxWitness, 2, final(func(in *wire.TxIn) { in.Witness = append(in.Witness, []byte{0x50}) })},
		"a script path": {OneTxWitness, 2, final(func(in *wire.TxIn) {
			in.Witness = wire.TxWitness{in.Witness[0], {txscript.OP_TRUE}, make([]byte, 33)}
		})},
		"a signature script": {OneTxWitness, 2, final(func(in *wire.TxIn) {
			in.SignatureScript = append(in.SignatureScript, txscript.OP_NOP)
		})},
		"an empty witness": {OneTxWitness, 2, changed(func(in *psbt.PInput) { in.FinalScriptWitness = []byte{1} })},
		"an invalid signature": {OneTxSignature, 2, final(func(in *wire.TxIn) {
			in.Witness[0] = slices.Clone(in.Witness[0])
			in.Witness[0][20] ^= 1
		})},
		"a signature of nothing": {OneTxSignature, 2, final(func(in *wire.TxIn) { in.Witness[0] = []byte{1} })},
	}
	for _, kind := range ownTypes {
		for name, row := range rows {
			a := ask(t, kind)
			_, err := newCustody(t).ReadOneTxPSBT(row.text(a), a.tx, a.inputs)
			if got := new(OneTxDeviation); !errors.As(err, &got) || got.Reason != row.reason || got.Index != row.index {
				t.Errorf("%s, %s: got error %v, want %s %d", kind, name, err, row.reason, row.index)
			}
		}
	}
}

func txHex(tx *wire.MsgTx) string { return hex.EncodeToString(chain.NewTx(tx).Bytes()) }

// insertGlobal inserts a field before the others of the global map.
func insertGlobal(raw []byte, keyType byte, value []byte) []byte {
	return slices.Concat(raw[:5], []byte{1, keyType, byte(len(value))}, value, raw[5:])
}

// TestOneTxOtherSignatures checks forms of signatures that only one type of address has.
func TestOneTxOtherSignatures(t *testing.T) {
	check := func(name string, a asked, change func(in *psbt.PInput), want OneTxReason) {
		t.Helper()
		packet, err := readPSBT(walletPSBT(t, a.text, a.sign(t, a.tx, a.inputs, txscript.SigHashAll), a.inputs))
		must(t, err)
		change(&packet.Inputs[2])
		_, err = newCustody(t).ReadOneTxPSBT(encodePSBT(t, packet), a.tx, a.inputs)
		if got := new(OneTxDeviation); !errors.As(err, &got) || got.Reason != want {
			t.Errorf("%s: got error %v, want %s", name, err, want)
		}
	}
	p2wpkh, p2tr := ask(t, chain.P2WPKH), ask(t, chain.P2TR)
	stranger := newOwnWallet(t, 4, chain.P2WPKH, newCustody(t).network)
	check("another key", p2wpkh, func(in *psbt.PInput) { in.PartialSigs[0].PubKey = stranger.public }, OneTxUnsigned)
	check("a high S", p2wpkh, func(in *psbt.PInput) {
		in.PartialSigs[0].Signature = withHighS(t, in.PartialSigs[0].Signature)
	}, OneTxSignature)
	check("a script signature", p2tr, func(in *psbt.PInput) {
		in.TaprootScriptSpendSig = []*psbt.TaprootScriptSpendSig{{XOnlyPubKey: p2tr.public[1:], LeafHash: make([]byte, 32),
			Signature: in.TaprootKeySpendSig[:64]}}
		in.TaprootKeySpendSig = nil
	}, OneTxWitness)
	check("a default type in 65 bytes", p2tr, func(in *psbt.PInput) { in.TaprootKeySpendSig[64] = 0 }, OneTxSighash)
	check("the default type of another signature", p2tr, func(in *psbt.PInput) {
		in.TaprootKeySpendSig = in.TaprootKeySpendSig[:64]
	}, OneTxSignature)
	tx := p2wpkh.tx.Copy()
	tx.TxIn[0].Witness = wire.TxWitness{make([]byte, 64)}
	if err := newCustody(t).VerifyOwnSignatures(tx, p2wpkh.inputs); err == nil {
		t.Error("a unit with a witness is accepted")
	}
}

// withHighS returns an ECDSA signature with the group's order minus S, which is valid by consensus but not standard.
func withHighS(t testing.TB, signature []byte) []byte {
	t.Helper()
	sizeR := int(signature[3])
	r, s := signature[4:4+sizeR], signature[6+sizeR:len(signature)-1]
	order, err := hex.DecodeString("fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141")
	must(t, err)
	high, borrow := make([]byte, 33), 0
	s = append(make([]byte, 33-len(s)), s...)
	order = append([]byte{0}, order...)
	for i := 32; i >= 0; i-- {
		digit := int(order[i]) - int(s[i]) - borrow
		borrow = 0
		if digit < 0 {
			digit, borrow = digit+256, 1
		}
		high[i] = byte(digit)
	}
	for len(high) > 1 && high[0] == 0 && high[1] < 0x80 {
		high = high[1:]
	}
	body := slices.Concat([]byte{2, byte(len(r))}, r, []byte{2, byte(len(high))}, high)
	return slices.Concat([]byte{0x30, byte(len(body))}, body, []byte{1})
}

// TestOwnScriptAllowed checks the addresses and keys that can pay.
func TestOwnScriptAllowed(t *testing.T) {
	c := newCustody(t)
	for kind, want := range map[chain.AddressType][3]error{ // without a key, with its key, with another
		chain.P2WPKH: {nil, nil, nil}, chain.P2TR: {nil, nil, ErrForeignKey},
		chain.P2SH: {ErrOwnKeyNeeded, nil, ErrForeignKey}, chain.P2PKH: {ErrOwnScript, ErrOwnScript, ErrOwnScript},
	} {
		w, other := newOwnWallet(t, 3, kind, c.network), newOwnWallet(t, 4, kind, c.network)
		for i, key := range [][]byte{nil, w.public, other.public} {
			if err := OwnScriptAllowed(w.Script, key); !errors.Is(err, want[i]) {
				t.Errorf("%s, key %d: got error %v, want %v", kind, i, err, want[i])
			}
		}
		if kind == chain.P2TR {
			must(t, OwnScriptAllowed(w.Script, w.public[1:]))
		}
	}
	p2wsh := append([]byte{txscript.OP_0, 32}, make([]byte, 32)...)
	if err := OwnScriptAllowed(p2wsh, nil); !errors.Is(err, ErrOwnScript) {
		t.Errorf("P2WSH: got error %v", err)
	}
}

// vector is the answer of a wallet to a request to sign a PSBT.
type vector struct {
	Wallet, What  string
	Asked, Answer string
	Own           []int       // inputs that the wallet was asked to sign
	Reason        OneTxReason // why the answer is refused; "" if it is accepted
}

// TestOneTxWallets reads PSBTs that wallets and other software signed.
func TestOneTxWallets(t *testing.T) {
	text, err := os.ReadFile("testdata/onetx.json")
	must(t, err)
	var vectors []vector
	must(t, json.Unmarshal(text, &vectors))
	for _, v := range vectors {
		packet, err := readPSBT(v.Asked)
		must(t, err)
		inputs := make([]Coin, len(packet.Inputs))
		for i, in := range packet.Inputs {
			inputs[i] = Coin{OutPoint: packet.UnsignedTx.TxIn[i].PreviousOutPoint, Output: *in.WitnessUtxo, Kind: Stake}
			if slices.Contains(v.Own, i) {
				inputs[i].Kind = Own
			}
		}
		tx, err := newCustody(t).ReadOneTxPSBT(v.Answer, packet.UnsignedTx, inputs)
		if got := new(OneTxDeviation); v.Reason != "" {
			if !errors.As(err, &got) || got.Reason != v.Reason {
				t.Errorf("%s, %s: got error %v, want %s", v.Wallet, v.What, err, v.Reason)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s, %s: %v", v.Wallet, v.What, err)
			continue
		}
		for _, i := range v.Own {
			in := tx.TxIn[i]
			weight := in.Witness.SerializeSize() + 4*len(in.SignatureScript)
			if int64(weight) > ownWeight(inputs[i].Output.PkScript) {
				t.Errorf("%s, %s: a signature weighs %d", v.Wallet, v.What, weight)
			}
		}
	}
}

// FuzzReadOneTxPSBT reads arbitrary bytes as a wallet's answer. An accepted answer is the issued transaction with
// signed coins and unsigned units. A refused answer has a reason.
func FuzzReadOneTxPSBT(f *testing.F) {
	var all []asked
	for i, kind := range ownTypes {
		all = append(all, ask(f, kind))
		for _, text := range all[i].answers(f) {
			if raw, err := base64.StdEncoding.DecodeString(strings.TrimSpace(text)); err == nil {
				f.Add(byte(i), raw)
				f.Add(byte(i), raw[:len(raw)/2])
				f.Add(byte(i), insertGlobal(raw, 0xfb, binary.LittleEndian.AppendUint32(nil, 2)))
			}
		}
		f.Add(byte(i), unbase64(f, all[i].text))
	}
	for _, raw := range packets(f) {
		f.Add(byte(0), raw)
	}
	f.Fuzz(func(t *testing.T, kind byte, raw []byte) {
		a := all[int(kind)%len(all)]
		tx, err := newCustody(t).ReadOneTxPSBT(hex.EncodeToString(raw), a.tx, a.inputs)
		again, errAgain := newCustody(t).ReadOneTxPSBT(base64.StdEncoding.EncodeToString(raw), a.tx, a.inputs)
		if got := new(OneTxDeviation); err != nil {
			if !errors.As(err, &got) {
				t.Fatalf("an error without a reason: %v", err)
			}
			return
		}
		if errAgain != nil || again.WitnessHash() != tx.WitnessHash() {
			t.Fatalf("base64 and hex differ: %v", errAgain)
		}
		must(t, newCustody(t).VerifyOwnSignatures(tx, a.inputs))
		for _, in := range tx.TxIn {
			in.Witness, in.SignatureScript = nil, nil
		}
		if tx.TxHash() != a.tx.TxHash() {
			t.Fatalf("another transaction was accepted: %x", raw)
		}
	})
}
