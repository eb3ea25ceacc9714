package document

import (
	"errors"
	"fmt"
)

// Receipt is what a server said about an action or an order. Its members are those of docs/receipts.md.
type Receipt struct {
	Network, Community, Kind, Owner string
	Time                            int64
	Action, Order, Address          string
	Message, Signature, TxID        Hash
	Units, Vout, Height             int64
	Runes, Sats                     Amount
}

// Batch is the signed root of a tree of receipts.
type Batch struct {
	Network, Community    string
	Key, Root             Hash
	Sequence, Time, Count int64
}

// Certificate is what the statement key of a community signs for a receipt key.
type Certificate struct {
	Network, Community string
	Key                Hash
	From, To           int64
}

// SignedReceipt is a receipt with all that is needed to verify it.
type SignedReceipt struct {
	Receipt
	Batch       Batch
	Certificate Certificate
	Key         Hash // the statement key, which signed the certificate
	Index       int64
	Path        []Hash

	leaf, batchID, certificateID         Hash
	batchSignature, certificateSignature string
}

// ReadReceipts reads one signed receipt or an array of them in canonical form, and verifies each. The caller compares
// the keys with the one that the community publishes.
func ReadReceipts(text []byte) (all []SignedReceipt, err error) {
	r := &reader{text: string(text)}
	if len(text) > 0 && text[0] == '[' {
		all = list(r, r.signedReceipt)
	} else {
		all = []SignedReceipt{r.signedReceipt()}
	}
	if r.end(); r.err != nil {
		return nil, fmt.Errorf("not a receipt in canonical form: %w", r.err)
	}
	for i, s := range all {
		if err := s.verify(); err != nil {
			return nil, fmt.Errorf("receipt %d of %d: %w", i+1, len(all), err)
		}
	}
	return all, nil
}

func (r *reader) signedReceipt() (s SignedReceipt) {
	r.token(`{"batch":`)
	from := r.at
	s.Batch = r.batch()
	s.batchID = Tagged("moonfund/receipt-batch", r.text[from:r.at])
	r.token(`,"batch_signature":`)
	s.batchSignature = r.signature()
	r.token(`,"certificate":`)
	from = r.at
	s.Certificate = r.certificate()
	s.certificateID = Tagged("moonfund/receipt-key", r.text[from:r.at])
	r.token(`,"certificate_signature":`)
	s.certificateSignature = r.signature()
	r.token(`,"format":"moonfund/signed-receipt/1","index":`)
	s.Index = r.integer()
	r.token(`,"key":`)
	s.Key = r.hash()
	r.token(`,"path":`)
	s.Path = list(r, r.hash)
	r.token(`,"receipt":`)
	from = r.at
	s.Receipt = r.receipt()
	s.leaf = Tagged("moonfund/receipt", r.text[from:r.at])
	r.token("}")
	return s
}

func (r *reader) signature() string {
	return r.plain("128 hex digits", hexDigits, 2*hashDigits, 2*hashDigits)
}

func (r *reader) batch() (b Batch) {
	r.token(`{"community":`)
	b.Community = r.name()
	r.token(`,"count":`)
	b.Count = r.integer()
	r.token(`,"format":"moonfund/receipt-batch/1","key":`)
	b.Key = r.hash()
	r.token(`,"network":`)
	b.Network = r.network()
	r.token(`,"root":`)
	b.Root = r.hash()
	r.token(`,"sequence":`)
	b.Sequence = r.integer()
	r.token(`,"time":`)
	b.Time = r.integer()
	r.token("}")
	return b
}

func (r *reader) certificate() (c Certificate) {
	r.token(`{"community":`)
	c.Community = r.name()
	r.token(`,"format":"moonfund/receipt-key/1","from":`)
	c.From = r.integer()
	r.token(`,"key":`)
	c.Key = r.hash()
	r.token(`,"network":`)
	c.Network = r.network()
	r.token(`,"to":`)
	c.To = r.integer()
	r.token("}")
	return c
}

func (r *reader) receipt() (c Receipt) {
	r.token(`{"action":`)
	c.Action = r.str(maxText)
	r.token(`,"address":`)
	c.Address = r.str(maxText)
	r.token(`,"community":`)
	c.Community = r.name()
	r.token(`,"format":"moonfund/receipt/1","height":`)
	c.Height = r.integer()
	r.token(`,"kind":`)
	c.Kind = r.name()
	r.token(`,"message":`)
	c.Message = r.hash()
	r.token(`,"network":`)
	c.Network = r.network()
	r.token(`,"order":`)
	c.Order = r.str(maxText)
	r.token(`,"owner":`)
	c.Owner = r.owner()
	r.token(`,"runes":`)
	c.Runes = r.amount()
	r.token(`,"sats":`)
	c.Sats = r.amount()
	r.token(`,"signature":`)
	c.Signature = r.hash()
	r.token(`,"time":`)
	c.Time = r.integer()
	r.token(`,"txid":`)
	c.TxID = r.hash()
	r.token(`,"units":`)
	c.Units = r.integer()
	r.token(`,"vout":`)
	c.Vout = r.integer()
	r.token("}")
	return c
}

// verify returns an error unless the receipt follows from the statement key in it, by the steps of docs/receipts.md.
func (s SignedReceipt) verify() error {
	b, c := s.Batch, s.Certificate
	switch {
	case s.Network != b.Network || s.Community != b.Community:
		return fmt.Errorf("it is of %s on %s, its batch of %s on %s", s.Community, s.Network, b.Community, b.Network)
	case c.Network != b.Network || c.Community != b.Community:
		return fmt.Errorf("its key is certified for %s on %s, its batch is of %s on %s", c.Community, c.Network,
			b.Community, b.Network)
	case c.Key != b.Key:
		return fmt.Errorf("its batch is signed by the key %s, the certificate is of the key %s", b.Key, c.Key)
	case c.From >= c.To:
		return errors.New("the certificate ends before it starts")
	case b.Time < c.From || b.Time > c.To:
		return fmt.Errorf("its batch is of %d, the certificate is valid from %d to %d", b.Time, c.From, c.To)
	}
	if err := verifySignature(s.Key, s.certificateID, s.certificateSignature); err != nil {
		return fmt.Errorf("the certificate: %w", err)
	}
	if err := verifySignature(b.Key, s.batchID, s.batchSignature); err != nil {
		return fmt.Errorf("the batch: %w", err)
	}
	return s.verifyPath()
}

// verifyPath returns an error unless the path leads from the receipt to the root of the batch.
func (s SignedReceipt) verifyPath() error {
	if s.Index >= s.Batch.Count {
		return fmt.Errorf("it is receipt %d of %d", s.Index, s.Batch.Count)
	}
	hash, path := s.leaf, s.Path
	for i, n := s.Index, s.Batch.Count; n > 1; i, n = i/2, (n+1)/2 {
		if i%2 == 0 && i == n-1 {
			continue
		}
		if len(path) == 0 {
			return errors.New("its path has too few hashes")
		}
		left, right := hash, path[0]
		if i%2 == 1 {
			left, right = right, left
		}
		hash = Tagged("moonfund/receipt-node", append(left[:], right[:]...))
		path = path[1:]
	}
	if len(path) > 0 {
		return errors.New("its path has too many hashes")
	}
	if hash != s.Batch.Root {
		return errors.New("its path does not lead to the root of the batch: it is wrong, or of another batch")
	}
	return nil
}
