package setup

import (
	_ "embed"
	"path/filepath"
	"slices"
	"strings"
	"text/template"
)

//go:embed moonfund.service.tmpl
var unitText string

var unitTemplate = template.Must(template.New("").Parse(unitText))

// Unit is a systemd unit of the server.
type Unit struct {
	Program    string // the program's path
	User       string
	Settings   string   // the settings file
	Passphrase string   // file with the passphrase of the key file; systemd reads it as root
	Writable   []string // folders of the ledger, the key file and the backups
}

// Defaults of a machine with one server. The package installs a unit with them.
const (
	DefaultFolder = "/etc/moonfund"
	DefaultUser   = "moonfund"
	DefaultUnit   = "/etc/systemd/system/moonfund.service"
	PackagedUnit  = "/usr/lib/systemd/system/moonfund.service"
	SettingsName  = "moonfund.env"
	passphrase    = "passphrase"
)

// DefaultUnitOf returns the unit for setup's default paths.
func DefaultUnitOf(program string) Unit {
	return Unit{
		Program: program, User: DefaultUser, Settings: filepath.Join(DefaultFolder, SettingsName),
		Passphrase: filepath.Join(DefaultFolder, passphrase),
		Writable:   []string{"/var/lib/moonfund", "/var/backups/moonfund"},
	}
}

// Text returns the unit file.
func (u Unit) Text() string {
	var text strings.Builder
	slices.Sort(u.Writable)
	u.Writable = slices.Compact(u.Writable)
	if err := unitTemplate.Execute(&text, u); err != nil {
		panic(err) // a strings.Builder does not fail, and the data has every value
	}
	return text.String()
}
