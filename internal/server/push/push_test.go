package push

import (
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/ecdh"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"moonfund/internal/api"
	"moonfund/internal/staking/action"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/staking/order"
	"moonfund/internal/store"
	"moonfund/internal/testkit"
)

// browser is a browser with a subscription at the push service of a fixture.
type browser struct {
	endpoint string
	key      *ecdh.PrivateKey
	auth     []byte
}

// request returns the request that subscribes the browser, without a proof.
func (b browser) request(w action.Wallet) api.PushRequest {
	return api.PushRequest{Wallet: w, Endpoint: b.endpoint, Key: encode(b.key.PublicKey().Bytes()), Auth: encode(b.auth)}
}

// decrypt decrypts a message as RFC 8291 and RFC 8188 say: one record with padding.
func (b browser) decrypt(t *testing.T, body []byte) string {
	t.Helper()
	salt, sender, record := body[:16], body[21:86], body[86:]
	from, err := ecdh.P256().NewPublicKey(sender)
	testkit.Must(t, err)
	shared, err := b.key.ECDH(from)
	testkit.Must(t, err)
	info := "WebPush: info\x00" + string(b.key.PublicKey().Bytes()) + string(sender)
	secret, err := hkdf.Key(sha256.New, shared, b.auth, info, 32)
	testkit.Must(t, err)
	contentKey, err := hkdf.Key(sha256.New, secret, salt, "Content-Encoding: aes128gcm\x00", 16)
	testkit.Must(t, err)
	nonce, err := hkdf.Key(sha256.New, secret, salt, "Content-Encoding: nonce\x00", 12)
	testkit.Must(t, err)
	block, err := aes.NewCipher(contentKey)
	testkit.Must(t, err)
	gcm, err := cipher.NewGCM(block)
	testkit.Must(t, err)
	plain, err := gcm.Open(nil, nonce, record, nil)
	testkit.Must(t, err)
	return strings.TrimSuffix(strings.TrimRight(string(plain), "\x00"), "\x02")
}

// received is a request that the push service got.
type received struct {
	path   string
	header http.Header
	body   []byte
}

// fixture is a service on the ledger of a World, and a push service.
type fixture struct {
	*Service
	t        *testing.T
	w        *testkit.World
	mu       sync.Mutex
	got      []received
	answer   http.HandlerFunc // nil: 201
	browsers int
}

func newFixture(t *testing.T, w *testkit.World) *fixture {
	t.Helper()
	f := &fixture{t: t, w: w}
	server := httptest.NewTLSServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		f.mu.Lock()
		f.got = append(f.got, received{r.URL.Path, r.Header, body})
		answer := f.answer
		f.mu.Unlock()
		if answer == nil {
			rw.WriteHeader(http.StatusCreated)
			return
		}
		answer(rw, r)
	}))
	t.Cleanup(server.Close)
	s := New(Config{
		KeyFile: filepath.Join(t.TempDir(), KeyFile), Contact: "https://fund.example", Store: w.Store,
		CheckProven: w.Actions.CheckProven, Leads: func() bool { return true }, Now: w.Clock.Now,
		Log: slog.New(slog.DiscardHandler),
	})
	s.jitter = func() float64 { return 0 }
	transport := server.Client().Transport.(*http.Transport).Clone() // it accepts the certificate, of *.example.com
	transport.DialContext = func(ctx context.Context, network, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, network, server.Listener.Addr().String())
	}
	s.client.Transport, f.Service = transport, s
	return f
}

// use sets the push service's answers.
func (f *fixture) use(answer http.HandlerFunc) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.answer = answer
}

// status is an answer with a status.
func status(code int) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(code) }
}

// take returns the requests since the last call.
func (f *fixture) take() []received {
	f.mu.Lock()
	defer f.mu.Unlock()
	all := f.got
	f.got = nil
	return all
}

func (f *fixture) newBrowser() browser {
	f.t.Helper()
	key, err := ecdh.P256().GenerateKey(rand.Reader)
	testkit.Must(f.t, err)
	f.browsers++
	b := browser{fmt.Sprintf("https://push.example.com/%d", f.browsers), key, make([]byte, 16)}
	_, _ = rand.Read(b.auth)
	return b
}

// act signs an action and returns its id and signature.
func (f *fixture) act(from *testkit.Wallet, kind action.Type, ids ...string) (id, signature string) {
	f.t.Helper()
	asked, err := f.w.Ask(from, kind, ids...)
	testkit.Must(f.t, err)
	signature = from.Sign(asked.Message)
	_, err = f.w.Actions.Sign(f.t.Context(), testkit.Prefix, action.SignRequest{
		Wallet: from.Pair(), ActionID: asked.ActionID, Type: kind, Signature: signature,
	})
	testkit.Must(f.t, err)
	return asked.ActionID, signature
}

// subscribed subscribes a new browser of a wallet with the proof of an action.
func (f *fixture) subscribed(of *testkit.Wallet, actionID, signature string) browser {
	f.t.Helper()
	b := f.newBrowser()
	r := b.request(of.Pair())
	r.ActionID, r.Signature = actionID, signature
	testkit.Must(f.t, f.Subscribe(f.t.Context(), testkit.Prefix, r))
	return b
}

// send sends what is due, and returns the decrypted messages.
func (f *fixture) send(to browser) (messages []string) {
	f.t.Helper()
	testkit.Must(f.t, f.deliver(f.t.Context()))
	for _, r := range f.take() {
		if r.path != strings.TrimPrefix(to.endpoint, "https://push.example.com") {
			f.t.Errorf("a message to %s", r.path)
			continue
		}
		messages = append(messages, to.decrypt(f.t, r.body))
		f.checkVAPID(r.header)
	}
	return messages
}

// checkVAPID verifies the signature of a request by RFC 8292.
func (f *fixture) checkVAPID(header http.Header) {
	f.t.Helper()
	token, key, _ := strings.Cut(strings.TrimPrefix(header.Get("Authorization"), "vapid t="), ", k=")
	point, err := base64.RawURLEncoding.DecodeString(key)
	testkit.Must(f.t, err)
	public, err := ecdsa.ParseUncompressedPublicKey(elliptic.P256(), point)
	testkit.Must(f.t, err)
	parts := strings.Split(token, ".")
	signature, err := base64.RawURLEncoding.DecodeString(parts[2])
	testkit.Must(f.t, err)
	hash := sha256.Sum256([]byte(parts[0] + "." + parts[1]))
	if key != f.PushKey() || !ecdsa.Verify(public, hash[:], new(big.Int).SetBytes(signature[:32]),
		new(big.Int).SetBytes(signature[32:])) {
		f.t.Error("the server's key did not sign the request")
	}
	text, err := base64.RawURLEncoding.DecodeString(parts[1])
	testkit.Must(f.t, err)
	var claims struct {
		Aud, Sub string
	}
	testkit.Must(f.t, json.Unmarshal(text, &claims))
	if claims.Aud != "https://push.example.com" || claims.Sub != "https://fund.example" || header.Get("TTL") == "0" {
		f.t.Errorf("claims %s, header %v", text, header)
	}
}

func (f *fixture) want(got []string, want ...string) {
	f.t.Helper()
	if !slices.Equal(got, want) {
		f.t.Errorf("messages %q, want %q", got, want)
	}
}

// An owner is told once, of the newest of each kind: units unlock, a reward settles, a paid order waits for the owner's
// signature. Between two messages is some time. Other owners get nothing.
func TestNews(t *testing.T) {
	w := testkit.NewWorld(t)
	w.GiveSignerIndex()
	w.AddTreasurySats(100_000)
	w.Anna.Self = true
	f := newFixture(t, w)
	first, _ := w.Deposit(w.Anna, 5000)
	w.Mine(1)
	second, _ := w.Deposit(w.Anna, 5000)
	w.Mine(1)
	w.Deposit(w.Anna, 5000) // it stays staked and earns
	w.Deposit(w.Bert, 5000)
	w.Settle(4)
	w.NextEpoch()
	id, signature := f.act(w.Anna, action.Unstake, first, second)
	to := f.subscribed(w.Anna, id, signature)
	f.want(f.send(to))
	w.NextEpoch()
	w.NextEpoch()
	w.Settle(6)
	got := f.send(to)
	if len(got) != 1 {
		t.Fatalf("messages %q", got)
	}
	var news map[string]string
	testkit.Must(t, json.Unmarshal([]byte(got[0]), &news))
	if len(news) != 2 || !slices.Contains([]string{first, second}, news["unlocked"]) ||
		!slices.Contains(w.Units(w.Anna, "CLAIMABLE"), news["reward"]) {
		t.Errorf("news %v", news)
	}

	o := w.Withdrawal(first, second)
	w.Pay(w.Anna, o, o.Due())
	w.Settle(1)
	w.WantStatus(o.ID, "PAID")
	f.want(f.send(to)) // too soon after the last message
	w.Clock.Advance(quiet)
	f.want(f.send(to), fmt.Sprintf(`{"order":%q}`, o.ID))
	w.Clock.Advance(quiet)
	f.want(f.send(to))

	testkit.Must(t, f.Unsubscribe(t.Context(), to.endpoint))
	w.NextEpoch()
	w.Settle(6)
	f.want(f.send(to))
}

// The owner of an order that is paid in part is told, and not the owner of one that is paid in full.
func TestPaidInPart(t *testing.T) {
	w := testkit.NewWorld(t)
	f := newFixture(t, w)
	ids := w.UnlockedUnits(2, 5000)
	id, signature := f.act(w.Anna, action.Withdraw, ids[0])
	to := f.subscribed(w.Anna, id, signature)
	full := w.Withdrawal(ids[1])
	w.Pay(w.Anna, full, full.Due()) // not mined: only the seen payment matters
	w.Step()
	f.want(f.send(to))
	var open []order.Order
	testkit.Must(t, w.Store.View(t.Context(), func(tx *store.Tx) (err error) {
		open, err = tx.OrdersOf(t.Context(), testkit.Prefix, w.Anna.Ordinals.Text)
		return err
	}))
	part := open[slices.IndexFunc(open, func(o order.Order) bool { return o.ID != full.ID })]
	w.Pay(w.Anna, part, part.Due()/2)
	w.Step()
	f.want(f.send(to), fmt.Sprintf(`{"order":%q}`, part.ID))
}

// A posting about an order that is not in the ledger does not keep other messages back.
func TestMissingOrder(t *testing.T) {
	f, to := withNews(t)
	f.w.Update(func(tx *store.Tx) error {
		return tx.Post(t.Context(), ledger.Posting{
			Community: testkit.Prefix, Owner: f.w.Anna.Ordinals.Text, Subject: "none", To: "order:PAID",
		})
	})
	if got := f.send(to); len(got) != 1 || !strings.Contains(got[0], "unlocked") {
		t.Errorf("messages %q", got)
	}
	f.w.Clock.Advance(quiet)
	f.want(f.send(to))
}

// The owner of more units than are read at once is told once that they unlocked. An owner whose postings are not read
// completely is told next.
func TestManyUnits(t *testing.T) {
	f, to := withNews(t)
	bert := f.newBrowser() // behind Anna's in the order of reading
	f.w.Update(func(tx *store.Tx) error {
		r := bert.request(f.w.Bert.Pair())
		return tx.PutPushSubscription(t.Context(), store.PushSubscription{Endpoint: r.Endpoint, Key: r.Key, Auth: r.Auth,
			Community: testkit.Prefix, Owner: r.Wallet.Ordinals}, perOwner, inTotal, f.Now())
	})
	unlock := func(of *testkit.Wallet, n int) {
		f.w.Update(func(tx *store.Tx) error {
			var all []ledger.Posting
			for i := range n {
				all = append(all, ledger.Posting{Community: testkit.Prefix, Owner: of.Ordinals.Text,
					Event: string(ledger.CooldownOver), Asset: ledger.RuneAsset, Subject: fmt.Sprint(i)})
			}
			return tx.Post(t.Context(), all...)
		})
	}
	unlock(f.w.Anna, readAtOnce-2)
	unlock(f.w.Bert, 3)
	f.want(f.send(to), fmt.Sprintf(`{"unlocked":"%d"}`, readAtOnce-3))
	f.want(f.send(bert), `{"unlocked":"2"}`)
	unlock(f.w.Anna, readAtOnce+1)
	f.w.Clock.Advance(quiet)
	f.want(f.send(to), fmt.Sprintf(`{"unlocked":"%d"}`, readAtOnce))
	f.w.Clock.Advance(quiet)
	f.want(f.send(to))
}

// decrypt reads the example of RFC 8291, section 5.
func TestDecrypt(t *testing.T) {
	var data [3][]byte
	for i, text := range []string{
		"q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94", "BTBZMqHH6r4Tts7J_aSIgg",
		"DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3" +
			"jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN",
	} {
		var err error
		data[i], err = base64.RawURLEncoding.DecodeString(text)
		testkit.Must(t, err)
	}
	key, err := ecdh.P256().NewPrivateKey(data[0])
	testkit.Must(t, err)
	if got := (browser{key: key, auth: data[1]}).decrypt(t, data[2]); got != "When I grow up, I want to be a watermelon" {
		t.Errorf("got %q", got)
	}
}
