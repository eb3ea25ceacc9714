package e2e

import (
	"os"
	"reflect"
	"testing"
)

// TestScenario runs the scenario undisturbed, with a server that is killed, with reorgs, and with kills on PostgreSQL.
// All runs must end with the same outcome and pass the audit. If a node of the Core family is given, the scenario also
// runs on that node.
func TestScenario(t *testing.T) {
	nodes := map[string]string{"btcd": ""}
	if core := os.Getenv(coreVariable); core != "" {
		nodes["core"] = core
	}
	disturbances := map[string]func(*scenario, moment){
		"undisturbed": func(*scenario, moment) {},
		"killed":      killed,
		"reorganized": reorganized,
	}
	endings := map[string]outcome{}
	for on, node := range nodes {
		for name, disturb := range disturbances {
			t.Run(on+"/"+name, func(t *testing.T) {
				h := newDevServer(t, node)
				endings[on+"/"+name] = runScenario(t, h, disturb)
				h.audit()
			})
		}
	}
	t.Run("btcd/killed, on PostgreSQL", func(t *testing.T) {
		h := newDevServerOnPostgres(t)
		endings["btcd/killed, on PostgreSQL"] = runScenario(t, h, killed)
		h.audit()
	})
	calm, played := endings["btcd/undisturbed"]
	for name, e := range endings {
		if played && !reflect.DeepEqual(e, calm) {
			t.Errorf("%s: the outcome is\n%+v\nwant the outcome of the undisturbed run:\n%+v", name, e, calm)
		}
	}
}

// killed kills the server and starts it again on the same data: three times between two calls, and once during a call.
func killed(l *scenario, m moment) {
	switch m {
	case claimSigned, claimPaid:
		l.kill()
		l.start()
	case payoutStored:
		l.kill()
		l.start()
		l.killWhile("/dev/mine", `{"blocks":1}`)
		l.start()
	}
}

// reorganized replaces the last three blocks. Their transactions return to the mempool.
func reorganized(l *scenario, m moment) {
	const depth = 3
	p := l.alice
	switch m {
	case deposited:
		l.reorg(depth)
		deposit := p.in("PENDING_STAKE")
		if len(deposit) != 1 || p.confirmations(*deposit[0].TxID) != 0 {
			l.t.Errorf("after the reorg the deposits are %+v", deposit)
		}
		l.mine(depth)
	case halfPaid:
		l.reorg(depth)
		if o := p.orders()[0]; o.Status != "CONFIRMED" || o.Confirmed != 0 || o.Balance == 0 {
			l.t.Errorf("after the reorg of a payment the order is %+v", o)
		}
		l.mine(1)
	case delivered:
		l.reorg(depth)
		o := p.orders()[0]
		if o.Status != "SENT" {
			l.t.Errorf("after the reorg of its payout the order is %+v", o)
		}
		p.wantStage(o.Units[0], "BATCH_LOCKED")
		l.mine(depth)
		if again := p.awaitStatus(o.ID, "DELIVERED"); *again.PayoutTx != *o.PayoutTx {
			l.t.Errorf("the payout %s was replaced by %s", *o.PayoutTx, *again.PayoutTx)
		}
	}
}
