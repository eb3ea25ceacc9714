package ledger

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"time"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/chain"
)

// ExplainDepth is the number of confirmations that a spend needs before it is explained. It exceeds the deepest reorg
// that the follower accepts, so an explanation is never undone.
const ExplainDepth = 12

// UnexplainedSpend is the value that one transaction, which is no payout in this ledger, moved from the treasury to one
// address. Only our own key can spend the treasury. Either this ledger was restored from a backup and a server signed
// the transaction after that backup, or a person moved runes by hand, or the key was stolen. Until the spend is
// explained, the owner's rewards are not paid, because the transaction may have delivered them.
type UnexplainedSpend struct {
	TxID      string
	Owner     string // the address that received it; "" for runes that no address received
	Community string
	Amount    amount.Runes // beyond the owner's stakes that the transaction spends
	Sats      amount.Sats  // the treasury's sats that the transaction sent elsewhere; see addSats
	Status    SpendStatus
	UnitIDs   []string // ids of the rewards that it delivered; empty until the spend is explained
	Height    int64    // height of the transaction; chain.None while unconfirmed
}

// SpendStatus is the status of an unexplained spend.
type SpendStatus string

const (
	SpendOpen      SpendStatus = "open"
	SpendUnclear   SpendStatus = "unclear"   // open, and only an operator can explain it: unknown runes, or sats as well
	SpendMatched   SpendStatus = "found"     // ExplainSpends matched units by their sum
	SpendExplained SpendStatus = "explained" // an operator named the units, or stated that there are none
)

// UnexplainedSpendStore stores unexplained spends. It does not return spends of a transaction that vanished.
type UnexplainedSpendStore interface {
	// PutUnexplainedSpend inserts a spend, or updates the amount and the status of one that is not explained yet.
	PutUnexplainedSpend(ctx context.Context, o UnexplainedSpend) error
	// DropUnexplainedSpends deletes the spends of a transaction that are not explained yet.
	DropUnexplainedSpends(ctx context.Context, txid string) error
	// UnexplainedSpends returns the spends that are not explained yet, ordered by transaction and owner.
	UnexplainedSpends(ctx context.Context) ([]UnexplainedSpend, error)
	// ExplainSpend stores Status and UnitIDs. It returns state.ErrConflict if the spend is explained already.
	ExplainSpend(ctx context.Context, o UnexplainedSpend) error
	// UnexplainedSpendsTo returns the spends to an address that are not explained yet, ordered by transaction.
	UnexplainedSpendsTo(ctx context.Context, community, owner string) ([]UnexplainedSpend, error)
}

// moved has the amounts of one community's rune that a transaction moves.
type moved struct {
	treasury  amount.Runes            // on the treasury outputs that it spends
	left      amount.Runes            // known inputs minus outputs
	delivered map[string]amount.Runes // by address, minus the owner's stakes that it spends; "" for left
}

// recordUnexplained records what a transaction moves from the treasury, by address. If the transaction is a payout of
// ours, recordUnexplained deletes its earlier records.
func (s *Service) recordUnexplained(
	ctx context.Context, tx Tx, obs Observation, outputs, spent []Output,
) error {
	txid := obs.Tx.ID.String()
	if obs.Ours {
		return tx.Unexplained.DropUnexplainedSpends(ctx, txid)
	}
	communities := map[string]bool{}
	for _, output := range spent {
		if output.ofTreasury() {
			communities[output.Community] = communities[output.Community] || output.Booked
		}
	}
	if err := bookChange(ctx, tx, outputs, communities); err != nil {
		return err
	}
	if len(communities) == 0 {
		return nil
	}
	if err := tx.Unexplained.DropUnexplainedSpends(ctx, txid); err != nil {
		return err // of what the mempool showed
	}
	for _, community := range slices.Sorted(maps.Keys(communities)) {
		spends := s.moved(obs, outputs, spent, community).spends(txid, community)
		for _, o := range addSats(spends, takenSats(obs, outputs, spent, community), txid, community) {
			if err := tx.Unexplained.PutUnexplainedSpend(ctx, o); err != nil {
				return err
			}
		}
	}
	return nil
}

// ofTreasury reports whether an output is at one of the treasury's addresses.
func (o Output) ofTreasury() bool { return o.Kind == RunesKind || o.Kind == SatsKind }

// spends returns the spends that move runes, ordered by address.
func (m moved) spends(txid, community string) (all []UnexplainedSpend) {
	status := SpendOpen
	var sum amount.Runes
	for _, n := range m.delivered {
		sum += max(0, n)
	}
	if sum > m.treasury {
		status = SpendUnclear
	}
	if m.treasury == 0 {
		return nil
	}
	for _, owner := range slices.Sorted(maps.Keys(m.delivered)) {
		if n := m.delivered[owner]; n > 0 {
			all = append(all, UnexplainedSpend{TxID: txid, Community: community, Owner: owner, Amount: n, Status: status})
		}
	}
	return all
}

// takenSats returns the sats that a transaction sent from the treasury to addresses that are not ours. Outputs that
// receive runes do not count: their few hundred sats are part of each delivery. Neither do sats of the payments and
// stakes that the transaction spends, which a refund or a return sends to their owner. The network fee does not count.
func takenSats(obs Observation, outputs, spent []Output, community string) amount.Sats {
	var treasury, others, sent amount.Sats
	for _, output := range spent {
		if output.ofTreasury() && output.Community == community {
			treasury += output.Value
		} else {
			others += output.Value
		}
	}
	for _, output := range outputs {
		if output.ofTreasury() && output.Community == community {
			treasury -= output.Value
		}
	}
	ours := indicesOf(outputs)
	for vout, out := range obs.Tx.Msg.TxOut {
		if !ours[uint32(vout)] && len(obs.Allocated(uint32(vout))) == 0 {
			sent += amount.Sats(out.Value)
		}
	}
	return max(0, min(treasury, sent-others))
}

// addSats adds sats that a transaction took to its first spend, or to a spend without an address if it moved no runes.
// No rewards explain sats, so an operator must.
func addSats(spends []UnexplainedSpend, sats amount.Sats, txid, community string) []UnexplainedSpend {
	if sats == 0 {
		return spends
	}
	if len(spends) == 0 {
		spends = []UnexplainedSpend{{TxID: txid, Community: community}}
	}
	spends[0].Sats, spends[0].Status = sats, SpendUnclear
	return spends
}

// bookChange books the outputs by which a transaction returns runes or sats to the treasury, if the transaction also
// spends booked outputs. Only our own key can have signed such a transaction. booked has the communities whose booked
// outputs it spends.
func bookChange(ctx context.Context, tx Tx, outputs []Output, booked map[string]bool) error {
	for _, output := range outputs {
		if !output.ofTreasury() || output.Booked || !booked[output.Community] {
			continue
		}
		output.Booked = true
		if err := tx.Outputs.PutOutput(ctx, output); err != nil {
			return err
		}
	}
	return nil
}

// indicesOf returns the indices of outputs in their transaction.
func indicesOf(outputs []Output) map[uint32]bool {
	indices := make(map[uint32]bool, len(outputs))
	for _, output := range outputs {
		indices[output.OutPoint.Index] = true
	}
	return indices
}

// moved computes the amounts that a transaction moves to each address. Outputs at our own addresses do not count. The
// sums can't overflow, because they do not exceed the rune's supply, which fits in an int64.
func (s *Service) moved(obs Observation, outputs, spent []Output, community string) moved {
	m := moved{delivered: map[string]amount.Runes{}}
	for _, output := range spent {
		if output.Community != community {
			continue
		}
		m.left += output.Runes
		switch output.Kind {
		case RunesKind:
			m.treasury += output.Runes
		case StakeKind:
			m.delivered[output.Owner] -= output.Runes
		}
	}
	terms, err := s.communities.Of(community)
	if err != nil { // its rune is unknown here, so the recipient of the treasury's runes is unknown
		m.delivered[""] += max(0, m.left)
		return m
	}
	ours := indicesOf(outputs)
	for vout, out := range obs.Tx.Msg.TxOut {
		held, _ := terms.credit(RunesKind, obs.Allocated(uint32(vout)))
		m.left -= held
		if !ours[uint32(vout)] && held > 0 {
			address, _ := chain.AddressFromScript(out.PkScript, terms.Network)
			m.delivered[address.Text] += held
		}
	}
	m.delivered[""] += max(0, m.left)
	return m
}

// ExplainSpends matches unexplained spends of a community that have ExplainDepth confirmations with the rewards that
// they delivered: rewards of the same owner, the oldest first, whose sum is exactly the amount. It makes these rewards
// WITHDRAWN and returns them. A spend without such a sum stays open until an operator explains it, and until then its
// owner's rewards are not paid.
func (s *Service) ExplainSpends(
	ctx context.Context, tx Tx, community string, tip Header, at time.Time,
) (delivered []Unit, err error) {
	open, err := tx.Unexplained.UnexplainedSpends(ctx)
	if err != nil {
		return nil, err
	}
	for _, o := range open {
		if o.Community != community || o.Owner == "" || o.Status != SpendOpen ||
			Confirmations(o.Height, tip.Height) < ExplainDepth {
			continue
		}
		all, err := tx.Units.UnitsOf(ctx, o.Community, o.Owner)
		if err != nil {
			return nil, err
		}
		units := adding(all, o.Amount)
		if units == nil {
			continue
		}
		o.Status = SpendMatched
		if units, err = RecordExplanation(ctx, tx, o, units, Cause{Kind: "block", ID: tip.Hash, At: at}); err != nil {
			return nil, err
		}
		delivered = append(delivered, units...)
	}
	return delivered, nil
}

// RecordExplanation stores the explanation of a spend: o.Status and the units that the spend delivered, which can be
// none. It makes these units WITHDRAWN and returns them. It returns state.ErrConflict if the spend is explained
// already.
func RecordExplanation(
	ctx context.Context, tx Tx, o UnexplainedSpend, units []Unit, cause Cause,
) (delivered []Unit, err error) {
	o.UnitIDs = []string{}
	var b Batch
	for _, unit := range units {
		if unit, err = b.Move(unit, DeliveredElsewhere, Any, cause, nil); err != nil {
			return nil, err
		}
		o.UnitIDs, delivered = append(o.UnitIDs, unit.ID), append(delivered, unit)
	}
	if err := b.Write(ctx, tx.Units); err != nil {
		return nil, err
	}
	return delivered, tx.Unexplained.ExplainSpend(ctx, o)
}

// adding returns virtual units whose amounts add up to sum exactly, or nil. It tries CLAIMABLE units alone, and then
// together with UNLOCKED ones. It stops after 10,000 steps each time; then an operator must explain the spend.
func adding(all []Unit, sum amount.Runes) []Unit {
	var claimable, free []Unit
	for _, unit := range all {
		switch {
		case !unit.Virtual():
		case unit.Stage == Claimable:
			claimable = append(claimable, unit)
		case unit.Stage == Unlocked:
			free = append(free, unit)
		}
	}
	for _, units := range [][]Unit{claimable, append(slices.Clone(claimable), free...)} {
		slices.SortFunc(units, func(a, b Unit) int { return cmp.Compare(a.Number, b.Number) })
		tries := 10_000
		if chosen := choose(units, sum, &tries); chosen != nil {
			return chosen
		}
	}
	return nil
}

// choose returns the first combination of units, in their order, whose amounts add up to sum, or nil. It backtracks and
// counts tries down.
func choose(units []Unit, sum amount.Runes, tries *int) []Unit {
	if *tries--; *tries < 0 || sum < 0 || len(units) == 0 {
		return nil
	}
	first := units[0]
	if first.Amount == sum {
		return []Unit{first}
	}
	if rest := choose(units[1:], sum-first.Amount, tries); rest != nil {
		return append([]Unit{first}, rest...)
	}
	return choose(units[1:], sum, tries)
}
