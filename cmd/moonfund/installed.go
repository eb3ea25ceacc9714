package main

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/user"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"github.com/alecthomas/kong"

	"moonfund/internal/operate/setup"
	"moonfund/internal/operate/terminal"
)

// withoutSettings are the commands that neither read the installed settings nor act for the service: they make
// settings, or have a network or files of their own.
var withoutSettings = []string{"setup", "dev", "unit-file", "recover", "key new", "manifest example"}

// informs reports whether a command line asks for a text that depends on no setting.
func informs(args []string) bool {
	return len(args) > 0 && (args[0] == "help" || args[0] == "version") ||
		slices.ContainsFunc(args, func(arg string) bool { return arg == "--help" || arg == "-h" || arg == "--version" })
}

// forInstallation reports whether a command line is about the installed server.
func forInstallation(args []string) bool {
	if len(args) == 0 || informs(args) {
		return false
	}
	line := strings.Join(args, " ") + " "
	return !slices.ContainsFunc(withoutSettings, func(command string) bool {
		return strings.HasPrefix(line, command+" ")
	})
}

// installedSettings returns path if a settings file is there and the command line names no other one; "" otherwise.
func installedSettings(path string, args []string) string {
	named := slices.ContainsFunc(args, func(arg string) bool { return strings.HasPrefix(arg, "--settings") })
	if _, err := os.Stat(path); named || errors.Is(err, fs.ErrNotExist) {
		return ""
	}
	return path
}

// applySettings sets the variables of a settings file that the environment does not set. It returns an error if one of
// them is unknown.
func applySettings(parser *kong.Kong, path string) error {
	settings, err := setup.ReadSettings(path)
	if errors.Is(err, fs.ErrPermission) {
		return fmt.Errorf("%w. Run the command with sudo", err)
	}
	if err == nil {
		err = checkNames(parser, path, slices.Collect(maps.Keys(settings)))
	}
	if err != nil {
		return err
	}
	for name, value := range settings {
		if _, set := os.LookupEnv(name); !set && value != "" {
			if err := os.Setenv(name, value); err != nil {
				return err
			}
		}
	}
	return nil
}

// actAsService gives a command of root the user that owns its data folder, so that it leaves no file there that the
// server can't read. The command can still become root for a file that belongs to root. It changes nothing for another
// user, or if root owns the folder.
func actAsService(data string) error {
	info, err := os.Stat(data)
	if os.Geteuid() != 0 || data == "" || err != nil {
		return nil
	}
	owner, known := info.Sys().(*syscall.Stat_t)
	if !known || owner.Uid == 0 {
		return nil
	}
	groups := []int{int(owner.Gid)}
	if account, err := user.LookupId(strconv.Itoa(int(owner.Uid))); err == nil { // for the node's cookie, for example
		ids, _ := account.GroupIds()
		for _, id := range ids {
			if n, err := strconv.Atoi(id); err == nil {
				groups = append(groups, n)
			}
		}
	}
	return errors.Join(syscall.Setgroups(groups), syscall.Setresgid(-1, int(owner.Gid), -1),
		syscall.Setresuid(-1, int(owner.Uid), -1))
}

// asRoot runs fn as root if the command was started by root.
func asRoot(fn func() error) error {
	effective := os.Geteuid()
	if os.Getuid() != 0 || effective == 0 {
		return fn()
	}
	if err := syscall.Setresuid(-1, 0, -1); err != nil {
		return err
	}
	return errors.Join(fn(), syscall.Setresuid(-1, effective, -1))
}

// asCaller runs fn, and again as root if the service's user may not do it and root started the command. It is for files
// that the operator names, such as those of root's own folder. What the service's user may write stays its own.
func asCaller(fn func() error) error {
	err := fn()
	if errors.Is(err, fs.ErrPermission) && os.Getuid() == 0 && os.Geteuid() != 0 {
		return asRoot(fn)
	}
	return err
}

// present reports whether there is a file that the operator names.
func present(path string) bool {
	return asCaller(func() error {
		_, err := os.Lstat(path)
		return err
	}) == nil
}

// dataFolder returns the folder on which a command works: of the ledger, or of a signer.
func dataFolder(parsed *kong.Context) string {
	for _, flag := range parsed.Flags() {
		if flag.Name == "data" {
			folder, _ := parsed.FlagValue(flag).(string)
			return folder
		}
	}
	return os.Getenv("MOONFUND_DATA")
}

// ours is the prefix of the variables that this program reads.
const ours = "MOONFUND_"

// otherVariables are the variables MOONFUND_… that no command reads but that may be set while one runs: of tests, of
// benchmarks and of the compose file. TestVariablesOfTheTree checks that there are no others.
var otherVariables = []string{
	"MOONFUND_BENCH_CGROUP", "MOONFUND_BENCH_NODE", "MOONFUND_CORE_NODE", "MOONFUND_FIGURES", "MOONFUND_HOSTILE",
	"MOONFUND_ORD", "MOONFUND_PACKAGE", "MOONFUND_TEST_ENGINE", "MOONFUND_TEST_NODE", "MOONFUND_VERSION",
}

// variables returns the variables that the commands read. One with a secret may also name its file.
func variables(parser *kong.Kong) map[string]bool {
	known := map[string]bool{}
	_ = kong.Visit(parser.Model.Node, func(node kong.Visitable, next kong.Next) error {
		if flag, is := node.(*kong.Flag); is {
			for _, name := range flag.Envs {
				known[name] = true
			}
		}
		return next(nil)
	})
	passphrases := []string{terminal.PassphraseVariable, terminal.NewPassphraseVariable}
	for _, name := range slices.Concat(secretVariables, passphrases) {
		known[name], known[name+"_FILE"] = true, true
	}
	return known
}

// environment returns the names of the environment's variables.
func environment() (names []string) {
	for _, line := range os.Environ() {
		name, _, _ := strings.Cut(line, "=")
		names = append(names, name)
	}
	return names
}

// checkNames returns an error for an unknown variable MOONFUND_… in a file or another place: it would have no effect.
func checkNames(parser *kong.Kong, place string, names []string) error {
	known := variables(parser)
	for _, name := range slices.Sorted(slices.Values(names)) {
		if !strings.HasPrefix(name, ours) || known[name] || slices.Contains(otherVariables, name) {
			continue
		}
		do := "Remove it; `moonfund COMMAND --help` names the settings"
		if near := nearest(known, name); near != "" {
			do = "Do you mean " + near + "?"
		}
		return fmt.Errorf("%s: there is no setting %s. %s", place, name, do)
	}
	return nil
}

// nearest returns the known name with the fewest changed letters, or "" if more than two and more than half of the
// letters after the prefix would change.
func nearest(known map[string]bool, name string) (near string) {
	least := max(2, (len(name)-len(ours))/2) + 1
	for _, other := range slices.Sorted(maps.Keys(known)) {
		if d := editDistance(name, other); d < least {
			near, least = other, d
		}
	}
	return near
}

// editDistance returns the number of letters to insert, delete or replace until a is b.
func editDistance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			diagonal, row[j+1] = row[j+1], min(row[j+1]+1, row[j]+1, diagonal+cost)
		}
	}
	return row[len(b)]
}

// missingFlag matches the names of missing flags in an error of kong.
var missingFlag = regexp.MustCompile(`--([a-z-]+)=`)

// explainMissing says which settings a command line lacks, by variable and file; "" if none.
func explainMissing(parser *kong.Kong, err error, path string) string {
	if err == nil || !strings.HasPrefix(err.Error(), "missing flags:") {
		return ""
	}
	var parse *kong.ParseError
	if !errors.As(err, &parse) || parse.Context == nil {
		return ""
	}
	var names []string
	for _, match := range missingFlag.FindAllStringSubmatch(err.Error(), -1) {
		for _, flag := range parse.Context.Flags() {
			if flag.Name == match[1] && len(flag.Envs) > 0 {
				names = append(names, flag.Envs[0])
			}
		}
	}
	if len(names) == 0 {
		return ""
	}
	if path == "" {
		path = filepath.Join(setup.DefaultFolder, setup.SettingsName) + ", which `moonfund setup` writes"
	}
	return "set " + strings.Join(names, " and ") + " in " + path
}
