package server

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/http/pprof"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/server/disk"
	"moonfund/internal/staking/community"
	"moonfund/internal/staking/etching"
	"moonfund/internal/staking/follower"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/store"
)

// metrics is a collector of the operator's metrics, which it reads at each collection.
type metrics struct{ *Server }

func newDesc(name, help string, labels ...string) *prometheus.Desc {
	return prometheus.NewDesc("moonfund_"+name, help, labels, nil)
}

var (
	tipHeight  = newDesc("tip_height", "Last block in the ledger.")
	nodeHeight = newDesc("node_height", "Best block of the node, -1 when it can't be reached.")
	tipLag     = newDesc("tip_lag_blocks",
		"Blocks that the ledger is behind its node, at least 1 while it is not synced.")
	synced      = newDesc("synced", "1 when the follower has read the chain and the mempool to their ends.")
	openOrders  = newDesc("orders_open", "Open orders, by community and status.", "community", "status")
	runeOrders  = newDesc("rune_orders", "Orders of the mint and etch service, by state.", "state")
	payoutsWait = newDesc("payouts_waiting_orders",
		"Paid orders that wait for their payout, without economy_waiting_orders.", "community")
	economyWait = newDesc("economy_waiting_orders",
		"Paid orders that wait for the network's fee rate to fall to the one that their owners chose.", "community")
	payoutsLive = newDesc("payouts_unconfirmed",
		"Payouts that are sent and not confirmed, without withdrawals in one transaction and "+
			"economy_payouts_unconfirmed.", "community")
	economyLive = newDesc("economy_payouts_unconfirmed",
		"Payouts of economy orders that are sent and not confirmed while the network's fee rate is above their own.",
		"community")
	refundsDue = newDesc("refunds_due_orders",
		"Orders that owe a refund which no transaction sends yet, by community.", "community")
	refundSats = newDesc("refunds_due_sats", "Sum of the due refunds in sats, before their network fees.",
		"community")
	refundsHeld = newDesc("refunds_held_orders",
		"Refunds of closed and delivered orders that wait for the operator: above a limit or refused.",
		"community")
	refundHeldAge = newDesc("refunds_held_age_seconds",
		"Age of the oldest refund that waits for the operator; 0 when there is none.", "community")
	refusedTxs = newDesc("transactions_refused",
		"Signed transactions of ours that the node does not accept, without withdrawals in one transaction.")
	treasuryRunes = newDesc("treasury_runes", "Booked treasury outputs by the last audit, base units.", "community")
	rewardsOwed   = newDesc("rewards_owed_runes",
		"Virtual units that the treasury backs, by the last audit, base units.", "community")
	stakeOwed     = newDesc("stake_owed_runes", "Live units of origin STAKE by the last audit, base units.", "community")
	stakeHeld     = newDesc("stake_held_runes", "Outputs behind stake units by the last audit, base units.", "community")
	reservedRunes = newDesc("rewards_reserved_runes", "Budgets of running epochs, base units.", "community")
	runwayEpochs  = newDesc("reward_runway_epochs",
		"Epochs after the running one that the treasury can reward in full, at most 1000.", "community")
	auditOK    = newDesc("audit_ok", "1 when the last audit found no violated invariant; absent before the first.")
	auditFound = newDesc("audit_violations", "Violations that the last audit found.")
	auditAge   = newDesc("audit_age_seconds", "Age of the last audit.")
	clockOff   = newDesc("clock_off_seconds",
		"How far the system's clock is ahead of its reference while it is in doubt; else 0.")
	auditHeight = newDesc("audit_height", "Block at which the last audit read the ledger.")
	pausedGauge = newDesc("paused",
		"1 while payouts, the payouts of one community (payouts:PREFIX), or all changes are paused.", "what")
	backupAge = newDesc("backup_age_seconds",
		"Since the last backup that the server made by itself; absent where it makes none.")
	backupCopyAge = newDesc("backup_copy_age_seconds",
		"Since the last backup that the command of MOONFUND_BACKUP_COMMAND copied; absent without the command.")
	notifyPending = newDesc("notifications_pending", "Events that are not sent to a receiver yet.", "receiver")
	notifyAge     = newDesc("notifications_pending_age_seconds",
		"Since the first attempt to send the oldest pending event; 0 when none is pending.", "receiver")
	notifyFailed = newDesc("notifications_failed",
		"Events of the last 90 days that could not be sent to a receiver in three days.", "receiver")
	buildInfo = newDesc("build_info", "1; the labels name the program's version and commit, and the version of Go.",
		"version", "commit", "go_version")
	leader       = newDesc("leader", "1 when this server leads: it follows the chain and pays.")
	nodeUp       = newDesc("node_up", "1 when the Bitcoin node answered at the last step of the follower.")
	nodeNotifies = newDesc("node_notifies", "1 while the Bitcoin node's notifications of its mempool are received.")
	nodeFit      = newDesc("node_fit", "0 when the Bitcoin node lacks something that the server needs, else 1.")
	signerUp     = newDesc("signer_up", "1 when the signer signs; 0 when it does not answer or signs nothing.")
	streamsOpen  = newDesc("event_streams_open", "Open event streams of pages.")
	writerQueue  = newDesc("writer_queue_updates", "Updates of the ledger that wait for the writer.")
	feeAccount   = newDesc("fee_account_sats", "Sats that may top up the network fees of payouts.", "community")
	quarantine   = newDesc("quarantine_outputs", "Unspent outputs that can't be credited.", "community")
	databaseUp   = newDesc("database_up", "1 when the ledger could be read for this collection, else 0.")
	standbyUp    = newDesc("standby_up",
		"0 when a synchronous standby of PostgreSQL is set up and no commit reaches it, else 1.")
	standbyLag   = newDesc("standby_lag_bytes", "Log that the synchronous standby has not applied; 0 without one.")
	waitingGauge = newDesc("waiting", "What is not sent or carried out now, by kind: order (PAID orders, and orders that "+
		"the audit stops or that can't be evaluated), refund, payout, replacement, request, decision, session, "+
		"community, payouts (all), rune-order (of the mint and etch service).",
		"what")
	stopGauge = newDesc("stop", "1 for each thing that does not work now, with its reason and its runbook.",
		"what", "reason", "runbook")
	statementsStopped = newDesc("statements_stopped",
		"1 while statements or receipts can't be signed or published, else 0.")
	diskFree     = newDesc("disk_free_bytes", "Free space for the ledger's folder and for the backups.", "disk")
	feeRateGauge = newDesc("fee_rate_sat_per_vbyte", "Fee rate of new orders and payouts.")
)

// Describe implements prometheus.Collector.
func (m metrics) Describe(to chan<- *prometheus.Desc) { prometheus.DescribeByCollect(m, to) }

// waitingKinds are the kinds of waitingGauge, which are shown even if nothing waits.
var waitingKinds = []string{
	"order", "refund", "payout", "replacement", "request", "decision", "session", "community", "payouts",
	follower.RuneOrder,
}

// reportWaiting reports what waits, by kind.
func reportWaiting(state follower.State, gauge setGauge) {
	waiting := map[string]int{}
	for _, what := range waitingKinds {
		waiting[what] = 0
	}
	for subject := range state.Waiting {
		what, _, named := strings.Cut(subject, " ")
		if !named {
			what = "order"
		}
		waiting[what]++
	}
	for what, n := range waiting {
		gauge(waitingGauge, float64(n), what)
	}
}

// collectTime is the timeout of one collection.
const collectTime = 5 * time.Second

// profileTime is the timeout of one response of the metrics' listener, such as a profile of several seconds.
const profileTime = 2 * time.Minute

// Collect implements prometheus.Collector. A metric that can't be read is reported as invalid.
func (m metrics) Collect(to chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), collectTime)
	defer cancel()
	gauge := func(what *prometheus.Desc, value float64, labels ...string) {
		to <- prometheus.MustNewConstMetric(what, prometheus.GaugeValue, value, labels...)
	}
	state := m.state()
	gauge(nodeHeight, float64(state.NodeHeight))
	gauge(tipLag, float64(lag(state)))
	gauge(synced, boolGauge(state.Synced))
	reportWaiting(state, gauge)
	gauge(clockOff, m.Clock.Off().Seconds())
	gauge(buildInfo, 1, m.Version, m.Commit, runtime.Version())
	gauge(leader, boolGauge(m.Leads()))
	gauge(nodeUp, boolGauge(state.NodeHeight != chain.None))
	gauge(nodeNotifies, boolGauge(m.nodeEvents != nil && m.nodeEvents.Connected()))
	gauge(nodeFit, boolGauge(state.Unfit() == ""))
	gauge(signerUp, boolGauge(m.signerStopped() == ""))
	gauge(statementsStopped, boolGauge(m.statementsStopped() != ""))
	for name, folder := range m.folders() {
		if free, err := disk.Free(folder); err == nil {
			gauge(diskFree, float64(free), name)
		}
	}
	gauge(writerQueue, float64(m.Store.Queued()))
	if m.hub != nil {
		gauge(streamsOpen, float64(m.hub.Open()))
	}
	rate := m.Rates.Rate(ctx) // before the transaction: the node may be slow
	gauge(feeRateGauge, float64(rate)/1000)
	if m.auditor != nil {
		m.audited(gauge)
	}
	if m.Backups != nil {
		gauge(backupAge, time.Since(m.Backups.Latest()).Seconds())
		if copied, known := m.Backups.Copied(); known {
			gauge(backupCopyAge, time.Since(copied).Seconds())
		}
	}
	if standby, err := m.Store.Replication(ctx); err != nil {
		to <- prometheus.NewInvalidMetric(standbyUp, err)
	} else {
		gauge(standbyUp, boolGauge(!standby.Missing))
		gauge(standbyLag, float64(standby.Lag))
	}
	err := m.Store.View(ctx, func(tx *store.Tx) (err error) {
		if state.Tip.Height == chain.None { // the follower has not read it yet
			if state.Tip, err = tx.Tip(ctx); err != nil {
				return err
			}
		}
		return m.stored(ctx, tx, rate, gauge)
	})
	gauge(tipHeight, float64(state.Tip.Height))
	gauge(databaseUp, boolGauge(err == nil))
	if err != nil {
		to <- prometheus.NewInvalidMetric(openOrders, err)
	}
}

// setGauge reports the value of a metric with its labels.
type setGauge = func(what *prometheus.Desc, value float64, labels ...string)

// audited reports the result of the last audit, if there is one.
func (m metrics) audited(gauge setGauge) {
	report, at := m.auditor.Latest()
	if at.IsZero() {
		return
	}
	gauge(auditOK, boolGauge(report.OK()))
	gauge(auditFound, float64(len(report.Violations)))
	gauge(auditAge, m.Clock.Real().Sub(at).Seconds())
	gauge(auditHeight, float64(report.Height))
	for prefix, t := range report.Totals {
		gauge(treasuryRunes, float64(t.VirtualFunds), prefix)
		gauge(rewardsOwed, float64(t.VirtualUnits), prefix)
		gauge(stakeOwed, float64(t.StakeUnits), prefix)
		gauge(stakeHeld, float64(t.StakeOutputs), prefix)
	}
}

// stored reports the metrics that are read from the store. rate is the network's fee rate.
func (m metrics) stored(ctx context.Context, tx *store.Tx, rate amount.FeeRate, gauge setGauge) error {
	if err := m.orders(ctx, tx, rate, gauge); err != nil {
		return err
	}
	tally, err := tx.RuneOrderTally(ctx)
	if err != nil {
		return err
	}
	for _, state := range etching.States {
		gauge(runeOrders, float64(tally[state]), string(state))
	}
	refusals, err := tx.Refusals(ctx)
	if err != nil {
		return err
	}
	gauge(refusedTxs, float64(len(ledger.ForOperators(refusals))))
	if err := m.refunds(ctx, tx, gauge); err != nil {
		return err
	}
	locked, err := tx.QuarantineTally(ctx)
	if err != nil {
		return err
	}
	for _, c := range m.Communities {
		gauge(quarantine, float64(locked[c.Prefix]), c.Prefix)
		if err := m.treasury(ctx, tx, c, gauge); err != nil {
			return err
		}
	}
	if err := m.notifications(ctx, tx, gauge); err != nil {
		return err
	}
	stops, err := m.stops(ctx, tx)
	if err != nil {
		return err
	}
	for _, p := range stops {
		gauge(stopGauge, 1, p.What, p.Reason, p.Runbook)
	}
	for what, setting := range store.Pauses {
		reason, err := tx.Setting(ctx, setting)
		if err != nil {
			return err
		}
		gauge(pausedGauge, boolGauge(reason != ""), what)
	}
	some, err := tx.PausedCommunities(ctx)
	if err != nil {
		return err
	}
	for community := range some {
		gauge(pausedGauge, 1, "payouts:"+community)
	}
	return nil
}

// orders reports payment orders and their payouts. Economy orders and payouts that wait for the network's fee rate
// count separately, because they wait on purpose.
func (m metrics) orders(ctx context.Context, tx *store.Tx, rate amount.FeeRate, gauge setGauge) error {
	open, err := tx.OpenOrders(ctx)
	if err != nil {
		return err
	}
	paid := map[string]int64{}
	for _, tally := range open {
		gauge(openOrders, float64(tally.Total), tally.Community, string(tally.Status))
		if tally.Status == "PAID" {
			paid[tally.Community] = tally.Total
		}
	}
	economy, err := tx.EconomyTally(ctx, rate)
	if err != nil {
		return err
	}
	live, err := tx.LivePayouts(ctx)
	if err != nil {
		return err
	}
	economyPayouts, err := tx.EconomyPayouts(ctx, rate)
	if err != nil {
		return err
	}
	for _, c := range m.Communities {
		gauge(payoutsWait, float64(paid[c.Prefix]-economy[c.Prefix]), c.Prefix)
		gauge(economyWait, float64(economy[c.Prefix]), c.Prefix)
		gauge(payoutsLive, float64(live[c.Prefix]-economyPayouts[c.Prefix]), c.Prefix)
		gauge(economyLive, float64(economyPayouts[c.Prefix]), c.Prefix)
	}
	return nil
}

// notifications reports the events that were not delivered.
func (m metrics) notifications(ctx context.Context, tx *store.Tx, gauge setGauge) error {
	for _, name := range m.Notified {
		tally, err := tx.DeliveryTally(ctx, name)
		if err != nil {
			return err
		}
		age := time.Duration(0)
		if tally.Pending > 0 {
			age = max(0, time.Since(tally.Oldest))
		}
		gauge(notifyPending, float64(tally.Pending), name)
		gauge(notifyAge, age.Seconds(), name)
		gauge(notifyFailed, float64(tally.Failed), name)
	}
	return nil
}

// treasury reports the fee account of a community and the reserves and coverage of its treasury.
func (m metrics) treasury(ctx context.Context, tx *store.Tx, c community.Manifest, gauge setGauge) error {
	balance, err := tx.FeeBalance(ctx, c.Prefix)
	if err != nil {
		return err
	}
	running, err := tx.Unsettled(ctx, c.Prefix)
	if err != nil {
		return err
	}
	runway, err := ledger.ReadRunway(ctx, tx.LedgerTx(), c.Prefix, c.Budget)
	if err != nil {
		return err
	}
	gauge(feeAccount, float64(balance), c.Prefix)
	gauge(reservedRunes, float64(reserved(running)), c.Prefix)
	gauge(runwayEpochs, float64(runway.Epochs), c.Prefix)
	return nil
}

// refunds reports the refunds that are due for orders and not sent yet.
func (m metrics) refunds(ctx context.Context, tx *store.Tx, gauge setGauge) error {
	due, err := tx.RefundsDue(ctx)
	if err != nil {
		return err
	}
	for _, c := range m.Communities {
		d, age := due[c.Prefix], time.Duration(0)
		if d.Held > 0 {
			age = max(0, m.Clock.Real().Sub(d.HeldSince))
		}
		gauge(refundsDue, float64(d.Orders), c.Prefix)
		gauge(refundSats, float64(d.Sats), c.Prefix)
		gauge(refundsHeld, float64(d.Held), c.Prefix)
		gauge(refundHeldAge, age.Seconds(), c.Prefix)
	}
	return nil
}

// reserved returns the sum of the budgets that are reserved for epochs, in base units.
func reserved(running []ledger.Account) (sum int64) {
	for _, account := range running {
		sum += int64(account.Reserved)
	}
	return sum
}

func boolGauge(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// registry returns a registry with every metric of the product and of the process.
func (m metrics) registry() (*prometheus.Registry, error) {
	registry := prometheus.NewRegistry()
	all := append([]prometheus.Collector{
		m, collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
	}, m.measures.collectors()...)
	for _, c := range all {
		if err := registry.Register(c); err != nil {
			return nil, err
		}
	}
	return registry, nil
}

// handler serves the metrics and profiles of the process.
func (m metrics) handler() (http.Handler, error) {
	registry, err := m.registry()
	if err != nil {
		return nil, err
	}
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", promhttp.HandlerFor(registry,
		promhttp.HandlerOpts{ErrorHandling: promhttp.ContinueOnError}))
	mux.HandleFunc("GET /debug/pprof/", pprof.Index)
	mux.HandleFunc("GET /debug/pprof/cmdline", pprof.Cmdline)
	mux.HandleFunc("GET /debug/pprof/profile", pprof.Profile)
	mux.HandleFunc("GET /debug/pprof/symbol", pprof.Symbol)
	mux.HandleFunc("GET /debug/pprof/trace", pprof.Trace)
	return mux, nil
}

// serveMetrics serves the metrics on a separate address until ctx is done. An empty address disables it.
func (s *Server) serveMetrics(ctx context.Context, address string) error {
	if address == "" {
		return nil
	}
	if _, port, err := net.SplitHostPort(address); err != nil || !isPort(port) {
		return errors.New("--metrics is " + strconv.Quote(address) + "; it must be an address such as 127.0.0.1:9464")
	}
	handler, err := metrics{s}.handler()
	if err != nil {
		return err
	}
	listener, err := Listen(address)
	if err != nil {
		return err
	}
	server := &http.Server{Handler: handler, ReadHeaderTimeout: collectTime, WriteTimeout: profileTime}
	context.AfterFunc(ctx, func() { _ = server.Close() })
	go func() {
		if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			s.Log.Error("serving metrics", "error", err)
		}
	}()
	return nil
}

func isPort(text string) bool {
	n, err := strconv.ParseUint(text, 10, 16)
	return err == nil && (n > 0 || text == "0")
}
