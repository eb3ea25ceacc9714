package recovery

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/btcsuite/btcd/address/v2"
	"github.com/btcsuite/btcd/btcec/v2"
	"github.com/btcsuite/btcd/btcec/v2/schnorr"
	"github.com/btcsuite/btcd/btcutil/v2"
	"github.com/btcsuite/btcd/chainhash/v2"
	"github.com/btcsuite/btcd/txscript/v2"
	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/amount"
	"moonfund/internal/api"
	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/vault"
)

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// staker has two stake outputs on a chain, the first of them mature, and an output at a SegWit address.
type staker struct {
	network chain.Network
	key     *btcec.PrivateKey
	to      chain.Address // the address of key
	stake   vault.StakeOutput
	points  []wire.OutPoint
	fee     wire.OutPoint
	chain   chainOf
}

// chainOf is a Node with a fixed set of transactions.
type chainOf struct {
	txs           map[chainhash.Hash]chain.Tx
	confirmations map[chainhash.Hash]int64
	spent         map[wire.OutPoint]bool
}

func (c chainOf) Tx(_ context.Context, txid chainhash.Hash) (chain.Tx, chain.Status, error) {
	tx, found := c.txs[txid]
	if !found {
		return tx, chain.Status{}, chain.ErrUnknown
	}
	return tx, chain.Status{Confirmations: c.confirmations[txid]}, nil
}

func (c chainOf) Unspent(_ context.Context, out wire.OutPoint) (bool, error) {
	return !c.spent[out], nil
}

const delay = 144

// internalKey is the community's key of the stakes.
var internalKey = "79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798"

// TestStandardKeys repeats the tests with the first stake of a community whose key is of the words "abandon … about"
// (BIP-39, BIP-86): a staker can recover without the server with any scheme of the community's key.
func TestStandardKeys(t *testing.T) {
	kept := internalKey
	internalKey = "cc8a4bc64d897bddc5fbc2f670f7a8ba0b386779106cf1223c6fc5d7cd6fc115"
	defer func() { internalKey = kept }()
	t.Run("find", TestFind)
	t.Run("sign", TestSign)
}

func newStaker(t testing.TB) (s staker) {
	t.Helper()
	var err error
	s.network, err = chain.NetworkByName("regtest")
	must(t, err)
	s.key, _ = btcec.PrivKeyFromBytes([]byte(strings.Repeat("k", 32)))
	leaf := schnorr.SerializePubKey(s.key.PubKey())
	script, err := txscript.PayToTaprootScript(txscript.ComputeTaprootKeyNoScript(s.key.PubKey()))
	must(t, err)
	s.to, _ = chain.AddressFromScript(script, s.network)
	internal, err := hex.DecodeString(internalKey)
	must(t, err)
	s.stake, err = vault.OpenStake(internal, vault.StakeKeys{Leaf: leaf, Delay: delay}, s.network)
	must(t, err)
	s.chain = chainOf{map[chainhash.Hash]chain.Tx{}, map[chainhash.Hash]int64{}, map[wire.OutPoint]bool{}}
	for i, confirmations := range []int64{delay, delay - 5} {
		point := s.mined(uint32(i), confirmations, wire.NewTxOut(1000, script), wire.NewTxOut(5000, s.stake.Script))
		s.points = append(s.points, wire.OutPoint{Hash: point, Index: 1})
	}
	own := append([]byte{txscript.OP_0, 20}, address.Hash160(s.key.PubKey().SerializeCompressed())...)
	s.fee = wire.OutPoint{Hash: s.mined(9, 1, wire.NewTxOut(50_000, own))}
	return s
}

func (s staker) mined(salt uint32, confirmations int64, outputs ...*wire.TxOut) chainhash.Hash {
	tx := wire.NewMsgTx(2)
	tx.AddTxIn(&wire.TxIn{PreviousOutPoint: wire.OutPoint{Index: salt}})
	tx.TxOut = outputs
	mined := chain.NewTx(tx)
	s.chain.txs[mined.ID], s.chain.confirmations[mined.ID] = mined, confirmations
	return mined.ID
}

// kit returns the recovery kit that the server returns to the staker.
func (s staker) kit() api.RecoveryKit {
	kit := api.RecoveryKit{Network: "regtest", Destination: s.to.Text}
	for _, point := range s.points {
		kit.Outputs = append(kit.Outputs, api.RecoveryOutput{
			Outpoint: point.String(), Address: s.stake.Address, Delay: delay,
			InternalKey: hex.EncodeToString(s.stake.InternalKey), CustodyKind: api.CustodyKindOperator,
			CommunityKey: hex.EncodeToString(s.stake.CommunityKey), LeafScript: hex.EncodeToString(s.stake.LeafScript),
			Runes: []api.RuneBalance{{RuneId: "840000:35", Amount: "900"}},
		})
	}
	return kit
}

func (s staker) find(
	t *testing.T, kit api.RecoveryKit, only ...string,
) (open []Output, waiting map[string]string, err error) {
	t.Helper()
	waiting = map[string]string{}
	open, err = Find(t.Context(), s.chain, kit, s.network, only, func(outpoint, reason string) {
		waiting[outpoint] = reason
	})
	return open, waiting, err
}

// TestFind checks that Find returns mature outputs with their values on the chain, and reports the number of missing
// blocks for the others.
func TestFind(t *testing.T) {
	s := newStaker(t)
	kit := s.kit()
	open, waiting, err := s.find(t, kit)
	must(t, err)
	if len(open) != 1 || open[0].Point != s.points[0] || open[0].Value != 5000 ||
		open[0].Holding() != " with 900 base units of rune 840000:35" {
		t.Errorf("Find returned %+v", open)
	}
	if reason := waiting[s.points[1].String()]; reason != "5 more blocks must be found first" || len(waiting) != 1 {
		t.Errorf("Find reported %v as waiting", waiting)
	}
	if open, waiting, err = s.find(t, kit, s.points[1].String()); err != nil || len(open) != 0 || len(waiting) != 1 {
		t.Errorf("Find of the second output only: got %v, waiting %v, error %v", open, waiting, err)
	}
	delete(s.chain.txs, s.points[0].Hash)
	if _, waiting, err = s.find(t, kit); err != nil || !strings.Contains(waiting[s.points[0].String()],
		"transaction index") {
		t.Errorf("Find of a transaction unknown to the node: waiting %v, error %v", waiting, err)
	}
	for want, change := range map[string]func(o *api.RecoveryOutput){
		"no such output":            func(o *api.RecoveryOutput) { o.Outpoint = s.points[1].Hash.String() + ":2" },
		"at another address":        func(o *api.RecoveryOutput) { o.Outpoint = s.points[1].Hash.String() + ":0" },
		"do not derive its address": func(o *api.RecoveryOutput) { o.Delay++ },
		"community_key is not hex":  func(o *api.RecoveryOutput) { o.CommunityKey = "x" },
		"its leaf or its delay is":  func(o *api.RecoveryOutput) { o.Delay = 0 },
		"leaf_script is not hex":    func(o *api.RecoveryOutput) { o.LeafScript = "x" },
		"is not an outpoint":        func(o *api.RecoveryOutput) { o.Outpoint = "x" },
	} {
		kit := s.kit()
		change(&kit.Outputs[1])
		if _, _, err := s.find(t, kit); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want error %q, got %v", want, err)
		}
	}
}

// TestSign checks that each transaction that recovers one output pays its fee from the output's sats, and that a
// transaction that recovers all outputs pays its fee from the staker's fee input.
func TestSign(t *testing.T) {
	s := newStaker(t)
	open, _, err := s.find(t, s.kit())
	must(t, err)
	tx, fee, err := open[0].Sign(s.key, amount.SatPerVB(2))
	must(t, err)
	if fee <= 0 || tx.TxOut[0].Value != int64(5000-fee) || string(tx.TxOut[0].PkScript) != string(s.to.Script) {
		t.Errorf("Sign: fee %d, outputs %v", fee, tx.TxOut)
	}
	if _, _, err := open[0].Sign(s.key, amount.SatPerVB(200)); err == nil ||
		!strings.Contains(err.Error(), "--fee-input") {
		t.Errorf("Sign at a fee rate above the output's sats: got error %v", err)
	}
	stranger, _ := btcec.PrivKeyFromBytes([]byte(strings.Repeat("x", 32)))
	if _, _, err := open[0].Sign(stranger, amount.SatPerVB(2)); !errors.Is(err, errOtherKey) {
		t.Errorf("another key: %v", err)
	}
	if _, paid, err := open[0].PSBT(amount.SatPerVB(2)); err != nil || !paid {
		t.Errorf("PSBT at a low fee rate: paid is %v, error %v", paid, err)
	}
	if _, paid, err := open[0].PSBT(amount.SatPerVB(200)); err != nil || paid {
		t.Errorf("PSBT at a high fee rate: paid is %v, error %v", paid, err)
	}

	fees := Fees{Inputs: []string{s.fee.String()}, Rate: amount.SatPerVB(20)}
	funded, err := Fund(t.Context(), s.chain, s.network, open, fees)
	must(t, err)
	tx, err = SignFunded(funded, s.key, s.key)
	must(t, err)
	if len(tx.TxIn) != 2 || len(tx.TxIn[0].Witness) != 3 || tx.TxOut[0].Value != 5000 {
		t.Errorf("SignFunded returned %+v", tx)
	}
	if _, err := SignFunded(funded, stranger, s.key); !errors.Is(err, errOtherKey) {
		t.Errorf("another key: %v", err)
	}
	if _, err := SignFunded(funded, s.key, stranger); err == nil {
		t.Error("a fee input of another key was signed")
	}
	s.chain.spent[s.fee] = true
	for want, inputs := range map[string][]string{"such as txid:0": {"x"}, "spent already": fees.Inputs,
		"no such output": {s.fee.Hash.String() + ":7"}, "does not have": {strings.Repeat("0", 64) + ":0"}} {
		if _, err := Fund(t.Context(), s.chain, s.network, open, Fees{Inputs: inputs, Rate: fees.Rate}); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("want error %q, got %v", want, err)
		}
	}
}

// TestPrivateKey checks that private keys are read as WIF and as hex, and that no error contains the input.
func TestPrivateKey(t *testing.T) {
	s := newStaker(t)
	wif, err := btcutil.NewWIF(s.key, s.network.Params, true)
	must(t, err)
	for _, text := range []string{wif.String(), " " + hex.EncodeToString(s.key.Serialize()) + "\n"} {
		key, err := PrivateKey(text, s.network)
		must(t, err)
		if !key.PubKey().IsEqual(s.key.PubKey()) {
			t.Errorf("%q is read as another key", text)
		}
	}
	mainnet, err := chain.NetworkByName("mainnet")
	must(t, err)
	if _, err := PrivateKey(wif.String(), mainnet); err == nil || strings.Contains(err.Error(), wif.String()) {
		t.Errorf("PrivateKey of another network: got error %v", err)
	}
	if _, err := PrivateKey("correct horse", s.network); err == nil || strings.Contains(err.Error(), "horse") {
		t.Errorf("PrivateKey of another text: got error %v", err)
	}
}

// kitTexts returns recovery kits as the server sends them, and modified ones.
func (s staker) kitTexts(f *testing.F) (all []string) {
	text, err := json.Marshal(s.kit())
	must(f, err)
	all = append(all, string(text), `{"data":`+string(text)+`}`)
	for from, to := range map[string]string{
		s.to.Text: s.stake.Address, `"delay":144`: `"delay":65536`, "regtest": "mainnet", "144,": "-1,",
		":1\"":              ":4294967296\"",
		`"leaf_script":"02`: `"leaf_script":"21`, `"internal_key":"`: `"internal_key":"00`,
		`"outputs":[{`: `"outputs":[null,{`,
		"ac":           "ad",
	} {
		all = append(all, strings.Replace(string(text), from, to, 1))
	}
	golden, err := os.ReadFile(filepath.Join("../../api/testdata/golden", "recoveryKit.json"))
	must(f, err)
	return append(all, string(golden), `{"network":"regtest","destination":"x","outputs":[{}]}`, `{"data":null}`,
		`{"data":{"data":{}}}`, "")
}

// FuzzKit opens arbitrary bytes as a recovery kit. An opened output has the address in the kit, belongs to the kit's
// key, and matches the kit's other data.
func FuzzKit(f *testing.F) {
	s := newStaker(f)
	if all, err := OpenAll(s.kit(), s.network); err != nil || len(all) != 2 {
		f.Fatalf("%v, %v", all, err)
	}
	for _, text := range s.kitTexts(f) {
		f.Add([]byte(text))
	}
	path := filepath.Join(f.TempDir(), "kit.json")
	f.Fuzz(func(t *testing.T, text []byte) {
		must(t, os.WriteFile(path, text, 0o600))
		kit, err := ReadKit(path)
		if err != nil {
			return
		}
		to, err := Destination(kit, s.network)
		if err != nil {
			return
		}
		for _, o := range kit.Outputs {
			found, err := Open(o, to, s.network)
			if err != nil {
				continue
			}
			if found.Stake.Address != o.Address || int64(found.Stake.Delay) != o.Delay || found.Point.String() != o.Outpoint ||
				!vault.OwnsLeaf(to, found.Stake.Leaf) {
				t.Fatalf("opened %+v as %+v", o, found.Stake)
			}
			found.Value = 546
			if _, _, err := found.PSBT(amount.SatPerVB(1)); err != nil {
				t.Fatalf("an opened output can't be recovered: %v", err)
			}
		}
	})
}
