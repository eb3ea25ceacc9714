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

// TestNginxExample sends requests through nginx with the example configuration. It checks host names, the caller's
// address, HSTS, the redirect, and a stream.
func TestNginxExample(t *testing.T) {
	ends := make(chan struct{})
	var from, host string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		from, host = r.Header.Get("X-Forwarded-For"), r.Host
		if r.URL.Path == "/lobo/events" {
			w.Header().Set("Content-Type", "text/event-stream")
			fmt.Fprint(w, "data: first\n\n")
			w.(http.Flusher).Flush()
			<-ends
			return
		}
		_ = json.NewEncoder(w).Encode(api.StatusReply{Success: true, Data: &api.Status{}})
	}))
	t.Cleanup(server.Close)
	client := startNginx(t, strings.TrimPrefix(server.URL, "http://"))
	site := setup.Site{Host: "lobo.example.org", Prefix: "lobo", Scheme: "https", Proxied: true}
	want(t, setup.CheckProxy(t.Context(), client, site, time.Now()), setup.OK, "reaches the server")
	if from != "127.0.0.1" || host != "lobo.example.org" {
		t.Errorf("the server received X-Forwarded-For %q and Host %q", from, host)
	}
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "https://lobo.example.org/lobo/status", nil)
	testkit.Must(t, err)
	request.Header.Set("X-Forwarded-For", "1.2.3.4")
	response, err := client.Do(request)
	testkit.Must(t, err)
	testkit.Must(t, response.Body.Close())
	if from != "127.0.0.1" {
		t.Errorf("the caller's own X-Forwarded-For is used: %q", from)
	}
	response, err = client.Get("http://lobo.example.org/etch?a=b")
	testkit.Must(t, err)
	testkit.Must(t, response.Body.Close())
	if to := response.Header.Get("Location"); response.StatusCode != http.StatusMovedPermanently ||
		to != "https://lobo.example.org/etch?a=b" {
		t.Errorf("request without TLS: status %s, redirect to %s", response.Status, to)
	}
	response, err = client.Get("https://lobo.example.org/lobo/events")
	testkit.Must(t, err)
	first := make([]byte, len("data: first\n\n"))
	_, err = io.ReadFull(response.Body, first)
	close(ends)
	if response.ProtoMajor != 2 {
		t.Errorf("protocol of a stream: got %s, want HTTP/2", response.Proto)
	}
	if testkit.Must(t, response.Body.Close()); err != nil || string(first) != "data: first\n\n" {
		t.Errorf("first line of a stream: got %q, %v", first, err)
	}
}
