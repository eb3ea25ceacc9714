package runes

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"lukechampine.com/uint128"

	"moonfund/internal/bitcoin/chain"
)

func TestNames(t *testing.T) {
	cases := map[string]uint128.Uint128{
		"A": big(0), "B": big(1), "Z": big(25), "AA": big(26), "AB": big(27), "AZ": big(51), "BA": big(52),
		"AAAAAAAAAAAAA":                big(99246114928149462),
		"UNCOMMONGOODS":                big(2055900680524219742),
		"BCGDENLQRQWDSLRUGSNLBTMFIJAT": biggest.Sub64(2),
		"BCGDENLQRQWDSLRUGSNLBTMFIJAV": biggest,
		strings.Repeat("A", 27):        mustParse("6402364363415443603228541259936211926"),
		strings.Repeat("A", 28):        mustParse("166461473448801533683942072758341510102"),
	}
	for text, n := range cases {
		if got := Name(n).String(); got != text {
			t.Errorf("the number of %s formats as %s", text, got)
		}
		if got, err := ParseName(text); err != nil || got != Name(n) {
			t.Errorf("%s parses to %v, %v", text, uint128.Uint128(got), err)
		}
	}
	for _, text := range []string{"", "x", "Ax", "A•B", "É", "BCGDENLQRQWDSLRUGSNLBTMFIJAW",
		"BCGDENLQRQWDSLRUGSNLBTMFIJAVX", strings.Repeat("Z", 40)} {
		if _, err := ParseName(text); !errors.Is(err, ErrName) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestReservedNames(t *testing.T) {
	for text, want := range map[string]bool{
		"A": false, strings.Repeat("Z", 26): false, strings.Repeat("A", 27): true, "BCGDENLQRQWDSLRUGSNLBTMFIJAV": true,
	} {
		name, err := ParseName(text)
		if err != nil || name.Reserved() != want {
			t.Errorf("%s: reserved %t, %v", text, name.Reserved(), err)
		}
	}
	base := uint128.Uint128(reservedFrom)
	for id, offset := range map[ID]uint128.Uint128{
		{}: big(0), {0, 1}: big(1), {1, 0}: big(1 << 32), {1, 1}: big(1<<32 + 1),
		{1<<64 - 1, 1<<32 - 1}: uint128.New(1<<64-1, 1<<32-1),
	} {
		if got := ReservedName(id); got != Name(base.Add(offset)) {
			t.Errorf("%s: %s", id, got)
		}
	}
}

func TestCommitmentBytes(t *testing.T) {
	for n, want := range map[uint128.Uint128][]byte{
		big(0): {}, big(1): {1}, big(255): {255}, big(256): {0, 1}, big(65535): {255, 255}, big(65536): {0, 0, 1},
		big(99246114928149462): {0xd6, 0x43, 0xa1, 0xd1, 0xd0, 0x97, 0x60, 0x01},
		biggest:                slices.Repeat([]byte{255}, 16),
	} {
		if got := Name(n).Commitment(); !slices.Equal(got, want) {
			t.Errorf("%s: %x", n, got)
		}
	}
}

// TestMinimumNames checks the table of the reference implementation, in which lengths unlock one by one.
func TestMinimumNames(t *testing.T) {
	const start, end, step = 840_000, 1_050_000, 17_500
	cases := map[string]map[int64]string{
		"mainnet": {
			0: "AAAAAAAAAAAAA", start / 2: "AAAAAAAAAAAAA", end - 1: "A", end: "A", end + 1: "A", 1 << 32: "A",
			start - 1: "AAAAAAAAAAAAA", start: "ZZYZXBRKWXVA", start + 1: "ZZXZUDIVTVQA",
			start + 1*step - 1: "AAAAAAAAAAAA", start + 1*step: "ZZYZXBRKWXV", start + 1*step + 1: "ZZXZUDIVTVQ",
			start + 2*step - 1: "AAAAAAAAAAA", start + 2*step: "ZZYZXBRKWY", start + 2*step + 1: "ZZXZUDIVTW",
			start + 3*step - 1: "AAAAAAAAAA", start + 3*step: "ZZYZXBRKX", start + 3*step + 1: "ZZXZUDIVU",
			start + 4*step - 1: "AAAAAAAAA", start + 4*step: "ZZYZXBRL", start + 4*step + 1: "ZZXZUDIW",
			start + 5*step - 1: "AAAAAAAA", start + 5*step: "ZZYZXBS", start + 5*step + 1: "ZZXZUDJ",
			start + 6*step - 1: "AAAAAAA", start + 6*step: "ZZYZXC", start + 6*step + 1: "ZZXZUE",
			start + 7*step - 1: "AAAAAA", start + 7*step: "ZZYZY", start + 7*step + 1: "ZZXZV",
			start + 8*step - 1: "AAAAA", start + 8*step: "ZZZA", start + 8*step + 1: "ZZYA",
			start + 9*step - 1: "AAAA", start + 9*step: "ZZZ", start + 9*step + 1: "ZZY",
			start + 10*step - 2: "AAC", start + 10*step - 1: "AAA", start + 10*step: "AAA", start + 10*step + step/2: "NA",
			start + 11*step - 2: "AB", start + 11*step - 1: "AA", start + 11*step: "AA", start + 11*step + step/2: "N",
			start + 12*step - 2: "B",
		},
		"testnet":  {0: "AAAAAAAAAAAAA", 2_519_999: "AAAAAAAAAAAAA", 2_520_000: "ZZYZXBRKWXVA", 2_520_001: "ZZXZUDIVTVQA"},
		"testnet4": {0: "ZZYZXBRKWXVA", 1: "ZZXZUDIVTVQA"},
		"signet":   {0: "ZZYZXBRKWXVA", 1: "ZZXZUDIVTVQA"},
		"regtest":  {0: "ZZYZXBRKWXVA", 1: "ZZXZUDIVTVQA"},
	}
	for network, heights := range cases {
		n, err := chain.NetworkByName(network)
		if err != nil {
			t.Fatal(err)
		}
		for height, want := range heights {
			if got := RulesFor(n).MinimumName(height).String(); got != want {
				t.Errorf("%s at %d: %s, want %s", network, height, got, want)
			}
		}
	}
}

func TestSpacedNames(t *testing.T) {
	for text, want := range map[string]struct {
		written string
		spacers uint32
	}{
		"A.B": {"A•B", 1}, "A.B.C": {"A•B•C", 3}, "A•B•C": {"A•B•C", 3}, "A•BC": {"A•BC", 1},
		"AB•C": {"AB•C", 2}, "ABC": {"ABC", 0},
	} {
		got, err := ParseSpacedName(text)
		if err != nil || got.String() != want.written || got.Spacers != want.spacers {
			t.Errorf("%s: %s %b %v", text, got, got.Spacers, err)
		}
	}
	for _, text := range []string{"", ".A", "A..B", "A.", "Ax", "•", strings.Repeat("A", 40) + "•B"} {
		if _, err := ParseSpacedName(text); !errors.Is(err, ErrName) {
			t.Errorf("%q: %v", text, err)
		}
	}
	if got := (SpacedName{Spacers: 1}).String(); got != "A" {
		t.Errorf("spacer after the last letter: %s", got)
	}
	longest := strings.Join(strings.Split("BCGDENLQRQWDSLRUGSNLBTMFIJAV", ""), "•")
	if got, err := ParseSpacedName(longest); err != nil || got.Spacers != MaxSpacers || got.String() != longest {
		t.Errorf("%s %v", got, err)
	}
}

func TestIDs(t *testing.T) {
	if id, err := ParseID("840000:35"); err != nil || id != (ID{840000, 35}) || id.String() != "840000:35" {
		t.Errorf("%s %v", id, err)
	}
	for _, text := range []string{"", ":", "1", "1:", ":2", "a:2", "1:a", "1:2:3", "+1:2", "-1:2", "1: 2", "0:1",
		"1:4294967296", "18446744073709551616:0"} {
		if _, err := ParseID(text); !errors.Is(err, ErrID) {
			t.Errorf("%q: %v", text, err)
		}
	}
	var id ID
	if err := id.UnmarshalText([]byte("1:2")); err != nil || id != (ID{1, 2}) {
		t.Errorf("%s %v", id, err)
	}
	if text, err := id.MarshalText(); err != nil || string(text) != "1:2" {
		t.Errorf("%s %v", text, err)
	}
}
