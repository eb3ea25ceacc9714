package order

import (
	"testing"
	"time"

	"github.com/btcsuite/btcd/wire/v2"
	"pgregory.net/rapid"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/runes"
	"moonfund/internal/bitcoin/vault"
	"moonfund/internal/staking/ledger"
)

var (
	rune35  = runes.ID{Block: 840000, Tx: 35}
	terms   = Terms{Prefix: "lobo", Rune: rune35, ServiceFee: 2000, Limits: Limits{Units: MaxUnits}}
	taproot = make([]byte, 34)
)

func units(real, virtual int) (all []ledger.Unit) {
	for range real {
		all = append(all, ledger.Unit{Origin: ledger.FromStake, Amount: 1000})
	}
	for range virtual {
		all = append(all, ledger.Unit{Origin: ledger.FromReward, Amount: 1000})
	}
	return all
}

func TestPrice(t *testing.T) {
	rate := amount.SatPerVB(10)
	price := func(real, virtual int) Fees {
		t.Helper()
		fees, err := price(terms, units(real, virtual), taproot, rate)
		if err != nil {
			t.Fatal(err)
		}
		return fees
	}
	one, three, reward := price(1, 0), price(3, 0), price(0, 1)
	if one.Dust != 546 || one.Service != 2000 || one.PerRutxo != 580 || one.Rutxos != 580 || three.Rutxos != 1740 {
		t.Errorf("one unit: %+v, three: %+v", one, three)
	}
	if one.Network != three.Network {
		t.Errorf("network fees of one and three units: got %d and %d, want them equal", one.Network, three.Network)
	}
	if reward.Rutxos != 0 || reward.Network <= one.Network {
		t.Errorf("one reward: got %+v, want no unit inputs and the cost of a treasury input", reward)
	}
	if many := price(0, 3); many != reward {
		t.Errorf("three rewards: got %+v, want %+v as for one", many, reward)
	}
	if one.Total() != one.Dust+one.Network+one.Service+one.Rutxos {
		t.Errorf("total: got %d", one.Total())
	}
}

func TestTypicalCostsWhatAnOrderOfOneUnitCosts(t *testing.T) {
	self := units(1, 0)
	self[0].Self = true
	rate := amount.SatPerVB(10)
	service := NewService(chain.Network{}, terms)
	claim, withdrawal, err := service.TypicalFees(terms.Prefix, rate)
	if err != nil {
		t.Fatal(err)
	}
	for name, pair := range map[string]struct {
		got   Fees
		units []ledger.Unit
	}{"claim": {claim, units(0, 1)}, "withdrawal": {withdrawal, self}} {
		want, err := price(terms, pair.units, taproot, rate)
		// The encoded amounts may differ in size.
		if diff := pair.got.Total() - want.Total(); err != nil || diff < -100 || diff > 100 {
			t.Errorf("typical %s: got %+v, want %+v as for one unit: %v", name, pair.got, want, err)
		}
	}
}

func TestPriceOverflow(t *testing.T) {
	huge := []ledger.Unit{{Amount: 1 << 62}, {Amount: 1 << 62}}
	if _, err := price(terms, huge, taproot, amount.SatPerVB(1)); err == nil {
		t.Error("a sum beyond 63 bits was priced")
	}
}

func paid(sats amount.Sats, height int64) Payment {
	return Payment{Value: sats, Counted: true, Height: height, OutPoint: wire.OutPoint{}}
}

// A further payment of exactly Due completes the order, whatever the earlier payments.
func TestDueCompletes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		real := rapid.IntRange(0, 150).Draw(t, "real")
		o := Order{
			RealUnits: int64(real), UnitIDs: make([]string, real+rapid.IntRange(0, 3).Draw(t, "virtual")), Amount: 1 << 40,
			FeeRate: amount.FeeRate(rapid.Int64Range(1000, 200_000).Draw(t, "rate")), Status: Pending,
		}
		var payments []Payment
		for range rapid.IntRange(0, 5).Draw(t, "payments") {
			sats := amount.Sats(rapid.Int64Range(int64(vault.PaymentFloor(o.FeeRate)), 40_000).Draw(t, "sats"))
			payments = append(payments, paid(sats, 5))
		}
		before, _, err := tally(terms, o, taproot, payments, 10)
		if err != nil {
			t.Fatal(err)
		}
		due := before.Due()
		if due == 0 {
			return
		}
		if due < vault.DustSats || due != before.Fees.Total()-before.Balance() {
			t.Fatalf("%d sats are due of %d with %d paid, want the difference and no dust", due, before.Fees.Total(),
				before.Balance())
		}
		after, st, err := tally(terms, o, taproot, append(payments, paid(due, 10)), 10)
		if err != nil {
			t.Fatal(err)
		}
		if after.Due() != 0 || !st.paid || after.Confirmed < after.Fees.Total() {
			t.Fatalf("seen %d of %d sats, and %d are still due", after.Seen, after.Fees.Total(), after.Due())
		}
	})
}

// An order's network fee covers the cost of spending every payment that was needed.
func TestCollectedCoversTheCost(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		o := Order{RealUnits: 1, UnitIDs: make([]string, 1), Amount: 1 << 40,
			FeeRate: amount.SatPerVB(rapid.Int64Range(1, 200).Draw(t, "rate")), Status: Pending}
		var payments []Payment
		for n := 1; ; n++ {
			priced, _, err := tally(terms, o, taproot, payments, 10)
			if err != nil {
				t.Fatal(err)
			}
			if len(payments) > 0 && priced.Due() == 0 {
				vbytes, _ := vault.DeliveryVBytes(vault.OrderShape{Rune: rune35, Amount: o.Amount, To: taproot,
					Payments: len(payments)})
				cost := o.FeeRate.Fee(vbytes + vault.InputVBytes(vault.Stake))
				if collected := priced.Fees.Network + priced.Fees.Rutxos; collected < cost {
					t.Fatalf("%d payments: collected %d, the delivery costs %d", len(payments), collected, cost)
				}
				return
			}
			least := vault.PaymentFloor(o.FeeRate)
			sats := amount.Sats(rapid.Int64Range(int64(least), int64(max(least, priced.Due()))).Draw(t, "sats"))
			if n > 6 {
				sats = priced.Due()
			}
			payments = append(payments, paid(sats, 5))
		}
	})
}

func TestTally(t *testing.T) {
	o := Order{RealUnits: 1, UnitIDs: make([]string, 1), Amount: 1000, FeeRate: amount.SatPerVB(2)}
	run := func(payments ...Payment) Order {
		t.Helper()
		got, _, err := tally(terms, o, taproot, payments, 100)
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	price := run().Fees.Total()
	withInputs := func(payments int) amount.Sats {
		return price + amount.Sats(payments-1)*o.FeeRate.Fee(vault.InputVBytes(vault.Payment))
	}
	second := withInputs(2) - price
	late := paid(900, 5)
	late.Late = true
	young := paid(price, chain.None)
	coinbase := paid(price, 2)
	coinbase.Coinbase = true
	old := coinbase
	old.Height = 1
	for _, row := range []struct {
		name                  string
		got                   Order
		seen, confirmed, late amount.Sats
		inputs                int // number of payments that the price includes
	}{
		{"nothing", run(), 0, 0, 0, 1},
		{"all at once", run(paid(price, 100)), price, price, 0, 1},
		{"not in a block", run(young), price, 0, 0, 1},
		{"a coinbase of 99 blocks", run(coinbase), price, 0, 0, 1},
		{"a coinbase of 100 blocks", run(old), price, price, 0, 1},
		{"late only", run(late), 0, 0, 900, 1},
		{"part", run(paid(1000, 5)), 1000, 1000, 0, 2},
		{"two parts", run(paid(1000, 5), paid(1000, 5)), 2000, 2000, 0, 3},
		{"in full, then more", run(paid(price, 5), paid(1000, 5)), price + 1000, price + 1000, 0, 1},
		{"part, then the rest", run(paid(1000, 5), paid(price-1000+second, 5)), price + second, price + second, 0, 2},
		{"part, then 546 sats less", run(paid(1000, 5), paid(price-1000+second-546, 5)), price + second - 546,
			price + second - 546, 0, 3},
	} {
		g := row.got
		if g.Seen != row.seen || g.Confirmed != row.confirmed || g.Late != row.late ||
			g.Fees.Total() != withInputs(row.inputs) {
			t.Errorf("%s: seen %d, confirmed %d, late %d, price %d + %d", row.name, g.Seen, g.Confirmed, g.Late, price,
				g.Fees.Total()-price)
		}
	}
}

// Only payments that were seen while the rate was valid keep the rate.
// What lacks below 546 sats lowers the service fee, so that no order waits for what no output can pay.
func TestServiceFeeIsLowered(t *testing.T) {
	o := Order{RealUnits: 1, UnitIDs: make([]string, 1), Amount: 1000, FeeRate: amount.SatPerVB(2), Status: Confirmed}
	for _, row := range []struct {
		service, lacks, due amount.Sats // due: without the cost of a further payment
		raised              amount.FeeRate
	}{
		{2000, 0, 0, 0}, {2000, 1, 0, 0}, {2000, 545, 0, 0}, {2000, 546, 546, 0}, {2000, 1, 1, 1500},
		{300, 300, 0, 0}, {300, 301, 301, 0}, {0, 1, 1, 0},
	} {
		with := terms
		with.ServiceFee, o.Economy.RaisedRate = row.service, row.raised
		price, _, err := tally(with, o, taproot, nil, 10)
		if err != nil {
			t.Fatal(err)
		}
		got, st, err := tally(with, o, taproot, []Payment{paid(price.Fees.Total()-row.lacks, 5)}, 10)
		if row.due > 0 {
			row.due = max(546, row.due+got.Fees.PerRutxo)
		}
		if err != nil || got.Due() != row.due || st.paid != (row.due == 0) {
			t.Errorf("%+v: %d sats are due, paid: %t, %v", row, got.Due(), st.paid, err)
		}
		if lowered := row.service - got.Fees.Service; st.paid && (lowered != row.lacks || got.Fees.Total() != got.Confirmed) {
			t.Errorf("%+v: the fees are %+v of %d confirmed sats", row, got.Fees, got.Confirmed)
		}
	}
}

// The price that is shown first can be paid in up to three parts, also if spending a part costs more than 546 sats.
func TestPriceInThreeParts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		o := Order{RealUnits: 1, UnitIDs: make([]string, 1), Amount: 1000, Status: Confirmed,
			FeeRate: amount.FeeRate(rapid.Int64Range(1000, 17_000).Draw(t, "rate"))} // two inputs cost the service fee
		price, _, err := tally(terms, o, taproot, nil, 10)
		if err != nil {
			t.Fatal(err)
		}
		left, parts := price.Fees.Total(), []Payment{}
		for range 2 {
			part := amount.Sats(rapid.Int64Range(546, int64(left)-3*546).Draw(t, "part"))
			left, parts = left-part, append(parts, paid(part, 5))
			if left < 4*546 {
				break
			}
		}
		got, st, err := tally(terms, o, taproot, append(parts, paid(left, 5)), 10)
		if err != nil || !st.paid || got.Due() != 0 || got.Confirmed != price.Fees.Total() {
			t.Fatalf("paid in parts: %+v, %v", got, err)
		}
		wantDeliverable(t, o, append(parts, paid(left, 5)))
	})
}

func TestInTime(t *testing.T) {
	o := Order{RealUnits: 1, UnitIDs: make([]string, 1), Amount: 1000, FeeRate: amount.SatPerVB(2), RateDate: created}
	seen := func(sats amount.Sats, after time.Duration, late bool) Payment {
		return Payment{Value: sats, SeenAt: created.Add(after), Late: late, Height: chain.None, Counted: true}
	}
	for _, row := range []struct {
		payments []Payment
		want     bool
	}{
		{[]Payment{seen(20_000, exactly, false)}, true},
		{[]Payment{seen(20_000, feesLate, false)}, false},
		{[]Payment{seen(20_000, 0, true)}, false},
		{[]Payment{seen(2000, -time.Hour, false), seen(2000, exactly, false)}, true},
		{[]Payment{seen(2000, -time.Hour, false), seen(2000, feesLate, false)}, false},
	} {
		if _, st, err := tally(terms, o, taproot, row.payments, 10); err != nil || st.inTime != row.want {
			t.Errorf("%+v: got in time %t, %v", row.payments, st.inTime, err)
		}
	}
}

// The unspent payments of a closed order are due if they are worth a refund at the order's fee rate. Payments that cost
// more to spend than their value are excluded, counted or not.
func TestRefundDue(t *testing.T) {
	left := func(sats ...amount.Sats) (payments []Payment) {
		for i, n := range sats {
			payments = append(payments, Payment{Value: n, Plain: true, Counted: i%2 == 0})
		}
		return payments
	}
	least := amount.SatPerVB(10).Fee(54+58) + 546
	o := Order{FeeRate: amount.SatPerVB(10), Status: Canceled}
	for _, row := range []struct {
		payments []Payment
		want     amount.Sats
	}{
		{nil, 0},
		{left(least - 1), 0},
		{left(least), least},
		{left(least-581, 581), 0}, // a second input costs 580
		{left(least, 581), least + 581},
		{left(least, 580, 546, 546), least},
		{left(546, 546, 546, 546), 0},
		{[]Payment{{Value: 9000, Counted: true}}, 0}, // it holds runes
		{[]Payment{{Value: 9000, Plain: true, Vanished: true}}, 0},
		{[]Payment{{Value: 9000, Plain: true, SpentBy: "a refund"}}, 0},
	} {
		if due := o.withRefundDue(row.payments, created).Owed; due.Sats != row.want ||
			(due.Sats > 0) != (due == Refund{Sats: row.want, Reason: RefundCanceled, Since: created, Rate: due.Rate}) {
			t.Errorf("%+v: got %+v, want %d", row.payments, due, row.want)
		}
	}
	for _, status := range []Status{Pending, Confirmed, PendingRerate, Paid, Sent} {
		if o.Status = status; o.withRefundDue(left(9000), created).Owed.Sats != 0 {
			t.Errorf("a refund is due of a %s order", status)
		}
	}
	o = Order{FeeRate: amount.SatPerVB(1), Status: Expired, Late: 9000}.withRefundDue(left(9000), created)
	if later := o.withRefundDue(left(9000, 9000), created.Add(time.Hour)); o.Owed.Reason != RefundLate ||
		later.Owed != (Refund{Sats: 18_000, Reason: RefundLate, Since: created, Rate: later.Owed.Rate}) {
		t.Errorf("due refund: got %+v, then %+v", o.Owed, later.Owed)
	}
}
