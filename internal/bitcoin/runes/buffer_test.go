package runes

import "testing"

// TestBufferDropsTheRecordOfAnUndoneBlock checks that the undo record of a replaced block does not stay in the store
// below if the record of the block that replaced it is put and deleted again before Flush.
func TestBufferDropsTheRecordOfAnUndoneBlock(t *testing.T) {
	below := NewMemory()
	buffer := NewBuffer(below)
	for _, change := range []func() error{
		func() error { return below.PutRuneUndo(BlockUndo{7, []byte{1}}) },
		func() error { return buffer.DeleteRuneUndo(7) }, // the block is undone
		func() error { return buffer.PutRuneUndo(BlockUndo{7, []byte{2}}) },
		func() error { return buffer.DeleteRuneUndo(7) }, // its successor is too deep to be undone
		buffer.Flush,
	} {
		if err := change(); err != nil {
			t.Fatal(err)
		}
	}
	if data, found, err := below.RuneUndo(7); found || err != nil {
		t.Errorf("the record is %x, %t, %v; want none", data, found, err)
	}
}

// TestBufferOmitsUndo checks that the buffer stores no undo record of a block that will be too deep, also after Flush.
func TestBufferOmitsUndo(t *testing.T) {
	below := NewMemory()
	buffer := NewBuffer(below)
	buffer.OmitUndo(8)
	for height := int64(6); height <= 9; height++ {
		if err := buffer.PutRuneUndo(BlockUndo{height, []byte{1}}); err != nil {
			t.Fatal(err)
		}
		if err := buffer.Flush(); err != nil {
			t.Fatal(err)
		}
		if _, found, err := below.RuneUndo(height); found != (height >= 8) || err != nil {
			t.Errorf("height %d: stored %t, %v", height, found, err)
		}
	}
}
