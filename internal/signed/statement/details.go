package statement

import (
	"fmt"
	"slices"
)

// The formats of the details of a statement, in their field format. New details have DetailsFormat.
const (
	DetailsFormat1 = "moonfund/details/1" // without instructions
	DetailsFormat  = "moonfund/details/2"
)

// Details are the inputs of an epoch's rewards, the instructions to compound automatically and the leaves of the
// epoch's tree. Their file is beside the statement, because it can be large.
type Details struct {
	Community    string        `json:"community"`
	Epoch        int64         `json:"epoch"`
	Format       string        `json:"format"`
	Inputs       []Input       `json:"inputs"`       // ascending by unit
	Instructions []Instruction `json:"instructions"` // ascending by id; none in DetailsFormat1
	Network      string        `json:"network"`
	Owners       []Leaf        `json:"owners"` // ascending by owner
}

// Input is a unit that an epoch rewards.
type Input struct {
	Amount Sum    `json:"amount"`
	Owner  string `json:"owner"` // ordinals address
	Unit   string `json:"unit"`  // txid:vout of a stake, another id of a compounded reward
}

// Binding returns the binding of the tree over the owners.
func (d Details) Binding() Binding { return Binding{d.Network, d.Community, d.Epoch} }

// Encode returns the canonical JSON of the details, or an error if they are invalid.
func (d Details) Encode() ([]byte, error) {
	known := d.Format == DetailsFormat || d.Format == DetailsFormat1
	if !known || !isName(d.Community) || !isName(d.Network) || d.Epoch < 0 || d.Epoch > maxInteger {
		return nil, fmt.Errorf("statement: not details: %q, epoch %d of %q on %q", d.Format, d.Epoch, d.Community,
			d.Network)
	}
	for i, input := range d.Inputs {
		if !isPlain(input.Unit) || !isPlain(input.Owner) || input.Owner == "" || input.Amount.IsZero() {
			return nil, fmt.Errorf("statement: input %q of %q", input.Unit, input.Owner)
		}
		if input.Unit == "" || (i > 0 && input.Unit <= d.Inputs[i-1].Unit) {
			return nil, fmt.Errorf("statement: the input %q is not above the one before", input.Unit)
		}
	}
	if slices.ContainsFunc(d.Owners, func(l Leaf) bool { return !isPlain(l.Owner) }) {
		return nil, fmt.Errorf("statement: an owner is not printable ASCII")
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

// Match returns an error unless the details are those of the document.
func (d Document) Match(details Details) error {
	again := d
	if _, err := again.Complete(details); err != nil {
		return err
	}
	if details.Binding() != d.Binding() || again.Owners != d.Owners || again.Rewards != d.Rewards {
		return fmt.Errorf("%w: the details are not those of statement %d", ErrForm, d.Sequence)
	}
	return nil
}
