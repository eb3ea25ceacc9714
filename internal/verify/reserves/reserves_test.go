package reserves

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"moonfund/internal/amount"
	"moonfund/internal/signed/statement"
)

const (
	txid   = "4444444444444444444444444444444444444444444444444444444444444444"
	script = "51201111111111111111111111111111111111111111111111111111111111111111"
	block  = "5555555555555555555555555555555555555555555555555555555555555555"
)

// Answers with the members that Esplora and ord send; most of them are not read.
const (
	esploraTx = `{"txid":"` + txid + `","version":2,"locktime":0,"vin":[],"vout":[{"scriptpubkey":"` + script + `",` +
		`"scriptpubkey_asm":"OP_PUSHNUM_1 OP_PUSHBYTES_32","scriptpubkey_type":"v1_p2tr","scriptpubkey_address":"bc1p",` +
		`"value":546}],"size":200,"weight":500,"fee":300,"status":{"confirmed":true,"block_height":90,"block_hash":"` +
		block + `","block_time":1700000000}}`
	unspent   = `{"spent":false}`
	runeEntry = `{"entry":{"block":2,"burned":0,"divisibility":8,"mints":0,"spaced_rune":"LOBO•WOLF","symbol":"L"},` +
		`"id":"2:1","mintable":false,"parent":null}`
	ordStart = `{"address":"bc1p","confirmations":3,"indexed":true,"inscriptions":[],"outpoint":"` + txid + `:0",` +
		`"sat_ranges":null,"script_pubkey":"` + script + `","transaction":"` + txid + `","value":546,`
	ordOutput = ordStart + `"spent":false,"runes":{"LOBO•WOLF":{"amount":700,"divisibility":8,"symbol":"L"}}}`
	page      = `<html><body>Too busy</body></html>`
)

// answer is a response of a server to one path.
type answer struct {
	status int
	text   string
}

// compared compares one output with servers whose answers are changed in places.
func compared(t *testing.T, useEsplora, useOrd bool, changes map[string]answer) (Result, error) {
	t.Helper()
	right := map[string]string{
		"/block-height/100": block, "/blockhash/100": block, "/tx/" + txid: esploraTx,
		"/tx/" + txid + "/outspend/0": unspent, "/rune/2:1": runeEntry, "/output/" + txid + ":0": ordOutput,
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if a, changed := changes[r.URL.Path]; changed {
			w.WriteHeader(a.status)
			_, _ = w.Write([]byte(a.text))
			return
		}
		_, _ = w.Write([]byte(right[r.URL.Path]))
	}))
	t.Cleanup(server.Close)
	var servers Servers
	var err error
	if useEsplora {
		servers.Esplora, err = NewEsplora(server.URL)
		must(t, err)
	}
	if useOrd {
		servers.Ord, err = NewOrd(server.URL)
		must(t, err)
	}
	of := statement.Document{
		Rune: "2:1", Cut: statement.Block{Hash: block, Height: 100}, AsOf: statement.Snapshot{Hash: block, Height: 100},
	}
	sats, err := statement.SumOf(amount.Sats(546))
	must(t, err)
	held, err := statement.SumOf(amount.Runes(700))
	must(t, err)
	return servers.Compare(t.Context(), of, []statement.Reserve{
		{Outpoint: txid + ":0", Kind: statement.ReserveStake, Script: script, Sats: sats, Runes: held},
	})
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// TestAnswers compares an output with the answers of Esplora and ord: usual, legal but rare, and failed answers. A
// failed answer is an error, not a finding.
func TestAnswers(t *testing.T) {
	const esplora, ord = true, true
	output, spend := "/output/"+txid+":0", "/tx/"+txid+"/outspend/0"
	spentIn := func(status string) string { return `{"spent":true,"txid":"ab","vin":0,"status":` + status + `}` }
	for name, row := range map[string]struct {
		esplora, ord bool
		path         string
		answer       answer
		finding, err string
	}{
		"as stated":            {esplora, ord, "", answer{}, "", ""},
		"block hash as JSON":   {!esplora, ord, "/blockhash/100", answer{200, `"` + block + `"` + "\n"}, "", ""},
		"unknown block":        {esplora, !ord, "/block-height/100", answer{404, "Block not found"}, "the server has", ""},
		"page for a block":     {esplora, !ord, "/block-height/100", answer{200, page}, "", "no block hash"},
		"too many requests":    {esplora, !ord, "/tx/" + txid, answer{429, page}, "", "429 Too Many Requests"},
		"gateway's page":       {esplora, !ord, "/tx/" + txid, answer{502, page}, "", "502 Bad Gateway"},
		"page instead of JSON": {esplora, !ord, "/tx/" + txid, answer{200, page}, "", "invalid character"},
		"unknown transaction":  {esplora, !ord, "/tx/" + txid, answer{404, "Transaction not found"}, "no such output", ""},
		"spent in a block": {esplora, !ord, spend,
			answer{200, spentIn(`{"confirmed":true,"block_height":100}`)}, "spent it", ""},
		"spent, unconfirmed": {esplora, !ord, spend, answer{200, spentIn(`{"confirmed":false}`)}, "", ""},
		"unknown to ord":     {!esplora, ord, output, answer{404, "output not found"}, "no such output", ""},
		"no runes member": {!esplora, ord, output,
			answer{200, ordStart + `"spent":false}`}, "", "--index-runes"},
		"runes are null": {!esplora, ord, output,
			answer{200, ordStart + `"spent":false,"runes":null}`}, "", "--index-runes"},
		"holds no runes": {!esplora, ord, output, answer{200, ordStart + `"spent":false,"runes":{}}`},
			"it holds 0 base units", ""},
		"runes as pairs": {!esplora, ord, output, answer{200, ordStart +
			`"spent":false,"runes":[["LOBO•WOLF",{"amount":700,"divisibility":8,"symbol":null}]]}`}, "", ""},
		"another rune too": {!esplora, ord, output, answer{200, ordStart +
			`"spent":false,"runes":{"LOBO•WOLF":{"amount":700},"DOG":{"amount":1}}}`}, "other runes", ""},
		"an amount of 128 bits": {!esplora, ord, output, answer{200, ordStart +
			`"spent":false,"runes":{"LOBO•WOLF":{"amount":340282366920938463463374607431768211455}}}`},
			"it holds 340282366920938463463374607431768211455", ""},
		"not indexed": {!esplora, ord, output,
			answer{200, strings.Replace(ordOutput, `"indexed":true`, `"indexed":false`, 1)},
			"", "--index-runes"},
		"another rune's name": {!esplora, ord, "/rune/2:1", answer{200, strings.Replace(runeEntry, "2:1", "2:2", 1)}, "",
			"answered with the rune"},
	} {
		t.Run(name, func(t *testing.T) {
			result, err := compared(t, row.esplora, row.ord, map[string]answer{row.path: row.answer})
			if (err == nil) != (row.err == "") || err != nil && !strings.Contains(err.Error(), row.err) {
				t.Errorf("got error %v, want %q", err, row.err)
			}
			found := strings.Join(result.Findings, " ")
			if (found == "") != (row.finding == "") || !strings.Contains(found, row.finding) {
				t.Errorf("found %q, want %q", found, row.finding)
			}
		})
	}
}
