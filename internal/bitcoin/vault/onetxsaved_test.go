package vault

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/chain"
)

// TestSavedByOneTransaction computes the table of docs/wallets.md, which compares a withdrawal by a payment order with
// one in a single transaction, and requires that the page has exactly these rows.
func TestSavedByOneTransaction(t *testing.T) {
	page, err := os.ReadFile("../../../docs/wallets.md")
	must(t, err)
	c := newCustody(t)
	const rate = 10
	var rows []string
	for i, kind := range ownTypes {
		w := newOwnWallet(t, byte(3+i), kind, c.network)
		for _, units := range []int{1, 2, 10} {
			payment, delivery, one := paymentVBytes(w), deliveryVBytes(t, c, units), oneTxVBytes(t, c, w, units)
			saved := payment + delivery - one
			rows = append(rows, fmt.Sprintf("| %s | %d | %d | %d | %d | %d | %d |", kindName(kind), units, payment, delivery,
				one, saved, saved*rate))
		}
	}
	for _, row := range rows {
		if !strings.Contains(string(page), row+"\n") {
			t.Errorf("docs/wallets.md must have the table:\n%s", strings.Join(rows, "\n"))
			return
		}
	}
}

func kindName(kind chain.AddressType) string {
	if kind == chain.P2SH {
		return "P2SH-P2WPKH"
	}
	return strings.ToUpper(string(kind))
}

// paymentVBytes returns the size of a payment to an order: one coin, the order's address and change.
func paymentVBytes(w ownWallet) int64 {
	coin := w.coin(1, 100_000)
	tx := wire.NewMsgTx(2)
	tx.AddTxIn(wire.NewTxIn(&coin.OutPoint, nil, nil))
	tx.AddTxOut(wire.NewTxOut(5_000, make([]byte, 34))) // P2TR
	tx.AddTxOut(wire.NewTxOut(90_000, w.Script))
	return OneTxVBytes(tx, []Coin{coin})
}

// deliveryVBytes returns the size that an order pays for, with one payment and its units.
func deliveryVBytes(t *testing.T, c custody, units int) int64 {
	p := savedPlan(t, c, units)
	size, err := DeliveryVBytes(OrderShape{Rune: lobo, Amount: p.Delivery.Amount, To: p.Delivery.To, Payments: 1})
	must(t, err)
	return size + int64(units)*InputVBytes(Stake)
}

func oneTxVBytes(t *testing.T, c custody, w ownWallet, units int) int64 {
	p := savedPlan(t, c, units)
	p.Change, p.Coins = w.Script, []Coin{w.coin(100, 100_000)}
	tx, inputs, cost, err := BuildOneTx(p)
	must(t, err)
	if len(tx.TxOut) != 3 || len(inputs) != units+1 {
		t.Fatalf("%d inputs and %d outputs", len(inputs), len(tx.TxOut))
	}
	return cost.VBytes
}

// savedPlan is a withdrawal of units of 1,000 tokens each to a P2TR address.
func savedPlan(t *testing.T, c custody, units int) OneTxPlan {
	const each = 1_000_00000000
	private, _ := stakerKey(30)
	p := OneTxPlan{FeeRate: amount.SatPerVB(10)}
	for i := range units {
		p.Units = append(p.Units, c.stake(t, 1+i, DustSats, each, "a"))
	}
	p.Delivery = Delivery{OrderID: "a", Rune: lobo, Amount: amount.Runes(units * each),
		Value: amount.Sats(1+units) * DustSats,
		To:    addressOf(t, chain.P2TR, private.PubKey().SerializeCompressed(), c.network).Script}
	return p
}
