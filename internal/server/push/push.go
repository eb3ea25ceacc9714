// Package push tells stakers by Web Push when their runes unlock, a reward settles, or an order needs them (ADR 69). A
// message contains ids of units and orders only; the page's service worker has the texts.
package push

import (
	"context"
	"crypto/ecdh"
	"encoding/base64"
	"errors"
	"io/fs"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/SherClockHolmes/webpush-go"

	"moonfund/internal/api"
	"moonfund/internal/fault"
	"moonfund/internal/signer"
	"moonfund/internal/staking/action"
	"moonfund/internal/store"
)

// KeyFile is the file in the data folder with the key (VAPID, RFC 8292) that signs the messages.
const KeyFile = "push.key"

// Limits of subscriptions.
const (
	perOwner = 5      // a further one replaces the oldest
	inTotal  = 10_000 // of all owners
)

// Config configures a Service.
type Config struct {
	KeyFile string // created if it does not exist
	Contact string // https address of this server, for operators of push services
	Store   *store.Store
	// CheckProven returns a fault unless the caller signed the action with this signature a short time ago.
	CheckProven func(ctx context.Context, community string, w action.Wallet, actionID, signature string) error
	Leads       func() bool // reports whether this server is the leader
	Now         func() time.Time
	Log         *slog.Logger
}

// Service keeps subscriptions and sends messages. Of several servers on one database, only the leader sends. All need
// the same key.
type Service struct {
	Config
	private, public string // base64url; "" if the messages are off
	client          *http.Client
	jitter          func() float64 // in [0, 1)
}

// New returns a service with the key of the file. If the file can't be read or created, it logs an error, and the
// messages are off: nothing else needs the key.
func New(c Config) *Service {
	s := &Service{Config: c, client: newClient(), jitter: rand.Float64}
	key, err := readKey(c.KeyFile)
	if err != nil {
		c.Log.Error("messages to stakers are off: the file of their key can't be used", "file", c.KeyFile,
			"error", err.Error())
		return s
	}
	s.private, s.public = encode(key.Bytes()), encode(key.PublicKey().Bytes())
	return s
}

func encode(data []byte) string { return base64.RawURLEncoding.EncodeToString(data) }

// readKey reads the key in a file, or creates both.
func readKey(path string) (*ecdh.PrivateKey, error) {
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		created, _, err := webpush.GenerateVAPIDKeys()
		if err != nil {
			return nil, err
		}
		text = []byte(created)
		if err := signer.ReplaceFile(path, append(text, '\n')); err != nil {
			return nil, err
		}
	} else if err != nil {
		return nil, err
	}
	key, err := base64.RawURLEncoding.DecodeString(strings.TrimSpace(string(text)))
	if err != nil {
		return nil, err
	}
	return ecdh.P256().NewPrivateKey(key)
}

// PushKey implements api.Push.
func (s *Service) PushKey() string { return s.public }

// IsSubscribed implements api.Push.
func (s *Service) IsSubscribed(ctx context.Context, community string, w action.Wallet,
	endpoint string) (subscribed bool, err error) {
	err = s.Store.View(ctx, func(tx *store.Tx) error {
		subscribed, err = tx.HasPushSubscription(ctx, community, w.Ordinals, endpoint)
		return err
	})
	return subscribed, err
}

// Subscribe implements api.Push.
func (s *Service) Subscribe(ctx context.Context, community string, r api.PushRequest) error {
	if s.public == "" {
		return fault.Refuse(fault.PushEndpoint)
	}
	if err := checkSubscription(r); err != nil {
		return fault.Refuse(fault.PushEndpoint).Because(err)
	}
	if err := s.CheckProven(ctx, community, r.Wallet, r.ActionID, r.Signature); err != nil {
		return err
	}
	err := s.Store.Update(ctx, func(tx *store.Tx) error {
		return tx.PutPushSubscription(ctx, store.PushSubscription{
			Endpoint: r.Endpoint, Community: community, Owner: r.Wallet.Ordinals, Key: r.Key, Auth: r.Auth,
		}, perOwner, inTotal, s.Now())
	})
	if errors.Is(err, store.ErrPushFull) {
		return fault.Refuse(fault.PushFull)
	}
	return err
}

// Unsubscribe implements api.Push. It writes nothing for an unknown endpoint, because anyone can call it.
func (s *Service) Unsubscribe(ctx context.Context, endpoint string) error {
	known := false
	if err := s.Store.View(ctx, func(tx *store.Tx) (err error) {
		known, err = tx.IsPushEndpoint(ctx, endpoint)
		return err
	}); err != nil || !known {
		return err
	}
	return s.Store.Update(ctx, func(tx *store.Tx) error { return tx.DeletePushSubscriptions(ctx, endpoint) })
}
