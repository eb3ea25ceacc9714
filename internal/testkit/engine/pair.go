package engine

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// Pair is a PostgreSQL primary with a synchronous standby, each a real cluster on a TCP port of this machine.
type Pair struct {
	Primary, Standby *PostgresServer
}

// PostgresServer is one of the two clusters of a Pair.
type PostgresServer struct {
	Port int

	t      testing.TB
	bin    string
	rights *syscall.SysProcAttr
	dir    string // has the cluster in data, its log and its socket
	leash  io.Closer
	keeper *exec.Cmd
	pid    int   // of the postmaster
	frozen []int // its processes since Freeze
	link   *link // between the clients of the pair and this server; nil if they connect directly
}

// pairLeash is a shell script that runs PostgreSQL until its standard input is closed. It first prints the process id.
// SIGCONT makes a frozen server handle SIGQUIT; it kills its frozen processes after five seconds.
const pairLeash = `"$1" -D "$2/data" -k "$2" -p "$3" -c listen_addresses=127.0.0.1 -c max_connections=100 -c fsync=off \
	-c shared_buffers=16MB -c wal_keep_size=256MB >>"$2/log" 2>&1 &
echo $!; cat >/dev/null; kill -QUIT $! 2>/dev/null; kill -CONT $! 2>/dev/null; wait $!`

// NewPair starts a primary with an empty database "moonfund", and its standby, and returns when every commit waits for
// the standby. Both stop when the test ends.
func NewPair(t testing.TB) *Pair {
	t.Helper()
	bin, err := postgresPrograms()
	must(t, err)
	root, err := os.MkdirTemp("", "moonfund-pair-")
	must(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(root) })
	rights := &syscall.SysProcAttr{Setpgid: true} // SIGINT must reach only the test program
	rights.Credential, err = unprivileged(root)
	must(t, err)
	newServer := func(name string) *PostgresServer {
		s := &PostgresServer{Port: freePort(t), t: t, bin: bin, rights: rights, dir: filepath.Join(root, name)}
		s.program("mkdir", s.dir)
		return s
	}
	p := &Pair{newServer("one"), newServer("two")}
	p.Primary.program(filepath.Join(bin, "initdb"), "-D", filepath.Join(p.Primary.dir, "data"), "-U", "moonfund",
		"-A", "trust", "--no-sync", "--no-locale", "-E", "UTF8")
	p.Primary.Start()
	p.Primary.SQL(`CREATE DATABASE moonfund`)
	p.Join(p.Standby, p.Primary)
	return p
}

// NewLinkedPair is NewPair with a proxy between the clients of URL and the primary, for Cut and Restore.
func NewLinkedPair(t testing.TB) *Pair {
	t.Helper()
	p := NewPair(t)
	p.Primary.link = newLink(t, p.Primary.Port)
	return p
}

// Join makes a server, which does not run, the synchronous standby of a primary, from a new copy of the primary.
func (p *Pair) Join(standby, primary *PostgresServer) {
	standby.t.Helper()
	primary.SQL(`ALTER SYSTEM SET synchronous_standby_names = 'standby'`)
	primary.SQL(`SELECT pg_reload_conf()`)
	data := filepath.Join(standby.dir, "data")
	must(standby.t, os.RemoveAll(data))
	standby.program(filepath.Join(standby.bin, "pg_basebackup"), "-D", data, "-R", "-X", "stream", "-c", "fast",
		"--no-sync", "-d", fmt.Sprintf("host=127.0.0.1 port=%d user=moonfund application_name=standby", primary.Port))
	standby.Start()
	primary.wait("the standby follows", func() error {
		if primary.SQL(`SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync'`) != "1" {
			return errors.New("no synchronous standby")
		}
		return nil
	})
}

// URL returns the URL of the database on both servers.
func (p *Pair) URL() string {
	return fmt.Sprintf("postgres://moonfund@127.0.0.1:%d,127.0.0.1:%d/moonfund?sslmode=disable&"+
		"target_session_attrs=read-write", p.Primary.clientPort(), p.Standby.clientPort())
}

// clientPort returns the port at which the clients of the pair reach this server.
func (s *PostgresServer) clientPort() int {
	if s.link != nil {
		return s.link.port
	}
	return s.Port
}

// URL returns the URL of the database on this server alone.
func (s *PostgresServer) URL() string {
	return fmt.Sprintf("postgres://moonfund@127.0.0.1:%d/moonfund?sslmode=disable", s.Port)
}

// Start runs the server and returns when it accepts connections.
func (s *PostgresServer) Start() {
	s.t.Helper()
	s.keeper = exec.Command("sh", "-c", pairLeash, "sh", filepath.Join(s.bin, "postgres"), s.dir, strconv.Itoa(s.Port))
	s.keeper.Dir, s.keeper.SysProcAttr = s.dir, s.rights
	var err error
	s.leash, err = s.keeper.StdinPipe()
	must(s.t, err)
	output, err := s.keeper.StdoutPipe()
	must(s.t, err)
	must(s.t, s.keeper.Start())
	s.t.Cleanup(s.stop)
	line, err := bufio.NewReader(output).ReadString('\n')
	must(s.t, err)
	s.pid, err = strconv.Atoi(strings.TrimSpace(line))
	must(s.t, err)
	s.wait("PostgreSQL starts", func() error { _, err := s.ask(`SELECT 1`); return err })
}

// Kill ends the server and all its processes with SIGKILL, and returns when they have exited: the server can't be
// started again while one of them has its shared memory.
func (s *PostgresServer) Kill() {
	s.t.Helper()
	processes := append(s.halt(), s.pid)
	for _, pid := range processes {
		_ = syscall.Kill(pid, syscall.SIGKILL) // it may have exited
	}
	s.stop()
	s.wait("all processes exit", func() error {
		for _, pid := range processes {
			text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
			if err == nil && !strings.Contains(string(text), ") Z ") {
				return fmt.Errorf("process %d runs", pid)
			}
		}
		return nil
	})
}

// Freeze stops the server and all its processes with SIGSTOP. Its connections stay open and the operating system
// accepts new ones, but the server answers nothing.
func (s *PostgresServer) Freeze() {
	s.t.Helper()
	for _, pid := range s.halt() {
		_ = syscall.Kill(pid, syscall.SIGSTOP) // it may have exited
		s.frozen = append(s.frozen, pid)
	}
}

// Thaw continues a server after Freeze.
func (s *PostgresServer) Thaw() {
	s.t.Helper()
	for _, pid := range append(s.frozen, s.pid) {
		_ = syscall.Kill(pid, syscall.SIGCONT) // it may have exited
	}
	s.frozen = nil
}

// Cut drops everything between the clients of a linked pair and this server, in both directions. The server itself
// continues, also its replication.
func (s *PostgresServer) Cut() { s.link.cut() }

// Restore ends Cut.
func (s *PostgresServer) Restore() { s.link.restore() }

// halt stops the postmaster with SIGSTOP, so that it starts no more processes, and returns its processes.
func (s *PostgresServer) halt() (processes []int) {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), clusterStart)
	defer cancel()
	conn, err := s.connect(ctx)
	must(s.t, err)
	must(s.t, syscall.Kill(s.pid, syscall.SIGSTOP))
	rows, err := conn.Query(ctx, `SELECT pid FROM pg_stat_activity WHERE pid <> pg_backend_pid()`)
	must(s.t, err)
	processes, err = pgx.CollectRows(rows, pgx.RowTo[int])
	must(s.t, err)
	must(s.t, conn.Close(ctx))
	return append(processes, childrenOf(s.pid)...)
}

// childrenOf returns the ids of a server's processes, as far as the system has /proc. The processes of connections that
// are being opened are not in pg_stat_activity yet, and while one of them runs, the server can't be started again.
func childrenOf(server int) (list []int) {
	files, _ := filepath.Glob("/proc/[0-9]*/stat") // the pattern is valid
	for _, file := range files {
		text, _ := os.ReadFile(file) // the process may have exited
		var pid, parent int
		_, fields, _ := strings.Cut(string(text), ") ") // the name is in brackets
		if _, err := fmt.Sscanf(fields, "%1s %d", new(string), &parent); err != nil || parent != server {
			continue
		}
		if _, err := fmt.Sscanf(string(text), "%d", &pid); err == nil {
			list = append(list, pid)
		}
	}
	return list
}

// stop stops the server, if it runs.
func (s *PostgresServer) stop() {
	if s.leash == nil {
		return
	}
	if s.frozen != nil {
		s.Thaw()
	}
	_ = s.leash.Close()
	_ = s.keeper.Wait() // the exit status is irrelevant
	s.leash = nil
}

// Promote makes a standby a primary that does not wait for a standby.
func (s *PostgresServer) Promote() {
	s.t.Helper()
	if s.SQL(`SELECT pg_promote(true, 60)`) != "t" {
		s.t.Fatal("the standby was not promoted")
	}
	s.SQL(`ALTER SYSTEM RESET synchronous_standby_names`)
	s.SQL(`SELECT pg_reload_conf()`)
}

// SQL executes a statement and returns the first value of its last row, as text.
func (s *PostgresServer) SQL(statement string) string {
	s.t.Helper()
	value, err := s.ask(statement)
	must(s.t, err)
	return value
}

// ask executes a statement in the server's maintenance database, which exists from the start.
func (s *PostgresServer) ask(statement string) (value string, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), clusterStart)
	defer cancel()
	conn, err := s.connect(ctx)
	if err != nil {
		return "", err
	}
	results, err := conn.PgConn().Exec(ctx, statement).ReadAll()
	for _, r := range results {
		for _, row := range r.Rows {
			value = string(row[0])
		}
	}
	return value, errors.Join(err, conn.Close(ctx))
}

func (s *PostgresServer) connect(ctx context.Context) (*pgx.Conn, error) {
	return pgx.Connect(ctx, strings.Replace(s.URL(), "/moonfund?", "/postgres?", 1))
}

// wait calls ready until it returns nil.
func (s *PostgresServer) wait(what string, ready func() error) {
	s.t.Helper()
	deadline := time.Now().Add(clusterStart)
	for err := ready(); err != nil; err = ready() {
		if time.Now().After(deadline) {
			log, _ := os.ReadFile(filepath.Join(s.dir, "log")) // without the log the error is still sufficient
			s.t.Fatalf("%s: %v\n%s", what, err, log)
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// program runs a program as the user of PostgreSQL.
func (s *PostgresServer) program(path string, arguments ...string) {
	s.t.Helper()
	command := exec.Command(path, arguments...)
	command.Dir, command.SysProcAttr = filepath.Dir(s.dir), s.rights
	if output, err := command.CombinedOutput(); err != nil {
		s.t.Fatalf("%s: %v\n%s", path, err, output)
	}
}

// freePort returns a TCP port that was free.
func freePort(t testing.TB) int {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	defer listener.Close()
	return listener.Addr().(*net.TCPAddr).Port
}
