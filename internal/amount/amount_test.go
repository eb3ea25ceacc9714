package amount

import (
	"errors"
	"math"
	"math/big"
	"testing"

	"pgregory.net/rapid"
)

func TestParseRunes(t *testing.T) {
	good := map[string]Runes{"0": 0, "1": 1, "150000000000": 150000000000, "9223372036854775807": math.MaxInt64}
	for text, want := range good {
		if got, err := ParseRunes(text); err != nil || got != want {
			t.Errorf("ParseRunes(%q) = %d, %v; want %d", text, got, err, want)
		}
	}
	for _, text := range []string{"", "-1", "+1", "1.5", "1e9", " 1", "1 ", "0x10", "١", "1_000"} {
		if _, err := ParseRunes(text); !errors.Is(err, ErrSyntax) {
			t.Errorf("ParseRunes(%q) = %v, want ErrSyntax", text, err)
		}
	}
	if _, err := ParseRunes("9223372036854775808"); !errors.Is(err, ErrOverflow) {
		t.Errorf("ParseRunes(2^63) = %v, want ErrOverflow", err)
	}
}

func TestDecimals(t *testing.T) {
	for amount, want := range map[Runes]string{0: "0", 1: "0.00000001", 150000000: "1.5", 100000000: "1",
		-5: "-0.00000005"} {
		if got := amount.Whole(); got != want {
			t.Errorf("Runes(%d).Whole() = %s, want %s", int64(amount), got, want)
		}
	}
	if got := Sats(30).BTC(); got != "0.00000030" {
		t.Errorf("Sats(30).BTC() = %s, want 0.00000030", got)
	}
	if got := Share(123456789, 1000000000000000, 18); got != "0.000000123456789" {
		t.Errorf("Share of a small part = %s, want 0.000000123456789", got)
	}
}

func TestArithmeticAgainstBig(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := rapid.Int64().Draw(t, "a"), rapid.Int64().Draw(t, "b")
		check := func(name string, got int64, err error, want *big.Int) {
			if want.IsInt64() != (err == nil) || (err == nil && want.Int64() != got) {
				t.Fatalf("%s(%d, %d) = %d, %v; want %s", name, a, b, got, err, want)
			}
		}
		A, B := big.NewInt(a), big.NewInt(b)
		s, err := Sats(a).Add(Sats(b))
		check("add", int64(s), err, new(big.Int).Add(A, B))
		if b != math.MinInt64 {
			s, err = Sats(a).Sub(Sats(b))
			check("sub", int64(s), err, new(big.Int).Sub(A, B))
		}
		s, err = Sats(a).Mul(b)
		check("mul", int64(s), err, new(big.Int).Mul(A, B))
	})
}

func TestMulDivAgainstBig(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		positive := rapid.Int64Range(0, math.MaxInt64)
		a, b, c := positive.Draw(t, "a"), positive.Draw(t, "b"), rapid.Int64Range(1, math.MaxInt64).Draw(t, "c")
		q, r := new(big.Int).QuoRem(new(big.Int).Mul(big.NewInt(a), big.NewInt(b)), big.NewInt(c), new(big.Int))
		gotQ, gotR, err := MulDiv(a, b, c)
		if q.IsInt64() != (err == nil) || (err == nil && (q.Int64() != gotQ || r.Int64() != gotR)) {
			t.Fatalf("MulDiv(%d, %d, %d) = %d, %d, %v; want %s, %s", a, b, c, gotQ, gotR, err, q, r)
		}
	})
}

func TestFeeRate(t *testing.T) {
	for _, bad := range []float64{math.NaN(), math.Inf(1), -1, 1e9} {
		if _, err := FeeRateFromFloat(bad); err == nil {
			t.Errorf("FeeRateFromFloat(%v) succeeded, want an error", bad)
		}
	}
	if r, _ := FeeRateFromFloat(1.5); r.Fee(3) != 5 || r.String() != "1.5" {
		t.Errorf("1.5 sat/vB × 3 vB = %d sats, want 5", r.Fee(3))
	}
}
