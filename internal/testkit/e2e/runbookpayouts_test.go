package e2e

import (
	"fmt"
	"strings"
)

// stuckPayouts replaces a payout whose fee rate is too low, and lets a paid order continue that waits for a pause.
func (r *runbooks) stuckPayouts() {
	stuck := r.becomes(r.withdraws(), "SENT")
	r.types(*stuck.PayoutTx, "moonfund payout list --status live")
	r.devServer.stop()
	r.parent.Setenv("MOONFUND_FLOOR", "20")
	r.devServer.run("serve")
	r.follows()
	r.types("is carried out", `moonfund payout bump PAYOUT --why "…"`, "PAYOUT", *stuck.PayoutTx)
	if now := r.becomes(stuck, "DELIVERED"); *now.PayoutTx == *stuck.PayoutTx {
		r.t.Error("the payout was not replaced")
	}

	r.shell(`moonfund pause payouts --why "a look at the books"`)
	waiting := r.becomes(r.withdraws(), "PAID")
	r.types(waiting.ID, "moonfund order list --status PAID")
	r.types("payouts are paused", "moonfund order show ORDER", "ORDER", waiting.ID)
	r.shell(`moonfund resume payouts --why "all is well"`)
	r.becomes(waiting, "DELIVERED")
}

// refusedPayouts restarts a node that refused rune transfers with the right setting, and then sends a payout at another
// node.
func (r *runbooks) refusedPayouts() {
	refuse := func() (order, string) {
		r.node.becomes(false, "tokens-runes")
		o := r.becomes(r.withdraws(), "SENT")
		await(r.t, patience, "the refusal is shown", func() bool { return r.refusedByNode() == 1 })
		return o, *o.PayoutTx
	}
	o, txid := refuse()
	r.says("curl -s https://LABEL.YOUR.DOMAIN/PREFIX/status")
	if text := r.curl("/" + prefix + "/status"); !strings.Contains(text, `"refused_reason":"tokens-runes"`) {
		r.t.Errorf("/status: %s", text)
	}
	r.types("not accepted by the node", "moonfund payout show TXID", "TXID", txid)
	r.types("not accepted by the node", "moonfund order show ORDER", "ORDER", o.ID)
	r.nodeStops()
	r.node.becomes(false, "") // it starts with rejecttokens=0
	await(r.t, patience, "the refusal ends", func() bool { return r.refusedByNode() == 0 })
	r.becomes(o, "DELIVERED")

	o, txid = refuse()
	hex := r.types("", "moonfund payout show TXID --hex", "TXID", txid)
	_, hex, _ = strings.Cut(hex, txid+"\n0") // under the transaction's id
	r.types(txid, "bitcoin-cli sendrawtransaction HEX", "HEX", "0"+strings.TrimSpace(hex))
	r.becomes(o, "DELIVERED")
	if left := r.refusedByNode(); left != 0 {
		r.t.Errorf("%d transactions are refused after the block", left)
	}
	r.node.becomes(false, "")
}

// refusedByNode returns the number of refused transactions in the community's status.
func (r *runbooks) refusedByNode() int {
	var status struct{ Refused int }
	r.devServer.get("status", &status)
	return status.Refused
}

// curl returns the response to a request to the community's site.
func (r *runbooks) curl(path string) string {
	r.t.Helper()
	return r.shell(fmt.Sprintf("curl -s http://lobo.localhost:%d%s", r.devServer.port, path))
}

// ordersInAudit moves two paid orders to AUDIT: one is resolved and delivered, the other refunded.
func (r *runbooks) ordersInAudit() {
	r.shell(`moonfund pause payouts --why "while the operator looks"`)
	orders := []order{r.becomes(r.withdraws(), "PAID"), r.becomes(r.withdraws(), "PAID")}
	for _, o := range orders {
		r.types("is carried out", `moonfund order review ORDER --why "…"`, "ORDER", o.ID)
		r.types("in AUDIT because", "moonfund order show ORDER", "ORDER", o.ID)
	}
	r.shell(`moonfund resume payouts --why "two orders are in AUDIT"`)
	r.delivers() // the others do not wait
	r.types("is carried out", `moonfund order resolve ORDER --why "…"`, "ORDER", orders[0].ID)
	r.becomes(orders[0], "DELIVERED")
	r.types("is carried out", `moonfund order refund ORDER --why "…"`, "ORDER", orders[1].ID)
	r.becomes(orders[1], "CANCELED")
	again := *r.erin.act("WITHDRAW", orders[1].Units...)
	r.erin.pay(again, again.Total)
	r.becomes(again, "DELIVERED")
}

// nodeDown stops the server and the node, and starts both again.
func (r *runbooks) nodeDown() {
	before := r.withdraws()
	r.devServer.kill()
	r.network.mine(1)
	r.says("curl -s http://127.0.0.1:8080/healthz")
	r.refused("", fmt.Sprintf("curl -s http://127.0.0.1:%d/healthz", r.devServer.port))
	r.types("", "moonfund serve")
	r.becomes(before, "DELIVERED")

	r.says("curl -s http://127.0.0.1:8080/readyz")
	r.nodeStops()
	if text := r.curl("/healthz"); !strings.Contains(text, "true") {
		r.t.Errorf("/healthz: %s", text)
	}
	r.types("Paused", `moonfund pause all --why "the node is down"`)
	r.network.mine(2)
	r.node.becomes(false, "")
	r.types(`"headers":`, "bitcoin-cli getblockchaininfo")
	await(r.t, patience, "the server is ready", func() bool { return r.devServer.ready(r.t.Context()) })
	r.types("Resumed: all", `moonfund resume all --why "the node is back"`)
	r.types("no violation", "moonfund audit")
	r.types("", "moonfund order list --status AUDIT")
}

// nodeStops stops the node and waits until the server has noticed.
func (r *runbooks) nodeStops() {
	r.t.Helper()
	r.node.becomes(true, "")
	await(r.t, patience, "the server says that its node can't be reached", func() bool {
		return strings.Contains(r.curl("/readyz"), "can't be reached")
	})
}
