package reserves

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"moonfund/internal/signed/statement"
)

// Result is the outcome of a comparison.
type Result struct {
	Checked   int      // outputs that were compared
	WithRunes int      // of these, outputs whose runes were compared
	Spent     int      // outputs that a block after the statement's block spends, or an unconfirmed transaction
	Findings  []string // one sentence for each difference

	// Unconfirmed is the number of outputs that no block up to the statement's block contains. A statement also
	// includes outputs of later blocks and unconfirmed ones.
	Unconfirmed int
}

func (r *Result) find(format string, args ...any) {
	r.Findings = append(r.Findings, fmt.Sprintf(format, args...))
}

// Servers are the servers to compare with. Either may be nil.
type Servers struct {
	Esplora *Esplora
	Ord     *Ord
}

// Compare compares outputs of a statement. An error means that the comparison could not be finished; the result then
// holds what was found before it.
func (s Servers) Compare(
	ctx context.Context, of statement.Document, outputs []statement.Reserve,
) (r Result, err error) {
	if err := s.blocks(ctx, of, &r); err != nil {
		return r, err
	}
	name := ""
	if s.Ord != nil {
		if name, err = s.Ord.name(ctx, of.Rune); err != nil {
			return r, err
		}
	}
	for _, output := range outputs {
		spent := false
		if s.Esplora != nil {
			if spent, err = s.Esplora.compare(ctx, of.AsOf.Height, output, &r); err != nil {
				return r, err
			}
		}
		if s.Ord != nil {
			if err := s.Ord.compare(ctx, name, output, s.Esplora != nil, &r); err != nil {
				return r, err
			}
		}
		if spent {
			r.Spent++
		}
		r.Checked++
	}
	return r, nil
}

// blocks compares the blocks of the statement with the chain.
func (s Servers) blocks(ctx context.Context, of statement.Document, r *Result) error {
	for what, block := range map[string]statement.Block{
		"epoch's last": of.Cut, "ledger's": {Hash: of.AsOf.Hash, Height: of.AsOf.Height},
	} {
		hash, err := s.hashAt(ctx, block.Height)
		if err != nil && !errors.Is(err, errMissing) {
			return err
		}
		if hash != block.Hash {
			r.find("The %s block %d is %s in the statement, the server has %q.", what, block.Height, block.Hash, hash)
		}
	}
	return nil
}

func (s Servers) hashAt(ctx context.Context, height int64) (hash string, err error) {
	if s.Esplora != nil {
		err = s.Esplora.get(ctx, &hash, "block-height", strconv.FormatInt(height, 10))
	} else {
		err = s.Ord.get(ctx, &hash, "blockhash", strconv.FormatInt(height, 10))
	}
	if err != nil {
		return "", err
	}
	hash = strings.Trim(strings.TrimSpace(hash), `"`)
	if _, err := statement.ParseHash(hash); err != nil {
		return "", fmt.Errorf("the server answered with no block hash: %.*q", maxRefused, hash)
	}
	return hash, nil
}

// Esplora is a server with the HTTP API of Esplora. It has outputs but no runes.
type Esplora struct{ server }

// NewEsplora returns the server at an address, such as https://esplora.example.org/api.
func NewEsplora(address string) (*Esplora, error) {
	s, err := newServer(address)
	return &Esplora{s}, err
}

type esploraStatus struct {
	Confirmed   bool  `json:"confirmed"`
	BlockHeight int64 `json:"block_height"`
}

// compare compares one output. spent is true if it was spent after the block at a height.
func (e *Esplora) compare(
	ctx context.Context, height int64, output statement.Reserve, r *Result,
) (spent bool, err error) {
	txid, vout, _ := strings.Cut(output.Outpoint, ":")
	var tx struct {
		Vout []struct {
			Script string      `json:"scriptpubkey"`
			Value  json.Number `json:"value"`
		} `json:"vout"`
		Status esploraStatus `json:"status"`
	}
	n, err := strconv.Atoi(vout)
	if err != nil {
		return false, err
	}
	if err := e.get(ctx, &tx, "tx", txid); errors.Is(err, errMissing) || (err == nil && n >= len(tx.Vout)) {
		r.find("%s: there is no such output.", output.Outpoint)
		return false, nil
	} else if err != nil {
		return false, err
	}
	compareOutput(output, tx.Vout[n].Value.String(), tx.Vout[n].Script, r)
	if !tx.Status.Confirmed || tx.Status.BlockHeight > height {
		r.Unconfirmed++
	}
	var spend struct {
		Spent  bool          `json:"spent"`
		Txid   string        `json:"txid"`
		Status esploraStatus `json:"status"`
	}
	if err := e.get(ctx, &spend, "tx", txid, "outspend", vout); err != nil {
		return false, err
	}
	if spend.Spent && spend.Status.Confirmed && spend.Status.BlockHeight <= height {
		r.find("%s: %s spent it in block %d, before the statement's block %d.", output.Outpoint, spend.Txid,
			spend.Status.BlockHeight, height)
		return false, nil
	}
	return spend.Spent, nil
}

func compareOutput(output statement.Reserve, value, script string, r *Result) {
	if value != output.Sats.String() {
		r.find("%s: it holds %s sats, the statement says %s.", output.Outpoint, value, output.Sats)
	}
	if script != output.Script {
		r.find("%s: its script is %s, the statement says %s.", output.Outpoint, script, output.Script)
	}
}

// Ord is an ord server with an index of runes and its JSON API.
type Ord struct{ server }

// NewOrd returns the server at an address, such as https://ord.example.org.
func NewOrd(address string) (*Ord, error) {
	s, err := newServer(address)
	return &Ord{s}, err
}

// name returns the name with spacers of a rune, by which ord lists balances.
func (o *Ord) name(ctx context.Context, id string) (string, error) {
	var answer struct {
		ID    string `json:"id"`
		Entry struct {
			SpacedRune string `json:"spaced_rune"`
		} `json:"entry"`
	}
	if err := o.get(ctx, &answer, "rune", id); err != nil {
		return "", fmt.Errorf("the rune %s: %w", id, err)
	}
	if answer.ID != id || answer.Entry.SpacedRune == "" {
		return "", fmt.Errorf("the ord server answered with the rune %q for %s", answer.ID, id)
	}
	return answer.Entry.SpacedRune, nil
}

// compare compares one output. ord does not report when an output was spent, and has no runes of a spent output. later
// means that another server checks spent outputs.
func (o *Ord) compare(ctx context.Context, name string, output statement.Reserve, later bool, r *Result) error {
	var answer struct {
		Indexed bool            `json:"indexed"`
		Script  string          `json:"script_pubkey"`
		Spent   bool            `json:"spent"`
		Value   json.Number     `json:"value"`
		Runes   json.RawMessage `json:"runes"`
	}
	if err := o.get(ctx, &answer, "output", output.Outpoint); errors.Is(err, errMissing) {
		r.find("%s: the ord server has no such output.", output.Outpoint)
		return nil
	} else if err != nil {
		return err
	}
	compareOutput(output, answer.Value.String(), answer.Script, r)
	if answer.Spent {
		if !later {
			r.find("%s: it is spent. Ask an Esplora server as well (--esplora) to see when.", output.Outpoint)
		}
		return nil
	}
	held, others, err := balances(answer.Runes, name)
	if err != nil || !answer.Indexed {
		return fmt.Errorf("%s: the ord server does not list its runes; it needs --index-runes", output.Outpoint)
	}
	r.WithRunes++
	if held != output.Runes.String() {
		r.find("%s: it holds %s base units of %s, the statement says %s.", output.Outpoint, held, name, output.Runes)
	}
	if others && output.Kind == statement.ReserveStake {
		r.find("%s: it holds other runes too.", output.Outpoint)
	}
	return nil
}

type pile struct {
	Amount json.Number `json:"amount"`
}

// balances reads the runes of an output: an object by name, or in older versions of ord a list of pairs.
func balances(text json.RawMessage, followed string) (held string, others bool, err error) {
	byName := map[string]pile{}
	var pairs [][2]json.RawMessage
	if err = json.Unmarshal(text, &byName); err != nil {
		if err = json.Unmarshal(text, &pairs); err != nil {
			return "", false, err
		}
		for _, pair := range pairs {
			var name string
			var amount pile
			if err = errors.Join(json.Unmarshal(pair[0], &name), json.Unmarshal(pair[1], &amount)); err != nil {
				return "", false, err
			}
			byName[name] = amount
		}
	} else if string(text) == "null" {
		return "", false, errors.New("no runes")
	}
	held = "0"
	for name, balance := range byName {
		if name == followed {
			held = balance.Amount.String()
		} else {
			others = true
		}
	}
	return held, others, nil
}
