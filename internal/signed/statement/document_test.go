package statement_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/btcsuite/btcd/btcec/v2"
	"github.com/gowebpki/jcs"
	"pgregory.net/rapid"

	"moonfund/internal/amount"
	"moonfund/internal/signed/statement"
)

// document returns a valid document of an epoch without owners.
func document() statement.Document {
	block := strings.Repeat("ab", 32)
	d := statement.Document{
		Format: statement.Format, Network: "regtest", Community: "lobo", Rune: "840000:35", Epoch: 7, Start: 100, End: 200,
		Cut:    statement.Block{Hash: block, Height: 10},
		AsOf:   statement.Snapshot{Hash: block, Height: 17, Time: 201},
		Budget: statement.Budget{Source: statement.SourcePlanned}, Liabilities: liabilities(statement.Sum{}),
	}
	must(d.Complete(statement.Details{
		Format: statement.DetailsFormat, Network: d.Network, Community: d.Community, Epoch: d.Epoch,
	}))
	return d
}

// full returns a document with an entry in every list.
func full(t interface{ Fatal(...any) }) statement.Document {
	n := func(n int64) statement.Sum { return must(statement.SumOf(amount.Runes(n))) }
	d, _ := documentOf(t, []statement.Leaf{
		{Owner: "bcrt1pa", Stake: n(60), Reward: n(6), Owed: n(66)},
		{Owner: "bcrt1pb", Stake: n(40), Reward: n(4), Owed: n(44)},
	})
	txid := strings.Repeat("00", 32)
	d.Reserves = []statement.Reserve{
		{
			CustodyKind: statement.CustodySelf, Kind: statement.ReserveStake, Outpoint: txid + ":10", Runes: n(60),
			Sats: n(546), Script: "5120",
		},
		{Kind: statement.ReserveSats, Outpoint: txid + ":2", Sats: n(546), Script: "5120"},
	}
	d.Incidents = []statement.Incident{
		{Time: 150, Kind: "pause", Detail: `payouts: "<b>" & \ /`}, {Time: 151, Kind: "resume"},
	}
	return d
}

// The canonical form equals the output of a library for RFC 8785.
func TestCanonicalForm(t *testing.T) {
	compare := func(t interface{ Fatal(...any) }, text []byte) {
		want, err := jcs.Transform(text)
		if err != nil || !bytes.Equal(want, text) {
			t.Fatal(fmt.Sprintf("got %s, want %s, %v", text, want, err))
		}
	}
	d := full(t)
	compare(t, must(d.Encode()))
	compare(t, must(must(statement.Sign(d, key(1))).Encode()))
	rapid.Check(t, func(t *rapid.T) {
		d, tree := documentOf(t, drawLeaves(t))
		d.Incidents = []statement.Incident{{Kind: "x", Detail: rapid.StringMatching(`[ -~]{0,50}`).Draw(t, "detail")}}
		compare(t, must(d.Encode()))
		details := statement.Details{
			Format: statement.DetailsFormat, Network: d.Network, Community: d.Community, Epoch: d.Epoch, Owners: tree.Leaves(),
			Inputs: []statement.Input{{Unit: strings.Repeat("00", 32) + ":0", Owner: "o", Amount: sum(t, "1")}},
		}
		compare(t, must(details.Encode()))
		if again := must(statement.ParseDetails(must(details.Encode()))); fmt.Sprint(again) != fmt.Sprint(details) &&
			tree.Count() > 0 {
			t.Fatalf("details: got %v, want %v", again, details)
		}
		if p, ok := statement.ProofOf(tree, must(d.ID()), "a"); ok {
			compare(t, must(p.Encode()))
		}
	})
}

func key(n byte) *btcec.PrivateKey {
	private, _ := btcec.PrivKeyFromBytes(bytes.Repeat([]byte{n}, 32))
	return private
}

func TestSignedStatement(t *testing.T) {
	d := full(t)
	signed := must(statement.Sign(d, key(1)))
	again := must(statement.Sign(d, key(1)))
	if signed.Signature != again.Signature {
		t.Error("the same document has two signatures")
	}
	text := must(signed.Encode())
	parsed := must(statement.ParseSigned(text))
	if err := parsed.Verify(statement.KeyOf(key(1).PubKey())); err != nil {
		t.Error(err)
	}
	if err := parsed.Verify(statement.KeyOf(key(2).PubKey())); err == nil {
		t.Error("another key is accepted")
	}
	if _, err := statement.Parse(must(d.Encode())); err != nil {
		t.Error(err)
	}
}

// The same statement in another form is refused.
func TestOtherFormsAreRefused(t *testing.T) {
	text := string(must(must(statement.Sign(full(t), key(1))).Encode()))
	must(statement.ParseSigned([]byte(text)))
	for _, form := range []string{
		" " + text, text + "\n", text + "{}", strings.Replace(text, `"cut":{`, `"cut":{"height":1,`, 1),
		strings.Replace(text, `,"end"`, `, "end"`, 1), strings.Replace(text, `"lobo"`, `"\u006cobo"`, 1),
	} {
		if _, err := statement.ParseSigned([]byte(form)); err == nil {
			t.Errorf("%.60q is accepted", form)
		}
	}
}

func TestInvalidDocuments(t *testing.T) {
	one := must(statement.SumOf(amount.Runes(1)))
	for name, change := range map[string]func(d *statement.Document){
		"format":         func(d *statement.Document) { d.Format = "moonfund/statement/2" },
		"community":      func(d *statement.Document) { d.Community = "Lobo" },
		"rune":           func(d *statement.Document) { d.Rune = "LOBO" },
		"sequence":       func(d *statement.Document) { d.Sequence = 1 },
		"epoch":          func(d *statement.Document) { d.Epoch = -1 },
		"large":          func(d *statement.Document) { d.Epoch = 1 << 53 },
		"times":          func(d *statement.Document) { d.End = d.Start },
		"cut":            func(d *statement.Document) { d.Cut.Hash = "" },
		"as of":          func(d *statement.Document) { d.AsOf.Height = d.Cut.Height - 1 },
		"source":         func(d *statement.Document) { d.Budget.Source = "" },
		"liabilities":    func(d *statement.Document) { d.Liabilities[0].Runes = one },
		"liability kind": func(d *statement.Document) { d.Liabilities = append(d.Liabilities, d.Liabilities[0]) },
		"reserves":       func(d *statement.Document) { d.Reserves = append(d.Reserves, d.Reserves[0]) },
		"script":         func(d *statement.Document) { d.Reserves[0].Script = "f" },
		"custody":        func(d *statement.Document) { d.Reserves[0].CustodyKind = "" },
		"custody kind":   func(d *statement.Document) { d.Reserves[0].CustodyKind = "Self" },
		"custodian":      func(d *statement.Document) { d.Reserves[1].CustodyKind = statement.CustodyOperator },
		"incidents":      func(d *statement.Document) { d.Incidents[1].Time = 0 },
		"detail":         func(d *statement.Document) { d.Incidents[0].Detail = "\u2028" },
		"budget":         func(d *statement.Document) { d.Budget.Amount = one },
		"rewards":        func(d *statement.Document) { d.Rewards.Total = one },
		"reward count":   func(d *statement.Document) { d.Rewards.Count = 3 },
	} {
		d := full(t)
		change(&d)
		if err := d.Check(); err == nil {
			t.Errorf("a document with another %s is valid", name)
		}
	}
}

func TestChain(t *testing.T) {
	first := full(t)
	if err := first.Follows(-1, statement.Hash{}); err != nil {
		t.Error(err)
	}
	next := full(t)
	next.Sequence, next.Previous = 1, must(first.ID())
	if err := next.Follows(0, must(first.ID())); err != nil {
		t.Error(err)
	}
	for name, d := range map[string]statement.Document{"a gap": next, "the same again": first} {
		if err := d.Follows(1, must(next.ID())); err == nil {
			t.Errorf("%s continues the chain", name)
		}
	}
	if err := next.Follows(0, must(next.ID())); err == nil {
		t.Error("a fork continues the chain")
	}
}
