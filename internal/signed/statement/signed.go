package statement

import (
	"errors"
	"fmt"

	"github.com/btcsuite/btcd/btcec/v2"
	"github.com/btcsuite/btcd/btcec/v2/schnorr"
)

// Signed is a statement with its signature. Its encoding is the file of the archive and the response of the server.
type Signed struct {
	Key       Key       `json:"key"`
	Signature Signature `json:"signature"`
	Document  Document  `json:"statement"`
}

// Key is the x-only public key of a community's statements (BIP-340).
type Key [schnorr.PubKeyBytesLen]byte

// MarshalText implements encoding.TextMarshaler.
func (k Key) MarshalText() ([]byte, error) { return Hash(k).MarshalText() }

// UnmarshalText implements encoding.TextUnmarshaler. It accepts 64 lower-case hex digits only.
func (k *Key) UnmarshalText(text []byte) error { return readHex(k[:], text) }

// String returns the key as lower-case hex.
func (k Key) String() string { return Hash(k).String() }

// Signature is a BIP-340 signature.
type Signature [schnorr.SignatureSize]byte

// MarshalText implements encoding.TextMarshaler.
func (s Signature) MarshalText() ([]byte, error) { return fmt.Appendf(nil, "%x", s[:]), nil }

// UnmarshalText implements encoding.TextUnmarshaler. It accepts 128 lower-case hex digits only.
func (s *Signature) UnmarshalText(text []byte) error { return readHex(s[:], text) }

// ErrSignature means that the expected key did not sign the statement.
var ErrSignature = errors.New("statement: the signature is wrong")

// Sign signs a document. The same document and key result in the same signature.
func Sign(d Document, private *btcec.PrivateKey) (Signed, error) {
	id, err := d.ID()
	if err != nil {
		return Signed{}, err
	}
	signature, err := schnorr.Sign(private, id[:])
	if err != nil {
		return Signed{}, fmt.Errorf("statement: %w", err)
	}
	signed := Signed{Document: d, Key: KeyOf(private.PubKey())}
	copy(signed.Signature[:], signature.Serialize())
	return signed, signed.Verify(signed.Key)
}

// KeyOf returns the x-only form of a public key.
func KeyOf(public *btcec.PublicKey) (k Key) {
	copy(k[:], schnorr.SerializePubKey(public))
	return k
}

// ParseKey parses 64 lower-case hex digits that are the x coordinate of a point of the curve.
func ParseKey(text string) (k Key, err error) {
	if err := k.UnmarshalText([]byte(text)); err != nil {
		return Key{}, err
	}
	_, err = schnorr.ParsePubKey(k[:])
	return k, err
}

// Verify returns an error unless the document is valid and key signed it.
func (s Signed) Verify(key Key) error {
	id, err := s.Document.ID()
	if err != nil {
		return err
	}
	public, err := schnorr.ParsePubKey(key[:])
	if err != nil {
		return fmt.Errorf("statement: key: %w", err)
	}
	signature, err := schnorr.ParseSignature(s.Signature[:])
	if err != nil || key != s.Key || !signature.Verify(id[:], public) {
		return ErrSignature
	}
	return nil
}

// Encode returns the canonical JSON of a signed statement.
func (s Signed) Encode() ([]byte, error) {
	s.Document = s.Document.withLists()
	return canonical(s)
}

// ParseSigned parses the canonical JSON of a signed statement. It does not verify the signature.
func ParseSigned(text []byte) (s Signed, err error) {
	if err := decode(text, &s); err != nil {
		return Signed{}, err
	}
	if err := s.Document.Check(); err != nil {
		return Signed{}, err
	}
	return s, same(text, s.Encode)
}

// Follows returns an error unless the document is the successor of the statement with a sequence and an id. The
// predecessor of the first statement has the sequence -1 and the zero id.
func (d Document) Follows(sequence int64, id Hash) error {
	if d.Sequence != sequence+1 || d.Previous != id {
		return fmt.Errorf("%w: statement %d on %s does not follow statement %d, %s", ErrChain, d.Sequence, d.Previous,
			sequence, id)
	}
	return nil
}

// Continues returns an error unless a verified statement is the successor of another verified statement: the same key
// signed both, and the epoch, times and blocks continue the predecessor's. The error is ErrFork if both have the same
// sequence.
func (s Signed) Continues(before Signed) error {
	id, idErr := before.Document.ID()
	own, ownErr := s.Document.ID()
	if err := errors.Join(idErr, ownErr); err != nil {
		return err
	}
	d, b := s.Document, before.Document
	switch {
	case s.Key != before.Key:
		return fmt.Errorf("%w: statement %d is signed by the key %s, the one before by %s", ErrChain, d.Sequence, s.Key,
			before.Key)
	case d.Network != b.Network || d.Community != b.Community || d.Rune != b.Rune:
		return fmt.Errorf("%w: statement %d is of %s (%s, rune %s), the one before of %s (%s, rune %s)", ErrChain,
			d.Sequence, d.Community, d.Network, d.Rune, b.Community, b.Network, b.Rune)
	case d.Sequence == b.Sequence && own != id:
		return fmt.Errorf("%w: statement %d: %s and %s", ErrFork, d.Sequence, id, own)
	case d.Sequence != b.Sequence+1:
		return fmt.Errorf("%w: statement %d is missing: statement %d comes after statement %d", ErrChain, b.Sequence+1,
			d.Sequence, b.Sequence)
	case d.Epoch != b.Epoch+1 || d.Start != b.End:
		return fmt.Errorf("%w: statement %d is of epoch %d from %d, the one before of epoch %d until %d", ErrChain,
			d.Sequence, d.Epoch, d.Start, b.Epoch, b.End)
	case d.Cut.Height < b.Cut.Height || (d.Cut.Height == b.Cut.Height && d.Cut.Hash != b.Cut.Hash):
		return fmt.Errorf("%w: statement %d: its epoch's last block %d (%s) can't be after block %d (%s)", ErrChain,
			d.Sequence, d.Cut.Height, d.Cut.Hash, b.Cut.Height, b.Cut.Hash)
	}
	return d.Follows(b.Sequence, id)
}

// ErrFork means that two different statements have the same sequence: the operator published two histories.
var ErrFork = errors.New("statement: two different statements have the same sequence")

// ErrChain means that a statement is not the successor of the statement before it.
var ErrChain = errors.New("statement: the chain of statements does not continue")
