package document

import (
	"cmp"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/btcsuite/btcd/btcec/v2/schnorr"
)

// Statement is the statement of a settled epoch. Its members are those of docs/statements.md.
type Statement struct {
	Network, Community, Rune string
	Sequence                 int64
	Previous                 Hash
	Epoch, Start, End        int64
	Cut                      Block
	AsOf                     Snapshot
	Budget                   Budget
	Rewards                  Rewards
	Owners                   Owners
	Liabilities              []Liability
	Reserves                 []Reserve
	Incidents                []Incident
}

// Block is a block of the chain.
type Block struct {
	Height int64
	Hash   Hash
}

// Snapshot is the block of a snapshot of the ledger.
type Snapshot struct {
	Block
	Time int64
}

// Budget is what the epoch's rewards divide.
type Budget struct {
	Amount Amount
	Source string
}

// Rewards are the sums of the rewards, and the digest of the details.
type Rewards struct {
	Count  int64
	Total  Amount
	Digest Hash
}

// Owners is the root of the tree and the number of its leaves.
type Owners struct {
	Count int64
	Node
}

// Liability is what the community owes of one kind.
type Liability struct {
	Kind        string
	Runes, Sats Amount
}

// Reserve is an output that the community holds. Script is in hex.
type Reserve struct {
	Outpoint, Kind, Script string
	Sats, Runes            Amount
}

// Incident is an entry of the incident log.
type Incident struct {
	Time         int64
	Kind, Detail string
}

func (i Incident) compare(j Incident) int {
	return cmp.Or(cmp.Compare(i.Time, j.Time), cmp.Compare(i.Kind, j.Kind), cmp.Compare(i.Detail, j.Detail))
}

// Signed is a statement with its id and the key that signed it.
type Signed struct {
	Statement
	ID, Key Hash
}

const statementFormat = "moonfund/statement/1"

var (
	networks         = []string{"mainnet", "testnet", "testnet4", "signet", "regtest"}
	liabilitiesKinds = []string{"contested", "delivering", "payments", "refunds", "rewards", "stakes"}
)

// ReadSigned reads a signed statement. It returns an error unless the bytes are canonical, the statement follows the
// rules 1 to 3 of docs/statements.md, and the signature is of the statement by its key. The caller compares the key
// with the one that the community publishes.
func ReadSigned(text []byte) (Signed, error) {
	r := &reader{text: string(text)}
	var s Signed
	r.token(`{"key":`)
	s.Key = r.hash()
	r.token(`,"signature":`)
	signature := r.signature()
	r.token(`,"statement":`)
	from := r.at
	s.Statement = r.statement()
	body := r.text[from:r.at]
	r.token("}")
	if r.end(); r.err != nil {
		return Signed{}, fmt.Errorf("not a signed statement in canonical form: %w", r.err)
	}
	if err := s.checkSums(); err != nil {
		return Signed{}, fmt.Errorf("the statement contradicts itself: %w", err)
	}
	s.ID = Tagged("moonfund/statement", body)
	return s, verifySignature(s.Key, s.ID, signature)
}

// verifySignature returns an error unless the BIP-340 signature is of the id, by the key.
func verifySignature(key, id Hash, signature string) error {
	public, err := schnorr.ParsePubKey(key[:])
	if err != nil {
		return fmt.Errorf("the key %s is no x-only public key", key)
	}
	bytes, err := hex.DecodeString(signature)
	if err != nil {
		return err
	}
	parsed, err := schnorr.ParseSignature(bytes)
	if err != nil || !parsed.Verify(id[:], public) {
		return fmt.Errorf("the signature is not of this document by the key %s", key)
	}
	return nil
}

func (r *reader) statement() (s Statement) {
	r.token(`{"as_of":`)
	s.AsOf = r.snapshot()
	r.token(`,"budget":{"amount":`)
	s.Budget.Amount = r.amount()
	r.token(`,"source":`)
	s.Budget.Source = r.name()
	r.token(`},"community":`)
	s.Community = r.name()
	r.token(`,"cut":`)
	s.Cut = r.block()
	r.token(`,"end":`)
	s.End = r.integer()
	r.token(`,"epoch":`)
	s.Epoch = r.integer()
	r.token(`,"format":"` + statementFormat + `","incidents":`)
	s.Incidents = list(r, r.incident)
	r.token(`,"liabilities":`)
	s.Liabilities = list(r, r.liability)
	r.token(`,"network":`)
	s.Network = r.network()
	r.token(`,"owners":{"count":`)
	s.Owners.Count = r.integer()
	r.token(`,"owed":`)
	s.Owners.Owed = r.amount()
	r.token(`,"reward":`)
	s.Owners.Reward = r.amount()
	r.token(`,"root":`)
	s.Owners.Hash = r.hash()
	r.token(`,"stake":`)
	s.Owners.Stake = r.amount()
	r.token(`},"previous":`)
	s.Previous = r.hash()
	r.token(`,"reserves":`)
	s.Reserves = list(r, r.reserve)
	r.token(`,"rewards":{"count":`)
	s.Rewards.Count = r.integer()
	r.token(`,"digest":`)
	s.Rewards.Digest = r.hash()
	r.token(`,"total":`)
	s.Rewards.Total = r.amount()
	r.token(`},"rune":`)
	s.Rune = r.runeID()
	r.token(`,"sequence":`)
	s.Sequence = r.integer()
	r.token(`,"start":`)
	s.Start = r.integer()
	r.token("}")
	ascending(r, s.Liabilities, func(l Liability) string { return l.Kind })
	ascending(r, s.Reserves, func(v Reserve) string { return v.Outpoint })
	if !slices.IsSortedFunc(s.Incidents, Incident.compare) {
		r.fail("the incidents are not in order")
	}
	return s
}

func (r *reader) block() (b Block) {
	r.token(`{"hash":`)
	b.Hash = r.hash()
	r.token(`,"height":`)
	b.Height = r.integer()
	r.token("}")
	return b
}

func (r *reader) snapshot() (s Snapshot) {
	r.token(`{"hash":`)
	s.Hash = r.hash()
	r.token(`,"height":`)
	s.Height = r.integer()
	r.token(`,"time":`)
	s.Time = r.integer()
	r.token("}")
	return s
}

func (r *reader) incident() (i Incident) {
	r.token(`{"detail":`)
	i.Detail = r.str(maxText)
	r.token(`,"kind":`)
	i.Kind = r.name()
	r.token(`,"time":`)
	i.Time = r.integer()
	r.token("}")
	return i
}

func (r *reader) liability() (l Liability) {
	r.token(`{"kind":`)
	l.Kind = r.name()
	r.token(`,"runes":`)
	l.Runes = r.amount()
	r.token(`,"sats":`)
	l.Sats = r.amount()
	r.token("}")
	return l
}

func (r *reader) reserve() (v Reserve) {
	r.token(`{"kind":`)
	v.Kind = r.name()
	r.token(`,"outpoint":`)
	if v.Outpoint = r.str(maxText); !outpoint(v.Outpoint) {
		r.fail("%q is not an outpoint", v.Outpoint)
	}
	r.token(`,"runes":`)
	v.Runes = r.amount()
	r.token(`,"sats":`)
	v.Sats = r.amount()
	r.token(`,"script":`)
	v.Script = r.script()
	r.token("}")
	return v
}

func (r *reader) network() string {
	network := r.name()
	if !slices.Contains(networks, network) {
		r.fail("there is no network %q", network)
	}
	return network
}

// runeID reads block:tx.
func (r *reader) runeID() string {
	id := r.str(maxText)
	block, tx, _ := strings.Cut(id, ":")
	if !decimal(block, math.MaxUint64) || !decimal(tx, math.MaxUint32) {
		r.fail("%q is not the id of a rune", id)
	}
	return id
}

// checkSums checks the rules inside a statement that are not shortfalls.
func (s Statement) checkSums() error {
	for _, kind := range liabilitiesKinds {
		if !slices.ContainsFunc(s.Liabilities, func(l Liability) bool { return l.Kind == kind }) {
			return fmt.Errorf("there is no liability %s", kind)
		}
	}
	owed, err := s.add()
	if err != nil {
		return err
	}
	due := s.Budget.Amount
	if s.Owners.Stake.IsZero() {
		due = Amount{}
	}
	switch {
	case s.Start >= s.End:
		return errors.New("the epoch ends before it starts")
	case s.AsOf.Height < s.Cut.Height:
		return fmt.Errorf("the ledger is at block %d, before the epoch's last block %d", s.AsOf.Height, s.Cut.Height)
	case (s.Sequence == 0) != (s.Previous == Hash{}):
		return fmt.Errorf("statement %d names %s as the one before", s.Sequence, s.Previous)
	case s.Budget.Source != "planned" && s.Budget.Source != "treasury":
		return fmt.Errorf("the source of the budget is %q", s.Budget.Source)
	case s.Owners.Owed != owed:
		return fmt.Errorf("the owners are owed %s, the liabilities are %s", s.Owners.Owed, owed)
	case s.Owners.Reward != due || s.Rewards.Total != due:
		return fmt.Errorf("the owners' rewards are %s and their total is %s, %s are due", s.Owners.Reward,
			s.Rewards.Total, due)
	case s.Rewards.Count > s.Owners.Count:
		return fmt.Errorf("%d of %d owners have a reward", s.Rewards.Count, s.Owners.Count)
	}
	return nil
}

// add returns the sum of the liabilities' runes. It returns an error if any sum is not below 2^128.
func (s Statement) add() (owed Amount, err error) {
	var sats, held, heldSats Amount
	sum := func(total *Amount, n Amount) {
		if err == nil {
			*total, err = total.Add(n)
		}
	}
	for _, l := range s.Liabilities {
		sum(&owed, l.Runes)
		sum(&sats, l.Sats)
	}
	for _, v := range s.Reserves {
		sum(&held, v.Runes)
		sum(&heldSats, v.Sats)
	}
	return owed, err
}

// Liability returns the liability of a kind, which is zero if the statement has none.
func (s Statement) Liability(kind string) Liability {
	for _, l := range s.Liabilities {
		if l.Kind == kind {
			return l
		}
	}
	return Liability{Kind: kind}
}

// Held returns the sum of the runes of the reserves of a kind.
func (s Statement) Held(kind string) (held Amount) {
	for _, v := range s.Reserves {
		if v.Kind == kind {
			held, _ = held.Add(v.Runes) // checkSums added up all of them
		}
	}
	return held
}

// Shortfalls returns a sentence for each kind of reserves that is less than what it backs.
func (s Statement) Shortfalls() (found []string) {
	if held, owed := s.Held("stake"), s.Liability("stakes").Runes; held.Less(owed) {
		found = append(found, fmt.Sprintf("The stake outputs hold %s base units, the stakes are %s.", held, owed))
	}
	if held, owed := s.Held("treasury"), s.Liability("rewards").Runes; held.Less(owed) {
		found = append(found, fmt.Sprintf("The treasury holds %s base units, the rewards that are owed are %s.", held, owed))
	}
	return found
}
