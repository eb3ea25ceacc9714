package vault

import (
	"strings"
	"testing"

	"github.com/btcsuite/btcd/txscript/v2"
	"lukechampine.com/uint128"

	"moonfund/internal/bitcoin/runes"
)

func etchOrder(t *testing.T, spaced string, inscription *Inscription) RuneOrder {
	t.Helper()
	name, err := runes.ParseSpacedName(spaced)
	if err != nil {
		t.Fatal(err)
	}
	to := "bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080"
	return RuneOrder{
		ID: strings.Repeat("0a", 16), Destination: to, Refund: to,
		Etch: &RuneEtch{Etching: runes.Etching{Name: &name.Name, Premine: new(uint128.From64(5))}, Inscription: inscription},
	}
}

// TestOrderAddressesArePinned checks that the addresses of orders do not change, because customers may still pay to
// them. The addresses depend on every byte of the JSON encoding of an order.
func TestOrderAddressesArePinned(t *testing.T) {
	account := newCustody(t).Account
	etch := etchOrder(t, "WOLVES•AT•NIGHT", &Inscription{ContentType: "text/plain", Body: []byte("hi")})
	mint := etch
	mint.Etch, mint.Mint = nil, &RuneMint{Rune: runes.ID{Block: 5, Tx: 1}, Repeats: 3}
	mint.AppFee, mint.AppFeeTo = 700, mint.Refund
	for _, row := range []struct {
		order   RuneOrder
		address string
	}{
		{etch, "bcrt1p9guef3qdjl0zrskd6ctpnuwllu4hqqhn5j7r2heh79zg6kkkjffs4vcw3w"},
		{mint, "bcrt1pttlrgmd4yhzrheu7jgceul9wd5m9lll8th8udq9h54da9a7nqzfs5e9lqn"},
	} {
		plan, err := account.PlanOrder(row.order)
		if err != nil {
			t.Fatal(err)
		}
		if plan.Fund.Text != row.address {
			t.Errorf("the address is %s, want %s", plan.Fund.Text, row.address)
		}
	}
}

// TestRevealShowsTheCommitment checks that the leaf script pushes the commitment to the name as the rune index
// requires, with and without an inscription.
func TestRevealShowsTheCommitment(t *testing.T) {
	account := newCustody(t).Account
	for _, spaced := range []string{"A", "Z", "BA", "WOLVESATNIGHT", strings.Repeat("Y", 26)} {
		for _, inscription := range []*Inscription{
			nil, {ContentType: "image/png", Body: make([]byte, 1100)}, {Delegate: strings.Repeat("ab", 32) + "i300"},
		} {
			plan, err := account.PlanOrder(etchOrder(t, spaced, inscription))
			if err != nil {
				t.Fatal(err)
			}
			want := plan.Order.Etch.Etching.Name.Commitment()
			found := false
			tokens := txscript.MakeScriptTokenizer(0, plan.Leaf.Script)
			for tokens.Next() {
				found = found || tokens.Opcode() <= txscript.OP_PUSHDATA4 && string(tokens.Data()) == string(want)
			}
			if !found || tokens.Err() != nil {
				t.Errorf("%s: no push of %x in %x (%v)", spaced, want, plan.Leaf.Script, tokens.Err())
			}
		}
	}
}

func TestPlanOrderRefuses(t *testing.T) {
	account := newCustody(t).Account
	good := etchOrder(t, "WOLVESATNIGHT", nil)
	for name, spoil := range map[string]func(*RuneOrder){
		"a short id":         func(o *RuneOrder) { o.ID = "1" },
		"neither":            func(o *RuneOrder) { o.Etch = nil },
		"both":               func(o *RuneOrder) { o.Mint = &RuneMint{Rune: runes.ID{Block: 1}, Repeats: 1} },
		"no mint":            func(o *RuneOrder) { o.Etch, o.Mint = nil, &RuneMint{Rune: runes.ID{Block: 1}} },
		"no name":            func(o *RuneOrder) { o.Etch = &RuneEtch{} },
		"no destination":     func(o *RuneOrder) { o.Destination = "" },
		"mainnet refund":     func(o *RuneOrder) { o.Refund = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4" },
		"a fee to nobody":    func(o *RuneOrder) { o.AppFee = 5 },
		"a negative fee":     func(o *RuneOrder) { o.ServiceFee = -5 },
		"a broken delegate":  func(o *RuneOrder) { o.Etch.Inscription = &Inscription{Delegate: "i0"} },
		"too much to divide": func(o *RuneOrder) { o.Etch.Etching.Divisibility = new(uint8(39)) },
	} {
		order := good
		etch := *good.Etch
		order.Etch = &etch
		spoil(&order)
		if _, err := account.PlanOrder(order); err == nil {
			t.Errorf("%s: PlanOrder succeeded, want an error", name)
		}
	}
}
