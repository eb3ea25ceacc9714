package server

import (
	"fmt"
	"strings"
	"time"

	"github.com/btcsuite/btcd/chainhash/v2"
	"github.com/btcsuite/btcd/psbt/v2"
)

// oneTx requests the transaction of a withdrawal that coins of its owner pay, signs it and sends it.
func (a *attacker) oneTx(r request) time.Duration {
	id := a.order(r, "WITHDRAW")
	first, second, _ := a.sendOneTx(id)
	a.l.exec(a.B, fmt.Sprintf(`DELETE FROM one_tx_session WHERE order_id = '%s'`, id))
	return max(first, second)
}

// sendOneTx is oneTx of an order. It returns the times that both requests held the writer, and the transaction's id.
func (a *attacker) sendOneTx(id string) (first, second time.Duration, txid chainhash.Hash) {
	draft, first := a.call("beginOneTx", map[string]any{"order_id": id})
	text := draft["psbt"].(string)
	packet, err := psbt.NewFromRawBytes(strings.NewReader(text), true)
	must(a.B, err)
	signed, _ := a.wallet.SignPSBT(text)
	_, second = a.call("sendOneTx", map[string]any{"order_id": id, "psbt": signed})
	return first, second, packet.UnsignedTx.TxHash()
}

// payInstead asks for the price of a delivery that replaces the transaction of a SENT order.
func (a *attacker) payInstead(r request) time.Duration {
	id := a.order(r, "WITHDRAW")
	_, _, txid := a.sendOneTx(id)
	a.l.exec(a.B, fmt.Sprintf(`INSERT INTO payout (id, community, kind, order_ids, status, created_at)
			VALUES ('of %s', 'lobo', 'one_tx', '["%[1]s"]', 'live', 1)`, id), fmt.Sprintf(`
		INSERT INTO payout_version (txid, payout_id, number, raw, fee, vbytes, created_at, height, own_coins)
		SELECT '%s', 'of %s', 1, raw, fee, vbytes, 1, -1, own_coins FROM one_tx_session WHERE order_id = '%[2]s'`, txid, id),
		fmt.Sprintf(`DELETE FROM one_tx_session WHERE order_id = '%s'`, id))
	a.pay(id, r.payments)
	a.l.exec(a.B, fmt.Sprintf(`UPDATE payment_order SET status = 'SENT', one_tx = 1, payout_id = 'of %s', payout_tx = '%s'
		WHERE id = '%[1]s'`, id, txid))
	held := a.change("payInsteadPO", id)
	a.l.exec(a.B, fmt.Sprintf(`UPDATE payment_order SET status = 'CANCELED' WHERE id = '%s'`, id))
	return held
}
