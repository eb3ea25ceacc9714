package signing

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"sync"
	"time"

	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/runes"
	"moonfund/internal/server/runeindex"
	"moonfund/internal/signer"
	"moonfund/internal/staking/community"
	"moonfund/internal/store"
)

// followInterval is the interval between two steps of the follower.
const followInterval = time.Second

// Process is the configuration of a signer process.
type Process struct {
	Network     chain.Network
	Communities []community.Manifest // their manifests contain the limits
	Data        string               // folder of the index, the limits and the pause switch
	Keys        *signer.Keys
	KeyFile     string
	Socket      string // path
	Node        *chain.Client
	Index       string   // runeindex.Full or runeindex.Followed
	FeeTo       string   // the only address that may receive the fee of mint and etch orders; "": none
	WithdrawTo  []string // the only addresses to which a treasury's surplus may be withdrawn
	Log         *slog.Logger
}

// Run signs for a server on the socket until ctx is done. It returns an error if the data folder, the index, the limits
// or the socket can't be opened.
func (p Process) Run(ctx context.Context) error {
	if err := os.MkdirAll(p.Data, 0o700); err != nil {
		return fmt.Errorf("the signer's folder can't be created: %w", err)
	}
	index := indexAddress(p.Data)
	release, err := store.Lock(index)
	if err != nil {
		return err
	}
	defer release()
	db, err := store.Open(ctx, index)
	if err != nil {
		return err
	}
	defer db.Close()
	choice := runeindex.Choice{Index: p.Index, Network: p.Network, Communities: p.Communities, Node: p.Node}
	rules, err := choice.Rules(ctx, db, runeindex.DeleteIndex)
	if err != nil {
		return err
	}
	followed := newIndex(db, p.Node, rules, p.Log)
	clock, err := newProcessClock(p.Data, p.Network, followed.newest, p.Log)
	if err != nil {
		return err
	}
	s, err := p.signer(ctx, followed, clock, rules)
	if err != nil {
		return err
	}
	listener, err := signer.ListenSocket(p.Socket)
	if err != nil {
		return err
	}
	return p.serve(ctx, s, followed, clock, listener)
}

// signer returns the signer, which uses the process's own index.
func (p Process) signer(ctx context.Context, index *index, clock *processClock,
	rules runes.Rules) (*signer.Signer, error) {
	config := signer.Config{
		Now: clock.now, Balances: index.balances, Paused: PauseFile(p.Data).Why, Ready: index.ready,
		RuneOrders: &signer.RuneOrderPolicy{FeeTo: p.FeeTo}, WithdrawTo: p.WithdrawTo,
	}
	if rules.Follow != nil {
		config.Untracked = index.untracked
		if err := index.watchTreasuries(ctx, p.Keys, p.Communities); err != nil {
			return nil, err
		}
	}
	outflows, err := StartOutflows(p.Data, p.KeyFile, p.Network, p.Log)
	if err != nil {
		return nil, err
	}
	marks := &signer.MarkFile{Path: filepath.Join(p.Data, markFile), Network: p.Network.Name}
	config.Outflows, config.Marks = outflows, BeginOutflows(marks, outflows)
	config.Heads = StatementHeads(p.Data, p.KeyFile, p.Network)
	return NewSigner(p.Keys, p.Network, p.Communities, p.Data, config)
}

// serve serves the socket, follows the chain and checks the clock until ctx is done.
func (p Process) serve(
	ctx context.Context, s *signer.Signer, index *index, clock *processClock, listener net.Listener,
) error {
	background, stop := context.WithCancel(ctx)
	var running sync.WaitGroup
	running.Go(func() { index.follower.Run(background, followInterval) })
	running.Go(func() { clock.watch(background) })
	defer running.Wait()
	defer stop()
	p.Log.Info("signing", "socket", listener.Addr().String())
	return s.Serve(ctx, listener, p.Log)
}
