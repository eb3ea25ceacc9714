package engine

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"sync"

	"github.com/jackc/pgx/v5/stdlib"

	"moonfund/internal/store/hosts"
	"moonfund/internal/store/stmtcache"
)

func init() {
	hosts.KeepConnections(keepPostgres)
	stmtcache.KeepConnections(keepSQLite)
}

// keptAtMost is the number of idle connections with the same settings that a database keeps. A server uses at most 20
// of PostgreSQL.
const keptAtMost = 20

// idle holds the connections of closed servers, by their settings. A new connection reads the schema, plans every
// statement again, and is a new process of PostgreSQL. This takes longer than most tests.
type idle struct {
	sync.Mutex
	conns map[string][]kept
}

// kept is a connection that stays open for the next server.
type kept interface {
	driver.Conn
	driver.Validator // whether the connection can be used
	end() error      // closes the connection
}

// take returns an idle connection, or nil.
func (i *idle) take(settings string) kept {
	i.Lock()
	defer i.Unlock()
	for n := len(i.conns[settings]) - 1; n >= 0; n-- {
		c := i.conns[settings][n]
		i.conns[settings] = i.conns[settings][:n]
		if c.IsValid() {
			return c
		}
		_ = c.end() // it is broken
	}
	return nil
}

// give keeps an idle connection, or closes it if there are enough.
func (i *idle) give(settings string, c kept) error {
	i.Lock()
	defer i.Unlock()
	if len(i.conns[settings]) >= keptAtMost {
		return c.end()
	}
	if i.conns == nil {
		i.conns = map[string][]kept{}
	}
	i.conns[settings] = append(i.conns[settings], c)
	return nil
}

// end closes the idle connections.
func (i *idle) end() {
	i.Lock()
	defer i.Unlock()
	for settings, conns := range i.conns {
		for _, c := range conns {
			_ = c.end() // nothing uses it
		}
		delete(i.conns, settings)
	}
}

// keeping is a connector that reuses idle connections.
type keeping struct {
	driver.Connector
	idle     *idle
	settings string
	wrap     func(driver.Conn, keeping) (kept, bool)
}

// Connect implements driver.Connector.
func (k keeping) Connect(ctx context.Context) (driver.Conn, error) {
	if c := k.idle.take(k.settings); c != nil {
		return c, nil
	}
	opened, err := k.Connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	c, ok := k.wrap(opened, k)
	if !ok {
		return nil, errors.Join(fmt.Errorf("engine: %T lacks methods", opened), opened.Close())
	}
	return c, nil
}

// keepPostgres returns a connector that reuses connections to a lent database, and c for other databases.
func keepPostgres(address, settings string, c driver.Connector) driver.Connector {
	l := lentAt(address)
	if l == nil {
		return c
	}
	return keeping{c, &l.idle, settings, func(c driver.Conn, by keeping) (kept, bool) {
		base, ok := c.(*stdlib.Conn)
		return &keptPostgres{base, by}, ok
	}}
}

// keptPostgres is a connection to PostgreSQL.
type keptPostgres struct {
	*stdlib.Conn
	by keeping
}

// IsValid implements driver.Validator.
func (c *keptPostgres) IsValid() bool {
	conn := c.Conn.Conn()
	return !conn.IsClosed() && conn.PgConn().TxStatus() == 'I'
}

// Close implements driver.Conn. It closes a connection that is broken or in a transaction. It releases the locks of the
// session, as the end of the connection would.
func (c *keptPostgres) Close() error {
	if !c.IsValid() {
		return c.end()
	}
	if _, err := c.Conn.Conn().Exec(context.Background(), `SELECT pg_advisory_unlock_all()`); err != nil {
		return c.end()
	}
	return c.by.idle.give(c.by.settings, c)
}

func (c *keptPostgres) end() error { return c.Conn.Close() }

// keepSQLite returns a connector that reuses connections to a lent file, and c for other files.
func keepSQLite(dsn string, c driver.Connector) driver.Connector {
	f := lentFileOf(dsn)
	if f == nil {
		return c
	}
	return keeping{c, &f.idle, dsn, func(c driver.Conn, by keeping) (kept, bool) {
		base, ok := c.(sqliteConn)
		return &keptSQLite{base, by}, ok
	}}
}

// sqliteConn has the methods of a connection to SQLite that database/sql uses.
type sqliteConn interface {
	driver.Conn
	driver.ConnBeginTx
	driver.ConnPrepareContext
	driver.ExecerContext
	driver.QueryerContext
	driver.Pinger
	driver.SessionResetter
	driver.Validator
}

// keptSQLite is a connection to SQLite.
type keptSQLite struct {
	sqliteConn
	by keeping
}

// Close implements driver.Conn. It ends a transaction that is still open.
func (c *keptSQLite) Close() error {
	if !c.IsValid() {
		return c.end()
	}
	_, _ = c.ExecContext(context.Background(), `ROLLBACK`, nil) // usually there is no transaction
	return c.by.idle.give(c.by.settings, c)
}

func (c *keptSQLite) end() error { return c.sqliteConn.Close() }
