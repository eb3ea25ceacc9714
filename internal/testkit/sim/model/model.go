// Package model checks the server's tables and transactions independently. It records every transaction and every
// acknowledged action, reads the tables with separate SQL queries, and shares no code with ledger, order and payout.
package model

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/btcsuite/btcd/chainhash/v2"
	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/runes"
)

// Chain reports the current location of transactions.
type Chain interface {
	// Locate returns the height of a transaction's block, or -1, and whether the transaction is in the mempool.
	Locate(id chainhash.Hash) (height int64, waits bool)
	Height() int64
	HeaderTime(height int64) time.Time
}

// Config configures a model.
type Config struct {
	Chain    Chain
	Network  chain.Network
	Rune     runes.ID
	Minimum  int64    // base units of a creditable stake
	Budget   int64    // maximum rewards of one epoch, in base units
	Treasury [][]byte // scripts

	Genesis     time.Time // start of epoch 0, on the scale of block headers
	EpochLength time.Duration
	Reserve     int64                        // minimum base units that back rewards at the start of the scenario
	ServiceFee  int64                        // sats of each order
	Rate        func() (rate int64)          // current fee rate in sats per 1,000 vB
	Now         func() (now time.Time)       // the true time
	OnChain     func(at time.Time) time.Time // converts a time to the scale of block headers
}

// Violation is the error of a broken rule.
type Violation struct {
	Rule, Detail string
}

func (v *Violation) Error() string { return v.Rule + ": " + v.Detail }

func broken(rule, format string, args ...any) error {
	return &Violation{rule, fmt.Sprintf(format, args...)}
}

// Model is the state of one scenario as known from transactions and acknowledged actions.
type Model struct {
	Config
	rules    runes.Rules
	outputs  map[wire.OutPoint]*output
	txs      map[chainhash.Hash]*wire.MsgTx
	spenders map[wire.OutPoint][]chainhash.Hash
	stakes   map[string]string // script of a stake address → its owner's script
	self     map[string]bool   // scripts of those in self-custody
	deposits []wire.OutPoint   // every output at a stake address
	orders   map[string]*order // by id
	payees   map[string]*order // by payment script
	speeds   map[string]speed  // of economy orders, by order id
	intents  map[string]Intent // the last acknowledged action of each unit
	acked    []string          // ids of acknowledged actions

	ownerSigned map[chainhash.Hash]string // id of the order, by the withdrawal in one transaction that its owner signed
	completed   map[chainhash.Hash]bool   // those that a thief of the community's key completed

	changes   map[string][]change     // actions that changed what a unit earns, by unit
	virtual   map[string]stake        // rewards, by unit
	settled   map[int64]bool          // epochs whose rewards were checked
	claimed   map[string]bool         // rewards that were on a claim order
	requested map[string]bool         // orders and payouts for which an operator made a request
	costly    map[string]int64        // refunds that cost more than they return, with the difference in sats
	highest   int64                   // greatest height of any branch
	givenUp   map[chainhash.Hash]bool // transactions that were dead at an earlier check

	instructions map[string]*instruction // by the id of the signed action
	current      map[string]*instruction // the last one of each owner, by script
	compounded   map[string]*instruction // the instruction that compounded a reward, by unit
	journalRead  int64                   // number of the last posting that ReadCompounded has read

	recent          map[chainhash.Hash][]chainhash.Hash // ancestors of each transaction that a reorg can undo
	paidAt          map[string]time.Time                // when each order last became PAID
	undoneAt        map[string]time.Time                // when a reorg last undid a payment of each PAID order
	seen            map[chainhash.Hash]time.Time        // latest time at which the server saw a payment first
	pausedFor       time.Duration                       // total time for which all changes were paused
	FollowedAt      time.Time                           // time at which the server last followed the chain to its tip
	FollowedOnChain time.Time                           // FollowedAt on the scale of block headers
}

type output struct {
	*wire.TxOut
	runes, foreign int64
}

// order is an order with its original terms, its payments, and the deliveries that spend them.
type order struct {
	id, owner, payment string // scripts
	units              []string
	amount             int64
	paid               []wire.OutPoint
	deliveries         []chainhash.Hash
	kept               []wire.OutPoint // overpayment that deliveries returned to the order's address

	status           string    // at the last check
	rate             int64     // at the last check, in sats per 1,000 vB
	contested        bool      // at the last check, a foreign transaction spent a deposit
	created, ratedAt time.Time // ratedAt: start of the validity of its rate
	ratedPause       time.Duration
	signed           time.Time // the server accepted its owner's last signature of a delivery
	maybeSigned      time.Time // signed, or a later attempt without a response

	before   string         // status after the last database transaction
	versions []oneTxVersion // stored versions of its withdrawal in one transaction, if any
	over     bool           // at the last check, none of versions could confirm
}

// Intent is the type of a signed action, such as UNSTAKE.
type Intent string

// New returns an empty model.
func New(c Config) *Model {
	return &Model{
		Config: c, rules: runes.RulesFor(c.Network), outputs: map[wire.OutPoint]*output{},
		txs:      map[chainhash.Hash]*wire.MsgTx{},
		spenders: map[wire.OutPoint][]chainhash.Hash{}, stakes: map[string]string{}, orders: map[string]*order{},
		payees: map[string]*order{}, intents: map[string]Intent{}, speeds: map[string]speed{},
		changes: map[string][]change{}, virtual: map[string]stake{}, settled: map[int64]bool{},
		requested: map[string]bool{}, costly: map[string]int64{}, givenUp: map[chainhash.Hash]bool{},
		seen: map[chainhash.Hash]time.Time{}, recent: map[chainhash.Hash][]chainhash.Hash{},
		claimed: map[string]bool{}, instructions: map[string]*instruction{}, current: map[string]*instruction{},
		compounded: map[string]*instruction{}, ownerSigned: map[chainhash.Hash]string{},
		self: map[string]bool{}, completed: map[chainhash.Hash]bool{},
	}
}

// Given records the runes of an output that is older than the model.
func (m *Model) Given(point wire.OutPoint, balances []runes.Balance) {
	if out := m.outputs[point]; out != nil {
		m.hold(out, balances)
	}
}

func (m *Model) hold(out *output, balances []runes.Balance) {
	out.runes, out.foreign = 0, 0
	for _, b := range balances {
		if b.ID == m.Rune {
			out.runes += int64(b.Amount.Lo)
		} else {
			out.foreign += int64(b.Amount.Lo)
		}
	}
}

// Stake records that a stake address was issued to an owner. It returns a *Violation if it was issued to another one.
func (m *Model) Stake(script []byte, owner string) error {
	to, err := m.script(owner)
	if known, ok := m.stakes[string(script)]; ok && known != to {
		return broken("a stake address belongs to one owner", "it was also issued to %s", owner)
	}
	m.stakes[string(script)] = to
	return err
}

// Acknowledged records that an action succeeded and its owner received the response.
func (m *Model) Acknowledged(actionID string, intent Intent, unitIDs []string) {
	m.acked = append(m.acked, actionID)
	for _, id := range unitIDs {
		m.intents[id] = intent
	}
}

// Uncertain records that an action on these units may have succeeded without a response.
func (m *Model) Uncertain(unitIDs []string) {
	for _, id := range unitIDs {
		delete(m.intents, id)
	}
}

func (m *Model) script(address string) (string, error) {
	parsed, err := chain.ParseAddress(address, m.Network)
	return string(parsed.Script), err
}

func (m *Model) open(row Order) error {
	now := m.Now()
	o := &order{id: row.ID, amount: row.Amount, created: now, ratedAt: now, ratedPause: m.pausedFor}
	var err error
	if o.owner, err = m.script(row.Owner); err != nil {
		return err
	}
	if o.payment, err = m.script(row.Payment); err != nil {
		return err
	}
	if err := json.Unmarshal([]byte(row.unitIDs), &o.units); err != nil {
		return err
	}
	if row.Reason == "CLAIM" {
		for _, id := range o.units {
			m.claimed[id] = true
		}
	}
	if other := m.payees[string(row.script)]; other != nil {
		return broken("a payment address belongs to one order", "%s has the address of %s", row.ID, other.id)
	}
	m.orders[row.ID], m.payees[string(row.script)] = o, o
	if want := m.price(o, m.opensAt(row.ID)); row.Rate != m.opensAt(row.ID) || row.Price != want {
		return broken("an order costs what delivering it costs", "order %s costs %d at %d, and not %d at %d", row.ID,
			row.Price, row.Rate, want, m.opensAt(row.ID))
	}
	return nil
}

// Learn adds a transaction that the node accepted or that is in a block. It returns a *Violation if the transaction
// spends the community's outputs against the rules.
func (m *Model) Learn(tx chain.Tx) error {
	if m.txs[tx.ID] != nil {
		return nil
	}
	m.txs[tx.ID] = tx.Msg
	m.recent[tx.ID] = m.recentAncestors(tx.Msg)
	held := func(point wire.OutPoint) (balances []runes.Balance) {
		if out := m.outputs[point]; out != nil {
			balances = out.balances(m.Rune)
		}
		return balances
	}
	allocated, _, _, err := m.rules.Allocate(tx.Msg, held, unminted{}, math.MaxInt32)
	if err != nil {
		return err
	}
	for vout, txOut := range tx.Msg.TxOut {
		point, out := wire.OutPoint{Hash: tx.ID, Index: uint32(vout)}, &output{TxOut: txOut}
		m.hold(out, allocated[vout])
		m.outputs[point] = out
		if _, ours := m.stakes[string(txOut.PkScript)]; ours {
			m.deposits = append(m.deposits, point)
		}
	}
	for _, in := range tx.Msg.TxIn {
		m.spenders[in.PreviousOutPoint] = append(m.spenders[in.PreviousOutPoint], tx.ID)
	}
	f := m.flow(tx.Msg)
	for vout, txOut := range tx.Msg.TxOut {
		point := wire.OutPoint{Hash: tx.ID, Index: uint32(vout)}
		switch o := m.payees[string(txOut.PkScript)]; {
		case o != nil && f.ours:
			o.kept = append(o.kept, point)
		case o != nil:
			o.paid = append(o.paid, point)
		}
	}
	if f.ours {
		return m.sent(tx, f)
	}
	return nil
}

// unminted is an EntryReader without runes, so that mints have no effect. The model does not follow outputs with minted
// runes.
type unminted struct{}

// RuneEntry implements runes.EntryReader.
func (unminted) RuneEntry(runes.ID) (e runes.Entry, found bool, err error) { return e, false, nil }

// foreign is the id that the model uses for every rune that no community follows.
var foreign = runes.ID{Block: math.MaxInt32}

// Runes returns the amount of the followed rune on an output, and whether it holds a foreign rune.
func (m *Model) Runes(point wire.OutPoint) (held int64, other bool) {
	out := m.outputs[point]
	if out == nil {
		return 0, false
	}
	return out.runes, out.foreign > 0
}

func (m *Model) isTreasury(script []byte) bool {
	return slices.ContainsFunc(m.Treasury, func(t []byte) bool { return string(t) == string(script) })
}

// spentIn returns the height of the block that spends an output, or -1, and the spending transaction.
func (m *Model) spentIn(point wire.OutPoint) (height int64, by chainhash.Hash) {
	for _, id := range m.spenders[point] {
		if at, _ := m.Chain.Locate(id); at >= 0 {
			return at, id
		}
	}
	return -1, chainhash.Hash{}
}

// depth returns the number of confirmations of a block at a height, or 0 if height is negative.
func (m *Model) depth(height int64) int64 {
	if height < 0 {
		return 0
	}
	return m.Chain.Height() - height + 1
}

// replaced reports whether a transaction that conflicts with the unconfirmed transaction id, or with an ancestor of it,
// has at least deep confirmations.
func (m *Model) replaced(id chainhash.Hash, deep int64) bool {
	tx := m.txs[id]
	if at, _ := m.Chain.Locate(id); tx == nil || at >= 0 {
		return false
	}
	for _, in := range tx.TxIn {
		if at, by := m.spentIn(in.PreviousOutPoint); by != id && m.depth(at) >= deep {
			return true
		}
		if m.replaced(in.PreviousOutPoint.Hash, deep) {
			return true
		}
	}
	return false
}
