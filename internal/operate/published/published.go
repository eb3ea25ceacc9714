// Package published reads the records of settled epochs, from a ledger or from a server, for verification by the audit.
package published

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"moonfund/internal/amount"
	"moonfund/internal/api"
	"moonfund/internal/audit"
	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/state"
	"moonfund/internal/store"
)

// Source returns the record of a settled epoch, or an error if the epoch is not settled.
type Source func(ctx context.Context, epoch int64) (audit.Published, error)

// FromLedger returns the records of a community in a ledger. byHand is true on a network whose epochs can be ended by
// hand.
func FromLedger(db *store.Store, community string, byHand bool) Source {
	return func(ctx context.Context, epoch int64) (p audit.Published, err error) {
		err = db.View(ctx, func(tx *store.Tx) error {
			p, err = Recorded(ctx, tx, community, epoch)
			return err
		})
		p.ByHand = byHand
		return p, err
	}
}

// Recorded reads the record of an epoch from the ledger. It returns an error if the epoch is not settled.
func Recorded(ctx context.Context, tx *store.Tx, community string, epoch int64) (p audit.Published, err error) {
	account, err := tx.AccountOf(ctx, community, epoch)
	if errors.Is(err, state.ErrNotFound) || (err == nil && !account.Settled) {
		return p, fmt.Errorf("epoch %d of %s is not settled", epoch, community)
	}
	if err != nil {
		return p, err
	}
	calendar, err := tx.Calendar(ctx, community)
	if err != nil {
		return p, err
	}
	p = audit.Published{
		Community: community, Epoch: epoch, Start: calendar.Start(epoch), End: calendar.End(epoch),
		Budget: int64(account.Reserved), StartCut: chain.None, Cut: account.Cut, CutHash: account.CutHash,
	}
	inputs, err := tx.Inputs(ctx, community, epoch)
	for _, unit := range inputs {
		p.Inputs = append(p.Inputs, audit.PublishedUnit{ID: unit.UnitID, Owner: unit.Owner, Amount: unit.Amount})
	}
	if err != nil {
		return p, err
	}
	rewards, err := tx.Rewards(ctx, community, epoch)
	for _, r := range rewards {
		p.Rewards = append(p.Rewards, audit.PublishedReward{
			Owner: r.Owner, UnitID: r.UnitID, Stake: int64(r.Stake), Reward: int64(r.Reward),
		})
	}
	return p, err
}

const (
	fetchTimeout = time.Minute
	maxRecord    = 1 << 30 // bytes of one epoch's record
)

// FromServer returns the records of a community that a server publishes. server is the address of the community's web
// page, such as https://lobo.example.org.
func FromServer(server, community string, byHand bool) (Source, error) {
	address, err := url.Parse(server)
	if err != nil || address.Host == "" || (address.Scheme != "https" && address.Scheme != "http") {
		return nil, fmt.Errorf("--server is %q: it must be an address such as https://lobo.example.org", server)
	}
	return func(ctx context.Context, epoch int64) (audit.Published, error) {
		p, err := fetch(ctx, address.JoinPath(community, "epochs", strconv.FormatInt(epoch, 10)).String())
		p.Community, p.Epoch, p.ByHand = community, epoch, byHand
		return p, err
	}, nil
}

func fetch(ctx context.Context, address string) (p audit.Published, err error) {
	ctx, cancel := context.WithTimeout(ctx, fetchTimeout)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return p, err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return p, fmt.Errorf("the server can't be reached: %w", err)
	}
	defer response.Body.Close()
	if p, err = Read(io.LimitReader(response.Body, maxRecord)); err != nil {
		return p, fmt.Errorf("%s (%s): %w", address, response.Status, err)
	}
	return p, nil
}

// Read reads the record of a settled epoch as servers publish it: an api.EpochDetailReply in JSON. The record contains
// neither the community nor the epoch. Read returns an error if the epoch is not settled.
func Read(body io.Reader) (p audit.Published, err error) {
	var reply api.EpochDetailReply
	if err := json.NewDecoder(body).Decode(&reply); err != nil {
		return p, fmt.Errorf("it does not publish epochs: %w", err)
	}
	if reply.Data == nil {
		return p, fmt.Errorf("the server says: %s", reply.Message)
	}
	d := *reply.Data
	if !d.Epoch.Settled || d.CutHeight == nil || d.CutHash == nil {
		return p, errors.New("the epoch is not settled")
	}
	p = audit.Published{
		Start: time.Time(d.Epoch.Start), End: time.Time(d.Epoch.End), StartCut: chain.None, Cut: *d.CutHeight,
		CutHash: *d.CutHash,
	}
	number := func(text api.RuneAmount) int64 {
		parsed, parseErr := amount.ParseRunes(string(text))
		if err == nil && parseErr != nil {
			err = fmt.Errorf("the amount %q: %w", text, parseErr)
		}
		return int64(parsed)
	}
	p.Budget = number(api.RuneAmount(d.Epoch.Budget))
	for _, unit := range d.Inputs {
		p.Inputs = append(p.Inputs, audit.PublishedUnit{ID: unit.UnitId, Owner: unit.Owner, Amount: number(unit.Amount)})
	}
	for _, r := range d.Rewards {
		reward := audit.PublishedReward{Owner: r.Owner, Stake: number(r.Stake), Reward: number(r.Reward)}
		if r.UnitId != nil {
			reward.UnitID = *r.UnitId
		}
		p.Rewards = append(p.Rewards, reward)
	}
	return p, err
}

// Verify compares the rewards of a settled epoch with the rewards that the verifier computes from the chain. It reads
// the earlier epochs that the verifier needs from the same source.
func (s Source) Verify(
	ctx context.Context, v audit.Verifier, epoch int64,
) (p audit.Published, verdict audit.Verdict, err error) {
	v.Earlier = s
	if p, err = s(ctx, epoch); err != nil {
		return p, verdict, err
	}
	if epoch > 0 {
		before, err := s(ctx, epoch-1)
		if err != nil {
			return p, verdict, err
		}
		p.StartCut = before.Cut
	}
	if verdict, err = v.Verify(ctx, p); err != nil {
		return p, verdict, fmt.Errorf("epoch %d can't be verified: %w", epoch, err)
	}
	return p, verdict, nil
}
