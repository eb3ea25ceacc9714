// Package hosts connects to PostgreSQL: to one server, or to the primary among several. A connection is used only while
// its server is the primary that was promoted last and acknowledges no commit that a crash or a failover can lose.
package hosts

import (
	"context"
	"crypto/tls"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"
)

// Timing of connections to PostgreSQL.
const (
	connectLimit   = 5 * time.Second  // for each host, unless the URL has a connect_timeout
	silenceLimit   = 20 * time.Second // a machine that acknowledges nothing for this time counts as lost
	surveyInterval = 3 * time.Second
)

// Hosts are the PostgreSQL servers of a URL: usually one, or a primary and its standby. A promotion of a standby begins
// a new timeline, with a higher number. Once a timeline was seen, no connection to an older one is used: a former
// primary that still runs, or runs again, would return old rows.
type Hosts struct {
	config   *pgx.ConnConfig
	singles  []*pgconn.Config // each host alone; nil if the URL has only one
	attempts func(context.Context, *pgconn.PgConn) error

	unreplicated atomic.Int64 // commits that the primary reported without waiting for the standby

	mu      sync.Mutex
	newest  int64                    // newest timeline
	open    map[*pgconn.PgConn]int64 // connections with their timelines
	primary *pgconn.Config           // the host that the last survey found on the newest timeline; nil before the first

	surveyed chan struct{} // closed after the first survey
	stop     func()
	done     chan struct{}
}

// New prepares the connections for a parsed URL. settings are PostgreSQL's settings of each connection; a setting in
// the URL has priority. Unless set, jit is off: compiling a query takes longer than it saves. Close must be called
// after the pools were closed.
func New(config *pgx.ConnConfig, settings map[string]string) *Hosts {
	params := map[string]string{"jit": "off"}
	maps.Copy(params, settings)
	maps.Copy(params, config.RuntimeParams)
	config.RuntimeParams = params
	h := &Hosts{config: config, attempts: config.ValidateConnect, open: map[*pgconn.PgConn]int64{}, stop: func() {}}
	config.DialFunc = dialer().DialContext
	if config.ConnectTimeout == 0 {
		config.ConnectTimeout = connectLimit
	}
	config.ValidateConnect = h.validate
	config.OnNotice = func(_ *pgconn.PgConn, n *pgconn.Notice) {
		if n.Routine == "SyncRepWaitForLSN" { // the wait for the standby was canceled
			h.unreplicated.Add(1)
		}
	}
	h.singles = singleHosts(&config.Config)
	if len(h.singles) < 2 {
		h.singles = nil
		return h
	}
	ctx, cancel := context.WithCancel(context.Background())
	h.stop, h.done, h.surveyed = cancel, make(chan struct{}), make(chan struct{})
	go h.watch(ctx)
	return h
}

// Setting returns PostgreSQL's setting that each connection asks for.
func (h *Hosts) Setting(name string) string { return h.config.RuntimeParams[name] }

// dialer returns a dialer whose connections fail within silenceLimit if the other machine is lost, instead of after
// many minutes.
func dialer() *net.Dialer {
	const tcpUserTimeout = 0x12 // Linux: limit for data without acknowledgement
	d := &net.Dialer{KeepAliveConfig: net.KeepAliveConfig{Enable: true, Idle: 5 * time.Second, Interval: 5 * time.Second,
		Count: 3}}
	d.Control = func(network, _ string, raw syscall.RawConn) (err error) {
		if runtime.GOOS != "linux" || network == "unix" {
			return nil
		}
		return errors.Join(raw.Control(func(fd uintptr) {
			err = syscall.SetsockoptInt(int(fd), syscall.IPPROTO_TCP, tcpUserTimeout, int(silenceLimit.Milliseconds()))
		}), err)
	}
	return d
}

// entries returns every host of a config, in order. A host can have two entries, with and without TLS.
func entries(config *pgconn.Config) []*pgconn.FallbackConfig {
	return append([]*pgconn.FallbackConfig{{Host: config.Host, Port: config.Port, TLSConfig: config.TLSConfig}},
		config.Fallbacks...)
}

// singleHosts returns a config for each host.
func singleHosts(config *pgconn.Config) (all []*pgconn.Config) {
	for _, entry := range entries(config) {
		if n := len(all) - 1; n >= 0 && all[n].Host == entry.Host && all[n].Port == entry.Port {
			all[n].Fallbacks = append(all[n].Fallbacks, entry)
			continue
		}
		single := config.Copy()
		single.Host, single.Port, single.TLSConfig, single.Fallbacks = entry.Host, entry.Port, entry.TLSConfig, nil
		all = append(all, single)
	}
	return all
}

// keep returns the connector of a pool to the database at a URL. The sessions of two connectors are alike if they have
// the same settings.
var keep = func(_, _ string, c driver.Connector) driver.Connector { return c }

// KeepConnections makes pools use the connectors that fn returns. Only tests call it: they keep connections open for
// the next server.
func KeepConnections(fn func(address, settings string, c driver.Connector) driver.Connector) {
	keep = fn
}

// Pool returns a pool of at most this many connections.
func (h *Hosts) Pool(limit int) *sql.DB {
	connector := stdlib.GetConnector(*h.config, stdlib.OptionBeforeConnect(h.primaryFirst),
		stdlib.OptionResetSession(h.reset))
	return limited(sql.OpenDB(h.kept("read-write", connector)), limit)
}

// ReadingPool returns a pool of connections that can't write. Closing the pool closes h.
func (h *Hosts) ReadingPool(limit int) *sql.DB {
	readOnly := stdlib.OptionAfterConnect(func(ctx context.Context, conn *pgx.Conn) error {
		_, err := conn.Exec(ctx, `SET SESSION CHARACTERISTICS AS TRANSACTION READ ONLY`)
		return err
	})
	connector := stdlib.GetConnector(*h.config, stdlib.OptionBeforeConnect(h.primaryFirst),
		stdlib.OptionResetSession(h.current), readOnly)
	return limited(sql.OpenDB(closing{h.kept("read-only", connector), h}), limit)
}

func (h *Hosts) kept(access string, c driver.Connector) driver.Connector {
	return keep(h.config.ConnString(), fmt.Sprint(access, h.config.RuntimeParams), c)
}

// closing is a connector whose pool closes the hosts.
type closing struct {
	driver.Connector
	hosts *Hosts
}

// Close implements io.Closer.
func (c closing) Close() error { c.hosts.Close(); return nil }

func limited(db *sql.DB, limit int) *sql.DB {
	db.SetMaxOpenConns(limit)
	db.SetMaxIdleConns(limit)
	db.SetConnMaxIdleTime(time.Minute)
	return db
}

// primaryFirst makes a new connection try the primary first. A machine that vanished does not refuse a connection, so
// trying it first would take connectLimit each time. Before the first survey, a former primary could be used.
func (h *Hosts) primaryFirst(ctx context.Context, config *pgx.ConnConfig) error {
	if h.surveyed == nil {
		return nil
	}
	select {
	case <-h.surveyed:
	case <-ctx.Done():
		return ctx.Err()
	}
	h.mu.Lock()
	primary := h.primary
	h.mu.Unlock()
	if primary == nil {
		return nil
	}
	order := entries(primary)
	for _, entry := range entries(&config.Config) {
		if entry.Host != primary.Host || entry.Port != primary.Port {
			order = append(order, entry)
		}
	}
	config.Host, config.Port, config.TLSConfig = order[0].Host, order[0].Port, order[0].TLSConfig
	config.Fallbacks = order[1:]
	return nil
}

// current discards a connection from the pool whose primary was superseded.
func (h *Hosts) current(_ context.Context, conn *pgx.Conn) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.open[conn.PgConn()] < h.newest {
		return driver.ErrBadConn
	}
	return nil
}

// reset discards a connection from the pool whose primary was superseded or no longer accepts writes.
func (h *Hosts) reset(ctx context.Context, conn *pgx.Conn) error {
	if len(h.singles) > 1 && conn.PgConn().ParameterStatus("default_transaction_read_only") == "on" {
		return driver.ErrBadConn
	}
	return h.current(ctx, conn)
}

// validate returns an error for a new connection that must not be used: to a standby, to a superseded primary, or to a
// server that acknowledges commits that a crash can lose.
func (h *Hosts) validate(ctx context.Context, conn *pgconn.PgConn) error {
	if h.attempts != nil {
		if err := h.attempts(ctx, conn); err != nil {
			return err
		}
	}
	row, err := queryRow(ctx, conn, `SELECT current_setting('transaction_read_only'),
		current_setting('synchronous_commit'), current_setting('synchronous_standby_names')`)
	if err != nil {
		return err
	}
	readOnly, commit, standbys := row[0] == "on", row[1], row[2]
	switch {
	case readOnly && len(h.singles) > 1:
		return errors.New("this server accepts no writes")
	case commit == "off":
		return errors.New("the database loses commits in a crash: its synchronous_commit is off, and must be on")
	case standbys != "" && commit != "on" && commit != "remote_apply":
		return fmt.Errorf("the database loses commits when its standby is promoted: its synchronous_commit is %s, "+
			"and must be on", commit)
	}
	timeline, err := timelineOf(ctx, conn)
	if err != nil {
		return err
	}
	return h.admit(conn, timeline)
}

// timelineOf returns the timeline that a primary writes, or 0 on a standby or if the server has no such function.
func timelineOf(ctx context.Context, conn *pgconn.PgConn) (int64, error) {
	row, err := queryRow(ctx, conn, `SELECT CASE WHEN pg_is_in_recovery() THEN '0'
		ELSE left(pg_walfile_name(pg_current_wal_lsn()), 8) END`)
	var failure *pgconn.PgError
	if errors.As(err, &failure) && !Unavailable(err) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	return strconv.ParseInt(row[0], 16, 64)
}

// queryRow returns the only row of a query, as text.
func queryRow(ctx context.Context, conn *pgconn.PgConn, query string) (row []string, err error) {
	results, err := conn.Exec(ctx, query).ReadAll()
	if err != nil {
		return nil, err
	}
	if len(results) != 1 || len(results[0].Rows) != 1 {
		return nil, errors.New("not one row")
	}
	for _, value := range results[0].Rows[0] {
		row = append(row, string(value))
	}
	return row, nil
}

// admit records a connection, or returns an error if its primary was superseded. If the connection is the first one to
// a new timeline, the connections to older ones are closed: a commit that waits for a standby on such a connection
// would never end.
func (h *Hosts) admit(conn *pgconn.PgConn, timeline int64) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	for old, of := range h.open {
		select {
		case <-old.CleanupDone():
			delete(h.open, old)
		default:
			if of < timeline {
				abandon(old)
			}
		}
	}
	if timeline < h.newest {
		return fmt.Errorf("this server is on timeline %d, but a standby was promoted to timeline %d: "+
			"it must not be used again before it was rebuilt as a standby", timeline, h.newest)
	}
	h.newest = timeline
	h.open[conn] = timeline
	return nil
}

// abandon closes the socket of a connection, so that its user gets an error. It sends nothing, so it does not wait.
func abandon(conn *pgconn.PgConn) {
	socket := conn.Conn()
	if encrypted, ok := socket.(*tls.Conn); ok {
		socket = encrypted.NetConn()
	}
	_ = socket.Close()
}

// watch surveys the hosts regularly until ctx is done. It finds a promoted standby even while the former primary still
// responds, or its machine is silent.
func (h *Hosts) watch(ctx context.Context) {
	defer close(h.done)
	h.survey(ctx)
	close(h.surveyed)
	tick := time.NewTicker(surveyInterval)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			h.survey(ctx)
		}
	}
}

// survey connects to each host to find the newest timeline and its primary. It skips a host that does not respond.
func (h *Hosts) survey(ctx context.Context) {
	var each sync.WaitGroup
	for _, single := range h.singles {
		each.Go(func() {
			conn, err := pgconn.ConnectConfig(ctx, single)
			if err != nil {
				return
			}
			h.mu.Lock()
			if h.open[conn] == h.newest {
				h.primary = single
			}
			h.mu.Unlock()
			_ = conn.Close(ctx)
		})
	}
	each.Wait()
}

// Close ends the watch of the hosts.
func (h *Hosts) Close() {
	h.stop()
	if h.done != nil {
		<-h.done
	}
}

// Unreplicated returns the number of commits that a primary reported although the wait for its standby was canceled.
func (h *Hosts) Unreplicated() int64 { return h.unreplicated.Load() }

// Several reports whether the URL names more than one host.
func (h *Hosts) Several() bool { return len(h.singles) > 1 }

// Unavailable reports whether PostgreSQL can't be reached: the connection is refused or broke, nothing was answered
// before the caller's deadline, or the server is starting or stopping (SQLSTATE classes 08 and 57P), is a standby
// (25006) or has too many connections (53300).
func Unavailable(err error) bool {
	var refused *pgconn.ConnectError
	var network *net.OpError
	var failure *pgconn.PgError
	if errors.As(err, &failure) {
		return strings.HasPrefix(failure.Code, "08") || strings.HasPrefix(failure.Code, "57P") ||
			failure.Code == "25006" || failure.Code == "53300"
	}
	return errors.As(err, &refused) || errors.As(err, &network) || errors.Is(err, context.DeadlineExceeded) ||
		errors.Is(err, driver.ErrBadConn) || errors.Is(err, io.ErrUnexpectedEOF) || pgconn.SafeToRetry(err)
}
