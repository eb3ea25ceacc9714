package community

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

// Examples contains manifests/lobo.toml for mainnet and manifests/dev/*.toml for a dev network.
//
//go:embed manifests
var Examples embed.FS

// Dev returns the built-in manifests of a dev network: LOBO and the test community.
func Dev() ([]Manifest, error) {
	var manifests []Manifest
	for _, name := range []string{"lobo.toml", "dummy.toml"} {
		text, err := Examples.ReadFile("manifests/dev/" + name)
		if err != nil {
			return nil, err
		}
		m, err := Read(name, text, "regtest")
		if err != nil {
			return nil, err
		}
		manifests = append(manifests, m)
	}
	return manifests, Together(manifests)
}

// Load reads and validates the manifest at a path for a network (mainnet, testnet, testnet4, signet or regtest). The
// error is Problems if the file can be read but is invalid.
func Load(path, network string) (Manifest, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return Manifest{}, fmt.Errorf("community manifest: %w", err)
	}
	return Read(filepath.Base(path), data, network)
}

// Files returns the paths of the manifests in a folder: the *.toml files that are not hidden, in the order of their
// names. macOS and some editors leave copies such as ._lobo.toml beside a file. It returns an error if this user may
// not read the folder, and no path if there is no such folder.
func Files(dir string) (paths []string, err error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrPermission) {
		return nil, err
	}
	for _, entry := range entries {
		if name := entry.Name(); filepath.Ext(name) == ".toml" && !strings.HasPrefix(name, ".") {
			paths = append(paths, filepath.Join(dir, name))
		}
	}
	return paths, nil
}

// LoadDir loads every *.toml file of a folder that is not hidden, in the order of their names, and checks that the
// manifests do not conflict (see Together). It returns an error if there is no such file. The error is Problems if a
// file is invalid.
func LoadDir(dir, network string) ([]Manifest, error) {
	paths, err := Files(dir)
	if err != nil {
		return nil, fmt.Errorf("community manifests: %w", err)
	}
	if len(paths) == 0 {
		if info, err := os.Stat(dir); err == nil && !info.IsDir() {
			return nil, fmt.Errorf("community manifests: no *.toml file in %s, which is a file itself: name its folder", dir)
		}
		return nil, fmt.Errorf("community manifests: no *.toml file in %s; one per community is wanted", dir)
	}
	var (
		manifests []Manifest
		names     []string
		problems  Problems
	)
	for _, path := range paths {
		m, err := Load(path, network)
		var wrong Problems
		switch {
		case errors.As(err, &wrong):
			problems = append(problems, wrong...)
		case err != nil:
			return nil, err
		default:
			manifests, names = append(manifests, m), append(names, filepath.Base(path))
		}
	}
	problems = append(problems, conflicts(manifests, names)...)
	if len(problems) > 0 {
		return nil, problems
	}
	return manifests, nil
}

// Together checks that the prefixes, hosts, accounts, runes, names and tokens of one server's manifests are unique. The
// error is Problems.
func Together(manifests []Manifest) error {
	names := make([]string, len(manifests))
	for i, m := range manifests {
		names[i] = m.Prefix
	}
	if problems := conflicts(manifests, names); len(problems) > 0 {
		return problems
	}
	return nil
}

// conflicts returns a problem for each value that an earlier manifest has. names are the files' names.
func conflicts(manifests []Manifest, names []string) Problems {
	var problems Problems
	owners := map[[2]string]string{}
	for i, m := range manifests {
		for _, key := range [][2]string{
			{"prefix", m.Prefix}, {"host", m.Host}, {"account", fmt.Sprint(m.Account)}, {"rune.id", m.Rune.ID},
			{"rune.name", m.Rune.Name},
			{"name", m.Name}, {"token", m.Token},
		} {
			if key[1] == "" {
				continue
			}
			same := [2]string{key[0], strings.ToLower(key[1])} // users can't tell WOLF and Wolf apart
			if owner, taken := owners[same]; taken {
				problems = append(problems, Problem{names[i], key[0], key[1], "a value that " + owner + " does not use"})
			}
			owners[same] = names[i]
		}
	}
	return problems
}

// Read parses and validates the TOML text of a manifest for a network. name is the file name in the problems. The error
// is Problems.
func Read(name string, data []byte, network string) (Manifest, error) {
	if !networks[network] {
		return Manifest{}, Problems{{name, "network", strconv.Quote(network),
			"mainnet, testnet, testnet4, signet or regtest"}}
	}
	if bytes.HasPrefix(data, []byte{0xff, 0xfe}) || bytes.HasPrefix(data, []byte{0xfe, 0xff}) {
		return Manifest{}, Problems{{name, "the file", "text in UTF-16", "text saved as UTF-8"}}
	}
	data = bytes.TrimPrefix(data, []byte("\ufeff")) // some editors start a UTF-8 file with a byte order mark
	table := map[string]any{}
	if err := toml.Unmarshal(data, &table); err != nil {
		return Manifest{}, Problems{{name, position(err), err.Error(), "valid TOML, every key once"}}
	}
	var problems Problems
	m := build(&reader{file: name, table: table, used: map[string]bool{}, problems: &problems}, network)
	if len(problems) > 0 {
		return Manifest{}, problems
	}
	return m, nil
}

// position returns the line and the column of a syntax error.
func position(err error) string {
	var syntax *toml.DecodeError
	if !errors.As(err, &syntax) {
		return "the file"
	}
	row, column := syntax.Position()
	return fmt.Sprintf("line %d, column %d", row, column)
}
