package setup_test

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"moonfund/internal/api"
	"moonfund/internal/operate/setup"
	"moonfund/internal/testkit"
)

// certificate writes a certificate for a domain and its direct subdomains, and returns a pool that trusts it.
func certificate(t *testing.T, domain, cert, key string) *x509.CertPool {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	testkit.Must(t, err)
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), DNSNames: []string{domain, "*." + domain}, IsCA: true, BasicConstraintsValid: true,
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(90 * 24 * time.Hour),
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &private.PublicKey, private)
	testkit.Must(t, err)
	secret, err := x509.MarshalPKCS8PrivateKey(private)
	testkit.Must(t, err)
	for path, block := range map[string]*pem.Block{
		cert: {Type: "CERTIFICATE", Bytes: der}, key: {Type: "PRIVATE KEY", Bytes: secret},
	} {
		testkit.Must(t, os.WriteFile(path, pem.EncodeToMemory(block), 0o600))
	}
	pool := x509.NewCertPool()
	parsed, err := x509.ParseCertificate(der)
	testkit.Must(t, err)
	pool.AddCert(parsed)
	return pool
}

// freePort returns the address of an unused port.
func freePort(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp4", "127.0.0.1:0")
	testkit.Must(t, err)
	defer listener.Close()
	return listener.Addr().String()
}

// startNginx runs nginx with the example configuration in front of a server. It returns a client that connects to nginx
// for every host name.
func startNginx(t *testing.T, server string) *http.Client {
	t.Helper()
	program := "/usr/sbin/nginx"
	if found, err := exec.LookPath("nginx"); err == nil {
		program = found
	} else if _, err := os.Stat(program); err != nil {
		t.Skip("nginx is not installed")
	}
	folder := t.TempDir()
	cert, key := filepath.Join(folder, "cert.pem"), filepath.Join(folder, "key.pem")
	trusted := certificate(t, "example.org", cert, key)
	plain, secure := freePort(t), freePort(t)
	example, err := os.ReadFile("../../../packaging/nginx.conf")
	testkit.Must(t, err)
	site := strings.NewReplacer("    listen [::]:80;\n", "", "    listen [::]:443 ssl http2;\n", "", "listen 80;",
		"listen "+plain+";", "listen 443 ssl http2;", "listen "+secure+" ssl http2;", "127.0.0.1:8080", server,
		"/etc/letsencrypt/live/example.org/fullchain.pem", cert, "/etc/letsencrypt/live/example.org/privkey.pem", key,
	).Replace(string(example))
	config := filepath.Join(folder, "nginx.conf")
	temporary := ""
	for _, kind := range []string{"client_body", "proxy", "fastcgi", "uwsgi", "scgi"} {
		temporary += kind + "_temp_path " + folder + ";\n"
	}
	testkit.Must(t, os.WriteFile(config, []byte("daemon off; master_process off; pid "+folder+"/pid; error_log stderr;\n"+
		"events {}\nhttp {\naccess_log off;\n"+temporary+site+"}\n"), 0o600))
	output, err := exec.Command(program, "-t", "-c", config).CombinedOutput()
	// Debian 12 has nginx 1.22, which knows only this form of the directive; newer versions say that it is deprecated.
	warnings := strings.Count(string(output), "[warn]") - strings.Count(string(output), `http2" directive is deprecated`)
	if err != nil || warnings > 0 {
		t.Fatalf("nginx -t: %v\n%s", err, output)
	}
	command := exec.Command(program, "-c", config)
	testkit.Must(t, command.Start())
	t.Cleanup(func() {
		_ = command.Process.Kill()
		_ = command.Wait()
	})
	return proxyClient(t, plain, secure, trusted)
}

// startCaddy runs Caddy with a site in front of a server. It returns a client that connects to Caddy for every host
// name. Caddy signs the certificates itself.
func startCaddy(t *testing.T, server, site string) *http.Client {
	t.Helper()
	if _, err := exec.LookPath("caddy"); err != nil {
		t.Skip("caddy is not installed")
	}
	folder := t.TempDir()
	plain, secure := freePort(t), freePort(t)
	config := filepath.Join(folder, "Caddyfile")
	testkit.Must(t, os.WriteFile(config, []byte("{\nadmin off\nlocal_certs\nskip_install_trust\ndefault_bind 127.0.0.1\n"+
		"http_port "+portOf(plain)+"\nhttps_port "+portOf(secure)+"\n}\n"+
		strings.ReplaceAll(site, "127.0.0.1:8080", server)), 0o600))
	command := exec.Command("caddy", "run", "--adapter", "caddyfile", "--config", config)
	command.Env = append(os.Environ(), "HOME="+folder, "XDG_DATA_HOME="+folder, "XDG_CONFIG_HOME="+folder)
	var log strings.Builder
	command.Stderr = &log
	testkit.Must(t, command.Start())
	t.Cleanup(func() {
		_ = command.Process.Kill()
		_ = command.Wait()
		if t.Failed() {
			t.Log(log.String())
		}
	})
	trusted := x509.NewCertPool()
	client := proxyClient(t, plain, secure, trusted)
	for ready, root := false, filepath.Join(folder, "caddy/pki/authorities/local/root.crt"); !ready; {
		if t.Context().Err() != nil {
			t.Fatal("Caddy has no certificates")
		}
		if text, err := os.ReadFile(root); err == nil && trusted.AppendCertsFromPEM(text) {
			response, err := client.Get("https://lobo.example.org/")
			if ready = err == nil; ready {
				_ = response.Body.Close()
			}
		}
	}
	return client
}

func portOf(address string) string {
	_, port, _ := net.SplitHostPort(address)
	return port
}

// proxyClient returns a client that connects to a proxy on two local addresses for every host name.
func proxyClient(t *testing.T, plain, secure string, trusted *x509.CertPool) *http.Client {
	dial := func(ctx context.Context, network, address string) (net.Conn, error) {
		to := plain
		if strings.HasSuffix(address, ":443") {
			to = secure
		}
		for {
			connection, err := new(net.Dialer).DialContext(ctx, network, to)
			if err == nil || ctx.Err() != nil {
				return connection, err
			}
		}
	}
	transport := &http.Transport{DialContext: dial, TLSClientConfig: &tls.Config{RootCAs: trusted},
		ForceAttemptHTTP2: true}
	t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport, CheckRedirect: func(*http.Request, []*http.Request) error {
		return http.ErrUseLastResponse
	}}
}

// stagedServer is a server behind a proxy that keeps what it received last. Its event stream sends one event.
type stagedServer struct {
	*httptest.Server
	from, host string
	gone       chan struct{} // receives when the client of a stream has gone
}

func newStagedServer(t *testing.T) *stagedServer {
	s := &stagedServer{gone: make(chan struct{}, 1)}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.from, s.host = r.Header.Get("X-Forwarded-For"), r.Host
		if r.URL.Path != "/lobo/events" {
			_ = json.NewEncoder(w).Encode(api.StatusReply{Success: true, Data: &api.Status{}})
			return
		}
		w.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprint(w, "data: first\n\n")
		w.(http.Flusher).Flush()
		<-r.Context().Done()
		s.gone <- struct{}{}
	}))
	t.Cleanup(s.Close)
	return s
}

var onionSite = regexp.MustCompile(`(?m)^http://ADDRESS\.onion(?s:.*?)^\}\n`)

// TestProxyExamples sends requests through nginx and Caddy with the example configurations, and with the one that setup
// writes. It checks host names, the caller's address, HSTS, the redirect, a stream, and the onion service of the guide.
func TestProxyExamples(t *testing.T) {
	example, err := os.ReadFile("../../../packaging/Caddyfile")
	testkit.Must(t, err)
	guide, err := os.ReadFile("../../../docs/guide/reference.md")
	testkit.Must(t, err)
	onion := strings.ReplaceAll(string(onionSite.Find(guide)), "ADDRESS", "moon")
	written := setup.Setup{Answers: setup.Answers{Domain: "example.org", Prefix: "lobo"},
		Options: setup.Options{Listen: "127.0.0.1:8080"}}
	for name, start := range map[string]func(*testing.T, string) *http.Client{
		"nginx":   startNginx,
		"Caddy":   func(t *testing.T, server string) *http.Client { return startCaddy(t, server, string(example)+onion) },
		"written": func(t *testing.T, server string) *http.Client { return startCaddy(t, server, written.Caddyfile()) },
	} {
		t.Run(name, func(t *testing.T) {
			server := newStagedServer(t)
			client := start(t, strings.TrimPrefix(server.URL, "http://"))
			checkProxy(t, server, client)
			if name == "Caddy" {
				server.wantCaller(t, client, "http://lobo.moon.onion/lobo/status")
			}
		})
	}
}

// wantCaller checks that a page is served, and that the proxy names the caller's address and not the one that the
// caller claims.
func (s *stagedServer) wantCaller(t *testing.T, client *http.Client, page string) (header http.Header) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, page, nil)
	testkit.Must(t, err)
	request.Header.Set("X-Forwarded-For", "1.2.3.4")
	response, err := client.Do(request)
	testkit.Must(t, err)
	testkit.Must(t, response.Body.Close())
	if response.StatusCode != http.StatusOK || s.from != "127.0.0.1" || s.host != request.URL.Host {
		t.Errorf("%s: %s; the server received X-Forwarded-For %q and Host %q", page, response.Status, s.from, s.host)
	}
	return response.Header
}

func checkProxy(t *testing.T, server *stagedServer, client *http.Client) {
	t.Helper()
	site := setup.Site{Host: "lobo.example.org", Prefix: "lobo", Scheme: "https", Proxied: true}
	earlier := time.Now().AddDate(0, 0, -30) // the certificates that Caddy signs itself last for twelve hours
	want(t, setup.CheckProxy(t.Context(), client, site, earlier), setup.OK, "reaches the server")
	header := server.wantCaller(t, client, "https://lobo.example.org/lobo/status")
	if got := header.Get("Strict-Transport-Security"); !strings.HasPrefix(got, "max-age=63072000") {
		t.Errorf("HSTS header: %q", got)
	}
	response, err := client.Get("http://lobo.example.org/etch?a=b")
	testkit.Must(t, err)
	testkit.Must(t, response.Body.Close())
	if to := response.Header.Get("Location"); response.StatusCode/100 != 3 || to != "https://lobo.example.org/etch?a=b" {
		t.Errorf("request without TLS: status %s, redirect to %s", response.Status, to)
	}
	response, err = client.Get("https://lobo.example.org/lobo/events")
	testkit.Must(t, err)
	first := make([]byte, len("data: first\n\n"))
	_, err = io.ReadFull(response.Body, first)
	if response.ProtoMajor != 2 {
		t.Errorf("protocol of a stream: got %s, want HTTP/2", response.Proto)
	}
	if testkit.Must(t, response.Body.Close()); err != nil || string(first) != "data: first\n\n" {
		t.Errorf("first line of a stream: got %q, %v", first, err)
	}
	select {
	case <-server.gone:
	case <-time.After(20 * time.Second):
		t.Error("the server's stream did not end with the client's")
	}
}
