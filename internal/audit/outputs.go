package audit

import (
	"crypto/sha256"
	"encoding/binary"
	"math"

	"github.com/btcsuite/btcd/txscript/v2"
	"github.com/btcsuite/btcd/wire/v2"
	"lukechampine.com/uint128"

	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/runes"
)

// output is an output of the chain at one of our scripts, with its spend.
type output struct {
	*purpose
	script      script
	value       int64
	height      int64
	balances    []runes.Balance
	spentBy     string // txid, "" if unspent
	spentHeight int64
	coinbase    bool
	byCommunity bool // a stake, and the community's key signed its spend
	untracked   bool // may hold runes that are not followed
	recorded    bool // the present audit found its row
}

// purpose is the purpose for which a script was issued. ref is the order of a payment address. It is "" for a stake,
// whose address is derived from its script.
type purpose struct{ community, kind, ref string }

// script is the length of an output script, followed by the script. Scripts of addresses have at most 34 bytes. A
// longer script, which the server never issues, is represented by longScript and its SHA-256.
type script [35]byte

const longScript = 255

func scriptOf(pkScript []byte) (s script) {
	if len(pkScript) < len(s) {
		s[0] = byte(len(pkScript))
		copy(s[1:], pkScript)
		return s
	}
	sum := sha256.Sum256(pkScript)
	s[0] = longScript
	copy(s[1:], sum[:])
	return s
}

// address returns the address of a script, or "" if there is none.
func (s script) address(n chain.Network) string {
	if s[0] == longScript {
		return ""
	}
	address, _ := chain.AddressFromScript(s[1:1+s[0]], n)
	return address.Text
}

// watching contains the issued scripts. Stake scripts share one purpose per community.
type watching map[script]*purpose

// watchRow is an issued script.
type watchRow struct {
	number int64
	script []byte
	purpose
	owner string
}

var watchRows = table[watchRow]{"SELECT number, script, community, kind, ref, owner FROM watch",
	func(w *watchRow) []any {
		return []any{&w.number, &w.script, &w.community, &w.kind, &w.ref, &w.owner}
	}}

// keysRow is a stake address whose keys are recorded.
type keysRow struct{ address, community, owner string }

var keysRows = table[keysRow]{"SELECT address, community, owner FROM stake_address", func(k *keysRow) []any {
	return []any{&k.address, &k.community, &k.owner}
}}

// digests is a set of rows, by the first half of the SHA-256 of their fields. A million rows take about 40 MB.
type digests map[[16]byte]struct{}

func digestOf(fields ...string) [16]byte {
	var text []byte
	for _, field := range fields {
		text = append(binary.AppendUvarint(text, uint64(len(field))), field...)
	}
	sum := sha256.Sum256(text)
	return [16]byte(sum[:16])
}

func (d digests) add(fields ...string) { d[digestOf(fields...)] = struct{}{} }

func (d digests) has(fields ...string) bool {
	_, has := d[digestOf(fields...)]
	return has
}

// readWatching reads the issued scripts that match a condition.
func (b *rows) readWatching(r *reader, condition string, args ...any) {
	watch, stakes := watching{}, map[string]*purpose{}
	b.issued, b.issuedRows = digests{}, issuedRows{}
	each(r, watchRows, condition, func(row watchRow) {
		p := &row.purpose
		b.issuedRows.add(row)
		b.issued.add(string(row.script), p.community, p.kind, p.ref, row.owner)
		if p.kind == "stake" {
			if stakes[p.community] == nil {
				stakes[p.community] = &purpose{p.community, p.kind, ""}
			}
			p = stakes[p.community]
		} else {
			p = &purpose{p.community, p.kind, p.ref}
		}
		watch[scriptOf(row.script)] = p
	}, args...)
	b.watch = watch
}

// readKeys reads the stake addresses that match a condition.
func (b *rows) readKeys(r *reader, condition string, args ...any) {
	b.keys = digests{}
	each(r, keysRows, condition, func(k keysRow) { b.keys.add(k.address, k.community, k.owner) }, args...)
}

// at returns the purpose of a script.
func (w watching) at(pkScript []byte) (p purpose, ours bool) {
	if kept := w[scriptOf(pkScript)]; kept != nil {
		return *kept, true
	}
	return p, false
}

// pointOf parses an outpoint. It returns false for text in another form than the result of wire.OutPoint.String.
func pointOf(text string) (wire.OutPoint, bool) {
	point, err := wire.NewOutPointFromString(text)
	if err != nil || point.String() != text {
		return wire.OutPoint{}, false
	}
	return *point, true
}

// outputs are the outputs that the walk found at our scripts.
type outputs map[wire.OutPoint]*output

// at returns the output at an outpoint, or nil.
func (o outputs) at(text string) *output {
	if point, valid := pointOf(text); valid {
		return o[point]
	}
	return nil
}

// byCommunity reports whether the witness of a stake has a signature of the community's key: it spends the key path, or
// reveals the leaf of two keys. The leaf of its staker alone ends otherwise. An annex (BIP-341) changes nothing.
func byCommunity(w wire.TxWitness) bool {
	const annex = 0x50
	if last := len(w) - 1; last > 0 && len(w[last]) > 0 && w[last][0] == annex {
		w = w[:last]
	}
	if len(w) < 2 {
		return len(w) == 1
	}
	leaf := w[len(w)-2] // <key> OP_CHECKSIGVERIFY <key> OP_CHECKSIG
	return len(leaf) == 68 && leaf[67] == txscript.OP_CHECKSIG
}

// held returns the amount of a rune in the balances, and whether they contain another rune.
func held(balances []runes.Balance, id runes.ID) (amount uint128.Uint128, foreign bool) {
	for _, b := range balances {
		if b.ID == id {
			amount = b.Amount
		} else {
			foreign = true
		}
	}
	return amount, foreign
}

// credit returns the amount of the community's rune on an output, whether the ledger may credit the output, and whether
// this is certain. The answer is uncertain if it depends on the minimum stake of a community that Config omits.
func (a *auditor) credit(o *output) (base int64, creditable, certain bool) {
	amount, foreign := held(o.balances, a.runeOf(o.community))
	if amount.Hi != 0 || amount.Lo > math.MaxInt64 {
		return 0, false, true
	}
	base = int64(amount.Lo)
	switch {
	case o.untracked || foreign || ((o.kind == "stake" || o.kind == "runes") && base == 0):
		return base, false, true
	case o.kind != "stake":
		return base, o.kind != "payment" || base == 0, true
	}
	minimum, known := a.MinimumStake[o.community]
	return base, base >= int64(minimum), known
}

func (a *auditor) runeOf(prefix string) runes.ID {
	if id, known := a.runeIDs[prefix]; known {
		return id
	}
	for _, c := range a.communities {
		if c.prefix == prefix {
			id, err := runes.ParseID(c.runeID)
			if err != nil {
				a.fail(Chain, onCommunity(prefix), "its rune id %q can't be read", c.runeID)
			}
			a.runeIDs[prefix] = id
			return id
		}
	}
	return runes.ID{}
}
