package vault

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/btcsuite/btcd/wire/v2"
	"lukechampine.com/uint128"
	"pgregory.net/rapid"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/runes"
)

// batch is a random payout of orders with stakes, virtual units or both.
type batch struct {
	plan  PayoutPlan
	units int
	price int64 // number of vbytes that the orders paid for
}

func allocateHere(c custody) Allocate { return AllocateBy(runes.RulesFor(c.network)) }

func drawBatch(t *rapid.T, tb testing.TB, c custody) batch {
	b := batch{}
	b.plan.Rune = lobo
	b.plan.RuneChange, b.plan.SatsChange = c.change(tb)
	b.plan.FeeRate = amount.FeeRate(rapid.Int64Range(1000, 200_000).Draw(t, "rate"))
	next := 0
	number := func() int { next++; return next }
	var fromTreasury amount.Runes
	for i := range rapid.IntRange(1, 7).Draw(t, "orders") {
		id := fmt.Sprintf("order-%d", i)
		d := Delivery{OrderID: id, Rune: lobo, Value: DustSats}
		for range rapid.IntRange(0, 3).Draw(t, "stakes") {
			n := amount.Runes(rapid.Int64Range(1, 1e13).Draw(t, "units"))
			b.plan.Inputs = append(b.plan.Inputs, c.stake(tb, number(), 546, n, id))
			b.units++
			d.Amount, d.Value = d.Amount+n, d.Value+546
		}
		virtual := amount.Runes(0)
		if d.Amount == 0 || rapid.Bool().Draw(t, "mixed") {
			virtual = amount.Runes(rapid.Int64Range(1, 1e13).Draw(t, "virtual"))
		}
		d.Amount += virtual
		fromTreasury += virtual
		private, _ := stakerKey(byte(i))
		kind := rapid.SampledFrom([]chain.AddressType{chain.P2TR, chain.P2WPKH, chain.P2SH, chain.P2PKH}).Draw(t, "type")
		d.To = addressOf(tb, kind, private.PubKey().SerializeCompressed(), c.network).Script
		payments := rapid.IntRange(1, 2).Draw(t, "payments")
		vbytes, err := DeliveryVBytes(OrderShape{Rune: lobo, Amount: d.Amount, To: d.To, Virtual: virtual > 0,
			Payments: payments})
		must(tb, err)
		due := DustSats + b.plan.FeeRate.Fee(vbytes)
		real := int64(d.Value/546 - 1)
		due += amount.Sats(real) * b.plan.FeeRate.Fee(InputVBytes(Stake))
		for p := range payments {
			value := due / 2
			if payments == 1 || p == 1 {
				value = due - due/2*amount.Sats(payments-1)
			}
			b.plan.Inputs = append(b.plan.Inputs, c.coin(tb, Payment, number(), value, 0, id))
		}
		b.price += vbytes + real*InputVBytes(Stake)
		b.plan.Deliveries = append(b.plan.Deliveries, d)
	}
	if fromTreasury > 0 {
		rest := amount.Runes(rapid.Int64Range(0, 1e15).Draw(t, "rest"))
		b.plan.Inputs = append(b.plan.Inputs, c.coin(tb, TreasuryRunes, number(), DustSats, fromTreasury+rest, ""))
	}
	return b
}

// TestRandomBatches checks that the prices of orders cover the fee of their payout, for one to seven orders with any
// mix of units at 1 to 200 sat/vB, and that every input can be spent.
func TestRandomBatches(t *testing.T) {
	c := newCustody(t)
	rapid.Check(t, func(r *rapid.T) {
		b := drawBatch(r, t, c)
		tx, cost, err := BuildPayout(b.plan)
		if err != nil {
			r.Fatal(err)
		}
		if err := VerifyPayout(tx, b.plan.Inputs, b.plan.Deliveries, b.plan.RuneChange, b.plan.SatsChange,
			allocateHere(c)); err != nil {
			r.Fatal(err)
		}
		if cost.VBytes > b.price {
			r.Fatalf("%d vB, the orders paid for %d", cost.VBytes, b.price)
		}
		in, _ := inputSats(b.plan.Inputs)
		if in-outputSats(tx) != cost.Fee || cost.Fee < b.plan.FeeRate.Fee(cost.VBytes) {
			r.Fatalf("fee %d for %d vB", cost.Fee, cost.VBytes)
		}
		signed := c.sign(t, tx, b.plan.Inputs)
		if got := chain.VSize(signed); got != cost.VBytes || got != SignedVBytes(signed) {
			r.Fatalf("the signed transaction has %d vB, want %d", got, cost.VBytes)
		}
		limits := chain.DefaultPolicy()
		fetcher := fetcherOf(b.plan.Inputs)
		previous := func(o wire.OutPoint) (*wire.TxOut, bool) { out := fetcher.FetchPrevOutput(o); return out, out != nil }
		if err := chain.CheckPolicy(signed, previous, limits); err != nil {
			r.Fatal(err)
		}
		again, _, _ := BuildPayout(b.plan)
		if again.TxHash() != tx.TxHash() {
			r.Fatal("BuildPayout is not deterministic")
		}
	})
}

// mutations are changes of a payout that a bug or an attacker could make.
var mutations = map[string]func(tx *wire.MsgTx, stone runes.Runestone, at int) []byte{
	"other destination": func(tx *wire.MsgTx, _ runes.Runestone, _ int) []byte {
		tx.TxOut[0].PkScript[5] ^= 1
		return nil
	},
	"a sat less": func(tx *wire.MsgTx, _ runes.Runestone, _ int) []byte { tx.TxOut[0].Value--; return nil },
	"a sat more": func(tx *wire.MsgTx, _ runes.Runestone, _ int) []byte { tx.TxOut[0].Value++; return nil },
	"no runestone": func(tx *wire.MsgTx, _ runes.Runestone, at int) []byte {
		tx.TxOut = slices.Delete(tx.TxOut, at, at+1)
		return nil
	},
	"sats on runestone": func(tx *wire.MsgTx, _ runes.Runestone, at int) []byte { tx.TxOut[at].Value = 1; return nil },
	"cenotaph": func(tx *wire.MsgTx, _ runes.Runestone, at int) []byte {
		return []byte{0x6a, 0x5d, 0x01, 0x7e, 0x01, 0x00}
	},
	"trailing data": func(tx *wire.MsgTx, _ runes.Runestone, at int) []byte {
		return append(slices.Clone(tx.TxOut[at].PkScript), 1, 0)
	},
	"an input less": func(tx *wire.MsgTx, _ runes.Runestone, _ int) []byte { tx.TxIn = tx.TxIn[1:]; return nil },
	"another input": func(tx *wire.MsgTx, _ runes.Runestone, _ int) []byte {
		tx.TxIn[0].PreviousOutPoint.Index++
		return nil
	},
	"an output more": func(tx *wire.MsgTx, _ runes.Runestone, _ int) []byte {
		tx.AddTxOut(wire.NewTxOut(546, []byte{0x51}))
		return nil
	},
	"no edicts":     edit(func(s *runes.Runestone, _ *wire.MsgTx) { s.Edicts = nil }),
	"an edict less": edit(func(s *runes.Runestone, _ *wire.MsgTx) { s.Edicts = s.Edicts[1:] }),
	"a base unit less": edit(func(s *runes.Runestone, _ *wire.MsgTx) {
		s.Edicts[0].Amount = s.Edicts[0].Amount.SubWrap(uint128.From64(1))
	}),
	"a base unit more": edit(func(s *runes.Runestone, _ *wire.MsgTx) {
		s.Edicts[0].Amount = s.Edicts[0].Amount.Add64(1)
	}),
	"all that is left": edit(func(s *runes.Runestone, _ *wire.MsgTx) { s.Edicts[0].Amount = uint128.Zero }),
	"another rune":     edit(func(s *runes.Runestone, _ *wire.MsgTx) { s.Edicts[0].ID.Tx++ }),
	"to every output":  edit(func(s *runes.Runestone, tx *wire.MsgTx) { s.Edicts[0].Output = uint32(len(tx.TxOut)) }),
	"beyond the outputs": edit(func(s *runes.Runestone, tx *wire.MsgTx) {
		s.Edicts[0].Output = uint32(len(tx.TxOut) + 1)
	}),
	"a mint":     edit(func(s *runes.Runestone, _ *wire.MsgTx) { s.Mint = &runes.ID{Block: 840000, Tx: 1} }),
	"an etching": edit(func(s *runes.Runestone, _ *wire.MsgTx) { s.Etching = &runes.Etching{} }),
}

// edit returns a mutation that changes the decoded runestone and encodes it again.
func edit(change func(*runes.Runestone, *wire.MsgTx)) func(*wire.MsgTx, runes.Runestone, int) []byte {
	return func(tx *wire.MsgTx, stone runes.Runestone, _ int) []byte {
		change(&stone, tx)
		script, _ := stone.Script()
		return script
	}
}

func TestMutatedPayoutsAreRefused(t *testing.T) {
	c := newCustody(t)
	rapid.Check(t, func(r *rapid.T) {
		b := drawBatch(r, t, c)
		good, _, err := BuildPayout(b.plan)
		if err != nil {
			r.Fatal(err)
		}
		for name, mutate := range mutations {
			tx := good.Copy()
			at := slices.IndexFunc(tx.TxOut, func(o *wire.TxOut) bool { return o.PkScript[0] == 0x6a })
			stone := *runes.Decipher(good).Runestone
			stone.Edicts = slices.Clone(stone.Edicts)
			if script := mutate(tx, stone, at); script != nil {
				tx.TxOut[at].PkScript = script
			}
			if VerifyPayout(tx, b.plan.Inputs, b.plan.Deliveries, b.plan.RuneChange, b.plan.SatsChange, allocateHere(c)) == nil {
				r.Fatalf("%s: VerifyPayout accepted the payout", name)
			}
		}
	})
}

// TestPointerMustBeRuneChange checks that the pointer may send remaining runes only to the treasury's rune address.
func TestPointerMustBeRuneChange(t *testing.T) {
	c := newCustody(t)
	plan := c.claims(t, 2, 1)
	tx, _, err := BuildPayout(plan)
	must(t, err)
	stone := *runes.Decipher(tx).Runestone
	for output := range tx.TxOut {
		stone.Pointer = new(uint32(output))
		script, err := stone.Script()
		must(t, err)
		changed := tx.Copy()
		changed.TxOut[3].PkScript = script
		err = VerifyPayout(changed, plan.Inputs, plan.Deliveries, plan.RuneChange, plan.SatsChange, allocateHere(c))
		if (err == nil) != (output == 2) {
			t.Errorf("pointer %d: %v", output, err)
		}
	}
}

// claims returns a payout of n orders of virtual units, all to P2TR addresses.
func (c custody) claims(t testing.TB, n, changeOutputs int) PayoutPlan {
	t.Helper()
	plan := PayoutPlan{Rune: lobo, FeeRate: amount.SatPerVB(2), RuneChangeOutputs: changeOutputs}
	plan.RuneChange, plan.SatsChange = c.change(t)
	for i := range n {
		private, _ := stakerKey(byte(i))
		to := addressOf(t, chain.P2TR, private.PubKey().SerializeCompressed(), c.network).Script
		plan.Deliveries = append(plan.Deliveries, Delivery{OrderID: fmt.Sprint(i), Rune: lobo, Amount: 5e12, To: to,
			Value: DustSats})
	}
	plan.Inputs = []Coin{
		c.coin(t, Payment, 900, 100_000, 0, "0"),
		c.coin(t, TreasuryRunes, 901, DustSats, 1e15, ""),
	}
	return plan
}

func TestSizes(t *testing.T) {
	c := newCustody(t)
	// One rune input, one fee input, rune change and sats change. The explicit pointer adds 2 vB to the figures of the
	// design (281, 599), and 7 deliveries need a longer push.
	for n, want := range map[int]int64{1: 283, 7: 602} {
		tx, cost, err := BuildPayout(c.claims(t, n, 1))
		if err != nil || cost.VBytes != want {
			t.Errorf("payout to %d: %d vB, %v; want %d", n, cost.VBytes, err, want)
			continue
		}
		if size := len(tx.TxOut[n+1].PkScript); size > DefaultMaxRunestone {
			t.Errorf("the runestone has %d bytes, more than the limit", size)
		}
	}
	var tooMany *ErrTooMany
	if _, _, err := BuildPayout(c.claims(t, 8, 1)); !errors.As(err, &tooMany) || tooMany.Limit != DefaultMaxRunestone {
		t.Errorf("8 deliveries: %v, want ErrTooMany", err)
	}
	plan := c.claims(t, 100, 1)
	plan.MaxRunestone = 10_000
	plan.Inputs[0].Output.Value = 1_000_000
	if _, cost, err := BuildPayout(plan); err != nil || cost.VBytes < 5400 || cost.VBytes > 5700 {
		t.Errorf("100 deliveries: %d vB, %v", cost.VBytes, err)
	}
	plan = c.claims(t, 200, 1)
	plan.MaxRunestone = 10_000
	plan.Inputs[0].Output.Value = 1_000_000
	if _, _, err := BuildPayout(plan); !errors.As(err, &tooMany) || tooMany.Unit != "vB" {
		t.Errorf("200 deliveries: %v, want ErrTooMany", err)
	}
	if InputVBytes(Stake) != 58 || PaymentFloor(amount.SatPerVB(1)) != 546 || PaymentFloor(amount.SatPerVB(100)) != 6800 {
		t.Error("wrong input size or payment floor")
	}
}

func TestRuneChangeIsSpread(t *testing.T) {
	c := newCustody(t)
	for deliveries, outputs := range map[int]int{0: 8, 1: 7, 3: 5, 7: 1} {
		plan := c.claims(t, deliveries, 8)
		tx, _, err := BuildPayout(plan)
		must(t, err)
		must(t, VerifyPayout(tx, plan.Inputs, plan.Deliveries, plan.RuneChange, plan.SatsChange, allocateHere(c)))
		balances := map[wire.OutPoint][]runes.Balance{}
		for _, in := range plan.Inputs {
			balances[in.OutPoint] = in.Runes
		}
		allocated, _, _, err := allocateHere(c)(tx, func(o wire.OutPoint) []runes.Balance { return balances[o] })
		must(t, err)
		bearing := 0
		for _, b := range allocated[deliveries:] {
			if len(b) > 0 {
				bearing++
			}
		}
		if bearing != outputs {
			t.Errorf("%d deliveries: rune change on %d outputs, want %d", deliveries, bearing, outputs)
		}
	}
	if parts := spread(10, 3); !slices.Equal(parts, []amount.Runes{4, 3, 3}) {
		t.Errorf("spread(10, 3) = %v, want [4 3 3]", parts)
	}
	if parts := spread(2, 8); len(parts) != 2 || spread(0, 8) != nil {
		t.Errorf("spread(2, 8) = %v, want 2 parts; spread(0, 8) must be nil", parts)
	}
}

func TestShortages(t *testing.T) {
	c := newCustody(t)
	plan := c.claims(t, 2, 1)
	plan.Inputs[1] = c.coin(t, TreasuryRunes, 901, DustSats, 1e13-3, "")
	var runesShort *ErrRunesShort
	if _, _, err := BuildPayout(plan); !errors.As(err, &runesShort) || runesShort.Missing != 3 {
		t.Errorf("3 base units short: %v, want ErrRunesShort", err)
	}
	// Without change, adding exactly the missing sats makes the plan succeed.
	plan = c.claims(t, 2, 1)
	plan.Inputs[0].Output.Value = 700
	var satsShort *ErrSatsShort
	if _, _, err := BuildPayout(plan); !errors.As(err, &satsShort) {
		t.Fatalf("too few sats: %v, want ErrSatsShort", err)
	}
	plan.Inputs[0].Output.Value += int64(satsShort.Missing) - 1
	if _, _, err := BuildPayout(plan); !errors.As(err, &satsShort) || satsShort.Missing != 1 {
		t.Errorf("one sat short: %v", err)
	}
	plan.Inputs[0].Output.Value++
	tx, cost, err := BuildPayout(plan)
	if err != nil || cost.Fee != plan.FeeRate.Fee(cost.VBytes) {
		t.Errorf("with exactly enough sats: fee %d, %v", cost.Fee, err)
	}
	must(t, VerifyPayout(tx, plan.Inputs, plan.Deliveries, plan.RuneChange, plan.SatsChange, allocateHere(c)))
}

// TestBumpSharesInputs checks that a fee bump keeps every input and may add treasury sats.
func TestBumpSharesInputs(t *testing.T) {
	c := newCustody(t)
	plan := c.claims(t, 3, 1)
	plan.Inputs[0].Output.Value = 4000
	first, _, err := BuildPayout(plan)
	must(t, err)
	bump := plan
	bump.FeeRate = amount.SatPerVB(50)
	spare := []Coin{
		c.coin(t, TreasurySats, 910, 9_000, 0, ""), c.coin(t, TreasurySats, 911, 12_000, 0, ""),
		c.coin(t, TreasurySats, 912, 90_000, 40, ""), // holds runes, so it must not pay fees
	}
	funded, tx, cost, err := FundPayout(bump, spare)
	must(t, err)
	if len(funded.Inputs) != 4 || cost.Fee < bump.FeeRate.Fee(cost.VBytes) {
		t.Errorf("%d inputs, fee %d for %d vB", len(funded.Inputs), cost.Fee, cost.VBytes)
	}
	for i, in := range first.TxIn {
		if tx.TxIn[i].PreviousOutPoint != in.PreviousOutPoint {
			t.Errorf("input %d changed", i)
		}
	}
	c.sign(t, tx, funded.Inputs)
	var short *ErrSatsShort
	if _, _, _, err := FundPayout(bump, spare[:1]); !errors.As(err, &short) {
		t.Errorf("too few spare sats: %v, want ErrSatsShort", err)
	}
}

func TestBuildRefusesNonsense(t *testing.T) {
	c := newCustody(t)
	foreign := []runes.Balance{{ID: runes.ID{Block: 840000, Tx: 1}, Amount: uint128.From64(1)}}
	for name, change := range map[string]func(*PayoutPlan){
		"no inputs":           func(p *PayoutPlan) { p.Inputs = nil },
		"nothing to deliver":  func(p *PayoutPlan) { p.Deliveries = nil },
		"no fee rate":         func(p *PayoutPlan) { p.FeeRate = 0 },
		"version 1":           func(p *PayoutPlan) { p.Version = 1 },
		"amount 0":            func(p *PayoutPlan) { p.Deliveries[0].Amount = 0 },
		"negative amount":     func(p *PayoutPlan) { p.Deliveries[0].Amount = -1 },
		"dust":                func(p *PayoutPlan) { p.Deliveries[0].Value = 545 },
		"no destination":      func(p *PayoutPlan) { p.Deliveries[0].To = nil },
		"other rune":          func(p *PayoutPlan) { p.Deliveries[0].Rune.Tx++ },
		"input twice":         func(p *PayoutPlan) { p.Inputs = append(p.Inputs, p.Inputs[0]) },
		"foreign rune":        func(p *PayoutPlan) { p.Inputs[1].Runes = foreign },
		"runes on a payment":  func(p *PayoutPlan) { p.Inputs[0].Runes = balance(1) },
		"no rune change":      func(p *PayoutPlan) { p.RuneChange = nil },
		"no sats change":      func(p *PayoutPlan) { p.SatsChange = nil },
		"more than int64":     func(p *PayoutPlan) { p.Inputs[1].Runes = []runes.Balance{{ID: lobo, Amount: uint128.Max}} },
		"sums over int64":     func(p *PayoutPlan) { p.Deliveries[0].Amount, p.Deliveries[1].Amount = 1<<62, 1<<62 },
		"negative input sats": func(p *PayoutPlan) { p.Inputs[0].Output.Value = -1 },
	} {
		plan := c.claims(t, 2, 1)
		change(&plan)
		if tx, _, err := BuildPayout(plan); err == nil || tx != nil {
			t.Errorf("%s: BuildPayout succeeded, want an error", name)
		}
	}
}
