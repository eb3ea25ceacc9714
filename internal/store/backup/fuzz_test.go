package backup

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// archived returns a ZIP file with one entry and the given description.
func archived(f *testing.F, name, text string, say func(*About)) []byte {
	f.Helper()
	sum := sha256.Sum256([]byte(text))
	about := About{Format: format, Version: version, Files: []File{{name, int64(len(text)), hex.EncodeToString(sum[:])}}}
	say(&about)
	said, err := json.Marshal(about)
	if err != nil {
		f.Fatal(err)
	}
	var b bytes.Buffer
	to := zip.NewWriter(&b)
	for _, entry := range [][2]string{{name, text}, {aboutName, string(said)}} {
		w, err := to.Create(entry[0])
		if err == nil {
			_, err = io.WriteString(w, entry[1])
		}
		if err != nil {
			f.Fatal(err)
		}
	}
	if err := to.Close(); err != nil {
		f.Fatal(err)
	}
	return b.Bytes()
}

// FuzzArchive opens arbitrary bytes as a backup. An archive that opens has this format, holds every listed entry
// unchanged, and has no entry name that leaves the target folder.
func FuzzArchive(f *testing.F) {
	whole := archived(f, "ledger.jsonl", strings.Repeat("a row\n", 100), func(*About) {})
	f.Add(whole)
	f.Add(whole[:len(whole)-1])
	f.Add(bytes.Replace(whole, []byte("ledger.jsonl"), []byte("ledgex.jsonl"), 1))
	for _, name := range []string{"../ledger.jsonl", "/etc/passwd", "a/../../b", `..\b`, "backup.json", ""} {
		f.Add(archived(f, name, "x", func(*About) {}))
	}
	for _, spoil := range []func(*About){
		func(a *About) {
			a.Version++
		}, func(a *About) { a.Format = "" }, func(a *About) { a.Files = nil }, func(a *About) { a.Files[0].Size++ },
		func(a *About) {
			a.Files[0].SHA256 = ""
		}, func(a *About) { a.Files = append(a.Files, a.Files[0]) }, func(a *About) { a.Files[0].Name = "nothing" },
	} {
		f.Add(archived(f, "ledger.jsonl", "a row\n", spoil))
	}
	f.Add([]byte("PK\x05\x06" + strings.Repeat("\x00", 18)))
	path := filepath.Join(f.TempDir(), "b.zip")
	f.Fuzz(func(t *testing.T, data []byte) {
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		a, err := Open(path)
		if err != nil {
			return
		}
		defer a.Close()
		if a.About.Format != format || a.About.Version != version {
			t.Errorf("opened %+v", a.About)
		}
		for _, file := range a.About.Files {
			entry, err := a.Entry(file.Name)
			if err != nil || !filepath.IsLocal(file.Name) {
				t.Fatalf("the entry %q has an invalid name: %v", file.Name, err)
			}
			text, err := io.ReadAll(entry)
			sum := sha256.Sum256(text)
			if err != nil || int64(len(text)) != file.Size || hex.EncodeToString(sum[:]) != file.SHA256 {
				t.Errorf("the entry %s differs: %v", file.Name, err)
			}
			entry.Close()
		}
	})
}
