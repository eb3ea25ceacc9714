package devnet

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

func TestFramesSurviveTornTail(t *testing.T) {
	path := filepath.Join(t.TempDir(), "blocks")
	records := [][]byte{[]byte("first"), bytes.Repeat([]byte{7}, 300), []byte("last")}
	f, read, err := openFrames(path)
	if err != nil || len(read) != 0 {
		t.Fatalf("a new file: %v, %v", read, err)
	}
	if err := f.append(records...); err != nil {
		t.Fatal(err)
	}
	f.close()
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	start := len(whole) - frameHeader - len("last")
	for cut := start; cut <= len(whole); cut++ {
		want := 2
		if cut == len(whole) {
			want = 3
		}
		checkFrames(t, path, whole[:cut], want)
	}
	flipped := bytes.Clone(whole)
	flipped[len(flipped)-1] ^= 1
	checkFrames(t, path, flipped, 2)
	checkFrames(t, path, append(bytes.Clone(whole), make([]byte, 4096)...), 3)
}

// checkFrames opens a file with this content, checks the number of complete records, and checks that records can be
// appended, read again and dropped.
func checkFrames(t *testing.T, path string, content []byte, want int) {
	t.Helper()
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
	f, read, err := openFrames(path)
	if err != nil || len(read) != want {
		t.Fatalf("%d bytes: %d records, %v; want %d", len(content), len(read), err, want)
	}
	if err := f.append([]byte("more")); err != nil {
		t.Fatal(err)
	}
	f.close()
	f, read, err = openFrames(path)
	if err != nil || len(read) != want+1 || string(read[want]) != "more" {
		t.Fatalf("%d bytes, after append: %d records, %v", len(content), len(read), err)
	}
	if err := f.dropLast(); err != nil {
		t.Fatal(err)
	}
	f.close()
	f, read, err = openFrames(path)
	if err != nil || len(read) != want {
		t.Fatalf("%d bytes, after dropLast: %d records, %v", len(content), len(read), err)
	}
	f.close()
}

func TestFramesRefuseDamageInside(t *testing.T) {
	path := filepath.Join(t.TempDir(), "blocks")
	f, _, err := openFrames(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := f.append([]byte("first"), []byte("second")); err != nil {
		t.Fatal(err)
	}
	f.close()
	whole, _ := os.ReadFile(path)
	whole[frameHeader] ^= 1
	if err := os.WriteFile(path, whole, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, _, err := openFrames(path); err == nil {
		t.Fatal("openFrames accepted a damaged record before the end")
	}
}
