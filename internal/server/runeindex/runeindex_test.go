package runeindex

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/runes"
	"moonfund/internal/staking/community"
	"moonfund/internal/staking/etching"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/testkit"
)

// TestIndexAgrees checks that a database must have the chosen index with the chosen communities, and that the error
// otherwise contains the remedy.
func TestIndexAgrees(t *testing.T) {
	lobo, wolf := community.Manifest{Prefix: "lobo"}, community.Manifest{Prefix: "wolf"}
	lobo.Rune.ID, wolf.Rune.ID = "840000:1", "840000:2"
	followed := []runes.ID{{Block: 840_000, Tx: 1}, {Block: 840_001, Tx: 9}}
	for name, c := range map[string]struct {
		asked     string
		kept      []runes.ID
		manifests []community.Manifest
		remedy    Remedy
		want      []string // contained in the error; none: the index agrees
	}{
		"every rune": {"full", nil, []community.Manifest{lobo, wolf}, RebuildLedger, nil},
		"its rune":   {"followed", followed, []community.Manifest{lobo}, RebuildLedger, nil},
		"another rune": {"followed", followed, []community.Manifest{lobo, wolf}, RebuildLedger,
			[]string{"community wolf", "840000:2", "moonfund rebuild --from-chain --index followed"}},
		"it was full": {"followed", nil, []community.Manifest{lobo}, RebuildLedger, []string{"created with --index full",
			"start with --index full", "rebuild --from-chain --index followed"}},
		"it was not full": {"full", followed, []community.Manifest{lobo}, RebuildLedger,
			[]string{"created with --index followed", "rebuild --from-chain --index full"}},
		"the signer's": {"full", followed, []community.Manifest{lobo}, DeleteIndex, []string{"delete index.db"}},
		"the signer's, more": {"followed", followed, []community.Manifest{wolf}, DeleteIndex,
			[]string{"community wolf", "delete index.db"}},
		"a bad id": {"followed", followed, []community.Manifest{{Prefix: "none"}}, RebuildLedger, []string{"community none"}},
	} {
		err := Choice{Index: c.asked, Communities: c.manifests}.check(c.kept, c.remedy)
		if (err == nil) != (c.want == nil) {
			t.Errorf("%s: got error %v", name, err)
			continue
		}
		for _, want := range c.want {
			if !strings.Contains(strings.ToLower(err.Error()), strings.ToLower(want)) {
				t.Errorf("%s: error %q does not contain %q", name, err, want)
			}
		}
	}
}

// TestCreditedMustBeProvable checks that every output that counts by the full index must be provable before an index of
// some runes replaces it. A deposit whose origin is too far back prevents the replacement.
func TestCreditedMustBeProvable(t *testing.T) {
	w := testkit.NewWorld(t)
	w.Staked(w.Bert, 5000)
	prove := func() error {
		return CheckNarrower(t.Context(), w.Store, w.Node, runes.RulesFor(w.Network).Only(testkit.Rune))
	}
	testkit.Must(t, prove())
	coin := w.Anna.Sats()
	for range runes.ProvenanceLimit + 1 {
		tx := w.SpendToSelf(w.Anna, 200, coin)
		w.Node.MineOnly(tx)
		coin = testkit.Coin{OutPoint: wire.OutPoint{Hash: tx.ID}, Out: tx.Msg.TxOut[0]}
	}
	_, script := w.StakeAddress(w.Anna, 5000)
	held := w.Anna.Runes()
	// all runes go to the first output
	whole := w.Send(w.Anna.Spend([]testkit.Coin{held, coin}, wire.NewTxOut(546, script)))
	w.Settle(1)
	w.WantStage(wire.OutPoint{Hash: whole.ID}.String(), ledger.PendingStake)
	if err := prove(); err == nil || !strings.Contains(err.Error(), "keep the full index") ||
		!strings.Contains(err.Error(), whole.ID.String()) {
		t.Errorf("got error %v", err)
	}
}

// TestOpenRuneOrdersStandInTheWay checks that an index of some runes replaces the full index only after all mint and
// etch orders are closed, because it could not complete them.
func TestOpenRuneOrdersStandInTheWay(t *testing.T) {
	w := testkit.NewWorld(t)
	w.Etch()
	followed := runes.RulesFor(w.Network).Only(testkit.Rune)
	testkit.Must(t, CheckNarrower(t.Context(), w.Store, w.Node, followed))
	o, err := w.Etching.Create(t.Context(), etching.Request{Etch: &etching.EtchRequest{
		Common: etching.Common{RuneName: "WOLVES•HOWL•AT•NIGHT", Destination: w.Anna.Ordinals.Text,
			Refund: w.Anna.Payment.Text, FeeRate: 3},
		Premine: "1000",
	}})
	testkit.Must(t, err)
	err = CheckNarrower(t.Context(), w.Store, w.Node, followed)
	if err == nil || !strings.Contains(err.Error(), "1 mint and etch orders are open") ||
		!strings.Contains(err.Error(), "wait until they are closed") {
		t.Errorf("got error %v", err)
	}
	w.Clock.Advance(o.Deadline.Sub(w.Clock.Now()) + time.Second)
	w.Step()
	testkit.Must(t, CheckNarrower(t.Context(), w.Store, w.Node, followed))
}

// TestWantedRunes checks that an index of some runes begins a day of blocks before the first etching. A block whose
// time is unknown can't be the start, and a rune that no block etches can't be followed.
func TestWantedRunes(t *testing.T) {
	clock := testkit.NewClock(testkit.Genesis)
	node := testkit.NewNode(clock)
	etch := func() (id string, at time.Time) {
		stone, err := runes.Runestone{Etching: &runes.Etching{}}.Script()
		testkit.Must(t, err)
		node.Grant(wire.NewTxOut(0, stone))
		_, height, err := node.Best(t.Context())
		testkit.Must(t, err)
		hash, err := node.BlockHash(t.Context(), height)
		testkit.Must(t, err)
		block, err := node.Block(t.Context(), hash, height)
		testkit.Must(t, err)
		return fmt.Sprintf("%d:1", height), block.Time
	}
	early, _ := etch() // an index from the first block on has the time of every block
	for range 150 {
		clock.Advance(time.Minute)
		node.Mine()
	}
	late, at := etch()
	network, err := chain.NetworkByName("regtest")
	testkit.Must(t, err)
	for name, c := range map[string]struct {
		id      string
		genesis time.Time
		want    string // contained in the error; "": it is accepted
	}{
		"a genesis before the etching":      {late, at.Add(-time.Second), "community lobo: its genesis"},
		"a genesis with the etching":        {late, at, ""},
		"a genesis after the etching":       {late, at.Add(time.Hour), ""},
		"no genesis yet":                    {late, time.Time{}, ""},
		"an index that begins at block 1":   {early, at.Add(-1000 * time.Hour), ""},
		"a rune of a block to come":         {"9999:1", at, "rune.id 9999:1: it is not etched yet, the chain ends at block"},
		"a transaction that is not there":   {"2:7", at, "rune.id 2:7: block 2 has only"},
		"a transaction that etches no rune": {"2:0", at, "etches no rune"},
		"what is no id":                     {"840000", at, "community lobo: rune.id"},
	} {
		m := community.Manifest{Prefix: "lobo", Genesis: c.genesis}
		m.Rune.ID = c.id
		ids, err := Choice{Followed, network, []community.Manifest{m}, node}.wanted(t.Context())
		if c.want == "" && (err != nil || len(ids) != 1 || ids[0].String() != c.id) {
			t.Errorf("%s: got %v, error %v", name, ids, err)
		}
		if c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}
