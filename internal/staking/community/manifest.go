// Package community reads and validates community manifests, one TOML file per community, and reports every wrong
// value.
package community

import (
	"time"

	"moonfund/internal/amount"
	"moonfund/internal/epoch"
)

// Week is the length of an epoch on mainnet and the default on other networks.
const Week = 7 * 24 * time.Hour

// Bounds and defaults of a manifest.
const (
	DefaultRune          = "840000:35" // rune of a manifest that names none
	DefaultRecoveryDelay = 8_064       // blocks, about eight weeks
	MinRecoveryDelay     = 6_048       // blocks, about six weeks; regtest allows less
	MaxRecoveryDelay     = 65_535      // blocks, the maximum of a relative timelock (BIP-68)
	MaxUnitsPerOrder     = 150
	MinPayoutWait        = time.Second // regtest allows 0
	MaxPayoutWait        = 24 * time.Hour
	MinRunestone         = 83     // bytes, an OP_RETURN script that every node relays
	MaxRunestone         = 10_000 // bytes
	MinRefundOwners      = 10     // at least so many owners must reach their own limits to use up the limit of all
)

// Manifest is a validated community manifest, as returned by Load and Read.
type Manifest struct {
	Network string // mainnet, testnet, testnet4, signet or regtest

	Prefix  string // first path segment of the community's API calls: /lobo/postAction
	Host    string // first label of its host name: lobo.example.org
	Name    string // display name: LOBO
	Token   string // short name of the token, without the $
	Test    bool   // test community: it has a simplified page and is not listed with the other communities
	Account uint32 // BIP-32 account of the custody keys; unique per community

	// StatementKey is the x-only public key of the community's statements in hex. If it is empty, no statements are
	// published.
	StatementKey string

	Rune Rune

	Genesis     time.Time     // start of epoch 0, UTC; a Wednesday 00:00 on mainnet
	EpochLength time.Duration // 0: epochs end only on request (regtest)
	Budgets     []Budget      // ascending by FromEpoch, the first from epoch 0

	MinimumStake  amount.Runes // base units
	ServiceFee    amount.Sats  // per order
	RecoveryDelay uint32       // blocks after which a staker can recover an output without the server
	// OperatorCustody offers wallets that can't sign for self-custody stakes that the operator's key alone can move.
	OperatorCustody bool
	Limits          Limits
	Refunds         Refunds

	ExplorerTx string            // link that contains {txid}, or empty
	Collection string            // description of the community's ordinals
	Image      string            // the logo: a file beside the manifest, a path of the server, an https URL, or empty
	Hero       string            // the picture behind the page's heading: a file or a path like Image, or empty
	Palette    map[string]string // colors by key of DefaultPalette, only the colors that the manifest sets
	Terms      Terms
	Contact    string // the operator's e-mail address or https URL for questions, or empty
	Texts      Texts
	Translated map[string]Translation // by language code, for example de
	Features   []string               // compound, recovery_kit, mint, etch
}

// Rune is the community's rune, defined by the manifest's section [rune] and nowhere else. RuneID has its ID for the
// ledger, orders, payouts, the signer and the rune index; the audit has it from the table community. Actions and the
// page get its divisibility (server/wiring/terms.go, server/site.go). "A second rune per community" in docs/recipes.md
// says how to find what assumes that there is one. On a dev network the ID is empty until the rune is etched. The name
// is empty if the manifest omits it and the specification lists the id without a name; it is then read from the chain.
type Rune struct {
	ID           string // block:tx
	Name         string // with spacers: LOBO•THE•WOLF•PUP
	Symbol       string
	Divisibility int // decimals; amount.RuneDecimals
}

// Budget is the reward per epoch in base units, from FromEpoch until the next Budget.
type Budget struct {
	FromEpoch int64
	Amount    amount.Runes
}

// Limits are limits of orders, payouts and the outflow of a day.
type Limits struct {
	MaxUnitsPerOrder int            // 1 to 150
	PayoutMaxWait    time.Duration  // maximum time a paid order waits for other orders to share a payout
	FeeTopUp         amount.Sats    // maximum that a payout may take from the fee account
	DailyOutflow     amount.Runes   // maximum that leaves the treasury in 24 hours
	DailySats        amount.Sats    // maximum of sats that payouts without refunds take in 24 hours, mostly fees
	ColdAbove        amount.Runes   // the payout of a larger order must be signed by hand; 0: no limit
	MaxFeeRate       amount.FeeRate // maximum fee rate of any transaction
	MaxRunestone     int            // bytes of a payout's runestone; more than 83 only if nodes relay it
}

// Refunds limits the refunds of 24 hours that are sent automatically. A refund above a limit waits for the operator.
// The limits count the values of the refunded payments, fees included. They are separate from the limits of deliveries.
type Refunds struct {
	PerDay      amount.Sats // of all owners
	PerOwnerDay amount.Sats // of one owner, an ordinals address; at most PerDay / MinRefundOwners
}

// Texts are the texts that a community supplies.
type Texts struct {
	Tagline     string // heading of the dashboard, or empty
	Description string
	LearnMore   string // https URL, or empty
	GetToken    string // https URL of a page to get the token, the path of a dev network's faucet, or empty
	FrontNotice string // shown above the figures of the page, or empty
}

// Translation contains translated texts for one language. For an empty field, the text of the manifest is shown.
type Translation struct{ Tagline, Description, TermsHTML string }

// Budget returns the reward budget of an epoch in base units.
func (m Manifest) Budget(epoch int64) amount.Runes {
	var budget amount.Runes
	for _, b := range m.Budgets {
		if b.FromEpoch <= epoch {
			budget = b.Amount
		}
	}
	return budget
}

// Calendar returns the calendar that starts at the genesis, in which no epoch was ended on request.
func (m Manifest) Calendar() epoch.Calendar {
	calendar := epoch.Calendar{Anchors: []epoch.Anchor{{Epoch: 0, Start: m.Genesis}}, Length: m.EpochLength}
	if m.EpochLength == 0 {
		calendar.Length, calendar.Manual = Week, true
	}
	return calendar
}
