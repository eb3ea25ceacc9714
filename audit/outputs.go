package audit

import (
	"iter"
	"slices"

	"github.com/btcsuite/btcd/chainhash/v2"
	"github.com/btcsuite/btcd/wire/v2"
)

// txidDigits is how long a transaction id is as text.
const txidDigits = 2 * chainhash.HashSize

// pointOf reads an outpoint; false for what its String would write otherwise.
func pointOf(text string) (point wire.OutPoint, plain bool) {
	hash, index, plain := cutOutpoint(text)
	slices.Reverse(hash[:])
	return wire.OutPoint{Hash: hash, Index: index}, plain
}

func textOf(point wire.OutPoint) string {
	slices.Reverse(point.Hash[:])
	return joinOutpoint(point.Hash, point.Index)
}

// custodies are the rows of custody: those of stakes packed, the few others as
// they are. Of a packed one its address is not kept, which is checked as it is read.
type custodies struct {
	texts   numbered[string] // owners and spends
	classes numbered[custodyClass]
	stakes  map[wire.OutPoint]packedStake
	others  map[string]custody
}

type packedStake struct {
	value, runes          int64
	script                mark
	owner, spentBy, class uint32
	height, spentHeight   int32
}

type custodyClass struct {
	community                             string
	booked, coinbase, vanished, spentOurs bool
}

func newCustodies() *custodies {
	return &custodies{stakes: map[wire.OutPoint]packedStake{}, others: map[string]custody{}}
}

func (c *custodies) put(row custody) {
	row.mark, row.script = scriptMark(row.script), nil
	point, plain := pointOf(row.outpoint())
	if !plain || row.kind != "stake" || row.quarantine != "" || !fits(row.height, row.spentHeight) {
		c.others[row.outpoint()] = row
		return
	}
	class := custodyClass{row.community, row.booked, row.coinbase, row.vanished, row.spentOurs}
	c.stakes[point] = packedStake{
		row.value, row.runes, row.mark, c.texts.number(row.owner), c.texts.number(row.spentBy), c.classes.number(class),
		int32(row.height), int32(row.spentHeight),
	}
}

// at returns what is in custody at an outpoint.
func (c *custodies) at(point string) (custody, bool) {
	if packed, plain := pointOf(point); plain {
		if row, exists := c.stakes[packed]; exists {
			return c.unpack(point, packed.Index, row), true
		}
	}
	row, exists := c.others[point]
	return row, exists
}

func (c *custodies) unpack(point string, index uint32, p packedStake) custody {
	class := c.classes.at(p.class)
	return custody{
		txid: point[:txidDigits], vout: int64(index), community: class.community, kind: "stake", owner: c.texts.at(p.owner), mark: p.script,
		value: p.value, runes: p.runes, booked: class.booked, coinbase: class.coinbase, height: int64(p.height), vanished: class.vanished,
		spentBy: c.texts.at(p.spentBy), spentOurs: class.spentOurs, spentHeight: int64(p.spentHeight),
	}
}

func (c *custodies) count() int { return len(c.stakes) + len(c.others) }

func (c *custodies) all() iter.Seq2[string, custody] {
	return func(yield func(string, custody) bool) {
		for packed, row := range c.stakes {
			if point := textOf(packed); !yield(point, c.unpack(point, packed.Index, row)) {
				return
			}
		}
		for point, row := range c.others {
			if !yield(point, row) {
				return
			}
		}
	}
}

func scriptMark(script []byte) mark { return markOf(string(script)) }

// watching is which scripts were handed out, and for what.
type watching struct {
	purposes numbered[purpose]
	rows     map[mark]packedWatch // by script
}

// purpose is what a script was handed out for; ref is "" for a stake, whose address it is.
type purpose struct{ community, kind, ref string }

type packedWatch struct {
	purpose uint32
	whole   mark
}

func newWatching() *watching { return &watching{rows: map[mark]packedWatch{}} }

func (w *watching) put(row watched) {
	p := purpose{row.community, row.kind, row.ref}
	if row.kind == "stake" {
		p.ref = ""
	}
	w.rows[scriptMark(row.script)] = packedWatch{w.purposes.number(p), row.mark()}
}

func (w *watching) at(script []byte) (p purpose, ours bool) {
	row, ours := w.rows[scriptMark(script)]
	if ours {
		p = w.purposes.at(row.purpose)
	}
	return p, ours
}

// is reports whether exactly this was recorded when the script was handed out.
func (w *watching) is(row watched) bool {
	kept, ours := w.rows[scriptMark(row.script)]
	return ours && kept.whole == row.mark()
}

func (w watched) mark() mark { return markOf(string(w.script), w.community, w.kind, w.ref, w.owner) }

func (s stakeAddress) mark() mark { return markOf(s.address, s.community, s.owner) }
