package setup_test

import (
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/operate/setup"
	"moonfund/internal/signer"
	"moonfund/internal/staking/community"
	"moonfund/internal/testkit"
)

const secret = "a long passphrase"

// operator is an operator at a terminal: the answers to each prompt, in order, and the output of the setup.
type operator struct {
	t     *testing.T
	typed map[string][]string // by the beginning of the prompt
	said  []string
	asked []string // every prompt
}

func (o *operator) ask(prompt string) (string, error) {
	o.asked = append(o.asked, prompt)
	for start, lines := range o.typed {
		if strings.HasPrefix(prompt, start) && len(lines) > 0 {
			o.typed[start] = lines[1:]
			return lines[0], nil
		}
	}
	return "", errors.New("nothing was typed")
}

func (o *operator) heard(words string) bool {
	return strings.Contains(strings.Join(o.said, "\n"), words)
}

// newSetup returns a setup that writes to a folder and uses the node at url.
func newSetup(t *testing.T, folder, url string) (*setup.Setup, *operator) {
	t.Helper()
	terms := filepath.Join(t.TempDir(), "terms.md")
	testkit.Must(t, os.WriteFile(terms, []byte("# Who runs this\r\n\r\nWe do, with '''care'''.\r\n"), 0o600))
	o := &operator{t: t}
	return &setup.Setup{
		Answers: setup.Answers{
			Network: "regtest", NodeURL: url, NodeUser: login, NodePassword: login, Domain: "example.org",
			Contact: "help@example.org", Rune: testkit.Rune.String(), Name: "Wolf Pack", Token: "WOLF", Budget: "0.01",
			Terms: terms, KeyKind: "new", Key: filepath.Join(folder, "keys", "moonfund.key"),
			Data: filepath.Join(folder, "data"), Backups: filepath.Join(folder, "backups"),
		},
		Options: setup.Options{
			Folder: filepath.Join(folder, "etc"), Unit: filepath.Join(folder, "moonfund.service"), ServiceUser: "root",
			Listen: "127.0.0.1:8080", Metrics: "127.0.0.1:9464", Proxy: "127.0.0.1/32",
		},
		Program: "/usr/bin/moonfund", Now: func() time.Time { return time.Date(2026, 11, 23, 10, 0, 0, 0, time.UTC) },
		Say:        func(line string) { o.said = append(o.said, line) },
		Passphrase: func(bool) (string, error) { return secret, nil },
	}, o
}

// onlyWithLogin makes the proxy of realNode refuse other passwords, as a node does.
func onlyWithLogin(w http.ResponseWriter, r *http.Request, _ string) bool {
	if _, password, _ := r.BasicAuth(); password == login {
		return false
	}
	w.WriteHeader(http.StatusUnauthorized)
	return true
}

// TestSetupFromFlags sets up a server from flags alone, and reads the files as the server does.
func TestSetupFromFlags(t *testing.T) {
	node, _, _ := realNode(t)
	folder := t.TempDir()
	s, o := newSetup(t, folder, node.URL)
	testkit.Must(t, os.MkdirAll(filepath.Join(s.Folder, "communities"), 0o755))
	testkit.Must(t, os.WriteFile(filepath.Join(s.Folder, "communities", "._wolf.toml"), nil, 0o600)) // is no manifest
	testkit.Must(t, s.Collect(t.Context()))
	testkit.Must(t, os.RemoveAll(s.Folder))
	if findings := s.Check(t.Context()); find(t, findings, "policy").Level != setup.OK {
		t.Errorf("the checks found %+v", findings)
	}
	if !o.heard("0.01 per epoch (168h) are about 0.52 per year. That is ") {
		t.Errorf("the setup said %q", o.said)
	}
	plan, err := s.Plan()
	testkit.Must(t, err)
	testkit.Must(t, plan.Write(false))
	if got := strings.Join(list(t, folder), " "); got != "backups data etc etc/Caddyfile etc/communities "+
		"etc/communities/wolf.toml etc/moonfund.env etc/passphrase keys keys/moonfund.key moonfund.service" {
		t.Errorf("the written files are %s", got)
	}
	manifests, err := community.LoadDir(filepath.Join(folder, "etc", "communities"), "regtest")
	testkit.Must(t, err)
	m := manifests[0]
	if m.Budget(0) != 1_000_000 || m.MinimumStake != 100_000_000 || m.Prefix != "wolf" || m.Rune.Name == "" ||
		!strings.Contains(m.Terms.HTML, "Who runs this") || m.Genesis.Format(time.DateOnly) != "2026-12-02" {
		t.Errorf("the written manifest is %+v", m)
	}
	settings, err := setup.ReadSettings(filepath.Join(folder, "etc", "moonfund.env"))
	if err != nil || settings["MOONFUND_NODE_PASSWORD"] != login || settings["MOONFUND_DATA"] != s.Data ||
		settings["MOONFUND_COMMUNITIES"] != filepath.Join(folder, "etc", "communities") {
		t.Errorf("the written settings are %v, error %v", settings, err)
	}
	keys, err := signer.OpenKeyFile(s.Key, secret)
	if err != nil {
		t.Fatalf("the written key file does not open: %v", err)
	}
	network, err := chain.NetworkByName("regtest")
	testkit.Must(t, err)
	if key, err := keys.StatementKey(m.Account, network); err != nil || m.StatementKey != key.String() {
		t.Errorf("statement_key in the written manifest is %q, want %s, error %v", m.StatementKey, key, err)
	}
	for path, mode := range map[string]os.FileMode{"etc/passphrase": 0o600, "etc/moonfund.env": 0o640, "keys": 0o700} {
		if info, err := os.Stat(filepath.Join(folder, path)); err != nil || info.Mode().Perm() != mode {
			t.Errorf("file %s has mode %v, error %v", path, info.Mode(), err)
		}
	}
	unit, err := os.ReadFile(s.Unit)
	if err != nil || !strings.Contains(string(unit), "ReadWritePaths=-"+s.Data+"\nReadWritePaths=-"+filepath.Dir(s.Key)) {
		t.Errorf("the written unit is %s, error %v", unit, err)
	}
	caddy, err := os.ReadFile(filepath.Join(s.Folder, "Caddyfile"))
	if err != nil || !strings.Contains(string(caddy), "\nexample.org, www.example.org, wolf.example.org {\n") ||
		!strings.Contains(string(caddy), "reverse_proxy 127.0.0.1:8080\n") {
		t.Errorf("the written Caddyfile is %s, error %v", caddy, err)
	}
	s.Key = filepath.Join(s.Data, "keys", "moonfund.key")
	if again, err := s.Plan(); err != nil || strings.Contains(again.Files[4].Text, "keys") {
		t.Errorf("writable folders with a key below the data folder: %v", err)
	}
	if steps := strings.Join(s.Next(), "\n"); !strings.Contains(steps, " init") || !strings.Contains(steps, " doctor") ||
		!strings.Contains(steps, " treasury credit wolf") {
		t.Errorf("next: %s", steps)
	}
	if err := s.Collect(t.Context()); err == nil || !strings.Contains(err.Error(), "there are manifests in") {
		t.Errorf("second setup: got error %v", err)
	}
	again, _ := newSetup(t, folder, node.URL)
	again.Overwrite, again.KeyKind = true, "existing"
	testkit.Must(t, again.Collect(t.Context()))
	if plan, err := again.Plan(); err != nil || !strings.Contains(plan.Files[1].Text, m.StatementKey) {
		t.Errorf("the manifest for an existing key lacks its statement key %s, error %v", m.StatementKey, err)
	}
	again.Passphrase = func(bool) (string, error) { return "another one", nil }
	if _, err := again.Plan(); !errors.Is(err, signer.ErrPassphrase) {
		t.Errorf("setup with another passphrase: got error %v", err)
	}
}

// TestEveryAnswerIsChecked passes wrong answers in flags. Each error names its flag, and nothing is written.
func TestEveryAnswerIsChecked(t *testing.T) {
	node, _, _ := realNode(t)
	folder := t.TempDir()
	node.SetResponse(onlyWithLogin)
	file := filepath.Join(folder, "file")
	testkit.Must(t, os.WriteFile(file, []byte("<b>no</b>"), 0o600))
	for _, c := range []struct {
		words string
		spoil func(*setup.Setup)
	}{
		{`--network: unknown network "moon"`, func(s *setup.Setup) { s.Network = "moon" }},
		{"--node-url: ", func(s *setup.Setup) { s.NodeURL = "127.0.0.1:8332" }},
		{"--node-cookie: ", func(s *setup.Setup) { s.NodeUser, s.NodeCookie = "", file }},
		{"--node-cookie: ", func(s *setup.Setup) { s.NodeUser, s.NodeCookie = "", "cookie" }},
		{"--node-password-file: must be one line", func(s *setup.Setup) { s.NodePassword = "a\nb" }},
		{"--domain: found ", func(s *setup.Setup) { s.Domain = "https://example.org" }},
		{"--contact: found ", func(s *setup.Setup) { s.Contact = "me" }},
		{`--rune: "WOLF" is neither`, func(s *setup.Setup) { s.Rune = "WOLF" }},
		{"--rune: ", func(s *setup.Setup) { s.Rune = "1:0" }}, // no rune on the chain
		{"--name: found ", func(s *setup.Setup) { s.Name = strings.Repeat("x", 61) }},
		{"--token: found ", func(s *setup.Setup) { s.Token = "a b" }},
		{"--prefix: found ", func(s *setup.Setup) { s.Prefix = "orders" }},
		{"--prefix: found ", func(s *setup.Setup) { s.Prefix = "dummy" }},
		{"--budget: ", func(s *setup.Setup) { s.Budget = "10,00" }},
		{"--budget: ", func(s *setup.Setup) { s.Budget = "0" }},
		{"--budget: ", func(s *setup.Setup) { s.Budget = "0.123456789" }},
		{"% of the maximum supply per year, more than 20 %. If you mean it, add --despite-checks",
			func(s *setup.Setup) { s.Budget = "1" }},
		{"--node-password-file: the node refuses", func(s *setup.Setup) { s.NodePassword = "another" }},
		{"--budget: there are at most", func(s *setup.Setup) { s.Budget = "3" }},
		{"--minimum-stake: ", func(s *setup.Setup) { s.MinimumStake = "-1" }},
		{"--genesis: found ", func(s *setup.Setup) { s.Genesis = "tomorrow" }},
		{"--epoch-length: found ", func(s *setup.Setup) { s.EpochLength = "1 week" }},
		{"--terms: ", func(s *setup.Setup) { s.Terms = file + "x" }},
		{"--terms: found ", func(s *setup.Setup) { s.Terms = file }},
		{"--terms-version: found ", func(s *setup.Setup) { s.TermsVersion = strings.Repeat("1", 21) }},
		{`--key-scheme: "slip39" is neither`, func(s *setup.Setup) { s.KeyScheme = "slip39" }},
		{`--key-kind: "old" is neither`, func(s *setup.Setup) { s.KeyKind = "old" }},
		{"--key: ", func(s *setup.Setup) { s.Key = "moonfund.key" }},
		{"--key: " + file + " exists already", func(s *setup.Setup) { s.Key = file }},
		{"--key: ", func(s *setup.Setup) { s.KeyKind, s.Key = "existing", file+"x" }},
		{"--data: " + file + " is a file", func(s *setup.Setup) { s.Data = file }},
		{"--backups: ", func(s *setup.Setup) { s.Backups = "backups" }},
		{"--listen: ", func(s *setup.Setup) { s.Listen = "8080" }},
		{"--metrics: ", func(s *setup.Setup) { s.Metrics = "x" }},
		{"--proxy is ", func(s *setup.Setup) { s.Proxy = "127.0.0.1" }},
		{"missing answers: --domain, --budget (there is no terminal", func(s *setup.Setup) { s.Domain, s.Budget = "", "" }},
	} {
		s, _ := newSetup(t, folder, node.URL)
		c.spoil(s)
		if err := s.Collect(t.Context()); err == nil || !strings.Contains(err.Error(), c.words) {
			t.Errorf("want an error that contains %q, got %v", c.words, err)
		}
	}
	s, _ := newSetup(t, folder, "http://127.0.0.1:1")
	s.Network, s.Terms, s.Rune = "mainnet", "", "840000:35"
	if err := s.Collect(t.Context()); err == nil || !strings.Contains(err.Error(), "missing answers: --terms") {
		t.Errorf("mainnet without terms: got error %v", err)
	}
	if got := list(t, folder); len(got) != 1 {
		t.Errorf("a failed setup wrote %v", got)
	}
}

// TestSetupAsks types a wrong answer to each prompt first. Each is explained at once, and the prompt is repeated. What
// the node says and what has a valid default is not asked.
func TestSetupAsks(t *testing.T) {
	node, _, _ := realNode(t)
	folder := t.TempDir()
	node.SetResponse(onlyWithLogin)
	s, o := newSetup(t, folder, node.URL)
	given := s.Answers
	s.Answers = setup.Answers{KeyScheme: "bip39", Key: given.Key, Data: given.Data}
	o.typed = map[string][]string{
		"Address of the node": {"x", "http://127.0.0.1:1", given.NodeURL}, "The node's cookie": {"/nowhere", login},
		"The node's user": {login, login}, "The node's password": {"", "another", login},
		"Your domain": {"Example.org", "localhost"},
		"Contact":     {"me", given.Contact}, "The community's rune": {"1:0", given.Rune}, "Name": {"\u200b", "Orders"},
		"Short name": {"a b", ""}, "Label": {"dummy", "wolf"}, "Start of epoch": {"soon", ""},
		"Rewards": {"many", "1", "0.9", "0.9"}, "Smallest": {"none", ""}, "Markdown": {"/nowhere", given.Terms},
		"Folder of automatic": {"x", given.Backups},
	}
	for start := range o.typed {
		o.typed[start] = append([]string{}, o.typed[start]...)
	}
	s.Ask, s.Hidden = o.ask, o.ask
	var shown []string
	s.ShowWords = func(secret signer.Secret) (err error) {
		shown, err = secret.Words()
		return err
	}
	testkit.Must(t, s.Collect(t.Context()))
	for start, left := range o.typed {
		if len(left) > 0 {
			t.Errorf("no prompt %s for the answers %q", start, left)
		}
	}
	for _, words := range []string{
		"an answer is needed", "no node answers at http://127.0.0.1:1", "the node refuses the user, password or cookie",
		"If you mean it, type it again", "% per year", "--network regtest", "--epoch-length 168h",
	} {
		if !o.heard(words) {
			t.Errorf("%q is not in what the setup said: %q", words, o.said)
		}
	}
	plan, err := s.Plan()
	testkit.Must(t, err)
	testkit.Must(t, plan.Write(false))
	if _, err := community.LoadDir(filepath.Join(folder, "etc", "communities"), "regtest"); err != nil {
		t.Error(err)
	}
	written, err := signer.ReadSecret(s.Key, secret)
	testkit.Must(t, err)
	if words, err := written.Words(); err != nil || written.Scheme != signer.SchemeBIP39 || len(shown) != 24 ||
		!slices.Equal(words, shown) {
		t.Errorf("the key has the scheme %s, %d words were shown, error %v", written.Scheme, len(shown), err)
	}
}

// TestSetupIsResumed closes the terminal in the middle of the setup, and goes on with the answers of before, which
// contain no password. Where they can't be kept, the error repeats them as flags.
func TestSetupIsResumed(t *testing.T) {
	node, _, _ := realNode(t)
	folder := t.TempDir()
	s, o := newSetup(t, folder, node.URL)
	s.Contact, s.NodePassword = "", ""
	o.typed = map[string][]string{"The node's password": {login}}
	s.Ask, s.Hidden = o.ask, o.ask
	err := s.Collect(t.Context())
	for _, words := range []string{"Nothing was set up", "moonfund setup --node-url " + node.URL, "--network regtest",
		`--name "Wolf Pack"`, "--folder " + s.Folder} {
		if err == nil || !strings.Contains(err.Error(), words) {
			t.Errorf("want an error that contains %q, got %v", words, err)
		}
	}
	if strings.Contains(fmt.Sprint(err), "password") {
		t.Error("the password is printed")
	}
	if got := list(t, folder); len(got) > 0 {
		t.Errorf("a failed setup wrote %v", got)
	}
	testkit.Must(t, os.Mkdir(s.Folder, 0o755))
	o.typed = map[string][]string{"The node's password": {login}, "Contact": {"help@example.org"}}
	s.Rune, s.Overwrite = "", true
	t.Setenv("SUDO_USER", "anna")
	if err := s.Collect(t.Context()); err == nil || strings.Contains(err.Error(), "--node-url") ||
		!strings.Contains(err.Error(), "\n  sudo moonfund setup --") || !strings.HasSuffix(err.Error(), " --overwrite") {
		t.Errorf("want an error with a command without answers, got %v", err)
	}
	kept, err := os.ReadFile(filepath.Join(s.Folder, "setup-answers.json"))
	if err != nil || strings.Contains(string(kept), "password") {
		t.Errorf("the kept answers are %s, error %v", kept, err)
	}
	again, o := newSetup(t, folder, node.URL)
	rune := again.Rune
	again.Answers = setup.Answers{}
	again.Ask, again.Hidden = o.ask, o.ask
	o.typed = map[string][]string{
		"The node's password": {login}, "The community's rune": {rune}, "Start of epoch": {""}, "Smallest": {""},
	}
	testkit.Must(t, again.Collect(t.Context()))
	if again.Contact != "help@example.org" || again.Name != "Wolf Pack" || len(o.asked) != 4 ||
		!o.heard("Going on with the answers in ") {
		t.Errorf("the setup asked %q and said %q", o.asked, o.said)
	}
	again.Finish()
	if got := list(t, s.Folder); len(got) > 0 {
		t.Errorf("a finished setup leaves %v", got)
	}
}

// TestQuestions counts the prompts of a setup on a machine with a node whose cookie is found. The whole way to mainnet
// has at most 15, with the passphrase, its repetition and the confirmation of the files, the passphrase for `moonfund
// init` and the confirmation of `moonfund treasury credit`.
func TestQuestions(t *testing.T) {
	node, _, _ := realNode(t)
	folder := t.TempDir()
	s, o := newSetup(t, folder, node.URL)
	node.SetResponse(onlyWithLogin)
	cookie, stale := filepath.Join(folder, "cookie"), filepath.Join(folder, "stale")
	testkit.Must(t, os.WriteFile(stale, []byte("user:stale"), 0o600))
	testkit.Must(t, os.WriteFile(cookie, []byte(login+":"+login), 0o600))
	given := s.Answers
	s.Cookies = []string{filepath.Join(folder, "none"), stale, cookie}
	s.Answers = setup.Answers{NodeURL: given.NodeURL, Key: given.Key, Data: given.Data}
	s.Ask, s.Hidden = o.ask, o.ask
	o.typed = map[string][]string{
		"Your domain": {"localhost"}, "Contact": {given.Contact}, "The community's rune": {given.Rune}, "Name": {"LOBO"},
		"Short name": {""}, "Start of epoch": {""}, "Rewards": {"0.001"}, "Smallest": {""}, "Markdown": {given.Terms},
		"Folder of automatic": {""},
	}
	testkit.Must(t, s.Collect(t.Context()))
	const others = 5
	if n := len(o.asked) + others; n > 15 || s.NodeCookie != cookie || s.Network != "regtest" {
		t.Errorf("%d answers, cookie %s, network %s: %q", n, s.NodeCookie, s.Network, o.asked)
	}
}

// TestSetupWithoutNode checks what setup says without a node about the rune, its rewards and the host names, and that a
// rune's short name is accepted.
func TestSetupWithoutNode(t *testing.T) {
	s, o := newSetup(t, t.TempDir(), "http://127.0.0.1:1")
	s.Network, s.Rune, s.EpochLength, s.Domain = "mainnet", "lobo the wolf.pup", "168h", "moonfund.invalid"
	s.DespiteChecks = true
	s.Ask, s.Hidden = o.ask, o.ask
	o.typed = map[string][]string{"Start of epoch": {""}, "Smallest": {""}}
	testkit.Must(t, s.Collect(t.Context()))
	for _, words := range []string{"Note: no node answers at http://127.0.0.1:1", "fail  node: ",
		"Note: moonfund.invalid has no address", "Note: wolf.moonfund.invalid has no address",
		"The rune was not looked up", "can't be said before the node has the rune"} {
		if !o.heard(words) {
			t.Errorf("%q is not in what the setup said: %q", words, o.said)
		}
	}
	if s.Rune != "840000:35" {
		t.Errorf("the rune is %s", s.Rune)
	}
	want(t, find(t, s.Check(t.Context()), "node"), setup.Fail, "can't be reached")
}
