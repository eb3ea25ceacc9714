package server

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

// request is a hostile but valid request of the owner of manyOwned units.
type request struct {
	kind     string // of attacks
	units    int    // number of units that it names, or of its order
	apart    int    // distance of these units among all units of the owner
	signed   bool   // whether both addresses sign
	payments int    // number of payments of its order
	dear     bool   // whether these payments are worth less than the cost of spending them
	alone    bool   // whether each payment of a mint or etch order has a transaction of its own
}

const (
	manyOwned       = 30_000 // units
	manyUnlocked    = 8_000  // of these
	manyRewards     = 10_000 // claimable, as of hourly epochs within 14 months
	manyOrders      = 20_000 // closed claims
	manySessions    = 20_000 // of withdrawals in one transaction, to be deleted
	manyPayments    = 66_000 // of one order, as in three blocks
	namedAtMost     = 900    // unit ids that fit in a body of 64 KiB
	requestSeed     = 1
	requestTries    = 8
	longestHeldByMs = 1000 // target
)

// attack sends the requests of one kind.
type attack struct {
	kind   string
	routes []string // that it calls; below the prefix of a community, or of the mint and etch service
	units  int      // most units of a request
	paid   bool     // whether it is about an order with payments
	send   func(a *attacker, r request) time.Duration
}

// attacks returns all kinds of requests.
func attacks() []attack {
	acts := []string{"/postAction", "/signWalletAction"}
	return []attack{
		{"UNSTAKE", acts, namedAtMost, false, (*attacker).act},
		{"RESTAKE", acts, namedAtMost, false, (*attacker).act},
		{"WITHDRAW", acts, mostOrdered, false, (*attacker).act},
		{"CLAIM", acts, mostOrdered, false, (*attacker).act},
		{"COMPOUND", acts, namedAtMost, false, (*attacker).act},
		{compoundAll, acts, manyRewards, false, (*attacker).act},
		{"AUTO_COMPOUND", acts, 0, false, (*attacker).act},
		{"END_AUTO_COMPOUND", acts, 0, false, (*attacker).act},
		{"economy WITHDRAW", acts, mostOrdered, false, (*attacker).act},
		{"economy CLAIM", acts, mostOrdered, false, (*attacker).act},
		{"forged", acts, namedAtMost, false, (*attacker).act},
		{"stake", []string{"/postDemoStake"}, 0, false, (*attacker).stake},
		{"messages", []string{"/pushSubscribe", "/pushEnd"}, 0, false, (*attacker).subscribe},
		{"cancel", []string{"/cancelPO"}, mostOrdered, true, (*attacker).cancel},
		{"rerate", []string{"/rearatePO"}, mostOrdered, true, (*attacker).rerate},
		{"wait", []string{"/waitPO"}, mostOrdered, true, (*attacker).wait},
		{"difference", []string{"/payDifferencePO"}, mostOrdered, true, (*attacker).payDifference},
		{"one transaction", []string{"/beginOneTx", "/sendOneTx"}, mostOneTx, false, (*attacker).oneTx},
		{"mint", []string{"/runes/mint/orders", "/runes/mint/orders/{orderId}/execute"}, 0, true, (*attacker).mint},
		{"etch", []string{"/runes/etch/orders", "/runes/etch/orders/{orderId}/execute", "/orders/{orderId}/rbf-estimate"},
			0, true, (*attacker).etch},
	}
}

// BenchmarkRequests searches for the request that holds the writer longest: each kind alone, and then changes of the
// worst one. The server's own handler answers.
func BenchmarkRequests(b *testing.B) {
	for b.Loop() {
		a, random := newAttacker(b), rand.New(rand.NewPCG(requestSeed, 0))
		var worst request
		var longest time.Duration
		try := func(r request) {
			of := attacks()[slices.IndexFunc(attacks(), func(k attack) bool { return k.kind == r.kind })]
			a.spent = 0
			held := of.send(a, r)
			b.Logf("%s (%s): %+v", held.Round(time.Microsecond), a.spent.Round(time.Microsecond), r)
			if held > longest {
				worst, longest = r, held
			}
		}
		for _, kind := range attacks() {
			try(request{kind: kind.kind, units: kind.units, apart: 1, payments: manyPayments})
			switch {
			case kind.paid:
				try(request{kind: kind.kind, units: 1, apart: 1, payments: manyPayments, dear: true, alone: true})
			case kind.units > 0:
				try(request{kind: kind.kind, units: 60, apart: 3, signed: true})
			}
		}
		for range requestTries {
			try(changed(worst, random))
		}
		b.Logf("seed %d, the worst: %+v", requestSeed, worst)
		reportBound(b, fmt.Sprintf("writer held by the worst request found, %s of %d units", worst.kind, worst.units),
			float64(longest.Milliseconds()), longestHeldByMs, "ms")
		b.ReportMetric(0, "ns/op")
	}
}

// changed returns a request with one change.
func changed(r request, random *rand.Rand) request {
	of := attacks()[slices.IndexFunc(attacks(), func(k attack) bool { return k.kind == r.kind })]
	changes := []func(){}
	if of.units > 0 {
		changes = append(changes, func() { r.units = 1 + random.IntN(of.units) }, func() { r.apart = 1 + random.IntN(8) },
			func() { r.signed = !r.signed })
	}
	if of.paid {
		changes = append(changes, func() { r.payments = 1 + random.IntN(manyPayments) }, func() { r.dear = !r.dear },
			func() { r.alone = !r.alone })
	}
	if len(changes) > 0 {
		changes[random.IntN(len(changes))]()
	}
	return r
}
