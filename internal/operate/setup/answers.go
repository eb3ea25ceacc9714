package setup

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"golang.org/x/text/language"
	"golang.org/x/text/message"
	"golang.org/x/text/number"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/runes"
	"moonfund/internal/signer"
	"moonfund/internal/staking/community"
)

// Answers are the operator's answers, as text. Each field except NodePassword is also a flag.
type Answers struct {
	Network      string `help:"mainnet, testnet, testnet4, signet or regtest."`
	NodeURL      string `help:"The node's JSON-RPC address, such as http://127.0.0.1:8332."`
	NodeCookie   string `help:"The node's cookie file; or --node-user with --node-password-file."`
	NodeUser     string `help:"The node's user, instead of a cookie file."`
	NodePassword string `kong:"-"`
	Domain       string `help:"Domain of the server; the community gets a label below it."`
	Contact      string `help:"E-mail address or https URL for stakers' questions."`

	Rune         string `help:"Id of the community's rune (block:tx), or the name of a rune that is known here."`
	Name         string `help:"Display name of the community."`
	Token        string `help:"Short name of the token, shown after a $."`
	Prefix       string `help:"Label of the community below the domain, and first segment of its calls."`
	Budget       string `help:"Rewards of one epoch, in whole runes."`
	MinimumStake string `help:"Smallest stake, in whole runes."`
	Genesis      string `help:"Start of epoch 0; on mainnet a Wednesday 00:00 UTC, such as 2026-12-02T00:00:00Z."`
	EpochLength  string `help:"Length of an epoch; on mainnet always 168h."`
	Terms        string `help:"Markdown file with your terms; required on mainnet." type:"path"`
	TermsVersion string `help:"Version of the terms."`

	KeyKind   string `help:"new: create a key file. existing: use the one at --key."`
	KeyScheme string `help:"seed: the words encode the BIP-32 seed itself. bip39: standard BIP-39 words."`
	Key       string `help:"The key file."`
	Data      string `help:"Folder of the ledger."`
	Backups   string `help:"Folder of automatic backups, preferably on another disk."`
}

// The answers to the question about the key.
const (
	newKey      = "new"
	existingKey = "existing"
)

// question is the prompt for one field of Answers, with its checks.
type question struct {
	flag   string
	prompt string
	field  func(*Answers) *string
	usual  func(*Setup) string // returns the default, used for an empty line; nil or "": none
	quiet  bool                // the default is used without a prompt if it is valid
	asked  func(*Setup) bool   // reports whether the question applies; nil: always
	back   int                 // a wrong answer repeats this number of questions before it, too
	secret bool                // not echoed while it is typed, and not repeated
	check  func(*Setup) error  // checks the field, which is set; nil: any text is valid
	after  func(*Setup) string // returns a note on a valid answer; nil: none
}

// nodeQuestions come first, because checkRune looks up the rune on the chain. The node names its network itself.
var nodeQuestions = []question{
	{flag: "node-url", prompt: "Address of the node's RPC", field: func(a *Answers) *string { return &a.NodeURL },
		usual: usualNodeURL, quiet: true, check: (*Setup).checkNodeURL},
	{flag: "node-cookie", prompt: "The node's cookie file, or its user", quiet: true,
		field: func(a *Answers) *string { return &a.NodeCookie }, usual: (*Setup).findCookie,
		asked: func(s *Setup) bool { return s.NodeUser == "" }, check: (*Setup).checkCookie},
	{flag: "node-user", prompt: "The node's user", field: func(a *Answers) *string { return &a.NodeUser },
		asked: withoutCookie, check: func(s *Setup) error { return oneLine(s.NodeUser) }},
	{flag: "node-password-file", prompt: "The node's password", secret: true, back: 1,
		field: func(a *Answers) *string { return &a.NodePassword }, asked: withoutCookie, check: (*Setup).checkPassword},
	{flag: "network", prompt: "Network (mainnet, testnet, testnet4, signet or regtest)", quiet: true,
		field: func(a *Answers) *string { return &a.Network }, usual: (*Setup).networkOfNode, check: (*Setup).checkNetwork},
}

var questions = []question{
	{flag: "domain", prompt: "Your domain", field: func(a *Answers) *string { return &a.Domain },
		check: (*Setup).checkDomain, after: func(s *Setup) string { return s.describeName(s.Domain) }},
	{flag: "contact", prompt: "Contact for stakers (e-mail address or https URL)",
		field: func(a *Answers) *string { return &a.Contact }, check: ofManifest("contact")},
	{flag: "rune", prompt: "The community's rune (id such as 840000:35, or a known name)",
		field: func(a *Answers) *string { return &a.Rune }, check: (*Setup).checkRune, after: (*Setup).describeRune},
	{flag: "name", prompt: "Name of the community", field: func(a *Answers) *string { return &a.Name },
		check: ofManifest("name")},
	{flag: "token", prompt: "Short name of the token (shown after a $)",
		field: func(a *Answers) *string { return &a.Token },
		usual: func(s *Setup) string { return strings.ToUpper(strings.ReplaceAll(s.Name, " ", "")) },
		check: ofManifest("token")},
	{flag: "prefix", prompt: "Label of the community below the domain", quiet: true,
		field: func(a *Answers) *string { return &a.Prefix },
		usual: func(s *Setup) string { return strings.ToLower(s.Token) }, check: ofManifest("prefix", "host", "test_mode"),
		after: func(s *Setup) string { return s.describeName(s.Prefix + "." + s.Domain) }},
	{flag: "genesis", prompt: "Start of epoch 0 (UTC)", field: func(a *Answers) *string { return &a.Genesis },
		usual: func(s *Setup) string { return nextWednesday(s.Now()).Format(time.RFC3339) }, check: ofManifest("genesis")},
	{flag: "epoch-length", prompt: "Length of an epoch", field: func(a *Answers) *string { return &a.EpochLength },
		usual: always("168h"), quiet: true, check: ofManifest("epoch_length")},
	{flag: "budget", prompt: "Rewards of one epoch, in whole runes", field: func(a *Answers) *string { return &a.Budget },
		check: (*Setup).checkBudget, after: (*Setup).perYear},
	{flag: "minimum-stake", prompt: "Smallest stake, in whole runes",
		field: func(a *Answers) *string { return &a.MinimumStake }, usual: always("1"), check: (*Setup).checkMinimum},
	{flag: "terms", prompt: "Markdown file with your terms", field: func(a *Answers) *string { return &a.Terms },
		check: (*Setup).checkTerms},
	{flag: "terms-version", prompt: "Version of the terms", field: func(a *Answers) *string { return &a.TermsVersion },
		usual: always("1"), quiet: true, asked: func(s *Setup) bool { return s.Terms != "" },
		check: ofManifest("terms.version")},
	{flag: "key-kind", prompt: "Key: new or existing", field: func(a *Answers) *string { return &a.KeyKind },
		usual: usualKeyKind, quiet: true, check: (*Setup).checkKeyKind},
	{flag: "key-scheme", prompt: "Scheme of the key: seed, or bip39 for standard words",
		field: func(a *Answers) *string { return &a.KeyScheme }, usual: always(string(signer.SchemeSeed)), quiet: true,
		asked: func(s *Setup) bool { return s.KeyKind == newKey }, check: (*Setup).checkKeyScheme},
	{flag: "key", prompt: "Path of the key file", field: func(a *Answers) *string { return &a.Key },
		usual: always(usualKey), quiet: true, check: (*Setup).checkKey},
	{flag: "data", prompt: "Folder of the ledger", field: func(a *Answers) *string { return &a.Data },
		usual: always("/var/lib/moonfund"), quiet: true, check: (*Setup).checkData},
	{flag: "backups", prompt: "Folder of automatic backups, on another disk if you have one",
		field: func(a *Answers) *string { return &a.Backups }, usual: always("/var/backups/moonfund"),
		check: func(s *Setup) error { return absolute(s.Backups) }},
}

const usualKey = "/var/lib/moonfund/keys/moonfund.key"

// usualKeyKind returns existing if there is a file at the path of the key.
func usualKeyKind(s *Setup) string {
	if _, err := os.Lstat(cmp.Or(s.Key, usualKey)); err == nil {
		return existingKey
	}
	return newKey
}

func always(text string) func(*Setup) string { return func(*Setup) string { return text } }

// nextWednesday returns the first Wednesday 00:00 UTC that is at least three days away, which leaves time to fund the
// treasury.
func nextWednesday(now time.Time) time.Time {
	day := now.UTC().Truncate(24*time.Hour).AddDate(0, 0, 4)
	return day.AddDate(0, 0, (int(time.Wednesday)-int(day.Weekday())+7)%7)
}

func oneLine(text string) error {
	if text == "" || strings.ContainsAny(text, "\r\n\x00") {
		return errors.New("must be one line of text")
	}
	return nil
}

func absolute(path string) error {
	if err := oneLine(path); err != nil {
		return err
	}
	if !filepath.IsAbs(path) {
		return fmt.Errorf("%q is not a path from the root, such as /var/lib/moonfund", path)
	}
	return nil
}

// domainName matches a host name as browsers send it: lower case, without scheme, port, path or final dot.
var domainName = regexp.MustCompile(`^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$`)

// CheckDomain returns an error for a text that is not a host name.
func CheckDomain(domain string) error {
	if _, err := netip.ParseAddr(domain); err == nil || len(domain) > 200 || !domainName.MatchString(domain) {
		return fmt.Errorf("%q; it must be a host name such as example.org: in lower case, without https://, "+
			"port or spaces", domain)
	}
	return nil
}

func (s *Setup) checkDomain() error {
	if err := CheckDomain(s.Domain); err != nil {
		return fmt.Errorf("found %w", err)
	}
	return nil
}

// describeName says on a terminal if a host name has no address. It is no error, because the records can follow.
func (s *Setup) describeName(host string) string {
	if s.Ask == nil || s.Network == "regtest" {
		return "" // Check says it, and on regtest every URL contains the port
	}
	if f := CheckName(s.ctx, host); f.Level != OK {
		return "Note: " + f.Found + ". " + f.Do
	}
	return ""
}

// checkRune accepts an id or the name of a known rune, and looks the id up on the chain.
func (s *Setup) checkRune() error {
	if id, known := community.RuneNamed(s.Rune); known {
		s.Rune = id
	}
	id, err := runes.ParseID(s.Rune)
	if err != nil {
		return fmt.Errorf("%q is neither a rune's id, such as 840000:35, nor the name of a rune that is known here: "+
			"an explorer such as ord shows the id of a rune", s.Rune)
	}
	return errors.Join(s.lookUp(id), ofManifest("rune.id", "rune.name")(s))
}

func (s *Setup) describeRune() string {
	if s.etched.Name == "" {
		return "The rune was not looked up. `moonfund manifest check` does it once the node has its block."
	}
	return fmt.Sprintf("%s %s, at most %s of it exist.", s.etched.Name, s.etched.Symbol, grouped(s.etched.MaxSupply))
}

func (s *Setup) checkBudget() (err error) {
	if s.budget, err = wholeRunes(s.Budget); err != nil {
		return err
	}
	if s.etched.MaxSupply > 0 && s.budget > s.etched.MaxSupply {
		return fmt.Errorf("there are at most %s of this rune", grouped(s.etched.MaxSupply))
	}
	if err := ofManifest("reward_budget")(s); err != nil {
		return err
	}
	if percent, known := s.percentPerYear(); known && percent > plausiblePercent {
		return doubt{fmt.Sprintf("%s per epoch are %s %% of the maximum supply per year, more than %d %%", grouped(s.budget),
			decimal(percent), plausiblePercent)}
	}
	return nil
}

func (s *Setup) checkMinimum() (err error) {
	if s.minimum, err = wholeRunes(s.MinimumStake); err != nil {
		return err
	}
	return ofManifest("minimum_stake")(s)
}

const (
	year = 8766 * time.Hour
	// plausiblePercent is the largest share of the maximum supply that a year's rewards are without a doubt. The
	// treasury has to hold them before they are paid.
	plausiblePercent = 20
)

// rewardsPerYear returns the budget per year.
func (s *Setup) rewardsPerYear() (amount.Runes, error) {
	length, err := time.ParseDuration(s.EpochLength)
	if err != nil || length <= 0 {
		return 0, errNoAnswer
	}
	total, _, err := amount.MulDiv(int64(s.budget), int64(year), int64(length))
	return amount.Runes(total), err
}

// percentPerYear returns the budget per year as a percentage of the maximum supply, if both are known.
func (s *Setup) percentPerYear() (percent float64, known bool) {
	length, err := time.ParseDuration(s.EpochLength)
	if err != nil || length <= 0 || s.etched.MaxSupply <= 0 {
		return 0, false
	}
	return float64(s.budget) / float64(s.etched.MaxSupply) * float64(year) / float64(length) * 100, true
}

// perYear says what the budget means per year, for the supply and for a staker.
func (s *Setup) perYear() string {
	total, err := s.rewardsPerYear()
	if errors.Is(err, errNoAnswer) {
		return ""
	}
	if err != nil {
		return "This is more per year than an amount can be."
	}
	text := fmt.Sprintf("%s per epoch (%s) are about %s per year.", grouped(s.budget), s.EpochLength, grouped(total))
	percent, known := s.percentPerYear()
	if !known {
		return text + " How much of the supply that is can't be said before the node has the rune."
	}
	return text + fmt.Sprintf(" That is %s %% of the maximum supply. While a tenth of the supply is staked, a stake "+
		"earns %s %% per year.", decimal(percent), decimal(percent*10))
}

// grouped formats an amount in whole runes for display.
func grouped(units amount.Runes) string {
	return decimal(float64(units) / math.Pow10(amount.RuneDecimals))
}

// decimal formats a number with at most two decimals.
func decimal(n float64) string {
	return message.NewPrinter(language.English).Sprint(number.Decimal(n, number.MaxFractionDigits(2)))
}

func (s *Setup) checkTerms() error {
	if s.Terms == "" {
		if s.Network == "mainnet" {
			return errors.New("on mainnet every community publishes its terms: name a Markdown file")
		}
		return nil
	}
	text, err := os.ReadFile(s.Terms)
	if err != nil {
		return err
	}
	s.terms = strings.TrimSpace(strings.ReplaceAll(string(text), "\r\n", "\n"))
	return ofManifest("terms.text", "terms.date")(s)
}

func (s *Setup) checkKeyKind() error {
	if s.KeyKind != newKey && s.KeyKind != existingKey {
		return fmt.Errorf("%q is neither new nor existing", s.KeyKind)
	}
	return nil
}

func (s *Setup) checkKeyScheme() error {
	if !slices.Contains(signer.Schemes(), signer.Scheme(s.KeyScheme)) {
		return fmt.Errorf("%q is neither seed nor bip39", s.KeyScheme)
	}
	return nil
}

func (s *Setup) checkKey() error {
	if err := absolute(s.Key); err != nil {
		return err
	}
	_, err := os.Lstat(s.Key)
	switch {
	case s.KeyKind == newKey && err == nil:
		return fmt.Errorf("%s exists already, and a key file is never overwritten: answer existing, or another path", s.Key)
	case s.KeyKind == existingKey && err != nil:
		return err
	}
	return nil
}

func (s *Setup) checkData() error {
	if err := absolute(s.Data); err != nil {
		return err
	}
	if info, err := os.Stat(s.Data); err == nil && !info.IsDir() {
		return fmt.Errorf("%s is a file", s.Data)
	}
	return nil
}

// CheckAddress returns an error for a text that is not a listen address.
func CheckAddress(address string) error {
	if _, port, err := net.SplitHostPort(address); err != nil || port == "" {
		return fmt.Errorf("%q is not an address such as 127.0.0.1:8080", address)
	}
	return nil
}
