package vault

import (
	"bytes"
	"testing"

	"github.com/btcsuite/btcd/psbt/v2"
	"github.com/btcsuite/btcd/wire/v2"
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
	var b bytes.Buffer
	must(t, packet.Serialize(&b))
	return PSBTText(b.Bytes())
}
