package signer

import (
	"crypto/sha256"
	_ "embed"
	"fmt"
	"math/big"
	"slices"
	"strings"
)

// words.txt is the English word list of BIP-39, unchanged: 2,048 words in alphabetical order, no two of which begin
// with the same four letters.
//
//go:embed words.txt
var wordList string

var words = strings.Fields(wordList)

const wordBits = 11

// Words encodes a secret of 16 to 32 bytes, a multiple of 4, as the 12 to 24 words of a BIP-39 mnemonic: entropy and
// checksum. The encoding is reversible. The secret's scheme determines how the keys are derived.
func Words(seed []byte) ([]string, error) {
	if len(seed) < 16 || len(seed) > 32 || len(seed)%4 != 0 {
		return nil, fmt.Errorf("a seed of %d bytes can't be written as words: 16 to 32 can, by steps of 4", len(seed))
	}
	checkBits := len(seed) / 4
	sum := sha256.Sum256(seed)
	bits := new(big.Int).SetBytes(seed)
	bits.Lsh(bits, uint(checkBits))
	bits.Or(bits, big.NewInt(int64(sum[0]>>(8-checkBits))))
	list := make([]string, (8*len(seed)+checkBits)/wordBits)
	mask := big.NewInt(1<<wordBits - 1)
	for i := len(list) - 1; i >= 0; i-- {
		list[i] = words[new(big.Int).And(bits, mask).Int64()]
		bits.Rsh(bits, wordBits)
	}
	return list, nil
}

// BytesOf decodes the output of Words, in any case. It returns an error if a word is not in the list or the checksum
// does not match. The error contains the position of a word, never the word.
func BytesOf(list []string) ([]byte, error) {
	if len(list) < 12 || len(list) > 24 || len(list)%3 != 0 {
		return nil, fmt.Errorf("these are %d words; a key has 24, or 12, 15, 18 or 21", len(list))
	}
	bits := new(big.Int)
	for i, word := range list {
		n, known := slices.BinarySearch(words, strings.ToLower(word))
		if !known {
			return nil, fmt.Errorf("word %d is not one of the BIP-39 word list", i+1)
		}
		bits.Lsh(bits, wordBits).Or(bits, big.NewInt(int64(n)))
	}
	checkBits := len(list) / 3
	check := new(big.Int).And(bits, big.NewInt(1<<checkBits-1)).Int64()
	seed := bits.Rsh(bits, uint(checkBits)).FillBytes(make([]byte, 4*checkBits))
	if sum := sha256.Sum256(seed); int64(sum[0]>>(8-checkBits)) != check {
		return nil, fmt.Errorf("the checksum of the words is wrong: one of them is wrong, or two are in the wrong order")
	}
	return seed, nil
}
