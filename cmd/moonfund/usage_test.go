package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
	"github.com/btcsuite/btcd/psbt/v2"
	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/testkit"
)

// TestUsageErrorsFitAScreen checks that the output for a wrong command line fits a screen, ends with the error, and has
// its own exit code.
func TestUsageErrorsFitAScreen(t *testing.T) {
	for _, args := range [][]string{
		{}, {"nonsense"}, {"order"}, {"order", "show"}, {"serve", "--nonsense"}, {"treasury", "explain"},
		{"find"}, {"unit", "list", "--limit", "many"},
	} {
		var cli commands
		var out bytes.Buffer
		code := -1
		parser, err := kong.New(&cli, append(parserOptions(), kong.Writers(&out, &out), kong.Exit(func(c int) {
			if code < 0 {
				code = c
			}
		}))...)
		if err != nil {
			t.Fatal(err)
		}
		_, err = parser.Parse(args)
		parser.FatalIfErrorf(err)
		lines := strings.Split(strings.TrimSpace(out.String()), "\n")
		if code != 80 || len(lines) > 12 || !strings.HasPrefix(lines[len(lines)-1], "moonfund: error: ") {
			t.Errorf("moonfund %v: exit code %d, %d lines:\n%s", args, code, len(lines), out.String())
		}
	}
}

// TestSignedFilesInBothForms checks that a signed PSBT is accepted in base64 and, as BIP-174 specifies, in binary:
// wallets save either form.
func TestSignedFilesInBothForms(t *testing.T) {
	out := wire.NewTxOut(546, []byte{0x51})
	packet, err := psbt.New([]*wire.OutPoint{{Index: 1}}, []*wire.TxOut{out}, 2, 0, []uint32{0})
	testkit.Must(t, err)
	var binary bytes.Buffer
	testkit.Must(t, packet.Serialize(&binary))
	text, err := packet.B64Encode()
	testkit.Must(t, err)
	for form, content := range map[string][]byte{"binary": binary.Bytes(), "base64": []byte(text + "\n")} {
		path := filepath.Join(t.TempDir(), "signed.psbt")
		testkit.Must(t, os.WriteFile(path, content, 0o600))
		err := recoverCommand{Signed: []string{path}}.sendSigned(t.Context(), nil)
		if err == nil || strings.Contains(err.Error(), "it is not a PSBT") { // the PSBT is parsed; it has no signatures
			t.Errorf("%s PSBT without signatures: got error %v, want another one", form, err)
		}
	}
}
