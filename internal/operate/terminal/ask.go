package terminal

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/term"
)

// ErrDeclined is returned by Confirm if the operator does not type yes.
var ErrDeclined = errors.New("nothing was done")

// Confirm prints the preview to standard error and returns nil if the operator types yes, or ErrDeclined otherwise. If
// yes is set, it does not prompt.
func Confirm(preview string, yes bool) error {
	fmt.Fprintln(os.Stderr, strings.TrimRight(preview, "\n"))
	if yes {
		return nil
	}
	fmt.Fprint(os.Stderr, "Type yes to do it: ")
	answer, err := bufio.NewReader(os.Stdin).ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	if strings.TrimSpace(answer) != "yes" {
		return ErrDeclined
	}
	return nil
}

// Environment variables that may hold a passphrase, for a server that starts without an operator and for scripts.
const (
	PassphraseVariable    = "MOONFUND_PASSPHRASE"
	NewPassphraseVariable = "MOONFUND_NEW_PASSPHRASE" // the new passphrase of a key file
)

// Input is buffered standard input. A command must read all its input through one Input.
type Input struct{ *bufio.Reader }

// NewInput returns an Input that reads os.Stdin.
func NewInput() Input { return Input{bufio.NewReader(os.Stdin)} }

// Line prints a prompt to standard error and reads a line, without its line break. It returns an error at the end of
// the input.
func (in Input) Line(prompt string) (string, error) {
	fmt.Fprintf(os.Stderr, "%s: ", prompt)
	line, err := in.ReadString('\n')
	line = strings.TrimRight(line, "\r\n")
	if err != nil && line == "" {
		return "", errors.New("nothing was typed")
	}
	return line, nil
}

// fromFile is appended to the name of a variable that holds a secret. The variable with this suffix holds the path of a
// file with the secret, such as a systemd credential.
const fromFile = "_FILE"

// credentials names the folder with the service's credentials (systemd.exec). The credential of MOONFUND_X is x.
const credentials = "CREDENTIALS_DIRECTORY"

// Secret returns the secret in an environment variable MOONFUND_X, else in the file that MOONFUND_X_FILE names, else in
// the systemd credential x. It returns "" if there is none.
func Secret(variable string) (string, error) {
	if text := os.Getenv(variable); text != "" {
		return text, nil
	}
	path, source := os.Getenv(variable+fromFile), variable+fromFile
	if path == "" {
		folder := os.Getenv(credentials)
		if folder == "" {
			return "", nil
		}
		path, source = filepath.Join(folder, strings.ToLower(strings.TrimPrefix(variable, "MOONFUND_"))), credentials
	}
	secret, err := os.ReadFile(path)
	if source == credentials && errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", fmt.Errorf("%s: %w", source, err)
	}
	text, _, _ := strings.Cut(string(secret), "\n")
	if text = strings.TrimSuffix(text, "\r"); text == "" {
		return "", fmt.Errorf("%s: %s is empty", source, path)
	}
	return text, nil
}

// Passphrase returns the secret of an environment variable (Secret). If there is none, it prompts, without an echo on a
// terminal. It returns an error if the passphrase is empty.
func (in Input) Passphrase(variable, prompt string) (string, error) {
	if text, err := Secret(variable); text != "" || err != nil {
		return text, err
	}
	none := errors.New("no passphrase: type one, or set " + variable)
	if !term.IsTerminal(int(os.Stdin.Fd())) {
		line, err := in.Line(prompt)
		if err != nil {
			return "", none
		}
		return line, nil
	}
	fmt.Fprintf(os.Stderr, "%s: ", prompt)
	text, err := term.ReadPassword(int(os.Stdin.Fd()))
	fmt.Fprintln(os.Stderr)
	if err != nil || len(text) == 0 {
		return "", none
	}
	return string(text), nil
}

// NewPassphrase is like Passphrase, for a new passphrase: on a terminal the operator must type it twice.
func (in Input) NewPassphrase(variable, prompt string) (string, error) {
	secret, err := in.Passphrase(variable, prompt)
	if text, _ := Secret(variable); err != nil || text != "" || !term.IsTerminal(int(os.Stdin.Fd())) {
		return secret, err
	}
	again, err := in.Passphrase(variable, "Repeat it")
	if err == nil && again != secret {
		err = errors.New("the passphrases differ: nothing was changed")
	}
	return secret, err
}

// ClearScreen clears the terminal and its scrollback, and moves the cursor to the top.
func ClearScreen() { fmt.Print("\x1b[3J\x1b[2J\x1b[H") }
