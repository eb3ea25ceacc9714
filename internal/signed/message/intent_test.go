package message

import (
	"errors"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func sampleIntent() Intent {
	return Intent{
		Community: "LOBO", Domain: "lobo.localhost:8080", Network: "regtest", Action: "WITHDRAW",
		Payment:  "bcrt1q9vza2e8x573nczrlzms0wvx3gsqjx7vay85cr9",
		Ordinals: "bcrt1ppv609nr0vr25u07u95waq5lucwfm6tde4nydujnu8npg4q75mr5s3g3s37",
		Count:    2, Sum: "150000000", SumText: "1.5 LOBO", Digest: Digest([]string{"aa:0", "bb:1"}),
		Follows: []string{"You get a payment order in bitcoin, open for 30 minutes.",
			"Once it is paid, 1.5 LOBO are sent to the ordinals address."},
		Nonce: "k3J9-x_0aBcDeFgH", Expires: time.Date(2026, 11, 21, 12, 31, 0, 0, time.UTC),
	}
}

const sampleIntentText = `Moon Fund: read before you sign

Community: LOBO
Site: lobo.localhost:8080
Network: regtest
Action: WITHDRAW

Payment: bcrt1q9vza2e8x573nczrlzms0wvx3gsqjx7vay85cr9
Ordinals: bcrt1ppv609nr0vr25u07u95waq5lucwfm6tde4nydujnu8npg4q75mr5s3g3s37

Units: 2
Sum: 1.5 LOBO (150000000 base units)
Digest: 14d1a36a121c1ea58d2cc54ac55a0250

What follows:
- You get a payment order in bitcoin, open for 30 minutes.
- Once it is paid, 1.5 LOBO are sent to the ordinals address.

Nonce: k3J9-x_0aBcDeFgH
Valid until: 2026-11-21 12:31:00 UTC

Sign only on the site above.`

func TestIntentText(t *testing.T) {
	x := sampleIntent()
	if got := x.Text(); got != sampleIntentText {
		t.Errorf("got:\n%s", got)
	}
	cancel := sampleIntent()
	cancel.Action, cancel.Order, cancel.Status, cancel.Seen = Cancel, "po_7Hd2", "CONFIRMED", 12345
	if text := cancel.Text(); !strings.Contains(text,
		"\n\nOrder: po_7Hd2\nOrder status: CONFIRMED\nPayments seen: at least 12345 sats\n\nWhat follows:\n") {
		t.Errorf("got:\n%s", text)
	}
	named := sampleIntent()
	named.Statement = strings.Repeat("0123456789abcdef", 4)
	if text := named.Text(); !strings.Contains(text, "\n\nStatement: "+named.Statement+"\nNonce: ") {
		t.Errorf("got:\n%s", text)
	}
	economy := named
	economy.Rate, economy.Until = 2500, time.Date(2026, 12, 11, 7, 0, 0, 0, time.UTC)
	if text := economy.Text(); !strings.Contains(text,
		"\nAction: WITHDRAW\nSpeed: economy, 2.5 sat/vB, until 2026-12-11 07:00 UTC\n\n") {
		t.Errorf("got:\n%s", text)
	}
	for _, x := range []Intent{x, cancel, named, economy} {
		if back, err := Parse(x.Text()); err != nil || !reflect.DeepEqual(back, x) {
			t.Errorf("%v: %+v", err, back)
		}
	}
}

func TestDigest(t *testing.T) {
	base := Digest([]string{"aa:0", "bb:1"})
	if Digest([]string{"bb:1", "aa:0"}) != base || len(base) != 32 {
		t.Error("the digest depends on the order, or has another length")
	}
	for _, other := range [][]string{nil, {""}, {"aa:0"}, {"aa:0", "bb:1", "bb:1"}, {"aa:0bb:1"}, {"aa:0,4:bb:1"},
		{"aa:0\nbb:1"}, {"aa:1", "bb:0"}} {
		if Digest(other) == base {
			t.Errorf("%q has the digest of other units", other)
		}
	}
	ids := []string{"b", "a"}
	if Digest(ids); ids[0] != "b" {
		t.Error("the caller's list was sorted")
	}
}

func TestWholeRunes(t *testing.T) {
	for units, want := range map[string]string{
		"1": "0.00000001", "10": "0.0000001", "100000000": "1", "150000000": "1.5", "1000000000": "10",
		"12345678901": "123.45678901", "9223372036854775807": "92233720368.54775807",
	} {
		if got := wholeRunes(units); got != want {
			t.Errorf("%s: %s, want %s", units, got, want)
		}
	}
}

// TestIntentRefused checks that Check rejects fields that an owner could mistake for another field or another line.
func TestIntentRefused(t *testing.T) {
	for what, change := range map[string]func(*Intent){
		"line break in community":  func(x *Intent) { x.Community = "LOBO\nAction: CLAIM" },
		"non-ASCII community":      func(x *Intent) { x.Community = "LOBO•WOLF" },
		"escape sequence":          func(x *Intent) { x.Community = "LO\x1b[2KBO" },
		"delete":                   func(x *Intent) { x.Community = "LO\x7fBO" },
		"trailing space":           func(x *Intent) { x.Community = "LOBO " },
		"long community":           func(x *Intent) { x.Community = strings.Repeat("L", 65) },
		"no community":             func(x *Intent) { x.Community = "" },
		"space in domain":          func(x *Intent) { x.Domain = "lobo.example (safe)" },
		"user in domain":           func(x *Intent) { x.Domain = "lobo.example@evil.example" },
		"no network":               func(x *Intent) { x.Network = "" },
		"action in lower case":     func(x *Intent) { x.Action = "withdraw" },
		"STAKE":                    func(x *Intent) { x.Action = "STAKE" },
		"carriage return":          func(x *Intent) { x.Payment += "\r" },
		"final line break":         func(x *Intent) { x.Ordinals += "\n" },
		"no unit":                  func(x *Intent) { x.Count = 0 },
		"negative count":           func(x *Intent) { x.Count = -1 },
		"sum 0":                    func(x *Intent) { x.Sum, x.SumText = "0", "0 LOBO" },
		"sum with zeros in front":  func(x *Intent) { x.Sum = "0150000000" },
		"negative sum":             func(x *Intent) { x.Sum = "-1" },
		"exponent":                 func(x *Intent) { x.Sum = "15e7" },
		"other sum for people":     func(x *Intent) { x.SumText = "0.5 LOBO" },
		"sum with zeros behind":    func(x *Intent) { x.SumText = "1.50 LOBO" },
		"sum without name":         func(x *Intent) { x.SumText = "1.5" },
		"line break in sum":        func(x *Intent) { x.SumText = "1.5 LOBO\nSum: 1 LOBO" },
		"short digest":             func(x *Intent) { x.Digest = "ab" },
		"digest in upper case":     func(x *Intent) { x.Digest = strings.ToUpper(x.Digest) },
		"nothing follows":          func(x *Intent) { x.Follows = nil },
		"too much follows":         func(x *Intent) { x.Follows = slices.Repeat([]string{"line"}, maxFollows+1) },
		"long line":                func(x *Intent) { x.Follows = []string{strings.Repeat("x", maxFollowLine+1)} },
		"line break in a line":     func(x *Intent) { x.Follows = []string{"a\n\nNonce: abcdefgh"} },
		"empty line":               func(x *Intent) { x.Follows = []string{""} },
		"order of another action":  func(x *Intent) { x.Order = "po_1" },
		"status of another action": func(x *Intent) { x.Status = "PENDING" },
		"seen of another action":   func(x *Intent) { x.Seen = 1 },
		"cancel without order":     func(x *Intent) { x.Action, x.Status = Cancel, "PENDING" },
		"cancel without status":    func(x *Intent) { x.Action, x.Order = Cancel, "po_1" },
		"cancel, negative seen":    func(x *Intent) { x.Action, x.Order, x.Status, x.Seen = Cancel, "po_1", "PENDING", -1 },
		"short statement":          func(x *Intent) { x.Statement = strings.Repeat("a", 63) },
		"statement in upper case":  func(x *Intent) { x.Statement = strings.Repeat("A", 64) },
		"lines in statement":       func(x *Intent) { x.Statement = strings.Repeat("a", 54) + "\nNonce: x" },
		"short nonce":              func(x *Intent) { x.Nonce = "abc" },
		"no expiry":                func(x *Intent) { x.Expires = time.Time{} },
		"fraction of a second":     func(x *Intent) { x.Expires = x.Expires.Add(1) },
		"another zone":             func(x *Intent) { x.Expires = x.Expires.In(time.FixedZone("X", 3600)) },
		"year 10000":               func(x *Intent) { x.Expires = x.Expires.AddDate(8000, 0, 0) },
	} {
		x := sampleIntent()
		change(&x)
		if err := x.Check(); !errors.Is(err, ErrIntent) {
			t.Errorf("%s: %v", what, err)
		}
		if text := x.Text(); text != "" {
			t.Errorf("%s has a text:\n%s", what, text)
		}
	}
}

// TestParseRefuses checks that Parse rejects texts that are not in the exact form of Text, even if they have the same
// meaning.
func TestParseRefuses(t *testing.T) {
	swap := func(from, to string) string { return strings.Replace(sampleIntentText, from, to, 1) }
	for what, text := range map[string]string{
		"empty":              "",
		"first line only":    "Moon Fund: read before you sign",
		"final line break":   sampleIntentText + "\n",
		"line in front":      "\n" + sampleIntentText,
		"twice":              sampleIntentText + "\n" + sampleIntentText,
		"CRLF":               strings.ReplaceAll(sampleIntentText, "\n", "\r\n"),
		"tab":                swap("Action: ", "Action:\t"),
		"trailing space":     swap("Action: WITHDRAW", "Action: WITHDRAW "),
		"two spaces":         swap("Action: ", "Action:  "),
		"another action":     swap("WITHDRAW", "DONATE"),
		"line missing":       swap("Network: regtest\n", ""),
		"line added":         swap("Network: regtest\n", "Network: regtest\nNetwork: mainnet\n"),
		"plus sign":          swap("Units: 2", "Units: +2"),
		"zero in front":      swap("Units: 2", "Units: 02"),
		"huge number":        swap("Units: 2", "Units: 99999999999999999999"),
		"no number":          swap("Units: 2", "Units: two"),
		"base units missing": swap(" (150000000 base units)", ""),
		"base units empty":   swap("1.5 LOBO (", "("),
		"other sum":          swap("150000000", "150000001"),
		"other bullet":       swap("- You", "* You"),
		"no bullets": swap("- You get a payment order in bitcoin, open for 30 minutes.\n- Once it is paid, 1.5 "+
			"LOBO are sent to the ordinals address.\n", ""),
		"no date":                 swap("2026-11-21", "2026-11-31"),
		"other zone":              swap(" UTC", " CET"),
		"fraction":                swap("12:31:00", "12:31:00.0"),
		"other ending":            swap("Sign only on", "Sign on"),
		"order of WITHDRAW":       swap("What", "Order: x\nOrder status: y\nPayments seen: at least 1 sats\n\nWhat"),
		"another title":           swap("read before you sign", "read before you sign (2)"),
		"empty statement":         swap("Nonce", "Statement: \nNonce"),
		"speed of 0":              swap("WITHDRAW", "WITHDRAW\nSpeed: economy, 0 sat/vB, until 2026-12-11 07:00 UTC"),
		"speed without a rate":    swap("WITHDRAW", "WITHDRAW\nSpeed: normal"),
		"speed of another action": swap("WITHDRAW", "UNSTAKE\nSpeed: economy, 2 sat/vB, until 2026-12-11 07:00 UTC"),
		"decimals of a rate":      swap("WITHDRAW", "WITHDRAW\nSpeed: economy, 2.50 sat/vB, until 2026-12-11 07:00 UTC"),
		"too long":                strings.Repeat("x", maxIntent+1),
	} {
		if text == sampleIntentText {
			t.Fatalf("%s: nothing was changed", what)
		}
		if _, err := Parse(text); !errors.Is(err, ErrIntent) {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// intents generates valid Intents, up to the largest.
func intents() *rapid.Generator[Intent] {
	plain := rapid.StringMatching(`[!-~]([ -~]{0,60}[!-~])?`)
	word := rapid.StringMatching(`[0-9A-Za-z_:-]{1,90}`)
	return rapid.Custom(func(t *rapid.T) Intent {
		x := Intent{
			Community: plain.Draw(t, "community"),
			Domain:    rapid.StringMatching(`[0-9a-z.:-]{1,60}`).Draw(t, "domain"),
			Network:   word.Draw(t, "network"),
			Action:    rapid.SampledFrom(actions).Draw(t, "action"),
			Payment:   word.Draw(t, "payment"),
			Ordinals:  word.Draw(t, "ordinals"),
			Count:     rapid.IntRange(1, math.MaxInt).Draw(t, "count"),
			Sum:       rapid.StringMatching(`[1-9][0-9]{0,18}`).Draw(t, "sum"),
			Digest:    Digest(rapid.SliceOf(rapid.String()).Draw(t, "units")),
			Follows:   rapid.SliceOfN(plain, 1, maxFollows).Draw(t, "follows"),
			Nonce:     rapid.StringMatching(`[0-9A-Za-z_-]{8,40}`).Draw(t, "nonce"),
			Expires:   time.Unix(rapid.Int64Range(946684800, 253402300799).Draw(t, "expires"), 0).UTC(),
		}
		x.SumText = wholeRunes(x.Sum) + " " + plain.Draw(t, "name")
		if rapid.Bool().Draw(t, "with a statement") {
			x.Statement = rapid.StringMatching(`[0-9a-f]{64}`).Draw(t, "statement")
		}
		if (x.Action == "CLAIM" || x.Action == "WITHDRAW") && rapid.Bool().Draw(t, "economy") {
			x.Rate = rapid.Int64Range(1, math.MaxInt64).Draw(t, "rate")
			x.Until = time.Unix(60*rapid.Int64Range(946684800/60, 253402300799/60).Draw(t, "until"), 0).UTC()
		}
		if !x.hasUnits() {
			x.Count, x.Sum, x.SumText, x.Digest = 0, "", "", ""
		}
		if x.Action == AutoCompound {
			x.FirstEpoch = rapid.Int64Range(0, math.MaxInt64).Draw(t, "first")
			x.LastEpoch = rapid.Int64Range(x.FirstEpoch, math.MaxInt64).Draw(t, "last")
		}
		if x.Action == EndAutoCompound {
			x.Instruction = rapid.StringMatching(`[0-9A-Za-z_-]{8,40}`).Draw(t, "instruction")
		}
		if x.Action == Cancel {
			x.Order, x.Status = word.Draw(t, "order"), word.Draw(t, "status")
			x.Seen = rapid.Int64Range(0, math.MaxInt64).Draw(t, "seen")
		}
		return x
	})
}

func TestIntentRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := intents().Draw(t, "intent")
		text := x.Text()
		back, err := Parse(text)
		if err != nil || !reflect.DeepEqual(back, x) {
			t.Fatalf("%v, %+v from\n%s", err, back, text)
		}
		if len(text) > maxIntent || strings.Count(text, "\n") > 40 {
			t.Fatalf("the text has too many lines or bytes: %d bytes", len(text))
		}
		for line := range strings.SplitSeq(text, "\n") {
			if strings.Trim(line, " ") != line || strings.ContainsFunc(line, func(r rune) bool { return r < ' ' || r > '~' }) {
				t.Fatalf("a line that a wallet may change: %q", line)
			}
		}
	})
}

// TestIntentHostileField checks that an arbitrary value in one field either makes the Intent invalid, or the text of
// the Intent parses to the same Intent and differs from the text of the original one.
func TestIntentHostileField(t *testing.T) {
	hostile := rapid.OneOf(
		rapid.String(),
		rapid.StringMatching(`[!-~]{0,8}\n(Action: CLAIM|- x|Nonce: abcdefgh|)\n?`),
		rapid.SampledFrom([]string{"", " ", "\n", "\r", "\t", "x\n", "\u202e", "1.5 LOBO (1 base units)", "- x",
			"Action: CLAIM", "x)", "("}),
	)
	rapid.Check(t, func(t *rapid.T) {
		x := intents().Draw(t, "intent")
		y := x
		y.Follows = slices.Clone(x.Follows)
		fields := []*string{&y.Community, &y.Domain, &y.Network, &y.Action, &y.Payment, &y.Ordinals, &y.Sum, &y.SumText,
			&y.Digest, &y.Order, &y.Status, &y.Instruction, &y.Statement, &y.Nonce, &y.Follows[0], &y.Follows[len(y.Follows)-1]}
		field := rapid.SampledFrom(fields).Draw(t, "field")
		value := hostile.Draw(t, "value")
		*field = rapid.SampledFrom([]string{value, *field + value, value + *field}).Draw(t, "where")
		text := y.Text()
		if text == "" {
			if y.Check() == nil {
				t.Fatal("Text is empty for a valid Intent")
			}
			return
		}
		if back, err := Parse(text); err != nil || !reflect.DeepEqual(back, y) {
			t.Fatalf("%v: the text parses to another Intent:\n%s", err, text)
		}
		if (text == x.Text()) != reflect.DeepEqual(x, y) {
			t.Fatal("two different Intents have the same text, or equal ones different texts")
		}
	})
}

// TestParseChangedText checks that Parse either rejects a changed text or returns a different Intent with exactly that
// text.
func TestParseChangedText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := intents().Draw(t, "intent")
		text := x.Text()
		from := rapid.IntRange(0, len(text)).Draw(t, "from")
		to := rapid.IntRange(from, min(len(text), from+20)).Draw(t, "to")
		insert := rapid.OneOf(rapid.StringN(0, 5, -1), rapid.StringMatching(`[ -~\n]{0,5}`)).Draw(t, "insert")
		changed := text[:from] + insert + text[to:]
		back, err := Parse(changed)
		if err != nil {
			if !errors.Is(err, ErrIntent) {
				t.Fatal(err)
			}
			return
		}
		if back.Text() != changed || reflect.DeepEqual(back, x) != (changed == text) {
			t.Fatalf("Parse accepts %q as the original Intent, or in another form", changed)
		}
	})
}
