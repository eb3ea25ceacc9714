package setup

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
)

// draftName is the name of the file with the answers of an unfinished setup, beside the settings.
const draftName = "setup-answers.json"

func (s *Setup) draft() string { return filepath.Join(s.Folder, draftName) }

// keep stores the answers so far, without secrets, so that a later setup goes on with them. If they can't be stored,
// Resume lists them.
func (s *Setup) keep() {
	if s.Ask == nil {
		return
	}
	answers := map[string]string{}
	for _, q := range allQuestions() {
		if value := *q.field(&s.Answers); value != "" && !q.secret && !slices.Contains(s.unasked, q.flag) {
			answers[q.flag] = value
		}
	}
	text, err := json.MarshalIndent(answers, "", "  ")
	s.kept = err == nil && os.WriteFile(s.draft(), append(text, '\n'), 0o600) == nil
}

// recall reads the answers of an unfinished setup. Flags have priority.
func (s *Setup) recall() {
	text, err := os.ReadFile(s.draft())
	answers := map[string]string{}
	if err != nil || json.Unmarshal(text, &answers) != nil || len(answers) == 0 {
		return
	}
	for _, q := range allQuestions() {
		if field := q.field(&s.Answers); *field == "" && !q.secret {
			*field = answers[q.flag]
		}
	}
	s.say("Going on with the answers in " + s.draft() + ". Delete it to start again.")
}

// Finish deletes the answers of an unfinished setup.
func (s *Setup) Finish() { _ = os.Remove(s.draft()) } // there is none without a terminal
