package setup

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/runes"
	"moonfund/internal/operate/decisions"
	"moonfund/internal/server/runeindex"
	"moonfund/internal/server/stop"
	"moonfund/internal/server/wiring"
	"moonfund/internal/signer"
	"moonfund/internal/staking/community"
	"moonfund/internal/store"
	"moonfund/internal/store/backup"
)

// Installation is a configured server, as its settings describe it.
type Installation struct {
	Network       chain.Network
	Node          *chain.Client
	Communities   string // folder of the manifests
	Data          string
	Database      string // address of the ledger
	Key           string // the key file; "" with a signer process
	Signer        string // socket of the signer process, or ""
	Backups       string
	BackupEvery   time.Duration
	BackupCommand string
	Domains       []string
	Listen        string
	Metrics       string
	Proxies       []string
	Version       string
	Receivers     func() ([]string, error) // names of the configured receivers of notifications

	Now          func() time.Time
	Synchronized func() (bool, error) // reports whether a time server sets the clock
	Client       *http.Client         // for requests to the public name
}

// Examine runs every check on an installation.
func (i Installation) Examine(ctx context.Context) (all []Finding) {
	now := i.Now()
	all = CheckNode(ctx, i.Node, i.Network, now)
	reachable := len(all) > 1
	node := i.Node
	if !reachable {
		node = nil
	}
	all = append(all, i.checkClock(ctx, node, now), CheckDisk(i.Data, i.Network.Name), CheckFolder("data", i.Data),
		i.checkBackups(now), i.checkCopies(now), i.checkKey(), i.checkLedger(ctx), i.checkPauses(ctx),
		i.checkDeposits(ctx), i.checkMetrics(), i.checkReceivers())
	manifests, finding := i.checkManifests(ctx, reachable)
	all = append(all, finding)
	if len(manifests) > 0 {
		all = append(all, i.checkStatements(ctx, manifests))
	}
	for n, m := range manifests {
		site := Site{
			Listen: i.Listen, Prefix: m.Prefix, Host: m.Host + "." + i.Domains[0], Scheme: "https", Version: i.Version,
			Proxied: len(i.Proxies) > 0,
		}
		if n == 0 {
			all = append(all, CheckServer(ctx, site)...)
		}
		if i.Network.Name == "regtest" { // no proxy: every URL contains the port
			continue
		}
		if name := CheckName(ctx, site.Host); name.Level != OK {
			all = append(all, name)
			continue
		}
		all = append(all, CheckProxy(ctx, i.Client, site, now))
	}
	return all
}

// checkClock also compares the clock with the time of the ledger's last change.
func (i Installation) checkClock(ctx context.Context, node *chain.Client, now time.Time) Finding {
	if changed, err := i.lastChange(ctx); err == nil && changed.After(now.Add(time.Minute)) {
		return failed("clock", fmt.Sprintf("the clock shows %s, but the ledger was changed at %s", utc(now), utc(changed)),
			"Set the clock: timedatectl set-ntp true.")
	}
	return CheckClock(ctx, node, now, i.Synchronized)
}

// openLedger opens the ledger at an address. It neither creates nor migrates the ledger.
func openLedger(ctx context.Context, address string) (*store.Store, error) {
	if path, isFile := strings.CutPrefix(address, "sqlite:"); isFile {
		if _, err := os.Stat(path); err != nil {
			return nil, err
		}
	}
	return store.OpenWithoutMigration(ctx, address)
}

// lastChange returns the time of the ledger's last change.
func (i Installation) lastChange(ctx context.Context) (changed time.Time, err error) {
	db, err := openLedger(ctx, i.Database)
	if err != nil {
		return changed, err
	}
	defer db.Close()
	err = db.View(ctx, func(tx *store.Tx) error {
		changed, err = tx.LastChange(ctx)
		return err
	})
	return changed, err
}

// checkLedger opens the ledger. It neither creates nor migrates the ledger.
func (i Installation) checkLedger(ctx context.Context) Finding {
	const check = "ledger"
	switch _, err := i.lastChange(ctx); {
	case errors.Is(err, store.ErrNoLedger), errors.Is(err, os.ErrNotExist):
		return failed(check, "there is no ledger in "+i.Data,
			"Mount its disk, or restore a backup; for a new server: moonfund init.")
	case err != nil:
		return failed(check, err.Error(), "Do what it says; otherwise see the server's log.")
	}
	return ok(check, "opens")
}

// checkPauses reports every pause with its reason.
func (i Installation) checkPauses(ctx context.Context) Finding {
	const check = "pauses"
	db, err := openLedger(ctx, i.Database)
	if err != nil {
		return ok(check, "unknown without a ledger")
	}
	defer db.Close()
	var found, advice []string
	err = db.View(ctx, func(tx *store.Tx) error {
		pauses, err := stop.Pauses(ctx, tx)
		for _, p := range pauses {
			found = append(found, fmt.Sprintf("%s since %s: %s", p.What, utc(p.Since), p.Reason))
			advice = append(advice, fmt.Sprintf("%s When the reason is gone: %s", p.Read(), decisions.ResumeCommand(p.What)))
		}
		return err
	})
	switch {
	case err != nil:
		return failed(check, err.Error(), "See the server's log.")
	case len(found) > 0:
		return failed(check, strings.Join(found, "; "), strings.Join(advice, "; "))
	}
	return ok(check, "nothing is paused")
}

// checkDeposits reports deposits at the treasury's addresses that are not credited, and outputs in quarantine.
func (i Installation) checkDeposits(ctx context.Context) Finding {
	const check = "deposits"
	db, err := openLedger(ctx, i.Database)
	if err != nil {
		return ok(check, "unknown without a ledger")
	}
	defer db.Close()
	var found, do []string
	err = db.View(ctx, func(tx *store.Tx) error {
		communities, err := tx.Communities(ctx)
		if err != nil {
			return err
		}
		for _, community := range communities {
			waiting, err := tx.UnbookedTreasury(ctx, community)
			if err != nil {
				return err
			}
			if len(waiting) > 0 {
				found = append(found, fmt.Sprintf("deposits of %s that are not credited: %d", community, len(waiting)))
				do = append(do, "moonfund treasury credit "+community)
			}
		}
		held, err := decisions.Quarantined(ctx, tx, "", false)
		held = slices.DeleteFunc(held, func(o decisions.QuarantineView) bool { return !o.Returnable })
		if len(held) > 0 {
			found = append(found, fmt.Sprintf("outputs in quarantine: %d (%s)", len(held), held[0].Reason))
			do = append(do, "moonfund quarantine list")
		}
		return err
	})
	switch {
	case err != nil:
		return failed(check, err.Error(), "See the server's log.")
	case len(found) > 0:
		return warn(check, strings.Join(found, "; "), strings.Join(do, ", ")+".")
	}
	return ok(check, "all are credited")
}

// checkBackups checks the folder, and the age of the newest backup.
func (i Installation) checkBackups(now time.Time) Finding {
	finding := checkBackups(i.Backups, i.Data)
	if i.Backups == "" || finding.Level == Fail {
		return finding
	}
	var newest time.Time
	paths, _ := filepath.Glob(filepath.Join(i.Backups, "moonfund-2*.zip")) // fails for a wrong pattern only
	for _, path := range paths {
		if info, err := os.Stat(path); err == nil && info.ModTime().After(newest) {
			newest = info.ModTime()
		}
	}
	switch age := now.Sub(newest); {
	case newest.IsZero():
		return warn("backups", "there is no backup in "+i.Backups, "A running server makes the first one soon: see its log.")
	case age > 2*i.BackupEvery:
		return failed("backups", fmt.Sprintf("the newest backup is %s old", age.Round(time.Minute)),
			"See the server's log, and make one now: moonfund backup.")
	}
	return finding
}

// checkCopies checks that the command of MOONFUND_BACKUP_COMMAND copied a recent backup.
func (i Installation) checkCopies(now time.Time) Finding {
	const check = "copies"
	if i.BackupCommand == "" {
		return warn(check, "backups are not copied to another machine by the server",
			"Set MOONFUND_BACKUP_COMMAND, or copy them in another way: `moonfund help reference` shows how.")
	}
	last, err := backup.ReadCopy(i.Backups)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return warn(check, "no backup was copied yet", "A running server copies the next backup: see its log.")
	case err != nil:
		return failed(check, err.Error(), "See the server's log.")
	case last.Error != "":
		return failed(check, "the newest backup was not copied: "+last.Error,
			"Run the command in MOONFUND_BACKUP_COMMAND as the server's user, and correct it.")
	case now.Sub(last.At) > 2*i.BackupEvery:
		return failed(check, "the newest copy is of "+utc(last.At), "See the server's log.")
	}
	return ok(check, last.File+" was copied")
}

// checkKey checks the key file without decrypting it, so that no passphrase is needed.
func (i Installation) checkKey() Finding {
	const check = "key"
	if i.Signer != "" {
		connection, err := net.DialTimeout("unix", i.Signer, patience)
		if err != nil {
			return failed(check, "the signer process does not answer: "+err.Error(), "Start it: moonfund signer run.")
		}
		return closed(ok(check, "a signer process holds the key"), connection)
	}
	if i.Key == "" {
		return failed(check, "neither MOONFUND_KEY nor MOONFUND_SIGNER is set", "Set one of them.")
	}
	if err := signer.CheckKeyFile(i.Key); err != nil {
		return failed(check, err.Error(), "Copy the key file back, readable by the server's user only: chmod 600.")
	}
	if f := CheckFolder(check, filepath.Dir(i.Key)); f.Level != OK {
		f.Do += " The server writes the high-water mark beside the key file."
		return f
	}
	return ok(check, i.Key+" is a key file, readable by its owner only")
}

func closed(f Finding, connection net.Conn) Finding {
	if err := connection.Close(); err != nil {
		return failed(f.Check, err.Error(), "Repeat the check.")
	}
	return f
}

// checkManifests checks the manifests as the server and `moonfund manifest check` do.
func (i Installation) checkManifests(ctx context.Context, reachable bool) ([]community.Manifest, Finding) {
	const check = "manifests"
	const advice = "Correct the file: `moonfund manifest example` explains each key."
	manifests, err := community.LoadDir(i.Communities, i.Network.Name)
	if err != nil {
		return nil, failed(check, err.Error(), advice)
	}
	if err := CompareLedger(ctx, i.Database, manifests); err != nil {
		return manifests, failed(check, err.Error(), "Do this before the next restart: the server would not start.")
	}
	if err := CheckAppearance(i.Communities, i.Network, manifests); err != nil {
		return manifests, warn(check, err.Error(), advice)
	}
	if !reachable {
		return manifests, warn(check, "are valid; whether the runes exist was not checked", "Start the node.")
	}
	quiet := slog.New(slog.DiscardHandler)
	if err := runeindex.CheckManifests(ctx, i.Node, runes.RulesFor(i.Network), manifests, quiet); err != nil {
		return manifests, failed(check, err.Error(), advice)
	}
	return manifests, ok(check, fmt.Sprintf("%d, valid", len(manifests)))
}

// CompareLedger returns an error if the manifests don't fit the ledger at an address, so that a server would not start.
// It ignores a ledger that can't be opened.
func CompareLedger(ctx context.Context, address string, manifests []community.Manifest) error {
	db, err := openLedger(ctx, address)
	if err != nil {
		return nil // checkLedger reports it
	}
	defer db.Close()
	return db.View(ctx, func(tx *store.Tx) error { return wiring.Check(ctx, tx, manifests) })
}

// checkStatements checks that every manifest has a statement key. With a signer process it compares the keys with the
// signer's. It does not decrypt a key file for this.
func (i Installation) checkStatements(ctx context.Context, manifests []community.Manifest) Finding {
	const check = "statements"
	var accounts signer.Accounts
	if i.Signer != "" {
		accounts, _ = signer.Dial(i.Signer).Accounts(ctx) // checkKey reports the error
	}
	var lines []string
	for _, m := range manifests {
		key, known := accounts.StatementKeys[m.Account]
		switch {
		case m.StatementKey == "" && known:
			lines = append(lines, fmt.Sprintf("%s: statement_key = %q", m.Prefix, key))
		case m.StatementKey == "" && i.Signer == "":
			lines = append(lines, fmt.Sprintf("%s: the line that `moonfund key check %s --account %d` prints", m.Prefix, i.Key,
				m.Account))
		case m.StatementKey == "":
			lines = append(lines, m.Prefix+": the line that the server logs at its start")
		case known && key.String() != m.StatementKey:
			return failed(check, fmt.Sprintf("statement_key of %s is not the signer's, %s", m.Prefix, key),
				"Correct the manifest; the server does not start.")
		}
	}
	if len(lines) > 0 {
		return warn(check, "a community publishes no statements, because its manifest has no statement_key",
			"Add to the manifest, above its first [section], and restart the server: "+strings.Join(lines, "; ")+".")
	}
	return ok(check, "every manifest has a statement key")
}

// CheckAppearance checks the pictures beside the manifests and, on mainnet, that every community has terms. Without
// them the server logs a warning and starts.
func CheckAppearance(dir string, network chain.Network, manifests []community.Manifest) error {
	var errs []error
	for _, m := range manifests {
		_, err := community.ReadPictures(dir, m)
		errs = append(errs, err)
		if network.Name == "mainnet" && len(community.MissingTerms([]community.Manifest{m})) > 0 {
			errs = append(errs, community.Problems{{File: m.Prefix, Key: "terms", Found: "nothing",
				Want: "[terms] with text (Markdown), version and date: every community on mainnet publishes its terms"}})
		}
	}
	return errors.Join(errs...)
}

// checkReceivers checks the settings of notifications and reads the files with their secrets. It sends nothing.
func (i Installation) checkReceivers() Finding {
	const check = "notify"
	names, err := i.Receivers()
	switch {
	case err != nil:
		return failed(check, err.Error(), "Correct the setting or the file; the server's user must be able to read it.")
	case len(names) == 0:
		return warn(check, "nobody is notified when an order needs a person or a backup fails",
			"Set MOONFUND_NOTIFY_WEBHOOK, MOONFUND_NOTIFY_NTFY or MOONFUND_NOTIFY_TELEGRAM.")
	}
	return ok(check, strings.Join(names, ", ")+"; `moonfund notify test` sends a message")
}

// checkMetrics checks that /metrics is served, to this machine or a private network only.
func (i Installation) checkMetrics() Finding {
	const check = "metrics"
	if i.Metrics == "" {
		return warn(check, "/metrics is off", "Set MOONFUND_METRICS=127.0.0.1:9464, and let Prometheus read it.")
	}
	host, _, err := net.SplitHostPort(i.Metrics)
	if err != nil {
		return failed(check, err.Error(), "Set MOONFUND_METRICS to an address such as 127.0.0.1:9464.")
	}
	if ip := net.ParseIP(host); ip == nil && host != "localhost" || ip != nil && !ip.IsLoopback() && !ip.IsPrivate() {
		return warn(check, i.Metrics+" may be reached from outside", "Use 127.0.0.1, or a private network.")
	}
	return ok(check, i.Metrics)
}
