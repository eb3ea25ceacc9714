package audit

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/runes"
)

// chainState is the state of the chain up to the server's tip. The rune index is only in the file; the rest is in
// memory, too.
type chainState struct {
	path   string    // of the file, "" for a temporary one
	file   *walkFile // nil before it is first needed
	loaded bool      // the fields below were read from the file

	index   index            // all runes and all outputs that hold runes
	headers []header         // from Config.Start on
	outputs outputs          // every output at one of our scripts
	mined   map[string]int64 // height of each confirmed transaction that is a payout or spends our outputs
	first   int64            // height of the first block with runes
	adopted int              // number of adopted addresses in the walk

	changed map[wire.OutPoint]bool // outputs whose changes are not yet in the file
	unsaved int                    // blocks in the file's open transaction
}

// saveEvery is the number of blocks after which a long walk is saved. An interrupted walk continues from the last save.
const saveEvery = 32

type header struct {
	height     int64
	hash, prev string
	time       int64
}

// walkedLedger identifies the ledger of a walk by everything besides the blocks on which the walk depends.
type walkedLedger struct {
	rules  string // network, id of the ledger, followed runes and first blocks
	issued issuedRows
}

// issuedRows are the rows of issued scripts up to one number, except of stakes. Such rows are only added, so they
// identify a state of the ledger: they differ after an older backup was restored. Stake addresses can expire, and
// belongs compares those with outputs.
type issuedRows struct {
	last int64    // the highest number
	sum  [16]byte // of the digests
}

func (i *issuedRows) add(w watchRow) {
	if w.kind == "stake" {
		return
	}
	i.last = max(i.last, w.number)
	for k, b := range digestOf(strconv.FormatInt(w.number, 10), string(w.script), w.community, w.kind, w.ref, w.owner) {
		i.sum[k] ^= b
	}
}

func (i issuedRows) String() string { return fmt.Sprintf("%d %x", i.last, i.sum) }

func parseIssued(text string) (i issuedRows, err error) {
	var sum []byte
	if _, err = fmt.Sscanf(text, "%d %x", &i.last, &sum); err == nil && copy(i.sum[:], sum) != len(i.sum) {
		err = fmt.Errorf("audit: a sum of %d bytes", len(sum))
	}
	return i, err
}

// ledger returns the identity of the audited ledger.
func (a *auditor) ledger() walkedLedger {
	return walkedLedger{
		strings.Join([]string{
			a.Rules.Network.Name, a.settings["ledger_id"], strconv.FormatInt(a.Start, 10),
			strconv.FormatInt(a.Rules.FirstHeight, 10), a.report.Follows,
		}, " "),
		a.rows.issuedRows,
	}
}

// load reads the last walk from the file, unless it is in memory. If the file belongs to another ledger or another
// state of this one, or is damaged, the walk begins at the first block.
func (a *auditor) load(r *reader) error {
	if a.loaded {
		return nil
	}
	valid, err := false, a.chainState.open()
	if err == nil {
		valid, err = a.readWalk(r)
	}
	if err != nil && !isDamaged(err) || r.err != nil {
		return cmp.Or(err, r.err)
	}
	if !valid {
		return a.reset(a.Config)
	}
	a.loaded = true
	return nil
}

// open opens the file.
func (c *chainState) open() (err error) {
	if c.file == nil {
		c.file, err = openWalkFile(c.path)
		c.index = index{c.file}
	}
	return err
}

// reset begins a new walk with an empty file.
func (c *chainState) reset(config Config) error {
	if err := c.file.close(); err != nil && !isDamaged(err) {
		return err
	}
	if err := deleteWalkFile(c.path); err != nil {
		return err
	}
	adopted := c.adopted
	*c = chainState{path: c.path, adopted: adopted}
	if err := c.open(); err != nil {
		return err
	}
	c.empty(config)
	c.loaded = true
	return nil
}

// empty sets the fields to a walk without blocks.
func (c *chainState) empty(config Config) {
	c.headers, c.outputs, c.mined, c.first = nil, outputs{}, map[string]int64{}, config.Rules.FirstHeight
	c.changed, c.unsaved = map[wire.OutPoint]bool{}, 0
}

// discard returns to the saved walk after an error in the middle of a block.
func (c *chainState) discard(err error) {
	if c.file == nil {
		return
	}
	c.loaded = c.loaded && !c.file.writing && c.file.err == nil
	c.file.rollback()
	if isDamaged(err) {
		_, _ = c.file.close(), deleteWalkFile(c.path)
		c.file = nil
	}
}

// readWalk reads the file, and reports whether its walk belongs to the audited ledger.
func (a *auditor) readWalk(r *reader) (valid bool, err error) {
	f, now := a.file, a.ledger()
	a.empty(a.Config)
	rules, err := f.state("rules")
	if err != nil || rules != now.rules {
		return false, err
	}
	text, err := f.state("issued")
	if err != nil {
		return false, err
	}
	then, err := parseIssued(text)
	if err != nil {
		return false, nil
	}
	var same issuedRows
	if each(r, watchRows, "WHERE number <= $1", same.add, then.last); r.err != nil || same != then {
		return false, r.err
	}
	if text, err = f.state("adopted"); err != nil {
		return false, err
	}
	if a.adopted, err = strconv.Atoi(text); err != nil {
		return false, nil
	}
	for _, read := range []func() error{a.readHeaders, a.readMined, a.readWalked} {
		if err := read(); err != nil {
			return false, err
		}
	}
	return a.tip() >= a.Start && a.belongs(), nil
}

// belongs reports whether every script with an output in the walk is issued for the same purpose.
func (a *auditor) belongs() bool {
	for _, o := range a.outputs {
		if p := a.watch[o.script]; p == nil || *p != *o.purpose {
			return false
		}
	}
	return true
}

func (c *chainState) readHeaders() error {
	var h header
	return c.file.each("SELECT height, hash, prev, time FROM header ORDER BY height", nil,
		[]any{&h.height, &h.hash, &h.prev, &h.time}, func() error {
			c.headers = append(c.headers, h)
			return nil
		})
}

func (c *chainState) readMined() error {
	var txid string
	var height int64
	return c.file.each("SELECT txid, height FROM mined", nil, []any{&txid, &height}, func() error {
		c.mined[txid] = height
		return nil
	})
}

// readWalked reads the outputs. Outputs with the same purpose share it in memory.
func (c *chainState) readWalked() error {
	purposes := map[purpose]*purpose{}
	var o output
	var p purpose
	var key, script, balances []byte
	return c.file.each(`SELECT outpoint, community, kind, ref, script, value, height, balances, coinbase, untracked,
		spent_by, spent_height, by_community FROM output`, nil, []any{
		&key, &p.community, &p.kind, &p.ref, &script, &o.value, &o.height, &balances, &o.coinbase, &o.untracked,
		&o.spentBy, &o.spentHeight, &o.byCommunity,
	}, func() (err error) {
		read := o
		if purposes[p] == nil {
			shared := p
			purposes[p] = &shared
		}
		read.purpose = purposes[p]
		copy(read.script[:], script)
		if read.balances, err = runes.DecodeBalances(balances); err != nil {
			return err
		}
		point, err := runes.DecodeOutPoint(key)
		c.outputs[point] = &read
		return err
	})
}

// save commits the walk and the identity of its ledger to the file.
func (c *chainState) save(of walkedLedger) error {
	if !c.file.writing && len(c.changed) == 0 {
		return nil
	}
	if err := c.file.begin(); err != nil {
		return err
	}
	if err := c.saveOutputs(); err != nil {
		return err
	}
	for name, value := range map[string]string{
		"rules": of.rules, "issued": of.issued.String(), "adopted": strconv.Itoa(c.adopted),
	} {
		if err := c.file.setState(name, value); err != nil {
			return err
		}
	}
	c.unsaved = 0
	return c.file.commit()
}

// saveOutputs writes the changed outputs.
func (c *chainState) saveOutputs() error {
	for point := range c.changed {
		key, o := runes.EncodeOutPoint(point), c.outputs[point]
		var err error
		if o == nil {
			err = c.file.exec("DELETE FROM output WHERE outpoint = ?", key)
		} else {
			err = c.file.exec(`INSERT OR REPLACE INTO output (outpoint, community, kind, ref, script, value, height,
				balances, coinbase, untracked, spent_by, spent_height, by_community)
				VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
				key, o.community, o.kind, o.ref, o.script[:], o.value, o.height, runes.EncodeBalances(o.balances), o.coinbase,
				o.untracked, o.spentBy, o.spentHeight, o.byCommunity)
		}
		if err != nil {
			return err
		}
	}
	clear(c.changed)
	return nil
}

// tip returns the height of the last walked block, or chain.None.
func (c *chainState) tip() int64 {
	if len(c.headers) == 0 {
		return chain.None
	}
	return c.headers[len(c.headers)-1].height
}

// append adds the header of an applied block.
func (c *chainState) append(h header) error {
	c.headers = append(c.headers, h)
	return c.file.exec("INSERT INTO header (height, hash, prev, time) VALUES (?, ?, ?, ?)",
		h.height, h.hash, h.prev, h.time)
}

// mine records the height of a transaction that is a payout or spends our outputs.
func (c *chainState) mine(txid string, height int64) error {
	c.mined[txid] = height
	return c.file.exec("INSERT OR REPLACE INTO mined (txid, height) VALUES (?, ?)", txid, height)
}

// put records an output at one of our scripts.
func (c *chainState) put(point wire.OutPoint, o *output) {
	c.outputs[point], c.changed[point] = o, true
}

// spend records the spend of an output, and reports whether the output is ours.
func (c *chainState) spend(in *wire.TxIn, by string, height int64) bool {
	out, ours := c.outputs[in.PreviousOutPoint]
	if ours {
		out.spentBy, out.spentHeight = by, height
		out.byCommunity = out.kind == "stake" && byCommunity(in.Witness)
		c.changed[in.PreviousOutPoint] = true
	}
	return ours
}

// rewind undoes the walked blocks from a height on. It returns runes.ErrNoUndo for blocks that are too deep.
func (c *chainState) rewind(height int64) error {
	if c.tip() < height {
		return nil
	}
	if err := c.file.begin(); err != nil {
		return err
	}
	for len(c.headers) > 0 && c.tip() >= height {
		if err := c.undo(c.tip()); err != nil {
			return fmt.Errorf("audit: %w", err)
		}
		c.headers = c.headers[:len(c.headers)-1]
	}
	return nil
}

// undo undoes the block at the tip.
func (c *chainState) undo(height int64) error {
	if height >= c.first {
		if err := runes.Undo(c.index, height); err != nil {
			return err
		}
	}
	for point, out := range c.outputs {
		if out.height == height {
			delete(c.outputs, point)
			c.changed[point] = true
		} else if out.spentHeight == height {
			out.spentBy, out.spentHeight, out.byCommunity = "", chain.None, false
			c.changed[point] = true
		}
	}
	for txid, at := range c.mined {
		if at == height {
			delete(c.mined, txid)
		}
	}
	if err := c.file.exec("DELETE FROM mined WHERE height = ?", height); err != nil {
		return err
	}
	return c.file.exec("DELETE FROM header WHERE height = ?", height)
}
