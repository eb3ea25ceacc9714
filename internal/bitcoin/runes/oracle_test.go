package runes

import (
	"flag"
	"fmt"
	bigint "math/big"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"
)

var runestones = flag.Int("runestones", 100_000, "how many random runestones to read by the reference's rules as well")

// TestReferenceRules decodes random runestones with this package and with the oracle below, which implements the rules
// of the reference implementation step by step with unbounded integers. The two share only the names of the flaws.
func TestReferenceRules(t *testing.T) {
	chance := rand.New(rand.NewPCG(uint64(*runestones), 27))
	kinds := map[string]int{}
	for n := range *runestones {
		script, plain := randomStone(chance)
		got, _ := describe(Decipher(carrier(script, plain)))
		if strings.HasPrefix(got, "rune ") {
			got = got[:strings.LastIndex(got, " ")] // without the encoded script
		}
		want := oracle(script, plain+1)
		if got != want {
			t.Fatalf("runestone %d, %x with %d outputs\n got %s\nwant %s", n, script, plain+1, got, want)
		}
		kinds[kindOf(want)]++
	}
	t.Logf("%d runestones, 0 mismatches: %v", *runestones, kinds)
	for _, kind := range []string{
		"none", "rune", "etching", "Opcode", "InvalidScript", "Varint", "TruncatedField", "TrailingIntegers", "EdictRuneId",
		"EdictOutput",
		"SupplyOverflow", "UnrecognizedEvenTag", "UnrecognizedFlag",
	} {
		if kinds[kind] == 0 && *runestones >= 100_000 {
			t.Errorf("no random runestone is of the kind %s", kind)
		}
	}
}

// kindOf returns the flaw of a cenotaph, "etching" for a runestone that etches, or the first word of the description.
func kindOf(described string) string {
	words := strings.Fields(described)
	switch {
	case words[0] == "ceno":
		return words[1]
	case words[0] == "rune" && words[1] != "-":
		return "etching"
	}
	return words[0]
}

// oracle decodes a script as the documentation of the reference implementation describes: first the bytes, integers,
// fields and edicts, and then their meaning.
func oracle(script []byte, outputs int) string {
	if len(script) < 2 || script[0] != 0x6a || script[1] != 0x5d {
		return "none"
	}
	var payload []byte
	for rest := script[2:]; len(rest) > 0; {
		op := int(rest[0])
		if rest = rest[1:]; op > 78 {
			return "ceno Opcode - -"
		}
		size := bigint.NewInt(int64(op))
		if op >= 76 { // OP_PUSHDATA1, 2, 4: the length follows, little endian
			width := map[int]int{76: 1, 77: 2, 78: 4}[op]
			if len(rest) < width {
				return "ceno InvalidScript - -"
			}
			size.SetInt64(0)
			for i := width - 1; i >= 0; i-- {
				size.Lsh(size, 8).Or(size, bigint.NewInt(int64(rest[i])))
			}
			rest = rest[width:]
		}
		if size.Cmp(bigint.NewInt(int64(len(rest)))) > 0 {
			return "ceno InvalidScript - -"
		}
		payload, rest = append(payload, rest[:size.Int64()]...), rest[size.Int64():]
	}
	integers, ok := oracleIntegers(payload)
	if !ok {
		return "ceno Varint - -"
	}
	return oracleMeaning(integers, outputs)
}

// oracleIntegers decodes LEB128: seven bits per byte, least significant first, at most 128 bits in at most 19 bytes.
func oracleIntegers(payload []byte) (all []*bigint.Int, ok bool) {
	for len(payload) > 0 {
		n := new(bigint.Int)
		for i := 0; ; i++ {
			if i == len(payload) || i > 18 {
				return nil, false
			}
			part := new(bigint.Int).Lsh(bigint.NewInt(int64(payload[i]&0x7f)), uint(7*i))
			if n.Or(n, part); n.BitLen() > 128 {
				return nil, false
			}
			if payload[i]&0x80 == 0 {
				payload = payload[i+1:]
				break
			}
		}
		all = append(all, n)
	}
	return all, true
}

// oracleFields maps each tag to its values, in order. take and mint remove values.
type oracleFields map[string][]*bigint.Int

// take removes and returns the first value of a tag, or returns "-" and leaves a value that is out of range.
func (f oracleFields) take(tag int, bits int, fits func(*bigint.Int) bool) string {
	key := fmt.Sprint(tag)
	if len(f[key]) == 0 {
		return "-"
	}
	n := f[key][0]
	if n.BitLen() > bits || (fits != nil && !fits(n)) {
		return "-"
	}
	if f[key] = f[key][1:]; len(f[key]) == 0 {
		delete(f, key)
	}
	return n.String()
}

func below(limit int64) func(*bigint.Int) bool {
	return func(n *bigint.Int) bool { return n.Cmp(bigint.NewInt(limit)) < 0 }
}

func oracleMeaning(integers []*bigint.Int, outputs int) string {
	flaw := ""
	fault := func(name string) {
		if flaw == "" {
			flaw = name
		}
	}
	fields, edicts := oracleFields{}, ""
	for i := 0; i < len(integers); i += 2 {
		if integers[i].Sign() == 0 {
			var problem string
			if edicts, problem = oracleEdicts(integers[i+1:], outputs); problem != "" {
				fault(problem)
			}
			break
		}
		if i+1 == len(integers) {
			fault("TruncatedField")
			break
		}
		key := integers[i].String()
		fields[key] = append(fields[key], integers[i+1])
	}
	flags := new(bigint.Int)
	if text := fields.take(2, 128, nil); text != "-" {
		flags.SetString(text, 10)
	}
	flagged := func(bit int) bool {
		set := flags.Bit(bit) == 1
		flags.SetBit(flags, bit, 0)
		return set
	}
	etching, name, named := "-", "-", "-"
	if flagged(0) {
		divisibility := fields.take(1, 8, below(39))
		premine := fields.take(6, 128, nil)
		name = fields.take(4, 128, nil)
		spacers := fields.take(3, 32, below(1<<27))
		symbol := fields.take(5, 32, func(n *bigint.Int) bool {
			return n.IsInt64() && n.Int64() <= utf8.MaxRune && utf8.ValidRune(rune(n.Int64()))
		})
		terms, cap, amount := "-", "-", "-"
		if flagged(1) {
			cap = fields.take(8, 128, nil)
			from, to := fields.take(12, 64, nil), fields.take(14, 64, nil)
			amount = fields.take(10, 128, nil)
			terms = fmt.Sprintf("T(%s %s %s %s %s %s)", amount, cap, from, to, fields.take(16, 64, nil),
				fields.take(18, 64, nil))
		}
		if named = "-"; name != "-" {
			named = oracleName(name)
		}
		etching = fmt.Sprintf("E(%s %s %s %s %s %s %t)", divisibility, premine, named, spacers, symbol, terms, flagged(2))
		supply := new(bigint.Int).Mul(oracleNumber(cap), oracleNumber(amount))
		if supply.Add(supply, oracleNumber(premine)).BitLen() > 128 {
			fault("SupplyOverflow")
		}
	}
	mint := fields.mint()
	pointer := fields.take(22, 32, below(int64(outputs)))
	if flags.Sign() != 0 {
		fault("UnrecognizedFlag")
	}
	for key := range fields {
		if oracleNumber(key).Bit(0) == 0 {
			fault("UnrecognizedEvenTag")
		}
	}
	if flaw != "" {
		return fmt.Sprintf("ceno %s %s %s", flaw, name, mint)
	}
	return fmt.Sprintf("rune %s e[%s] m%s p%s", etching, edicts, mint, pointer)
}

// mint removes and returns the id of the mint, which has two values, block and transaction. The only id with block 0 is
// 0:0.
func (f oracleFields) mint() string {
	values := f["20"]
	if len(values) < 2 || values[0].BitLen() > 64 || values[1].BitLen() > 32 || values[0].Sign() == 0 &&
		values[1].Sign() != 0 {
		return "-"
	}
	if f["20"] = values[2:]; len(f["20"]) == 0 {
		delete(f, "20")
	}
	return fmt.Sprintf("%s:%s", values[0], values[1])
}

func oracleNumber(text string) *bigint.Int {
	n, ok := new(bigint.Int).SetString(text, 10)
	if !ok {
		return new(bigint.Int)
	}
	return n
}

// oracleEdicts decodes groups of four integers: the delta of the block, the transaction (a delta if the block is the
// same), the amount, the output.
func oracleEdicts(integers []*bigint.Int, outputs int) (text, flaw string) {
	block, tx := new(bigint.Int), new(bigint.Int)
	for ; len(integers) > 0; integers = integers[4:] {
		if len(integers) < 4 {
			return text, "TrailingIntegers"
		}
		if integers[0].Sign() == 0 {
			tx = new(bigint.Int).Add(tx, integers[1])
		} else {
			block, tx = new(bigint.Int).Add(block, integers[0]), integers[1]
		}
		if block.BitLen() > 64 || tx.BitLen() > 32 || block.Sign() == 0 && tx.Sign() != 0 {
			return text, "EdictRuneId"
		}
		if integers[3].Cmp(bigint.NewInt(int64(outputs))) > 0 {
			return text, "EdictOutput"
		}
		text += fmt.Sprintf("%s:%s,%s,%s;", block, tx, integers[2], integers[3])
	}
	return text, ""
}

// oracleName returns the name with a number: A is 0, Z is 25, AA is 26.
func oracleName(number string) (name string) {
	n := new(bigint.Int).Add(oracleNumber(number), bigint.NewInt(1))
	for letter := new(bigint.Int); n.Sign() > 0; {
		n.Sub(n, bigint.NewInt(1)).QuoRem(n, bigint.NewInt(26), letter)
		name = string(rune('A'+letter.Int64())) + name
	}
	return name
}

// randomStone returns a random script, most often with a decodable payload, and the number of plain outputs after it.
func randomStone(chance *rand.Rand) (script []byte, plain int) {
	plain = chance.IntN(5)
	var payload []byte
	put := func(n *bigint.Int) { payload = appendLEB128(payload, n) }
	for range chance.IntN(7) {
		put(bigint.NewInt(int64([]int{2, 2, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 20, 22, 1, 3, 5, 127, 24}[chance.IntN(19)])))
		if chance.IntN(3) == 0 {
			put(bigint.NewInt(int64(chance.IntN(8))))
		} else {
			put(randomInteger(chance))
		}
	}
	if chance.IntN(2) == 0 {
		put(new(bigint.Int))
		for range chance.IntN(4) {
			put(new(bigint.Int).Rsh(randomInteger(chance), uint(chance.IntN(128))))
			put(bigint.NewInt(int64(chance.IntN(9))))
			put(randomInteger(chance))
			put(bigint.NewInt(int64(chance.IntN(plain + 3))))
		}
	}
	switch chance.IntN(24) {
	case 0:
		put(randomInteger(chance)) // an incomplete field or edict
	case 1:
		payload = append(payload, 0x80) // an integer that does not end
	case 2:
		payload = append(payload, strings.Repeat("\x80", chance.IntN(22))+string(rune(chance.IntN(128)))...)
	}
	script = []byte{0x6a, 0x5d}
	for len(payload) > 0 {
		n := 1 + chance.IntN(min(len(payload), 90))
		switch {
		case n > 75 || chance.IntN(20) == 0:
			script = append(script, 76, byte(n))
		case chance.IntN(20) == 0:
			script = append(script, 77, byte(n), 0)
		case chance.IntN(20) == 0:
			script = append(script, 78, byte(n), 0, 0, 0)
		default:
			script = append(script, byte(n))
		}
		script, payload = append(script, payload[:n]...), payload[n:]
	}
	switch chance.IntN(40) {
	case 0:
		script = append(script, byte(79+chance.IntN(177)))
	case 1:
		script = script[:max(2, len(script)-1-chance.IntN(3))]
	case 2:
		script[chance.IntN(len(script))] ^= byte(1 << chance.IntN(8))
	}
	return script, plain
}

// randomInteger returns a random integer, usually near the limit of an integer type.
func randomInteger(chance *rand.Rand) *bigint.Int {
	n := new(bigint.Int).Lsh(bigint.NewInt(1), []uint{0, 5, 8, 16, 21, 27, 32, 64, 127, 128}[chance.IntN(10)])
	n.Add(n, bigint.NewInt(int64(chance.IntN(7)-3)))
	if n.Sign() < 0 || n.BitLen() > 128 {
		return new(bigint.Int).SetUint64(chance.Uint64())
	}
	return n
}

func appendLEB128(to []byte, n *bigint.Int) []byte {
	n = new(bigint.Int).Set(n)
	for n.BitLen() > 7 {
		to = append(to, byte(n.Uint64()&0x7f)|0x80)
		n.Rsh(n, 7)
	}
	return append(to, byte(n.Uint64()))
}
