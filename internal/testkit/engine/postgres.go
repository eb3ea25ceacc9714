package engine

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// cluster is a PostgreSQL cluster in a temporary folder, for one test program. It listens only on a Unix socket, runs
// as an unprivileged user, and exits with the program, even after a crash.
type cluster struct {
	dir    string
	leash  io.Closer // the cluster runs until this is closed
	keeper *exec.Cmd
	pid    int // of the postmaster
	admin  *sql.DB
	made   atomic.Int64 // number of created databases
	shelf  shelf        // databases with the product's schema

	once    sync.Once // for the template
	unready error
	tables  []string // tables of the product's schema
	fresh   *rows    // rows of the template: the version of the schema
}

// clusterStart limits the start of a cluster, on a busy machine.
const clusterStart = 60 * time.Second

// leashed is a shell script that runs PostgreSQL until its standard input is closed, and then deletes the files of the
// cluster. It first prints the process id.
const leashed = `program="$1" dir="$2"; shift 2
"$program" -D "$dir/data" -k "$dir" -c listen_addresses= "$@" >"$dir/log" 2>&1 &
echo $!; cat >/dev/null; kill -QUIT $!; wait $!; rm -rf "$dir"`

// settings returns PostgreSQL's settings. Writes of tests are not durable, because tests crash the product's process,
// never PostgreSQL or the machine. Each connection plans a query once: by default it plans the first five executions,
// which takes longer than they do. Shared memory is a file in the cluster's folder, so that it goes with it. Benchmarks
// measure PostgreSQL with its default settings and durable writes.
func settings() []string {
	if benchmarks() {
		return nil
	}
	return []string{"-c", "max_connections=500", "-c", "fsync=off", "-c", "full_page_writes=off", "-c", "autovacuum=off",
		"-c", "shared_buffers=64MB", "-c", "max_wal_size=64MB", "-c", "min_wal_size=32MB",
		"-c", "plan_cache_mode=force_generic_plan", "-c", "dynamic_shared_memory_type=mmap"}
}

var shared struct {
	sync.Mutex
	*cluster
	err error
}

// NewPostgres returns the URL of a PostgreSQL database. If prepare is not nil, it is called once, and the databases are
// copies of the result.
func NewPostgres(t testing.TB, prepare func(address string) error) string {
	t.Helper()
	c, err := started()
	must(t, err)
	if prepare == nil {
		return c.database(t, "template1")
	}
	c.once.Do(func() { c.unready = c.template(prepare) })
	must(t, c.unready)
	return c.lend(t, c.fresh)
}

// StopPostgres stops the cluster, if a test started it.
func StopPostgres() {
	shared.Lock()
	defer shared.Unlock()
	if shared.cluster != nil {
		shared.stop()
		shared.cluster = nil
	}
}

func started() (*cluster, error) {
	shared.Lock()
	defer shared.Unlock()
	if shared.cluster == nil && shared.err == nil {
		shared.cluster, shared.err = newCluster()
	}
	return shared.cluster, shared.err
}

// lentAt returns the lent database at a URL, or nil.
func lentAt(address string) *lent {
	shared.Lock()
	defer shared.Unlock()
	if shared.cluster == nil {
		return nil
	}
	return shared.shelf.find(address)
}

func newCluster() (_ *cluster, err error) {
	bin, err := postgresPrograms()
	if err != nil {
		return nil, err
	}
	c := &cluster{}
	if c.dir, err = os.MkdirTemp(memory(), "moonfund-postgres-"); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			c.stop()
		}
	}()
	rights := &syscall.SysProcAttr{Setpgid: true} // SIGINT must reach only the test program
	if rights.Credential, err = unprivileged(c.dir); err != nil {
		return nil, err
	}
	initialize := exec.Command(filepath.Join(bin, "initdb"), "-D", filepath.Join(c.dir, "data"), "-U", "moonfund",
		"-A", "trust", "--no-sync", "--no-locale", "-E", "UTF8")
	initialize.Dir, initialize.SysProcAttr = c.dir, rights
	if output, err := initialize.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("initdb: %w\n%s", err, output)
	}
	return c, c.start(filepath.Join(bin, "postgres"), rights)
}

// start runs PostgreSQL and returns when it accepts connections.
func (c *cluster) start(program string, rights *syscall.SysProcAttr) (err error) {
	c.keeper = exec.Command("sh", append([]string{"-c", leashed, "sh", program, c.dir}, settings()...)...)
	c.keeper.Dir, c.keeper.SysProcAttr = c.dir, rights
	if c.leash, err = c.keeper.StdinPipe(); err != nil {
		return err
	}
	output, err := c.keeper.StdoutPipe()
	if err != nil {
		return err
	}
	if err := c.keeper.Start(); err != nil {
		return err
	}
	if _, err := fmt.Fscan(output, &c.pid); err != nil {
		return err
	}
	return c.answers()
}

// answers waits until the cluster accepts connections.
func (c *cluster) answers() (err error) {
	ctx, cancel := context.WithTimeout(context.Background(), clusterStart)
	defer cancel()
	if c.admin, err = sql.Open("pgx", c.url("postgres")); err != nil {
		return err
	}
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for err = c.admin.PingContext(ctx); err != nil; err = c.admin.PingContext(ctx) {
		select {
		case <-ctx.Done():
			log, _ := os.ReadFile(filepath.Join(c.dir, "log")) // without the log the error is still sufficient
			return fmt.Errorf("PostgreSQL does not start: %w\n%s", err, log)
		case <-tick.C:
		}
	}
	return nil
}

// ready is the template of the other databases.
const ready = "ready"

func (c *cluster) template(prepare func(address string) error) error {
	if _, err := c.admin.Exec(`CREATE DATABASE ` + ready); err != nil {
		return err
	}
	if err := prepare(c.url(ready)); err != nil {
		return err
	}
	ctx := context.Background()
	conn, err := pgx.Connect(ctx, c.url(ready))
	if err != nil {
		return err
	}
	found, err := conn.Query(ctx, `SELECT tablename FROM pg_tables WHERE schemaname = current_schema() ORDER BY tablename`)
	if err == nil {
		c.tables, err = pgx.CollectRows(found, pgx.RowTo[string])
	}
	if err == nil {
		c.fresh, err = (&lent{keeper: conn}).read(ctx, c.tables)
	}
	return errors.Join(err, conn.Close(ctx)) // a template with connections can't be copied
}

func (c *cluster) url(database string) string {
	return "postgres://moonfund@/" + database + "?host=" + c.dir
}

// create copies a database without connections.
func (c *cluster) create(t testing.TB, of string) (name string) {
	t.Helper()
	name = "test" + strconv.FormatInt(c.made.Add(1), 10)
	_, err := c.admin.ExecContext(t.Context(), `CREATE DATABASE `+name+` TEMPLATE `+of)
	must(t, err)
	return name
}

// database returns the URL of a copy of a database, which is dropped when the test ends.
func (c *cluster) database(t testing.TB, of string) string {
	t.Helper()
	name := c.create(t, of)
	t.Cleanup(func() { must(t, c.drop(name)) })
	return c.url(name)
}

// drop drops a database, if it exists.
func (c *cluster) drop(name string) error {
	_, err := c.admin.Exec(`DROP DATABASE IF EXISTS ` + name + ` WITH (FORCE)`)
	return err
}

func (c *cluster) stop() {
	if c.admin != nil {
		_ = c.admin.Close()
	}
	if c.leash == nil { // not started
		_ = os.RemoveAll(c.dir)
		return
	}
	_ = c.leash.Close()
	_ = c.keeper.Wait() // the exit status is irrelevant
}

// ErrNoPostgres is returned if PostgreSQL's programs are not found. Its text explains how to install PostgreSQL.
var ErrNoPostgres = errors.New("PostgreSQL's programs are missing; on Debian, install them with: sudo apt-get " +
	"install postgresql" +
	" (or test on SQLite alone: " + variable + "=sqlite)")

// postgresPrograms returns the folder with initdb and postgres, from PATH or Debian's folder of the newest version.
func postgresPrograms() (string, error) {
	if path, err := exec.LookPath("initdb"); err == nil {
		if path, err = filepath.EvalSymlinks(path); err == nil {
			return filepath.Dir(path), nil
		}
	}
	found, err := filepath.Glob("/usr/lib/postgresql/*/bin/initdb")
	if err != nil || len(found) == 0 {
		return "", ErrNoPostgres
	}
	newest := slices.MaxFunc(found, func(a, b string) int { return len(a) - len(b) })
	return filepath.Dir(newest), nil
}

// unprivileged returns the user that PostgreSQL runs as, and makes that user the owner of a folder, because PostgreSQL
// does not run as root. nil means the user of the tests.
func unprivileged(dir string) (*syscall.Credential, error) {
	if os.Getuid() != 0 {
		return nil, nil
	}
	who, err := user.Lookup("postgres")
	if err != nil {
		who, err = user.Lookup("nobody")
	}
	if err != nil {
		return nil, fmt.Errorf("PostgreSQL must not run as root, and there is no other user: %w", err)
	}
	uid, err := strconv.ParseUint(who.Uid, 10, 32)
	if err != nil {
		return nil, err
	}
	gid, err := strconv.ParseUint(who.Gid, 10, 32)
	if err != nil {
		return nil, err
	}
	return &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}, os.Chown(dir, int(uid), int(gid))
}
