package order

import (
	"testing"

	"github.com/btcsuite/btcd/chainhash/v2"
	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/amount"
)

// confirmedPayment returns a payment in a block.
func confirmedPayment(n byte, value amount.Sats, counted bool, height int64) Payment {
	return Payment{OutPoint: wire.OutPoint{Hash: chainhash.Hash{n}}, Value: value, Counted: counted, Plain: true,
		Height: height}
}

// A refund spends the anchor first, else the first counted payment in the chain, and then the largest payments.
func TestRefundOrder(t *testing.T) {
	dust, second, first, large := confirmedPayment(1, 600, false, 10), confirmedPayment(2, 3000, true, 13),
		confirmedPayment(3, 1000, true, 12), confirmedPayment(4, 9000, true, 14)
	for name, row := range map[string]struct {
		anchor  string
		unspent []Payment
		want    []Payment
	}{
		"the anchor":             {large.OutPoint.String(), []Payment{first, second, large}, []Payment{large, second, first}},
		"the anchor is spent":    {large.OutPoint.String(), []Payment{dust, second, first}, []Payment{first, second, dust}},
		"no anchor":              {"", []Payment{dust, second, first, large}, []Payment{first, large, second, dust}},
		"nothing counts":         {"", []Payment{dust}, []Payment{dust}},
		"the anchor counts none": {dust.OutPoint.String(), []Payment{first, dust}, []Payment{dust, first}},
		"nothing":                {"", nil, nil},
	} {
		got := refundOrder(row.anchor, row.unspent)
		same := len(got) == len(row.want)
		for i := range row.want {
			same = same && got[i].OutPoint == row.want[i].OutPoint
		}
		if !same {
			t.Errorf("%s: got %v, want %v", name, got, row.want)
		}
	}
}

// At every rate up to maxRefundRate, a refund costs at most the sats that it returns, and returns no dust. Above it,
// there is no such refund.
func TestWorthwhileRate(t *testing.T) {
	for _, values := range [][]amount.Sats{
		{2500}, {658}, {700, 600, 600, 600}, {546, 9000}, {9000, 546, 546}, {600, 600, 600, 50_000, 80}, {1_000_000},
	} {
		var payments []Payment
		for i, value := range values {
			payments = append(payments, confirmedPayment(byte(i+1), value, true, int64(i+1)))
		}
		most := maxRefundRate(refundOrder("", payments))
		for rate := amount.FeeRate(1000); rate < 200_000; rate += 777 {
			spent := Order{}.Returning(payments, 100, rate)
			if (len(spent) > 0) != (rate <= most) {
				t.Fatalf("%v at %s: %d payments, worth it up to %s", values, rate, len(spent), most)
			}
			if cost := rate.Fee(refundVBytes(len(spent))); len(spent) > 0 &&
				(2*cost > sumOf(spent) || sumOf(spent)-cost < 546) {
				t.Fatalf("%v at %s: %d of %d sats", values, rate, cost, sumOf(spent))
			}
		}
	}
}
