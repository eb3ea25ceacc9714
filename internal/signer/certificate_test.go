package signer

import (
	"context"
	"errors"
	"path/filepath"
	"testing"
	"time"

	"github.com/btcsuite/btcd/btcec/v2"

	"moonfund/internal/signed/statement"
)

// receiptKey returns the public key of a new receipt key.
func receiptKey(t testing.TB) statement.Key {
	t.Helper()
	private, err := btcec.NewPrivateKey()
	must(t, err)
	return statement.KeyOf(private.PubKey())
}

// certifier is a signer in this process or a client of one.
type certifier interface {
	CertifyReceiptKey(ctx context.Context, account uint32, key statement.Key) (CertifiedKey, error)
}

// A receipt key is certified for one community, from now on, for a limited time. It signs no statements.
func TestReceiptKeysAreCertified(t *testing.T) {
	w := newWorld(t)
	heads := &HeadFile{Path: filepath.Join(t.TempDir(), "statements.json")}
	local := w.withHeads(heads)
	now, err := w.config.Now()
	must(t, err)
	public, err := w.keys.StatementKey(0, w.network)
	must(t, err)
	key := receiptKey(t)
	for _, signer := range []certifier{local, w.statementsOverSocket(local)} {
		got, err := signer.CertifyReceiptKey(t.Context(), 0, key)
		must(t, err)
		must(t, got.Certificate.Verify(public, got.Signature))
		want := statement.Certificate{
			Format: statement.CertificateFormat, Network: w.network.Name, Community: "lobo", Key: key, From: now.Unix(),
			To: now.Add(90 * 24 * time.Hour).Unix(),
		}
		if got.Certificate != want {
			t.Errorf("got %+v, want %+v", got.Certificate, want)
		}
		if _, err := signer.CertifyReceiptKey(t.Context(), 7, key); !refusedFor(err, BadRequest) {
			t.Errorf("another account: got error %v", err)
		}
		if _, err := signer.CertifyReceiptKey(t.Context(), 0, statement.Key{}); !refusedFor(err, BadRequest) {
			t.Errorf("no key: got error %v", err)
		}
	}
	if head, err := heads.Load(t.Context(), 0); err != nil || head != NoHead {
		t.Errorf("head: got %+v, %v", head, err)
	}
	w.config.Paused = func() (string, error) { return "anna: check", nil }
	if _, err := w.withHeads(heads).CertifyReceiptKey(t.Context(), 0, key); !refusedFor(err, Paused) {
		t.Errorf("paused signer: got error %v", err)
	}
	doubt := errors.New("in doubt")
	w.config.Paused, w.config.Now = nil, func() (time.Time, error) { return time.Time{}, doubt }
	if _, err := w.withHeads(heads).CertifyReceiptKey(t.Context(), 0, key); !errors.Is(err, doubt) {
		t.Errorf("a clock in doubt: got error %v", err)
	}
}

// TestCompromisedServerCertifiesItsKey requests certificates as a compromised server does. It gets a certificate for
// its own key, and can then sign false receipts, but none that is dated before the request or more than 90 days later,
// and none of another community. The signature of a certificate is not valid for a statement or a batch.
func TestCompromisedServerCertifiesItsKey(t *testing.T) {
	w := newCompromise(t, ownNode).world
	heads := &HeadFile{Path: filepath.Join(t.TempDir(), "statements.json")}
	client := w.statementsOverSocket(w.withHeads(heads))
	now, err := w.config.Now()
	must(t, err)
	public, err := w.keys.StatementKey(0, w.network)
	must(t, err)
	for range 3 {
		got, err := client.CertifyReceiptKey(t.Context(), 0, receiptKey(t))
		must(t, err)
		c := got.Certificate
		must(t, c.Verify(public, got.Signature))
		if c.From < now.Unix() || c.To > now.Add(statement.CertificateLifetime).Unix() || c.Community != "lobo" {
			t.Errorf("got %+v", c)
		}
		for name, change := range map[string]func(*statement.Certificate){
			"older":             func(c *statement.Certificate) { c.From-- },
			"longer":            func(c *statement.Certificate) { c.To++ },
			"another community": func(c *statement.Certificate) { c.Community = "wolf" },
			"another network":   func(c *statement.Certificate) { c.Network = "mainnet" },
			"another key":       func(c *statement.Certificate) { c.Key = public },
		} {
			changed := c
			if change(&changed); changed.Verify(public, got.Signature) == nil {
				t.Errorf("%s: the certificate is valid", name)
			}
		}
		of := statement.Signed{Document: w.document(0, statement.Hash{}, "1"), Key: public, Signature: got.Signature}
		if of.Verify(public) == nil {
			t.Error("the signature of a certificate is valid for a statement")
		}
	}
	if _, err := client.CertifyReceiptKey(t.Context(), 7, receiptKey(t)); !refusedFor(err, BadRequest) {
		t.Errorf("of another account: got error %v", err)
	}
}
