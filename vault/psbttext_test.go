package vault

import (
	"encoding/base64"
	"testing"
)

// A .psbt file is binary by BIP-174; ours and many wallets' are base64. Both are read.
func TestBinaryPSBT(t *testing.T) {
	raw := "psbt\xff\x01\x00"
	if got := PSBTText([]byte(raw)); got != base64.StdEncoding.EncodeToString([]byte(raw)) {
		t.Errorf("binary became %q", got)
	}
	if got := PSBTText([]byte("cHNidP8BAA==\n")); got != "cHNidP8BAA==\n" {
		t.Errorf("base64 became %q", got)
	}
}
