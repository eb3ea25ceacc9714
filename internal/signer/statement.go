package signer

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"

	"github.com/btcsuite/btcd/btcec/v2"

	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/signed/statement"
)

// branchStatement is the hardened branch of a community's statement key, below its account. It is hardened, so that the
// account's public key and a leaked statement key do not reveal the account's private key (BIP-32).
const branchStatement = hardened + 5

// statementKey returns the private key of a community's statements, m/86'/coin'/account'/5'. It signs statements and
// certificates of receipt keys, and nothing else.
func (k *Keys) statementKey(account uint32, n chain.Network) (*btcec.PrivateKey, error) {
	key, err := k.account(account, n)
	if err != nil {
		return nil, err
	}
	if key, err = key.Derive(branchStatement); err != nil {
		return nil, fmt.Errorf("statement key of account %d: %w", account, err)
	}
	return key.ECPrivKey()
}

// StatementKey returns the public key of the statements of a community with an account.
func (k *Keys) StatementKey(account uint32, n chain.Network) (statement.Key, error) {
	private, err := k.statementKey(account, n)
	if err != nil {
		return statement.Key{}, err
	}
	defer private.Zero()
	return statement.KeyOf(private.PubKey()), nil
}

// SignStatement signs the statement of a community with an account. text is the canonical form of the document. It
// returns a *Refusal unless the document is the successor of the last signed document, or that document itself, which
// gets the same signature again.
//
// The head is stored before the signature is released. After a crash in between, the server repeats the request with
// the same document, which follows from committed rows.
func (s *Signer) SignStatement(ctx context.Context, account uint32, text []byte) (statement.Signed, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.checkPause(); err != nil {
		return statement.Signed{}, err
	}
	policy, known := s.config.Policies[account]
	if !known || s.config.Heads == nil {
		return statement.Signed{}, refuse(BadRequest, "no statements are signed for account %d", account)
	}
	d, err := statement.Parse(text)
	if err != nil {
		return statement.Signed{}, refuse(BadStatement, "%v", err)
	}
	if d.Network != s.config.Network.Name || d.Community != policy.Prefix || d.Rune != policy.Rune.String() {
		return statement.Signed{}, refuse(BadStatement, "a statement of rune %s, community %q on %s", d.Rune, d.Community,
			d.Network)
	}
	head, err := s.loadHead(ctx, account)
	if err != nil {
		return statement.Signed{}, err
	}
	id, err := d.ID()
	if err != nil {
		return statement.Signed{}, refuse(BadStatement, "%v", err)
	}
	next := Head{Sequence: d.Sequence, ID: id}
	if head == NoHead && d.Sequence > 0 {
		return statement.Signed{}, refuse(HeadsLost, "%v", ErrHeadsLost)
	}
	if next != head {
		if err := d.Follows(head.Sequence, head.ID); err != nil {
			return statement.Signed{}, refuse(NotSuccessor, "%v", err)
		}
	}
	if err := s.config.Heads.Advance(ctx, account, head, next); err != nil {
		return statement.Signed{}, fmt.Errorf("signer: statements: %w", err)
	}
	private, err := s.keys.statementKey(account, s.config.Network)
	if err != nil {
		return statement.Signed{}, err
	}
	defer private.Zero()
	return statement.Sign(d, private)
}

// StatementHead returns the last statement that was signed for an account. Its sequence is -1 if there is none.
func (s *Signer) StatementHead(ctx context.Context, account uint32) (Head, error) {
	if _, known := s.config.Policies[account]; !known || s.config.Heads == nil {
		return Head{}, refuse(BadRequest, "no statements are signed for account %d", account)
	}
	return s.loadHead(ctx, account)
}

func (s *Signer) loadHead(ctx context.Context, account uint32) (Head, error) {
	head, err := s.config.Heads.Load(ctx, account)
	if errors.Is(err, ErrHeadsLost) || errors.Is(err, ErrHeadsDiffer) {
		return Head{}, refuse(HeadsLost, "%v", err)
	}
	if err != nil {
		return Head{}, fmt.Errorf("signer: statements: %w", err)
	}
	return head, nil
}

// A signer in its own process signs statements as well: POST /statement signs one, POST /statement/head returns the
// last one that was signed, and POST /statement/receipt-key certifies a receipt key.
const (
	statementPath = "/statement"
	headPath      = "/statement/head"

	// Maximum size of a request. A statement lists every output, in about 280 bytes each.
	maxStatementBytes = 80 << 20
)

type statementRequest struct {
	Account uint32 `json:"account"`
	Text    string `json:"text,omitempty"` // canonical form of the document

	ReceiptKey *statement.Key `json:"receipt_key,omitempty"` // to be certified
}

// statementAnswer is the response to these calls.
type statementAnswer struct {
	Key       statement.Key        `json:"key"`
	Signature *statement.Signature `json:"signature,omitempty"`
	Head      *Head                `json:"head,omitempty"`
	Certified *CertifiedKey        `json:"certified,omitempty"`
	Refusal   *Refusal             `json:"refusal,omitempty"`
	Failure   string               `json:"failure,omitempty"`
}

// serveStatements registers the handlers for statements.
func (s *Signer) serveStatements(routes *http.ServeMux, log *slog.Logger) {
	handle := func(path string, fn func(context.Context, statementRequest) (statementAnswer, error)) {
		routes.HandleFunc("POST "+path, func(w http.ResponseWriter, r *http.Request) {
			body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxStatementBytes))
			var asked statementRequest
			if err == nil {
				err = json.Unmarshal(body, &asked)
			}
			if err != nil {
				reply(w, http.StatusBadRequest, statementAnswer{Refusal: &Refusal{BadRequest, err.Error()}})
				return
			}
			answer, err := fn(r.Context(), asked)
			refusal := new(Refusal)
			switch {
			case err == nil:
				reply(w, http.StatusOK, answer)
			case errors.As(err, &refusal):
				log.Warn("refused", "reason", string(refusal.Reason), "detail", refusal.Detail, "account", asked.Account)
				reply(w, http.StatusUnprocessableEntity, statementAnswer{Refusal: refusal})
			default:
				log.Error("statement not signed", "error", err.Error())
				reply(w, http.StatusServiceUnavailable, statementAnswer{Failure: err.Error()})
			}
		})
	}
	handle(statementPath, func(ctx context.Context, r statementRequest) (statementAnswer, error) {
		signed, err := s.SignStatement(ctx, r.Account, []byte(r.Text))
		if err != nil {
			return statementAnswer{}, err
		}
		log.Info("signed a statement", "account", r.Account, "sequence", signed.Document.Sequence)
		return statementAnswer{Key: signed.Key, Signature: &signed.Signature}, nil
	})
	handle(headPath, func(ctx context.Context, r statementRequest) (statementAnswer, error) {
		head, err := s.StatementHead(ctx, r.Account)
		return statementAnswer{Head: &head}, err
	})
	handle(receiptKeyPath, func(ctx context.Context, r statementRequest) (statementAnswer, error) {
		if r.ReceiptKey == nil {
			return statementAnswer{}, refuse(BadRequest, "no receipt key")
		}
		certified, err := s.CertifyReceiptKey(ctx, r.Account, *r.ReceiptKey)
		if err != nil {
			return statementAnswer{}, err
		}
		log.Info("certified a receipt key", "account", r.Account, "key", r.ReceiptKey.String())
		return statementAnswer{Certified: &certified}, nil
	})
}

// SignStatement requests the signature of a statement. It returns a *Refusal if a rule of the signer rejects it, and an
// error that wraps ErrUnreachable if the signer does not answer. The caller compares the key.
func (c *Client) SignStatement(ctx context.Context, account uint32, text []byte) (signed statement.Signed, err error) {
	answer, err := c.statement(ctx, statementPath, statementRequest{Account: account, Text: string(text)})
	if err != nil {
		return signed, err
	}
	if answer.Signature == nil {
		return signed, errors.New("signer: no signature in the answer")
	}
	signed.Key, signed.Signature = answer.Key, *answer.Signature
	if signed.Document, err = statement.Parse(text); err != nil {
		return signed, err
	}
	return signed, signed.Verify(signed.Key)
}

// StatementHead returns the last statement that the signer signed for an account.
func (c *Client) StatementHead(ctx context.Context, account uint32) (Head, error) {
	answer, err := c.statement(ctx, headPath, statementRequest{Account: account})
	if err != nil {
		return Head{}, err
	}
	if answer.Head == nil {
		return Head{}, errors.New("signer: no head in the answer")
	}
	return *answer.Head, nil
}

func (c *Client) statement(ctx context.Context, path string, r statementRequest) (answer statementAnswer, err error) {
	body, err := json.Marshal(r)
	if err != nil {
		return answer, err
	}
	status, body, err := c.call(ctx, http.MethodPost, path, body)
	if err != nil {
		return answer, err
	}
	if err := json.Unmarshal(body, &answer); err != nil {
		return answer, fmt.Errorf("signer: invalid answer with status %d: %w", status, err)
	}
	if answer.Refusal != nil {
		return answer, answer.Refusal
	}
	if status != http.StatusOK {
		return answer, fmt.Errorf("signer: statement: %s", answer.Failure)
	}
	return answer, nil
}
