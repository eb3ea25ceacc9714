package signer

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
)

// pen simulates an operator at the terminal who writes the words down.
type pen struct {
	seen   string
	asked  []string
	hidden int
	answer func(prompt string) string
}

func (p *pen) paper() Paper {
	return Paper{
		Show: func(text string) { p.seen += text },
		Ask: func(prompt string) (string, error) {
			p.asked = append(p.asked, prompt)
			return p.answer(prompt), nil
		},
		Hide: func() { p.hidden++ },
		Pick: func(n int) (int, error) { return n / 2, nil },
	}
}

// TestBackupOnPaper checks that the words are shown once, that a random choice of them is requested, and that a wrong
// answer is an error.
func TestBackupOnPaper(t *testing.T) {
	seed := bytes.Repeat([]byte{7, 91}, 16)
	words, err := Words(seed)
	must(t, err)
	right := func(prompt string) string {
		for i := range words {
			if strings.HasPrefix(prompt, fmt.Sprintf("Type word %d ", i+1)) {
				return " " + strings.ToUpper(words[i]) + " "
			}
		}
		return ""
	}
	careful := &pen{answer: right}
	must(t, careful.paper().Copy(Secret{SchemeSeed, seed}))
	if len(careful.asked) != 1+askedWords || careful.hidden != 2 {
		t.Errorf("the prompts were %q, the screen was cleared %d times", careful.asked, careful.hidden)
	}
	for i, word := range words {
		if !strings.Contains(careful.seen, fmt.Sprintf("%4d %s", i+1, word)) {
			t.Errorf("word %d was not shown", i+1)
		}
	}
	careless := &pen{answer: func(prompt string) string {
		if len(right(prompt)) > 0 {
			return words[0]
		}
		return ""
	}}
	err = careless.paper().Copy(Secret{SchemeSeed, seed})
	if err == nil || careless.hidden != 1 {
		t.Fatalf("a wrong word was accepted: %v", err)
	}
	for _, word := range words {
		if strings.Contains(err.Error(), " "+word+" ") && word != "word" && word != "that" {
			t.Errorf("the error contains the word %q", word)
		}
	}
}
