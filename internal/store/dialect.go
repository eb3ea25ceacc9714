package store

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing/fstest"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/pressly/goose/v3"
	sqlite "modernc.org/sqlite"

	"moonfund/internal/store/hosts"
	"moonfund/internal/store/stmtcache"
)

//go:embed migrations
var embedded embed.FS

// migrations has the folder of the migrations.
var migrations fs.FS = embedded

// UseMigrations replaces this program's migrations until restore is called. Only tests of an upgrade call it.
func UseMigrations(files fs.FS) (restore func()) {
	present := migrations
	migrations = files
	return func() { migrations = present }
}

// Migrations returns the files of this program's migrations.
func Migrations() fs.FS { return migrations }

// dialect holds the differences between SQLite and PostgreSQL.
type dialect struct {
	goose         goose.Dialect
	schema        func(sql string) string // translates a migration
	isRetryable   func(error) bool        // the transaction may be retried
	isUnavailable func(error) bool        // the database can't be reached
	shared        bool                    // several servers may work on one database
	view          sql.TxOptions           // a read-only transaction on one snapshot
	columns       string                  // query for the table, name and type of every column, in order
	queue         string                  // serializes write transactions; "" if the database always does
	place         string                  // file of the database, or address of PostgreSQL, for messages
	analyze       string                  // updates the statistics that the plans of queries depend on; "" if none do
}

// storageOption is a statement that sets how PostgreSQL stores a table. SQLite has none.
var storageOption = regexp.MustCompile(`(?m)^ALTER TABLE \w+ SET \(.*\);\n`)

var sqliteEngine = dialect{
	goose: goose.DialectSQLite3,
	schema: func(text string) string {
		return strings.NewReplacer("BIGINT", "INTEGER", "BYTEA", "BLOB", "\n);", "\n) STRICT;",
			"\n) /* clustered */;", "\n) STRICT, WITHOUT ROWID;").Replace(storageOption.ReplaceAllString(text, ""))
	},
	isRetryable: func(err error) bool {
		var busy *sqlite.Error
		return errors.As(err, &busy) && busy.Code()&0xff == 5 // SQLITE_BUSY
	},
	isUnavailable: func(error) bool { return false }, // the database is part of this process
	view:          sql.TxOptions{ReadOnly: true},
	columns: `SELECT t.name, c.name, c.type FROM pragma_table_list t JOIN pragma_table_info(t.name) c
		WHERE t.schema = 'main' AND t.type = 'table' AND t.name NOT LIKE 'sqlite%' ORDER BY t.name, c.cid`,
}

// postgresEngine allows one write transaction at a time, as SQLite does: rows that a transaction has read are unchanged
// when it commits. The lock is released at the end of the transaction.
var postgresEngine = dialect{
	goose: goose.DialectPostgres,
	// Compare text by its bytes, as SQLite does, whatever the cluster's locale.
	schema: func(text string) string {
		return strings.ReplaceAll(text, " TEXT NOT NULL", ` TEXT COLLATE "C" NOT NULL`)
	},
	isRetryable: func(err error) bool {
		var failure *pgconn.PgError
		return errors.As(err, &failure) && (failure.Code == "40001" || failure.Code == "40P01") // serialization, deadlock
	},
	isUnavailable: hosts.Unavailable,
	shared:        true,
	view:          sql.TxOptions{ReadOnly: true, Isolation: sql.LevelRepeatableRead},
	columns: `SELECT c.table_name, c.column_name, c.data_type FROM information_schema.columns c
		JOIN information_schema.tables t
			ON t.table_schema = c.table_schema AND t.table_name = c.table_name AND t.table_type = 'BASE TABLE'
		WHERE c.table_schema = current_schema() ORDER BY c.table_name COLLATE "C", c.ordinal_position`,
	// The message makes the commit wait for the disk and for a synchronous standby even if the transaction changes
	// nothing. Otherwise its result may come from a commit that is not on the standby, if the primary was restarted
	// meanwhile.
	queue:   `SELECT pg_advisory_xact_lock(1), pg_logical_emit_message(true, 'moonfund', '')`,
	analyze: `ANALYZE custody, unit, payment, payment_order, tracked, tracked_input, epoch_input, epoch_reward, journal`,
}

// ends reports whether an error ends a transaction, whatever was undone in it.
func (d dialect) ends(err error) bool { return d.isRetryable(err) || d.isUnavailable(err) }

// unreachable wraps an error of a database that can't be reached.
type unreachable struct{ error }

// Unwrap returns the wrapped error.
func (e unreachable) Unwrap() error { return e.error }

// Unavailable makes fault.From return an Unavailable error, which says that the caller may retry later.
func (unreachable) Unavailable() bool { return true }

// reached adds advice to an error of the database. It wraps err in unreachable if it means that the database can't be
// reached.
func (d dialect) reached(err error) error {
	if err != nil && d.isUnavailable(err) {
		return unreachable{Advise(err, d.place)}
	}
	return Advise(err, d.place)
}

// unstorable reports whether PostgreSQL rejected a text that it can't store. No row contains such a text.
func unstorable(err error) bool {
	var failure *pgconn.PgError
	return errors.As(err, &failure) && failure.Code == "22021" // a zero byte, or invalid UTF-8
}

// connect opens a database at a URL, "sqlite:PATH" or "postgres://…".
func connect(address string) (*Store, error) {
	if path, isSQLite := strings.CutPrefix(address, "sqlite:"); isSQLite {
		return connectSQLite(path)
	}
	if strings.HasPrefix(address, "postgres://") || strings.HasPrefix(address, "postgresql://") {
		return connectPostgres(address)
	}
	return nil, errors.New(`the database must be "sqlite:PATH" or "postgres://…"`)
}

// maxReaders is the maximum number of read connections of SQLite. They stay open because opening a connection takes
// longer than most reads.
const maxReaders = 32

// Sizes of the page caches of SQLite's connections, in KiB. SQLite's allocator uses twice as much memory for them. With
// 64 MB for the writer, closing an epoch takes as long as with 32 MB.
const (
	readerCache = 4_000
	writerCache = 32_000
)

// connectSQLite opens one write connection, because several would only wait for each other, and up to maxReaders read
// connections, whose transactions read the last commit before their begin.
func connectSQLite(path string) (*Store, error) {
	// Create the file with access for its owner only. If that fails, SQLite reports the reason below.
	if file, err := os.OpenFile(path, os.O_CREATE|os.O_RDONLY, 0o600); err == nil {
		_ = file.Close()
	}
	pragmas := func(cacheKiB int) string {
		return url.Values{"_pragma": {
			"journal_mode(WAL)", "synchronous(FULL)", "busy_timeout(10000)", "foreign_keys(1)",
			fmt.Sprintf("cache_size(-%d)", cacheKiB),
		}}.Encode()
	}
	reading := pragmas(readerCache) + "&_pragma=query_only(1)"
	// A transaction of up to 16 MB stays in memory until its commit.
	writing := pragmas(writerCache) + "&_pragma=cache_spill(-16000)&_txlock=immediate"
	writer, err := stmtcache.Open("file:" + path + "?" + writing)
	if err != nil {
		return nil, err
	}
	writer.SetMaxOpenConns(1)
	reader, err := stmtcache.Open("file:" + path + "?" + reading)
	if err != nil {
		return nil, errors.Join(err, writer.Close())
	}
	reader.SetMaxOpenConns(maxReaders)
	reader.SetMaxIdleConns(maxReaders)
	engine := sqliteEngine
	engine.place = path
	return &Store{writer: writer, reader: reader, direct: writer, engine: engine}, nil
}

// idleLimit is the time after which PostgreSQL ends the open transaction of a server that stopped, so that other
// servers can write.
const idleLimit = "10s"

// randomPageCost makes PostgreSQL look rows up by index. With its default of 4, for rotating disks without a cache, it
// reads whole tables of up to some megabytes to find a few rows, in every block.
const randomPageCost = "1.1"

// Maximum numbers of connections of a server to PostgreSQL. docs/performance.md says why.
const (
	writers = 2 // updates use one at a time, a migration two
	readers = 16
	directs = 2
)

// connectPostgres opens separate pools of connections for updates, reads and the lease, so that waiting updates delay
// neither reads nor the lease.
func connectPostgres(address string) (*Store, error) {
	config, err := pgx.ParseConfig(address)
	if err != nil {
		return nil, errors.New("the database's address can't be read") // the cause may contain the password
	}
	h := hosts.New(config, map[string]string{
		"idle_in_transaction_session_timeout": idleLimit, "application_name": "moonfund",
		"random_page_cost": randomPageCost,
	})
	engine := postgresEngine
	engine.place = fmt.Sprintf("%s:%d", config.Host, config.Port)
	return &Store{writer: h.Pool(writers), reader: h.Pool(readers), direct: h.Pool(directs), hosts: h, engine: engine}, nil
}

// reachable returns an error if the database can't be reached or acknowledges commits before they are on disk: if a
// crash lost a payout, the payout could be paid twice.
func (s *Store) reachable(ctx context.Context) error {
	if err := s.direct.PingContext(ctx); err != nil {
		if strings.Contains(err.Error(), "unsupported startup parameter") { // PgBouncer's words
			return fmt.Errorf("%w: %w", errPooler, err)
		}
		return fmt.Errorf("the database can't be opened: %w", err)
	}
	if s.hosts == nil {
		return nil
	}
	const probe = "random_page_cost"
	var got float64
	if err := s.direct.QueryRowContext(ctx, "SELECT CAST(current_setting('"+probe+"') AS DOUBLE PRECISION)").Scan(
		&got); err != nil {
		return wrap(err)
	}
	if asked, err := strconv.ParseFloat(s.hosts.Setting(probe), 64); err == nil && got != asked {
		return errPooler
	}
	return nil
}

// errPooler is returned for a connection that does not keep the settings of its session. Leases, locks and limits
// belong to a session, so two servers could lead behind such a pooler.
var errPooler = errors.New("the address of the database leads to a pooler such as PgBouncer in transaction mode: " +
	"name PostgreSQL itself, or a pooler in session mode that passes every startup parameter")

// migrate updates the schema to this program's version.
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

// ErrOlder is returned for a ledger of an earlier version of the program.
var ErrOlder = errors.New("the ledger must be migrated")

// agrees returns an error unless the database has this program's schema.
func (s *Store) agrees(ctx context.Context) error {
	_, current, target, err := s.versions(ctx)
	switch {
	case err != nil:
		return err
	case current == 0:
		return fmt.Errorf("%w: `moonfund init` creates one", ErrNoLedger)
	case current < target:
		return fmt.Errorf("%w: it has schema %d, older than this program's %d. Stop the server and run `moonfund ledger "+
			"upgrade`, which makes a backup first, or use the moonfund that serves it", ErrOlder, current, target)
	}
	return nil
}

// versions returns the schema versions of the database and of this program. It returns an error if the database's
// version is newer.
func (s *Store) versions(ctx context.Context) (provider *goose.Provider, current, target int64, err error) {
	if provider, err = s.provider(); err != nil {
		return nil, 0, 0, err
	}
	if current, target, err = provider.GetVersions(ctx); err != nil {
		return nil, 0, 0, fmt.Errorf("store: the schema's version: %w", err)
	}
	if current > target {
		return nil, 0, 0, fmt.Errorf("the database has schema %d, newer than this program's %d: use a newer moonfund",
			current, target)
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

// alone locks the schema against other servers until done is called.
func (s *Store) alone(ctx context.Context) (done func(), err error) {
	if !s.engine.shared {
		return func() {}, nil
	}
	held, err := s.direct.Conn(ctx)
	if err != nil {
		return nil, fmt.Errorf("store: %w", err)
	}
	if _, err := held.ExecContext(ctx, `SELECT pg_advisory_lock(2)`); err != nil {
		return nil, errors.Join(fmt.Errorf("store: %w", err), held.Close())
	}
	return func() {
		// If this fails, the lock ends with the connection.
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
		text, err := fs.ReadFile(migrations, "migrations/"+entry.Name())
		if err != nil {
			return nil, err
		}
		translated[entry.Name()] = &fstest.MapFile{Data: []byte(e.schema(string(text)))}
	}
	return translated, nil
}
