package reserves_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/fault"
	"moonfund/internal/server/reserves"
	"moonfund/internal/store"
	"moonfund/internal/testkit"
)

// sender broadcasts to the world's node, as the server does.
func sender(w *testkit.World) reserves.Sender {
	return reserves.Sender{Node: w.Node, View: func(ctx context.Context, fn func(reserves.Outputs) error) error {
		return w.Store.View(ctx, func(tx *store.Tx) error { return fn(tx) })
	}}
}

// refused checks that err is a refusal whose message begins like the sentence, up to the sentence's first format verb.
func refused(t *testing.T, err error, want fault.Sentence) {
	t.Helper()
	said, ok := errors.AsType[*fault.Error](err)
	begin, _, _ := strings.Cut(want.Text, "%")
	if !ok || said.Kind != fault.Refused || !strings.HasPrefix(said.Message, begin) {
		t.Errorf("got %v, want %q", err, want)
	}
}

func TestSendRecovery(t *testing.T) {
	w := testkit.NewWorld(t)
	unitID, _ := w.Deposit(w.Anna, 5000)
	w.Settle(1)
	recovery := w.Recover(w.Anna, unitID)
	send := sender(w)
	for range 2 { // the second call repeats the request, as after a lost response
		tx, err := send.Send(t.Context(), testkit.Prefix, w.Anna.Ordinals.Text, recovery.Bytes())
		testkit.Must(t, err)
		if tx.ID != recovery.ID {
			t.Errorf("sent: got %s, want %s", tx.ID, recovery.ID)
		}
	}
	w.Settle(1)
	sent := w.Node.Broadcasts(recovery.ID)
	if sent == 0 {
		t.Fatal("the node did not get the recovery")
	}
	// A confirmed recovery succeeds without a call to the node, whose index may lag behind.
	_, err := send.Send(t.Context(), testkit.Prefix, w.Anna.Ordinals.Text, recovery.Bytes())
	testkit.Must(t, err)
	if w.Node.Broadcasts(recovery.ID) != sent {
		t.Error("a confirmed recovery was sent again")
	}
}

func TestSendRecoveryOfLostAnswer(t *testing.T) {
	w := testkit.NewWorld(t)
	unitID, _ := w.Deposit(w.Anna, 5000)
	w.Settle(1)
	raw := w.Recover(w.Anna, unitID).Bytes()
	send := func() error {
		_, err := sender(w).Send(t.Context(), testkit.Prefix, w.Anna.Ordinals.Text, raw)
		return err
	}
	w.Node.FailSend(errors.New("connection reset"), true)
	refused(t, send(), fault.RecoveryUnanswered)
	w.Node.FailSend(nil, false)
	testkit.Must(t, send())
}

// Send relays only recoveries of the caller's own stake.
func TestSendRecoveryRefuses(t *testing.T) {
	w := testkit.NewWorld(t)
	annas, _ := w.Deposit(w.Anna, 5000)
	berts, _ := w.Deposit(w.Bert, 5000)
	w.Settle(1)
	own := w.Recover(w.Anna, annas)
	changed := func(change func(*wire.MsgTx)) []byte {
		msg := own.Msg.Copy()
		change(msg)
		return chain.NewTx(msg).Bytes()
	}
	for name, row := range map[string]struct {
		raw  []byte
		want fault.Sentence
	}{
		"nothing":         {nil, fault.TransactionUnreadable},
		"garbage":         {[]byte("hello"), fault.TransactionUnreadable},
		"more behind":     {append(own.Bytes(), 0), fault.TransactionUnreadable},
		"foreign":         {w.SpendToSelf(w.Anna, 1000, w.Anna.Sats()).Bytes(), fault.RecoveryForeign},
		"another owner's": {w.Recover(w.Bert, berts).Bytes(), fault.RecoveryOtherOwner},
		"both owners'": {changed(func(tx *wire.MsgTx) {
			tx.AddTxIn(w.Recover(w.Bert, berts).Msg.TxIn[0])
		}), fault.RecoveryOtherOwner},
		"key path": {changed(func(tx *wire.MsgTx) {
			tx.TxIn[0].Witness = wire.TxWitness{make([]byte, 64)}
		}), fault.RecoveryKeyPath},
		"not signed":       {changed(func(tx *wire.MsgTx) { tx.TxIn[0].Witness = nil }), fault.RecoveryKeyPath},
		"another script":   {changed(func(tx *wire.MsgTx) { tx.TxIn[0].Witness[1] = []byte{0x51} }), fault.RecoveryKeyPath},
		"a broken control": {changed(func(tx *wire.MsgTx) { tx.TxIn[0].Witness[2] = []byte{0xc0} }), fault.RecoveryKeyPath},
		"with an annex": {changed(func(tx *wire.MsgTx) {
			tx.TxIn[0].Witness = append(tx.TxIn[0].Witness, []byte{0x50})
		}), fault.RecoveryKeyPath},
		"a wrong signature": {changed(func(tx *wire.MsgTx) {
			tx.TxIn[0].Witness[0] = make([]byte, 64)
		}), fault.RecoveryRefused},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := sender(w).Send(t.Context(), testkit.Prefix, w.Anna.Ordinals.Text, row.raw)
			refused(t, err, row.want)
		})
	}
	_, err := sender(w).Send(t.Context(), "other", w.Anna.Ordinals.Text, own.Bytes())
	refused(t, err, fault.RecoveryOtherOwner)
	if mempool, _ := w.Node.Mempool(t.Context()); len(mempool) != 0 {
		t.Errorf("%d transactions reached the node", len(mempool))
	}
}

func TestSendRecoverySaysWhyTheNodeRefuses(t *testing.T) {
	w := testkit.NewWorld(t)
	unitID, _ := w.Deposit(w.Anna, 5000)
	w.Settle(1)
	raw := w.Recover(w.Anna, unitID).Bytes()
	for reason, want := range map[string]fault.Sentence{
		"non-BIP68-final": fault.RecoveryTooEarly,
		"transaction's sequence locks on inputs not met": fault.RecoveryTooEarly,
		"min relay fee not met, 50 < 141":                fault.RecoveryFeeTooLow,
		"insufficient fee, rejecting replacement":        fault.RecoveryFeeTooLow,
		"dust": fault.RecoveryDust,
		"transaction output 0: payment of 100 is dust":     fault.RecoveryDust,
		"bad-txns-inputs-missingorspent":                   fault.RecoverySpent,
		"output ab:0 already spent by transaction cd":      fault.RecoverySpent,
		"tx-size " + strings.Repeat("very ", 100) + "long": fault.RecoveryRefused,
	} {
		w.Node.Refuse(reason)
		_, err := sender(w).Send(t.Context(), testkit.Prefix, w.Anna.Ordinals.Text, raw)
		refused(t, err, want)
		if said := fault.From(err).Message; len(said) > 300 {
			t.Errorf("the message has %d bytes, want at most 300", len(said))
		}
	}
	w.Node.Refuse("")
	w.Node.Fail(errors.New("connection refused"))
	_, err := sender(w).Send(t.Context(), testkit.Prefix, w.Anna.Ordinals.Text, raw)
	refused(t, err, fault.RecoveryUnanswered)
}
