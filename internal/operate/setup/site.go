package setup

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"moonfund/internal/api"
	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/server/nodecheck"
	"moonfund/internal/server/stop"
)

// proxyExamples is the location of the examples of proxies.
const proxyExamples = "packaging/ has examples for nginx and Caddy, the package has them in " +
	"/usr/share/doc/moonfund/examples."

// patience is the timeout of a check that calls a name server, a proxy or a server.
const patience = 10 * time.Second

func nodeAway(ctx context.Context, node *chain.Client, network chain.Network) bool {
	return nodecheck.SameNetwork(ctx, node, network) != nil
}

// CheckName checks that a host name resolves to an address.
func CheckName(ctx context.Context, host string) Finding {
	const check = "domain"
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	addresses, err := net.DefaultResolver.LookupHost(ctx, host)
	if err != nil || len(addresses) == 0 {
		return warn(check, host+" has no address", "Let the domain and every label below it lead to this machine: "+
			"two records, for example.org and *.example.org.")
	}
	return ok(check, host+" is "+strings.Join(addresses, ", "))
}

// Site is the web site of a community under its public address, with the server that serves it.
type Site struct {
	Listen  string // address of the server itself
	Prefix  string
	Host    string
	Scheme  string // of the site: https, or http on regtest
	Version string // of this program
	Proxied bool   // the settings name a trusted proxy
}

// CheckServer requests the server's status directly, without the proxy, and checks that it is not paused, is at the tip
// of the chain, and has the version of this program. Each stop that it reports is a finding of its own; checkPauses
// reports pauses, also without a server.
func CheckServer(ctx context.Context, site Site) []Finding {
	const check = "server"
	answer, err := readStatus(ctx, http.DefaultClient, "http://"+site.Listen, site)
	if err != nil {
		return []Finding{failed(check, "no server answers on "+site.Listen+": "+err.Error(),
			"Start it: systemctl start moonfund. Its log says why it ended: journalctl -u moonfund.")}
	}
	all := []Finding{serverFinding(answer.status, site)}
	for _, s := range answer.status.Stops {
		if found := stop.Stop(s); !found.IsPause() {
			all = append(all, failed("stop", found.Title()+": "+found.Reason, found.Read()))
		}
	}
	return all
}

func serverFinding(status api.Status, site Site) Finding {
	const check = "server"
	switch {
	case status.Paused != api.StatusPausedNone:
		return failed(check, "paused: "+string(status.Paused), "Find out why: moonfund log. Then: moonfund resume")
	case status.CatchingUp:
		return warn(check, "follows the chain, but is not at its tip yet", "Wait, and repeat the check.")
	case status.Version != site.Version:
		return warn(check, "runs version "+status.Version+"; this program is "+site.Version, "Restart the server.")
	}
	return ok(check, "answers on "+site.Listen+", version "+status.Version)
}

// certificateTime is the minimum remaining validity of a certificate. Most are renewed a month before they expire.
const certificateTime = 14 * 24 * time.Hour

// CheckProxy requests the server under its public name, like a browser, and checks the certificate and the headers.
func CheckProxy(ctx context.Context, client *http.Client, site Site, now time.Time) Finding {
	const check = "proxy"
	address := site.Scheme + "://" + site.Host
	answer, err := readStatus(ctx, client, address, site)
	if err != nil {
		return failed(check, address+": "+err.Error(), "Let the proxy forward every host of the domain to "+site.Listen+
			" with its Host header: "+proxyExamples)
	}
	if site.Scheme != "https" {
		return ok(check, address+" reaches the server")
	}
	if left := answer.expires.Sub(now); left < certificateTime {
		return warn(check, fmt.Sprintf("the certificate of %s ends at %s", site.Host, utc(answer.expires)), "Renew it.")
	}
	if answer.header.Get("Strict-Transport-Security") == "" {
		return warn(check, address+" does not send Strict-Transport-Security",
			`Let the proxy add it: Strict-Transport-Security "max-age=63072000; includeSubDomains".`)
	}
	if !site.Proxied {
		return warn(check, "MOONFUND_PROXY is not set, so all visitors share one limit of requests",
			"Set it to the network of the proxy, such as 127.0.0.1/32.")
	}
	return ok(check, address+" reaches the server, with a certificate until "+utc(answer.expires))
}

type statusAnswer struct {
	status  api.Status
	header  http.Header
	expires time.Time // of the certificate; zero without TLS
}

func readStatus(ctx context.Context, client *http.Client, base string, site Site) (a statusAnswer, err error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, base+"/"+site.Prefix+"/status", nil)
	if err != nil {
		return a, err
	}
	request.Host = site.Host
	response, err := client.Do(request)
	if err != nil {
		var failure *url.Error
		if errors.As(err, &failure) {
			err = failure.Err
		}
		return a, err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return a, fmt.Errorf("the answer is %s", response.Status)
	}
	const largest = 1 << 20
	var reply api.StatusReply
	if err := json.NewDecoder(io.LimitReader(response.Body, largest)).Decode(&reply); err != nil {
		return a, fmt.Errorf("another program answers: %w", err)
	}
	if reply.Data == nil {
		return a, errors.New("another program answers")
	}
	a.status, a.header = *reply.Data, response.Header
	if response.TLS != nil && len(response.TLS.PeerCertificates) > 0 {
		a.expires = response.TLS.PeerCertificates[0].NotAfter
	}
	return a, nil
}
