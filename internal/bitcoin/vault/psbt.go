package vault

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"

	"github.com/btcsuite/btcd/btcec/v2/schnorr"
	"github.com/btcsuite/btcd/btcutil/v2/hdkeychain"
	"github.com/btcsuite/btcd/psbt/v2"
	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/bitcoin/chain"
)

// reasonsKey is the proprietary key (BIP-174) in a payout's PSBT for the reasons, which are the evidence that a signer
// checks.
var reasonsKey = append([]byte{0xfc, byte(len("moonfund"))}, "moonfund\x00"...)

// Origin is the key origin of an account (BIP-32), by which a wallet finds the private key.
type Origin struct {
	Fingerprint uint32 // of the master key
	Account     uint32
}

// PayoutPSBT returns an unsigned payout as a base64 PSBT (BIP-174, BIP-371), which a wallet with the account's key can
// sign through the key path. It includes reasons for signers that check them. A stake in self-custody is an error.
func (a Account) PayoutPSBT(tx *wire.MsgTx, inputs []Coin, origin Origin, reasons []byte) (string, error) {
	packet, err := psbt.NewFromUnsignedTx(tx)
	if err != nil {
		return "", fmt.Errorf("payout: %w", err)
	}
	for i, coin := range inputs {
		output, err := a.CheckCoin(coin)
		if err != nil {
			return "", err
		}
		if coin.Self {
			return "", fmt.Errorf("output %s can't be spent without its owner", coin.OutPoint)
		}
		internal, err := a.InternalKey(coin.Path)
		if err != nil {
			return "", err
		}
		in := &packet.Inputs[i]
		in.WitnessUtxo = wire.NewTxOut(coin.Output.Value, coin.Output.PkScript)
		in.TaprootInternalKey, in.TaprootMerkleRoot = schnorr.SerializePubKey(internal), output.MerkleRoot
		in.TaprootBip32Derivation = []*psbt.TaprootBip32Derivation{{
			XOnlyPubKey: in.TaprootInternalKey, MasterKeyFingerprint: origin.Fingerprint,
			Bip32Path: append([]uint32{
				hdkeychain.HardenedKeyStart + 86, hdkeychain.HardenedKeyStart + a.network.Params.HDCoinType,
				hdkeychain.HardenedKeyStart + origin.Account,
			}, coin.Path...),
		}}
	}
	packet.Unknowns = append(packet.Unknowns, &psbt.Unknown{Key: reasonsKey, Value: reasons})
	return packet.B64Encode()
}

// ReadPayoutPSBT returns the unsigned transaction and the reasons in a PSBT that PayoutPSBT produced.
func ReadPayoutPSBT(text string) (tx *wire.MsgTx, reasons []byte, err error) {
	packet, err := readPSBT(text)
	if err != nil {
		return nil, nil, err
	}
	for _, field := range packet.Unknowns {
		if bytes.Equal(field.Key, reasonsKey) {
			return packet.UnsignedTx, field.Value, nil
		}
	}
	return nil, nil, errors.New("it is a PSBT, and none of a payout: it gives no reasons")
}

// SignPayoutPSBT adds the key path signatures of a signed transaction to the PSBT of the transaction.
func SignPayoutPSBT(text string, signed *wire.MsgTx) (string, error) {
	packet, err := readPSBT(text)
	if err != nil {
		return "", err
	}
	if packet.UnsignedTx.TxHash() != signed.TxHash() {
		return "", errors.New("the signatures are of another transaction")
	}
	for i, in := range signed.TxIn {
		if len(in.Witness) != 1 {
			return "", fmt.Errorf("input %d is not signed through the key path", i)
		}
		packet.Inputs[i].TaprootKeySpendSig = in.Witness[0]
	}
	return packet.B64Encode()
}

// FinishPSBT returns the signed transaction of a base64 PSBT. It returns an error if an input has neither a witness nor
// a signature script. It does not verify them: the caller has the spent outputs.
func FinishPSBT(text string) (*wire.MsgTx, error) {
	packet, err := readPSBT(text)
	if err != nil {
		return nil, err
	}
	for i, in := range packet.Inputs {
		if !witnessFits(in.FinalScriptWitness) {
			return nil, fmt.Errorf("it can't be finished: the witness of input %d is cut off", i)
		}
	}
	if err := psbt.MaybeFinalizeAll(packet); err != nil {
		return nil, fmt.Errorf("it is not signed by all that must sign it: %w", err)
	}
	tx, err := psbt.Extract(packet)
	if err != nil {
		return nil, fmt.Errorf("it can't be finished: %w", err)
	}
	for i, in := range tx.TxIn {
		if len(in.Witness)+len(in.SignatureScript) == 0 {
			return nil, fmt.Errorf("it is not signed by all that must sign it: input %d is empty", i)
		}
	}
	if _, err := chain.DecodeTx(chain.NewTx(tx).Bytes()); err != nil {
		return nil, fmt.Errorf("it can't be finished: %w", err)
	}
	return tx, nil
}

// witnessFits reports whether a serialized witness has enough bytes for its number of items. The library allocates
// memory for that number before it reads the items. An absent witness fits.
func witnessFits(raw []byte) bool {
	rest := bytes.NewReader(raw)
	items, err := wire.ReadVarInt(rest, 0)
	return raw == nil || err == nil && items <= uint64(rest.Len())
}

func readPSBT(text string) (*psbt.Packet, error) {
	packet, err := psbt.NewFromRawBytes(strings.NewReader(strings.TrimSpace(text)), true)
	if err != nil {
		return nil, fmt.Errorf("it is not a PSBT in base64: %w", err)
	}
	return packet, nil
}

// PSBTText returns the content of a PSBT file as base64. Wallets write PSBT files in base64 or, as BIP-174 specifies
// for .psbt files, in binary. Other content is returned unchanged.
func PSBTText(raw []byte) string {
	if bytes.HasPrefix(raw, []byte("psbt\xff")) {
		return base64.StdEncoding.EncodeToString(raw)
	}
	return string(raw)
}

// ReadSigned returns the signed transaction in a base64 PSBT, or the transaction that text encodes in hex.
func ReadSigned(text string) (chain.Tx, error) {
	text = strings.TrimSpace(text)
	if raw, err := hex.DecodeString(text); err == nil && text != "" {
		return chain.DecodeTx(raw)
	}
	tx, err := FinishPSBT(text)
	if err != nil {
		return chain.Tx{}, err
	}
	return chain.NewTx(tx), nil
}
