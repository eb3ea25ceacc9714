package statement

// Format is the format of a statement, in its field format.
const Format = "moonfund/statement/1"

// Document is the statement of a settled epoch. The fields of every struct below are in the order of their JSON names,
// so that encoding/json writes them in the order of RFC 8785.
type Document struct {
	AsOf        Snapshot    `json:"as_of"`
	Budget      Budget      `json:"budget"`
	Community   string      `json:"community"` // prefix
	Cut         Block       `json:"cut"`       // last block that counts for the epoch
	End         int64       `json:"end"`       // of the epoch, in unix seconds
	Epoch       int64       `json:"epoch"`
	Format      string      `json:"format"`
	Incidents   []Incident  `json:"incidents"`   // since the previous statement, ascending
	Liabilities []Liability `json:"liabilities"` // ascending by kind
	Network     string      `json:"network"`
	Owners      Owners      `json:"owners"`
	Previous    Hash        `json:"previous"` // id of the statement before; zero for sequence 0
	Reserves    []Reserve   `json:"reserves"` // ascending by outpoint
	Rewards     Rewards     `json:"rewards"`
	Rune        string      `json:"rune"` // id: block:tx
	Sequence    int64       `json:"sequence"`
	Start       int64       `json:"start"` // of the epoch, in unix seconds
}

// Block is a block of the chain.
type Block struct {
	Hash   string `json:"hash"` // as block explorers show it
	Height int64  `json:"height"`
}

// Snapshot is a block below the last one that the ledger had followed when liabilities, reserves and owners were
// recorded, so deep that no reorg replaces it.
type Snapshot struct {
	Hash   string `json:"hash"`
	Height int64  `json:"height"`
	Time   int64  `json:"time"` // of the block, in unix seconds
}

// Budget is the amount that the epoch's rewards divide.
type Budget struct {
	Amount Sum    `json:"amount"` // reserved when the epoch began
	Source string `json:"source"`
}

// The sources of a budget.
const (
	SourcePlanned  = "planned"  // the amount that the manifest plans
	SourceTreasury = "treasury" // the free part of the treasury was less than planned
)

// Incident is an entry of the public incident log.
type Incident struct {
	Detail string `json:"detail"`
	Kind   string `json:"kind"`
	Time   int64  `json:"time"` // unix seconds
}

// The kinds of liabilities. Every unit that is not withdrawn is in one of the first four.
const (
	Stakes     = "stakes"     // units with an unspent deposit
	Delivering = "delivering" // units of orders whose payout is signed and not delivered
	Contested  = "contested"  // units whose deposit a transaction spends that is no payout
	Unpaid     = "rewards"    // rewards, compounded ones included
	Payments   = "payments"   // unspent sats that orders received
	Refunds    = "refunds"    // the part of these sats that is due as refunds
)

// Liability is the sum of one kind of liability.
type Liability struct {
	Kind  string `json:"kind"`
	Runes Sum    `json:"runes"`
	Sats  Sum    `json:"sats"`
}

// The kinds of reserves.
const (
	ReserveStake    = "stake"
	ReserveTreasury = "treasury" // runes of the treasury
	ReservePayment  = "payment"
	ReserveSats     = "sats" // of the treasury
)

// The kinds of custody of a stake.
const (
	CustodySelf     = "self"     // nothing moves it without its owner's signature
	CustodyOperator = "operator" // the operator can move it
)

// Liability returns the liability of a kind, or the zero value if the document has none.
func (d Document) Liability(kind string) Liability {
	for _, l := range d.Liabilities {
		if l.Kind == kind {
			return l
		}
	}
	return Liability{}
}

// Held returns the sum of the runes of the reserves of a kind. Check has added up the runes of all reserves.
func (d Document) Held(kind string) (held Sum) {
	for _, r := range d.Reserves {
		if r.Kind == kind {
			held, _ = held.Add(r.Runes)
		}
	}
	return held
}

// InSelfCustody returns the part of the runes of the stakes that nothing moves without their owners' signatures.
func (d Document) InSelfCustody() (held Sum) {
	for _, r := range d.Reserves {
		if r.CustodyKind == CustodySelf {
			held, _ = held.Add(r.Runes)
		}
	}
	return held
}

// Reserve is an unspent output of the community.
type Reserve struct {
	CustodyKind string `json:"custody_kind"` // of a stake, else ""
	Kind        string `json:"kind"`
	Outpoint    string `json:"outpoint"` // txid:vout
	Runes       Sum    `json:"runes"`
	Sats        Sum    `json:"sats"`
	Script      string `json:"script"` // hex
}

// namesCustody reports whether the kind of custody of a reserve is valid: a stake has one, other reserves have none.
func (r Reserve) namesCustody() bool {
	if r.Kind == ReserveStake {
		return r.CustodyKind == CustodySelf || r.CustodyKind == CustodyOperator
	}
	return r.CustodyKind == ""
}

// Rewards are the sums of the epoch's rewards, and the digest of the details.
type Rewards struct {
	Count  int64 `json:"count"`  // of the owners with a reward
	Digest Hash  `json:"digest"` // see Details.Encode
	Total  Sum   `json:"total"`  // of the rewards
}

// Owners is the root of the tree over the owners, and the number of its leaves.
type Owners struct {
	Count  int64 `json:"count"`
	Owed   Sum   `json:"owed"`
	Reward Sum   `json:"reward"`
	Root   Hash  `json:"root"`
	Stake  Sum   `json:"stake"`
}

// Node returns the root of the tree over the owners.
func (o Owners) Node() Node {
	return Node{o.Root, Sums{Owed: o.Owed, Reward: o.Reward, Stake: o.Stake}}
}

// ID returns the tagged hash of the document's canonical form, or an error if the document is invalid.
func (d Document) ID() (Hash, error) {
	text, err := d.Encode()
	return taggedHash(tagStatement, text), err
}

// Encode returns the canonical JSON (RFC 8785) of a document, or an error if the document is invalid.
func (d Document) Encode() ([]byte, error) {
	if err := d.Check(); err != nil {
		return nil, err
	}
	return canonical(d.withLists())
}

// withLists returns the document with empty lists instead of nil ones, which JSON writes as null.
func (d Document) withLists() Document {
	d.Incidents = append([]Incident{}, d.Incidents...)
	d.Liabilities = append([]Liability{}, d.Liabilities...)
	d.Reserves = append([]Reserve{}, d.Reserves...)
	return d
}

// Parse parses the canonical JSON of a document. It returns an error for any other JSON with the same meaning.
func Parse(text []byte) (d Document, err error) {
	if err := decode(text, &d); err != nil {
		return Document{}, err
	}
	return d, same(text, d.Encode)
}
