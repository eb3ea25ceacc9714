package store

import (
	"encoding/binary"
	"fmt"
	"strings"
	"sync"
	"testing"

	"modernc.org/libc"
	sqlite3 "modernc.org/sqlite/lib"
)

// Readers whose caches could hold more than the budget together keep no page beyond it, and read what is there.
func TestReadersSharePages(t *testing.T) {
	s := open(t)
	if s.engine.shared {
		t.Log("PostgreSQL keeps its pages itself")
		return
	}
	const rows, readers = 6_000, 12 // a row fills a page: 24 MB, more than one reader keeps
	must(t, s.Update(t.Context(), func(tx *Tx) error {
		for i := range rows {
			if err := tx.PutSetting(t.Context(), fmt.Sprint("row ", i), strings.Repeat("x", 3_000)); err != nil {
				return err
			}
		}
		return nil
	}))
	var all, read sync.WaitGroup
	read.Add(readers)
	for range readers {
		all.Go(func() {
			must(t, s.View(t.Context(), func(tx *Tx) error {
				var n int
				for range 2 {
					if err := tx.db.QueryRowContext(t.Context(), `SELECT COUNT(*) FROM setting WHERE LENGTH(value) = 3000`).Scan(&n); err != nil || n != rows {
						t.Errorf("%d rows, %v", n, err)
					}
				}
				read.Done()
				read.Wait() // all hold their pages at once
				return nil
			}))
		})
	}
	all.Wait()
	if used := status(sqlite3.SQLITE_STATUS_PAGECACHE_USED); used < pageBudget/pageSize/2 {
		t.Errorf("%d pages of the block are in use", used)
	}
	if beyond := status(sqlite3.SQLITE_STATUS_PAGECACHE_OVERFLOW); beyond > pageBudget/64 {
		t.Errorf("%d bytes of pages beyond the block", beyond)
	}
}

// status returns one of SQLite's own counters, as it is now.
func status(which int32) int32 {
	tls := libc.NewTLS()
	defer tls.Close()
	now, most := libc.Xmalloc(tls, 4), libc.Xmalloc(tls, 4)
	defer libc.Xfree(tls, now)
	defer libc.Xfree(tls, most)
	sqlite3.Xsqlite3_status(tls, which, now, most, 0)
	return int32(binary.NativeEndian.Uint32(libc.GoBytes(now, 4)))
}
