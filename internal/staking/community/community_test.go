package community

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"moonfund/internal/amount"
)

// whole is a complete manifest that is valid on every network.
const whole = `
prefix = "wolf"
host = "wolf"
name = "Wolf Pack"
token = "WOLF"
account = 7
genesis = 2026-12-02T00:00:00Z
epoch_length = "168h"
reward_budget = "1000"
minimum_stake = 100
service_fee = 1500
recovery_delay = 26280
explorer_tx = "https://explorer.example/tx/{txid}"
collection = "Wolves"
image = "/wolf.svg"
contact = "pack.help+wolf@example.org"
features = ["compound"]
[rune]
id = "900000:1"
name = "WOLF•PACK•RUNES"
symbol = "W"
divisibility = 8
[limits]
max_units_per_order = 150
payout_max_wait = "10m"
fee_top_up = 0
daily_outflow = "5000"
max_fee_rate = 200
[refunds]
per_day = 5000000
per_owner_day = 500000
[texts]
description = "Howl."
learn_more = "https://example.org/wolf"
get_token = "https://example.org/get"
front_notice = ""
[translated.de]
tagline = "Heult"
`

func TestWholeManifest(t *testing.T) {
	m, err := Read("wolf.toml", []byte(whole), "mainnet")
	if err != nil {
		t.Fatal(err)
	}
	if m.Prefix != "wolf" || m.Account != 7 || m.MinimumStake != 100 || m.Limits.DailyOutflow != 5000 ||
		m.Limits.MaxFeeRate != amount.SatPerVB(200) || m.Rune.Name != "WOLF•PACK•RUNES" || m.EpochLength != Week {
		t.Errorf("read %+v", m)
	}
	if m.ExplorerTx != "https://explorer.example/tx/{txid}" {
		t.Errorf("explorer link %s", m.ExplorerTx)
	}
	if m.Refunds != (Refunds{PerDay: 5_000_000, PerOwnerDay: 500_000}) {
		t.Errorf("refunds %+v", m.Refunds)
	}
	if m.Contact != "pack.help+wolf@example.org" {
		t.Errorf("contact %s", m.Contact)
	}
	if c := m.Calendar(); c.At(m.Genesis.Add(8*24*time.Hour)) != 1 || c.Manual {
		t.Errorf("calendar %+v", c)
	}
}

func TestDefaults(t *testing.T) {
	small := "prefix='p'\nname='P'\ntoken='P'\naccount=0\ngenesis=2026-12-02T00:00:00Z\n" +
		"reward_budget='10'\nminimum_stake='1'\nservice_fee=0\n"
	m, err := Read("p.toml", []byte(small), "mainnet")
	if err != nil {
		t.Fatal(err)
	}
	if m.Rune.ID != "840000:35" || m.Rune.Name != "LOBO•THE•WOLF•PUP" || m.Host != "p" ||
		m.RecoveryDelay != 8_064 || m.EpochLength != Week || m.Limits.MaxUnitsPerOrder != 150 ||
		m.Limits.DailyOutflow != 40 || m.Limits.DailySats != 20_000_000 || m.Rune.Symbol != "¤" {
		t.Errorf("defaults %+v", m)
	}
	if m.Refunds != (Refunds{PerDay: 20_000_000, PerOwnerDay: 2_000_000}) {
		t.Errorf("default limits of refunds %+v", m.Refunds)
	}
	for _, id := range []string{"840000:35", "846682:3227", "878389:2822"} {
		if _, known := RuneName(id); !known {
			t.Errorf("the specification lists rune %s", id)
		}
	}
}

// wrongValues each change one line of a valid manifest. key, found and want are the expected problem.
var wrongValues = []struct{ network, old, new, key, found, want string }{
	{"mainnet", `prefix = "wolf"`, `prefix = "orders"`, "prefix", `"orders"`, "not one of orders"},
	{"mainnet", `prefix = "wolf"`, `prefix = "openapi"`, "prefix", `"openapi"`, "not one of"},
	{"mainnet", `prefix = "wolf"`, `prefix = "Wolf"`, "prefix", `"Wolf"`, "lower-case"},
	{"mainnet", `prefix = "wolf"`, `prefix = "a/b"`, "prefix", `"a/b"`, "lower-case"},
	{"mainnet", `prefix = "wolf"`, ``, "prefix", "nothing", "lower-case"},
	{"mainnet", `host = "wolf"`, `host = "wolf.example"`, "host", `"wolf.example"`, "one label"},
	{"mainnet", `host = "wolf"`, `host = "www"`, "host", `"www"`, "not one of www"},
	{"mainnet", `host = "wolf"`, `host = "dummy"`, "test_mode", "nothing", "0, since host is dummy"},
	{"mainnet", `host = "wolf"`, "host = \"dummy\"\ntest_mode = 1", "test_mode", "1", "nothing is simulated"},
	{"mainnet", `host = "wolf"`, "host = \"wolf\"\ntest_mode = 0", "test_mode", "0", "unless host is dummy"},
	{"mainnet", `name = "Wolf Pack"`, `name = ""`, "name", `""`, "1 to 60"},
	{"mainnet", `name = "Wolf Pack"`, `name = "Wolf\u202ePack"`, "name", "Wolf", "printable"},
	{"mainnet", `name = "Wolf Pack"`, `name = "Wolf\nPack"`, "name", "Wolf", "in one line"},
	{"mainnet", `name = "Wolf Pack"`, `name = "Wolf Pack "`, "name", `"Wolf Pack "`, "printable"},
	{"mainnet", `name = "Wolf Pack"`, "name = \"Wolf\u3164Pack\"", "name", "Wolf", "printable"},
	{"mainnet", `token = "WOLF"`, `token = "WO\nLF"`, "token", "WO", "without spaces"},
	{"mainnet", `collection = "Wolves"`, `collection = "Wol\nves"`, "collection", "Wol", "in one line"},
	{"mainnet", `2026-12-02T00:00:00Z`, `2024-04-17T00:00:00Z`, "genesis", "2024-04-17", "when runes began"},
	{"mainnet", `2026-12-02T00:00:00Z`, `9999-12-29T00:00:00Z`, "genesis", "9999-12-29", "before 2100"},
	{"signet", `2026-12-02T00:00:00Z`, `9999-12-29T00:00:00Z`, "genesis", "9999-12-29", "to 2099"},
	{"mainnet", `https://explorer.example/tx/{txid}`, `https://explorer.example/tx/{txid} `, "explorer_tx", "{txid} ",
		"https URL"},
	{"mainnet", `image = "/wolf.svg"`, `image = "https://img.example/a b.svg"`, "image", "a b", "https URL"},
	{"mainnet", `https://example.org/wolf`, `https://example.org/'wolf'`, "texts.learn_more", "'wolf'", "https URL"},
	{"mainnet", `token = "WOLF"`, `token = "$WOLF"`, "token", `"$WOLF"`, "without spaces or $"},
	{"mainnet", `account = 7`, `account = -1`, "account", "-1", "from 0"},
	{"mainnet", `account = 7`, `account = "7"`, "account", `"7"`, "whole number"},
	{"mainnet", `account = 7`, "account = 7\n\"\" = 1", `""`, "1", "no such key"},
	{"mainnet", `account = 7`, "account = 7\n\"a\\u001b[2J\" = 1", `"a\x1b[2J"`, "1", "no such key"},
	{"mainnet", `account = 7`, `account = 2147483647`, "account", "2147483647", "to 2147483646"},
	{"mainnet", `2026-12-02T00:00:00Z`, `2026-12-03T00:00:00Z`, "genesis", "2026-12-03", "Wednesday 00:00 UTC"},
	{"mainnet", `2026-12-02T00:00:00Z`, `2026-12-02T00:00:00+02:00`, "genesis", "2026-12-02", "Wednesday 00:00 UTC"},
	{"mainnet", `2026-12-02T00:00:00Z`, `"soon"`, "genesis", `"soon"`, "Wednesday"},
	{"mainnet", `"168h"`, `"24h"`, "epoch_length", `"24h"`, "on mainnet"},
	{"signet", `"168h"`, `"59m"`, "epoch_length", `"59m"`, "from 1h0m0s"},
	{"regtest", `"168h"`, `"10ms"`, "epoch_length", `10ms`, "at least 1s"},
	{"mainnet", `"168h"`, `7`, "epoch_length", `7`, "a duration"},
	{"mainnet", `reward_budget = "1000"`, `reward_budget = "-1"`, "reward_budget", `"-1"`, "base units"},
	{"mainnet", `reward_budget = "1000"`, `reward_budget = 1.5`, "reward_budget", `1.5`, "base units"},
	{"mainnet", `reward_budget = "1000"`, ``, "reward_budget", "nothing", "base units"},
	{"mainnet", `minimum_stake = 100`, `minimum_stake = 0`, "minimum_stake", "0", "from 1"},
	{"mainnet", `minimum_stake = 100`, `minimum_stake = "9223372036854775808"`, "minimum_stake", "9223372036854775808",
		"base units"},
	{"mainnet", `service_fee = 1500`, `service_fee = 1000001`, "service_fee", "1000001", "sats from 0 to 1000000"},
	{"mainnet", `recovery_delay = 26280`, `recovery_delay = 6047`, "recovery_delay", "6047", "from 6048 to 65535"},
	{"signet", `recovery_delay = 26280`, `recovery_delay = 144`, "recovery_delay", "144", "from 6048"},
	{"mainnet", `recovery_delay = 26280`, `recovery_delay = 65536`, "recovery_delay", "65536", "to 65535"},
	{"mainnet", `https://explorer.example/tx/{txid}`, `javascript:alert({txid})`, "explorer_tx", "", "https URL"},
	{"mainnet", `https://explorer.example/tx/{txid}`, `https://explorer.example/tx/`, "explorer_tx", "https://explorer",
		"{txid}"},
	{"mainnet", `https://explorer.example/tx/{txid}`, `http://explorer.example/tx/{txid}`, "explorer_tx", "http://",
		"https URL"},
	{"mainnet", `image = "/wolf.svg"`, `image = "//evil.example/x.svg"`, "image", "//evil", "a path"},
	{"mainnet", `features = ["compound"]`, `features = ["fly"]`, "features", "fly", "a list out of"},
	{"mainnet", `id = "900000:1"`, `id = "900000"`, "rune.id", `"900000"`, "exactly two parts separated by a colon"},
	{"mainnet", `id = "900000:1"`, `id = "900000:1:2"`, "rune.id", `"900000:1:2"`, "exactly two parts"},
	{"mainnet", `id = "900000:1"`, `id = "0:1"`, "rune.id", `"0:1"`, "block:tx"},
	{"mainnet", `id = "900000:1"`, `id = "840000:35"`, "rune.name", "WOLF", "LOBO•THE•WOLF•PUP"},
	{"mainnet", `name = "WOLF•PACK•RUNES"`, ``, "rune.name", "nothing", "letters"},
	{"mainnet", `"WOLF•PACK•RUNES"`, `"•WOLF"`, "rune.name", "•WOLF", "letters"},
	{"mainnet", `symbol = "W"`, `symbol = ""`, "rune.symbol", `""`, "one symbol"},
	{"mainnet", `divisibility = 8`, `divisibility = 2`, "rune.divisibility", "2", "from 8 to 8"},
	{"mainnet", `max_units_per_order = 150`, `max_units_per_order = 151`, "limits.max_units_per_order", "151",
		"from 1 to 150"},
	{"mainnet", `payout_max_wait = "10m"`, `payout_max_wait = "0s"`, "limits.payout_max_wait", `"0s"`, "from 1s"},
	{"mainnet", `payout_max_wait = "10m"`, `max_runestone = 82`, "limits.max_runestone", "82", "from 83 to 10000"},
	{"mainnet", `daily_outflow = "5000"`, `daily_outflow = "0"`, "limits.daily_outflow", `"0"`, "from 1"},
	{"mainnet", `max_fee_rate = 200`, `daily_sats = 99999`, "limits.daily_sats", "99999", "sats from 100000"},
	{"mainnet", `max_fee_rate = 200`, `max_fee_rate = 0`, "limits.max_fee_rate", "0", "sat/vB from 1"},
	{"mainnet", `max_fee_rate = 200`, `max_feerate = 200`, "limits.max_feerate", "200",
		"no such key; the keys here are cold_above, daily_outflow"},
	{"mainnet", `[translated.de]`, `[translated.German]`, "translated.German", "German", "a language's code"},
	{"mainnet", `tagline = "Heult"`, `taglin = "Heult"`, "translated.de.taglin", "Heult",
		"no such key; the keys here are description, tagline"},
	{"mainnet", `account = 7`, "account = 7\nacount = 8", "acount", "8", "no such key"},
	{"mainnet", `account = 7`, "account = 7\naccount = 8", "line 7, column 1", "", "every key once"},
	{"mainnet", `account = 7`, "account = ", "line 6", "", "valid TOML"},
	{"mainnet", "[limits]", "[[limits]]", "limits", "", "a table [limits]"},
	{"mainnet", "https://example.org/wolf", "ftp://example.org", "texts.learn_more", "ftp", "https URL"},
	{"mainnet", "https://example.org/get", "/dev/faucet", "texts.get_token", "faucet", "https URL"},
	{"mainnet", `contact = "pack.help+wolf@example.org"`, `contact = "wolf"`, "contact", "", "e-mail address"},
	{"mainnet", `contact = "pack.help+wolf@example.org"`, `contact = "wolf@"`, "contact", "", "e-mail address"},
	{"mainnet", `contact = "pack.help+wolf@example.org"`, `contact = "@example.org"`, "contact", "", "e-mail address"},
	{"mainnet", `contact = "pack.help+wolf@example.org"`, `contact = "wolf@example"`, "contact", "", "e-mail address"},
	{"mainnet", `contact = "pack.help+wolf@example.org"`, `contact = "a b@example.org"`, "contact", "", "e-mail address"},
	{"mainnet", `contact = "pack.help+wolf@example.org"`, `contact = "Wolf <w@example.org>"`, "contact", "",
		"e-mail address"},
	{"mainnet", `contact = "pack.help+wolf@example.org"`, `contact = "w@example.org?cc=x@example.org"`, "contact", "",
		"e-mail address"},
	{"mainnet", `contact = "pack.help+wolf@example.org"`, `contact = "mailto:w@example.org"`, "contact", "",
		"e-mail address"},
	{"mainnet", `contact = "pack.help+wolf@example.org"`, `contact = "javascript:alert(1)"`, "contact", "",
		"e-mail address"},
	{"mainnet", `contact = "pack.help+wolf@example.org"`, `contact = "http://example.org/help"`, "contact", "",
		"e-mail address"},
	{"mainnet", `contact = "pack.help+wolf@example.org"`, `contact = "w@@example.org"`, "contact", "", "e-mail address"},
	{"mainnet", `contact = "pack.help+wolf@example.org"`, `contact = ".w@example.org"`, "contact", "", "e-mail address"},
	{"mainnet", "per_day = 5000000", "per_day = 0", "refunds.per_day", "0", "sats from 10000"},
	{"mainnet", "per_day = 5000000", "per_day = '5000000'", "refunds.per_day", `"5000000"`, "a whole number of sats"},
	{"mainnet", "per_day = 5000000", "per_day = 4999990", "refunds.per_owner_day", "500000", "a tenth of per_day"},
	{"mainnet", "per_owner_day = 500000", "per_owner_day = 999", "refunds.per_owner_day", "999", "from 1000 to 500000"},
	{"mainnet", "per_owner_day = 500000", "per_owner = 500000", "refunds.per_owner", "500000", "no such key"},
	{"mainnet", "[refunds]", "[[refunds]]", "refunds", "", "a table [refunds]"},
	{"moon", `account = 7`, `account = 7`, "network", `"moon"`, "regtest"},
}

// TestWrongValues checks that each wrong value is reported.
func TestWrongValues(t *testing.T) {
	for _, row := range wrongValues {
		t.Run(row.key+" "+row.new, func(t *testing.T) {
			text := strings.Replace(whole, row.old, row.new, 1)
			_, err := Read("wolf.toml", []byte(text), row.network)
			var problems Problems
			if !errors.As(err, &problems) {
				t.Fatalf("accepted, or another error: %v", err)
			}
			for _, p := range problems {
				if strings.HasPrefix(p.Key, row.key) && strings.Contains(p.Found, row.found) && strings.Contains(p.Want, row.want) {
					return
				}
			}
			t.Errorf("want %s: found %s, want %s; got\n%v", row.key, row.found, row.want, err)
		})
	}
}

func TestEveryProblemIsToldAtOnce(t *testing.T) {
	text := strings.NewReplacer("account = 7", "account = -7", `symbol = "W"`, `symbol = "too long"`).Replace(whole)
	_, err := Read("wolf.toml", []byte(text), "mainnet")
	if err == nil || strings.Count(err.Error(), "\n") != 1 {
		t.Errorf("want two lines, got %v", err)
	}
}

func TestSchedule(t *testing.T) {
	schedule := "[[reward_schedule]]\nfrom_epoch = 0\nbudget = 10\n[[reward_schedule]]\nfrom_epoch = 3\nbudget = '4'\n"
	text := strings.Replace(whole, `reward_budget = "1000"`, "", 1) + schedule
	m, err := Read("wolf.toml", []byte(text), "mainnet")
	if err != nil {
		t.Fatal(err)
	}
	for epoch, want := range map[int64]amount.Runes{-1: 0, 0: 10, 2: 10, 3: 4, 99: 4} {
		if got := m.Budget(epoch); got != want {
			t.Errorf("budget of epoch %d is %d, want %d", epoch, got, want)
		}
	}
	for name, bad := range map[string]string{
		"both":      whole + schedule,
		"not first": strings.Replace(text, "from_epoch = 0", "from_epoch = 1", 1),
		"order":     strings.Replace(text, "from_epoch = 3", "from_epoch = 0", 1),
		"key":       strings.Replace(text, "budget = 10", "bugdet = 10", 1),
	} {
		if _, err := Read(name, []byte(bad), "mainnet"); err == nil || !strings.Contains(err.Error(), "reward_schedule") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestExamplesAreRight(t *testing.T) {
	for path, network := range map[string]string{"manifests/lobo.toml": "mainnet", "manifests/dev/lobo.toml": "regtest"} {
		data, err := Examples.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		m, err := Read(path, data, network)
		if err != nil {
			t.Fatal(err)
		}
		if m.Prefix != "lobo" || m.Host != "lobo" {
			t.Errorf("%s: %+v", path, m)
		}
	}
}

func TestDevNetworkHasATestCommunity(t *testing.T) {
	manifests, err := Dev()
	if err != nil || len(manifests) != 2 {
		t.Fatalf("%d manifests, %v", len(manifests), err)
	}
	lobo, dummy := manifests[0], manifests[1]
	if lobo.Prefix != "lobo" || lobo.Test {
		t.Errorf("the first community is %+v, want LOBO", lobo)
	}
	if dummy.Prefix != "dummy" || dummy.Host != TestHost || !dummy.Test || dummy.Account == lobo.Account ||
		dummy.Rune.Name == lobo.Rune.Name {
		t.Errorf("the second community is %+v, want the test community", dummy)
	}
}

func TestSeveralCommunities(t *testing.T) {
	second := strings.NewReplacer(`"wolf"`, `"bear"`, "account = 7", "account = 8", "900000:1", "900000:2", "WOLF•PACK",
		"BEAR•PACK",
		"Wolf Pack", "Bear Pack", `"WOLF"`, `"BEAR"`).Replace(whole)
	write := func(t *testing.T, files map[string]string) string {
		dir := t.TempDir()
		for name, text := range files {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		return dir
	}
	manifests, err := LoadDir(write(t, map[string]string{"a.toml": whole, "b.toml": second}), "mainnet")
	if err != nil || len(manifests) != 2 || manifests[1].Prefix != "bear" || Together(manifests) != nil {
		t.Fatalf("%v %v", manifests, err)
	}
	for key, text := range map[string]string{
		"prefix":  strings.Replace(second, `prefix = "bear"`, `prefix = "wolf"`, 1),
		"host":    strings.Replace(second, `host = "bear"`, `host = "wolf"`, 1),
		"account": strings.Replace(second, "account = 8", "account = 7", 1),
		"rune.id": strings.Replace(second, "900000:2", "900000:1", 1),
		"name":    strings.Replace(second, "Bear Pack", "WOLF pack", 1),
		"token":   strings.Replace(second, `"BEAR"`, `"Wolf"`, 1),

		"rune.name": strings.Replace(second, "BEAR•PACK", "WOLF•PACK", 1),
	} {
		_, err := LoadDir(write(t, map[string]string{"a.toml": whole, "b.toml": text}), "mainnet")
		if err == nil || !strings.Contains(err.Error(), "b.toml: "+key+": found") ||
			!strings.Contains(err.Error(), "a.toml does not use") {
			t.Errorf("a shared %s: %v", key, err)
		}
	}
	dir := write(t, map[string]string{"a.toml": "\ufeff" + whole})
	if _, err := LoadDir(dir, "mainnet"); err != nil {
		t.Errorf("a file that begins with a byte order mark: %v", err)
	}
	if _, err := LoadDir(filepath.Join(dir, "a.toml"), "mainnet"); err == nil ||
		!strings.Contains(err.Error(), "name its folder") {
		t.Errorf("a file for a folder: %v", err)
	}
	if _, err := LoadDir(write(t, map[string]string{"a.toml": "\xff\xfep\x00"}), "mainnet"); err == nil ||
		!strings.Contains(err.Error(), "text saved as UTF-8") {
		t.Errorf("UTF-16: %v", err)
	}
	if _, err := LoadDir(t.TempDir(), "mainnet"); err == nil || !strings.Contains(err.Error(), "no *.toml") {
		t.Errorf("an empty folder: %v", err)
	}
}

// Every known key is set to a value that no key accepts. The problem names the key, the value found and the values
// wanted. This also covers keys that are added later.
func TestEveryKeyRefusesWhatItIsNot(t *testing.T) {
	keys := knownKeys(t)
	if len(keys) < 30 {
		t.Fatalf("only %d keys: %v", len(keys), keys)
	}
	for _, key := range keys {
		section, name, inSection := strings.Cut(key, ".")
		if !inSection {
			section, name = "", key
		}
		for _, value := range []string{"true", "[[1]]", "{ a = 1 }", "9.5", "-9223372036854775808"} {
			if key == "operator_custody" && value == "true" {
				continue // the only key with this value
			}
			text := manifestWith(section, name, value)
			_, err := Read("wolf.toml", []byte(text), "mainnet")
			var problems Problems
			if !errors.As(err, &problems) {
				t.Errorf("%s = %s: %v", key, value, err)
				continue
			}
			named := false
			for _, p := range problems {
				named = named || (strings.HasPrefix(p.Key, key) && p.Found != "" && p.Want != "")
			}
			// A wrong section is reported for one of its keys.
			if !named && !strings.HasPrefix(value, "{") {
				t.Errorf("%s = %s: %v", key, value, err)
			}
		}
	}
}

// A manifest without a key that has no safe default is rejected, and the problem names the missing key.
func TestMissingKeys(t *testing.T) {
	needed := []string{"account", "genesis", "minimum_stake", "name", "prefix", "reward_budget", "rune.name",
		"service_fee", "token"}
	var refused []string
	for _, key := range knownKeys(t) {
		section, name, inSection := strings.Cut(key, ".")
		if !inSection {
			section, name = "", key
		}
		text := strings.Replace(manifestWith(section, name, "MISSING"), name+" = MISSING\n", "", 1)
		_, err := Read("wolf.toml", []byte(text), "mainnet")
		if err == nil || key == "rune.id" { // without an id the rune is DefaultRune, which has another name
			continue
		}
		refused = append(refused, key)
		var problems Problems
		if !errors.As(err, &problems) || len(problems) != 1 || problems[0].Key != key || problems[0].Found != "nothing" ||
			problems[0].Want == "" {
			t.Errorf("without %s: %v", key, err)
		}
	}
	if slices.Sort(refused); !slices.Equal(refused, needed) {
		t.Errorf("required keys: %v, want %v", refused, needed)
	}
}

// manifestWith returns the valid manifest with one key set to another value.
func manifestWith(section, name, value string) string {
	var lines []string
	current, done := "", false
	line := name + " = " + value
	for _, l := range strings.Split(whole, "\n") {
		if strings.HasPrefix(l, "[") {
			if current == section && !done {
				lines, done = append(lines, line), true
			}
			current = strings.Trim(l, "[]")
			if section == "" && (current == name || strings.HasPrefix(current, name+".")) {
				current = "left out" // the value replaces the whole section
				continue
			}
		} else if key, _, isKey := strings.Cut(l, " = "); current == "left out" ||
			(isKey && key == name && current == section) {
			continue
		}
		lines = append(lines, l)
	}
	if !done {
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}

// knownKeys returns every key that the reader accepts.
func knownKeys(t *testing.T) (keys []string) {
	t.Helper()
	for _, section := range []string{"", "rune", "limits", "refunds", "texts"} {
		_, err := Read("wolf.toml", []byte(manifestWith(section, "unheard_of", "1")), "mainnet")
		_, list, found := strings.Cut(err.Error(), "the keys here are ")
		if !found {
			t.Fatalf("%q: %v", section, err)
		}
		list, _, _ = strings.Cut(list, "\n")
		for _, key := range strings.Split(list, ", ") {
			if section != "" {
				key = section + "." + key
			}
			keys = append(keys, key)
		}
	}
	return keys
}
