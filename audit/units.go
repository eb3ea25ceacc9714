package audit

import "iter"

// units are the rows of units, packed, by their keys. Each has a number.
type units struct {
	keys    subjects
	texts   numbered[string] // owners and orders
	classes numbered[unitClass]
	rows    map[subject]packedUnit
	odd     map[uint32]unit // what does not fit, by number
}

type packedUnit struct {
	amount                       int64
	owner, orderID, class        uint32
	notBefore, eligible          int32
	stakedTo, unlock, fromReward int32
	number                       uint32
}

// unitClass is what whole crowds of units have in common.
type unitClass struct {
	origin, stage, before string
	txid                  string // of a unit whose id does not say it
	vout                  int64
	own                   bool // its id is that of its output
	restaked              bool
	odd                   bool
}

func newUnits() *units { return &units{rows: map[subject]packedUnit{}, odd: map[uint32]unit{}} }

func (u *units) put(row unit) {
	key := u.keys.pack(unitKey{row.community, row.id})
	packed, exists := u.rows[key]
	if !exists {
		packed.number = uint32(len(u.rows))
	}
	delete(u.odd, packed.number)
	class := unitClass{origin: row.origin, stage: row.stage, before: row.before, restaked: row.restaked}
	_, _, plain := cutOutpoint(row.id)
	if class.own = plain && row.id == outpoint(row.txid, row.vout); !class.own {
		class.txid, class.vout = row.txid, row.vout
	}
	if class.odd = !fits(row.notBefore, row.eligible, row.stakedTo, row.unlock, row.rewardEpoch); class.odd {
		u.odd[packed.number] = row
	}
	u.rows[key] = packedUnit{
		row.amount, u.texts.number(row.owner), u.texts.number(row.orderID), u.classes.number(class),
		int32(row.notBefore), int32(row.eligible), int32(row.stakedTo), int32(row.unlock), int32(row.rewardEpoch), packed.number,
	}
}

func (u *units) at(key unitKey) (row unit, exists bool) {
	packed := u.keys.pack(key)
	kept, exists := u.rows[packed]
	if !exists {
		return row, false
	}
	return u.unpack(key, packed.rest, kept), true
}

// unpack returns a unit as it was; index is that of an outpoint which is its id.
func (u *units) unpack(key unitKey, index uint32, p packedUnit) unit {
	class := u.classes.at(p.class)
	if class.odd {
		row := u.odd[p.number]
		row.number = p.number
		return row
	}
	row := unit{
		community: key.community, id: key.id, owner: u.texts.at(p.owner), origin: class.origin, amount: p.amount, stage: class.stage,
		notBefore: int64(p.notBefore), eligible: int64(p.eligible), stakedTo: int64(p.stakedTo), unlock: int64(p.unlock),
		rewardEpoch: int64(p.fromReward), orderID: u.texts.at(p.orderID), before: class.before, txid: class.txid, vout: class.vout,
		restaked: class.restaked, number: p.number,
	}
	if class.own {
		row.txid, row.vout = key.id[:txidDigits], int64(index)
	}
	return row
}

// listed numbers the ids in a list: those of units as they are, the others from unlisted on.
func (u *units) listed(community string, ids names) []uint32 {
	list := make([]uint32, len(ids))
	for i, id := range ids {
		if packed, exists := u.rows[u.keys.pack(unitKey{community, id})]; exists {
			list[i] = packed.number
		} else {
			list[i] = unlisted + u.texts.number(id)
		}
	}
	return list
}

// unlisted is where the numbers of ids begin that are of no unit.
const unlisted = 1 << 31

// restake notes of a unit that the journal has it staked again.
func (u *units) restake(key unitKey) {
	if row, exists := u.at(key); exists && !row.restaked {
		row.restaked = true
		u.put(row)
	}
}

func (u *units) all() iter.Seq2[unitKey, unit] {
	return func(yield func(unitKey, unit) bool) {
		for packed, row := range u.rows {
			if key := u.keys.unpack(packed); !yield(key, u.unpack(key, packed.rest, row)) {
				return
			}
		}
	}
}

// numbers is a set of units of one audit by their numbers.
type numbers []uint64

func (n *numbers) add(number uint32) {
	for int(number/64) >= len(*n) {
		*n = append(*n, 0)
	}
	(*n)[number/64] |= 1 << (number % 64)
}

func (n numbers) has(number uint32) bool {
	return int(number/64) < len(n) && n[number/64]&(1<<(number%64)) != 0
}
