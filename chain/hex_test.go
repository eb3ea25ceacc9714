package chain

import (
	"bytes"
	"testing"
)

// A result in hex is decoded, and anything else is an error.
func TestHexResult(t *testing.T) {
	for text, want := range map[string][]byte{`""`: {}, `"00fF"`: {0, 255}} {
		var got hexBytes
		if err := decodeResult([]byte(text), &got); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s: got %x, %v", text, got, err)
		}
	}
	for _, text := range []string{`"0"`, `"0g"`, `"\u0030"`, `null`, `1`, `{}`, `["00"]`, ``} {
		var got hexBytes
		if err := decodeResult([]byte(text), &got); err == nil {
			t.Errorf("%s: got %x, want an error", text, got)
		}
	}
}
