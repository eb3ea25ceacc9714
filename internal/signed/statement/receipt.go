package statement

import (
	"fmt"
	"time"

	"github.com/btcsuite/btcd/btcec/v2"
	"github.com/btcsuite/btcd/btcec/v2/schnorr"
)

// The formats of receipts, in their field format. docs/receipts.md specifies them.
const (
	ReceiptFormat       = "moonfund/receipt/1"
	BatchFormat         = "moonfund/receipt-batch/1"
	CertificateFormat   = "moonfund/receipt-key/1"
	SignedReceiptFormat = "moonfund/signed-receipt/1"
)

const (
	tagReceipt     = "moonfund/receipt"
	tagReceiptNode = "moonfund/receipt-node"
	tagBatch       = "moonfund/receipt-batch"
	tagCertificate = "moonfund/receipt-key"
	tagMessage     = "moonfund/message"
	tagSignature   = "moonfund/signature"
)

// CertificateLifetime is the time for which a receipt key may sign.
const CertificateLifetime = 90 * 24 * time.Hour

// Receipt is a statement of the server about an action or an order. The kind determines which fields are set.
type Receipt struct {
	Action    string `json:"action"` // id
	Address   string `json:"address"`
	Community string `json:"community"`
	Format    string `json:"format"`
	Height    int64  `json:"height"` // 0: the transaction was in no block
	Kind      string `json:"kind"`
	Message   Hash   `json:"message"`
	Network   string `json:"network"`
	Order     string `json:"order"` // id
	Owner     string `json:"owner"` // ordinals address
	Runes     Sum    `json:"runes"`
	Sats      Sum    `json:"sats"`
	Signature Hash   `json:"signature"`
	Time      int64  `json:"time"` // when the ledger recorded it, in unix seconds
	TxID      string `json:"txid"` // as block explorers show it; NoTx if there is none
	Units     int64  `json:"units"`
	Vout      int64  `json:"vout"`
}

// NoTx is the txid of a receipt without a transaction.
const NoTx = "0000000000000000000000000000000000000000000000000000000000000000"

// The kinds of receipts that are not types of actions.
const (
	StakeReceipt    = "stake"
	PaymentReceipt  = "payment"
	DeliveryReceipt = "delivery"
	RefundReceipt   = "refund"
)

// MessageHash returns the hash of a signed message, as receipts contain it.
func MessageHash(text string) Hash { return taggedHash(tagMessage, []byte(text)) }

// SignatureHash returns the hash of the signature of a message, as receipts contain it.
func SignatureHash(text string) Hash { return taggedHash(tagSignature, []byte(text)) }

// Encode returns the canonical JSON of a receipt, or an error if the receipt is invalid.
func (r Receipt) Encode() ([]byte, error) {
	switch {
	case r.Format != ReceiptFormat || !isNetwork(r.Network) || !isName(r.Community) || !isName(r.Kind):
		return nil, fmt.Errorf("statement: not a receipt: %q %q of %q on %q", r.Format, r.Kind, r.Community, r.Network)
	case !isOwner(r.Owner) || !blockPattern.MatchString(r.TxID):
		return nil, fmt.Errorf("statement: receipt for %q about the transaction %q", r.Owner, r.TxID)
	case min(r.Time, r.Units, r.Vout, r.Height) < 0 || max(r.Time, r.Units, r.Vout, r.Height) > maxInteger:
		return nil, fmt.Errorf("statement: an integer of a receipt is out of range")
	}
	for _, text := range []string{r.Action, r.Order, r.Address} {
		if !isText(text) {
			return nil, fmt.Errorf("statement: %q in a receipt", text)
		}
	}
	return canonical(r)
}

// Batch is the root of the tree over receipts that were signed together.
type Batch struct {
	Community string `json:"community"`
	Count     int64  `json:"count"`
	Format    string `json:"format"`
	Key       Key    `json:"key"` // receipt key, which signs the batch
	Network   string `json:"network"`
	Root      Hash   `json:"root"`
	Sequence  int64  `json:"sequence"` // number of batches that the key signed before
	Time      int64  `json:"time"`     // unix seconds
}

// NewBatch returns the batch of receipts and, for each, its canonical form and its path to the root. b has the other
// fields.
func NewBatch(b Batch, receipts []Receipt) (_ Batch, texts []string, paths [][]Hash, err error) {
	level := make([]Hash, len(receipts))
	places := make([]int, len(receipts))
	paths = make([][]Hash, len(receipts))
	for i, r := range receipts {
		text, err := r.Encode()
		if err != nil {
			return b, nil, nil, err
		}
		texts, level[i], places[i], paths[i] = append(texts, string(text)), taggedHash(tagReceipt, text), i, []Hash{}
	}
	if len(level) == 0 {
		return b, nil, nil, fmt.Errorf("statement: a batch without receipts")
	}
	for len(level) > 1 {
		for i, at := range places {
			if sibling := at ^ 1; sibling < len(level) {
				paths[i] = append(paths[i], level[sibling])
			}
			places[i] = at / 2
		}
		next := make([]Hash, 0, (len(level)+1)/2)
		for i := 0; i+1 < len(level); i += 2 {
			next = append(next, taggedHash(tagReceiptNode, append(level[i][:], level[i+1][:]...)))
		}
		if len(level)%2 == 1 {
			next = append(next, level[len(level)-1])
		}
		level = next
	}
	b.Format, b.Count, b.Root = BatchFormat, int64(len(receipts)), level[0]
	return b, texts, paths, nil
}

// Sign signs a batch by its key.
func (b Batch) Sign(private *btcec.PrivateKey) (Signature, error) {
	return signTagged(tagBatch, b, private)
}

// Certificate is a receipt key's permission to sign receipts of a community.
type Certificate struct {
	Community string `json:"community"`
	Format    string `json:"format"`
	From      int64  `json:"from"` // first second of its validity
	Key       Key    `json:"key"`
	Network   string `json:"network"`
	To        int64  `json:"to"` // last second of its validity
}

// Sign signs a certificate by the statement key.
func (c Certificate) Sign(private *btcec.PrivateKey) (Signature, error) {
	return signTagged(tagCertificate, c, private)
}

// Verify returns an error unless the signature of a certificate is by a statement key.
func (c Certificate) Verify(key Key, signature Signature) error {
	return verifyTagged(tagCertificate, c, key, signature)
}

// ParseReceipt parses the canonical JSON of a receipt.
func ParseReceipt(text []byte) (r Receipt, err error) {
	if err := decode(text, &r); err != nil {
		return Receipt{}, err
	}
	return r, same(text, r.Encode)
}

func signTagged(tag string, document any, private *btcec.PrivateKey) (s Signature, err error) {
	text, err := canonical(document)
	if err != nil {
		return s, err
	}
	id := taggedHash(tag, text)
	signature, err := schnorr.Sign(private, id[:])
	if err != nil {
		return s, fmt.Errorf("statement: %w", err)
	}
	copy(s[:], signature.Serialize())
	return s, nil
}

func verifyTagged(tag string, document any, key Key, s Signature) error {
	text, err := canonical(document)
	if err != nil {
		return err
	}
	public, err := schnorr.ParsePubKey(key[:])
	if err != nil {
		return fmt.Errorf("statement: key: %w", err)
	}
	id := taggedHash(tag, text)
	signature, err := schnorr.ParseSignature(s[:])
	if err != nil || !signature.Verify(id[:], public) {
		return ErrSignature
	}
	return nil
}
