package action

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"moonfund/internal/amount"
	"moonfund/internal/fault"
	"moonfund/internal/signed/message"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/staking/order"
)

// Any caller can request messages without signing them, so an unsigned action is stored as a brief: the digest of its
// message, and the units or the order's state that the message names. When the signature arrives, the message is
// rendered again and its digest is compared. Then the message is stored in full.

// BriefPrefix starts every brief. No message starts with it.
const BriefPrefix = "brief:"

// A brief with at most numberedUnits units lists their numbers. A brief with more units encodes their positions among
// all units of the owner, in at most maxMarks characters. That suffices for any choice from 3,840 units, and for long
// ranges among any number.
const (
	numberedUnits = 64
	maxMarks      = 640
)

// Encodings of a list of units.
const (
	byNumber = "n" // differences of the units' numbers, in the order of the message
	byRuns   = "r" // lengths of the gaps and runs among all units of the owner
	byBitmap = "b" // a bit for each unit of the owner
)

// errTooScattered is returned if no encoding of a list of units is short enough.
var errTooScattered = fault.Refuse(fault.TooScattered, numberedUnits)

// briefDigest returns the prefix of briefs and the SHA-256 of a message in base64.
func briefDigest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return BriefPrefix + base64.RawStdEncoding.EncodeToString(sum[:])
}

// brief returns the brief of an action on units: the digest of a.Message and the encoded units. owned are all units of
// the owner.
func (a Action) brief(units, owned []ledger.Unit) (string, error) {
	list, err := listUnits(units, owned)
	return briefDigest(a.Message) + " " + list + a.Economy.brief(), err
}

// briefCancel returns the brief of a cancel, with the order state that its message names.
func (a Action) briefCancel(o order.Order) string {
	return fmt.Sprintf("%s %s %d", briefDigest(a.Message), o.Status, int64(o.Seen+o.Late))
}

// listUnits encodes the units of an action. owned are all units of their owner. It returns errTooScattered if no
// encoding is short enough.
func listUnits(units, owned []ledger.Unit) (string, error) {
	if len(units) <= numberedUnits {
		var raw []byte
		last := int64(0)
		for _, unit := range units {
			raw, last = binary.AppendVarint(raw, unit.Number-last), unit.Number
		}
		return byNumber + base64.RawStdEncoding.EncodeToString(raw), nil
	}
	chosen := map[int64]bool{}
	for _, unit := range units {
		chosen[unit.Number] = true
	}
	bitmap := make([]byte, (len(owned)+7)/8)
	var runs []byte
	length, inside := uint64(0), false
	for i, unit := range ranked(owned) {
		if chosen[unit.Number] {
			bitmap[i/8] |= 1 << (i % 8)
		}
		if chosen[unit.Number] != inside {
			runs, length, inside = binary.AppendUvarint(runs, length), 0, !inside
		}
		length++
	}
	if inside {
		runs = binary.AppendUvarint(runs, length)
	}
	list := byBitmap + base64.RawStdEncoding.EncodeToString(bitmap)
	if len(runs) < len(bitmap) {
		list = byRuns + base64.RawStdEncoding.EncodeToString(runs)
	}
	if len(list) > maxMarks+1 {
		return "", errTooScattered
	}
	return list, nil
}

// readUnits decodes a list to unit ids. ok is false if the owner's units have changed since the list was encoded.
func readUnits(list string, owned []ledger.Unit) (ids []string, ok bool) {
	if list == "" {
		return nil, false
	}
	raw, err := base64.RawStdEncoding.DecodeString(list[1:])
	if err != nil {
		return nil, false
	}
	owned = ranked(owned)
	switch list[:1] {
	case byNumber:
		return numbered(raw, owned)
	case byRuns:
		return runsOf(raw, owned)
	case byBitmap:
		for i, unit := range owned {
			if i/8 < len(raw) && raw[i/8]>>(i%8)&1 == 1 {
				ids = append(ids, unit.ID)
			}
		}
		return ids, true
	}
	return nil, false
}

// numbered decodes a byNumber list.
func numbered(raw []byte, owned []ledger.Unit) (ids []string, ok bool) {
	byNumber := map[int64]string{}
	for _, unit := range owned {
		byNumber[unit.Number] = unit.ID
	}
	number := int64(0)
	for len(raw) > 0 {
		difference, n := binary.Varint(raw)
		if n <= 0 {
			return nil, false
		}
		raw, number = raw[n:], number+difference
		id, known := byNumber[number]
		if !known {
			return nil, false
		}
		ids = append(ids, id)
	}
	return ids, true
}

// runsOf decodes a byRuns list, which begins with the length of a gap.
func runsOf(raw []byte, owned []ledger.Unit) (ids []string, ok bool) {
	for inside := false; len(raw) > 0; inside = !inside {
		length, n := binary.Uvarint(raw)
		if n <= 0 || length > uint64(len(owned)) {
			return nil, false
		}
		for _, unit := range owned[:length] {
			if inside {
				ids = append(ids, unit.ID)
			}
		}
		raw, owned = raw[n:], owned[length:]
	}
	return ids, true
}

// ranked sorts units by their number, so that a new unit is the last one and does not change the positions of others.
func ranked(units []ledger.Unit) []ledger.Unit {
	units = slices.Clone(units)
	slices.SortFunc(units, func(a, b ledger.Unit) int { return cmp.Compare(a.Number, b.Number) })
	return units
}

// restore renders the message of an action that is stored as a brief. It returns a fault if the message differs from
// the issued one, which is then out of date. A used or expired action is returned unchanged.
func (s *Service) restore(ctx context.Context, tx Tx, terms Terms, a Action, m ledger.Moment) (Action, error) {
	if a.Brief == "" || a.Used || m.Now.After(a.Expires) {
		return a, nil
	}
	digest, list, _ := strings.Cut(a.Brief, " ")
	if a.Type.compounding() {
		if err := a.readCompounding(list); err != nil {
			return a, err
		}
	} else if a.Type != cancel {
		owned, err := tx.Units.UnitNumbersOf(ctx, a.Community, a.Wallet.Ordinals)
		if err != nil {
			return a, err
		}
		if list, err = a.readSpeed(list); err != nil {
			return a, err
		}
		ok := false
		if a.UnitIDs, ok = readUnits(list, owned); !ok {
			return a, changedSince()
		}
	}
	units, o, err := s.subject(ctx, tx, terms, a)
	if err != nil {
		return a, err
	}
	if a.Type == cancel {
		a.UnitIDs = o.UnitIDs
	}
	if a.Message, err = s.render(ctx, tx, terms, a, units, o, m); err != nil {
		return a, err
	}
	if briefDigest(a.Message) != digest {
		return a, changedSince()
	}
	return a, nil
}

// orderState returns the order state that the message of a cancel names.
func (a Action) orderState() (order.Status, amount.Sats, error) {
	if a.Message != "" {
		signed, err := message.Parse(a.Message)
		return order.Status(signed.Status), amount.Sats(signed.Seen), err
	}
	parts := strings.Split(a.Brief, " ")
	if len(parts) != 3 {
		return "", 0, fmt.Errorf("action %s: brief %q has no order state", a.ID, a.Brief)
	}
	seen, err := strconv.ParseInt(parts[2], 10, 64)
	return order.Status(parts[1]), amount.Sats(seen), err
}

// changedSince returns the fault for an action whose message is out of date.
func changedSince() error {
	return fault.Refuse(fault.ActionStale)
}
