package order

import (
	"testing"

	"github.com/btcsuite/btcd/wire/v2"
	"pgregory.net/rapid"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/vault"
)

// strangers draws payments by strangers to an order, confirmed or not.
func strangers(t *rapid.T, label string) (payments []Payment) {
	for i := range rapid.IntRange(0, 40).Draw(t, label) {
		p := Payment{
			Value: amount.Sats(rapid.Int64Range(546, 5000).Draw(t, label+" sats")), Counted: true,
			Height: chain.None, OutPoint: wire.OutPoint{Hash: [32]byte{label[0], byte(i)}},
		}
		if rapid.Bool().Draw(t, label+" confirmed") {
			p.Height = rapid.Int64Range(1, 9).Draw(t, label+" height")
		}
		payments = append(payments, p)
	}
	return payments
}

// Whatever payments strangers make, earlier or later, confirmed or not: once the owner pays the sum that Due returned,
// the order is PAID, and its delivery fits in one transaction.
func TestStrangersNeverRaiseThePrice(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		real := rapid.Int64Range(0, MaxUnits).Draw(t, "real")
		o := Order{
			RealUnits: real, UnitIDs: make([]string, max(1, real)), Amount: 1 << 40,
			FeeRate: amount.FeeRate(rapid.Int64Range(1000, 100_000).Draw(t, "rate")), Status: Pending,
		}
		alone, _, err := tally(terms, o, taproot, nil, 10)
		if err != nil {
			t.Fatal(err)
		}
		before := strangers(t, "before")
		for i := range before { // unconfirmed payments are tested below
			before[i].Height = 5
		}
		shown, _, err := tally(terms, o, taproot, before, 10)
		if err != nil {
			t.Fatal(err)
		}
		if shown.Due() > max(alone.Due(), vault.PaymentFloor(o.FeeRate)) {
			t.Fatalf("Due: got %d with the payments of others, and %d without", shown.Due(), alone.Due())
		}
		all := append(before, strangers(t, "later")...)
		if due := shown.Due(); due > 0 {
			all = append(all, Payment{Value: due, Counted: true, Height: 6, OutPoint: wire.OutPoint{Hash: [32]byte{9}}})
		}
		after, st, err := tally(terms, o, taproot, all, 10)
		if err != nil || !st.paid {
			t.Fatalf("after paying the due %d sats: got %+v, %v", shown.Due(), after, err)
		}
		wantDeliverable(t, o, all)
	})
}

// A payment that never confirms delays nothing, even if it was seen first.
func TestUnconfirmedPaymentsDelayNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		o := Order{RealUnits: 150, UnitIDs: make([]string, 150), Amount: 1 << 40, FeeRate: amount.SatPerVB(2),
			Status: Pending}
		alone, _, _ := tally(terms, o, taproot, nil, 10)
		all := append(strangers(t, "others"), Payment{Value: alone.Due(), Counted: true, Height: 6,
			OutPoint: wire.OutPoint{Hash: [32]byte{9}}})
		if _, st, err := tally(terms, o, taproot, all, 10); err != nil || !st.paid {
			t.Fatalf("want the price paid: got %v, %+v", err, st)
		}
		wantDeliverable(t, o, all)
	})
}

func wantDeliverable(t *rapid.T, o Order, payments []Payment) {
	network, err := chain.NetworkByName("regtest")
	if err != nil {
		t.Fatal(err)
	}
	s := NewService(network, terms)
	o.Community = terms.Prefix
	o.Owner = "bcrt1pyvcck8ljnc049sel2kuynrmgy75g67vf7tm5f96gdvd6kk7vmlssfcsleg"
	spent, priced, ok, err := s.PaymentsToSpend(o, payments, 10)
	if err != nil || !ok || priced.Anchor != spent[0].OutPoint.String() {
		t.Fatalf("%t, %v: the order can't be delivered: %+v", ok, err, priced)
	}
	for _, p := range payments {
		if p.Height != chain.None && ChainOrder(p, spent[0]) < 0 {
			t.Fatalf("the anchor is %s, and %s comes before it", spent[0].OutPoint, p.OutPoint)
		}
	}
	vbytes, err := vault.DeliveryVBytes(vault.OrderShape{Rune: rune35, Amount: o.Amount, To: taproot,
		Payments: len(spent)})
	if size := vbytes + vault.KeptVBytes + o.RealUnits*vault.InputVBytes(vault.Stake); err != nil ||
		size > vault.MaxPayoutVBytes {
		t.Fatalf("%d vB with %d payments, %v", size, len(spent), err)
	}
	if sumOf(spent) < priced.Fees.Total() {
		t.Fatalf("%d sats for a price of %d", sumOf(spent), priced.Fees.Total())
	}
}

// The anchor is the first payment in the chain, not the first to arrive.
func TestChainOrder(t *testing.T) {
	at := func(height, position int64, index uint32) Payment {
		return Payment{Height: height, Position: position, OutPoint: wire.OutPoint{Index: index}, Counted: true}
	}
	sorted := []Payment{at(4, 7, 3), at(5, 1, 1), at(5, 1, 2), at(5, 2, 0), at(6, 0, 0)}
	for i := range sorted {
		for j := range sorted {
			if got := ChainOrder(sorted[i], sorted[j]); (got < 0) != (i < j) || (got == 0) != (i == j) {
				t.Errorf("ChainOrder of payments %d and %d: got %d", i, j, got)
			}
		}
	}
}
