package reserves_test

import (
	"encoding/hex"
	"strings"
	"testing"

	"github.com/btcsuite/btcd/chainhash/v2"
	"github.com/btcsuite/btcd/psbt/v2"
	"github.com/btcsuite/btcd/txscript/v2"
	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/server/reserves"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/store"
	"moonfund/internal/testkit"
)

// depositsOf returns a staker's deposits, read as the server does.
func depositsOf(w *testkit.World, of *testkit.Wallet) (deposits []reserves.Deposit) {
	w.Helper()
	w.Update(func(tx *store.Tx) error {
		outputs, err := tx.DepositsOf(w.Context(), testkit.Prefix, of.Ordinals.Text)
		if err != nil {
			return err
		}
		for _, output := range outputs {
			keys, err := tx.StakeKeys(w.Context(), output.Ref)
			if err != nil {
				return err
			}
			deposits = append(deposits, reserves.Deposit{
				Output: output, Keys: keys,
				Runes: []reserves.Held{{Rune: testkit.Rune.String(), Amount: output.Runes.String()}},
			})
		}
		return nil
	})
	return deposits
}

func staker(of *testkit.Wallet) reserves.Staker {
	return reserves.Staker{Address: of.Ordinals.Text, Script: of.Ordinals.Script, Virtual: 7}
}

func TestKit(t *testing.T) {
	w := testkit.NewWorld(t)
	unitID, _ := w.Deposit(w.Anna, 5000)
	_, script := w.StakeAddress(w.Anna, 5000)
	w.Send(w.Transfer(w.Anna, script, 999))
	w.Step()
	kit, err := reserves.Kit(w.Account, staker(w.Anna), 4, amount.SatPerVB(1), depositsOf(w, w.Anna))
	testkit.Must(t, err)
	if len(kit.Outputs) != 2 || kit.Network != "regtest" || kit.Virtual != 7 || len(kit.Signers) != 3 {
		t.Fatalf("kit: got %+v", kit)
	}
	for _, o := range kit.Outputs {
		if o.OpenHeight != nil {
			t.Errorf("open height of the unconfirmed output %s: got %d, want nil", o.OutPoint, *o.OpenHeight)
		}
		if o.Credited != (o.OutPoint == unitID) {
			t.Errorf("output %s credited: %t", o.OutPoint, o.Credited)
		}
		checkPSBT(t, o, w.Anna.Ordinals.Script)
	}
	w.Settle(1)
	kit, err = reserves.Kit(w.Account, staker(w.Anna), 5, amount.SatPerVB(1), depositsOf(w, w.Anna))
	testkit.Must(t, err)
	for _, o := range kit.Outputs {
		if o.OpenHeight == nil || *o.OpenHeight != w.Node.Height()+o.Delay {
			t.Errorf("output %s opens at %v", o.OutPoint, o.OpenHeight)
		}
	}
}

// checkPSBT checks that both PSBTs spend the output by its leaf after the delay and pay the ordinals address.
func checkPSBT(t *testing.T, o reserves.Output, to []byte) {
	t.Helper()
	texts := []string{o.AnyFee}
	if o.OwnFee != nil {
		texts = append(texts, *o.OwnFee)
	}
	for _, text := range texts {
		packet, err := psbt.NewFromRawBytes(strings.NewReader(text), true)
		testkit.Must(t, err)
		in, leaf := packet.UnsignedTx.TxIn[0], packet.Inputs[0].TaprootLeafScript[0]
		if in.PreviousOutPoint.String() != o.OutPoint || int64(in.Sequence) != o.Delay || packet.UnsignedTx.Version != 2 {
			t.Errorf("a PSBT spends %s with sequence %d", in.PreviousOutPoint, in.Sequence)
		}
		if hex.EncodeToString(leaf.Script) != o.LeafScript || hex.EncodeToString(leaf.ControlBlock) != o.ControlBlock {
			t.Error("a PSBT has another leaf than the kit")
		}
		control, err := txscript.ParseControlBlock(leaf.ControlBlock)
		testkit.Must(t, err)
		spent := packet.Inputs[0].WitnessUtxo.PkScript
		if err := txscript.VerifyTaprootLeafCommitment(control, spent[2:], leaf.Script); err != nil {
			t.Error(err)
		}
		if out := packet.UnsignedTx.TxOut; len(out) != 1 || string(out[0].PkScript) != string(to) {
			t.Error("a PSBT does not pay only the ordinals address")
		}
	}
	if !strings.Contains(o.Descriptor, o.InternalKey) {
		t.Errorf("descriptor %s is not of key %s", o.Descriptor, o.InternalKey)
	}
}

// Kit returns an error for keys that do not derive the output, and omits outputs that are spent or vanished.
func TestKitOfOddDeposits(t *testing.T) {
	w := testkit.NewWorld(t)
	w.Deposit(w.Anna, 5000)
	w.Settle(1)
	deposits := depositsOf(w, w.Anna)
	wrong := deposits[0]
	wrong.Keys.Position++
	if _, err := reserves.Kit(w.Account, staker(w.Anna), 5, 1000, []reserves.Deposit{wrong}); err == nil {
		t.Error("Kit accepted keys of another address")
	}
	for _, gone := range []struct {
		change func(*ledger.Output)
		kept   int
	}{
		{func(o *ledger.Output) { o.Vanished = true }, 0},
		{func(o *ledger.Output) { o.SpentBy, o.SpentHeight = "ff", 9 }, 0},
		{func(o *ledger.Output) { o.SpentBy, o.SpentHeight = "ff", chain.None }, 1},
	} {
		d := deposits[0]
		gone.change(&d.Output)
		kit, err := reserves.Kit(w.Account, staker(w.Anna), 5, 1000, []reserves.Deposit{d})
		testkit.Must(t, err)
		if len(kit.Outputs) != gone.kept {
			t.Errorf("got %d outputs, want %d", len(kit.Outputs), gone.kept)
		}
	}
	segwit := reserves.Staker{Address: w.Anna.Payment.Text, Script: w.Anna.Payment.Script}
	kit, err := reserves.Kit(w.Account, segwit, 5, 1000, nil)
	testkit.Must(t, err)
	if len(kit.Signers) != 1 {
		t.Errorf("an address that is not P2TR: signers %q", kit.Signers)
	}
}

func point(n byte) wire.OutPoint { return wire.OutPoint{Hash: chainhash.Hash{n}} }

func TestSnapshot(t *testing.T) {
	stake := func(n byte, held amount.Runes) ledger.Output {
		return ledger.Output{OutPoint: point(n), Kind: ledger.StakeKind, Runes: held, Height: 5, SpentHeight: chain.None}
	}
	treasury := ledger.Output{OutPoint: point(9), Kind: ledger.RunesKind, Runes: 50, Booked: true, Height: chain.None}
	spent, odd, unbooked := stake(2, 20), stake(3, 5), treasury
	spent.SpentBy, odd.Quarantine, unbooked.Booked = "ff", "below the minimum stake", false
	outputs := []ledger.Output{stake(1, 10), spent, odd, treasury, unbooked}
	units := []ledger.Unit{
		{Origin: ledger.FromStake, Amount: 10, Stage: ledger.Staked, OutPoint: point(1), Self: true},
		{Origin: ledger.FromStake, Amount: 20, Stage: ledger.BatchLocked, OrderID: "sent"},
		{Origin: ledger.FromStake, Amount: 40, Stage: ledger.Withdrawn},
		{Origin: ledger.FromStake, Amount: 3, Stage: ledger.Unlocked, Contested: true},
		{Origin: ledger.FromReward, Amount: 50, Stage: ledger.Claimable},
	}
	sent := func(id string) bool { return id == "sent" }
	r, err := reserves.Snapshot(ledger.Header{Height: 7, Hash: "aa"}, "1:1", units, outputs, sent)
	testkit.Must(t, err)
	if !r.Covered || r.StakedUnits != 33 || r.VirtualUnits != 50 || r.OnTheWay != 20 || r.Contested != 3 ||
		r.StakeOutputs != 10 || r.SelfOutputs != 10 || r.TreasuryOutputs != 50 || len(r.Outputs) != 2 {
		t.Errorf("reserves: got %+v", r)
	}
	for _, short := range [][]ledger.Output{outputs[1:], outputs[:3]} {
		if r, err := reserves.Snapshot(ledger.Header{}, "1:1", units, short, sent); err != nil || r.Covered {
			t.Errorf("covered without one of the outputs: got %t (%v)", r.Covered, err)
		}
	}
	units = append(units, ledger.Unit{Origin: ledger.FromStake, Amount: 1<<63 - 1, Stage: ledger.Staked})
	if _, err := reserves.Snapshot(ledger.Header{}, "1:1", units, outputs, sent); err == nil {
		t.Error("Snapshot accepted a sum beyond 63 bits")
	}
}
