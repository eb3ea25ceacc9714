package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"moonfund/chain"
)

// running is what a dev network leaves in its data folder, so that the
// operator's commands find its node.
type running struct {
	Network string
	Node    chain.ClientConfig
}

const runningFile = "running.json"

func writeRunning(data string, r running) error {
	text, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(data, runningFile), text, 0o600)
}

func readRunning(data string) (r running, err error) {
	text, err := os.ReadFile(filepath.Join(data, runningFile))
	if errors.Is(err, os.ErrNotExist) {
		return r, fmt.Errorf("%s is not the data folder of a dev network", data)
	}
	if err != nil {
		return r, err
	}
	return r, json.Unmarshal(text, &r)
}
