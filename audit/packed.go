package audit

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"iter"
	"math"
	"strconv"
	"strings"
)

// The rows that a ledger has by the million are kept packed, in maps without a
// pointer, and taken out again as they were: a unit costs some 120 bytes and a
// stake's output some 130. What many of them say is kept once and numbered.

// numbered gives everything that it is shown a number. The zero value is ready.
type numbered[K comparable] struct {
	of  map[K]uint32
	all []K
}

func (n *numbered[K]) number(k K) uint32 {
	at, exists := n.of[k]
	if !exists {
		if n.of == nil {
			n.of = map[K]uint32{}
		}
		at = uint32(len(n.all))
		n.of[k], n.all = at, append(n.all, k)
	}
	return at
}

func (n *numbered[K]) at(number uint32) K { return n.all[number] }

// mark tells texts and scripts apart where they need not be known again: SHA-256, its first 16 bytes.
type mark [16]byte

func markOf(parts ...string) mark {
	text := make([]byte, 0, 256)
	for _, part := range parts {
		text = binary.AppendUvarint(text, uint64(len(part)))
		text = append(text, part...)
	}
	sum := sha256.Sum256(text)
	return mark(sum[:])
}

// fits reports whether heights and epochs are of a size that they can have.
func fits(numbers ...int64) bool {
	for _, n := range numbers {
		if n < math.MinInt32 || n > math.MaxInt32 {
			return false
		}
	}
	return true
}

// unitKey names a unit or an order, subject is the same packed.
type unitKey struct{ community, id string }

type subject struct {
	hash [sha256.Size]byte // of an outpoint, as it is written; of a reward, its 8 bytes
	rest uint32            // an outpoint's index, a reward's epoch, the number of any other text
	form uint32
}

type form struct {
	community string
	kind      byte
}

const (
	outpointForm = 'o'
	rewardForm   = 'r'
	otherForm    = ' '
)

// subjects packs keys.
type subjects struct {
	forms numbered[form]
	texts numbered[string] // ids that look like nothing that is known
}

func (s *subjects) pack(key unitKey) (packed subject) {
	kind := byte(outpointForm)
	var plain bool
	if packed.hash, packed.rest, plain = cutOutpoint(key.id); !plain {
		kind = rewardForm
		if packed.hash, packed.rest, plain = cutReward(key.id); !plain {
			kind, packed.rest = otherForm, s.texts.number(key.id)
		}
	}
	packed.form = s.forms.number(form{key.community, kind})
	return packed
}

func (s *subjects) unpack(packed subject) unitKey {
	f := s.forms.at(packed.form)
	switch f.kind {
	case outpointForm:
		return unitKey{f.community, joinOutpoint(packed.hash, packed.rest)}
	case rewardForm:
		return unitKey{f.community, fmt.Sprintf("reward:%d:%x", packed.rest, packed.hash[:8])}
	}
	return unitKey{f.community, s.texts.at(packed.rest)}
}

// cutOutpoint takes "txid:index" apart; false for what joinOutpoint would write otherwise.
func cutOutpoint(id string) (hash [sha256.Size]byte, index uint32, plain bool) {
	const digits = 2 * sha256.Size
	if len(id) < digits+2 || id[digits] != ':' || !cutHex(hash[:], id[:digits]) {
		return [sha256.Size]byte{}, 0, false
	}
	index, plain = cutNumber(id[digits+1:])
	return hash, index, plain
}

func joinOutpoint(hash [sha256.Size]byte, index uint32) string {
	var text [2*sha256.Size + 11]byte
	digits := hex.AppendEncode(text[:0], hash[:])
	return string(strconv.AppendUint(append(digits, ':'), uint64(index), 10))
}

// cutReward takes "reward:epoch:16 digits" apart.
func cutReward(id string) (hash [sha256.Size]byte, epoch uint32, plain bool) {
	rest, named := strings.CutPrefix(id, "reward:")
	number, digits, parted := strings.Cut(rest, ":")
	if !named || !parted || len(digits) != 16 || !cutHex(hash[:8], digits) {
		return [sha256.Size]byte{}, 0, false
	}
	epoch, plain = cutNumber(number)
	return hash, epoch, plain
}

// cutHex reads lower-case digits, as many as it takes.
func cutHex(into []byte, digits string) bool {
	digits = digits[:2*len(into)]
	var odd byte
	for i := range into {
		high, low := digitOf[digits[2*i]], digitOf[digits[2*i+1]]
		odd |= high | low
		into[i] = high<<4 | low
	}
	return odd < 16
}

var digitOf = func() (digits [256]byte) {
	for i := range digits {
		digits[i] = 255
	}
	for value, digit := range []byte("0123456789abcdef") {
		digits[digit] = byte(value)
	}
	return digits
}()

// cutNumber reads a number without leading zeros.
func cutNumber(digits string) (uint32, bool) {
	n, err := strconv.ParseUint(digits, 10, 32)
	return uint32(n), err == nil && (digits[0] != '0' || len(digits) == 1)
}

// standings are where units or orders stand by the journal.
type standings struct {
	keys   subjects
	texts  numbered[string]
	places map[subject]place
}

type place struct {
	amount       int64
	state, owner uint32
}

func newStandings() *standings { return &standings{places: map[subject]place{}} }

func (s *standings) of(key unitKey) (replayed, bool) {
	p, exists := s.places[s.keys.pack(key)]
	if !exists {
		return replayed{}, false
	}
	return replayed{s.texts.at(p.state), p.amount, s.texts.at(p.owner)}, true
}

func (s *standings) put(key unitKey, r replayed) {
	s.places[s.keys.pack(key)] = place{r.amount, s.texts.number(r.state), s.texts.number(r.owner)}
}

func (s *standings) remove(key unitKey) { delete(s.places, s.keys.pack(key)) }

func (s *standings) all() iter.Seq[unitKey] {
	return func(yield func(unitKey) bool) {
		for packed := range s.places {
			if !yield(s.keys.unpack(packed)) {
				return
			}
		}
	}
}
