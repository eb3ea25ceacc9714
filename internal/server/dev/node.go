package dev

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"moonfund/internal/bitcoin/chain"
)

// Node is the content of the file in a dev network's data folder from which the operator's commands read the address of
// the network's node.
type Node struct {
	Network string
	Node    chain.ClientConfig
}

const nodeFile = "running.json"

// WriteNode writes the file to the data folder of a dev network.
func WriteNode(data string, n Node) error {
	text, err := json.MarshalIndent(n, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(data, nodeFile), text, 0o600)
}

// ReadNode reads the file from the data folder of a dev network. It returns an error if the folder has no such file.
func ReadNode(data string) (n Node, err error) {
	text, err := os.ReadFile(filepath.Join(data, nodeFile))
	if errors.Is(err, os.ErrNotExist) {
		return n, fmt.Errorf("%s is not the data folder of a dev network", data)
	}
	if err != nil {
		return n, err
	}
	return n, json.Unmarshal(text, &n)
}
