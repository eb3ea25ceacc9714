package vault

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/btcsuite/btcd/btcec/v2/schnorr"
	"github.com/btcsuite/btcd/btcutil/v2/hdkeychain"
	"github.com/btcsuite/btcd/chainhash/v2"
	"github.com/btcsuite/btcd/txscript/v2"
	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/runes"
)

// The mint and etch service uses a separate account, the last one, and a separate branch in it, so that its outputs are
// never mixed with a community's.
const (
	OrdersAccount = hdkeychain.HardenedKeyStart - 1
	BranchOrders  = 4
)

// The role of an order's output, which is the last step of its key path.
const (
	fundRole = iota // receives the customer's payment
	workRole        // output that the order's next transaction spends
)

// The kinds of an order's outputs.
const (
	OrderFund   CoinKind = "order_fund"
	OrderWork   CoinKind = "order_work"
	OrderCommit CoinKind = "order_commit" // commits to an etching's name
)

// RuneOrder contains the terms of an order of the mint and etch service: the destinations of runes and sats, and the
// mint or etching. Its addresses are derived from all fields. A signer that gets another destination derives another
// key, with which it cannot spend the order's outputs.
type RuneOrder struct {
	ID           string      `json:"id"`          // random, at least 128 bits
	Destination  string      `json:"destination"` // address that receives the runes, and an etching's inscription
	Refund       string      `json:"refund"`      // address that receives all unused sats
	AppFee       amount.Sats `json:"app_fee"`
	AppFeeTo     string      `json:"app_fee_to"` // address, "" with no fee
	ServiceFee   amount.Sats `json:"service_fee"`
	ServiceFeeTo string      `json:"service_fee_to"` // address, "" with no fee
	Mint         *RuneMint   `json:"mint,omitempty"` // exactly one of Mint and Etch is set
	Etch         *RuneEtch   `json:"etch,omitempty"`
}

// RuneMint is a number of mints of one rune, each in a separate transaction.
type RuneMint struct {
	Rune    runes.ID `json:"rune"`
	Repeats int      `json:"repeats"` // at least 1
}

// RuneEtch is an etching with an optional inscription.
type RuneEtch struct {
	Etching     runes.Etching `json:"etching"` // Name is required
	Inscription *Inscription  `json:"inscription,omitempty"`
}

// Inscription is either content (ord's envelope, tags 1 and 0) or a delegate (tag 11), which is the id of the
// inscription whose content is shown instead.
type Inscription struct {
	ContentType string `json:"content_type,omitempty"`
	Body        []byte `json:"body,omitempty"`
	Delegate    string `json:"delegate,omitempty"` // "<txid>i<index>"
}

// OrderPlan is a RuneOrder with everything needed to build and verify its transactions. Account.PlanOrder creates it.
type OrderPlan struct {
	Order   RuneOrder
	Fund    chain.Address // receives the payment
	Work    []byte        // script between its transactions
	Stone   []byte        // script of the runestone: of every mint, or of the etching
	Commit  []byte        // script of the commitment; nil for a mint
	Leaf    txscript.TapLeaf
	Control []byte // control block of the leaf

	root                                    []byte // merkle root of the commitment
	fundPath, workPath                      KeyPath
	destination, refund, appFee, serviceFee []byte // scripts
}

// PlanOrder derives an order's addresses and scripts. It returns an error unless the order is either a mint or an
// etching, and for an address of another network, a fee without an address, and a runestone that cannot be encoded.
func (a Account) PlanOrder(o RuneOrder) (*OrderPlan, error) {
	if len(o.ID) < 32 || (o.Mint == nil) == (o.Etch == nil) || o.AppFee < 0 || o.ServiceFee < 0 {
		return nil, errors.New("rune order: needs a random id, fees of at least 0, and either a mint or an etching")
	}
	p := &OrderPlan{Order: o}
	for _, to := range []struct {
		script *[]byte
		text   string
		none   bool
	}{
		{&p.destination, o.Destination, false}, {&p.refund, o.Refund, false},
		{&p.appFee, o.AppFeeTo, o.AppFee == 0}, {&p.serviceFee, o.ServiceFeeTo, o.ServiceFee == 0},
	} {
		if to.none {
			continue
		}
		address, err := chain.ParseAddress(to.text, a.network)
		if err != nil {
			return nil, fmt.Errorf("rune order: address %q: %w", to.text, err)
		}
		*to.script = address.Script
	}
	if err := p.runestone(); err != nil {
		return nil, err
	}
	return p, p.derive(a)
}

func (p *OrderPlan) runestone() (err error) {
	stone := runes.Runestone{Pointer: new(uint32(0))}
	switch o := p.Order; {
	case o.Mint != nil && o.Mint.Repeats < 1:
		return errors.New("rune order: at least one mint")
	case o.Mint != nil:
		stone.Mint = &o.Mint.Rune
	case o.Etch.Etching.Name == nil:
		return errors.New("rune order: an etching needs a name")
	default:
		stone.Etching = &o.Etch.Etching
	}
	p.Stone, err = stone.Script()
	return err
}

// derive sets keys and scripts. The key path is the branch, four 31-bit pieces of SHA-256 of the whole order, and the
// role.
func (p *OrderPlan) derive(a Account) error {
	text, err := json.Marshal(p.Order)
	if err != nil {
		return err
	}
	sum := sha256.Sum256(text)
	path := KeyPath{BranchOrders}
	for i := range 4 {
		path = append(path, binary.BigEndian.Uint32(sum[4*i:])&(hdkeychain.HardenedKeyStart-1))
	}
	p.fundPath, p.workPath = append(path[:5:5], fundRole), append(path[:5:5], workRole)
	if p.Fund, err = a.address(p.fundPath); err != nil {
		return err
	}
	if p.Work, err = a.keyScript(p.workPath); err != nil {
		return err
	}
	if p.Order.Etch == nil {
		return nil
	}
	internal, err := a.InternalKey(p.workPath)
	if err != nil {
		return err
	}
	reveal, err := p.Order.Etch.reveal()
	if err != nil {
		return err
	}
	script := append(reveal, byte(schnorr.PubKeyBytesLen))
	script = append(append(script, schnorr.SerializePubKey(internal)...), txscript.OP_CHECKSIG)
	p.Leaf = txscript.NewBaseTapLeaf(script)
	root := p.Leaf.TapHash()
	p.root = root[:]
	block := txscript.AssembleTaprootScriptTree(p.Leaf).LeafMerkleProofs[0].ToControlBlock(internal)
	if p.Control, err = block.ToBytes(); err != nil {
		return err
	}
	p.Commit, err = txscript.PayToTaprootScript(txscript.ComputeTaprootOutputKey(internal, root[:]))
	return err
}

// Tags of ord's inscription envelope.
const (
	tagContentType = 1
	tagDelegate    = 11
	tagRuneName    = 13
)

// reveal returns the part of the leaf script that reveals the name's commitment: a push that is dropped, or with an
// inscription a field of its envelope, which is a branch that is never executed. Some nodes refuse every such branch.
// The commitment of a name of one or two letters can need a branch, too, because only there a push of any encoding is
// standard.
func (e RuneEtch) reveal() ([]byte, error) {
	name := e.Etching.Name.Commitment()
	if e.Inscription == nil && len(name) > 1 {
		return append(appendData(nil, name), txscript.OP_DROP), nil
	}
	script := []byte{txscript.OP_FALSE, txscript.OP_IF}
	if e.Inscription == nil {
		return append(appendData(script, name), txscript.OP_ENDIF), nil
	}
	script = appendData(script, []byte("ord"))
	if e.Inscription.ContentType != "" {
		script = appendData(appendData(script, []byte{tagContentType}), []byte(e.Inscription.ContentType))
	}
	if e.Inscription.Delegate != "" {
		id, err := inscriptionBytes(e.Inscription.Delegate)
		if err != nil {
			return nil, err
		}
		script = appendData(appendData(script, []byte{tagDelegate}), id)
	}
	script = appendData(appendData(script, []byte{tagRuneName}), name)
	if body := e.Inscription.Body; len(body) > 0 {
		script = append(script, txscript.OP_0)
		for len(body) > 0 {
			n := min(len(body), txscript.MaxScriptElementSize)
			script = appendData(script, body[:n])
			body = body[n:]
		}
	}
	return append(script, txscript.OP_ENDIF), nil
}

// appendData appends one data push of at most 520 bytes. It never uses OP_1 to OP_16, because the protocol recognizes
// only pushes of bytes.
func appendData(script, data []byte) []byte {
	switch n := len(data); {
	case n < txscript.OP_PUSHDATA1:
		script = append(script, byte(n))
	case n <= 0xff:
		script = append(script, txscript.OP_PUSHDATA1, byte(n))
	default:
		script = binary.LittleEndian.AppendUint16(append(script, txscript.OP_PUSHDATA2), uint16(n))
	}
	return append(script, data...)
}

// ErrInscriptionID is returned for text that is not an inscription's id.
var ErrInscriptionID = errors.New("an inscription id must be a txid, the letter i, and a number")

// inscriptionBytes returns an inscription id as encoded in envelopes: the bytes of the txid and the index,
// little-endian without trailing zeros.
func inscriptionBytes(id string) ([]byte, error) {
	txid, index, found := strings.Cut(id, "i")
	n, err := strconv.ParseUint(index, 10, 32)
	if !found || err != nil || strconv.FormatUint(n, 10) != index || len(txid) != 2*chainhash.HashSize ||
		strings.ToLower(txid) != txid {
		return nil, ErrInscriptionID
	}
	if _, err := hex.DecodeString(txid); err != nil {
		return nil, ErrInscriptionID
	}
	hash, err := chainhash.NewHashFromStr(txid)
	if err != nil {
		return nil, ErrInscriptionID
	}
	data := append([]byte(nil), hash[:]...)
	for ; n > 0; n >>= 8 {
		data = append(data, byte(n))
	}
	return data, nil
}

// CheckInscriptionID returns ErrInscriptionID for text that is not an inscription's id.
func CheckInscriptionID(id string) error {
	_, err := inscriptionBytes(id)
	return err
}

// Coin returns the coin for an output of this order. It returns an error for a kind that the order does not have.
func (p *OrderPlan) Coin(kind CoinKind, outpoint wire.OutPoint, value amount.Sats) (Coin, error) {
	c := Coin{OutPoint: outpoint, Output: wire.TxOut{Value: int64(value)}, Kind: kind, OrderID: p.Order.ID}
	switch {
	case kind == OrderFund:
		c.Path, c.Output.PkScript = p.fundPath, p.Fund.Script
	case kind == OrderWork:
		c.Path, c.Output.PkScript = p.workPath, p.Work
	case kind == OrderCommit && p.Commit != nil:
		c.Path, c.Output.PkScript, c.MerkleRoot = p.workPath, p.Commit, p.root
	default:
		return Coin{}, fmt.Errorf("rune order: it has no %s output", kind)
	}
	return c, nil
}
