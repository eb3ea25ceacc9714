package setup

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"

	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/signer"
)

const (
	communitiesName = "communities"
	keyWords        = 24 // of a new key
)

// Folder is a folder to create.
type Folder struct {
	Path  string
	Mode  fs.FileMode
	Owner *Owner
}

// Plan contains the folders and files that a setup writes.
type Plan struct {
	Folders []Folder
	Files   []File
}

// owner returns the user that runs the server, or nil if the files belong to the user of this program.
func (s *Setup) owner() (*Owner, error) {
	if os.Geteuid() != 0 || s.ServiceUser == "" || s.ServiceUser == "root" {
		return nil, nil
	}
	account, err := user.Lookup(s.ServiceUser)
	if err != nil {
		return nil, fmt.Errorf("the system has no user %s", s.ServiceUser)
	}
	uid, errUID := strconv.Atoi(account.Uid)
	gid, errGID := strconv.Atoi(account.Gid)
	return &Owner{uid, gid}, errors.Join(errUID, errGID)
}

// Plan returns the folders and files to write, including the key file. It opens or creates the key.
func (s *Setup) Plan() (plan Plan, err error) {
	owner, err := s.owner()
	if err != nil {
		return plan, err
	}
	var group *Owner // root owns the settings, and the server's group may read them
	if owner != nil {
		group = &Owner{0, owner.GID}
	}
	secret, key, err := s.openKey()
	if err != nil {
		return plan, err
	}
	communities := filepath.Join(s.Folder, communitiesName)
	plan.Folders = []Folder{
		{s.Folder, 0o755, nil}, {communities, 0o755, nil}, {s.Data, 0o750, owner}, {filepath.Dir(s.Key), 0o700, owner},
		{s.Backups, 0o750, owner},
	}
	plan.Files = []File{
		{s.settingsFile(), s.Settings().Text(), 0o640, group, "settings", false},
		{filepath.Join(communities, s.Prefix+".toml"), s.Manifest(), 0o644, nil, "manifest", false},
		{filepath.Join(s.Folder, passphrase), secret + "\n", 0o600, nil, "passphrase of the key file, for systemd", false},
	}
	if key != "" {
		plan.Files = append(plan.Files, File{s.Key, key, 0o600, owner, "key file, encrypted", true})
	}
	if unit := s.unitFile(); unit != "" {
		plan.Files = append(plan.Files, File{unit, s.unit().Text(), 0o644, nil, "systemd unit", false})
	}
	plan.Files = append(plan.Files, File{s.caddyfile(), s.Caddyfile(), 0o644, nil, "proxy, for Caddy", false})
	return plan, nil
}

func (s *Setup) settingsFile() string { return filepath.Join(s.Folder, SettingsName) }

// noUnit is the value of --unit for which no unit is written.
const noUnit = "none"

// unitFile returns the path of the unit, or "" if none is written, because the package's unit suffices for the default
// paths.
func (s *Setup) unitFile() string {
	switch {
	case s.Unit == noUnit:
		return ""
	case s.Unit != "":
		return s.Unit
	case s.packaged():
		return ""
	}
	return DefaultUnit
}

// packaged reports whether the package's unit is installed and has the text that setup would write.
func (s *Setup) packaged() bool {
	text, err := os.ReadFile(PackagedUnit)
	return err == nil && string(text) == s.unit().Text()
}

func (s *Setup) unit() Unit {
	return Unit{
		Program: s.Program, User: s.ServiceUser, Settings: s.settingsFile(), Passphrase: filepath.Join(s.Folder, passphrase),
		Writable: topmost(s.Data, filepath.Dir(s.Key), s.Backups),
	}
}

// topmost returns the folders that are not inside another one of the folders.
func topmost(folders ...string) (all []string) {
	for i, folder := range folders {
		within := false
		for j, other := range folders {
			within = within || strings.HasPrefix(folder, other+"/") || folder == other && j < i
		}
		if !within {
			all = append(all, folder)
		}
	}
	return all
}

// Settings returns the settings of the server.
func (s *Setup) Settings() Settings {
	return Settings{
		{"MOONFUND_NETWORK", s.Network}, {"MOONFUND_NODE_URL", s.NodeURL}, {"MOONFUND_NODE_COOKIE", s.NodeCookie},
		{"MOONFUND_NODE_USER", s.NodeUser}, {"MOONFUND_NODE_PASSWORD", s.NodePassword}, {"MOONFUND_DOMAIN", s.Domain},
		{"MOONFUND_COMMUNITIES", filepath.Join(s.Folder, communitiesName)}, {"MOONFUND_DATA", s.Data},
		{"MOONFUND_KEY", s.Key}, {"MOONFUND_BACKUPS", s.Backups}, {"MOONFUND_LISTEN", s.Listen},
		{"MOONFUND_METRICS", s.Metrics}, {"MOONFUND_PROXY", s.Proxy},
	}
}

// openKey returns the passphrase and, for a new key, the text of its file.
func (s *Setup) openKey() (secret, text string, err error) {
	if s.KeyKind == existingKey {
		if secret, err = s.Passphrase(false); err == nil {
			var keys *signer.Keys
			if keys, err = signer.OpenKeyFile(s.Key, secret); err == nil {
				err = s.setStatementKey(keys)
			}
		}
		return secret, "", err
	}
	if secret, err = s.Passphrase(true); err != nil {
		return "", "", err
	}
	created, err := signer.NewSecret(signer.Scheme(s.KeyScheme), keyWords)
	if err != nil {
		return "", "", err
	}
	defer created.Clear()
	keys, err := created.Keys()
	if err == nil {
		err = s.setStatementKey(keys)
	}
	if err != nil {
		return "", "", err
	}
	if s.ShowWords != nil && created.Scheme == signer.SchemeBIP39 {
		if err := s.ShowWords(created); err != nil {
			return "", "", fmt.Errorf("%w. Nothing was written", err)
		}
	}
	data, err := signer.KeyFileText(secret, created)
	return secret, string(data), err
}

// setStatementKey derives the key of the statements of the manifest's account.
func (s *Setup) setStatementKey(keys *signer.Keys) error {
	network, err := chain.NetworkByName(s.Network)
	if err != nil {
		return err
	}
	key, err := keys.StatementKey(manifestAccount, network)
	s.StatementKey = key.String()
	return err
}

// Write creates the folders and writes the files. If a file can't be written, Write removes the folders that it created
// and that are empty. A key file is never overwritten.
func (p Plan) Write(overwrite bool) (err error) {
	var created []string
	defer func() {
		for i := len(created) - 1; err != nil && i >= 0; i-- {
			_ = os.Remove(created[i]) // fails if the folder is not empty
		}
	}()
	for _, f := range p.Folders {
		made, err := f.create()
		created = append(created, made...)
		if err != nil {
			return fmt.Errorf("%s: %s. Nothing was written. %s", f.Path, reason(err), writeAdvice(err))
		}
	}
	return Write(p.Files, overwrite)
}

// create creates a folder and its missing parents, and returns the created folders.
func (f Folder) create() (created []string, err error) {
	if _, err := os.Stat(f.Path); err == nil {
		return nil, nil
	}
	if above := filepath.Dir(f.Path); above != f.Path {
		if created, err = (Folder{Path: above, Mode: 0o755}).create(); err != nil {
			return created, err
		}
	}
	if err := os.Mkdir(f.Path, f.Mode); err != nil {
		return created, err
	}
	created = append(created, f.Path)
	if f.Owner != nil {
		err = os.Chown(f.Path, f.Owner.UID, f.Owner.GID)
	}
	return created, err
}

// Next returns the operator's next steps, one per line.
func (s *Setup) Next() []string {
	program := "sudo moonfund"
	if s.Folder != DefaultFolder {
		program = "moonfund --settings " + quoteSetting(s.settingsFile())
	}
	serve := "sudo systemctl enable --now moonfund"
	if s.Unit == noUnit {
		serve = program + " serve"
	}
	return []string{
		"Copy " + s.Key + " to two other places, and write the passphrase on paper, in a third. " +
			"`moonfund key backup` shows the key as words.",
		"Create the ledger, once:", "  " + program + " init",
		"Start the server:", "  " + serve,
		"Let a proxy terminate TLS, such as Caddy (for nginx: /usr/share/doc/moonfund/examples):",
		"  sudo cp " + quoteSetting(s.caddyfile()) + " /etc/caddy/Caddyfile", "  sudo systemctl reload caddy",
		"Check the running server:", "  " + program + " doctor",
		"Send runes and sats to the addresses that init printed, and credit them:",
		"  " + program + " treasury credit " + s.Prefix,
		"Then choose who is notified when something needs a person, and copy backups to another machine: " +
			"`moonfund help notifications`, `moonfund help reference`.",
	}
}
