package console

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"golang.org/x/term"
)

// ErrDeclined is returned by Confirm if the operator does not answer yes.
var ErrDeclined = errors.New("nothing was done")

// Confirm shows what will happen and returns nil if the operator types yes. With yes set it does not ask.
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

// Confirmed asks a question on standard output and reports whether the answer is y or yes.
func Confirmed(question string) bool {
	fmt.Printf("%s [y/N] ", question)
	line, err := bufio.NewReader(os.Stdin).ReadString('\n')
	if err != nil && line == "" {
		return false
	}
	word := strings.ToLower(strings.TrimSpace(line))
	return word == "y" || word == "yes"
}

// Environment variables that may hold a passphrase, for a server that starts without an operator and for scripts.
const (
	PassphraseVariable    = "MOONFUND_PASSPHRASE"
	NewPassphraseVariable = "MOONFUND_NEW_PASSPHRASE" // that a key file is to get
)

// Input is standard input. One Input must read all that one command asks for, since it buffers.
type Input struct{ *bufio.Reader }

// NewInput returns an Input on the present standard input.
func NewInput() Input { return Input{bufio.NewReader(os.Stdin)} }

// Line asks for a line. Its end is cut off.
func (in Input) Line(prompt string) (string, error) {
	fmt.Fprintf(os.Stderr, "%s: ", prompt)
	line, err := in.ReadString('\n')
	line = strings.TrimRight(line, "\r\n")
	if err != nil && line == "" {
		return "", errors.New("nothing was typed")
	}
	return line, nil
}

// fromFile is appended to the name of a variable that holds a secret: the variable of that name holds the path of a
// file with the secret, such as a systemd credential.
const fromFile = "_FILE"

// given returns the secret in an environment variable, or in the file that the variable with _FILE names; "" for none.
func given(variable string) (string, error) {
	text, path := os.Getenv(variable), os.Getenv(variable+fromFile)
	if text != "" || path == "" {
		return text, nil
	}
	secret, err := os.ReadFile(path)
	if err != nil {
		return "", fmt.Errorf("%s: %w", variable+fromFile, err)
	}
	text, _, _ = strings.Cut(string(secret), "\n")
	if text = strings.TrimSuffix(text, "\r"); text == "" {
		return "", fmt.Errorf("%s: %s is empty", variable+fromFile, path)
	}
	return text, nil
}

// Passphrase returns the passphrase in an environment variable or in the file that the variable with _FILE names. If
// there is none, it asks for one, without an echo on a terminal.
func (in Input) Passphrase(variable, prompt string) (string, error) {
	if text, err := given(variable); text != "" || err != nil {
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

// NewPassphrase is Passphrase for one that is used for the first time: on a terminal it must be typed twice.
func (in Input) NewPassphrase(variable, prompt string) (string, error) {
	secret, err := in.Passphrase(variable, prompt)
	if text, _ := given(variable); err != nil || text != "" || !term.IsTerminal(int(os.Stdin.Fd())) {
		return secret, err
	}
	again, err := in.Passphrase(variable, "The same again")
	if err == nil && again != secret {
		err = errors.New("these are two different passphrases: nothing was done")
	}
	return secret, err
}

// ClearScreen removes everything from the terminal, also what was scrolled away, and goes to its top.
func ClearScreen() { fmt.Print("\x1b[3J\x1b[2J\x1b[H") }
