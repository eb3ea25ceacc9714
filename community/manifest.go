// Package community reads the manifests: one TOML file per community, checked as a whole, and explained when wrong.
package community

import (
	"time"

	"moonfund/amount"
	"moonfund/epoch"
)

// Week is the length of an epoch on mainnet, and the default elsewhere.
const Week = 7 * 24 * time.Hour

// Bounds and defaults of a manifest.
const (
	DefaultRune          = "840000:35" // the rune of a manifest that names none
	Divisibility         = 8           // implied decimals of every amount of the product
	DefaultRecoveryDelay = 26_280      // blocks, about six months
	MinRecoveryDelay     = 6_048       // blocks, about six weeks; less only on regtest
	MaxRecoveryDelay     = 65_535      // blocks, the most that a relative timelock (BIP-68) holds
	MaxUnitsPerOrder     = 150
	MinPayoutWait        = time.Second // 0 on regtest
	MaxPayoutWait        = 24 * time.Hour
	MinRunestone         = 83     // bytes of an OP_RETURN script that every node relays
	MaxRunestone         = 10_000 // bytes
)

// Manifest is one community, checked. Load and Read return no other.
type Manifest struct {
	Network string // mainnet, testnet, testnet4, signet or regtest

	Prefix  string // first path segment of its calls: /lobo/postAction
	Host    string // first label of its host name: lobo.example.org
	Name    string // as shown: LOBO
	Token   string // short name of the token, without the $
	Test    bool   // the test community: a simplified page, and no place among the fund's communities
	Account uint32 // BIP-32 account of its custody keys, never shared by two communities
	Rune    Rune

	Genesis     time.Time     // start of epoch 0, UTC; a Wednesday 00:00 on mainnet
	EpochLength time.Duration // 0: epochs end only by hand (regtest)
	Budgets     []Budget      // ascending by FromEpoch, the first from epoch 0

	MinimumStake  amount.Runes // base units
	ServiceFee    amount.Sats  // per order
	RecoveryDelay uint32       // blocks after which a staker recovers an output alone
	Limits        Limits

	ExplorerTx string // link with {txid}, or empty
	Collection string // the community's ordinals, in words
	Image      string // path or https URL
	Texts      Texts
	Translated map[string]Translation // by language code, such as de
	Features   []string
}

// Rune is the community's rune. On a dev network the ID is empty until the rune is etched. Name is empty for a known
// rune whose name the manifest leaves to the chain.
type Rune struct {
	ID           string // block:tx
	Name         string // with spacers: LOBO•THE•WOLF•PUP
	Symbol       string
	Divisibility int
}

// Budget is the reward of every epoch from FromEpoch on, in base units, until the next Budget.
type Budget struct {
	FromEpoch int64
	Amount    amount.Runes
}

// Limits bound what one order, one payout and one day can do.
type Limits struct {
	MaxUnitsPerOrder int            // 1 to 150
	PayoutMaxWait    time.Duration  // nobody's paid order waits longer for company
	FeeTopUp         amount.Sats    // most that a payout may take from the fee account
	DailyOutflow     amount.Runes   // most that leaves the treasury in 24 hours
	ColdAbove        amount.Runes   // an order of more is signed by hand, elsewhere; 0: none is
	MaxFeeRate       amount.FeeRate // no transaction pays more
	MaxRunestone     int            // bytes of a payout's runestone: more than 83 only where nodes relay that
}

// Texts are the community's own words.
type Texts struct {
	Tagline     string // the dashboard's heading, or empty
	Description string
	LearnMore   string // https URL, or empty
	FrontNotice string // shown above the figures, or empty
}

// Translation is what a page in another language says instead; what is empty stays as in Texts.
type Translation struct{ Tagline, Description string }

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

// Calendar returns the calendar that starts at the genesis, without any epoch ended early.
func (m Manifest) Calendar() epoch.Calendar {
	calendar := epoch.Calendar{Anchors: []epoch.Anchor{{Epoch: 0, Start: m.Genesis}}, Length: m.EpochLength}
	if m.EpochLength == 0 {
		calendar.Length, calendar.Manual = Week, true
	}
	return calendar
}
