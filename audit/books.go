package audit

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
)

// The rows of the database, as plain as they are. none stands for no height and no epoch.
const none = -1

type (
	community struct{ prefix, runeID, network string }
	anchor    struct {
		community string
		epoch     int64
		startsAt  int64
	}
	block struct {
		height     int64
		hash, prev string
		time       int64
	}
	boundary struct {
		community  string
		epoch, cut int64
	}
	watched struct {
		script                      []byte
		community, kind, ref, owner string
	}
	custody struct {
		txid                        string
		vout                        int64
		community, kind, ref, owner string
		script                      []byte
		value, runes                int64
		quarantine                  string
		booked, coinbase            bool
		seenAt, height              int64
		vanished                    bool
		spentBy                     string
		spentOurs                   bool
		spentHeight                 int64
	}
	payment struct {
		txid         string
		vout, number int64
		orderID      string
		counted      bool
		late         bool
	}
	tracked struct {
		txid     string
		raw      []byte
		height   int64
		vanished bool
	}
	unit struct {
		community, id, owner, origin string
		amount                       int64
		stage                        string
		notBefore, eligible          int64
		stakedTo, unlock             int64
		rewardEpoch                  int64
		orderID, before, txid        string
		vout                         int64
	}
	action struct {
		id, community, kind, payment, ordinals string
		unitIDs                                names
		orderID, message                       string
		createdAt, expiresAt, usedAt           int64
		signature, signer                      string
	}
	link  struct{ community, ordinals, payment string }
	order struct {
		id, community, reason, owner, actionID string
		payment                                string // the address that refunds go to
		unitIDs                                names
		realUnits, amount                      int64
		networkFee, serviceFee, rutxosFee      int64
		address                                string
		script                                 []byte
		status                                 string
		seen, confirmed, late, refunded        int64
		returned                               int64
		payoutID, payoutTx                     string
	}
	payout struct {
		id, community, kind string
		orderIDs            names
		status              string
	}
	version struct {
		txid, payoutID string
		raw            []byte
		height         int64
	}
	epochAccount struct {
		community                string
		epoch, planned, reserved int64
		settled                  bool
		staked, rewarded, cut    int64
		cutHash                  string
	}
	epochInput struct {
		community string
		epoch     int64
		unitID    string
		owner     string
		amount    int64
	}
	epochReward struct {
		community     string
		epoch         int64
		owner         string
		stake, reward int64
		unitID        string
	}
	posting struct {
		number                           int64
		community, subject, owner, event string
		asset                            string
		amount                           int64
		from, to, causeKind, causeID     string
		at                               int64
	}
	stakeAddress struct{ address, community, owner string }
	stored       struct{ key, text string }
)

// names is a JSON array of strings.
type names []string

// Scan implements sql.Scanner.
func (n *names) Scan(value any) error {
	switch text := value.(type) {
	case string:
		return json.Unmarshal([]byte(text), n)
	case []byte:
		return json.Unmarshal(text, n)
	}
	return fmt.Errorf("a list of names is a %T", value)
}

// books is the whole ledger at one moment.
type books struct {
	communities []community
	anchors     []anchor
	settings    map[string]string
	counters    map[string]string
	blocks      []block
	boundaries  []boundary
	watch       map[string]watched // by script
	addresses   map[string]stakeAddress
	custody     map[string]custody // by outpoint
	payments    []payment          // in order of arrival
	tracked     map[string]tracked
	units       map[unitKey]unit
	actions     map[string]action
	links       map[link]bool
	orders      map[string]order
	payouts     map[string]payout
	versions    map[string]version // by txid
	epochs      []epochAccount
	staked      map[string]string // the kept sums of STAKED units, by community
	inputs      []epochInput
	rewards     []epochReward
	outgoes     []outgo
	entries     []stored
	balances    []stored
}

type unitKey struct{ community, id string }

func outpoint(txid string, vout int64) string { return fmt.Sprintf("%s:%d", txid, vout) }

func (c custody) outpoint() string { return outpoint(c.txid, c.vout) }
func (p payment) outpoint() string { return outpoint(p.txid, p.vout) }
func (o order) total() int64       { return dust + o.networkFee + o.serviceFee + o.rutxosFee }

// dust is what every delivery output carries beyond the sats of its units.
const dust = 546

func sortedKeys[K cmp.Ordered, V any](m map[K]V) []K { return slices.Sorted(maps.Keys(m)) }

// read takes every row that an audit goes back to. Postings are shown one by one,
// after the rest, and not kept: there are the most of them.
func (b *books) read(r *reader, post func(posting), epochs func(epochAccount) bool) {
	b.readFrame(r)
	b.blocks = list(r, blockRows, "ORDER BY height")
	b.entries = list(r, entryRows, "ORDER BY id")
	b.balances = list(r, balanceRows, "ORDER BY outpoint")
	b.watch = keyed(r, watchRows, watched.entry, "")
	b.addresses = keyed(r, addressRows, stakeAddress.entry, "")
	b.custody = keyed(r, custodyRows, custody.entry, "")
	b.tracked = keyed(r, trackedRows, tracked.entry, "")
	b.units = keyed(r, unitRows, unit.entry, "")
	b.actions = keyed(r, actionRows, action.entry, "")
	b.links = keyed(r, linkRows, link.entry, "")
	b.orders = keyed(r, orderRows, order.entry, "")
	b.payments = list(r, paymentRows, "ORDER BY number")
	b.payouts = keyed(r, payoutRows, payout.entry, "")
	b.versions = keyed(r, versionRows, version.entry, "")
	b.readEpochs(r, epochs)
	each(r, postingRows, "ORDER BY number", post)
}

// readFrame takes the few rows that everything else refers to.
func (b *books) readFrame(r *reader) {
	b.communities = list(r, communityRows, "ORDER BY prefix")
	b.anchors = list(r, anchorRows, "ORDER BY community, epoch")
	b.settings = keyed(r, settingRows, stored.entry, "")
	b.counters = keyed(r, counterRows, stored.entry, "")
	b.boundaries = list(r, boundaryRows, "ORDER BY community, epoch")
	b.outgoes = list(r, outgoRows, "ORDER BY txid, owner")
}

// readEpochs takes what was published of the epochs that are asked for; the
// rewards of all, since units came from them.
func (b *books) readEpochs(r *reader, wanted func(epochAccount) bool) {
	b.staked = keyed(r, stakedRows, stored.entry, "")
	b.epochs = list(r, epochRows, "ORDER BY community, epoch")
	b.rewards = list(r, rewardRows, "ORDER BY community, epoch, owner")
	for _, e := range b.epochs {
		if wanted(e) {
			b.inputs = append(b.inputs, list(r, inputRows, "WHERE community = $1 AND epoch = $2 ORDER BY unit_id", e.community, e.epoch)...)
		}
	}
}
