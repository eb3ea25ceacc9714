package e2e

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/http/httptrace"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"moonfund/testkit"
	"moonfund/testkit/engine"
)

// readyLimit is how long a server may take from its start to its first answer on a busy machine.
const readyLimit = 60 * time.Second

// devServer is a dev network's server on data of its own.
type devServer struct {
	site
	programs programs
	flags    []string // beside the usual ones
	data     string
	database string // address of a PostgreSQL database; "" for a file in the data
	log      *os.File
	process  *exec.Cmd
	ended    chan error
}

// programs are the server and the Bitcoin node, built from this tree.
type programs struct{ moonfund, btcd string }

// buildDir is where they are; "" until a test needed them.
var buildDir string

var build = sync.OnceValues(func() (programs, error) {
	dir, err := os.MkdirTemp("", "moonfund-life-")
	if err != nil {
		return programs{}, err
	}
	buildDir = dir
	built := programs{filepath.Join(dir, "moonfund"), filepath.Join(dir, "btcd")}
	for path, source := range map[string]string{built.moonfund: "moonfund/cmd/moonfund",
		built.btcd: "github.com/btcsuite/btcd"} {
		if output, err := exec.Command("go", "build", "-o", path, source).CombinedOutput(); err != nil {
			return built, fmt.Errorf("go build %s: %w\n%s", source, err, output)
		}
	}
	return built, nil
})

func TestMain(m *testing.M) {
	code := m.Run()
	engine.StopPostgres()
	if buildDir != "" {
		os.RemoveAll(buildDir)
	}
	os.Exit(code)
}

// devPassphrase is that of every dev network's key file: it guards nothing of value.
const devPassphrase = "a dev network has no secrets"

// coreVariable names a bitcoind of the Core family. Where it is set, lives are played on that node too.
const coreVariable = "MOONFUND_CORE_NODE"

// newDevServer starts a server on an empty folder and a free port. An empty node means btcd.
func newDevServer(t testing.TB, node string, flags ...string) *devServer {
	t.Helper()
	h := prepareDevServer(t)
	if node != "" {
		h.programs.btcd = node
	}
	h.flags = flags
	h.start()
	return h
}

// newDevServerOnPostgres starts a server whose ledger is in a PostgreSQL database.
func newDevServerOnPostgres(t testing.TB, flags ...string) *devServer {
	t.Helper()
	h := prepareDevServer(t)
	h.database = testkit.NewDatabase(t)
	h.flags = append(flags, "--database", h.database)
	h.start()
	return h
}

// prepareDevServer is a devServer that nobody started yet.
func prepareDevServer(t testing.TB) *devServer {
	t.Helper()
	built, err := build()
	must(t, err)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	port := listener.Addr().(*net.TCPAddr).Port
	must(t, listener.Close())
	h := &devServer{site: site{t: t, port: port}, programs: built, data: filepath.Join(t.TempDir(), "data")}
	h.log, err = os.Create(filepath.Join(t.TempDir(), "log"))
	must(t, err)
	t.Cleanup(h.clear)
	return h
}

// start runs the server and returns when it is ready.
func (h *devServer) start() {
	h.t.Helper()
	h.run(append([]string{"dev", "--port", strconv.Itoa(h.port), "--data", h.data,
		"--epoch", "0", "--block", "0", "--btcd", h.programs.btcd}, h.flags...)...)
}

// run starts the program as a server, and returns when it is ready.
func (h *devServer) run(arguments ...string) {
	h.t.Helper()
	h.process = exec.Command(h.programs.moonfund, arguments...)
	h.process.Env = append(os.Environ(), "MOONFUND_PASSPHRASE="+devPassphrase)
	h.process.Stdout, h.process.Stderr = h.log, h.log
	h.process.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	must(h.t, h.process.Start())
	h.ended = make(chan error, 1)
	go func(p *exec.Cmd) { h.ended <- p.Wait() }(h.process)
	ctx, cancel := context.WithTimeout(context.Background(), readyLimit)
	defer cancel()
	tick := time.NewTicker(25 * time.Millisecond)
	defer tick.Stop()
	for !h.ready(ctx) {
		select {
		case err := <-h.ended:
			h.ended <- err
			h.t.Fatalf("the server ended: %v\n%s", err, h.tail())
		case <-ctx.Done():
			h.t.Fatalf("the server is not ready after %s\n%s", readyLimit, h.tail())
		case <-tick.C:
		}
	}
}

func (h *devServer) ready(ctx context.Context) bool {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, fmt.Sprintf("http://127.0.0.1:%d/readyz", h.port), nil)
	must(h.t, err)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return false
	}
	response.Body.Close()
	return response.StatusCode == http.StatusOK
}

// kill ends the server as `kill -9` does; its node is left an orphan.
func (h *devServer) kill() {
	h.t.Helper()
	must(h.t, h.process.Process.Kill())
	<-h.ended
	http.DefaultClient.CloseIdleConnections()
}

// killWhile kills the server as soon as it was asked for something, whatever it has done of it by then.
func (h *devServer) killWhile(path, body string) {
	h.t.Helper()
	asked := make(chan struct{})
	var once sync.Once
	trace := &httptrace.ClientTrace{WroteRequest: func(httptrace.WroteRequestInfo) { once.Do(func() { close(asked) }) }}
	request, err := http.NewRequestWithContext(httptrace.WithClientTrace(context.Background(), trace), http.MethodPost,
		fmt.Sprintf("http://127.0.0.1:%d%s", h.port, path), strings.NewReader(body))
	must(h.t, err)
	request.Header.Set("Content-Type", "application/json")
	go func() {
		if response, err := http.DefaultClient.Do(request); err == nil { // it may have been faster than the kill
			response.Body.Close()
		}
	}()
	<-asked
	h.kill()
}

// stop ends the server as Ctrl-C does; it must end well.
func (h *devServer) stop() {
	h.t.Helper()
	must(h.t, h.process.Process.Signal(os.Interrupt))
	select {
	case err := <-h.ended:
		if err != nil {
			h.t.Errorf("stopping the server: %v\n%s", err, h.tail())
		}
	case <-time.After(20 * time.Second):
		h.t.Fatalf("the server does not stop\n%s", h.tail())
	}
	http.DefaultClient.CloseIdleConnections()
	h.process = nil
}

// audit has the server's books audited while its node runs; it must find nothing. Then the server is stopped.
func (h *devServer) audit() {
	h.t.Helper()
	arguments := []string{"audit", "--data", h.data}
	if h.database != "" {
		arguments = append(arguments, "--database", h.database)
	}
	output, err := exec.Command(h.programs.moonfund, arguments...).CombinedOutput()
	if err != nil {
		h.t.Errorf("audit: %v\n%s", err, output)
	}
	h.stop()
}

// clear ends what a failed test left running, the node included.
func (h *devServer) clear() {
	if h.process != nil {
		syscall.Kill(-h.process.Process.Pid, syscall.SIGKILL) // gone already when this fails
	}
	if h.t.Failed() {
		h.t.Logf("the server's log:\n%s", h.tail())
	}
	h.log.Close()
}

// tail is the end of the server's log.
func (h *devServer) tail() string {
	const most = 12_000
	text, err := os.ReadFile(h.log.Name())
	if err != nil {
		return err.Error()
	}
	return string(text[max(0, len(text)-most):])
}
