package audit

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
)

// The rows of the database, as plain as they are.
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
		script                      []byte // as it is read; what is kept of it is its mark
		mark                        mark
		value, runes                int64
		quarantine                  string
		booked, coinbase            bool
		height                      int64
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

		rewardUnit string // by the epoch that it says it came from
		reward     int64
		restaked   bool   // by the journal, as it was read so far
		number     uint32 // during this audit
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
		returned, usable                       int64
		anchor                                 string
		refundDue                              int64
		refundReason                           string
		byRefund                               bool
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

// books is the ledger at one moment, as far as an audit goes back to it.
type books struct {
	communities []community
	anchors     []anchor
	settings    map[string]string
	counters    map[string]string
	blocks      []block
	boundaries  []boundary
	watch       *watching
	addresses   map[mark]bool // stake addresses with their owners
	custody     *custodies
	payments    []payment // in order of arrival
	tracked     map[string]tracked
	units       *units
	actions     map[string]*proved
	links       map[link]bool
	orders      map[string]order
	payouts     map[string]payout
	versions    map[string]version // by txid
	epochs      []epochAccount
	staked      map[string]string // the kept sums of STAKED units, by community
	paid        map[epochKey]bool // epochs that have rewards
	inputs      map[epochKey]inputs
	outgoes     []outgo
	entries     []stored
	balances    holdings
}

func newBooks() books {
	return books{
		watch: newWatching(), addresses: map[mark]bool{}, custody: newCustodies(), tracked: map[string]tracked{}, units: newUnits(),
		actions: map[string]*proved{}, inputs: map[epochKey]inputs{},
	}
}

func outpoint(txid string, vout int64) string { return txid + ":" + strconv.FormatInt(vout, 10) }

func (c custody) outpoint() string { return outpoint(c.txid, c.vout) }
func (p payment) outpoint() string { return outpoint(p.txid, p.vout) }
func (o order) total() int64       { return dust + o.networkFee + o.serviceFee + o.rutxosFee }

// dust is what every delivery output carries beyond the sats of its units.
const dust = 546

func sortedKeys[K cmp.Ordered, V any](m map[K]V) []K { return slices.Sorted(maps.Keys(m)) }

// readFrame takes the few rows that everything else refers to.
func (b *books) readFrame(r *reader) {
	b.communities = list(r, communityRows, "ORDER BY prefix")
	b.anchors = list(r, anchorRows, "ORDER BY community, epoch")
	b.settings = keyed(r, settingRows, stored.entry, "")
	b.counters = keyed(r, counterRows, stored.entry, "")
	b.boundaries = list(r, boundaryRows, "ORDER BY community, epoch")
	b.outgoes = list(r, outgoRows, "ORDER BY txid, owner")
}
