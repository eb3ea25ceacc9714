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

	"moonfund/internal/testkit"
	"moonfund/internal/testkit/engine"
)

// devServer is a running dev network: server, node and data folder.
type devServer struct {
	site
	programs programs
	flags    []string // additional flags
	data     string
	database string // address of a PostgreSQL database; "" for a file in the data folder
	log      *os.File
	process  *exec.Cmd
	ended    chan error
}

// programs are the paths of the server and the Bitcoin node, built from this tree.
type programs struct{ moonfund, btcd string }

// buildDir is the folder of the programs; "" until they are built.
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

// devPassphrase is the passphrase of the key file of every dev network, whose keys have no value.
const devPassphrase = "a dev network has no secrets"

// coreVariable is the environment variable with the path of a node of the Core family. If it is set, scenarios run on
// that node too.
const coreVariable = "MOONFUND_CORE_NODE"

// newDevServer starts a server with an empty folder and a free port. An empty node means btcd.
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

// prepareDevServer returns a devServer that is not started.
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

// run starts the program as a server and returns when it is ready.
func (h *devServer) run(arguments ...string) {
	h.t.Helper()
	h.started(h.command(arguments...))
}

// command returns a command of the program.
func (h *devServer) command(arguments ...string) *exec.Cmd {
	command := exec.Command(h.programs.moonfund, arguments...)
	command.Env = append(os.Environ(), "MOONFUND_PASSPHRASE="+devPassphrase)
	return command
}

// begin starts a command that serves.
func (h *devServer) begin(command *exec.Cmd) {
	h.t.Helper()
	h.process = command
	h.process.Stdout, h.process.Stderr = h.log, h.log
	h.process.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	must(h.t, h.process.Start())
	h.ended = make(chan error, 1)
	go func(p *exec.Cmd) { h.ended <- p.Wait() }(h.process)
}

// started starts a command that serves, and returns when it is ready.
func (h *devServer) started(command *exec.Cmd) {
	h.t.Helper()
	h.begin(command)
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	tick := time.NewTicker(25 * time.Millisecond)
	defer tick.Stop()
	for !h.ready(ctx) {
		select {
		case err := <-h.ended:
			h.ended <- err
			h.t.Fatalf("the server exited: %v\n%s", err, h.tail())
		case <-ctx.Done():
			h.t.Fatalf("the server is not ready after %s\n%s", patience, h.tail())
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

// kill ends the server with SIGKILL. The node keeps running.
func (h *devServer) kill() {
	h.t.Helper()
	must(h.t, h.process.Process.Kill())
	<-h.ended
	http.DefaultClient.CloseIdleConnections()
}

// killWhile sends a request and kills the server immediately, at any stage of the request.
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
		if response, err := http.DefaultClient.Do(request); err == nil { // the response was faster than the kill
			response.Body.Close()
		}
	}()
	<-asked
	h.kill()
}

// stop ends the server with SIGINT. The server must exit without error.
func (h *devServer) stop() {
	h.t.Helper()
	must(h.t, h.process.Process.Signal(os.Interrupt))
	select {
	case err := <-h.ended:
		if err != nil {
			h.t.Errorf("stopping the server: %v\n%s", err, h.tail())
		}
	case <-time.After(patience):
		h.t.Fatalf("the server does not stop\n%s", h.tail())
	}
	http.DefaultClient.CloseIdleConnections()
	h.process = nil
}

// audit runs the audit while the node is running, fails the test if it finds a violation, and stops the server.
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

// clear kills the remaining processes, including the node, and logs the end of the server's log if the test failed.
func (h *devServer) clear() {
	if h.process != nil {
		syscall.Kill(-h.process.Process.Pid, syscall.SIGKILL) // fails if it has ended
	}
	if h.t.Failed() {
		h.t.Logf("the server's log:\n%s", h.tail())
	}
	h.log.Close()
}

// tail returns the end of the server's log.
func (h *devServer) tail() string {
	const most = 12_000
	text, err := os.ReadFile(h.log.Name())
	if err != nil {
		return err.Error()
	}
	return string(text[max(0, len(text)-most):])
}
