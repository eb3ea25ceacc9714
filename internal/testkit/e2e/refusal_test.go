package e2e

import (
	"encoding/json"
	"maps"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// abuse is a request that must not change the state, and its expected response. A refusal in the envelope has status
// 200.
type abuse struct {
	name   string
	call   string
	body   any // a string is sent unchanged
	status int
	says   string // part of the message
}

// victim is the state that a hostile request might change.
type victim struct {
	*staker
	staked   string // a STAKED unit
	unlocked string // an UNLOCKED unit
	order    order  // a PENDING withdrawal
	restake  intent // requested, not signed
	used     intent // an UNSTAKE that was applied
}

// TestBadInput sends invalid requests. Every response must follow the API contract, and no request may change the
// state.
func TestBadInput(t *testing.T) {
	h := newDevServer(t, "")
	v, stranger := newVictims(h)
	before := v.everything(stranger)
	for name, list := range map[string][]abuse{
		"bodies":   v.bodies(),
		"amounts":  v.amounts(),
		"wallets":  v.wallets(stranger),
		"ids":      v.ids(stranger),
		"proofs":   v.proofs(stranger),
		"the used": v.usedProofs(),
	} {
		t.Run(name, func(t *testing.T) {
			for _, a := range list {
				a.try(h.site, t)
			}
		})
	}
	if after := v.everything(stranger); !reflect.DeepEqual(before, after) {
		t.Errorf("the state changed:\n%+v\nbefore:\n%+v", after, before)
	}
	t.Run("elsewhere", func(t *testing.T) { elsewhere(site{t: t, port: h.port}, v) })
	t.Run("expired", func(t *testing.T) { v.expired(t) })
	h.audit()
}

func (a abuse) try(s site, t *testing.T) {
	t.Helper()
	s.t = t
	raw, ok := a.body.(string)
	if !ok {
		encoded, err := json.Marshal(a.body)
		must(t, err)
		raw = string(encoded)
	}
	got := s.send(http.MethodPost, "/"+prefix+"/"+a.call, "application/json", []byte(raw))
	e := got.envelope(t)
	if got.status != a.status || e.Success || e.Message == "" || string(e.Data) != "null" ||
		!strings.Contains(e.Message, a.says) {
		t.Errorf("%s, %s: HTTP %d %s, want %d with %q", a.call, a.name, got.status, got.body, a.status, a.says)
	}
}

// newVictims prepares two stakers with units, orders and intents.
func newVictims(h *devServer) (*victim, *staker) {
	v := &victim{staker: newStaker(h.site, "Victim", segwit, taproot)}
	stranger := newStaker(h.site, "Stranger", segwit, taproot)
	stranger.endow(50 * lobo)
	for range 3 {
		v.endow(100 * lobo)
	}
	h.mine(1)
	foreign := stranger.stake(50 * lobo).ID
	first, second, third := v.stake(100*lobo).ID, v.stake(100*lobo).ID, v.stake(100*lobo).ID
	h.mine(3)
	h.nextEpoch()
	h.nextEpoch()
	v.used = v.ask("UNSTAKE", first, second)
	v.submit("UNSTAKE", v.used, v.signed("UNSTAKE", v.used, v.ordinals.signMessage(v.t, v.used.Message)))
	h.nextEpoch()
	h.nextEpoch()
	v.staked, v.unlocked = third, first
	v.order = *v.act("WITHDRAW", second)
	v.restake = v.ask("RESTAKE", first)
	stranger.wantStage(foreign, "STAKED")
	return v, stranger
}

// everything returns all data of two wallets and the community that the API returns.
func (v *victim) everything(stranger *staker) map[string]any {
	var globals map[string]any
	v.get("infoGlobals", &globals)
	return map[string]any{
		"units": v.units(), "orders": v.orders(), "totals": v.totals(), "globals": globals,
		"stranger's units": stranger.units(), "stranger's orders": stranger.orders(), "stranger's totals": stranger.totals(),
	}
}

var walletCalls = []string{
	"postInfoWallet", "fetchWalletUtxos", "postDemoStake", "postAction", "signWalletAction", "estimateAction",
	"fetchClientPOs",
	"fetchPOTxHistory", "rearatePO", "cancelPO", "recoveryKit",
}

func (v *victim) bodies() (list []abuse) {
	whole := v.stakeRequest(100 * lobo)
	maps.Copy(whole, fields{
		"utxos": []string{v.unlocked}, "wa_action_type": "RESTAKE", "wa_action_id": v.restake.ActionID,
		"order_id":  v.order.ID,
		"signature": "AA==",
	})
	text, err := json.Marshal(whole)
	must(v.t, err)
	change := func(key string, value any) fields {
		other := maps.Clone(whole)
		other[key] = value
		return other
	}
	for _, call := range walletCalls {
		for name, body := range map[string]string{
			"empty": "", "no JSON": "stake", "cut off": string(text[:len(text)-1]), "a list": "[" + string(text) + "]",
			"null":               "null",
			"something after it": string(text) + "{}", "not UTF-8": strings.Replace(string(text), "bcrt1", "bcrt\xff", 1),
			"a duplicate key": `{"w_wallet_code_ord":"x",` + string(text[1:]), "a comment": "/* */" + string(text),
			"deeply nested": `{"x":` + strings.Repeat("[", 5_000) + strings.Repeat("]", 5_000) + "}",
		} {
			list = append(list, abuse{name, call, body, 400, ""})
		}
		list = append(list,
			abuse{"too large", call, `{"x":"` + strings.Repeat("x", 64<<10) + string(text[1:]), 413, "64 KiB"},
			abuse{"no wallet", call, fields{}, 400, "is missing"},
			abuse{"wallet null", call, change("w_wallet_code_ord", nil), 400, "w_wallet_code_ord is missing"},
			abuse{"wallet a number", call, change("w_wallet_code", 7), 400, "w_wallet_code must be"},
			abuse{"wallet a list", call, change("w_wallet_code_ord", []string{v.ordinals.text}), 400,
				"w_wallet_code_ord must be"},
			abuse{"wallet too long", call, change("w_wallet_code", strings.Repeat("q", 129)), 400, "too long"},
		)
	}
	return append(list,
		abuse{"utxos a text", "postAction", change("utxos", v.unlocked), 400, "utxos must be a list"},
		abuse{"utxos of numbers", "postAction", change("utxos", []int{1}), 400, "utxos[0] must be"},
		abuse{"too many utxos", "postAction", change("utxos", slices.Repeat([]string{"x:0"}, 1001)), 400, "too long"},
		abuse{"unknown type", "postAction", change("wa_action_type", "STEAL"), 400, "wa_action_type must be one of"},
		abuse{"type in lower case", "postAction", change("wa_action_type", "restake"), 400, "wa_action_type must be one of"},
		abuse{"type a number", "signWalletAction", change("wa_action_type", 3), 400, "wa_action_type must be"},
		abuse{"signature an object", "signWalletAction", change("signature", fields{}), 400, "signature must be"},
		abuse{"signature too long", "signWalletAction", change("signature", strings.Repeat("A", 8193)), 400, "too long"},
		abuse{"order a number", "cancelPO", change("order_id", 1), 400, "order_id must be"},
		abuse{"flag a word", "fetchWalletUtxos", change("include_spent", "perhaps"), 400, "include_spent must be"},
	)
}

func (v *victim) amounts() (list []abuse) {
	for name, c := range map[string]struct {
		amount string // as JSON
		status int
		says   string
	}{
		"negative":          {`"-100000000"`, 400, "wa_amount must be a whole number"},
		"negative integer":  {`-100000000`, 400, "wa_amount must be a whole number"},
		"with a sign":       {`"+100000000"`, 400, "wa_amount must be a whole number"},
		"fraction":          {`"100000000.5"`, 400, "wa_amount must be a whole number"},
		"fraction number":   {`100000000.0`, 400, "wa_amount must be a whole number"},
		"exponent":          {`"1e12"`, 400, "wa_amount must be a whole number"},
		"exponent number":   {`1e12`, 400, "wa_amount must be a whole number"},
		"hexadecimal":       {`"0x5f5e100"`, 400, "wa_amount must be a whole number"},
		"with separators":   {`"100,000,000"`, 400, "wa_amount must be a whole number"},
		"with a space":      {`" 100000000"`, 400, "wa_amount must be a whole number"},
		"of another script": {`"١٠٠"`, 400, "wa_amount must be a whole number"},
		"empty":             {`""`, 400, "wa_amount must be a whole number"},
		"true":              {`true`, 400, "wa_amount must be"},
		"2^63":              {`"9223372036854775808"`, 400, "larger than any rune's supply"},
		"2^64":              {`18446744073709551616`, 400, "larger than any rune's supply"},
		"a thousand digits": {`"` + strings.Repeat("9", 1000) + `"`, 400, ""},
		"0":                 {`"0"`, 200, "minimum stake"},
		"below the minimum": {`99999999`, 200, "minimum stake"},
		"above the supply":  {`"9223372036854775807"`, 200, "more than the rune's supply"},
	} {
		body := v.stakeRequest(0)
		body["wa_amount"] = json.RawMessage(c.amount)
		list = append(list, abuse{name, "postDemoStake", body, c.status, c.says})
	}
	return list
}

func (v *victim) wallets(stranger *staker) (list []abuse) {
	const mainnet, testnet = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4", "tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx"
	last := v.ordinals.text[len(v.ordinals.text)-1]
	swapped := "q"
	if last == 'q' {
		swapped = "p"
	}
	whole := v.stakeRequest(100 * lobo)
	maps.Copy(whole, fields{
		"utxos": []string{v.unlocked}, "wa_action_type": "RESTAKE", "wa_action_id": v.restake.ActionID,
		"order_id":  v.order.ID,
		"signature": v.ordinals.signMessage(v.t, v.restake.Message),
	})
	with := func(key, value string) fields {
		other := maps.Clone(whole)
		other[key] = value
		return other
	}
	for _, call := range walletCalls {
		for _, key := range []string{"w_wallet_code", "w_wallet_code_ord"} {
			list = append(list,
				abuse{"mainnet " + key, call, with(key, mainnet), 200, "another Bitcoin network"},
				abuse{"testnet " + key, call, with(key, testnet), 200, "another Bitcoin network"},
				abuse{"bad checksum " + key, call, with(key, v.ordinals.text[:len(v.ordinals.text)-1]+swapped), 200,
					"Invalid address"},
				abuse{"not an address " + key, call, with(key, "moon"), 200, "Invalid address"},
				abuse{"empty " + key, call, with(key, ""), 200, "Invalid address"},
			)
		}
	}
	for name, key := range map[string]string{
		"another's": stranger.ordinals.publicKey(), "the payment address's": v.payment.publicKey(),
		"not on the curve": strings.Repeat("ff", 32),
	} {
		list = append(list, abuse{"ordinals key " + name, "postDemoStake", with("w_wallet_code_ord_pk", key), 200,
			"doesn't belong"})
	}
	return append(list,
		abuse{"payment key another's", "postDemoStake", with("w_wallet_code_pk", stranger.payment.publicKey()), 200,
			"doesn't belong"},
		abuse{"key no hex", "postDemoStake", with("w_wallet_code_pk", "key"), 200, "isn't a public key"},
		abuse{"key too short", "postDemoStake", with("w_wallet_code_ord_pk", "02"), 200, "isn't a public key"},
		abuse{"a stranger's address with one's own key", "postDemoStake", with("w_wallet_code_ord", stranger.ordinals.text),
			200, "doesn't belong"},
	)
}

// notYours is part of the refusal of a unit that does not exist or belongs to another wallet.
const notYours = "doesn't belong to this wallet"

func (v *victim) ids(stranger *staker) []abuse {
	action := func(p *staker, kind string, ids ...string) fields {
		if ids == nil {
			ids = []string{}
		}
		return p.with(fields{"utxos": ids, "wa_action_type": kind})
	}
	order := func(p *staker, id string) fields { return p.with(fields{"order_id": id}) }
	unknown := strings.Repeat("0", 64) + ":0"
	list := []abuse{
		{"unknown unit", "postAction", action(v.staker, "UNSTAKE", unknown), 200, notYours},
		{"no outpoint", "postAction", action(v.staker, "UNSTAKE", "'; DROP TABLE units; --"), 200, notYours},
		{"a stranger's unit", "postAction", action(stranger, "UNSTAKE", v.staked), 200, notYours},
		{"a unit twice", "postAction", action(v.staker, "UNSTAKE", v.staked, v.staked), 200, "selected more than once"},
		{"no unit", "postAction", action(v.staker, "WITHDRAW"), 200, "at least one"},
		{"withdraw what is staked", "postAction", action(v.staker, "WITHDRAW", v.staked), 200, "isn't unlocked"},
		{"restake what is staked", "postAction", action(v.staker, "RESTAKE", v.staked), 200, "isn't unlocked"},
		{"unstake what is unlocked", "postAction", action(v.staker, "UNSTAKE", v.unlocked), 200, "isn't staked"},
		{"claim what is unlocked", "postAction", action(v.staker, "CLAIM", v.unlocked), 200, "can't be claimed"},
		{"withdraw what an order holds", "postAction", action(v.staker, "WITHDRAW", v.order.Units[0]), 200, "isn't unlocked"},
		{"stake as an action", "postAction", action(v.staker, "STAKE", v.unlocked), 200, "stake address"},
		{"estimate a stranger's unit", "estimateAction", action(stranger, "WITHDRAW", v.unlocked), 200, notYours},
		{"estimate what is free", "estimateAction", action(v.staker, "UNSTAKE", v.staked), 200, "is free"},
	}
	for _, call := range []string{"fetchPOTxHistory", "rearatePO", "cancelPO"} {
		list = append(list,
			abuse{"unknown order", call, order(v.staker, strings.Repeat("0", 32)), 200, "order doesn't belong"},
			abuse{"empty order", call, order(v.staker, ""), 200, "order doesn't belong"},
			abuse{"a stranger's order", call, order(stranger, v.order.ID), 200, "order doesn't belong"},
		)
	}
	return append(list, abuse{"rerate in time", "rearatePO", order(v.staker, v.order.ID), 200, "need to be rerated"})
}

func (v *victim) proofs(stranger *staker) (list []abuse) {
	message := v.restake.Message
	good := v.ordinals.signMessage(v.t, message)
	for name, c := range map[string]struct{ signature, says string }{
		"none":                  {"", "signature is missing"},
		"no base64":             {"!" + good, "can't be read"},
		"empty witness":         {"AA==", ""},
		"a stranger's":          {stranger.ordinals.signMessage(v.t, message), "doesn't prove"},
		"the payment address's": {v.payment.signMessage(v.t, message), "doesn't prove"},
		"of another text":       {v.ordinals.signMessage(v.t, message+" "), "doesn't prove"},
		"of another action": {v.ordinals.signMessage(v.t, strings.Replace(message, "RESTAKE", "WITHDRAW", 1)),
			"doesn't prove"},
		"for another community": {v.ordinals.signMessage(v.t, strings.Replace(message, "LOBO", "WOLF", 1)), "doesn't prove"},
		"for another network": {v.ordinals.signMessage(v.t, strings.Replace(message, "regtest", "mainnet", 1)),
			"doesn't prove"},
		"of a used action":     {v.ordinals.signMessage(v.t, v.used.Message), "doesn't prove"},
		"a compact one":        {v.ordinals.compact(message, 31), "doesn't prove"},
		"one bit off":          {flipped(good), "doesn't prove"},
		"cut short":            {good[:len(good)-4], ""},
		"with something after": {good + "AAAA", ""},
		"a proof of funds":     {"pof" + good, "can't be read"},
	} {
		list = append(list, abuse{name, "signWalletAction", v.signed("RESTAKE", v.restake, c.signature), 200, c.says})
	}
	elsewhere := stranger.signed("RESTAKE", v.restake, stranger.ordinals.signMessage(v.t, message))
	mixed := v.signed("RESTAKE", v.restake, good)
	mixed["w_wallet_code"] = stranger.payment.text
	linking := v.signed("RESTAKE", v.restake, good)
	linking["signature_payment"] = stranger.payment.signMessage(v.t, message)
	unknown := intent{message, strings.Repeat("0", 32)}
	cancel := func(more fields) fields {
		body := v.with(fields{"order_id": v.order.ID})
		maps.Copy(body, more)
		return body
	}
	return append(list,
		abuse{"another's action", "signWalletAction", elsewhere, 200, "action doesn't belong"},
		abuse{"another payment address", "signWalletAction", mixed, 200, "action doesn't belong"},
		abuse{"a stranger's second signature", "signWalletAction", linking, 200, "doesn't prove"},
		abuse{"unknown action", "signWalletAction", v.signed("RESTAKE", unknown, good), 200, "action doesn't belong"},
		abuse{"another type", "signWalletAction", v.signed("WITHDRAW", v.restake, good), 200, "another type"},
		abuse{"as a stake", "signWalletAction", v.signed("STAKE", v.restake, good), 200, "another type"},
		abuse{"cancel with a restake's proof", "cancelPO", cancel(fields{"action_id": v.restake.ActionID, "signature": good}),
			200, ""},
		abuse{"cancel without a proof", "cancelPO", cancel(fields{"action_id": v.restake.ActionID}), 400,
			"signature is missing"},
		abuse{"cancel without an action", "cancelPO", cancel(fields{"signature": good}), 400, "action_id is missing"},
	)
}

// flipped changes one character of a base64 signature, which remains valid base64.
func flipped(signature string) string {
	i := len(signature) - 8
	other := "A"
	if signature[i] == 'A' {
		other = "B"
	}
	return signature[:i] + other + signature[i+1:]
}

// usedProofs returns requests that submit a used proof as another type of action.
func (v *victim) usedProofs() []abuse {
	again := v.signed("RESTAKE", v.used, v.ordinals.signMessage(v.t, v.used.Message))
	return []abuse{{"a used action as another type", "signWalletAction", again, 200, "another type"}}
}

// expired checks that a message cannot be used half an hour after it was issued.
func (v *victim) expired(t *testing.T) {
	p := v.on(t)
	p.advanceClock(late)
	good := p.ordinals.signMessage(t, v.restake.Message)
	before := p.units()
	abuse{"an expired action", "signWalletAction", p.signed("RESTAKE", v.restake, good), 200, "expired"}.try(p.site, t)
	// A used action remains idempotent after its expiry: it returns the first result and has no second effect.
	var done effect
	p.post("signWalletAction", p.signed("UNSTAKE", v.used, p.ordinals.signMessage(t, v.used.Message)), &done)
	if after := p.units(); !done.Applied || !reflect.DeepEqual(before, after) {
		t.Errorf("a used proof returned %+v, the units are %+v, before %+v", done, after, before)
	}
	p.wantStatus(v.order.ID, "EXPIRED")
}

// elsewhere checks wrong communities, calls, methods and media types.
func elsewhere(s site, v *victim) {
	body, err := json.Marshal(v.signed("RESTAKE", v.restake, v.ordinals.signMessage(v.t, v.restake.Message)))
	must(s.t, err)
	for _, c := range []struct {
		method, path, contentType string
		status                    int
	}{
		{"POST", "/wolf/signWalletAction", "application/json", 404},
		{"POST", "/LOBO/signWalletAction", "application/json", 404},
		{"POST", "/lobo/signwalletaction", "application/json", 404},
		{"POST", "/lobo/steal", "application/json", 404},
		{"POST", "/lobo/signWalletAction/", "application/json", 404},
		{"GET", "/lobo/signWalletAction", "", 405},
		{"PUT", "/lobo/signWalletAction", "application/json", 405},
		{"DELETE", "/lobo/signWalletAction", "", 405},
		{"POST", "/lobo/signWalletAction", "text/plain", 415},
		{"POST", "/lobo/signWalletAction", "", 415},
		{"POST", "/lobo/signWalletAction", "application/x-www-form-urlencoded", 415},
	} {
		a := s.send(c.method, c.path, c.contentType, body)
		if e := a.envelope(s.t); a.status != c.status || e.Success || e.Message == "" {
			s.t.Errorf("%s %s as %q: HTTP %d %s, want %d", c.method, c.path, c.contentType, a.status, a.body, c.status)
		}
	}
	// The mint and etch service has a different error format.
	if a := s.send(http.MethodPost, "/orders/signWalletAction", "application/json", []byte("{}")); a.status != 404 ||
		!strings.HasPrefix(string(a.body), `{"code":"NO_SUCH_CALL","message":"This call doesn't exist.","request_id":"`) {
		s.t.Errorf("a call of the product at the mint and etch service: HTTP %d %s", a.status, a.body)
	}
	if stage := v.stage(v.unlocked); stage != "UNLOCKED" {
		s.t.Errorf("the unit %s is %s", v.unlocked, stage)
	}
}
