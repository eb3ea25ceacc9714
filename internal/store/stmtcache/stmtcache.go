// Package stmtcache opens SQLite databases whose connections keep the statements that they have parsed. SQLite's driver
// parses and plans the text of a statement at each execution, which often takes longer than the execution.
package stmtcache

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"strings"

	"modernc.org/sqlite"
)

// maxIdle is the maximum number of statements that a connection keeps. The product has about 400 statements, and the
// lists of package store some sizes of each.
const maxIdle = 1024

// keep returns the connector of a database.
var keep = func(_ string, c driver.Connector) driver.Connector { return c }

// KeepConnections makes databases use the connectors that fn returns. Only tests call it: they keep connections for the
// next server.
func KeepConnections(fn func(dsn string, c driver.Connector) driver.Connector) { keep = fn }

// Open returns a database like sql.Open("sqlite", dsn).
func Open(dsn string) (*sql.DB, error) {
	base, err := sqlite.NewConnector(dsn)
	if err != nil {
		return nil, err
	}
	return sql.OpenDB(keep(dsn, connector{base})), nil
}

type connector struct{ driver.Connector }

// Connect implements driver.Connector.
func (c connector) Connect(ctx context.Context) (driver.Conn, error) {
	opened, err := c.Connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	base, ok := opened.(baseConn)
	if !ok {
		return nil, errors.Join(fmt.Errorf("stmtcache: %T lacks methods", opened), opened.Close())
	}
	return &conn{baseConn: base, idle: map[string]stmt{}}, nil
}

// baseConn has the methods of the driver's connection that database/sql uses.
type baseConn interface {
	driver.Conn
	driver.ConnBeginTx
	driver.ConnPrepareContext
	driver.ExecerContext
	driver.QueryerContext
	driver.Pinger
	driver.SessionResetter
	driver.Validator
}

// stmt is a parsed statement of the driver.
type stmt interface {
	driver.Stmt
	driver.StmtExecContext
	driver.StmtQueryContext
}

// conn is a connection with the parsed statements that are not in use. One goroutine at a time uses it, as database/sql
// guarantees for every driver.Conn.
type conn struct {
	baseConn
	idle map[string]stmt // by text
}

// Close implements driver.Conn. SQLite keeps the file open until the last statement is closed.
func (c *conn) Close() error { return errors.Join(c.forget(), c.baseConn.Close()) }

// forget closes the idle statements.
func (c *conn) forget() (err error) {
	for text, s := range c.idle {
		err = errors.Join(err, s.Close())
		delete(c.idle, text)
	}
	return err
}

// isScript reports whether a text may contain several statements, which the driver parses one after the other.
func isScript(text string) bool { return strings.Contains(text, ";") }

// take returns the parsed statement of a text, and parses it if the connection has none or if it is in use. The caller
// must call keep, or close the statement.
func (c *conn) take(ctx context.Context, text string) (stmt, error) {
	if s, ok := c.idle[text]; ok {
		delete(c.idle, text)
		return s, nil
	}
	parsed, err := c.PrepareContext(ctx, text)
	if err != nil {
		return nil, err
	}
	s, ok := parsed.(stmt)
	if !ok {
		return nil, errors.Join(fmt.Errorf("stmtcache: %T lacks methods", parsed), parsed.Close())
	}
	return s, nil
}

// keep makes a statement available for the next execution of its text.
func (c *conn) keep(text string, s stmt) error {
	if _, ok := c.idle[text]; ok {
		return s.Close() // it was executed twice at the same time
	}
	if len(c.idle) >= maxIdle {
		if err := c.forget(); err != nil {
			return errors.Join(err, s.Close())
		}
	}
	c.idle[text] = s
	return nil
}

// ExecContext implements driver.ExecerContext.
func (c *conn) ExecContext(ctx context.Context, text string, args []driver.NamedValue) (driver.Result, error) {
	if isScript(text) {
		return c.baseConn.ExecContext(ctx, text, args)
	}
	s, err := c.take(ctx, text)
	if err != nil {
		return nil, err
	}
	result, err := s.ExecContext(ctx, args)
	if err != nil {
		_ = s.Close() // it fails with the error of the execution
		return nil, err
	}
	return result, c.keep(text, s)
}

// QueryContext implements driver.QueryerContext.
func (c *conn) QueryContext(ctx context.Context, text string, args []driver.NamedValue) (driver.Rows, error) {
	if isScript(text) {
		return c.baseConn.QueryContext(ctx, text, args)
	}
	s, err := c.take(ctx, text)
	if err != nil {
		return nil, err
	}
	found, err := s.QueryContext(ctx, args)
	if err != nil {
		_ = s.Close() // it fails with the error of the query
		return nil, err
	}
	return &rows{Rows: found, conn: c, text: text, stmt: s}, nil
}

// rows are the results of a statement that is kept after them.
type rows struct {
	driver.Rows
	conn *conn
	text string
	stmt stmt // nil after Close
}

// Close implements driver.Rows.
func (r *rows) Close() error {
	if r.stmt == nil {
		return nil
	}
	s := r.stmt
	r.stmt = nil
	if err := r.Rows.Close(); err != nil {
		_ = s.Close() // it fails with the error of the rows
		return err
	}
	return r.conn.keep(r.text, s)
}
