package vault

import (
	"encoding/base64"
	"testing"
)

// TestBinaryPSBT checks that PSBTText reads binary files, as BIP-174 specifies, and base64 files, which the server and
// many wallets write.
func TestBinaryPSBT(t *testing.T) {
	raw := "psbt\xff\x01\x00"
	if got := PSBTText([]byte(raw)); got != base64.StdEncoding.EncodeToString([]byte(raw)) {
		t.Errorf("PSBTText of a binary PSBT = %q, want base64", got)
	}
	if got := PSBTText([]byte("cHNidP8BAA==\n")); got != "cHNidP8BAA==\n" {
		t.Errorf("PSBTText of a base64 PSBT = %q, want it unchanged", got)
	}
}
