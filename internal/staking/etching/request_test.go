package etching_test

import (
	"math"
	"strings"
	"sync"
	"testing"

	"moonfund/internal/fault"
	"moonfund/internal/staking/etching"
)

// Each invalid field of an etch order is reported.
func TestEtchRequests(t *testing.T) {
	w := newWorld(t)
	w.open("5")
	mainnet := "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4"
	huge := strings.Repeat("9", 60)
	most := "340282366920938463463374607431768211455" // 2^128 - 1
	for what, row := range map[string]struct {
		spoil func(*etching.EtchRequest)
		want  string
	}{
		"no name": {func(r *etching.EtchRequest) { r.RuneName = "" }, "runeName must be at most 28 capital letters"},
		"small letters": {func(r *etching.EtchRequest) {
			r.RuneName = "wolvesatnight"
		}, "runeName must be at most 28 capital letters"},
		"only a spacer": {func(r *etching.EtchRequest) { r.RuneName = "•" }, "runeName must be at most 28 capital letters"},
		"spacer at the end": {func(r *etching.EtchRequest) {
			r.RuneName = "WOLVESATNIGHTAGAIN•"
		}, "runeName must be at most 28 capital letters"},
		"spacer at the start": {func(r *etching.EtchRequest) {
			r.RuneName = "•WOLVESATNIGHTAGAIN"
		}, "runeName must be at most 28 capital letters"},
		"two spacers": {func(r *etching.EtchRequest) {
			r.RuneName = "WOLVES••ATNIGHTAGAIN"
		}, "runeName must be at most 28 capital letters"},
		"29 letters": {func(r *etching.EtchRequest) {
			r.RuneName = strings.Repeat("A", 29)
		}, "runeName must be at most 28 capital letters"},
		"endless": {func(r *etching.EtchRequest) {
			r.RuneName = strings.Repeat("A", 10_000)
		}, "runeName must be at most 28 capital letters"},
		"beyond 128 bits": {func(r *etching.EtchRequest) {
			r.RuneName = strings.Repeat("Z", 28)
		}, "runeName must be at most 28 capital letters"},
		"reserved": {func(r *etching.EtchRequest) {
			r.RuneName = strings.Repeat("A", 27)
		}, "is reserved for runes"},
		"too short for now": {func(r *etching.EtchRequest) {
			r.RuneName = "WOLF"
		}, "isn't available yet. In block"},
		"taken": {func(r *etching.EtchRequest) { r.RuneName = name }, "is already taken by rune"},
		"taken, other spacers": {func(r *etching.EtchRequest) {
			r.RuneName = strings.ReplaceAll(name, "•", "")
		}, "is already taken by rune"},
		"divisibility 39": {func(r *etching.EtchRequest) {
			r.Divisibility = 39
		}, "divisibility must be between 0 and 38."},
		"divisibility -1": {func(r *etching.EtchRequest) {
			r.Divisibility = -1
		}, "divisibility must be between 0 and 38."},
		"two symbols":      {func(r *etching.EtchRequest) { r.Symbol = "ab" }, "symbol must be a single character."},
		"a broken symbol":  {func(r *etching.EtchRequest) { r.Symbol = "\xff" }, "symbol must be a single character."},
		"a control symbol": {func(r *etching.EtchRequest) { r.Symbol = "\n" }, "symbol must be a single character."},
		"negative premine": {func(r *etching.EtchRequest) {
			r.Premine = "-5"
		}, "premine must be a whole number below 2^128"},
		"fraction of premine": {func(r *etching.EtchRequest) {
			r.Premine = "1.5"
		}, "premine must be a whole number below 2^128"},
		"premine of 2^128": {func(r *etching.EtchRequest) {
			r.Premine = "340282366920938463463374607431768211456"
		}, "premine must be a whole number below 2^128"},
		"huge premine": {func(r *etching.EtchRequest) {
			r.Premine = huge
		}, "premine must be a whole number below 2^128"},
		"supply overflow": {func(r *etching.EtchRequest) { r.Premine = most }, "must be below 2^128"},
		"cap overflow": {func(r *etching.EtchRequest) {
			r.Terms.Amount, r.Terms.Cap = most, "2"
		}, "must be below 2^128"},
		"no terms":        {func(r *etching.EtchRequest) { r.Terms = nil }, "needs terms with an amount and a cap"},
		"no amount":       {func(r *etching.EtchRequest) { r.Terms.Amount = "" }, "needs terms with an amount and a cap"},
		"no cap":          {func(r *etching.EtchRequest) { r.Terms.Cap = "" }, "needs terms with an amount and a cap"},
		"amount 0":        {func(r *etching.EtchRequest) { r.Terms.Amount = "0" }, "terms.amount must be greater than 0."},
		"cap 0":           {func(r *etching.EtchRequest) { r.Terms.Cap = "0" }, "terms.cap must be greater than 0."},
		"cap with a sign": {func(r *etching.EtchRequest) { r.Terms.Cap = "+5" }, "terms.cap must be a whole number"},
		"terms unwanted":  {func(r *etching.EtchRequest) { r.IsMintable = false }, "isMintable is false"},
		"no supply": {func(r *etching.EtchRequest) {
			r.IsMintable, r.Terms, r.Premine = false, nil, "0"
		}, "The supply would be 0"},
		"heights turned": {func(r *etching.EtchRequest) {
			r.Terms.HeightStart, r.Terms.HeightEnd = "900", "900"
		}, "terms.heightEnd must be greater than terms.heightStart."},
		"offsets turned": {func(r *etching.EtchRequest) {
			r.Terms.OffsetStart, r.Terms.OffsetEnd = "9", "8"
		}, "terms.offsetEnd must be greater than terms.offsetStart."},
		"height in the past": {func(r *etching.EtchRequest) {
			r.Terms.HeightEnd = "3"
		}, "terms.heightEnd must be greater than"},
		"start in the past": {func(r *etching.EtchRequest) {
			r.Terms.HeightStart = "3"
		}, "terms.heightStart must be greater than"},
		"height of 2^64": {func(r *etching.EtchRequest) {
			r.Terms.HeightEnd = "18446744073709551616"
		}, "terms.heightEnd must be a whole number below 2^64"},
		"offset of words": {func(r *etching.EtchRequest) {
			r.Terms.OffsetEnd = "soon"
		}, "terms.offsetEnd must be a whole number below 2^64"},
		"a long runestone": {func(r *etching.EtchRequest) {
			r.Terms.HeightStart, r.Terms.HeightEnd = "18446744073709551613", "18446744073709551614"
			r.Terms.OffsetStart, r.Terms.OffsetEnd = "18446744073709551613", "18446744073709551614"
			r.RuneName, r.Premine = strings.Repeat("Y", 26), "99999999999999999999999999999999999999"
		}, "bytes, but nodes relay at most 83"},
		"no destination":       {func(r *etching.EtchRequest) { r.Destination = "" }, "Invalid address"},
		"a broken destination": {func(r *etching.EtchRequest) { r.Destination += "q" }, "Invalid address"},
		"mainnet destination": {func(r *etching.EtchRequest) {
			r.Destination = mainnet
		}, "belongs to another Bitcoin network. This server uses regtest."},
		"no refund": {func(r *etching.EtchRequest) { r.Common.Refund = "" }, "Invalid address"},
		"mainnet refund": {func(r *etching.EtchRequest) {
			r.Common.Refund = mainnet
		}, "belongs to another Bitcoin network"},
		"fee rate 0": {func(r *etching.EtchRequest) {
			r.FeeRate = 0
		}, "feeRate must be between 1 and 1000 sat/vB."},
		"negative fee rate": {func(r *etching.EtchRequest) {
			r.FeeRate = -1
		}, "feeRate must be between 1 and 1000 sat/vB."},
		"huge fee rate": {func(r *etching.EtchRequest) {
			r.FeeRate = 1e300
		}, "feeRate must be between 1 and 1000 sat/vB."},
		"no number as fee rate": {func(r *etching.EtchRequest) {
			r.FeeRate = math.NaN()
		}, "feeRate must be between 1 and 1000 sat/vB."},
		"negative app fee": {func(r *etching.EtchRequest) { r.AppFee = -1 }, "appServiceFee must be between 0 and"},
		"huge app fee": {func(r *etching.EtchRequest) {
			r.AppFee = math.MaxInt64
		}, "appServiceFee must be between 0 and"},
		"app fee to nobody": {func(r *etching.EtchRequest) {
			r.AppFee = 1000
		}, "appServiceFee needs an appServiceFeeAddress."},
		"app fee of dust": {func(r *etching.EtchRequest) {
			r.AppFee, r.AppFeeTo = 200, w.Bert.Payment.Text
		}, "appServiceFee must be 0 or at least 294 sats"},
		"app fee to mainnet": {func(r *etching.EtchRequest) {
			r.AppFee, r.AppFeeTo = 2000, mainnet
		}, "belongs to another Bitcoin network"},
		"another network": {func(r *etching.EtchRequest) {
			r.Network = "Mainnet"
		}, "This server etches and mints on regtest, not on Mainnet."},
		"both inscriptions": {func(r *etching.EtchRequest) {
			r.Inscribes, r.Delegate = true, strings.Repeat("a", 64)+"i0"
		}, "not both"},
		"no content type": {func(r *etching.EtchRequest) {
			r.Inscribes, r.Content = true, "aGk="
		}, "contentType must be a media type"},
		"no media type": {func(r *etching.EtchRequest) {
			r.Inscribes, r.ContentType, r.Content = true, "picture", "aGk="
		}, "contentType must be a media type"},
		"no base64": {func(r *etching.EtchRequest) {
			r.Inscribes, r.ContentType, r.Content = true, "text/plain", "a b"
		}, "contentBase64 must be base64"},
		"no content": {func(r *etching.EtchRequest) {
			r.Inscribes, r.ContentType = true, "text/plain"
		}, "contentBase64 must be base64"},
		"no inscription id": {func(r *etching.EtchRequest) {
			r.Delegate = "abc"
		}, "must be a txid, the letter i, and a number"},
		"an index too large": {func(r *etching.EtchRequest) {
			r.Delegate = strings.Repeat("a", 64) + "i4294967296"
		}, "must be a txid, the letter i, and a number"},
		"a fee beyond the cap": {func(r *etching.EtchRequest) {
			r.FeeRate, r.Inscribes, r.ContentType, r.Content = 1000, true, "text/plain", strings.Repeat("YWFh", 12_000)
		}, "in fees. The limit is 5000000."},
	} {
		r := w.etchRequest()
		r.RuneName = "WOLVES•AT•DAWN•AND•DUSK"
		row.spoil(r)
		_, err := w.Etching.Create(t.Context(), etching.Request{Etch: r})
		if err == nil || fault.From(err).Kind != fault.Invalid || !strings.Contains(err.Error(), row.want) {
			t.Errorf("%s: got %v, want %q", what, err, row.want)
		}
		r.WithoutMoney = true
		if _, estimated := w.Etching.Estimate(t.Context(),
			etching.Request{Etch: r}); (estimated == nil) != strings.Contains(what, "refund") {
			t.Errorf("%s: Estimate: got %v", what, estimated)
		}
	}
	if n := w.Rows(`SELECT COUNT(*) AS n FROM rune_order`); n != "n=1 \n" {
		t.Errorf("orders: got %s, want 1", n)
	}
}

func TestMintRequests(t *testing.T) {
	w := newWorld(t)
	w.open("5")
	closed := w.etchRequest()
	closed.RuneName, closed.IsMintable, closed.Terms = "CLOSED•WOLVES•AT•NIGHT", false, nil
	o := w.create(etching.Request{Etch: closed})
	w.pay(o, o.FundAmount)
	w.settle(o, etching.Complete)
	later := w.etchRequest()
	later.RuneName, later.Terms.OffsetStart = "LATER•WOLVES•AT•NIGHT", "1000"
	o = w.create(etching.Request{Etch: later})
	w.pay(o, o.FundAmount)
	w.settle(o, etching.Complete)
	for what, row := range map[string]struct {
		spoil func(*etching.MintRequest)
		want  string
	}{
		"no name": {func(r *etching.MintRequest) { r.RuneName = "" }, "runeName must be at most 28 capital letters"},
		"unknown": {func(r *etching.MintRequest) {
			r.RuneName = "NOBODY•EVER•ETCHED•ME"
		}, "There is no rune named NOBODY•EVER•ETCHED•ME."},
		"no terms": {func(r *etching.MintRequest) {
			r.RuneName = "CLOSEDWOLVESATNIGHT"
		}, "CLOSED•WOLVES•AT•NIGHT has no open mint."},
		"not begun": {func(r *etching.MintRequest) {
			r.RuneName = "LATERWOLVESATNIGHT"
		}, "hasn't started yet. (the mint has not begun"},
		"no mints":       {func(r *etching.MintRequest) { r.Repeats = 0 }, "repeats must be between 1 and 24."},
		"negative mints": {func(r *etching.MintRequest) { r.Repeats = -3 }, "repeats must be between 1 and 24."},
		"too many mints": {func(r *etching.MintRequest) { r.Repeats = 25 }, "repeats must be between 1 and 24."},
		"endless mints":  {func(r *etching.MintRequest) { r.Repeats = math.MaxInt64 }, "repeats must be between 1 and 24."},
		"over the cap":   {func(r *etching.MintRequest) { r.Repeats = 6 }, "Only 5 mints of " + name + " are left."},
		"another network": {func(r *etching.MintRequest) {
			r.Network = "testnet4"
		}, "This server etches and mints on regtest"},
		"no destination": {func(r *etching.MintRequest) { r.Destination = "nowhere" }, "Invalid address"},
		"no fee rate":    {func(r *etching.MintRequest) { r.FeeRate = 0.5 }, "feeRate must be between 1 and 1000 sat/vB."},
	} {
		r := w.mintRequest(2)
		row.spoil(r)
		_, err := w.Etching.Create(t.Context(), etching.Request{Mint: r})
		if err == nil || fault.From(err).Kind != fault.Invalid || !strings.Contains(err.Error(), row.want) {
			t.Errorf("%s: %v, want %q", what, err, row.want)
		}
	}
}

func TestExecuteRefused(t *testing.T) {
	w := newWorld(t)
	o := w.etch()
	execute := func(kind etching.Kind, id, txid string) error {
		_, err := w.Etching.Execute(t.Context(), kind, id, txid)
		return err
	}
	refused(t, execute(etching.Etch, o.ID, "nope"), "A transaction ID has 64 hex digits.")
	refused(t, execute(etching.Etch, o.ID, strings.Repeat("zz", 32)), "A transaction ID has 64 hex digits.")
	unknown := strings.Repeat("ab", 32)
	refused(t, execute(etching.Etch, "nope", unknown), "There is no such etch or mint order.")
	refused(t, execute(etching.Mint, o.ID, unknown), "There is no such etch or mint order.")
	err := execute(etching.Etch, o.ID, unknown)
	refused(t, err, "We haven't seen this transaction yet")
	if fault.From(err).Kind != fault.Unavailable {
		t.Errorf("kind for a transaction that was not seen yet: got %v, want Unavailable", fault.From(err).Kind)
	}
	refused(t, execute(etching.Etch, o.ID, w.Node.Grant(w.Anna.Sats().Out).ID.String()),
		"doesn't pay to this order's address")
	little := w.pay(o, 1000)
	refused(t, execute(etching.Etch, o.ID, little.ID.String()), "We received 1000 of ")
}

// Of many concurrent calls of Execute with two transactions, one succeeds and the others return an error. The order is
// carried out once.
func TestExecutedByManyAtOnce(t *testing.T) {
	w := newWorld(t)
	o := w.etch()
	paid := []string{w.pay(o, o.FundAmount).ID.String(), w.pay(o, o.FundAmount).ID.String()}
	w.Step()
	var callers sync.WaitGroup
	errs := make([]error, 16)
	for i := range errs {
		callers.Go(func() { _, errs[i] = w.Etching.Execute(t.Context(), etching.Etch, o.ID, paid[i%2]) })
	}
	callers.Wait()
	done := 0
	for _, err := range errs {
		if err == nil {
			done++
			continue
		}
		refused(t, err, "This order was already carried out in transaction ")
		if fault.From(err).Kind != fault.Invalid {
			t.Errorf("kind: got %v, want Invalid", fault.From(err).Kind)
		}
	}
	if done != 1 {
		t.Errorf("%d calls of Execute succeeded, want 1", done)
	}
	p := w.settle(o, etching.Complete)
	if len(p.Txs) != 4 {
		t.Errorf("transactions: %v", ids(p.Txs))
	}
}
