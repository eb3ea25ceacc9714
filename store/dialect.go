package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/url"
	"os"
	"strings"
	"testing/fstest"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
	sqlite "modernc.org/sqlite"
)

//go:embed migrations/*.sql
var migrations embed.FS

// dialect is what SQLite and PostgreSQL do differently.
type dialect struct {
	goose   goose.Dialect
	schema  func(sql string) string
	again   func(error) bool // the transaction may be tried again
	away    func(error) bool // the database can't be reached
	shared  bool             // several servers may work on one database
	view    sql.TxOptions    // one consistent state, and no change
	columns string           // table, column and type of everything, in order
	queue   string           // makes writing transactions wait for each other; "" where they do anyway
}

var sqliteEngine = dialect{
	goose: goose.DialectSQLite3,
	schema: func(text string) string {
		return strings.NewReplacer("BIGINT", "INTEGER", "BYTEA", "BLOB", "\n);", "\n) STRICT;", "\n) /* clustered */;", "\n) STRICT, WITHOUT ROWID;").Replace(text)
	},
	again: func(err error) bool {
		var busy *sqlite.Error
		return errors.As(err, &busy) && busy.Code()&0xff == 5 // SQLITE_BUSY
	},
	away: func(error) bool { return false }, // it is part of this process
	view: sql.TxOptions{ReadOnly: true},
	columns: `SELECT t.name, c.name, c.type FROM pragma_table_list t JOIN pragma_table_info(t.name) c
		WHERE t.schema = 'main' AND t.type = 'table' AND t.name NOT LIKE 'sqlite%' ORDER BY t.name, c.cid`,
}

// One writing transaction at a time, as on SQLite: what a transaction decides from
// what it read still holds when it commits. The lock ends with the transaction.
var postgresEngine = dialect{
	goose: goose.DialectPostgres,
	// Texts compare by their bytes, whatever the cluster's locale, as they do on SQLite.
	schema: func(text string) string {
		return strings.ReplaceAll(text, " TEXT NOT NULL", ` TEXT COLLATE "C" NOT NULL`)
	},
	again: func(err error) bool {
		var failure *pgconn.PgError
		return errors.As(err, &failure) && (failure.Code == "40001" || failure.Code == "40P01") // serialization, deadlock
	},
	away:   postgresAway,
	shared: true,
	view:   sql.TxOptions{ReadOnly: true, Isolation: sql.LevelRepeatableRead},
	columns: `SELECT c.table_name, c.column_name, c.data_type FROM information_schema.columns c
		JOIN information_schema.tables t ON t.table_schema = c.table_schema AND t.table_name = c.table_name AND t.table_type = 'BASE TABLE'
		WHERE c.table_schema = current_schema() ORDER BY c.table_name COLLATE "C", c.ordinal_position`,
	queue: `SELECT pg_advisory_xact_lock(1)`,
}

// postgresAway reports that PostgreSQL can't be reached: nobody listens, the connection broke, or the server is starting
// or stopping (SQLSTATE classes 08 and 57P).
func postgresAway(err error) bool {
	var refused *pgconn.ConnectError
	var network *net.OpError
	var failure *pgconn.PgError
	if errors.As(err, &failure) {
		return strings.HasPrefix(failure.Code, "08") || strings.HasPrefix(failure.Code, "57P")
	}
	return errors.As(err, &refused) || errors.As(err, &network) ||
		errors.Is(err, driver.ErrBadConn) || errors.Is(err, io.ErrUnexpectedEOF)
}

// unreachable is the error of a database that can't be reached.
type unreachable struct{ error }

func (e unreachable) Unwrap() error { return e.error }

// Unavailable makes the error known to package fault: the caller may try again later.
func (unreachable) Unavailable() bool { return true }

// reached marks an error of a database that can't be reached.
func (d dialect) reached(err error) error {
	if err != nil && d.away(err) {
		return unreachable{err}
	}
	return err
}

// unstorable reports that the database can't hold a text: then no row has it.
func unstorable(err error) bool {
	var failure *pgconn.PgError
	return errors.As(err, &failure) && failure.Code == "22021" // a zero byte, or no UTF-8
}

// connect opens a database.
func connect(address string) (*Store, error) {
	if path, isSQLite := strings.CutPrefix(address, "sqlite:"); isSQLite {
		return connectSQLite(path)
	}
	if strings.HasPrefix(address, "postgres://") || strings.HasPrefix(address, "postgresql://") {
		return connectPostgres(address)
	}
	return nil, errors.New(`the database must be "sqlite:PATH" or "postgres://…"`)
}

// mostReaders bounds the reading connections of SQLite: to open one costs more than most questions.
const mostReaders = 32

// besideReaders are the connections for everything else that reads: the lease, backups, and whether the database answers.
const besideReaders = 4

// connectSQLite makes one writing connection, since several only wait for each
// other, and readers beside it that see the last commit.
func connectSQLite(path string) (*Store, error) {
	sharePages()
	// The rest of the machine has no business in a ledger. What can't be made here SQLite says itself.
	if file, err := os.OpenFile(path, os.O_CREATE|os.O_RDONLY, 0o600); err == nil {
		_ = file.Close()
	}
	pragmas := func(cacheKiB int) string {
		return url.Values{"_pragma": {
			"journal_mode(WAL)", "synchronous(FULL)", "busy_timeout(10000)", "foreign_keys(1)", fmt.Sprintf("cache_size(-%d)", cacheKiB),
		}}.Encode()
	}
	reading := pragmas(16_000) + "&_pragma=query_only(1)"
	// Closing an epoch moves through large indices, and sorts within as much once more. What is smaller stays in memory until
	// its commit, also while readers fill the block of pages.
	writing := pragmas(64_000) + "&_pragma=cache_spill(-16000)&_txlock=immediate"
	writer, err := sql.Open("sqlite", "file:"+path+"?"+writing)
	if err != nil {
		return nil, err
	}
	writer.SetMaxOpenConns(1)
	reader, err := sql.Open("sqlite", "file:"+path+"?"+reading)
	if err != nil {
		return nil, errors.Join(err, writer.Close())
	}
	reader.SetMaxOpenConns(mostReaders + besideReaders)
	reader.SetMaxIdleConns(mostReaders)
	return &Store{writer: writer, reader: reader, aside: writer, engine: sqliteEngine}, err
}

// idleLimit ends the transaction of a server that stopped in the midst of it, so
// that another can go on.
const idleLimit = "10s"

// connectPostgres makes three pools: what waits for its turn to write must hold
// up neither reads nor the lease.
func connectPostgres(address string) (*Store, error) {
	config, err := pgx.ParseConfig(address)
	if err != nil {
		return nil, errors.New("the database's address can't be read") // the cause may hold its password
	}
	for name, value := range map[string]string{"idle_in_transaction_session_timeout": idleLimit, "application_name": "moonfund"} {
		if config.RuntimeParams[name] == "" {
			config.RuntimeParams[name] = value
		}
	}
	pool := func(most int) *sql.DB {
		db := stdlib.OpenDB(*config)
		db.SetMaxOpenConns(most)
		db.SetMaxIdleConns(most)
		db.SetConnMaxIdleTime(time.Minute)
		return db
	}
	return &Store{writer: pool(8), reader: pool(16), aside: pool(2), engine: postgresEngine}, nil
}

// durable refuses a database that can't be reached, or that answers before a
// commit is on disk: what it forgets in a crash could be paid a second time.
func (s *Store) durable(ctx context.Context) error {
	if err := s.aside.PingContext(ctx); err != nil {
		return fmt.Errorf("the database can't be opened: %w", err)
	}
	if !s.engine.shared {
		return nil
	}
	var setting string
	if err := s.aside.QueryRowContext(ctx, `SHOW synchronous_commit`).Scan(&setting); err != nil {
		return fmt.Errorf("store: %w", err)
	}
	if setting == "off" {
		return errors.New("the database forgets commits in a crash: its synchronous_commit is off, and must be on")
	}
	return nil
}

// migrate brings the schema up to this program's version.
func (s *Store) migrate(ctx context.Context) error {
	done, err := s.alone(ctx)
	if err != nil {
		return err
	}
	defer done()
	provider, _, _, err := s.versions(ctx)
	if err != nil {
		return err
	}
	if _, err := provider.Up(ctx); err != nil {
		return fmt.Errorf("store: migration: %w", err)
	}
	return nil
}

// agrees refuses a database whose schema is not this program's.
func (s *Store) agrees(ctx context.Context) error {
	_, current, target, err := s.versions(ctx)
	switch {
	case err != nil:
		return err
	case current == 0:
		return fmt.Errorf("%w: `moonfund init` makes one", ErrNoLedger)
	case current < target:
		return fmt.Errorf("the database has schema %d, older than this program's %d: use the moonfund that serves it, or serve it with this one first, which brings it up", current, target)
	}
	return nil
}

// versions are the schema's that the database has and that this program has; one that is newer than the program's is refused.
func (s *Store) versions(ctx context.Context) (provider *goose.Provider, current, target int64, err error) {
	if provider, err = s.provider(); err != nil {
		return nil, 0, 0, err
	}
	if current, target, err = provider.GetVersions(ctx); err != nil {
		return nil, 0, 0, fmt.Errorf("store: the schema's version: %w", err)
	}
	if current > target {
		return nil, 0, 0, fmt.Errorf("the database has schema %d, newer than this program's %d: use a newer moonfund", current, target)
	}
	return provider, current, target, nil
}

func (s *Store) provider() (*goose.Provider, error) {
	files, err := s.engine.files()
	if err != nil {
		return nil, err
	}
	provider, err := goose.NewProvider(s.engine.goose, s.writer, files)
	if err != nil {
		return nil, fmt.Errorf("store: migrations: %w", err)
	}
	return provider, nil
}

// alone keeps other servers from changing the schema at the same time.
func (s *Store) alone(ctx context.Context) (done func(), err error) {
	if !s.engine.shared {
		return func() {}, nil
	}
	held, err := s.aside.Conn(ctx)
	if err != nil {
		return nil, fmt.Errorf("store: %w", err)
	}
	if _, err := held.ExecContext(ctx, `SELECT pg_advisory_lock(2)`); err != nil {
		return nil, errors.Join(fmt.Errorf("store: %w", err), held.Close())
	}
	return func() {
		// Failing that, the lock ends with the connection.
		_, _ = held.ExecContext(context.WithoutCancel(ctx), `SELECT pg_advisory_unlock(2)`)
		_ = held.Close()
	}, nil
}

func (e dialect) files() (fs.FS, error) {
	translated := fstest.MapFS{}
	entries, err := fs.ReadDir(migrations, "migrations")
	if err != nil {
		return nil, err
	}
	for _, entry := range entries {
		text, err := migrations.ReadFile("migrations/" + entry.Name())
		if err != nil {
			return nil, err
		}
		translated[entry.Name()] = &fstest.MapFile{Data: []byte(e.schema(string(text)))}
	}
	return translated, nil
}
