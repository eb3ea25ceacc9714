package audit

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"math/big"
	"time"

	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/runes"
)

// Published is the record of one settled epoch as a server publishes it. Amounts are in base units.
type Published struct {
	Community  string
	Epoch      int64
	Start, End time.Time // in the time of block headers
	ByHand     bool      // a dev network: a cut may be later than the headers' times imply
	Budget     int64     // the reserved amount
	StartCut   int64     // last block before its start; -1 if it is not published
	Cut        int64     // last block before its end
	CutHash    string
	Inputs     []PublishedUnit
	Rewards    []PublishedReward
}

// PublishedUnit is a unit that an epoch rewarded: an outpoint, or an earlier reward.
type PublishedUnit struct {
	ID, Owner string
	Amount    int64
}

// PublishedReward is the reward of one owner. UnitID is "" for a reward of 0.
type PublishedReward struct {
	Owner, UnitID string
	Stake, Reward int64
}

// Verdict is the result of a recomputation of an epoch.
type Verdict struct {
	Blocks, Units, Owners int      // numbers of blocks read, of rewarded units and of their owners
	Staked, Rewarded      int64    // base units
	Findings              []string // one sentence for each error; none if every reward is right
}

func (v *Verdict) find(format string, args ...any) {
	v.Findings = append(v.Findings, fmt.Sprintf(format, args...))
}

// Verifier recomputes epochs from published records and the chain alone.
type Verifier struct {
	Node  Node
	Rules runes.Rules
	Start int64 // the first block to follow
	Rune  runes.ID

	// Earlier returns the published record of another epoch of the same community. A compounded reward is a unit of
	// later epochs.
	Earlier func(ctx context.Context, epoch int64) (Published, error)
}

// Verify walks the chain up to the epoch's end and recomputes every reward. It can't detect an omitted eligible unit;
// only `moonfund audit` can, and each owner can check that the owner's units are listed. An error means that the epoch
// could not be verified.
func (c Verifier) Verify(ctx context.Context, p Published) (Verdict, error) {
	var v Verdict
	if len(p.CutHash) == 0 || p.Cut < 0 {
		return v, errors.New("the epoch is not settled, or ended before the first block")
	}
	deposits := map[wire.OutPoint]*chainDeposit{}
	for _, unit := range p.Inputs {
		if out, err := wire.NewOutPointFromString(unit.ID); err == nil {
			deposits[*out] = &chainDeposit{}
		}
	}
	if err := c.walk(ctx, p, deposits, &v); err != nil {
		return v, err
	}
	if err := c.units(ctx, p, deposits, &v); err != nil {
		return v, err
	}
	recompute(p, &v)
	return v, nil
}

// chainDeposit is an output on the chain. Its height is 0 if the output was not found.
type chainDeposit struct {
	held      []runes.Balance
	untracked bool // it may have held runes that are not followed
	height    int64
	spent     int64 // height of the block that spends it; 0 if it is unspent
}

// walk reads every block up to the one after the cut.
func (c Verifier) walk(ctx context.Context, p Published, deposits map[wire.OutPoint]*chainDeposit, v *Verdict) error {
	index := runes.NewMemory()
	startCut, endCut := int64(chain.None), int64(chain.None)
	for height := c.Start; height <= p.Cut+1; height++ {
		hash, err := c.Node.BlockHash(ctx, height)
		if err != nil {
			return fmt.Errorf("block %d: %w", height, err)
		}
		block, err := c.Node.Block(ctx, hash, height)
		if err != nil {
			return fmt.Errorf("block %d: %w", height, err)
		}
		if startCut == chain.None && !block.Time.Before(p.Start) {
			startCut = height - 1
		}
		if endCut == chain.None && !block.Time.Before(p.End) {
			endCut = height - 1
		}
		if height > p.Cut {
			break
		}
		if height == p.Cut && hash.String() != p.CutHash {
			v.find("its last block is published as %s, the chain has %s at height %d", p.CutHash, hash, height)
		}
		v.Blocks++
		if err := c.applyBlock(ctx, index, block, deposits); err != nil {
			return err
		}
	}
	compare := func(what string, published, computed int64) {
		if computed == chain.None || published < computed || (published > computed && !p.ByHand) {
			v.find("the last block before its %s is published as %d, by the headers it is %d", what, published, computed)
		}
	}
	compare("end", p.Cut, endCut)
	if p.StartCut != chain.None {
		compare("start", p.StartCut, startCut)
		startCut = p.StartCut
	}
	for _, unit := range p.Inputs {
		out, err := wire.NewOutPointFromString(unit.ID)
		if err != nil {
			continue // a reward of an earlier epoch
		}
		c.stake(unit, *deposits[*out], startCut, v)
	}
	return nil
}

func (c Verifier) applyBlock(
	ctx context.Context, index runes.Store, block chain.Block, deposits map[wire.OutPoint]*chainDeposit,
) error {
	var allocated runes.Allocated
	if block.Height >= c.Rules.FirstHeight {
		var err error
		commitments := runes.NodeCommitments{Node: c.Node, Height: block.Height, Hash: block.Hash}
		if allocated, err = c.Rules.Apply(ctx, index, commitments, block); err != nil {
			return err
		}
	}
	for _, tx := range block.Txs {
		for _, in := range tx.Msg.TxIn {
			if d := deposits[in.PreviousOutPoint]; d != nil {
				d.spent = block.Height
			}
		}
		for i := range tx.Msg.TxOut {
			out := wire.OutPoint{Hash: tx.ID, Index: uint32(i)}
			if d := deposits[out]; d != nil {
				d.held, d.height = allocated.To(out), block.Height
				if err := c.checkUntracked(ctx, index, tx, i, d); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// checkUntracked proves, with an index of some runes, that a deposit held no other rune. It lacks the server's earlier
// proofs, so it follows more transactions back than the server.
func (c Verifier) checkUntracked(ctx context.Context, index runes.Store, tx chain.Tx, vout int, d *chainDeposit) error {
	if c.Rules.Follow == nil {
		return nil
	}
	origin := runes.Provenance{Rules: c.Rules, Entries: index, Node: c.Node, Limit: 10 * runes.ProvenanceLimit}
	untracked, err := origin.UntrackedOutputs(ctx, tx)
	d.untracked = err == nil && untracked[vout]
	return err
}

// stake checks a unit that is an output.
func (c Verifier) stake(unit PublishedUnit, d chainDeposit, startCut int64, v *Verdict) {
	base, foreign := held(d.held, c.Rune)
	switch {
	case d.height == 0:
		v.find("unit %s: the chain has no such output up to the epoch's end", unit.ID)
	case d.untracked:
		v.find("unit %s: it can't be proved that its output held only followed runes", unit.ID)
	case foreign || !base.Equals64(uint64(unit.Amount)):
		v.find("unit %s counts as %d base units, its output held %s, other runes on it: %t",
			unit.ID, unit.Amount, base, foreign)
	case d.height > startCut-qualifyDepth:
		v.find("unit %s was deposited in block %d, too late for an epoch that starts after block %d",
			unit.ID, d.height, startCut)
	case d.spent != 0:
		v.find("unit %s was spent in block %d, before the epoch's end", unit.ID, d.spent)
	}
}

// units checks the units that are earlier rewards, and that each unit is listed once.
func (c Verifier) units(ctx context.Context, p Published, deposits map[wire.OutPoint]*chainDeposit, v *Verdict) error {
	listed := map[string]bool{}
	epochs := map[int64]map[string]PublishedReward{}
	for _, unit := range p.Inputs {
		if listed[unit.ID] {
			v.find("unit %s is listed twice", unit.ID)
		}
		listed[unit.ID] = true
		if _, err := wire.NewOutPointFromString(unit.ID); err == nil {
			continue
		}
		var earned int64
		if _, err := fmt.Sscanf(unit.ID, "reward:%d:", &earned); err != nil || earned < 0 || earned >= p.Epoch ||
			unit.ID != rewardID(p.Community, earned, unit.Owner) {
			v.find("unit %s of %s is neither an output nor a reward of an earlier epoch", unit.ID, unit.Owner)
			continue
		}
		if epochs[earned] == nil {
			earlier, err := c.Earlier(ctx, earned)
			if err != nil {
				return fmt.Errorf("epoch %d: %w", earned, err)
			}
			epochs[earned] = byKey(earlier.Rewards, func(r PublishedReward) (string, PublishedReward) { return r.UnitID, r })
		}
		if r := epochs[earned][unit.ID]; r.Owner != unit.Owner || r.Reward != unit.Amount {
			v.find("unit %s counts as %d base units of %s, epoch %d rewarded %d to %q",
				unit.ID, unit.Amount, unit.Owner, earned, r.Reward, r.Owner)
		}
	}
	return nil
}

// rewardID returns the id of an owner's reward.
func rewardID(community string, epoch int64, owner string) string {
	digest := sha256.Sum256([]byte(community + "\n" + owner))
	return fmt.Sprintf("reward:%d:%s", epoch, hex.EncodeToString(digest[:8]))
}

// recompute splits the budget again and compares every reward.
func recompute(p Published, v *Verdict) {
	inputs := make([]epochInput, len(p.Inputs))
	for i, unit := range p.Inputs {
		if unit.Amount <= 0 {
			v.find("unit %s counts as %d base units", unit.ID, unit.Amount)
		}
		inputs[i] = epochInput{unitID: unit.ID, owner: unit.Owner, amount: unit.Amount}
	}
	shares, total := split(p.Budget, inputs)
	paid := byKey(p.Rewards, func(r PublishedReward) (string, PublishedReward) { return r.Owner, r })
	sum := new(big.Int)
	for _, s := range shares {
		r, listed := paid[s.owner]
		delete(paid, s.owner)
		sum.Add(sum, &s.reward)
		if !listed || s.reward.Cmp(big.NewInt(r.Reward)) != 0 || s.stake.Cmp(big.NewInt(r.Stake)) != 0 {
			v.find("%s is due %s base units for a stake of %s; published are %d for %d",
				s.owner, &s.reward, &s.stake, r.Reward, r.Stake)
		}
	}
	for owner := range paid {
		v.find("%s was rewarded without a stake", owner)
	}
	v.Units, v.Owners, v.Staked, v.Rewarded = len(p.Inputs), len(shares), total.Int64(), sum.Int64()
}
