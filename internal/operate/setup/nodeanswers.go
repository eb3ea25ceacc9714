package setup

import (
	"cmp"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"os/user"
	"path/filepath"
	"strings"
	"time"

	"moonfund/internal/bitcoin/chain"
)

var rpcPorts = map[string]string{
	"mainnet": "8332", "testnet": "18332", "testnet4": "48332", "signet": "38332", "regtest": "18443",
}

func withoutCookie(s *Setup) bool { return s.NodeCookie == "" }

func usualNodeURL(s *Setup) string {
	return "http://127.0.0.1:" + rpcPorts[cmp.Or(s.Network, "mainnet")]
}

// CookieFiles returns where the cookie of a node of the Core family usually is, for each network.
func CookieFiles() (paths []string) {
	folders := []string{"/var/lib/bitcoind", "/var/lib/bitcoin", "/home/bitcoin/.bitcoin", "/root/.bitcoin"}
	for _, name := range []string{os.Getenv("SUDO_USER"), os.Getenv("USER")} {
		if account, err := user.Lookup(name); err == nil {
			folders = append(folders, filepath.Join(account.HomeDir, ".bitcoin"))
		}
	}
	for _, folder := range folders {
		for _, network := range []string{"", "testnet3", "testnet4", "signet", "regtest"} {
			paths = append(paths, filepath.Join(folder, network, ".cookie"))
		}
	}
	return paths
}

// findCookie returns the first of the usual cookie files that the node accepts; "" if there is none. A cookie is only
// sent to this machine.
func (s *Setup) findCookie() string {
	address, err := url.Parse(s.NodeURL)
	if err != nil {
		return ""
	}
	if ip := net.ParseIP(address.Hostname()); address.Hostname() != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return ""
	}
	for _, path := range s.Cookies {
		if text, err := os.ReadFile(path); err != nil || !strings.Contains(string(text), ":") {
			continue
		}
		if s.callNode(chain.ClientConfig{CookieFile: path}) == nil {
			return path
		}
	}
	return ""
}

// nodePatience is the timeout of the checks of the node's address and password.
const nodePatience = 5 * time.Second

// callNode calls the node at NodeURL with the credentials of config.
func (s *Setup) callNode(config chain.ClientConfig) error {
	config.URL, config.Timeout = s.NodeURL, nodePatience
	node := chain.NewClient(config)
	defer node.Close()
	_, err := node.GenesisHash(s.ctx)
	return err
}

func (s *Setup) checkNodeURL() error {
	page, err := url.Parse(s.NodeURL)
	if err != nil || page.Host == "" || page.User != nil || page.Scheme != "http" && page.Scheme != "https" {
		return fmt.Errorf("%q is not an address such as %s", s.NodeURL, usualNodeURL(s))
	}
	if s.Ask == nil {
		return nil // CheckNode reports a node that does not answer
	}
	if away := new(url.Error); errors.As(s.callNode(chain.ClientConfig{}), &away) {
		return doubt{"no node answers at " + s.NodeURL + ": " + away.Err.Error()}
	}
	return nil
}

// checkCookie accepts the path of a cookie file. Other text is the node's user.
func (s *Setup) checkCookie() error {
	if s.NodeCookie == "" && s.Ask == nil {
		return nil // node-user is asked next
	}
	if s.Ask != nil && s.NodeCookie != "" && !strings.Contains(s.NodeCookie, "/") {
		s.NodeUser, s.NodeCookie = s.NodeCookie, ""
		return oneLine(s.NodeUser)
	}
	if err := absolute(s.NodeCookie); err != nil {
		return err
	}
	text, err := os.ReadFile(s.NodeCookie)
	if err == nil && !strings.Contains(string(text), ":") {
		err = fmt.Errorf("%s is not a node's cookie file", s.NodeCookie)
	}
	return errors.Join(err, s.checkCredentials())
}

func (s *Setup) checkPassword() error {
	if err := oneLine(s.NodePassword); err != nil {
		return err
	}
	return s.checkCredentials()
}

// checkCredentials returns an error if the node refuses the credentials. A node that does not answer is no error here.
func (s *Setup) checkCredentials() error {
	err := s.callNode(chain.ClientConfig{User: s.NodeUser, Password: s.NodePassword, CookieFile: s.NodeCookie})
	if errors.Is(err, chain.ErrUnauthorized) {
		return chain.ErrUnauthorized
	}
	return nil
}

// nodeNetwork returns the name of the network whose genesis block the node has; "" if the node does not say.
func (s *Setup) nodeNetwork() string {
	genesis, err := s.client().GenesisHash(s.ctx)
	if err != nil {
		return ""
	}
	for _, network := range chain.Networks() {
		if *network.Params.GenesisHash == genesis {
			return network.Name
		}
	}
	return ""
}

// networkOfNode returns the node's network as the default. Without a terminal and an answer of the node it is mainnet.
func (s *Setup) networkOfNode() string {
	found := s.nodeNetwork()
	if found == "" && s.Ask == nil {
		return "mainnet"
	}
	return found
}

func (s *Setup) checkNetwork() (err error) {
	if s.network, err = chain.NetworkByName(s.Network); err != nil || s.Ask == nil {
		return err // CheckNode compares it with the node
	}
	if found := s.nodeNetwork(); found != "" && found != s.Network {
		return fmt.Errorf("the node is on %s", found)
	}
	return nil
}
