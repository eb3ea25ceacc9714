package setup

import (
	"bytes"
	"fmt"
	"os"
	"strings"

	"github.com/joho/godotenv"
)

// Settings are the lines of a settings file in their order: the environment of the server and of every command.
type Settings []Setting

// Setting is one variable of the environment.
type Setting struct{ Name, Value string }

// Text returns the settings as systemd's EnvironmentFile= and POSIX shells read them.
func (s Settings) Text() string {
	text := "# Settings of the server and of every command. In a shell: set -a; . this file\n"
	for _, setting := range s {
		if setting.Value != "" {
			text += setting.Name + "=" + quoteSetting(setting.Value) + "\n"
		}
	}
	return text
}

// quoteSetting quotes a value. Within double quotes, shells and systemd treat the same characters as special.
func quoteSetting(value string) string {
	if !strings.ContainsFunc(value, func(c rune) bool { return !strings.ContainsRune(plainCharacters, c) }) {
		return value
	}
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "$", `\$`, "`", "\\`").Replace(value) + `"`
}

const plainCharacters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._:@,+-"

// ReadSettings returns the variables of a settings file.
func ReadSettings(path string) (map[string]string, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("settings: %w", err)
	}
	settings, err := godotenv.Parse(bytes.NewReader(text))
	if err != nil {
		return nil, fmt.Errorf("settings: %s: %w", path, err)
	}
	return settings, nil
}
