package statement_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"strings"
	"testing"

	"moonfund/internal/signed/statement"
)

// changed is one change of a document.
type changed struct {
	path string
	text []byte
}

// changes returns a document with each value replaced by others of the same type and of another type, each member
// removed, renamed or added, and each element of a list removed, doubled and swapped with the next.
func changes(t testing.TB, text string) (all []changed) {
	root := parse(t, text)
	add := func(path string) { all = append(all, changed{path, canonical(t, root)}) }
	var visit func(path string, value any, set func(any))
	visit = func(path string, value any, set func(any)) {
		for _, other := range others(value) {
			set(other)
			add(fmt.Sprintf("%s=%v", path, other))
		}
		set(value)
		switch value := value.(type) {
		case object:
			for name, member := range value {
				visit(path+"."+name, member, func(v any) { value[name] = v })
				delete(value, name)
				add(path + " without " + name)
				value[strings.ToUpper(name)] = member
				add(path + " with upper-case " + name)
				delete(value, strings.ToUpper(name))
				value[name] = member
			}
			value["zz"] = "0"
			add(path + " with one more")
			delete(value, "zz")
		case []any:
			for i, element := range value {
				here := fmt.Sprintf("%s[%d]", path, i)
				visit(here, element, func(v any) { value[i] = v })
				set(append(append([]any{}, value[:i]...), value[i+1:]...))
				add(here + " removed")
				set(append(append([]any{}, value[:i+1]...), value[i:]...))
				add(here + " doubled")
				if i+1 < len(value) {
					swapped := append([]any{}, value...)
					swapped[i], swapped[i+1] = value[i+1], value[i]
					set(swapped)
					add(here + " swapped")
				}
				set(value)
			}
		}
	}
	visit("", root, func(v any) { root, _ = v.(object) })
	return all
}

// others returns replacements of a value.
func others(value any) []any {
	switch value := value.(type) {
	case json.Number:
		n, _ := new(big.Int).SetString(value.String(), 10)
		next := new(big.Int).Add(n, big.NewInt(1))
		return []any{json.Number(next.String()), json.Number("-1"), json.Number("9007199254740992"), value + ".0",
			value + "e0", value.String(), nil, true}
	case string:
		list := []any{value + "0", value + " ", "", "0" + value, "-" + value, value + "\u00e9", json.Number("1"), nil,
			strings.Repeat("9", 40), "340282366920938463463374607431768211456", []any{}}
		if n, ok := new(big.Int).SetString(value, 10); ok {
			list = append(list, n.Add(n, big.NewInt(1)).String(), "340282366920938463463374607431768211455")
		} else if value != "" {
			last := byte('0')
			if strings.HasSuffix(value, "0") {
				last = '1'
			}
			list = append(list, value[:len(value)-1]+string(last))
		}
		var different []any
		for _, v := range list {
			if v != any(value) {
				different = append(different, v)
			}
		}
		return different
	case []any:
		return []any{nil, "", object{}}
	}
	return nil
}

// These are the chains of the vectors. The refused statement is the second last, so it has neighbors.
func lastTwo(t testing.TB) (v vectors, before, of, after statementVector) {
	v = readVectors(t)
	all := v.Chains[0].Statements
	return v, all[len(all)-3], all[len(all)-2], all[len(all)-1]
}

func TestEachChangeOfASignedStatementIsRefused(t *testing.T) {
	_, _, of, _ := lastTwo(t)
	all := changes(t, of.Signed)
	for _, c := range all {
		if _, err := readSigned(string(c.text)); err == nil {
			t.Errorf("%s is accepted", c.path)
		}
	}
	if len(all) < 1000 {
		t.Errorf("only %d changes", len(all))
	}
}

// A statement that the operator changes and signs again is invalid, or breaks the chain.
func TestEachChangeThatIsSignedAgainBreaksTheChain(t *testing.T) {
	v, before, of, after := lastTwo(t)
	first, last := must(readSigned(before.Signed)), must(readSigned(after.Signed))
	wellFormed := 0
	for _, c := range changes(t, of.Statement) {
		s, err := readSigned(sign(t, v.Secret, c.text))
		if err != nil {
			continue
		}
		wellFormed++
		if s.Continues(first) == nil && last.Continues(s) == nil {
			t.Errorf("%s fits the chain", c.path)
		}
	}
	if wellFormed < 20 {
		t.Errorf("only %d changes are well-formed", wellFormed)
	}
}

// Details that do not fit their statement are refused, even if the operator signs their digest.
func TestEachChangeOfDetailsIsRefused(t *testing.T) {
	v, _, of, _ := lastTwo(t)
	s := must(readSigned(of.Signed)).Document
	document := parse(t, of.Statement)
	for _, c := range changes(t, of.Details) {
		d, err := statement.ParseDetails(c.text)
		if err != nil {
			continue
		}
		if d.Verify(s) == nil {
			t.Errorf("%s is accepted", c.path)
		}
		document["rewards"].(object)["digest"] = statement.TaggedHash("moonfund/details", c.text).String()
		again := must(readSigned(sign(t, v.Secret, canonical(t, document)))).Document
		if d.Verify(again) == nil && !strings.Contains(c.path, ".unit=") {
			t.Errorf("%s is accepted with a signed digest", c.path)
		}
	}
}

func TestEachChangeOfAProofIsRefused(t *testing.T) {
	_, _, _, of := lastTwo(t)
	s := must(readSigned(of.Signed)).Document
	for _, text := range of.Proofs {
		for _, c := range changes(t, text) {
			if p, err := statement.ParseProof(c.text); err == nil && p.Verify(s) == nil {
				t.Errorf("%s is accepted", c.path)
			}
		}
	}
}

// A proof is valid for one statement only, even if everything in it except the hashes is adapted.
func TestProofOfAnotherTree(t *testing.T) {
	v := readVectors(t)
	var statements []statement.Document
	var proofs [][]string
	for _, c := range v.Chains {
		for _, vector := range c.Statements {
			s := must(readSigned(vector.Signed))
			statements, proofs = append(statements, s.Document), append(proofs, vector.Proofs)
		}
	}
	for i, s := range statements {
		for k, texts := range proofs {
			for _, text := range texts {
				p := must(statement.ParseProof([]byte(text)))
				if err := p.Verify(s); (err == nil) != (i == k) {
					t.Errorf("proof of statement %d for statement %d: %v", k, i, err)
				}
				p.Network, p.Community, p.Epoch = s.Network, s.Community, s.Epoch
				p.Statement, p.Count = must(s.ID()), s.Owners.Count
				if err := p.Verify(s); (err == nil) != (i == k) {
					t.Errorf("adapted proof of statement %d for statement %d: %v", k, i, err)
				}
			}
		}
	}
}

// The sums are part of the hashes: amounts can't be moved between a leaf and its siblings, and no sum can overflow.
func TestAmountsMovedBetweenLeaves(t *testing.T) {
	_, _, _, of := lastTwo(t)
	s := must(readSigned(of.Signed)).Document
	one, most := sum(t, "1"), sum(t, "340282366920938463463374607431768211455")
	for _, text := range of.Proofs {
		for field := range 3 {
			p := must(statement.ParseProof([]byte(text)))
			for i := range p.Siblings {
				sibling := &p.Siblings[i]
				mine := []*statement.Sum{&p.Stake, &p.Reward, &p.Owed}[field]
				others := []*statement.Sum{&sibling.Stake, &sibling.Reward, &sibling.Owed}[field]
				if others.IsZero() {
					continue
				}
				before, after := *mine, *others
				*mine = must(mine.Add(one))
				less := number(t, *others)
				*others = sum(t, less.Sub(less, big.NewInt(1)).String())
				if p.Verify(s) == nil {
					t.Errorf("sum %d moved from sibling %d is accepted", field, i)
				}
				*mine, *others = before, most
				if err := p.Verify(s); err == nil {
					t.Errorf("a huge sum %d of sibling %d is accepted", field, i)
				}
				*others = after
			}
			noError(t, p.Verify(s))
		}
	}
}

func TestSplitRefusesAnOverflow(t *testing.T) {
	most := sum(t, "340282366920938463463374607431768211455")
	inputs := []statement.Input{{Unit: "a", Owner: "a", Amount: most}, {Unit: "b", Owner: "b", Amount: most}}
	if _, err := statement.Split(sum(t, "1"), inputs); !errors.Is(err, statement.ErrOverflow) {
		t.Errorf("a split with an overflow: %v", err)
	}
}

func TestChainsWithGapsAndForks(t *testing.T) {
	v := readVectors(t)
	read := func(text string) statement.Signed { return must(readSigned(text)) }
	all := v.Chains[0].Statements
	other := parse(t, all[1].Statement)
	other["as_of"].(object)["time"] = json.Number("1")
	fork := read(sign(t, v.Secret, canonical(t, other)))
	otherKey := read(sign(t, strings.Repeat("11", 32), []byte(all[1].Statement)))
	for name, c := range map[string]struct {
		before, after statement.Signed
		fork          bool
	}{
		"gap":               {before: read(all[0].Signed), after: read(all[2].Signed)},
		"backwards":         {before: read(all[1].Signed), after: read(all[0].Signed)},
		"fork":              {before: read(all[1].Signed), after: fork, fork: true},
		"after the fork":    {before: fork, after: read(all[2].Signed)},
		"wrong key":         {before: read(all[0].Signed), after: otherKey},
		"another community": {before: read(all[0].Signed), after: read(v.Chains[1].Statements[1].Signed)},
	} {
		err := c.after.Continues(c.before)
		if err == nil || errors.Is(err, statement.ErrFork) != c.fork {
			t.Errorf("%s: got %v", name, err)
		}
	}
	if err := fork.Continues(read(all[0].Signed)); err != nil {
		t.Errorf("one side of the fork by itself: %v", err)
	}
}

// FuzzDocuments reads arbitrary bytes. Accepted bytes are JSON whose canonical form has the same bytes.
func FuzzDocuments(f *testing.F) {
	for _, c := range readVectors(f).Chains {
		for _, s := range c.Statements {
			f.Add([]byte(s.Signed))
			f.Add([]byte(s.Details))
			for _, p := range s.Proofs {
				f.Add([]byte(p))
			}
		}
	}
	for _, b := range readVectors(f).Receipts {
		f.Add([]byte(b.Files[0]))
		f.Add([]byte("[" + strings.Join(b.Files, ",") + "]"))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		_, signed := statement.ParseSigned(text)
		_, details := statement.ParseDetails(text)
		_, proof := statement.ParseProof(text)
		_, receipts := statement.ParseReceipts(text)
		if signed != nil && details != nil && proof != nil && receipts != nil {
			return
		}
		decoder := json.NewDecoder(bytes.NewReader(text))
		decoder.UseNumber()
		var value any
		noError(t, decoder.Decode(&value))
		if again := canonical(t, value); string(again) != string(text) {
			t.Errorf("accepted is %s, canonical is %s", text, again)
		}
	})
}
