package main

import (
	"bufio"
	"context"
	"html"
	"io"
	"net/http"
	"net/http/cookiejar"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/kong"

	"moonfund/internal/staking/order"
	"moonfund/internal/testkit"
)

// openConsole runs `moonfund console` on a world's ledger, and returns a browser that opened the printed link, and the
// address of the console.
func openConsole(w cli) (client *http.Client, base string) {
	w.Helper()
	var cli commands
	parser, err := kong.New(&cli, parserOptions()...)
	testkit.Must(w, err)
	parsed, err := parser.Parse([]string{"console", "--database", w.URL(), "--listen", "127.0.0.1:0"})
	testkit.Must(w, err)
	ctx, stop := context.WithCancel(w.Context())
	parsed.BindTo(ctx, (*context.Context)(nil))
	in, typed, err := os.Pipe()
	testkit.Must(w, err)
	printed, out, err := os.Pipe()
	testkit.Must(w, err)
	stdin, stdout := os.Stdin, os.Stdout
	os.Stdin, os.Stdout = in, out
	ended := make(chan error, 1)
	go func() { ended <- parsed.Run() }()
	lines := bufio.NewScanner(printed)
	link := func() string {
		for lines.Scan() {
			if text := lines.Text(); strings.HasPrefix(text, "http://") {
				return text
			}
		}
		w.Fatal("no link is printed")
		return ""
	}
	first := link()
	for lines.Text() != "Press Enter for a new link, Ctrl-C to end." {
		if !lines.Scan() {
			w.Fatal("the console ended")
		}
	}
	_, err = io.WriteString(typed, "\n")
	testkit.Must(w, err)
	second := link()
	os.Stdin, os.Stdout = stdin, stdout
	w.Cleanup(func() {
		stop()
		testkit.Must(w, typed.Close())
		testkit.Must(w, <-ended)
	})
	jar, err := cookiejar.New(nil)
	testkit.Must(w, err)
	client = &http.Client{Jar: jar}
	base, _, _ = strings.Cut(second, "/enter")
	for address, want := range map[string]int{first: http.StatusForbidden, second: http.StatusOK} {
		response, err := client.Get(address)
		testkit.Must(w, err)
		testkit.Must(w, response.Body.Close())
		if response.StatusCode != want {
			w.Errorf("%s: %s, want %d", address, response.Status, want)
		}
	}
	return client, base
}

var (
	commandLine = regexp.MustCompile(`<code>(moonfund [^<]*)</code>`)
	pageLink    = regexp.MustCompile(`href="(/[^"]*)"`)
)

// shownCommands returns the command lines on all pages of a console.
func shownCommands(w cli, client *http.Client, base string) (all []string) {
	w.Helper()
	seen, waiting := map[string]bool{}, []string{"/"}
	for len(waiting) > 0 {
		path := waiting[0]
		waiting = waiting[1:]
		if seen[path] {
			continue
		}
		seen[path] = true
		response, err := client.Get(base + path)
		testkit.Must(w, err)
		text, err := io.ReadAll(response.Body)
		testkit.Must(w, err)
		testkit.Must(w, response.Body.Close())
		for _, link := range pageLink.FindAllStringSubmatch(string(text), -1) {
			waiting = append(waiting, html.UnescapeString(link[1]))
		}
		for _, line := range commandLine.FindAllStringSubmatch(string(text), -1) {
			if line := html.UnescapeString(line[1]); !slices.Contains(all, line) {
				all = append(all, line)
			}
		}
	}
	return all
}

// words splits a command line as a shell does.
func words(w cli, line string) []string {
	w.Helper()
	text, err := exec.Command("sh", "-c", "printf '%s\\0' "+line).Output()
	testkit.Must(w, err)
	return strings.Split(strings.TrimSuffix(string(text), "\x00"), "\x00")
}

// TestConsoleShowsExactCommands checks that this program parses every command that the console shows, and that the
// server carries out the changes.
func TestConsoleShowsExactCommands(t *testing.T) {
	t.Setenv("USER", "olga")
	t.Setenv("MOONFUND_COMMUNITIES", "/etc/moonfund/communities")
	t.Setenv("MOONFUND_DOMAIN", "example.org")
	w := cli{testkit.NewWorld(t)}
	b := w.Busy()
	client, base := openConsole(w)
	lines := shownCommands(w, client, base)
	kinds := map[string]int{}
	for _, line := range lines {
		args := words(w, line)[1:]
		var cli commands
		parser, err := kong.New(&cli, parserOptions()...)
		testkit.Must(t, err)
		parsed, err := parser.Parse(args)
		if err != nil {
			t.Errorf("the shown command %s is not parsed: %v", line, err)
			continue
		}
		named := strings.Fields(parsed.Command())
		kinds[strings.Join(named[:min(2, len(named))], " ")]++
		if !slices.Contains(args, "--database") && parsed.Command() != "doctor" {
			t.Errorf("the shown command %s does not name the ledger", line)
		}
	}
	for _, kind := range []string{
		"order refund", "order resolve", "order review", "order show", "payout bump", "payout show", "quarantine return",
		"treasury credit", "treasury explain", "treasury show", "resume <what>", "pause <what>", "epoch show",
		"epoch verify", "audit check", "doctor",
	} {
		if kinds[kind] == 0 {
			t.Errorf("the console shows no command %q, but %v", kind, kinds)
		}
	}
	changes := regexp.MustCompile(
		`^moonfund (treasury (credit|explain)|resume|quarantine return|order refund|payout bump) `)
	for _, line := range lines {
		if !changes.MatchString(line) || strings.Contains(line, b.Refundable.ID) {
			continue
		}
		if text, err := w.command("yes\n", append(words(w, line)[1:], withoutWait(line)...)...); err != nil {
			t.Errorf("the shown command %s failed: %v\n%s", line, err, text)
		}
	}
	b.ReleaseRefunds()
	w.Settle(4)
	w.WantStatus(b.Audited.ID, order.Canceled)
	w.Audit()
}

// withoutWait returns the flag with which a command does not wait for the server.
func withoutWait(line string) []string {
	if strings.Contains(line, " order ") || strings.Contains(line, " payout ") || strings.Contains(line, " quarantine ") {
		return []string{"--wait", "0s"}
	}
	return nil
}
