package store

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"strings"
	"testing/fstest"

	"github.com/jackc/pgx/v5/pgconn"
	_ "github.com/jackc/pgx/v5/stdlib" // the "pgx" driver
	"github.com/pressly/goose/v3"
	sqlite "modernc.org/sqlite"
)

//go:embed migrations/*.sql
var migrations embed.FS

// engine is what SQLite and PostgreSQL do differently.
type engine struct {
	dialect goose.Dialect
	schema  func(sql string) string
	again   func(error) bool // the transaction may be tried again
}

var sqliteEngine = engine{
	dialect: goose.DialectSQLite3,
	schema: func(text string) string {
		return strings.NewReplacer("BIGINT", "INTEGER", "BYTEA", "BLOB", "\n);", "\n) STRICT;").Replace(text)
	},
	again: func(err error) bool {
		var busy *sqlite.Error
		return errors.As(err, &busy) && busy.Code()&0xff == 5 // SQLITE_BUSY
	},
}

var postgresEngine = engine{
	dialect: goose.DialectPostgres,
	schema:  func(text string) string { return text },
	again: func(err error) bool {
		var failure *pgconn.PgError
		return errors.As(err, &failure) && (failure.Code == "40001" || failure.Code == "40P01")
	},
}

// connect opens a database. SQLite gets one writing connection, since several
// only wait for each other, and readers beside it that see the last commit.
func connect(address string) (*Store, error) {
	path, isSQLite := strings.CutPrefix(address, "sqlite:")
	if !isSQLite {
		if !strings.HasPrefix(address, "postgres://") && !strings.HasPrefix(address, "postgresql://") {
			return nil, errors.New(`the database must be "sqlite:PATH" or "postgres://…"`)
		}
		db, err := sql.Open("pgx", address)
		if err != nil {
			return nil, errors.New("the database's address can't be read") // the cause may hold its password
		}
		reader, err := sql.Open("pgx", address)
		return &Store{writer: db, reader: reader, engine: postgresEngine}, err
	}
	pragmas := url.Values{"_pragma": {"journal_mode(WAL)", "synchronous(FULL)", "busy_timeout(10000)", "foreign_keys(1)"}}
	reading := pragmas.Encode() + "&_pragma=query_only(1)"
	writing := pragmas.Encode() + "&_txlock=immediate"
	writer, err := sql.Open("sqlite", "file:"+path+"?"+writing)
	if err != nil {
		return nil, err
	}
	writer.SetMaxOpenConns(1)
	reader, err := sql.Open("sqlite", "file:"+path+"?"+reading)
	return &Store{writer: writer, reader: reader, engine: sqliteEngine}, err
}

// migrate brings the schema up to this program's version.
func (s *Store) migrate(ctx context.Context) error {
	files, err := s.engine.files()
	if err != nil {
		return err
	}
	provider, err := goose.NewProvider(s.engine.dialect, s.writer, files)
	if err != nil {
		return fmt.Errorf("store: migrations: %w", err)
	}
	current, target, err := provider.GetVersions(ctx)
	if err != nil {
		return fmt.Errorf("store: the schema's version: %w", err)
	}
	if current > target {
		return fmt.Errorf("the database has schema %d, newer than this program's %d: use a newer moonfund", current, target)
	}
	if _, err := provider.Up(ctx); err != nil {
		return fmt.Errorf("store: migration: %w", err)
	}
	return nil
}

func (e engine) files() (fs.FS, error) {
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
