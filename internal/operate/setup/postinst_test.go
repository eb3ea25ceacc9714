package setup_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"moonfund/internal/testkit"
)

// TestPackageScripts runs the scripts of the .deb in a root of their own. Programs that only log replace those of the
// system. The server is restarted unless its ledger must be migrated, and the root of the machine is never touched.
func TestPackageScripts(t *testing.T) {
	programs := t.TempDir()
	log := filepath.Join(programs, "log")
	for _, name := range []string{"systemd-sysusers", "systemd-tmpfiles", "systemctl", "moonfund"} {
		text := "#!/bin/sh\necho \"$(basename \"$0\") $*\" >>" + log + "\n"
		if name == "moonfund" {
			text += "exit \"$LEDGER\"\n"
		}
		testkit.Must(t, os.WriteFile(filepath.Join(programs, name), []byte(text), 0o755))
	}
	const (
		prepares = "systemd-sysusers --root=ROOT moonfund.conf\nsystemd-tmpfiles --root=ROOT --create moonfund.conf\n"
		asks     = prepares + "systemctl daemon-reload\nmoonfund ledger upgrade --check\n"
		restarts = "systemctl try-restart moonfund.service\n"
		waits    = "Migrate its ledger when it suits you:\n  systemctl stop moonfund; moonfund ledger upgrade; "
	)
	for _, row := range []struct {
		line    string // the script and its arguments
		systemd bool   // systemd runs
		ledger  string // exit status of moonfund ledger upgrade --check
		calls   string
		printed string
	}{
		{"postinst configure", false, "0", prepares, "moonfund: run 'moonfund setup' next.\n"},
		{"postinst configure", true, "0", asks + restarts, "moonfund: run 'moonfund setup' next.\n"},
		{"postinst configure 1.1-1", true, "0", asks + restarts, ""},
		{"postinst configure 1.1-1", true, "1", asks, waits},
		{"postinst abort-upgrade 1.2-1", true, "0", "", ""},
		{"prerm remove", true, "0", "systemctl --no-reload disable --now moonfund.service\n", ""},
		{"prerm remove", false, "0", "", ""},
		{"prerm upgrade 1.2-1", true, "0", "", ""},
		{"postrm purge", true, "0", "systemctl daemon-reload\n", "the ledger, the key and the settings stay"},
		{"postrm remove", false, "0", "", ""},
	} {
		root := t.TempDir()
		if row.systemd {
			testkit.Must(t, os.MkdirAll(filepath.Join(root, "run/systemd/system"), 0o755))
		}
		testkit.Must(t, os.WriteFile(log, nil, 0o600))
		arguments := strings.Fields("../../../packaging/" + row.line)
		command := exec.Command("sh", arguments...)
		command.Env = []string{"PATH=" + programs + ":/usr/bin:/bin", "DPKG_ROOT=" + root, "LEDGER=" + row.ledger}
		printed, err := command.CombinedOutput()
		if err != nil || !strings.Contains(string(printed), row.printed) || row.printed == "" && len(printed) > 0 {
			t.Errorf("%s printed %q, error %v; want %q", row.line, printed, err, row.printed)
		}
		calls, err := os.ReadFile(log)
		testkit.Must(t, err)
		if want := strings.ReplaceAll(row.calls, "ROOT", root); string(calls) != want {
			t.Errorf("%s (systemd: %v, ledger: %s) called\n%s\nwant\n%s", row.line, row.systemd, row.ledger, calls, want)
		}
	}
}
