package signer

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"slices"
	"time"

	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/bitcoin/vault"
	"moonfund/internal/signed/statement"
)

// A signer in its own process serves HTTP with JSON on a local socket: POST /sign takes a Request and returns the
// signed transaction, GET /accounts returns the public keys that a server derives its addresses from, and GET /ready
// returns why nothing is signed.
const (
	signPath     = "/sign"
	accountsPath = "/accounts"
	readyPath    = "/ready"

	// Maximum size of a request. It names every unit of its orders and contains their messages; the largest request
	// that fits a payout is far below this.
	maxRequestBytes = 4 << 20
	// Maximum duration of a call, on either side.
	callTimeout = 5 * time.Second
)

// Accounts holds the extended public keys that the signer signs for, by account number, on one network.
type Accounts struct {
	Fingerprint uint32            `json:"fingerprint"` // of the master key, as PSBTs encode it
	Network     string            `json:"network"`
	Xpubs       map[uint32]string `json:"xpubs"`

	// StatementKeys are the x-only public keys of the communities' statements, by account number.
	StatementKeys map[uint32]statement.Key `json:"statement_keys,omitempty"`
}

// Accounts returns the public keys of every account that has a policy.
func (s *Signer) Accounts() (Accounts, error) {
	all := Accounts{
		Fingerprint: s.keys.Fingerprint(), Network: s.config.Network.Name, Xpubs: map[uint32]string{},
		StatementKeys: map[uint32]statement.Key{},
	}
	for account := range s.config.Policies {
		key, err := s.keys.StatementKey(account, s.config.Network)
		if err != nil {
			return Accounts{}, err
		}
		all.StatementKeys[account] = key
		xpub, err := s.keys.AccountXpub(account, s.config.Network)
		if err != nil {
			return Accounts{}, err
		}
		all.Xpubs[account] = xpub
	}
	if s.config.RuneOrders != nil {
		xpub, err := s.keys.AccountXpub(vault.OrdersAccount, s.config.Network)
		if err != nil {
			return Accounts{}, err
		}
		all.Xpubs[vault.OrdersAccount] = xpub
	}
	return all, nil
}

// answer is the response to POST /sign: the transaction, a refusal, or an error if the signer could not check the
// request.
type answer struct {
	Tx      *wire.MsgTx `json:"tx,omitempty"`
	Refusal *Refusal    `json:"refusal,omitempty"`
	Failure string      `json:"failure,omitempty"`
}

// ListenSocket creates the local socket at path, accessible only to the user and group of this process. It replaces a
// socket that no process listens on, and no other file.
func ListenSocket(path string) (net.Listener, error) {
	if info, err := os.Lstat(path); err == nil {
		if info.Mode()&os.ModeSocket == 0 {
			return nil, fmt.Errorf("signer: %s exists and is not a socket", path)
		}
		if conn, err := net.DialTimeout("unix", path, time.Second); err == nil {
			conn.Close()
			return nil, fmt.Errorf("signer: another signer listens on %s", path)
		}
		if err := os.Remove(path); err != nil {
			return nil, fmt.Errorf("signer: %w", err)
		}
	}
	listener, err := net.Listen("unix", path)
	if err != nil {
		return nil, fmt.Errorf("signer: %w", err)
	}
	if err := os.Chmod(path, 0o660); err != nil {
		listener.Close()
		return nil, fmt.Errorf("signer: %w", err)
	}
	return listener, nil
}

// Serve answers calls on the listener until ctx is done, and then returns nil. It treats every client as hostile:
// requests are bounded in size, decoded strictly, and authorized by Sign alone.
func (s *Signer) Serve(ctx context.Context, listener net.Listener, log *slog.Logger) error {
	routes := http.NewServeMux()
	routes.HandleFunc("POST "+signPath, func(w http.ResponseWriter, r *http.Request) { s.answerSign(w, r, log) })
	routes.HandleFunc("GET "+accountsPath, func(w http.ResponseWriter, r *http.Request) {
		accounts, err := s.Accounts()
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		reply(w, http.StatusOK, accounts)
	})
	routes.HandleFunc("GET "+readyPath, func(w http.ResponseWriter, r *http.Request) {
		if err := s.Ready(r.Context()); err != nil {
			reply(w, http.StatusServiceUnavailable, answer{Failure: err.Error()})
			return
		}
		reply(w, http.StatusOK, answer{})
	})
	if s.config.Heads != nil {
		s.serveStatements(routes, log)
	}
	if s.config.Marks != nil {
		serveMarks(routes, s.config.Marks)
	}
	server := &http.Server{
		Handler: routes, ReadTimeout: callTimeout, WriteTimeout: 2 * callTimeout, IdleTimeout: time.Minute,
		MaxHeaderBytes: 8 << 10, ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelWarn),
	}
	ended := context.AfterFunc(ctx, func() { server.Close() })
	defer ended()
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

func (s *Signer) answerSign(w http.ResponseWriter, r *http.Request, log *slog.Logger) {
	request, err := ReadRequest(http.MaxBytesReader(w, r.Body, maxRequestBytes))
	if err != nil {
		reply(w, http.StatusBadRequest, answer{Refusal: &Refusal{BadRequest, err.Error()}})
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), callTimeout)
	defer cancel()
	tx, err := s.Sign(ctx, request)
	refusal := new(Refusal)
	switch {
	case err == nil:
		log.Info("signed", "txid", tx.TxHash().String(), "account", request.Account, "orders", len(request.Orders))
		reply(w, http.StatusOK, answer{Tx: tx})
	case errors.As(err, &refusal):
		log.Warn("refused", "reason", string(refusal.Reason), "detail", refusal.Detail, "account", request.Account)
		reply(w, http.StatusUnprocessableEntity, answer{Refusal: refusal})
	default:
		log.Error("not signed", "error", err.Error())
		reply(w, http.StatusServiceUnavailable, answer{Failure: err.Error()})
	}
}

// ReadRequest decodes exactly one JSON request and rejects unknown fields.
func ReadRequest(body io.Reader) (r Request, err error) {
	decoder := json.NewDecoder(body)
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&r); err != nil {
		return r, fmt.Errorf("not a request: %w", err)
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return r, errors.New("not a request: data follows it")
	}
	if r.Tx != nil && !hasNoNulls(r.Tx) {
		return r, errors.New("not a request: an input or output is null")
	}
	return r, nil
}

// hasNoNulls reports whether a transaction decoded from JSON has no null input or output. A transaction with one has no
// id.
func hasNoNulls(tx *wire.MsgTx) bool {
	return !slices.Contains(tx.TxIn, nil) && !slices.Contains(tx.TxOut, nil)
}

func reply(w http.ResponseWriter, status int, body any) {
	data, err := json.Marshal(body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	w.Write(data) // a disconnected caller repeats the request
}
