package community

import (
	"fmt"
	"math"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"moonfund/internal/amount"
)

var networks = map[string]bool{"mainnet": true, "testnet": true, "testnet4": true, "signet": true, "regtest": true}

// ReservedPrefixes are the first path segments that the server and the web pages use. No community may have one of them
// as its prefix.
var ReservedPrefixes = []string{"orders", "dev", "terms", "healthz", "readyz", "metrics", "openapi.json", "openapi",
	"assets", "etch", "proofs"}

// reservedHosts are the first host labels with a fixed meaning.
var reservedHosts = []string{"www", "localhost"}

// TestHost is the first host label of the test community. No other community may use it.
const TestHost = "dummy"

// knownFeatures are the features that a manifest can enable.
var knownFeatures = []string{"compound", "recovery_kit", "mint", "etch"}

// label matches a prefix, and the first label of a host name.
var label = regexp.MustCompile(`^[a-z0-9]([a-z0-9-]{0,30}[a-z0-9])?$`)

// statementKey matches the key of a community's statements. The server compares it with the signer's key.
var statementKey = regexp.MustCompile(`^[0-9a-f]{64}$`)

// build reads every key of a manifest and adds a problem for each wrong value and for each unknown key.
func build(r *reader, network string) Manifest {
	defer r.finish()
	m := Manifest{Network: network}
	m.Prefix = r.text("prefix", nil, "lower-case letters, digits and dashes, not one of "+strings.Join(ReservedPrefixes,
		", "),
		func(s string) bool { return label.MatchString(s) && !slices.Contains(ReservedPrefixes, s) })
	m.Host = r.text("host", &m.Prefix, "one label of a host name, not one of "+strings.Join(reservedHosts, ", "),
		func(s string) bool { return label.MatchString(s) && !slices.Contains(reservedHosts, s) })
	m.Test = buildTest(r, m.Host)
	m.Name = r.text("name", nil, "1 to 60 printable characters in one line", line(1, 60))
	m.Token = r.text("token", nil, "1 to 20 printable characters without spaces or $",
		func(s string) bool { return line(1, 20)(s) && !strings.ContainsAny(s, " $") })
	// The last BIP-32 account is reserved for the mint and etch service.
	m.Account = uint32(r.integer("account", nil, 0, math.MaxInt32-1, "the BIP-32 account"))
	m.StatementKey = r.text("statement_key", new(string), "64 lower-case hex digits, as the server logs them, or nothing",
		func(s string) bool { return s == "" || statementKey.MatchString(s) })
	m.Rune = buildRune(r.section("rune"), network)
	buildEpochs(r, &m)
	m.MinimumStake = r.runes("minimum_stake", nil, 1)
	m.ServiceFee = amount.Sats(r.integer("service_fee", nil, 0, 1_000_000, "sats"))
	m.RecoveryDelay = buildRecoveryDelay(r, network)
	m.OperatorCustody = r.flag("operator_custody")
	m.Limits = buildLimits(r.section("limits"), m.Budgets, network)
	m.Refunds = buildRefunds(r.section("refunds"))
	m.ExplorerTx = r.text("explorer_tx", new(string), "an https URL with {txid} in it, or nothing",
		func(s string) bool { return s == "" || webURL(s, network) && strings.Count(s, "{txid}") == 1 })
	m.Collection = r.text("collection", new(string), "up to 120 printable characters in one line", line(0, 120))
	m.Image = r.text("image", new(string),
		"the name of an SVG, PNG, JPEG or WebP file beside the manifest, a path that starts with / or an https URL",
		func(s string) bool {
			return s == "" || pictureFile.MatchString(s) || localPath(s) || webURL(s, network)
		})
	m.Hero = r.text("hero", new(string),
		"the name of an SVG, PNG, JPEG or WebP file beside the manifest, or a path that starts with /",
		func(s string) bool { return s == "" || pictureFile.MatchString(s) || localPath(s) })
	m.Palette = buildPalette(r.section("palette"))
	m.Terms = buildTerms(r.section("terms"))
	m.Contact = r.text("contact", new(string), "an e-mail address such as help@example.org, an https URL, or nothing",
		func(s string) bool { return s == "" || mailAddress(s) || webURL(s, network) })
	m.Texts = buildTexts(r.section("texts"), network)
	m.Translated = buildTranslated(r.section("translated"))
	m.Features = r.words("features", knownFeatures)
	return m
}

// buildTest reads the test-mode flag. A test community is declared twice, by its host and by the flag, so that neither
// a typo nor a copied file makes a real community a test community. Nothing is simulated for a test community: outside
// of a dev network its stakes and orders are real.
func buildTest(r *reader, host string) bool {
	mode, found := r.take("test_mode")
	switch {
	case found && host != TestHost:
		r.wrong("test_mode", mode, "no such key unless host is "+TestHost)
	case found && mode != int64(0):
		r.wrong("test_mode", mode, "0: nothing is simulated on the host "+TestHost)
	case !found && host == TestHost:
		r.wrong("test_mode", missing, "0, since host is "+TestHost)
	}
	return found
}

func buildRune(r *reader, network string) Rune {
	defer r.finish()
	idDefault := DefaultRune
	if network == "regtest" {
		idDefault = "" // the dev network etches the rune
	}
	id := r.text("id", &idDefault, "exactly two parts separated by a colon, block:tx", validRuneID)
	name, known := RuneName(id)
	nameDefault := &name
	if !known {
		nameDefault = nil
	}
	want := "letters A to Z with single • between them, at most 28"
	if name != "" {
		want = fmt.Sprintf("%q, the name of rune %s", name, id)
	}
	given := r.text("name", nameDefault, want, func(s string) bool {
		return spacedName.MatchString(s) && (name == "" || s == name)
	})
	currency, decimals := "¤", int64(amount.RuneDecimals)
	return Rune{
		ID: id, Name: given,
		Symbol: r.text("symbol", &currency, "one symbol", func(s string) bool {
			return plain(1, 4)(s) && !strings.ContainsFunc(s, unicode.IsSpace)
		}),
		Divisibility: int(r.integer("divisibility", &decimals, decimals, decimals, "implied decimals")),
	}
}

// buildEpochs reads the genesis, the length of epochs and the budgets.
func buildEpochs(r *reader, m *Manifest) {
	switch m.Network {
	case "mainnet":
		m.Genesis = r.date("genesis", "a Wednesday 00:00 UTC such as 2026-12-02T00:00:00Z, after 2024-04-20, when runes "+
			"began, and before 2100", func(t time.Time) bool {
			return t.Weekday() == time.Wednesday && t.Equal(t.Truncate(24*time.Hour)) && t.After(runesBegan) && t.Year() < 2100
		})
		m.EpochLength = r.duration("epoch_length", Week, Week, Week, " on mainnet")
	case "regtest":
		m.Genesis = r.date("genesis", "a date such as 2026-12-02T00:00:00Z, from 2020 to 2099", wholeSecond)
		m.EpochLength = r.duration("epoch_length", Week, 0, 52*Week, "; 0s means by hand")
		if m.EpochLength > 0 && m.EpochLength < time.Second {
			r.wrong("epoch_length", m.EpochLength, "at least 1s, or 0s for by hand")
		}
	default:
		m.Genesis = r.date("genesis", "a date such as 2026-12-02T00:00:00Z, from 2020 to 2099", wholeSecond)
		m.EpochLength = r.duration("epoch_length", Week, time.Hour, 52*Week, "")
	}
	m.Budgets = buildBudgets(r)
}

// runesBegan is the day of block 840000 on mainnet. Runes did not exist before it, so no earlier epoch can have a
// stake.
var runesBegan = time.Date(2024, 4, 20, 0, 0, 0, 0, time.UTC)

// wholeSecond reports whether t has no fraction of a second and is in the years 2020 to 2099.
func wholeSecond(t time.Time) bool {
	return t.Equal(t.Truncate(time.Second)) && t.Year() >= 2020 && t.Year() < 2100
}

// buildBudgets reads reward_budget, which applies to every epoch, or the list reward_schedule.
func buildBudgets(r *reader) []Budget {
	const want = "reward_budget, or a list [[reward_schedule]] of from_epoch (ascending from 0) and budget, not both"
	list, scheduled := r.take("reward_schedule")
	if flat, has := r.take("reward_budget"); has || !scheduled {
		if scheduled {
			r.wrong("reward_schedule", flat, want)
		}
		return []Budget{{0, r.runes("reward_budget", nil, 0)}}
	}
	tables, ok := list.([]any)
	if !ok || len(tables) == 0 {
		r.wrong("reward_schedule", list, want)
		return nil
	}
	var budgets []Budget
	for i, item := range tables {
		table, ok := item.(map[string]any)
		if !ok {
			r.wrong("reward_schedule", item, want)
			return nil
		}
		row := &reader{file: r.file, path: fmt.Sprintf("%sreward_schedule[%d].", r.path, i), table: table,
			used: map[string]bool{}, problems: r.problems}
		low, high := int64(0), int64(0)
		if i > 0 {
			low, high = budgets[i-1].FromEpoch+1, math.MaxInt32
		}
		budgets = append(budgets, Budget{row.integer("from_epoch", nil, low, high, "the epoch"), row.runes("budget", nil, 0)})
		row.finish()
	}
	return budgets
}

func buildRecoveryDelay(r *reader, network string) uint32 {
	low := int64(MinRecoveryDelay)
	if network == "regtest" {
		low = 1
	}
	usual := int64(DefaultRecoveryDelay)
	return uint32(r.integer("recovery_delay", &usual, low, MaxRecoveryDelay, "blocks"))
}

// minDailySats is the smallest limit of sats in 24 hours. A payout of 150 units at 10 sat/vB costs about as much.
const minDailySats = 100_000

func buildLimits(r *reader, budgets []Budget, network string) Limits {
	defer r.finish()
	units, topUp, rate, runestone := int64(MaxUnitsPerOrder), int64(10_000), int64(500), int64(MinRunestone)
	sats := int64(20_000_000)
	outflow, cold, wait := amount.Runes(1), amount.Runes(0), MinPayoutWait
	if network == "regtest" {
		wait = 0
	}
	for _, b := range budgets { // default: four epochs of rewards per day
		if four := b.Amount * 4; four/4 == b.Amount {
			outflow = max(outflow, four)
		}
	}
	return Limits{
		MaxUnitsPerOrder: int(r.integer("max_units_per_order", &units, 1, MaxUnitsPerOrder, "units")),
		PayoutMaxWait:    r.duration("payout_max_wait", 10*time.Minute, wait, MaxPayoutWait, ""),
		FeeTopUp:         amount.Sats(r.integer("fee_top_up", &topUp, 0, 10_000_000, "sats")),
		DailyOutflow:     r.runes("daily_outflow", &outflow, 1),
		DailySats:        amount.Sats(r.integer("daily_sats", &sats, minDailySats, 100_000_000_000, "sats")),
		ColdAbove:        r.runes("cold_above", &cold, 0),
		MaxFeeRate:       amount.SatPerVB(r.integer("max_fee_rate", &rate, 1, 10_000, "sat/vB")),
		MaxRunestone:     int(r.integer("max_runestone", &runestone, MinRunestone, MaxRunestone, "bytes")),
	}
}

// minOwnerRefunds is the smallest daily limit of one owner, in sats. With a smaller one, every refund would wait for
// the operator.
const minOwnerRefunds = 1_000

func buildRefunds(r *reader) Refunds {
	defer r.finish()
	total := int64(20_000_000)
	total = r.integer("per_day", &total, minOwnerRefunds*MinRefundOwners, 100_000_000_000, "sats")
	owner := total / MinRefundOwners
	if total == 0 { // per_day is wrong and reported
		r.take("per_owner_day")
		return Refunds{}
	}
	owner = r.integer("per_owner_day", &owner, minOwnerRefunds, total/MinRefundOwners, "sats, at most a tenth of per_day,")
	return Refunds{PerDay: amount.Sats(total), PerOwnerDay: amount.Sats(owner)}
}

func buildTexts(r *reader, network string) Texts {
	defer r.finish()
	link := func(s string) bool { return s == "" || webURL(s, network) }
	return Texts{
		Tagline:     r.text("tagline", new(string), "up to 60 printable characters in one line", line(0, 60)),
		Description: r.text("description", new(string), "up to 2000 printable characters", plain(0, 2000)),
		LearnMore:   r.text("learn_more", new(string), "an https URL, or nothing", link),
		GetToken:    r.text("get_token", new(string), "an https URL, or nothing", link),
		FrontNotice: r.text("front_notice", new(string), "up to 300 printable characters", plain(0, 300)),
	}
}

// languageCode matches a language code without a region: de, but not de-AT.
var languageCode = regexp.MustCompile(`^[a-z]{2,3}$`)

func buildTranslated(r *reader) map[string]Translation {
	translated := map[string]Translation{}
	for code := range r.table {
		if !languageCode.MatchString(code) {
			r.take(code)
			r.wrong(code, code, "a language's code of two or three letters, such as de")
			continue
		}
		words := r.section(code)
		translated[code] = Translation{
			Tagline:     words.text("tagline", new(string), "up to 60 printable characters in one line", line(0, 60)),
			Description: words.text("description", new(string), "up to 2000 printable characters", plain(0, 2000)),
			TermsHTML:   words.markdown("terms", new(string)),
		}
		words.finish()
	}
	return translated
}

// plain accepts printable text of low to high characters without surrounding spaces.
func plain(low, high int) func(string) bool {
	return func(s string) bool {
		n := utf8.RuneCountInString(s)
		return n >= low && n <= high && utf8.ValidString(s) && strings.TrimSpace(s) == s &&
			!strings.ContainsFunc(s, func(c rune) bool { return (!unicode.IsPrint(c) && c != '\n') || unseen(c) })
	}
}

// line accepts plain text without line breaks.
func line(low, high int) func(string) bool {
	return func(s string) bool { return plain(low, high)(s) && !strings.Contains(s, "\n") }
}

// unseen reports whether c is invisible. With invisible characters, two different names look equal.
func unseen(c rune) bool {
	return unicode.Is(unicode.Other_Default_Ignorable_Code_Point, c) || c == '\u2800'
}

// webURL reports whether s is an absolute https URL without spaces or quotes. On regtest it also accepts http, for an
// explorer on the same machine.
func webURL(s, network string) bool {
	u, err := url.Parse(s)
	return err == nil && !strings.ContainsAny(s, " \"'<>\\") && u.Host != "" && u.User == nil &&
		(u.Scheme == "https" || u.Scheme == "http" && network == "regtest")
}

var mailDomain = regexp.MustCompile(`^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$`)

// mailLocal matches the part before the @ without quotes and without ? % & and #, which have a meaning in a mailto:
// link.
var mailLocal = regexp.MustCompile(`^[A-Za-z0-9+_-]+(\.[A-Za-z0-9+_-]+)*$`)

// mailAddress reports whether s is a plain e-mail address: no display name, no quotes.
func mailAddress(s string) bool {
	local, domain, found := strings.Cut(s, "@")
	return found && len(s) <= 254 && len(local) <= 64 && mailLocal.MatchString(local) &&
		mailDomain.MatchString(strings.ToLower(domain))
}

// localPath reports whether s is an absolute path on the same server, without quotes, spaces and backslashes.
func localPath(s string) bool {
	return strings.HasPrefix(s, "/") && !strings.HasPrefix(s, "//") && !strings.ContainsAny(s, "\\ \"'<>")
}
