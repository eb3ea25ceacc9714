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
