// Package devnet runs a Bitcoin network on one machine for development and tests: a regtest node as a child process, a
// miner, a faucet for sats and runes, and the /dev/* controls. Its chain survives restarts and crashes of the program.
// The package supports regtest only.
package devnet

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"time"

	"github.com/btcsuite/btcd/chainhash/v2"
	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/runes"
)

// Config configures a dev network.
type Config struct {
	Dir      string                // folder of all data; one network per folder
	Binary   string                // path or name of btcd
	Interval time.Duration         // between blocks; 0: blocks are mined only by Mine
	Runes    []Rune                // one per community; etched if not on the chain yet
	Now      func() time.Time      // block header clock; nil: time.Now
	Progress func(sentence string) // called with each step of the start; may be nil
	Log      *slog.Logger          // nil: slog.Default()
}

// Rune describes a rune to etch for a community.
type Rune struct {
	Prefix       string // the community's path prefix, for the faucet
	Name         string // spaced, for example "LOBO•THE•WOLF•PUP"
	Symbol       string // one character
	Divisibility uint8
	Supply       int64 // base units, all premined to the faucet
}

// Etched is a rune that was etched for a community.
type Etched struct {
	Rune
	ID     runes.ID
	Height int64
}

// Network is a running dev network. It is safe for concurrent use; one lock serializes mining, reorgs and faucet
// payments.
type Network struct {
	config Config
	chain  chain.Network
	login  credentials
	gate   *gate
	lock   *os.File // held as long as the network runs
	key    faucetKey

	closing   chan struct{}
	closeOnce sync.Once
	watched   sync.WaitGroup

	mu      sync.Mutex // guards the fields below
	node    *node
	ix      *index
	blocks  *frames // every block ever mined, in order
	kept    *keptTxs
	waiting map[chainhash.Hash]*wire.MsgTx // the mempool at the last readMempool
	etched  []Etched
}

// Open starts the network in its folder, or resumes the existing one with the same tip and unconfirmed transactions.
// The first start mines funds and etches the runes. An error is one sentence that says what to do.
func Open(ctx context.Context, config Config) (*Network, error) {
	network, err := chain.NetworkByName("regtest")
	if err != nil {
		return nil, err
	}
	n := &Network{config: config.withDefaults(), chain: network, login: newCredentials(), closing: make(chan struct{})}
	if err := n.open(ctx); err != nil {
		return nil, errors.Join(err, n.Close())
	}
	n.watched.Add(1)
	go n.watch()
	return n, nil
}

func (c Config) withDefaults() Config {
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Progress == nil {
		c.Progress = func(string) {}
	}
	if c.Log == nil {
		c.Log = slog.Default()
	}
	return c
}

func (n *Network) open(ctx context.Context) (err error) {
	dir, err := filepath.Abs(n.config.Dir)
	if err != nil {
		return err
	}
	n.config.Dir = dir
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("the dev network's folder cannot be made: %w", err)
	}
	if n.lock, err = lockFolder(dir); err != nil {
		return err
	}
	if n.key, err = loadFaucetKey(filepath.Join(dir, "faucet.key")); err != nil {
		return err
	}
	if err := n.load(ctx); err != nil {
		return err
	}
	if n.gate, err = newGate(); err != nil {
		return err
	}
	n.config.Progress(fmt.Sprintf("Starting the Bitcoin node and replaying %d blocks", n.ix.height()))
	if err := n.startNode(ctx); err != nil {
		return err
	}
	if err := n.bootstrap(ctx); err != nil {
		return err
	}
	n.gate.open(n.node.addr)
	return nil
}

// lockFolder returns an error if another dev network uses the folder. The kernel releases the lock when the process
// ends.
func lockFolder(dir string) (*os.File, error) {
	file, err := os.OpenFile(filepath.Join(dir, "lock"), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		file.Close()
		return nil, fmt.Errorf("another dev network already runs in %s: stop it or choose another folder", dir)
	}
	return file, nil
}

// Close stops the node. The chain stays on disk.
func (n *Network) Close() error {
	var err error
	n.closeOnce.Do(func() {
		close(n.closing)
		n.watched.Wait()
		n.mu.Lock()
		defer n.mu.Unlock()
		if n.gate != nil {
			err = n.gate.close()
		}
		if n.node != nil {
			n.node.stop()
		}
		if n.blocks != nil {
			err = errors.Join(err, n.blocks.close())
		}
		if n.kept != nil {
			err = errors.Join(err, n.kept.file.close())
		}
		if n.lock != nil {
			err = errors.Join(err, n.lock.Close())
		}
	})
	return err
}

// Run mines a block every interval until ctx ends.
func (n *Network) Run(ctx context.Context) {
	if n.config.Interval <= 0 {
		<-ctx.Done()
		return
	}
	ticker := time.NewTicker(n.config.Interval)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			if _, err := n.Mine(ctx, 1, nil); err != nil && ctx.Err() == nil {
				n.config.Log.Error("dev network: no block was mined", "error", err)
			}
		}
	}
}

// ClientConfig returns the configuration of an RPC client. It stays valid across restarts of the node; calls during a
// restart wait.
func (n *Network) ClientConfig() chain.ClientConfig {
	return chain.ClientConfig{URL: n.gate.url(), User: n.login.user, Password: n.login.password, Timeout: time.Minute}
}

// Runes returns the etched runes, in the order of the configuration.
func (n *Network) Runes() []Etched { return n.etched }

// Height returns the height of the tip.
func (n *Network) Height() int64 {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.ix.height()
}

// enter acquires the lock and restarts the node if it is not running. The caller must call leave if enter returns nil.
func (n *Network) enter(ctx context.Context) error {
	n.mu.Lock()
	select {
	case <-n.closing:
		n.mu.Unlock()
		return errors.New("the dev network is stopping")
	default:
	}
	if n.node.alive() {
		return nil
	}
	if err := n.revive(ctx); err != nil {
		n.mu.Unlock()
		return err
	}
	return nil
}

func (n *Network) leave() { n.mu.Unlock() }

// watch restarts the node when it exits unexpectedly.
func (n *Network) watch() {
	defer n.watched.Done()
	for {
		n.mu.Lock()
		current := n.node
		n.mu.Unlock()
		select {
		case <-n.closing:
			return
		case <-current.exited:
		}
		ctx, cancel := context.WithTimeout(context.Background(), nodeStartLimit)
		if err := n.enter(ctx); err == nil {
			n.leave()
		} else {
			n.config.Log.Error("dev network: the Bitcoin node cannot be restarted", "error", err)
			select {
			case <-n.closing:
			case <-time.After(time.Second):
			}
		}
		cancel()
	}
}

// revive restarts the node and restores its chain and mempool while the gate is shut. The caller holds the lock.
func (n *Network) revive(ctx context.Context) error {
	ctx = context.WithoutCancel(ctx) // complete the chain even if the caller cancels
	n.gate.shut()
	defer func() { n.gate.open(n.node.addr) }()
	n.node.stop()
	n.config.Log.Info("dev network: restarting the Bitcoin node", "height", n.ix.height())
	return n.startNode(ctx)
}

// startNode starts the node, replays the index's chain and broadcasts the unconfirmed transactions.
func (n *Network) startNode(ctx context.Context) error {
	started, err := startNode(ctx, n.config.Binary, filepath.Join(n.config.Dir, "btcd"), n.login)
	if err != nil {
		return err
	}
	n.node = started
	if err := n.restore(ctx); err != nil {
		started.stop() // a node with an incomplete chain must not stay up
		return err
	}
	return nil
}

// restore replays the index's chain to an empty node and restores its mempool.
func (n *Network) restore(ctx context.Context) error {
	if err := n.node.replay(ctx, n.ix.blocks[1:], n.login); err != nil {
		return err
	}
	if err := n.checkTip(ctx); err != nil {
		return err
	}
	return n.rebroadcast(ctx)
}

// checkTip returns an error if the node's best block is not the index's tip.
func (n *Network) checkTip(ctx context.Context) error {
	best, height, err := n.node.client.Best(ctx)
	if err != nil {
		return err
	}
	if best != n.ix.tipHash() {
		return fmt.Errorf("the Bitcoin node's tip is %s at height %d, not %s at %d", best, height, n.ix.tipHash(),
			n.ix.height())
	}
	return nil
}

// rebroadcast sends the stored and last seen transactions that are not mined. It ignores rejections, which happen for
// transactions that conflict or whose lock has not passed.
func (n *Network) rebroadcast(ctx context.Context) error {
	txs := n.kept.waiting(n.ix)
	for id, tx := range n.waiting {
		if _, mined := n.ix.txs[id]; !mined {
			txs[id] = tx
		}
	}
	for _, tx := range topological(txs) {
		var refused *chain.Refusal
		err := n.node.client.Broadcast(ctx, encodeTx(tx))
		if errors.As(err, &refused) {
			n.config.Log.Info("dev network: a transaction does not return to the mempool", "txid", tx.TxHash().String(),
				"reason", refused.Reason)
		} else if err != nil {
			return fmt.Errorf("rebroadcast %s: %w", tx.TxHash(), err)
		}
	}
	return nil
}

func encodeBlock(block *wire.MsgBlock) []byte {
	var buffer bytes.Buffer
	buffer.Grow(block.SerializeSize())
	block.Serialize(&buffer) // a bytes.Buffer never fails
	return buffer.Bytes()
}

func encodeTx(tx *wire.MsgTx) []byte {
	var buffer bytes.Buffer
	buffer.Grow(tx.SerializeSize())
	tx.Serialize(&buffer)
	return buffer.Bytes()
}
