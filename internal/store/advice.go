package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/user"
	"path/filepath"
	"strconv"
	"syscall"

	"github.com/jackc/pgx/v5/pgconn"
	system "golang.org/x/sys/unix"
	"modernc.org/sqlite"

	"moonfund/internal/store/hosts"
)

// advised is an error with what the operator can do about it.
type advised struct {
	error
	do string
}

// Error implements error.
func (a advised) Error() string { return a.error.Error() + ". " + a.do }

// Unwrap returns the error without the advice.
func (a advised) Unwrap() error { return a.error }

// Advise adds to an error of a file or of a database which path or server it concerns, who owns it, and what the
// operator can do. place is the file of the database, or the address of PostgreSQL, for errors that do not name it.
// Other errors are returned unchanged.
func Advise(err error, place string) error {
	var already advised
	if err == nil || errors.As(err, &already) {
		return err
	}
	if do := advice(err, place); do != "" {
		return advised{err, do}
	}
	return err
}

func advice(err error, place string) string {
	var refusal *pgconn.PgError
	var sqliteError *sqlite.Error
	var file *fs.PathError
	var link *os.LinkError
	switch {
	case errors.As(err, &refusal):
		return postgresAdvice(refusal.Code, place)
	case errors.As(err, &sqliteError):
		return sqliteAdvice(sqliteError.Code()&0xff, place)
	case errors.As(err, &file):
		return fileAdvice(file.Err, file.Path)
	case errors.As(err, &link):
		return fileAdvice(link.Err, link.New)
	case place != "" && hosts.Unavailable(err): // otherwise it may be the error of a node or another server
		return postgresAdvice("57P01", place)
	}
	return ""
}

// postgresAdvice returns the advice for an error code of PostgreSQL.
func postgresAdvice(code, place string) string {
	switch code {
	case "28P01", "28000": // invalid password, invalid authorization
		return "PostgreSQL at " + place + " refuses the user or the password: correct MOONFUND_DATABASE, or set the " +
			"password with ALTER USER"
	case "3D000": // unknown database
		return "PostgreSQL at " + place + " has no such database: create it with createdb, or correct MOONFUND_DATABASE"
	case "42501": // insufficient privilege
		return "The user of MOONFUND_DATABASE must own the database at " + place + ": ALTER DATABASE … OWNER TO …"
	case "25006": // read-only transaction
		return place + " is a standby or read-only: name the primary in MOONFUND_DATABASE"
	case "53100", "58030": // full disk, error of the disk
		return "The disk of PostgreSQL at " + place + " is full or broken: see its log, and free space there"
	case "53300": // too many connections
		return "PostgreSQL at " + place + " has no connection left: raise its max_connections"
	case "57P01", "57P02", "57P03": // shut down, crashed, starting
		return "PostgreSQL at " + place + " does not answer: start it there (systemctl start postgresql). A running server " +
			"continues when it answers"
	}
	return ""
}

// sqliteAdvice returns the advice for a primary result code of SQLite.
func sqliteAdvice(code int, path string) string {
	switch code {
	case 8, 14: // read-only, can't be opened
		if err := usable(path); err != nil {
			return fileAdvice(err, path)
		}
		return fileAdvice(syscall.EROFS, path)
	case 10: // input or output
		return "The disk of " + path + " has an error: see dmesg, and restore a backup on another disk"
	case 11, 26: // corrupt, no database
		return path + " is damaged: restore a backup, as `moonfund help corrupt-database` says"
	case 13: // full
		return fileAdvice(syscall.ENOSPC, path)
	}
	return ""
}

// usable returns the error with which this process can't write to a file or its folder.
func usable(path string) error {
	for _, at := range []string{path, filepath.Dir(path)} {
		if err := system.Faccessat(system.AT_FDCWD, at, system.R_OK|system.W_OK, system.AT_EACCESS); err != nil {
			return err
		}
	}
	return nil
}

// fileAdvice returns the advice for an error of a file.
func fileAdvice(err error, path string) string {
	switch {
	case errors.Is(err, fs.ErrPermission):
		me := userName(os.Geteuid())
		says := fmt.Sprintf("%s belongs to %s, and this program runs as %s. ", path, fileOwner(path), me)
		if os.Getuid() == 0 && os.Geteuid() != 0 { // a command of root that acts as the service's user
			return says + fmt.Sprintf("Give it to that user: chown %s %s", me, path)
		}
		return says + fmt.Sprintf("Run a command with sudo. If the server itself reports this: chown %s %s", me, path)
	case errors.Is(err, syscall.EROFS):
		return "The file system of " + path + " is read-only: see dmesg and mount. A folder that the unit does not name " +
			"needs ReadWritePaths= (systemctl edit moonfund)"
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return "The disk of " + path + " is full: free space (df -h " + filepath.Dir(path) + "). What was acknowledged is " +
			"stored"
	}
	return ""
}

// fileOwner returns the user who owns a file, or the first folder above it that this user can look at.
func fileOwner(path string) string {
	for at := path; ; at = filepath.Dir(at) {
		info, err := os.Stat(at)
		if err != nil && at != filepath.Dir(at) {
			continue
		}
		if err == nil {
			if stat, known := info.Sys().(*syscall.Stat_t); known {
				return userName(int(stat.Uid))
			}
		}
		return "another user"
	}
}

// userName returns the name of a user, or the id if the system has none.
func userName(id int) string {
	account, err := user.LookupId(strconv.Itoa(id))
	if err != nil {
		return "the user with the id " + strconv.Itoa(id)
	}
	return account.Username
}
