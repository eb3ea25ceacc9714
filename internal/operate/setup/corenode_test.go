package setup_test

import (
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/operate/setup"
	"moonfund/internal/testkit"
)

// coreVariable is the environment variable with the path of a Core-family bitcoind. Without it, only the tests with
// btcd run.
const coreVariable = "MOONFUND_CORE_NODE"

// TestPolicyOfCoreNode runs the check of a Core-family node with the relay policy of mainnet. Knots refuses runes until
// its configuration is changed as the findings say.
func TestPolicyOfCoreNode(t *testing.T) {
	binary := os.Getenv(coreVariable)
	if binary == "" {
		t.Skip(coreVariable + " names no node")
	}
	regtest, err := chain.NetworkByName("regtest")
	testkit.Must(t, err)
	policy := func(flags ...string) setup.Finding {
		node := startCore(t, binary, flags...)
		return find(t, setup.CheckNode(t.Context(), node, regtest, time.Now()), "policy")
	}
	version, err := exec.Command(binary, "-version").Output()
	testkit.Must(t, err)
	if !strings.Contains(string(version), "Knots") {
		want(t, policy(), setup.OK)
		return
	}
	want(t, policy(), setup.Fail, "tokens-runes", "rejecttokens=0")
	want(t, policy("-rejecttokens=0", "-datacarrier=0"), setup.Fail, "datacarriersize=83")
	want(t, policy("-rejecttokens=0"), setup.Warn, "acceptnonstddatacarrier=1")
	want(t, policy("-rejecttokens=0", "-acceptnonstddatacarrier=1"), setup.Warn, "with an inscription (OP_IF")
}

// startCore starts a node with mainnet's relay policy and 110 blocks.
func startCore(t *testing.T, binary string, flags ...string) *chain.Client {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	testkit.Must(t, err)
	address := listener.Addr().String()
	_, port, err := net.SplitHostPort(address)
	testkit.Must(t, err)
	testkit.Must(t, listener.Close())
	process := exec.Command(binary, append([]string{"-regtest", "-datadir=" + t.TempDir(), "-rpcport=" + port, "-listen=0",
		"-rpcuser=" + login, "-rpcpassword=" + login, "-txindex", "-acceptnonstdtxn=0", "-disablewallet", "-server",
		"-printtoconsole=0"}, flags...)...)
	testkit.Must(t, process.Start())
	ended := make(chan error, 1)
	go func() { ended <- process.Wait() }()
	t.Cleanup(func() {
		_ = process.Process.Signal(os.Interrupt)
		<-ended
	})
	// The check of reveals needs a taproot output. The key of this one is the generator point.
	const taproot = "raw(512079be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798)"
	const request = `{"id":1,"method":"generatetodescriptor","params":[110,"` + taproot + `"]}`
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	limit := time.After(time.Minute)
	for status := ""; status != "200 OK"; {
		select {
		case <-limit:
			t.Fatalf("the node does not mine: %s", status)
		case <-tick.C:
		}
		response, err := http.Post(fmt.Sprintf("http://%s:%s@%s", login, login, address), "application/json",
			strings.NewReader(request))
		if err != nil {
			continue
		}
		testkit.Must(t, response.Body.Close())
		status = response.Status
	}
	return chain.NewClient(chain.ClientConfig{URL: "http://" + address, User: login, Password: login})
}
