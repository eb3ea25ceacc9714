package signer

import (
	"crypto/rand"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strings"
)

const (
	maxWords   = 24
	askedWords = 4 // words that the operator must type again
)

// Paper backs up a key on paper: it shows the words once and prompts the operator to type some of them.
type Paper struct {
	Show func(text string)
	Ask  func(prompt string) (string, error)
	Hide func()                   // clears the screen
	Pick func(n int) (int, error) // returns a random number below n
}

// RandomBelow returns a random number in [0, n).
func RandomBelow(n int) (int, error) {
	at, err := rand.Int(rand.Reader, big.NewInt(int64(n)))
	if err != nil {
		return 0, err
	}
	return int(at.Int64()), nil
}

// Copy shows the words of a secret and verifies a random choice of them. It returns an error if a typed word is wrong.
func (p Paper) Copy(secret Secret) error {
	words, err := secret.Words()
	if err != nil {
		return err
	}
	p.Show(wordSheet(words, secret.Scheme))
	_, err = p.Ask("Press Enter when they are on paper; they are not shown again")
	p.Hide()
	if err != nil {
		return errors.New("the words were shown, but not confirmed to be on paper: begin again")
	}
	if err := p.verify(words); err != nil {
		return err
	}
	p.Hide()
	p.Show(fmt.Sprintf("The paper is a backup. Keep it where neither the key file nor the server is, and try it once a "+
		"year, on a machine without a network. Remove the file again:\nmoonfund key restore --scheme %s trial.key\n",
		secret.Scheme))
	return nil
}

// sheetNotes are printed below the words, by scheme.
var sheetNotes = map[Scheme]string{
	SchemeSeed: "Only `moonfund key restore` reads them: a wallet that takes BIP-39 words makes another key of them.",
	SchemeBIP39: "They are standard BIP-39 words without a passphrase; the accounts are m/86'/coin'/account' (BIP-86).\n" +
		"Do not import them into a wallet: a wallet that does not support runes burns runes when it spends.",
}

// wordSheet returns the numbered words with instructions.
func wordSheet(words []string, scheme Scheme) string {
	var b strings.Builder
	b.WriteString("Nobody else may see this screen. Write these words on paper, in this order, with their scheme:\n\n")
	for i := 0; i < len(words); i += 4 {
		for j, word := range words[i:min(i+4, len(words))] {
			fmt.Fprintf(&b, "%4d %-9s", i+j+1, word)
		}
		b.WriteString("\n")
	}
	fmt.Fprintf(&b, "\nScheme: %s\n\nThey are the key itself: whoever has them needs no passphrase. %s\n\n", scheme,
		sheetNotes[scheme])
	return b.String()
}

// verify asks for a random choice of the words and compares them.
func (p Paper) verify(words []string) error {
	left := make([]int, len(words))
	for i := range left {
		left[i] = i
	}
	for range askedWords {
		n, err := p.Pick(len(left))
		if err != nil {
			return err
		}
		at := left[n]
		left = slices.Delete(left, n, n+1)
		word, err := p.Ask(fmt.Sprintf("Type word %d from the paper", at+1))
		if err != nil || strings.ToLower(strings.TrimSpace(word)) != words[at] {
			return fmt.Errorf("that is not word %d: the paper is not a backup yet; begin again", at+1)
		}
	}
	return nil
}

// ReadWords prompts for the words of a key, one or several per line, up to 24 words or an empty line, and returns the
// bytes that they encode.
func ReadWords(ask func(prompt string) (string, error)) ([]byte, error) {
	var words []string
	for len(words) < maxWords {
		prompt, complete := fmt.Sprintf("From word %d on", len(words)+1), len(words) >= 12 && len(words)%3 == 0
		if complete {
			prompt += " (empty if these are all)"
		}
		line, err := ask(prompt)
		if err != nil || complete && strings.TrimSpace(line) == "" {
			break // BytesOf reports the wrong number of words
		}
		words = append(words, strings.Fields(line)...)
	}
	return BytesOf(words)
}
