package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
	"github.com/btcsuite/btcd/chaincfg/v2"
	"github.com/btcsuite/btcd/chainhash/v2"

	"moonfund/internal/operate/terminal"
	"moonfund/internal/signer"
	"moonfund/internal/testkit"
)

// bad is a folder with invalid files of every kind.
type bad struct {
	folder, key, readable, manifests, wrong, kit string
	pruned, elsewhere                            string // nodes
}

func badFolder(t *testing.T) bad {
	t.Helper()
	dir := t.TempDir()
	b := bad{
		dir, filepath.Join(dir, "key"), filepath.Join(dir, "readable"), filepath.Join(dir, "right"),
		filepath.Join(dir, "wrong"), filepath.Join(dir, "kit.json"),
		saying(t, chaincfg.MainNetParams.GenesisHash, true), saying(t, chaincfg.TestNet4Params.GenesisHash, false),
	}
	for _, path := range []string{b.key, b.readable} {
		_, err := signer.NewKeyFile(path, "the right one")
		testkit.Must(t, err)
	}
	testkit.Must(t, os.Chmod(b.readable, 0o644))
	write := func(path, text string) {
		testkit.Must(t, os.MkdirAll(filepath.Dir(path), 0o700))
		testkit.Must(t, os.WriteFile(path, []byte(text), 0o600))
	}
	right := `prefix = "wolf"` + "\nname = \"Wolf\"\ntoken = \"W\"\naccount = 0\ngenesis = " +
		"2026-12-02T00:00:00Z\nreward_budget = 1\nminimum_stake = 1\nservice_fee = 0\n"
	write(filepath.Join(b.manifests, "wolf.toml"), right)
	write(filepath.Join(b.wrong, "wolf.toml"), strings.Replace(right, "account = 0", "acount = 0", 1))
	write(filepath.Join(b.wrong, "twin.toml"), right)
	write(b.kit, "{}")
	return b
}

// saying returns the URL of a node that reports only its chain and whether it prunes.
func saying(t *testing.T, genesis *chainhash.Hash, pruned bool) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var question struct{ Method string }
		_ = json.NewDecoder(r.Body).Decode(&question) // an invalid request gets an empty response
		switch question.Method {
		case "getblockhash":
			fmt.Fprintf(w, `{"result":"%s","error":null}`, genesis)
		case "getblockchaininfo":
			fmt.Fprintf(w, `{"result":{"pruned":%t},"error":null}`, pruned)
		default:
			fmt.Fprint(w, `{"result":null,"error":{"code":-32601,"message":"no such method"}}`)
		}
	}))
	t.Cleanup(server.Close)
	return server.URL
}

const nobody = "http://127.0.0.1:1" // no node answers there

// refusal is a command line and a part of its error.
type refusal struct {
	reason string
	line   string
}

// refusals has at least one row for every command. Words in capitals are files of bad.
var refusals = []refusal{
	{"there is no page restor", "help restor"},
	{"--port is -1", "dev --port=-1"},
	{"--port is 70000", "dev --port 70000"},
	{`--epoch is "1x"`, "dev --epoch 1x"},
	{`--epoch is "-3m"`, "dev --epoch=-3m"},
	{`--block is "1.5s"`, "dev --block 1.5s"},

	{`--index must be one of "full","followed" but got "half"`, "dev --index half"},

	{"missing flags: --communities=STRING", "ledger adopt"},
	{"one of --kit FILE, --from LEDGER and --search is needed", "ledger adopt --communities MANIFESTS --why x --by olga"},
	{"--kit and --from can't be used together",
		"ledger adopt --communities MANIFESTS --why x --by olga --kit KIT --from FOLDER"},
	{"--gap is 20000", "ledger adopt --communities MANIFESTS --why x --by olga --search --gap 20000"},
	{"there is no ledger", "ledger show --data FOLDER"},
	{"there is no ledger", "ledger upgrade --data FOLDER"},
	{"there is no ledger", "ledger adopt --data FOLDER --communities MANIFESTS --why x --by olga --search"},

	{"there is no ledger", "community list --data FOLDER --communities MANIFESTS"},
	{"valid TOML", "community add KIT --data FOLDER --communities MANIFESTS --by olga"},
	{"there is no ledger", "community retire wolf --data FOLDER --by olga"},

	{"missing flags: --communities=STRING", "init"},
	{`unknown network "moon"`, "init --communities MANIFESTS --network moon"},
	{"no *.toml file in", "init --communities FOLDER"},
	{"--by is empty", "init --communities MANIFESTS --despite-history"},
	{`--scan must be one of "auto","blocks" but got "all"`, "init --communities MANIFESTS --scan all"},
	{"the node can't be reached", "init --communities MANIFESTS --key KEY --node-url NODE"},
	{"the node is pruned", "init --communities MANIFESTS --key KEY --node-url PRUNED"},

	{"missing flags: --communities=STRING, --domain=DOMAIN,...", "serve"},
	{`--index must be one of "full","followed" but got "some"`,
		"serve --domain a.example --communities MANIFESTS --index some"},
	{"--orders needs --index full", "serve --domain a.example --communities MANIFESTS --index followed --orders"},
	{"unknown flag --comunities", "serve --comunities MANIFESTS"},
	{`unknown network "moon"`, "serve --domain a.example --communities MANIFESTS --network moon"},
	{"no *.toml file in", "serve --domain a.example --communities FOLDER"},
	{"acount: found 0, want no such key", "serve --domain a.example --communities WRONG"},
	{"account: found nothing", "serve --domain a.example --communities WRONG"},
	{`--proxy is "10.0.0.0"`, "serve --domain a.example --communities MANIFESTS --proxy 10.0.0.0"},
	{`--domain is "https://a.example"; it must be a host name`,
		"serve --domain https://a.example --communities MANIFESTS"},
	{`--domain is "A.example"`, "serve --domain A.example --communities MANIFESTS"},
	{`--domain is "b.example:8080"`, "serve --domain a.example,b.example:8080 --communities MANIFESTS"},
	{`--domain is "a.example."`, "serve --domain a.example. --communities MANIFESTS"},
	{`--domain is "192.0.2.1"`, "serve --domain 192.0.2.1 --communities MANIFESTS"},
	{`--domain is ""`, "serve --domain= --communities MANIFESTS"},
	{`--learn-more is "javascript:alert(1)"`,
		"serve --domain a.example --communities MANIFESTS --learn-more javascript:alert(1)"},
	{"--fallback is -3", "serve --domain a.example --communities MANIFESTS --fallback=-3"},
	{"--fallback is 0", "serve --domain a.example --communities MANIFESTS --fallback 0"},
	{"--floor is 1000000", "serve --domain a.example --communities MANIFESTS --floor 1000000"},
	{"expected a valid 64 bit int", "serve --domain a.example --communities MANIFESTS --floor high"},
	{"--backups: ", "serve --domain a.example --communities MANIFESTS --backups FOLDER/nothing"},
	{"--backup-every is 1s", "serve --domain a.example --communities MANIFESTS --backups FOLDER --backup-every 1s"},
	{"--orders-fee must be 0", "serve --domain a.example --communities MANIFESTS --orders --orders-fee 1500"},
	{"--orders-fee must be 0", "serve --domain a.example --communities MANIFESTS --orders --orders-fee=-1"},
	{"--orders-fee-address is \"nowhere\"", "serve --domain a.example --communities MANIFESTS --orders " +
		"--orders-fee-address nowhere"},
	{"nodes relay no less than 294", "serve --domain a.example --communities MANIFESTS --orders-fee 100 " +
		"--orders-fee-address bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4"},
	{"the node can't be reached", "serve --domain a.example --communities MANIFESTS --key KEY --node-url NODE"},
	{"the node is pruned", "serve --domain a.example --communities MANIFESTS --key KEY --node-url PRUNED"},
	{"the node is on another network", "serve --domain a.example --communities MANIFESTS --key KEY --node-url ELSEWHERE"},
	{"the URL must be http://", "serve --domain a.example --communities MANIFESTS --key KEY --node-url ftp://a.example"},

	{"missing flags: --communities=STRING, --key=STRING, --socket=STRING", "signer run"},
	{`unknown network "moon"`, "signer run --communities MANIFESTS --key KEY --socket s --network moon"},
	{"the node can't be reached", "signer run --communities MANIFESTS --key KEY --socket s --node-url NODE"},
	{"the node is pruned", "signer run --communities MANIFESTS --key KEY --socket s --node-url PRUNED"},
	{"the node is on another network", "signer run --communities MANIFESTS --key KEY --socket s --node-url ELSEWHERE"},
	{"another network", "signer run --communities MANIFESTS --key KEY --socket s --orders-fee-address " +
		"tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx"},
	{`--index must be one of "full","followed" but got "none"`,
		"signer run --communities MANIFESTS --key KEY --socket s --index none"},
	{"missing flags: --from-key=STRING, --key=STRING", "signer adopt --why x"},
	{"--why is empty", "signer adopt --from-key KEY --from FOLDER --key FOLDER/new --data FOLDER/signer"},
	{"no such file", "signer adopt --from-key FOLDER/nothing --from FOLDER --key FOLDER/new --data FOLDER/signer --why x"},
	{"this would be half a move",
		"signer adopt --from-key KEY --from FOLDER --key FOLDER/new --data FOLDER/signer --why x"},
	{"must differ", "signer adopt --from-key KEY --from FOLDER --key KEY --data FOLDER/signer --why x"},
	{"--why is empty", "signer pause --data FOLDER"},
	{"no such file", "signer pause --data FOLDER/nothing --why x"},
	{"--why is empty", "signer pause --data FOLDER --by anna --why="},
	{"--why has a line break or another character", "signer pause --data FOLDER --by anna --why=\x1b[2J"},
	{"--by has a line break or another character", "signer pause --data FOLDER --by=\u202eanna --why x"},
	{"--by is empty", "signer pause --data FOLDER --why x --by="},
	{"is reserved for the signer's clock", "signer pause --data FOLDER --why x --by clock"},
	{"--why is empty", "signer resume --data FOLDER"},
	{"no such file", "signer resume --data FOLDER/nothing --why x"},
	{"--why is empty", "signer resume --data FOLDER --yes --by anna --why="},
	{"--by is empty", "signer resume --data FOLDER --yes --why x --by="},
	{"is not paused", "signer resume --data FOLDER --yes --by anna --why x"},
	{"no such file", "signer status --data FOLDER/nothing"},
	{"--why is empty", "signer confirm-limits --data FOLDER"},
	{"no such file", "signer confirm-limits --data FOLDER/nothing --why x"},
	{"--why is empty", "signer confirm-limits --data FOLDER --yes --by anna --why="},
	{"--by is empty", "signer confirm-limits --data FOLDER --yes --why x --by="},

	{"missing flags: --communities=STRING, --key=STRING", "signer sign KIT FOLDER/signed"},
	{"no such file", "signer sign FOLDER/nothing FOLDER/signed --communities MANIFESTS --key KEY"},
	{"it is not a PSBT", "signer sign KIT FOLDER/signed --communities MANIFESTS --key KEY"},

	{`expected "<file>"`, "key new"},
	{"exists already and is not overwritten", "key new KEY"},
	{"no such file", "key new FOLDER/no/such/folder"},
	{"no such file", "key check FOLDER/nothing"},
	{"wrong passphrase", "key check KEY"},
	{"others may read it", "key check READABLE"},
	{"not readable", "key check KIT"},
	{`unknown network "moon"`, "key check KEY --network moon"},
	{"expected a valid 32 bit uint", "key check KEY --account=-1"},

	{"there is no ledger", "key check KEY --ledger --data FOLDER"},
	{"on a terminal only", "key backup KEY"},
	{"exists already and is not overwritten", "key restore KEY"},
	{"these are 0 words", "key restore FOLDER/again --scheme seed"},
	{"there is no ledger", "key restore FOLDER/again --ledger --data FOLDER"},
	{"wrong passphrase", "key rotate KEY"},
	{"there is no rotation to confirm", "key rotate KEY --confirm"},
	{"no such file", "key rotate FOLDER/nothing"},
	{"missing flags: --rate=N, --to=XPUB", "key sweep KEY wolf"},
	{"--rate is 0", "key sweep KEY wolf --to x --rate 0 --why x --by olga"},
	{"there is no ledger", "key sweep KEY wolf --to x --rate 9 --why x --by olga --data FOLDER"},

	{"missing answers: --node-user, --node-password-file, --domain", "setup --yes --folder FOLDER/etc"},
	{"--proxy is", "setup --yes --folder FOLDER/etc --proxy x"},
	{"--node-password-file: ", "setup --yes --folder FOLDER/etc --node-password-file FOLDER/nothing"},
	{"missing flags: --communities=STRING, --domain=DOMAIN", "doctor"},
	{`unknown network "moon"`, "doctor --communities MANIFESTS --domain example.org --network moon"},
	{"--domain is", "doctor --communities MANIFESTS --domain Example.org"},
	{"a check failed", "doctor --communities MANIFESTS --domain example.org --data FOLDER/none --node-url NODE"},
	{"settings: ", "--settings FOLDER/nothing doctor"},
	{"no *.toml file in", "manifest check FOLDER"},
	{"no *.toml file in", "manifest check FOLDER/nothing"},
	{"acount: found 0, want no such key", "manifest check WRONG"},
	{`unknown network "moon"`, "manifest check MANIFESTS --network moon"},
	{"terms: found nothing, want [terms]", "manifest check MANIFESTS --network mainnet"},
	{"--source is", "serve --communities MANIFESTS --key KEY --data FOLDER --domain example.org --network mainnet " +
		"--source x"},
	{"--esplora: \"http://example.org\" must begin with https://", "serve --communities MANIFESTS --key KEY " +
		"--data FOLDER --domain example.org --network mainnet --esplora http://example.org"},

	{"there is no ledger", "order list --data FOLDER"},
	{`--status is "lost"`, "order list --data FOLDER --status lost"},
	{"--limit must be", "order list --data FOLDER --limit 0"},
	{"--limit must be", "order list --data FOLDER --limit=-1"},
	{"expected a valid 64 bit int", "order list --data FOLDER --limit 99999999999999999999"},
	{`"sqlite:PATH" or "postgres://…"`, "order list --database mysql://a.example/b"},
	{"can't be opened", "order list --database postgres://nobody@127.0.0.1:1/nothing?connect_timeout=1"},
	{`expected "<order>"`, "order show --data FOLDER"},
	{"there is no ledger", "order show --data FOLDER x"},
	{"--why is empty", "order review --data FOLDER x"},
	{"there is no ledger", "order review --data FOLDER x --why late --by olga"},
	{"--why is empty", "order resolve --data FOLDER x"},
	{"--by is empty", "order resolve --data FOLDER x --why late --by="},
	{"there is no ledger", "order resolve --data FOLDER x --why late --by olga"},
	{"--why is empty", "order refund --data FOLDER x --by olga --why="},
	{"--by has at most 100 bytes", "order refund --data FOLDER x --why late --by LONG"},
	{"there is no ledger", "order refund --data FOLDER x --why late --by olga"},
	{"expected duration", "order refund --data FOLDER x --why late --by olga --wait soon"},

	{"there is no ledger", "payout list --data FOLDER"},
	{"--status must be one of", "payout list --data FOLDER --status lost"},
	{"there is no ledger", "payout show --data FOLDER x"},
	{"there is no ledger", "payout bump --data FOLDER x --why late --by olga"},
	{"--why is empty", "payout bump --data FOLDER x"},
	{"exists already", "payout export --data FOLDER x KIT --why late --by olga"},
	{"there is no ledger", "payout export --data FOLDER x FOLDER/psbt --why late --by olga"},
	{"no such file", "payout import --data FOLDER x FOLDER/nothing --why late --by olga"},
	{"--why is empty", "payout import --data FOLDER x KIT"},
	{"", "payout import --data FOLDER x KIT --why late --by olga"},
	{"there is no ledger", "unit show --data FOLDER x"},
	{"there is no ledger", "unit list --data FOLDER --owner x"},
	{"missing flags: --owner", "unit list --data FOLDER"},
	{"--stage is", "unit list --data FOLDER --owner x --stage gone"},
	{"--limit must be", "unit list --data FOLDER --owner x --limit 0"},
	{"there is no ledger", "find --data FOLDER x"},
	{"expected \"<address|txid|outpoint|order>\"", "find --data FOLDER"},
	{"there is no ledger", "epoch list --data FOLDER wolf"},
	{"--limit must be", "epoch list --data FOLDER wolf --limit 10001"},
	{"there is no ledger", "epoch show --data FOLDER wolf 1"},
	{"expected a valid 64 bit int", "epoch show --data FOLDER wolf one"},
	{"is not the data folder of a dev network", "epoch verify --data FOLDER 1"},
	{`--index must be one of "","full","followed" but got "all"`, "epoch verify --data FOLDER 1 --index all"},
	{"there is no ledger", "epoch verify --data FOLDER 1 --network regtest"},
	{`--rune is "840000"`, "epoch verify 1 --network regtest --server http://127.0.0.1:1 --rune 840000"},
	{`--server is "lobo.example.org"`, "epoch verify 1 --network regtest --server lobo.example.org --community lobo " +
		"--rune 840000:35"},
	{"--rune is for --server", "epoch verify 1 --data FOLDER --network regtest --rune 840000:35"},
	{"the node is on another network", "epoch verify 1 --network regtest --node-url ELSEWHERE --server " +
		"http://127.0.0.1:1 --community lobo --rune 840000:35"},
	{"the --community must be named", "epoch verify 1 --network regtest --server http://127.0.0.1:1 --rune 840000:35"},

	{"there is no ledger", "rune-order list --data FOLDER"},
	{`--state is "lost"`, "rune-order list --data FOLDER --state lost"},
	{"--limit must be", "rune-order list --data FOLDER --limit 0"},
	{"there is no ledger", "rune-order show --data FOLDER x"},
	{"must be one of", "pause everything --data FOLDER --why x --by olga"},
	{"there is no ledger", "pause all --data FOLDER --why x --by olga"},
	{"there is no ledger", "resume all --data FOLDER --why x --by olga"},
	{"--limit must be", "log --data FOLDER --limit 0"},
	{"there is no ledger", "treasury show --data FOLDER wolf"},
	{"there is no ledger", "treasury credit --data FOLDER wolf --why x --by olga"},
	{"there is no ledger", "treasury surplus --data FOLDER wolf"},
	{"there is no ledger", "treasury report --data FOLDER wolf --month 2026-10"},
	{"must be a month such as", "treasury report --data FOLDER wolf --month 2026-13"},
	{"missing flags: --month=YYYY-MM", "treasury report --data FOLDER wolf"},
	{`expected "<community>"`, "treasury surplus --data FOLDER"},
	{"there is no ledger", "treasury withdraw --data FOLDER wolf --sats 1000 --to x --why x --by olga"},
	{"missing flags: ", "treasury withdraw --data FOLDER wolf --to x --why x --by olga"},
	{"missing flags: --to=ADDRESS", "treasury withdraw --data FOLDER wolf --sats 1000 --why x --by olga"},
	{"can't be used together", "treasury withdraw --data FOLDER wolf --sats 1 --runes 1 --to x --why x --by olga"},
	{"expected", "treasury withdraw --data FOLDER wolf --runes 1.5 --to x --why x --by olga"},
	{"there is no ledger", "treasury explain --data FOLDER x --why y --by olga"},
	{"--why is empty", "treasury explain --data FOLDER x"},
	{"there is no ledger", "treasury descriptors --data FOLDER wolf"},
	{"no receiver is configured", "notify test"},
	{"there is no ledger", "notify list --data FOLDER"},
	{"name one event by its id", "notify replay --data FOLDER"},
	{"there is no ledger", "console --data FOLDER"},
	{"an address of this machine only", "console --data FOLDER --listen 0.0.0.0:9465"},
	{"there is no ledger", "quarantine list --data FOLDER"},
	{"there is no ledger", "quarantine return --data FOLDER x --why y --by olga"},

	{"is not the data folder of a dev network", "audit --data FOLDER"},
	{`unknown network "moon"`, "audit --data FOLDER --network moon"},
	{"there is no ledger", "audit --data FOLDER --network regtest"},
	{`unknown network "moon"`, "audit check --data FOLDER --network moon"},
	{`expected "<violation>"`, "audit accept --data FOLDER --why x --by olga"},
	{"--why is empty", "audit accept 1a2b3c4d5e6f --data FOLDER --by olga"},
	{"there is no ledger", "audit accept 1a2b3c4d5e6f --data FOLDER --network regtest --why x --by olga"},
	{"there is no ledger", "backup --data FOLDER FOLDER/b.zip"},
	{"--key: ", "backup --data FOLDER FOLDER/b.zip --key KIT"},
	{"there is no file", "restore --data FOLDER FOLDER/nothing.zip --why x --by olga"},
	{"is not a complete backup", "restore --data FOLDER KIT --why x --by olga"},
	{"missing flags: --communities=STRING, --from-chain", "rebuild --data FOLDER"},
	{`--index must be one of "","full","followed" but got "all"`,
		"rebuild --from-chain --index all --data FOLDER --why x --communities MANIFESTS"},
	{`unknown network "moon"`, "rebuild --from-chain --data FOLDER --why x --by olga --communities MANIFESTS --network " +
		"moon"},
	{"the node can't be reached", "rebuild --from-chain --data FOLDER --why x --by olga --communities MANIFESTS --key " +
		"KEY --node-url NODE"},
	{"the node is pruned", "rebuild --from-chain --data FOLDER --why x --by olga --communities MANIFESTS --key KEY " +
		"--node-url PRUNED"},
	{"the node is on another network", "rebuild --from-chain --data FOLDER --why x --by olga --communities MANIFESTS " +
		"--key KEY --node-url ELSEWHERE"},
	{"no such file", "recover FOLDER/nothing.json"},
	{"kit", "recover KIT"},
	{"unexpected argument refunds", "refunds"},
}

// TestEveryCommandRefuses runs every command with missing, wrong, contradictory or dangerous input. The error of each
// must name the problem, and no file may be left. A command without a row fails the test.
func TestEveryCommandRefuses(t *testing.T) {
	b := badFolder(t)
	t.Setenv(terminal.PassphraseVariable, "the wrong one")
	t.Setenv("USER", "")
	for _, name := range []string{"DATA", "DATABASE", "COMMUNITIES", "KEY", "NETWORK", "DOMAIN"} {
		t.Setenv("MOONFUND_"+name, "")
		testkit.Must(t, os.Unsetenv("MOONFUND_"+name))
	}
	t.Chdir(t.TempDir())
	before := b.listed(t)
	words := strings.NewReplacer("FOLDER", b.folder, "MANIFESTS", b.manifests, "WRONG", b.wrong, "READABLE", b.readable,
		"KEY", b.key, "KIT", b.kit,
		"NODE", nobody, "PRUNED", b.pruned, "ELSEWHERE", b.elsewhere, "LONG", strings.Repeat("o", 101))
	for _, row := range refusals {
		if text, err := command(t, "", strings.Fields(words.Replace(row.line))...); err == nil ||
			!strings.Contains(err.Error(), row.reason) {
			t.Errorf("command %s: got error %v, output %s; want %q", row.line, err, text, row.reason)
		}
	}
	if after := b.listed(t); after != before {
		t.Errorf("files left behind:\n%s\nwant\n%s", after, before)
	}
	var cli commands
	parser, err := kong.New(&cli, parserOptions()...)
	testkit.Must(t, err)
	for _, leaf := range parser.Model.Leaves(true) {
		path := strings.TrimPrefix(leaf.FullPath(), "moonfund ")
		covered := path == "version" || path == "manifest example"
		for _, row := range refusals {
			covered = covered || row.line == path || strings.HasPrefix(row.line, path+" ")
		}
		if !covered {
			t.Errorf("no row gives wrong input to `moonfund %s`", path)
		}
	}
}

// TestEveryCommandHasJSON checks that every command has --json, unless it keeps running or needs a terminal.
func TestEveryCommandHasJSON(t *testing.T) {
	without := []string{
		"dev", "serve", "signer run", "signer sign", "key backup", "key restore", "key rotate",
		"console", "manifest example", "recover", "setup", "help",
	}
	var cli commands
	parser, err := kong.New(&cli, parserOptions()...)
	testkit.Must(t, err)
	for _, leaf := range parser.Model.Leaves(true) {
		path := strings.TrimPrefix(leaf.FullPath(), "moonfund ")
		has := false
		for _, group := range leaf.AllFlags(true) {
			has = has || slices.ContainsFunc(group, func(f *kong.Flag) bool { return f.Name == "json" })
		}
		if has == slices.Contains(without, path) {
			t.Errorf("moonfund %s has --json: %v", path, has)
		}
	}
	t.Setenv(terminal.PassphraseVariable, "the right one")
	file := filepath.Join(t.TempDir(), "moonfund.key")
	for _, line := range [][]string{{"key", "new", file, "--json"}, {"key", "check", file, "--json"}} {
		var view struct{ Fingerprint string }
		text, err := command(t, "", line...)
		testkit.Must(t, err)
		if err := json.Unmarshal([]byte(text), &view); err != nil || len(view.Fingerprint) != 8 {
			t.Errorf("moonfund %s: output %s", strings.Join(line, " "), text)
		}
	}
}

// listed returns the files of the folder.
func (b bad) listed(t *testing.T) string {
	t.Helper()
	var names []string
	testkit.Must(t, filepath.WalkDir(b.folder, func(path string, _ os.DirEntry, err error) error {
		names = append(names, path)
		return err
	}))
	return strings.Join(names, "\n")
}
