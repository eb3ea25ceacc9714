package server

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/coreos/go-systemd/v22/daemon"

	"moonfund/internal/api"
	"moonfund/internal/signer"
)

// Start checks and binds the communities, compares the ledger with its key's mark, and acquires the leader lease if no
// other server can hold it. If the signer process does not respond, the mark is compared later, and actions are refused
// until then.
func (s *Server) Start(ctx context.Context) error {
	if err := s.CheckCommunities(ctx); err != nil {
		return err
	}
	if err := s.Bind(ctx); err != nil {
		return err
	}
	if err := s.CompareMark(ctx); err != nil && !errors.Is(err, signer.ErrUnreachable) {
		return err
	}
	if s.Store.Shared() {
		return nil
	}
	return s.Seize(ctx)
}

// Run serves the listener until ctx is done. Meanwhile it follows the chain and the mempool, checks the clock and the
// signer, raises the high-water mark, publishes statements, signs receipts, sends messages to stakers, writes backups,
// checks the conditions for notifications, runs its Tasks and, unless it leads, reads the chain for its audit. mounts
// are additional handlers by their first path segment.
func (s *Server) Run(ctx context.Context, listener net.Listener, mounts map[string]http.Handler) error {
	if err := s.serveMetrics(ctx, s.Metrics); err != nil {
		return err
	}
	handler, err := s.handler(mounts)
	if err != nil {
		return err
	}
	background, stop := context.WithCancel(ctx)
	var running sync.WaitGroup
	running.Go(func() { s.follow(background, s.Interval) })
	if s.nodeEvents != nil {
		running.Go(func() { s.nodeEvents.Run(background) })
	}
	running.Go(func() { s.watchClock(background) })
	running.Go(func() { s.keepMark(background) })
	running.Go(func() { s.watchSigner(background) })
	running.Go(func() { s.statements.Run(background) })
	running.Go(func() { s.receipts.Run(background) })
	running.Go(func() { s.watchdog(background) })
	running.Go(func() { s.push.Run(background) })
	if s.Tasks != nil {
		for _, task := range s.Tasks(s) {
			running.Go(func() { task(background) })
		}
	}
	s.Backups.OnResult(s.noteBackup)
	running.Go(func() { s.Backups.Run(background, s.Leads) })
	running.Go(func() { s.watchConditions(background) })
	if s.auditor != nil {
		running.Go(func() { s.auditor.Run(background, s.Leads) })
	}
	address := listener.Addr().String()
	s.Log.Info("serving", "address", address, "network", s.Network.Name, "communities", len(s.Communities))
	s.notify(daemon.SdNotifyReady)
	err = serve(ctx, listener, handler, s.hub)
	s.notify(daemon.SdNotifyStopping)
	stop()
	running.Wait()
	return err
}

// Listen opens a TCP port. If the port is in use, the error says what to do.
func Listen(address string) (net.Listener, error) {
	listener, err := net.Listen("tcp", address)
	if err == nil {
		return listener, nil
	}
	var op *net.OpError
	if errors.As(err, &op) {
		err = op.Err
	}
	return nil, fmt.Errorf("can't listen on %s: %w. Choose another port", address, err)
}

// shutdownTimeout is the time for which running requests may continue after ctx is done.
const shutdownTimeout = 5 * time.Second

// serve serves requests until ctx is done. It then waits for the running requests.
func serve(ctx context.Context, listener net.Listener, handler http.Handler, hub *api.Hub) error {
	server := api.NewServer(listener.Addr().String(), handler, hub)
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(api.Listener(listener)) }()
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
	}
	last, cancel := context.WithTimeout(context.Background(), shutdownTimeout)
	defer cancel()
	return server.Shutdown(last)
}
