package signer

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/btcsuite/btcd/txscript/v2"
	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/vault"
	"moonfund/internal/signed/message"
)

// forgetful discards outflows, so that fuzz runs are independent of each other.
type forgetful struct{}

func (forgetful) Load() ([]Outflow, error) { return nil, nil }
func (forgetful) Store([]Outflow) error    { return nil }

// honest returns requests of every kind that a server makes.
func (w *world) honest() []Request {
	w.Helper()
	all := []Request{w.mixed(), w.claimOf(900), w.returning()}
	anna := newWallet(w, 1, chain.P2TR, w.network)
	proof := anna.proof(w, anna.intent("CLAIM", "1000", []string{"reward-1"}))
	id := message.OrderID(proof.Text)
	refund := Request{Inputs: []vault.Coin{w.coin(vault.Payment, 5_000, 0, id)},
		Refund: &Refund{OrderID: id, Proof: proof}}
	var err error
	refund.Tx, _, err = vault.BuildRefund(vault.RefundPlan{Inputs: refund.Inputs, To: anna.payment.Script,
		FeeRate: amount.SatPerVB(3)})
	must(w, err)
	oneTx := w.oneTx(anna, w.stake(anna, 600, ""))
	w.pay(&oneTx, anna, txscript.SigHashAll)
	all = append(all, refund, oneTx)
	for _, etch := range []bool{true, false} {
		m := w.minting(etch)
		all = append(all, m.all(20_000)...)
		back, err := m.plan.Refund(m.fund(5_000), vault.FeeTarget{Rate: amount.SatPerVB(3)})
		must(w, err)
		all = append(all, m.request(back))
	}
	return all
}

// bent returns requests that a compromised server could derive from an honest one.
func bent(r Request) (all []Request) {
	thief := append([]byte{txscript.OP_1, 32}, bytes.Repeat([]byte{7}, 32)...)
	change := func(change func(*Request)) {
		other := r
		other.Tx, other.Inputs, other.Orders = r.Tx.Copy(), slices.Clone(r.Inputs), slices.Clone(r.Orders)
		change(&other)
		all = append(all, other)
	}
	change(func(r *Request) { r.Tx.TxOut[0].PkScript = thief })
	change(func(r *Request) { r.Tx.AddTxOut(wire.NewTxOut(546, thief)) })
	change(func(r *Request) { r.Tx.TxOut[0].Value = -1 })
	change(func(r *Request) { r.Tx.TxOut = r.Tx.TxOut[:1] })
	change(func(r *Request) { r.Tx.TxIn[0].Sequence, r.Tx.LockTime, r.Tx.Version = 0, 9, -1 })
	change(func(r *Request) { r.Inputs[0].Output.Value = 1 << 62 })
	change(func(r *Request) { r.Inputs[0].Path = append(r.Inputs[0].Path, 1<<31) })
	change(func(r *Request) { r.Inputs = r.Inputs[1:] })
	change(func(r *Request) { r.Account = 1<<31 - 1 })
	change(func(r *Request) { r.Orders = append(r.Orders, r.Orders...) })
	change(func(r *Request) { r.Tx = nil })
	return all
}

// FuzzRequest sends arbitrary requests to the signer. A transaction it signs pays only recipients of the honest seed
// requests, equals the requested one, carries valid signatures and stays within the fee limits.
func FuzzRequest(f *testing.F) {
	w := newWorld(f)
	w.config.Outflows = forgetful{}
	requests := w.honest()
	s := w.signer()
	var payees [][]byte
	for i, r := range requests {
		if _, err := s.Sign(f.Context(), r); err != nil {
			f.Fatalf("honest request %d: %v", i, err)
		}
		for _, out := range r.Tx.TxOut {
			payees = append(payees, out.PkScript)
		}
		for _, asked := range append(bent(r), r) {
			body, err := json.Marshal(asked)
			must(f, err)
			f.Add(body)
		}
	}
	for _, body := range []string{
		`{"Tx":{"Version":2,"TxIn":[{}],"TxOut":[{}]},"Inputs":[{}],"Orders":[{}]}`, `{"Tx":{"TxIn":[null],"TxOut":[null]}}`,
		`{"Tx":null}`, `{}`, `null`, `[]`,
		`{"Tx":{}}{}`, `{"more":1}`, `{"Account":-1}`, `{"Account":4294967296}`,
	} {
		f.Add([]byte(body))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		r, err := ReadRequest(bytes.NewReader(body))
		if err != nil {
			return
		}
		tx, err := s.Sign(t.Context(), r)
		if refusal := new(Refusal); err != nil && !errors.As(err, &refusal) {
			t.Fatalf("Sign: got error %v, want a signature or a refusal", err)
		}
		if err != nil {
			return
		}
		for _, out := range tx.TxOut {
			if !slices.ContainsFunc(payees, func(script []byte) bool { return bytes.Equal(script, out.PkScript) }) {
				t.Fatalf("Sign signed an output to %x for %s", out.PkScript, body)
			}
		}
		checkSigned(t, w.config, r, tx)
	})
}

func checkSigned(t *testing.T, c Config, r Request, tx *wire.MsgTx) {
	t.Helper()
	if tx.TxHash() != r.Tx.TxHash() || len(tx.TxIn) != len(r.Inputs) {
		t.Fatalf("Sign signed %v instead of %v", tx, r.Tx)
	}
	spent, fee := map[wire.OutPoint]*wire.TxOut{}, int64(0)
	for _, in := range r.Inputs {
		spent[in.OutPoint] = &in.Output
		fee += in.Output.Value
	}
	for _, out := range tx.TxOut {
		fee -= out.Value
	}
	if fee < 0 || fee > int64(c.MaxFee) {
		t.Fatalf("Sign signed a fee of %d sats", fee)
	}
	fetcher := txscript.NewMultiPrevOutFetcher(spent)
	hashes := txscript.NewTxSigHashes(tx, fetcher)
	for i, in := range r.Inputs {
		engine, err := txscript.NewEngine(in.Output.PkScript, tx, i, txscript.StandardVerifyFlags, nil, hashes,
			in.Output.Value, fetcher)
		if err == nil {
			err = engine.Execute()
		}
		if err != nil {
			t.Fatalf("the script of input %d fails: %v", i, err)
		}
	}
}

// saying is a signer that returns the same answer to every call.
type saying struct {
	status int
	body   []byte
}

func (s saying) RoundTrip(*http.Request) (*http.Response, error) {
	return &http.Response{StatusCode: s.status, Body: io.NopCloser(bytes.NewReader(s.body)), Header: http.Header{}}, nil
}

// FuzzAnswer checks that the client accepts an arbitrary answer only if it holds the requested transaction.
func FuzzAnswer(f *testing.F) {
	w := newWorld(f)
	asked := w.mixed()
	signed, err := w.signer().Sign(f.Context(), asked)
	must(f, err)
	changed := signed.Copy()
	changed.TxOut[0].Value++
	for _, said := range []answer{{Tx: signed}, {Tx: changed}, {Refusal: &Refusal{Paused, "why"}}, {Failure: "behind"}, {},
		{Tx: signed, Refusal: &Refusal{}}} {
		body, err := json.Marshal(said)
		must(f, err)
		f.Add(200, body)
	}
	accounts, err := w.signer().Accounts()
	must(f, err)
	body, err := json.Marshal(accounts)
	must(f, err)
	f.Add(200, body)
	f.Add(503, []byte(`{"failure":"x"}`))
	f.Add(200, []byte(`{"tx":{"TxIn":[null],"TxOut":[null]}}`))
	f.Fuzz(func(t *testing.T, status int, body []byte) {
		c := Dial("nowhere")
		c.client.Transport = saying{status, body}
		tx, err := c.Sign(t.Context(), asked)
		if (tx == nil) == (err == nil) || tx != nil && tx.TxHash() != asked.Tx.TxHash() {
			t.Fatalf("response %q is accepted as %v, %v", body, tx, err)
		}
		if _, err := c.Accounts(t.Context()); err == nil && (status != http.StatusOK || !json.Valid(body)) {
			t.Fatalf("response %d %q is accepted as keys", status, body)
		}
	})
}

// FuzzKeyFile reads arbitrary bytes as a key file. An accepted file can be opened with bounded memory and time, and is
// written back unchanged.
func FuzzKeyFile(f *testing.F) {
	sealed, err := seal("correct horse", Secret{SchemeBIP39, bytes.Repeat([]byte{7}, 32)})
	must(f, err)
	f.Add(sealed)
	f.Add(sealed[:len(sealed)/2])
	for from, to := range map[string]string{
		`"time": 3`: `"time": 65`, `"memory_kib": 65536`: `"memory_kib": 4294967295`, `"threads": 4`: `"threads": 0`,
		`"version": 1`: `"version": 2`, `"scheme": "bip39"`: `"scheme": "slip39"`, `"scheme":`: `"x":`,
		`"argon2id"`: `"pbkdf2"`, `"xchacha20poly1305"`: `"none"`, `"salt": "`: `"salt": "*`,
		`"nonce": "`: `"nonce": "AA==", "x": "`, `"format"`: `"FORMAT"`,
	} {
		changed := strings.Replace(string(sealed), from, to, 1)
		if changed == string(sealed) {
			f.Fatalf("the key file does not contain %s", from)
		}
		f.Add([]byte(changed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		file, err := parseKeyFile(data)
		if err != nil {
			if !errors.Is(err, ErrKeyFile) {
				t.Errorf("parseKeyFile: got error %v, want ErrKeyFile", err)
			}
			return
		}
		d := file.Derivation
		if d.MemoryKiB > 2<<20 || d.Time > 64 || d.Time < 1 || d.Threads < 1 || len(d.Salt) < 16 || len(file.Nonce) != 24 {
			t.Errorf("parseKeyFile accepted unbounded parameters: %+v", file)
		}
		text, err := json.Marshal(file)
		must(t, err)
		if again, err := parseKeyFile(text); err != nil || !reflect.DeepEqual(again.keyFileHeader, file.keyFileHeader) ||
			!bytes.Equal(again.Ciphertext, file.Ciphertext) {
			t.Errorf("%+v is parsed again as %+v, %v", file, again, err)
		}
	})
}

// FuzzWords reads arbitrary text as the words of a backup. Accepted words encode their seed uniquely, and no error
// contains a word.
func FuzzWords(f *testing.F) {
	for _, size := range []int{16, 20, 24, 28, 32} {
		for _, b := range []byte{0, 0x7f, 0x80, 0xff, 0x5a} {
			list, err := Words(bytes.Repeat([]byte{b}, size))
			must(f, err)
			f.Add(strings.Join(list, " "))
			f.Add(strings.ToUpper(strings.Join(list, " ")))
			f.Add(strings.Join(list[1:], " "))
			list[0], list[1] = list[1], list[0]
			f.Add(strings.Join(list, " "))
		}
	}
	f.Add("")
	f.Add(strings.Repeat("zoo ", 24))
	f.Add(strings.Repeat("zoological ", 12))
	f.Fuzz(func(t *testing.T, text string) {
		list := strings.Fields(text)
		seed, err := BytesOf(list)
		if err != nil {
			for _, word := range list {
				if len(word) > 8 && strings.Contains(err.Error(), word) { // no word of the list is longer than 8 letters
					t.Errorf("the error %v contains %q", err, word)
				}
			}
			return
		}
		again, err := Words(seed)
		if err != nil || strings.Join(again, " ") != strings.ToLower(strings.Join(list, " ")) {
			t.Errorf("the words %q are decoded and encoded as %q, %v", list, again, err)
		}
	})
}
