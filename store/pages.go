package store

import (
	"encoding/binary"
	"sync"

	"modernc.org/libc"
	sqlite3 "modernc.org/sqlite/lib"
)

// pageBudget is how many bytes the pages of all SQLite connections of this process share.
const pageBudget = 128 << 20

// pageSize is that of a database file in bytes, SQLite's own choice.
const pageSize = 4096

// sharePages gives SQLite one block of memory for pages, before its first connection. By itself SQLite asks for each page and
// its 272 bytes of description alone, for which the allocator takes 8 KiB; from one block nearly twice as many fit. Once it
// is full, who needs a page takes the one that was used longest ago, whosever it is: any number of readers keeps no more than
// this, and whoever reads alone has most of it. Beyond the block SQLite asks for memory only while all of it is in use.
//
// A process that used SQLite otherwise before is refused the block: pages are then as many as all caches together allow.
var sharePages = sync.OnceFunc(func() {
	tls := libc.NewTLS()
	defer tls.Close()
	arguments, answer := libc.Xmalloc(tls, 3*8), libc.Xmalloc(tls, 4)
	defer libc.Xfree(tls, arguments)
	defer libc.Xfree(tls, answer)
	if sqlite3.Xsqlite3_config(tls, sqlite3.SQLITE_CONFIG_PCACHE_HDRSZ, libc.VaList(arguments, answer)) != sqlite3.SQLITE_OK {
		return
	}
	described := pageSize + int32(binary.NativeEndian.Uint32(libc.GoBytes(answer, 4)))
	block := libc.Xmalloc(tls, pageBudget)
	if block == 0 {
		return
	}
	if sqlite3.Xsqlite3_config(tls, sqlite3.SQLITE_CONFIG_PAGECACHE, libc.VaList(arguments, block, described, pageBudget/described)) != sqlite3.SQLITE_OK {
		libc.Xfree(tls, block)
	}
})
