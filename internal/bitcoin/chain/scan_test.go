package chain

import (
	"errors"
	"testing"
)

// TestScanUnspent checks that a Core-family node finds confirmed unspent outputs of several scripts in one call,
// without spent and unconfirmed outputs. btcd does not have the call:
// ScanUnspent returns ErrNoScan, and ScanBlocks finds the outputs.
func TestScanUnspent(t *testing.T) {
	eachNode(t, func(t *testing.T, start func(byte) *node) {
		n := start(7)
		blocks := n.mine(101)
		spent := blocks[0].Txs[0]
		n.broadcast(n.spend(spent, 1000))
		n.mine(1)
		scripts := [][]byte{n.script, append([]byte{0x51, 0x20}, make([]byte, 32)...)}
		unspent, err := n.ScanUnspent(t.Context(), scripts)
		if !n.core {
			if !errors.Is(err, ErrNoScan) {
				t.Fatalf("ScanUnspent on btcd: %v, want ErrNoScan", err)
			}
			paid, err := ScanBlocks(t.Context(), n, 1, func(script []byte) bool {
				return string(script) == string(n.script)
			}, func(int64, int64) {})
			if err != nil || len(paid) < 102 {
				t.Errorf("ScanBlocks found %d outputs, %v; want at least 102", len(paid), err)
			}
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		found := map[string]int64{}
		for _, out := range unspent {
			if string(out.Script) != string(n.script) {
				t.Errorf("%s pays another script", out.OutPoint)
			}
			found[out.OutPoint.Hash.String()] = out.Height
		}
		if _, still := found[spent.ID.String()]; still {
			t.Error("ScanUnspent returned a spent output")
		}
		for i, block := range blocks[1:] {
			if height := found[block.Txs[0].ID.String()]; height != int64(i)+2 {
				t.Errorf("the output of block %d has the height %d", i+2, height)
			}
		}
		if none, err := n.ScanUnspent(t.Context(), scripts[1:]); err != nil || len(none) != 0 {
			t.Errorf("ScanUnspent of a script without outputs: %v, %v", none, err)
		}
	})
}
