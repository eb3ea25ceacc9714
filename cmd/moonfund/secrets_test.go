package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/kong"

	"moonfund/internal/testkit"
)

// TestSecretsOfFlags reads the secrets of flags from files and from systemd credentials. The command line and the
// environment override them.
func TestSecretsOfFlags(t *testing.T) {
	folder := t.TempDir()
	t.Setenv("CREDENTIALS_DIRECTORY", folder)
	for name, text := range map[string]string{"node_password": "of the credential", "file": "postgres://u:p@host/db"} {
		testkit.Must(t, os.WriteFile(filepath.Join(folder, name), []byte(text+"\n"), 0o600))
	}
	t.Setenv("MOONFUND_DATABASE_FILE", filepath.Join(folder, "file"))
	serve := []string{"serve", "--communities", t.TempDir(), "--domain", "example.org"}
	cli, err := parse(t, serve...)
	testkit.Must(t, err)
	if cli.Serve.Password != "of the credential" || cli.Serve.Database != "postgres://u:p@host/db" {
		t.Errorf("the flags have the password %q and the database %q", cli.Serve.Password, cli.Serve.Database)
	}
	cli, err = parse(t, append(serve, "--node-password", "given")...)
	testkit.Must(t, err)
	if cli.Serve.Password != "given" {
		t.Errorf("the flag does not override the credential: %q", cli.Serve.Password)
	}
	t.Setenv("MOONFUND_NODE_PASSWORD", "of the environment")
	t.Setenv("MOONFUND_DATABASE_FILE", filepath.Join(folder, "none"))
	cli, err = parse(t, "order", "list", "--database", "sqlite:a.db")
	testkit.Must(t, err)
	if cli, err = parse(t, serve...); err == nil || !strings.Contains(err.Error(), "MOONFUND_DATABASE_FILE: open ") {
		t.Errorf("parse with a missing file: got error %v, password %q", err, cli.Serve.Password)
	}
	t.Setenv("MOONFUND_DATABASE_FILE", "")
	if cli, err = parse(t, serve...); err != nil || cli.Serve.Password != "of the environment" {
		t.Errorf("the environment does not override the credential: %q, %v", cli.Serve.Password, err)
	}
}

// TestEverySecretMayBeAFile compares secretVariables with the flags whose name says that they hold a secret. A flag of
// type path names a file: its value is no secret.
func TestEverySecretMayBeAFile(t *testing.T) {
	parser, err := kong.New(new(commands), parserOptions()...)
	testkit.Must(t, err)
	secret := regexp.MustCompile(`PASSWORD|PASSPHRASE|SECRET|TOKEN|_KEY$|DATABASE`)
	var found []string
	testkit.Must(t, kong.Visit(parser.Model.Node, func(node kong.Visitable, next kong.Next) error {
		if flag, is := node.(*kong.Flag); is {
			for _, variable := range flag.Envs {
				if secret.MatchString(variable) && flag.Tag.Type != "path" && !slices.Contains(found, variable) {
					found = append(found, variable)
				}
			}
		}
		return next(nil)
	}))
	want := slices.Clone(secretVariables)
	slices.Sort(want)
	slices.Sort(found)
	if !slices.Equal(found, want) {
		t.Errorf("flags with secrets: got %v, want %v", found, want)
	}
}

// TestLogLevel writes lines of every level and checks which ones the log of each level contains.
func TestLogLevel(t *testing.T) {
	for level, want := range map[string]string{
		"debug": "dddd iiii wwww eeee", "info": "iiii wwww eeee", "warn": "wwww eeee", "error": "eeee",
	} {
		cli, err := parse(t, "serve", "--communities", t.TempDir(), "--domain", "example.org", "--log-level", level)
		testkit.Must(t, err)
		var written bytes.Buffer
		log := newLog(&written, cli.Serve.LogLevel)
		log.Debug("dddd")
		log.Info("iiii")
		log.Warn("wwww")
		log.Error("eeee")
		got := strings.Join(regexp.MustCompile(`dddd|iiii|wwww|eeee`).FindAllString(written.String(), -1), " ")
		if got != want {
			t.Errorf("level %s logs %q, want %q", level, got, want)
		}
	}
	_, err := parse(t, "serve", "--communities", t.TempDir(), "--domain", "example.org", "--log-level", "loud")
	if err == nil || !strings.Contains(err.Error(), "--log-level") {
		t.Errorf("parse of an unknown log level: got error %v", err)
	}
}

// The console names the database without its password, also with several hosts.
func TestWithoutPassword(t *testing.T) {
	for address, want := range map[string]string{
		"postgres://u:p@host/db":               "postgres://u:xxxxx@host/db",
		"postgres://u:p@a:5432,b:5432/db?x=y":  "postgres://u:xxxxx@a:5432,b:5432/db?x=y",
		"postgres://u:p%@/d@host/db":           "postgres://u:xxxxx@host/db",
		"postgres://u@a,b/db?password=p&x=y":   "postgres://u@a,b/db?password=xxxxx&x=y",
		"postgres://u@a,b/db?sslpassword=p":    "postgres://u@a,b/db?sslpassword=xxxxx",
		"postgres://host:5432/db":              "postgres://host:5432/db",
		"sqlite:/var/lib/moonfund/a@b/file.db": "sqlite:/var/lib/moonfund/a@b/file.db",
	} {
		if got := withoutPassword(address); got != want {
			t.Errorf("%s is shown as %s, want %s", address, got, want)
		}
	}
}
