package statement

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// DetailsFormat is the format of the details of a statement, in their field format.
const DetailsFormat = "moonfund/details/1"

// Details are the inputs of an epoch's rewards, the instructions to compound automatically and the leaves of the
// epoch's tree. Their file is beside the statement, because it can be large.
type Details struct {
	Community    string        `json:"community"`
	Epoch        int64         `json:"epoch"`
	Format       string        `json:"format"`
	Inputs       []Input       `json:"inputs"`       // ascending by unit
	Instructions []Instruction `json:"instructions"` // ascending by id
	Network      string        `json:"network"`
	Owners       []Leaf        `json:"owners"` // ascending by owner
}

// Input is a unit that an epoch rewards.
type Input struct {
	Amount Sum    `json:"amount"`
	Owner  string `json:"owner"` // ordinals address
	Unit   string `json:"unit"`  // txid:vout of a stake, another id of a compounded reward
}

// rewardID returns the id of the reward of an epoch to an owner.
func (d Details) rewardID(epoch int64, owner string) string {
	digest := sha256.Sum256([]byte(d.Community + "\n" + owner))
	return fmt.Sprintf("reward:%d:%s", epoch, hex.EncodeToString(digest[:8]))
}

// isReward reports whether an input has the id of a reward of an earlier epoch to its owner.
func (d Details) isReward(i Input) bool {
	epoch, ok := i.EarlierEpoch()
	return ok && epoch < d.Epoch && i.Unit == d.rewardID(epoch, i.Owner)
}

// EarlierEpoch returns the epoch of an input that is a reward, or false if the input is an outpoint.
func (i Input) EarlierEpoch() (epoch int64, isReward bool) {
	number, isReward := strings.CutPrefix(i.Unit, "reward:")
	number, _, _ = strings.Cut(number, ":")
	n, err := strconv.ParseInt(number, 10, 64)
	return n, isReward && err == nil && n >= 0 && n <= maxInteger
}

// RewardOf returns the reward of an owner.
func (d Details) RewardOf(owner string) Sum {
	at, found := slices.BinarySearchFunc(d.Owners, owner, func(l Leaf, owner string) int {
		return strings.Compare(l.Owner, owner)
	})
	if !found {
		return Sum{}
	}
	return d.Owners[at].Reward
}

// Binding returns the binding of the tree over the owners.
func (d Details) Binding() Binding { return Binding{d.Network, d.Community, d.Epoch} }

// Encode returns the canonical JSON of the details, or an error if they are invalid.
func (d Details) Encode() ([]byte, error) {
	if d.Format != DetailsFormat || !isName(d.Community) || !isNetwork(d.Network) || d.Epoch < 0 || d.Epoch > maxInteger {
		return nil, fmt.Errorf("statement: not details: %q, epoch %d of %q on %q", d.Format, d.Epoch, d.Community,
			d.Network)
	}
	for i, input := range d.Inputs {
		if !isOwner(input.Owner) || input.Amount.IsZero() || (!isOutpoint(input.Unit) && !d.isReward(input)) {
			return nil, fmt.Errorf("statement: the input %q of %q is neither an outpoint nor a reward of an earlier epoch",
				input.Unit, input.Owner)
		}
		if i > 0 && input.Unit <= d.Inputs[i-1].Unit {
			return nil, fmt.Errorf("statement: the input %q is not above the one before", input.Unit)
		}
	}
	for i, owner := range d.Owners {
		if !isOwner(owner.Owner) || (i > 0 && owner.Owner <= d.Owners[i-1].Owner) {
			return nil, fmt.Errorf("statement: the owner %q is not above the one before", owner.Owner)
		}
	}
	if err := d.checkInstructions(); err != nil {
		return nil, err
	}
	return d.canonical()
}

// ParseDetails parses the canonical JSON of details.
func ParseDetails(text []byte) (d Details, err error) {
	if err := decode(text, &d); err != nil {
		return Details{}, err
	}
	return d, same(text, d.Encode)
}

// Complete sets the fields of a document that follow from the details: the rewards and the root of the tree.
func (d *Document) Complete(details Details) (*Tree, error) {
	text, err := details.Encode()
	if err != nil {
		return nil, err
	}
	tree, err := NewTree(details.Binding(), details.Owners)
	if err != nil {
		return nil, err
	}
	d.Owners = tree.Owners()
	d.Rewards = Rewards{Digest: taggedHash(tagDetails, text), Total: d.Owners.Reward}
	for _, owner := range details.Owners {
		if !owner.Reward.IsZero() {
			d.Rewards.Count++
		}
	}
	return tree, nil
}

// Match returns an error unless the details belong to the document. It does not check that the rewards follow from the
// inputs: see Details.Verify.
func (d Document) Match(details Details) error {
	again := d
	if _, err := again.Complete(details); err != nil {
		return err
	}
	switch {
	case again.Rewards.Digest != d.Rewards.Digest:
		return fmt.Errorf("%w: statement %d is of other details: their digest is %s, the digest of these is %s",
			ErrForm, d.Sequence, d.Rewards.Digest, again.Rewards.Digest)
	case details.Binding() != d.Binding():
		return fmt.Errorf("%w: the details are of epoch %d of %s on %s", ErrForm, details.Epoch, details.Community,
			details.Network)
	case again.Rewards != d.Rewards:
		return fmt.Errorf("%w: the details have %d rewards of %s, statement %d says %d of %s", ErrForm,
			again.Rewards.Count, again.Rewards.Total, d.Sequence, d.Rewards.Count, d.Rewards.Total)
	case again.Owners != d.Owners:
		return fmt.Errorf("%w: the tree over the owners has another root than statement %d, or other sums", ErrForm,
			d.Sequence)
	}
	return nil
}
