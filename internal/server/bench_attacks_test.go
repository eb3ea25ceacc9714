package server

import (
	"crypto/ecdh"
	"crypto/rand"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"time"

	"moonfund/internal/staking/community"
)

// The maximum number of units of an order, and of a withdrawal in one transaction with the maximum number of own coins:
// the PSBT of a larger one does not fit in a request.
const (
	mostOrdered = community.MaxUnitsPerOrder
	mostOneTx   = 120
)

// compoundAll is the kind of a COMPOUND that names no rewards and so compounds all claimable ones.
const compoundAll = "COMPOUND of all"

// stages has the stage of the units that a kind of request names.
var stages = map[string]string{"UNSTAKE": "STAKED", "RESTAKE": "UNLOCKED", "WITHDRAW": "UNLOCKED"}

// named removes units of the stage for a type of action and returns their ids.
func (a *attacker) named(r request, action string) []string {
	ids := []string{}
	if action == "CLAIM" || action == "COMPOUND" {
		for i := 0; i < r.units; i++ {
			ids = append(ids, fmt.Sprintf("reward:%d:of attacker", 1+i*r.apart))
		}
		return ids
	}
	all, first := a.units[stages[action]], 0
	if r.apart > 1 { // from the end, so that the other units stay in one range
		first = max(0, len(all)-r.units*r.apart)
	}
	rest := slices.Clone(all[:first])
	for i, id := range all[first:] {
		if len(ids) < r.units && i%r.apart == 0 {
			ids = append(ids, id)
		} else {
			rest = append(rest, id)
		}
	}
	a.units[stages[action]] = rest
	return ids
}

// act requests the message of a signed action, signs it, and sends the signature. It returns the longer time that one
// of both requests held the writer.
func (a *attacker) act(r request) time.Duration {
	held, _ := a.actFor(r)
	return held
}

// actFor is act. It also returns the id of the order that the action opened, or "".
func (a *attacker) actFor(r request) (held time.Duration, orderID string) {
	kind, isEconomy := strings.CutPrefix(r.kind, "economy ")
	switch r.kind {
	case compoundAll:
		kind = "COMPOUND"
	case "forged":
		kind = "UNSTAKE"
	}
	if kind == "CLAIM" || kind == "COMPOUND" {
		a.freeRewards(r)
	}
	fields := map[string]any{"wa_action_type": kind, "utxos": []string{}}
	if r.kind != compoundAll {
		fields["utxos"] = a.named(r, kind)
	}
	if strings.HasSuffix(kind, "AUTO_COMPOUND") {
		fields["epochs"] = 104
	}
	if isEconomy {
		fields["economy"] = map[string]any{"feerate": economyRate / 1000, "days": 28}
	}
	posted, first := a.call("postAction", fields)
	if posted["messagetosign"] == nil {
		return first, ""
	}
	message := posted["messagetosign"].(string)
	fields = map[string]any{"wa_action_type": kind, "wa_action_id": posted["action_id"],
		"signature": a.wallet.Sign(message)}
	if r.signed {
		fields["signature_payment"] = a.wallet.SignPayment(message)
	}
	if r.kind == "forged" {
		fields["signature"] = strings.Repeat("A", 8192)
	}
	signed, second := a.call("signWalletAction", fields)
	if order, ok := signed["payment_order"].(map[string]any); ok {
		orderID = order["po_order_id"].(string)
	}
	return max(first, second), orderID
}

// freeRewards closes the claims of the attacker and makes rewards claimable: all, or the ones that a request for all
// rewards should find.
func (a *attacker) freeRewards(r request) {
	claimable := manyRewards
	if r.kind == compoundAll {
		claimable = r.units
	}
	a.l.exec(a.B, fmt.Sprintf(`UPDATE payment_order SET status = 'CANCELED'
			WHERE community = 'lobo' AND owner = '%s' AND reason = 'CLAIM' AND status <> 'CANCELED'`, a.wallet.Ordinals.Text),
		`UPDATE unit SET stage = 'STAKED', order_id = '', not_before = 0, eligible_epoch = -1
			WHERE origin = 'REWARD' AND stage <> 'STAKED'`,
		fmt.Sprintf(`UPDATE unit SET stage = 'CLAIMABLE' WHERE origin = 'REWARD' AND reward_epoch <= %d`, claimable))
}

// stake requests a stake address.
func (a *attacker) stake(request) time.Duration {
	keys := a.wallet.Request(5000)
	_, held := a.call("postDemoStake", map[string]any{
		"w_wallet_code_pk": hex.EncodeToString(keys.PaymentKey), "wa_amount": "150000000000",
		"w_wallet_code_ord_pk": hex.EncodeToString(keys.OrdinalsKey),
	})
	return held
}

// order opens a withdrawal and returns its id.
func (a *attacker) order(r request, kind string) string {
	r.kind = kind
	_, id := a.actFor(r)
	if id == "" {
		a.Fatal("no order was opened")
	}
	return id
}

// paidOrder opens a withdrawal with payments and sets columns of it. Columns for the sums are set too.
func (a *attacker) paidOrder(r request, kind, set string) string {
	id := a.order(r, kind)
	a.pay(id, r.payments)
	rate := ""
	if r.dear {
		rate = fmt.Sprintf(", fee_rate = %d", dearRate)
	}
	a.l.exec(a.B, fmt.Sprintf(`
		UPDATE payment_order SET %s%s, seen = sums.total, confirmed = sums.total, usable = sums.total
		FROM (SELECT COALESCE(SUM(custody.value), 0) AS total FROM payment
			JOIN custody ON custody.txid = payment.txid AND custody.vout = payment.vout WHERE payment.order_id = '%s') AS sums
		WHERE id = '%[3]s'`, set, rate, id))
	return id
}

// pay gives the first n prepared payments to an order.
func (a *attacker) pay(id string, n int) {
	a.l.exec(a.B, fmt.Sprintf(`UPDATE payment SET order_id = '%s' WHERE order_id = '%s'`, noOrder, a.paid),
		fmt.Sprintf(`UPDATE payment SET order_id = '%s' WHERE order_id = '%s' AND number <= %d`, id, noOrder, 1000000+n))
	a.paid = id
}

// cancel cancels an order.
func (a *attacker) cancel(r request) time.Duration {
	id := a.paidOrder(r, "WITHDRAW", "status = 'CONFIRMED'")
	asked, first := a.call("cancelPO", map[string]any{"order_id": id})
	message, _ := asked["messagetosign"].(string)
	_, second := a.call("cancelPO", map[string]any{"order_id": id, "action_id": asked["action_id"],
		"signature": a.wallet.Sign(message)})
	return max(first, second)
}

// rerate asks for a new rate of an order.
func (a *attacker) rerate(r request) time.Duration {
	return a.change("rearatePO", a.paidOrder(r, "WITHDRAW",
		"status = 'PENDING_RERATE', created_at = created_at - 3600, rate_at = rate_at - 3600"))
}

// wait chooses to wait at the limit of an economy order.
func (a *attacker) wait(r request) time.Duration {
	return a.change("waitPO", a.paidOrder(r, "economy WITHDRAW", "status = 'PAID', limit_at = created_at - 60"))
}

// payDifference asks for the difference of an economy order for the second time.
func (a *attacker) payDifference(r request) time.Duration {
	return a.change("payDifferencePO", a.paidOrder(r, "economy WITHDRAW",
		"status = 'PAID', raised_rate = 1900, raised_at = created_at - 3600, raised_from = 0"))
}

func (a *attacker) change(name, id string) time.Duration {
	_, held := a.call(name, map[string]any{"order_id": id})
	return held
}

// oneTx requests a withdrawal in one transaction, signs the transaction and sends it.
func (a *attacker) oneTx(r request) time.Duration {
	id := a.order(r, "WITHDRAW")
	draft, first := a.call("beginOneTx", map[string]any{"order_id": id})
	signed, _ := a.wallet.SignPSBT(draft["psbt"].(string))
	_, second := a.call("sendOneTx", map[string]any{"order_id": id, "psbt": signed})
	a.l.exec(a.B, fmt.Sprintf(`DELETE FROM one_tx_session WHERE order_id = '%s'`, id))
	return max(first, second)
}

// subscribe signs an action, subscribes a browser by it, and ends the subscription.
func (a *attacker) subscribe(r request) time.Duration {
	r.kind, r.units, r.apart = "UNSTAKE", 1, 1
	posted, _ := a.call("postAction", map[string]any{"wa_action_type": r.kind, "utxos": a.named(r, r.kind)})
	message, _ := posted["messagetosign"].(string)
	proof := map[string]any{"wa_action_type": r.kind, "wa_action_id": posted["action_id"],
		"signature": a.wallet.Sign(message)}
	a.call("signWalletAction", proof)
	browser, err := ecdh.P256().GenerateKey(rand.Reader)
	must(a.B, err)
	endpoint := "https://push.example.com/" + hex.EncodeToString(browser.PublicKey().Bytes())
	_, first := a.call("pushSubscribe", map[string]any{
		"action_id": posted["action_id"], "signature": proof["signature"], "endpoint": endpoint,
		"p256dh": base64.RawURLEncoding.EncodeToString(browser.PublicKey().Bytes()), "auth": "BTBZMqHH6r4Tts7J_aSIgg",
	})
	_, second := a.call("pushEnd", map[string]any{"endpoint": endpoint})
	return max(first, second)
}
