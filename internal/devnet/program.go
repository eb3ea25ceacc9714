package devnet

import (
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// The node of a dev network is btcd or a program of the Core family, so that the server can be tested on both. Both
// start with an empty chain: btcd deletes its own chain, and coreCommand deletes the chain of a Core-family node.

// isCore reports whether the node's program is of the Bitcoin Core family, by its name.
func isCore(path string) bool { return strings.HasPrefix(filepath.Base(path), "bitcoind") }

// nodeCommand writes the configuration of the node and returns the command that runs the node with its RPC at addr.
func nodeCommand(path, dir, addr string, login credentials) (*exec.Cmd, error) {
	if isCore(path) {
		return coreCommand(path, dir, addr, login)
	}
	config := filepath.Join(dir, "btcd.conf")
	lines := []string{
		"rpclisten=" + addr, "rpcuser=" + login.user, "rpcpass=" + login.password,
		"rpcmaxclients=200", "rpcmaxconcurrentreqs=100",
		"nolisten=1", "nodnsseed=1", "noonion=1", "nocfilters=1", "utxocachemaxsize=16",
		"limitfreerelay=0", "norelaypriority=1", "debuglevel=warn",
		"logdir=" + filepath.Join(dir, "logs"),
	}
	return exec.Command(path, dataDirFlag(dir), "--configfile="+config, "--regtest", "--notls", "--txindex"),
		writeConfig(config, lines)
}

func coreCommand(path, dir, addr string, login credentials) (*exec.Cmd, error) {
	data := filepath.Join(dir, "data")
	if err := os.RemoveAll(data); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(data, 0o700); err != nil {
		return nil, err
	}
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return nil, err
	}
	published, err := freePort()
	if err != nil {
		return nil, err
	}
	config := filepath.Join(dir, "bitcoin.conf")
	lines := []string{
		"regtest=1", "[regtest]", "zmqpubsequence=tcp://" + published,
		"server=1", "rpcbind=" + host, "rpcallowip=" + host, "rpcport=" + port,
		"rpcuser=" + login.user, "rpcpassword=" + login.password,
		"txindex=1", "listen=0", "printtoconsole=0",
		// publish checks the standardness policy before each broadcast. The last three options are for Knots, which
		// rejects runes by default. Core ignores them.
		"acceptnonstdtxn=1", "acceptnonstddatacarrier=1", "rejecttokens=0", "rejectparasites=0",
	}
	return exec.Command(path, dataDirFlag(dir), "--conf="+config), writeConfig(config, lines)
}

// writeConfig writes the node's configuration to a file, so that the password is not in the process list.
func writeConfig(path string, lines []string) error {
	return os.WriteFile(path, []byte(strings.Join(lines, "\n")+"\n"), 0o600)
}
