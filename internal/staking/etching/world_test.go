package etching_test

import (
	"log/slog"
	"strings"
	"testing"

	"github.com/btcsuite/btcd/btcec/v2"
	"github.com/btcsuite/btcd/txscript/v2"
	"github.com/btcsuite/btcd/wire/v2"
	"lukechampine.com/uint128"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/runes"
	"moonfund/internal/staking/etching"
	"moonfund/internal/store"
	"moonfund/internal/testkit"
)

// world is a testkit.World with the mint and etch service.
type world struct{ *testkit.World }

func newWorld(t *testing.T) *world {
	w := &world{testkit.NewWorld(t)}
	w.Etch()
	w.Etching.Log = slog.New(rows{})
	return w
}

// Restart restarts the server with the same database.
func (w *world) Restart() {
	w.World.Restart()
	w.Etching.Log = slog.New(rows{})
}

const name = "WOLVES•HOWL•AT•NIGHT"

func (w *world) common() etching.Common {
	return etching.Common{
		RuneName: name, Destination: w.Anna.Ordinals.Text, Refund: w.Anna.Payment.Text, FeeRate: 3,
	}
}

func (w *world) etchRequest() *etching.EtchRequest {
	return &etching.EtchRequest{
		Common: w.common(), Divisibility: 2, Symbol: "🐺", Premine: "1000", IsMintable: true,
		Terms: &etching.TermsRequest{Amount: "50", Cap: "100"},
	}
}

func (w *world) mintRequest(repeats int64) *etching.MintRequest {
	return &etching.MintRequest{Common: w.common(), Repeats: repeats}
}

func (w *world) create(r etching.Request) etching.Order {
	w.Helper()
	o, err := w.Etching.Create(w.Context(), r)
	testkit.Must(w, err)
	return o
}

func (w *world) etch() etching.Order { return w.create(etching.Request{Etch: w.etchRequest()}) }

func (w *world) mint(repeats int64) etching.Order {
	return w.create(etching.Request{Mint: w.mintRequest(repeats)})
}

// pay sends sats to an order's address, from Anna.
func (w *world) pay(o etching.Order, sats amount.Sats) chain.Tx {
	w.Helper()
	coin := w.Anna.Sats()
	change := coin.Out.Value - int64(sats) - 1000
	tx := w.Anna.Spend([]testkit.Coin{coin}, wire.NewTxOut(int64(sats), o.Script),
		wire.NewTxOut(change, w.Anna.Payment.Script))
	testkit.Must(w, w.Node.Broadcast(w.Context(), tx.Bytes()))
	return tx
}

func (w *world) progress(o etching.Order) etching.Progress {
	w.Helper()
	p, err := w.Etching.Progress(w.Context(), o.ID)
	testkit.Must(w, err)
	return p
}

func (w *world) want(o etching.Order, state etching.State) etching.Progress {
	w.Helper()
	p := w.progress(o)
	if p.State != state {
		w.Fatalf("state: got %s (%s), want %s", p.State, p.Reason, state)
	}
	return p
}

// settle mines at most 20 blocks until an order is in a state.
func (w *world) settle(o etching.Order, state etching.State) etching.Progress {
	w.Helper()
	for range 20 {
		if w.progress(o).State == state {
			break
		}
		w.Settle(1)
	}
	return w.want(o, state)
}

func (w *world) entry(spaced string) (entry runes.Entry, found bool) {
	w.Helper()
	parsed, err := runes.ParseSpacedName(spaced)
	testkit.Must(w, err)
	w.Update(func(tx *store.Tx) (err error) {
		entry, found, err = tx.Runes(w.Context()).RuneEntryByName(parsed.Name)
		return err
	})
	return entry, found
}

func (w *world) balances(out wire.OutPoint) (held []runes.Balance) {
	w.Helper()
	w.Update(func(tx *store.Tx) (err error) {
		held, err = runes.BalancesOf(tx.Runes(w.Context()), out)
		return err
	})
	return held
}

// role returns the newest transaction of an order with a role.
func (w *world) role(p etching.Progress, role etching.Role) etching.Tx {
	w.Helper()
	for i := range p.Txs {
		if t := p.Txs[len(p.Txs)-1-i]; t.Role == role {
			return t
		}
	}
	w.Fatalf("the order has no %s transaction", role)
	return etching.Tx{}
}

// holds checks the amount of one rune on an output.
func (w *world) holds(out wire.OutPoint, id runes.ID, n uint64) {
	w.Helper()
	held := w.balances(out)
	if len(held) != 1 || held[0].ID != id || held[0].Amount != uint128.From64(n) {
		w.Errorf("runes on %s: got %v, want %d of %s", out, held, n, id)
	}
}

// refused checks that the error contains the sentence.
func refused(t *testing.T, err error, sentence string) {
	t.Helper()
	if err == nil || !strings.Contains(err.Error(), sentence) {
		t.Errorf("got error %v, want %q", err, sentence)
	}
}

func first(t etching.Tx) wire.OutPoint { return wire.OutPoint{Hash: t.ID} }

// open etches a rune with an open mint of limit mints, and returns its entry.
func (w *world) open(limit string) runes.Entry {
	w.Helper()
	r := w.etchRequest()
	r.Terms.Cap = limit
	o := w.create(etching.Request{Etch: r})
	w.pay(o, o.FundAmount)
	w.settle(o, etching.Complete)
	entry, _ := w.entry(name)
	return entry
}

// foreignMint returns a mint by Bert that is not broadcast.
func (w *world) foreignMint(id runes.ID) chain.Tx {
	w.Helper()
	stone, err := runes.Runestone{Mint: &id}.Script()
	testkit.Must(w, err)
	coin := w.Bert.Sats()
	return w.Bert.Spend([]testkit.Coin{coin}, wire.NewTxOut(coin.Out.Value-2000, w.Bert.Payment.Script),
		wire.NewTxOut(0, stone))
}

// foreign is a competing etching with a confirmed commitment.
type foreign struct {
	commit chain.Tx
	leaf   txscript.TapLeaf
	key    *btcec.PublicKey
	name   runes.Name
}

func (w *world) foreignCommit(spaced string) foreign {
	w.Helper()
	parsed, err := runes.ParseSpacedName(spaced)
	testkit.Must(w, err)
	script, err := txscript.NewScriptBuilder().AddData(parsed.Name.Commitment()).AddOp(txscript.OP_DROP).AddOp(
		txscript.OP_TRUE).Script()
	testkit.Must(w, err)
	_, key := btcec.PrivKeyFromBytes([]byte("somebody else's key of 32 bytes!"))
	leaf := txscript.NewBaseTapLeaf(script)
	root := leaf.TapHash()
	pkScript, err := txscript.PayToTaprootScript(txscript.ComputeTaprootOutputKey(key, root[:]))
	testkit.Must(w, err)
	return foreign{w.Node.Grant(wire.NewTxOut(10_000, pkScript)), leaf, key, parsed.Name}
}

func (w *world) foreignReveal(f foreign) chain.Tx {
	w.Helper()
	stone, err := runes.Runestone{Etching: &runes.Etching{Name: &f.name, Premine: new(uint128.From64(7))}}.Script()
	testkit.Must(w, err)
	tx := wire.NewMsgTx(2)
	tx.AddTxIn(&wire.TxIn{PreviousOutPoint: wire.OutPoint{Hash: f.commit.ID}})
	tx.AddTxOut(wire.NewTxOut(546, w.Bert.Ordinals.Script))
	tx.AddTxOut(wire.NewTxOut(0, stone))
	block := txscript.AssembleTaprootScriptTree(f.leaf).LeafMerkleProofs[0].ToControlBlock(f.key)
	control, err := block.ToBytes()
	testkit.Must(w, err)
	tx.TxIn[0].Witness = wire.TxWitness{f.leaf.Script, control}
	return chain.NewTx(tx)
}

// revealing returns a world whose reveal can be broadcast, with a competing commitment to the same name.
func revealing(t *testing.T) (w *world, theirs foreign, o etching.Order, reveal etching.Tx) {
	t.Helper()
	w = newWorld(t)
	theirs = w.foreignCommit(name)
	o = w.etch()
	w.pay(o, o.FundAmount)
	w.Settle(6)
	return w, theirs, o, w.role(w.want(o, etching.Executing), etching.Reveal)
}

// back checks that the order's funds are on Anna's payment address, minus at most the given fees.
func (w *world) back(p etching.Progress, paid, fees amount.Sats) etching.Tx {
	w.Helper()
	refund := w.role(p, etching.Refund)
	out := refund.Msg.TxOut[0]
	if len(refund.Msg.TxOut) != 1 || string(out.PkScript) != string(w.Anna.Payment.Script) ||
		amount.Sats(out.Value) > paid || amount.Sats(out.Value) < paid-fees {
		w.Errorf("refund: got %d sats to %x, of %d paid", out.Value, out.PkScript, paid)
	}
	return refund
}

func ids(txs []etching.Tx) (list []string) {
	for _, t := range txs {
		list = append(list, string(t.Role)+" "+t.ID.String())
	}
	return list
}
