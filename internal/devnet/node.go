package devnet

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"

	"moonfund/internal/bitcoin/chain"
)

const (
	nodeStartLimit = 30 * time.Second
	nodeEndLimit   = 10 * time.Second
	nodePoll       = 15 * time.Millisecond
)

// node is a child process that starts with an empty regtest chain.
type node struct {
	client *chain.Client
	addr   string // host:port of its RPC
	cmd    *exec.Cmd
	exited chan struct{} // closed when the process has exited
}

// credentials are the RPC user and password. They are the same for every run of the node, so that clients can use them
// after its restarts.
type credentials struct{ user, password string }

func newCredentials() credentials {
	var secret [24]byte
	rand.Read(secret[:])
	return credentials{user: "devnet", password: hex.EncodeToString(secret[:])}
}

// startNode kills an orphan of an earlier run, starts the program in dir and returns when its RPC responds. The chain
// starts empty, so dir contains no valuable data. An error is one sentence that says what to do.
func startNode(ctx context.Context, binary, dir string, login credentials) (*node, error) {
	path, err := exec.LookPath(binary)
	if err != nil {
		return nil, fmt.Errorf("the Bitcoin node program %q is missing: build it with: go build -o %s "+
			"github.com/btcsuite/btcd", binary, binary)
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	if err := endOrphan(dir); err != nil {
		return nil, err
	}
	// Another process may bind the free port before the node does, so try up to three ports.
	for attempt := 0; ; attempt++ {
		n, err := tryNode(ctx, path, dir, login)
		if err == nil || attempt == 2 || !strings.Contains(err.Error(), "in use") {
			return n, err
		}
	}
}

func tryNode(ctx context.Context, path, dir string, login credentials) (*node, error) {
	addr, err := freePort()
	if err != nil {
		return nil, fmt.Errorf("no free port on 127.0.0.1 for the Bitcoin node: %w", err)
	}
	command, err := nodeCommand(path, dir, addr, login)
	if err != nil {
		return nil, err
	}
	output, err := os.Create(filepath.Join(dir, "output.log"))
	if err != nil {
		return nil, err
	}
	defer output.Close()
	n := &node{addr: addr, cmd: command, exited: make(chan struct{})}
	n.cmd.Stdout, n.cmd.Stderr = output, output
	n.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	if err := n.run(); err != nil {
		return nil, fmt.Errorf("the Bitcoin node %s cannot be started: %w", path, err)
	}
	if err := os.WriteFile(pidFile(dir), []byte(strconv.Itoa(n.cmd.Process.Pid)), 0o600); err != nil {
		n.stop()
		return nil, err
	}
	n.client = chain.NewClient(chain.ClientConfig{URL: "http://" + addr, User: login.user, Password: login.password,
		Timeout: 30 * time.Second})
	if err := n.awaitReady(ctx); err != nil {
		n.stop()
		return nil, fmt.Errorf("the Bitcoin node did not start: %w%s", err, lastError(output.Name()))
	}
	return n, nil
}

// run starts the process from a thread that lives as long as the process, because Pdeathsig fires when the starting
// thread ends.
func (n *node) run() error {
	started := make(chan error)
	go func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		err := n.cmd.Start()
		started <- err
		if err == nil {
			n.cmd.Wait()
			close(n.exited)
		}
	}()
	return <-started
}

func (n *node) awaitReady(ctx context.Context) error {
	deadline := time.NewTimer(nodeStartLimit)
	defer deadline.Stop()
	poll := time.NewTicker(nodePoll)
	defer poll.Stop()
	for {
		select {
		case <-n.exited:
			return errors.New("it ended at once")
		case <-ctx.Done():
			return ctx.Err()
		case <-deadline.C:
			return fmt.Errorf("its RPC did not answer within %v", nodeStartLimit)
		case <-poll.C:
			if _, _, err := n.client.Best(ctx); err == nil {
				return nil
			}
		}
	}
}

// alive reports whether the process is running.
func (n *node) alive() bool {
	select {
	case <-n.exited:
		return false
	default:
		return true
	}
}

// stop kills the process and waits for it. Its data is not needed, so it is not shut down gracefully.
func (n *node) stop() {
	n.cmd.Process.Kill()
	<-n.exited
}

func freePort() (string, error) {
	listener, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	defer listener.Close()
	return listener.Addr().String(), nil
}

func pidFile(dir string) string     { return filepath.Join(dir, "node.pid") }
func dataDirFlag(dir string) string { return "--datadir=" + filepath.Join(dir, "data") }

// endOrphan kills the node of an earlier run that could not stop its child. Another process may have the recorded pid
// by now, so endOrphan kills only a process whose arguments name the data folder.
func endOrphan(dir string) error {
	text, err := os.ReadFile(pidFile(dir))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil || pid <= 1 || !runsOurNode(pid, dir) {
		return os.Remove(pidFile(dir))
	}
	if err := syscall.Kill(pid, syscall.SIGKILL); err != nil && !errors.Is(err, syscall.ESRCH) {
		return fmt.Errorf("an older Bitcoin node (process %d) still runs and cannot be ended: %w", pid, err)
	}
	ended, cancel := context.WithTimeout(context.Background(), nodeEndLimit)
	defer cancel()
	poll := time.NewTicker(nodePoll)
	defer poll.Stop()
	for runsOurNode(pid, dir) {
		select {
		case <-ended.Done():
			return fmt.Errorf("an older Bitcoin node (process %d) does not end", pid)
		case <-poll.C:
		}
	}
	return os.Remove(pidFile(dir))
}

func runsOurNode(pid int, dir string) bool {
	arguments, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
	if err != nil {
		return false
	}
	for _, argument := range bytes.Split(arguments, []byte{0}) {
		if string(argument) == dataDirFlag(dir) {
			return true
		}
	}
	return false
}

// lastError returns the last line of the node's output, to explain why the node exited.
func lastError(path string) string {
	text, _ := os.ReadFile(path)
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	if line := strings.TrimSpace(lines[len(lines)-1]); line != "" {
		return ": " + line
	}
	return ""
}
