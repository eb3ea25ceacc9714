package server

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/btcsuite/btcd/wire/v2"
	"lukechampine.com/uint128"

	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/runes"
	"moonfund/internal/staking/etching"
	"moonfund/internal/store"
	"moonfund/internal/testkit/engine"
)

const (
	runeOrderRate = 2      // sat/vB
	largestImage  = 45_000 // bytes of an inscription whose base64 fits in a body of 64 KiB
	mostSpent     = 1400   // payments that a standard transaction can spend
	outputsEach   = 2200   // of a standard transaction
	mostPaying    = 21_000 // transactions with one payment, in as many blocks as manyPayments
)

// runeOrder sends a request to the mint and etch service, and returns the answer and how long it held the writer.
func (a *attacker) runeOrder(path string, fields map[string]any) (answer map[string]any, held time.Duration) {
	_, body := a.post("/orders/"+a.l.Network.Name+"/v1"+path, fields)
	must(a.B, json.Unmarshal(body, &answer))
	return answer, a.held
}

// mint orders mints, pays and names the payment. Then it asks for the price of a higher rate.
func (a *attacker) mint(r request) time.Duration {
	many := uint128.From64(1 << 40)
	name, err := runes.ParseSpacedName("MINTABLEBYANYONE")
	must(a.B, err)
	must(a.B, a.l.Store.Update(a.Context(), func(tx *store.Tx) error {
		return tx.Runes(a.Context()).PutRuneEntry(runes.Entry{ID: runes.ID{Block: 2, Tx: 1}, Name: name.Name, Number: 9,
			Terms: &runes.Terms{Amount: &many, Cap: &many}})
	}))
	return a.runes(r, "mint", map[string]any{"runeName": name.String(), "repeats": etching.MaxRepeats})
}

// etch is like mint, for an etching with the largest inscription.
func (a *attacker) etch(r request) time.Duration {
	return a.runes(r, "etch", map[string]any{
		"runeName": "ETCHEDBYATTACKER", "premine": "1000", "isMintable": false,
		"inscriptionDetails": map[string]any{"contentType": "image/png",
			"contentBase64": base64.StdEncoding.EncodeToString(make([]byte, largestImage))},
	})
}

// runes sends all requests about a mint or etch order, and returns the longest time that one held the writer.
func (a *attacker) runes(r request, kind string, fields map[string]any) time.Duration {
	fields["feeRate"], fields["destinationAddress"] = runeOrderRate, a.wallet.Ordinals.Text
	fields["refundAddress"] = a.wallet.Payment.Text
	placed, held := a.runeOrder("/runes/"+kind+"/orders", fields)
	id := placed["orderId"].(string)
	txid := a.fund(id, r)
	_, executed := a.runeOrder("/runes/"+kind+"/orders/"+id+"/execute", map[string]any{"fundTransactionId": txid})
	a.held = 0
	a.advance()
	a.Logf("the step that signs its transactions held the writer for %s", a.held.Round(time.Microsecond))
	_, quoted := a.runeOrder("/orders/"+id+"/rbf-estimate", map[string]any{"newFeeRate": 2 * runeOrderRate})
	a.l.exec(a.B, `DELETE FROM rune_order_output`, `DELETE FROM rune_order_tx`, `DELETE FROM rune_order`)
	return max(held, executed, quoted)
}

// fund pays an order with one transaction, of whose outputs as many pay as one transaction can spend. The other
// payments of the request are below the cost of spending them. fund returns the id of the transaction.
func (a *attacker) fund(id string, r request) string {
	var script []byte
	must(a.B, a.l.Store.View(a.Context(), func(tx *store.Tx) error {
		o, err := tx.Etchings(a.Context()).Orders.Order(id)
		script = o.Script
		return err
	}))
	paying := wire.NewMsgTx(2)
	paying.AddTxIn(&wire.TxIn{PreviousOutPoint: wire.OutPoint{Hash: numberHash(8_000_000)}})
	for range min(mostSpent, max(1, r.payments)) {
		paying.AddTxOut(wire.NewTxOut(200_000, script))
	}
	tx := chain.NewTx(paying)
	each, txs, other := outputsEach, r.payments/outputsEach, tx
	if r.alone {
		small := paying.Copy()
		small.TxOut = small.TxOut[:1]
		each, txs, other = 1, min(r.payments, mostPaying), chain.NewTx(small)
	}
	own := fmt.Sprintf("'%s'", tx.ID)
	a.l.exec(a.B, outputsOf(id, own, len(tx.Msg.TxOut), 200_000), fundingOf(id, own, 1, tx),
		outputsOf(id, padded(fmt.Sprintf("7000000 + i / %d", each), 64), txs*each, 100),
		fundingOf(id, padded("7000000 + i", 64), txs, other))
	return tx.ID.String()
}

// outputsOf returns a statement that inserts n confirmed payments of an order. txid is an SQL expression of i.
func outputsOf(id, txid string, n int, sats int64) string {
	return fmt.Sprintf(`
		INSERT INTO rune_order_output (txid, vout, order_id, value, runes, seen_at, height, vanished)
		WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < %d)
		SELECT %s, i, '%s', %d, '[]', 1, 10, 0 FROM n WHERE i < %[1]d`, n, txid, id, sats)
}

// fundingOf returns a statement that inserts n confirmed transactions that pay an order. txid is an SQL expression of
// i.
func fundingOf(id, txid string, n int, tx chain.Tx) string {
	raw := "x'%x'"
	if engine.Current() == engine.Postgres {
		raw = "'\\x%x'::bytea"
	}
	return fmt.Sprintf(`
		INSERT INTO rune_order_tx (txid, order_id, role, generation, position, raw, fee, vbytes, created_at, height,
			vanished, got)
		WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < %d)
		SELECT %s, '%s', 'funding', 0, 0, %s, 0, 0, 1, 10, 0, '0' FROM n WHERE i < %[1]d`, n, txid, id,
		fmt.Sprintf(raw, tx.Bytes()))
}

// advance lets the service sign the transactions of paid orders.
func (a *attacker) advance() {
	for {
		err := a.l.Store.Update(a.Context(), func(tx *store.Tx) error {
			_, err := a.l.Etching.Advance(a.Context(), tx, normalRate, time.Now())
			return err
		})
		if !errors.Is(err, etching.ErrUnsigned) {
			must(a.B, err)
			return
		}
		must(a.B, a.l.Etching.Sign(a.Context()))
	}
}
