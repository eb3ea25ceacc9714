package engine

import (
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// poolerLeash is a shell script that runs PgBouncer until its standard input is closed.
const poolerLeash = `"$1" "$2/config" >"$2/log" 2>&1 & cat >/dev/null; kill -KILL $!; wait $!`

// poolerPort is a part of the name of PgBouncer's socket.
const poolerPort = 6432

// Pooler returns the URL of a PostgreSQL database behind a real PgBouncer in a pool mode. It refuses the startup
// parameters of clients that it does not know, except for the ignored ones. It ends with the test.
func Pooler(t testing.TB, address, mode string, ignored ...string) string {
	t.Helper()
	program, err := pgbouncer()
	must(t, err)
	behind, err := pgx.ParseConfig(address)
	must(t, err)
	dir, err := os.MkdirTemp("", "moonfund-pooler-")
	must(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	rights := &syscall.SysProcAttr{Setpgid: true} // SIGINT must reach only the test program
	rights.Credential, err = unprivileged(dir)
	must(t, err)
	config := fmt.Sprintf("[databases]\n* = host=%s user=%s\n[pgbouncer]\nunix_socket_dir = %s\nlisten_port = %d\n"+
		"auth_type = any\npool_mode = %s\nignore_startup_parameters = %s\n", behind.Host, behind.User, dir, poolerPort, mode,
		strings.Join(ignored, ","))
	must(t, os.WriteFile(filepath.Join(dir, "config"), []byte(config), 0o644))
	keeper := exec.Command("sh", "-c", poolerLeash, "sh", program, dir)
	keeper.Dir, keeper.SysProcAttr = dir, rights
	leash, err := keeper.StdinPipe()
	must(t, err)
	must(t, keeper.Start())
	t.Cleanup(func() {
		_ = leash.Close()
		_ = keeper.Wait() // the exit status is irrelevant
	})
	awaitSocket(t, dir)
	return fmt.Sprintf("postgres://%s@/%s?host=%s&port=%d", behind.User, behind.Database, dir, poolerPort)
}

// awaitSocket waits until PgBouncer accepts connections.
func awaitSocket(t testing.TB, dir string) {
	t.Helper()
	for deadline := time.Now().Add(clusterStart); ; time.Sleep(20 * time.Millisecond) {
		conn, err := net.Dial("unix", filepath.Join(dir, fmt.Sprintf(".s.PGSQL.%d", poolerPort)))
		if err == nil {
			must(t, conn.Close())
			return
		}
		if time.Now().After(deadline) {
			log, _ := os.ReadFile(filepath.Join(dir, "log")) // without the log the error is still sufficient
			t.Fatalf("PgBouncer does not start: %v\n%s", err, log)
		}
	}
}

// pgbouncer returns the path of PgBouncer, from PATH or Debian's folder, which PATH has only for root.
func pgbouncer() (string, error) {
	for _, name := range []string{"pgbouncer", "/usr/sbin/pgbouncer"} {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", errors.New("PgBouncer is missing; on Debian, install it with: sudo apt-get install pgbouncer")
}
