package audit

import (
	"encoding/json"
	"strconv"

	"github.com/btcsuite/btcd/wire/v2"
	"lukechampine.com/uint128"

	"moonfund/chain"
	"moonfund/runes"
)

// readBooks takes the ledger in, and makes those checks at once that need no
// chain: so much need not be kept. A row that an audit has millions of is kept
// packed, postings and what epochs paid not at all.
func (a *auditor) readBooks(r *reader) {
	a.blocks = list(r, blockRows, "ORDER BY height")
	a.entries = list(r, entryRows, "ORDER BY id")
	a.links = keyed(r, linkRows, link.entry, "")
	a.orders = keyed(r, orderRows, order.entry, "")
	a.payments = list(r, paymentRows, "ORDER BY number")
	a.payouts = keyed(r, payoutRows, payout.entry, "")
	a.versions = keyed(r, versionRows, version.entry, "")
	a.staked = keyed(r, stakedRows, stored.entry, "")
	each(r, unitRows, "", a.takeUnit)
	each(r, actionRows, "", a.takeAction)
	each(r, postingRows, "ORDER BY number", a.post)
	if r.err != nil {
		return
	}
	a.checkJournal()
	a.checkProofs()
	a.unitsAt, a.ordersAt, a.applied, a.actions = nil, nil, nil, nil
	a.readEpochs(r)
	a.readOutputs(r)
	each(r, balanceRows, "", a.balances.put)
	a.checkOwed(r)
}

func (a *auditor) takeUnit(u unit) {
	a.checkRewarded(u)
	a.units.put(u)
}

// readOutputs reads what was handed out, what came of it, and of the transactions
// that are kept those that no block has yet, or that are to be explained.
func (a *auditor) readOutputs(r *reader) {
	each(r, watchRows, "", a.watch.put)
	each(r, addressRows, "", func(s stakeAddress) { a.addresses[s.mark()] = true })
	wanted := map[string]bool{}
	for _, o := range a.outgoes {
		wanted[o.txid] = true
	}
	each(r, custodyRows, "", func(c custody) {
		a.checkWatched(c)
		a.custody.put(c)
		if c.height == chain.None {
			wanted[c.txid] = true
		}
		if c.spentBy != "" && c.spentHeight == chain.None {
			wanted[c.spentBy] = true
		}
	})
	a.addresses = nil
	const atOnce = 500
	var page []string
	take := func() {
		condition, args := among("txid", page)
		each(r, trackedRows, condition, func(t tracked) { a.tracked[t.txid] = t }, args...)
		page = page[:0]
	}
	for txid := range wanted {
		if page = append(page, txid); len(page) == atOnce {
			take()
		}
	}
	take()
}

// holdings is the stored rune index: outputs with one rune packed, others as they are.
type holdings struct {
	runes numbered[runes.ID]
	rows  map[wire.OutPoint]holding
	odd   map[string]string
}

type holding struct {
	amount uint64
	rune   uint32
}

// balanceText is how a balance is stored and shown.
type balanceText struct{ ID, Amount string }

func (h *holdings) put(row stored) {
	if h.rows == nil {
		h.rows, h.odd = map[wire.OutPoint]holding{}, map[string]string{}
	}
	var texts []balanceText
	point, plain := pointOf(row.key)
	if err := json.Unmarshal([]byte(row.text), &texts); err == nil && plain && len(texts) == 1 {
		id, err := runes.ParseID(texts[0].ID)
		amount, plain := strconv.ParseUint(texts[0].Amount, 10, 64)
		if err == nil && plain == nil && id.String() == texts[0].ID && strconv.FormatUint(amount, 10) == texts[0].Amount {
			h.rows[point] = holding{amount, h.runes.number(id)}
			return
		}
	}
	h.odd[row.key] = row.text
}

func (h *holdings) unpack(row holding) runes.Balance {
	return runes.Balance{ID: h.runes.at(row.rune), Amount: uint128.From64(row.amount)}
}

// has reports whether anything is stored of an output.
func (h *holdings) has(point wire.OutPoint) bool {
	if _, plain := h.rows[point]; plain {
		return true
	}
	_, odd := h.odd[point.String()]
	return odd
}

func textsOf(balances []runes.Balance) (texts []balanceText) {
	for _, b := range balances {
		texts = append(texts, balanceText{b.ID.String(), b.Amount.String()})
	}
	return texts
}

// checkBalances compares the stored balances with those of our own index.
func (a *auditor) checkBalances() {
	const differs = "by the blocks it holds runes %s, by the index %s"
	for point, row := range a.balances.rows {
		own, _ := a.index.RuneBalances(point)
		if stored := a.balances.unpack(row); len(own) != 1 || own[0] != stored {
			a.fail(Chain, point.String(), differs, jsonText(textsOf(own)), jsonText(textsOf([]runes.Balance{stored})))
		}
	}
	for key, text := range a.balances.odd {
		var indexed []balanceText
		if err := json.Unmarshal([]byte(text), &indexed); err != nil {
			a.fail(Chain, key, "its runes can't be read")
			continue
		}
		if own := textsOf(a.heldBy(key)); jsonText(own) != jsonText(indexed) {
			a.fail(Chain, key, differs, jsonText(own), jsonText(indexed))
		}
	}
	for point := range a.index.holding {
		if !a.balances.has(point) {
			a.fail(Chain, point.String(), "it holds runes that are not in the index")
		}
	}
}

// heldBy returns the runes on an unspent output.
func (a *auditor) heldBy(outpoint string) []runes.Balance {
	point, err := wire.NewOutPointFromString(outpoint)
	if err != nil {
		return nil
	}
	balances, _ := a.index.RuneBalances(*point)
	return balances
}
