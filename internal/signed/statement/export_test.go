package statement

// Functions for tests of this package.
var (
	Split      = split
	TaggedHash = taggedHash
	VerifyPath = SignedReceipt.verifyPath
)

// LeafHashes returns the hashes of the leaves.
func (t *Tree) LeafHashes() (hashes []Hash) {
	if len(t.levels) == 0 {
		return []Hash{}
	}
	for _, node := range t.levels[0] {
		hashes = append(hashes, node.Hash)
	}
	return hashes
}
