package statement

import (
	"bytes"
	"errors"
	"fmt"
)

// SignedReceipt is a receipt with everything that proves it.
type SignedReceipt struct {
	Batch                Batch       `json:"batch"`
	BatchSignature       Signature   `json:"batch_signature"`
	Certificate          Certificate `json:"certificate"`
	CertificateSignature Signature   `json:"certificate_signature"`
	Format               string      `json:"format"`
	Index                int64       `json:"index"` // of the leaf
	Key                  Key         `json:"key"`   // statement key
	Path                 []Hash      `json:"path"`
	Receipt              Receipt     `json:"receipt"`
}

// Encode returns the canonical JSON of a signed receipt, or an error if it is invalid.
func (s SignedReceipt) Encode() ([]byte, error) {
	b, c := s.Batch, s.Certificate
	numbers := []int64{b.Count, b.Sequence, b.Time, c.From, c.To, s.Index}
	switch {
	case s.Format != SignedReceiptFormat || b.Format != BatchFormat || c.Format != CertificateFormat:
		return nil, fmt.Errorf("statement: not a signed receipt: %q, %q, %q", s.Format, b.Format, c.Format)
	case !isName(b.Community) || !isNetwork(b.Network) || !isName(c.Community) || !isNetwork(c.Network):
		return nil, fmt.Errorf("statement: a batch of %q on %q, a certificate of %q on %q", b.Community, b.Network,
			c.Community, c.Network)
	}
	for _, n := range numbers {
		if n < 0 || n > maxInteger {
			return nil, fmt.Errorf("statement: %d in a signed receipt is out of range", n)
		}
	}
	if _, err := s.Receipt.Encode(); err != nil {
		return nil, err
	}
	s.Path = append([]Hash{}, s.Path...)
	return canonical(s)
}

// ParseReceipts parses the canonical JSON of one signed receipt or of an array of them. It does not verify them.
func ParseReceipts(text []byte) (all []SignedReceipt, err error) {
	if !bytes.HasPrefix(text, []byte("[")) {
		all = make([]SignedReceipt, 1)
		if err := decode(text, &all[0]); err != nil {
			return nil, err
		}
		return all, same(text, all[0].Encode)
	}
	if err := decode(text, &all); err != nil {
		return nil, err
	}
	return all, same(text, func() ([]byte, error) {
		list := make([][]byte, len(all))
		for i, s := range all {
			if list[i], err = s.Encode(); err != nil {
				return nil, err
			}
		}
		return fmt.Appendf(nil, "[%s]", bytes.Join(list, []byte(","))), nil
	})
}

// Verify returns an error unless the statement key in a receipt certified the key that signed its batch, and the batch
// contains the receipt. The caller compares the statement key with the one that the community publishes.
func (s SignedReceipt) Verify() error {
	r, b, c := s.Receipt, s.Batch, s.Certificate
	switch {
	case r.Network != b.Network || r.Community != b.Community:
		return fmt.Errorf("statement: a receipt of %s on %s in a batch of %s on %s", r.Community, r.Network, b.Community,
			b.Network)
	case c.Network != b.Network || c.Community != b.Community:
		return fmt.Errorf("statement: a key certified for %s on %s signs a batch of %s on %s", c.Community, c.Network,
			b.Community, b.Network)
	case c.Key != b.Key:
		return fmt.Errorf("statement: the batch is signed by the key %s, the certificate is of the key %s", b.Key, c.Key)
	case c.From >= c.To:
		return errors.New("statement: the certificate ends before it starts")
	case b.Time < c.From || b.Time > c.To:
		return fmt.Errorf("statement: a batch of %d, the certificate is valid from %d to %d", b.Time, c.From, c.To)
	}
	if err := c.Verify(s.Key, s.CertificateSignature); err != nil {
		return fmt.Errorf("%w: of the certificate", err)
	}
	if err := verifyTagged(tagBatch, b, b.Key, s.BatchSignature); err != nil {
		return fmt.Errorf("%w: of the batch", err)
	}
	return s.verifyPath()
}

// verifyPath returns an error unless the path leads from the receipt to the root of the batch.
func (s SignedReceipt) verifyPath() error {
	text, err := s.Receipt.Encode()
	if err != nil {
		return err
	}
	if s.Index < 0 || s.Index >= s.Batch.Count {
		return fmt.Errorf("%w: receipt %d of %d", ErrProof, s.Index, s.Batch.Count)
	}
	hash, path := taggedHash(tagReceipt, text), s.Path
	for at, width := s.Index, s.Batch.Count; width > 1; at, width = at/2, (width+1)/2 {
		if at^1 >= width {
			continue // the last hash of an odd level has no sibling
		}
		if len(path) == 0 {
			return fmt.Errorf("%w: the path has too few hashes", ErrProof)
		}
		left, right := hash, path[0]
		if at%2 == 1 {
			left, right = right, left
		}
		hash, path = taggedHash(tagReceiptNode, append(left[:], right[:]...)), path[1:]
	}
	if len(path) > 0 {
		return fmt.Errorf("%w: the path has too many hashes", ErrProof)
	}
	if hash != s.Batch.Root {
		return fmt.Errorf("%w of the batch", ErrProof)
	}
	return nil
}
