package api

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/fault"
	"moonfund/internal/staking/etching"
)

// RuneOrders is the mint and etch service; etching.Service implements it.
type RuneOrders interface {
	Estimate(ctx context.Context, r etching.Request) (etching.Cost, error)
	Create(ctx context.Context, r etching.Request) (etching.Order, error)
	// Execute records the transaction that pays an order.
	Execute(ctx context.Context, kind etching.Kind, id, txid string) (etching.Order, error)
	Progress(ctx context.Context, id string) (etching.Progress, error)
	// Quote returns an order and the additional payment that raises its fee rate.
	Quote(ctx context.Context, id string, satPerVB float64) (etching.Order, amount.Sats, error)
}

// runeOrders is the handler of /orders/{network}/v1. Its responses are plain objects without an envelope.
type runeOrders struct {
	*handler
	network string
	fresh   *limiter // new orders of one source; each is stored permanently, with its inscription, which may be large
}

// newRuneOrders returns the routes of the service for one network. fresh limits the new orders of one source.
func (h *handler) newRuneOrders(network string, fresh Limit) http.Handler {
	s := runeOrders{h, network, newLimiter(fresh, h.perSource.now)}
	mux := http.NewServeMux()
	for kind, path := range map[etching.Kind]string{etching.Mint: "mint", etching.Etch: "etch"} {
		base := "/orders/{network}/v1/runes/" + path
		mux.HandleFunc("POST "+base+"/estimate", s.answer(func(r *http.Request) (any, error) { return s.estimate(r, kind) }))
		mux.HandleFunc("POST "+base+"/orders", s.answer(func(r *http.Request) (any, error) { return s.create(r, kind) }))
		mux.HandleFunc("POST "+base+"/orders/{id}/execute", s.answer(func(r *http.Request) (any, error) {
			return s.execute(r, kind)
		}))
		for _, only := range []string{base + "/estimate", base + "/orders", base + "/orders/{id}/execute"} {
			mux.HandleFunc(only, s.allow(http.MethodPost))
		}
	}
	mux.HandleFunc("GET /orders/{network}/v1/orders/{id}", s.answer(s.progress))
	mux.HandleFunc("/orders/{network}/v1/orders/{id}", s.allow(http.MethodGet))
	mux.HandleFunc("POST /orders/{network}/v1/orders/{id}/rbf-estimate", s.answer(s.quote))
	mux.HandleFunc("/orders/{network}/v1/orders/{id}/rbf-estimate", s.allow(http.MethodPost))
	mux.HandleFunc("/", s.answer(func(*http.Request) (any, error) {
		return nil, fault.New(fault.NotFound, fault.NoSuchCall)
	}))
	return mux
}

// allow returns a handler that writes 405 and names the allowed method.
func (s runeOrders) allow(method string) http.HandlerFunc {
	refuse := s.answer(func(*http.Request) (any, error) {
		return nil, fault.New(fault.Method, fault.MethodNotAllowed, method)
	})
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Allow", method)
		refuse(w, r)
	}
}

// answer returns a handler that makes the checks that all calls share, and writes the result of call.
func (s runeOrders) answer(call func(*http.Request) (any, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "no-store")
		if wait := s.perSource.wait(source(r, s.proxies)); wait > 0 {
			seconds := int64(wait.Seconds()) + 1
			s.writeError(w, r, fault.New(fault.TooMany, fault.TooManyRequests, seconds))
			return
		}
		if network := r.PathValue("network"); network != "" && network != s.network {
			s.writeError(w, r, fault.New(fault.NotFound, fault.RuneOrdersNetwork, s.network, shorten(network)))
			return
		}
		if !ownOrigin(r) {
			s.writeError(w, r, fault.New(fault.Forbidden, fault.ForeignOrigin))
			return
		}
		ctx, cancel := context.WithTimeout(r.Context(), callTime)
		defer cancel()
		r.Body = http.MaxBytesReader(w, r.Body, maxBody)
		result, err := call(r.WithContext(ctx))
		if err != nil {
			s.writeError(w, r, err)
			return
		}
		s.write(w, http.StatusOK, result)
	}
}

func (s runeOrders) writeError(w http.ResponseWriter, r *http.Request, err error) {
	f := fault.From(err)
	if f.Kind == fault.Internal {
		s.log.ErrorContext(r.Context(), "request failed", "request_id", requestID(w), "method", r.Method, "call", "orders",
			"error", err)
		f = fault.New(fault.Internal, fault.SomethingWrongID, requestID(w))
	}
	retryAfter(w, f)
	s.write(w, f.Kind.Status(), RuneError{
		Message: f.Message, Code: f.Code, Values: optionalList(f.Values), RequestId: optional(requestID(w)),
	})
}

func (s runeOrders) write(w http.ResponseWriter, status int, body any) {
	text, err := json.Marshal(body)
	if err != nil {
		text, status = []byte(`{"message":"`+fault.SomethingWrong.Text+`","code":"`+fault.SomethingWrong.Code+`"}`),
			http.StatusInternalServerError
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(append(text, '\n')) // fails if the client closed the connection
}

// read checks the body against the named schema of the document and decodes it.
func (s runeOrders) read(r *http.Request, name string, into any) error {
	kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || kind != "application/json" {
		return fault.New(fault.MediaType, fault.NotJSONType)
	}
	body, err := io.ReadAll(r.Body)
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &tooLarge):
		return fault.New(fault.TooLarge, fault.BodyTooLarge, tooLarge.Limit>>10)
	case err != nil:
		return fault.Reject(fault.NotJSON).Because(err)
	}
	object, err := parseObject(body)
	if err != nil {
		return err
	}
	known, err := s.document.check(object, s.document.Components.Schemas[name], "The request")
	if err != nil {
		return err
	}
	clean, err := json.Marshal(known)
	if err != nil {
		return err
	}
	return json.NewDecoder(bytes.NewReader(clean)).Decode(into)
}

// request reads a request for an order or, with estimate, for its price. An estimate needs no refund address.
func (s runeOrders) request(r *http.Request, kind etching.Kind, estimate bool) (etching.Request, error) {
	suffix := "Request"
	if estimate {
		suffix = "EstimateRequest"
	}
	if kind == etching.Mint {
		var body RuneMintRequest
		err := s.read(r, "RuneMint"+suffix, &body)
		return etching.Request{Mint: &etching.MintRequest{Repeats: body.Repeats, Common: etching.Common{
			RuneName: body.RuneName, Destination: body.DestinationAddress, Refund: body.RefundAddress, FeeRate: body.FeeRate,
			AppFee: or(body.AppServiceFee), AppFeeTo: or(body.AppServiceFeeAddress), Network: or(body.Network),
			WithoutMoney: estimate,
		}}}, err
	}
	var body RuneEtchRequest
	err := s.read(r, "RuneEtch"+suffix, &body)
	e := &etching.EtchRequest{
		Common: etching.Common{
			RuneName: body.RuneName, Destination: body.DestinationAddress, Refund: body.RefundAddress, FeeRate: body.FeeRate,
			AppFee: or(body.AppServiceFee), AppFeeTo: or(body.AppServiceFeeAddress), Network: or(body.Network),
			WithoutMoney: estimate,
		},
		Divisibility: or(body.Divisibility), Symbol: or(body.Symbol), Premine: or(body.Premine), IsMintable: body.IsMintable,
		Delegate: or(body.DelegateInscriptionId), Turbo: or(body.Turbo),
	}
	if t := body.Terms; t != nil {
		e.Terms = &etching.TermsRequest{
			Amount: or(t.Amount), Cap: or(t.Cap), HeightStart: or(t.HeightStart), HeightEnd: or(t.HeightEnd),
			OffsetStart: or(t.OffsetStart), OffsetEnd: or(t.OffsetEnd),
		}
	}
	if i := body.InscriptionDetails; i != nil {
		e.Inscribes, e.ContentType, e.Content = true, i.ContentType, i.ContentBase64
	}
	return etching.Request{Etch: e}, err
}

// or returns the value of an optional field, or its zero value.
func or[T any](v *T) (value T) {
	if v != nil {
		value = *v
	}
	return value
}

func (s runeOrders) estimate(r *http.Request, kind etching.Kind) (any, error) {
	request, err := s.request(r, kind, true)
	if err != nil {
		return nil, err
	}
	cost, err := s.services.RuneOrders.Estimate(r.Context(), request)
	var e RuneEstimate
	e.TotalSize, e.TotalCost = cost.Size, int64(cost.Total)
	e.CostBreakdown.Postage, e.CostBreakdown.NetworkFee = int64(cost.Postage), int64(cost.Network)
	e.CostBreakdown.ServiceFee, e.CostBreakdown.AppServiceFee = int64(cost.ServiceFee), int64(cost.AppFee)
	return e, err
}

func (s runeOrders) create(r *http.Request, kind etching.Kind) (any, error) {
	request, err := s.request(r, kind, false)
	if err != nil {
		return nil, err
	}
	if wait := s.fresh.wait(source(r, s.proxies)); wait > 0 {
		return nil, fault.New(fault.TooMany, fault.TooManyRequests, int64(wait.Seconds())+1)
	}
	o, err := s.services.RuneOrders.Create(r.Context(), request)
	return RuneOrderCreated{OrderId: o.ID, FundAddress: o.Address, FundAmount: int64(o.FundAmount)}, err
}

func (s runeOrders) execute(r *http.Request, kind etching.Kind) (any, error) {
	var body RuneExecuteRequest
	if err := s.read(r, "RuneExecuteRequest", &body); err != nil {
		return nil, err
	}
	o, err := s.services.RuneOrders.Execute(r.Context(), kind, r.PathValue("id"), body.FundTransactionId)
	return RuneOrderExecuted{OrderId: o.ID, FundTransactionId: o.Executed, FundingAddress: o.Address}, err
}

func (s runeOrders) quote(r *http.Request) (any, error) {
	var body RuneRbfRequest
	if err := s.read(r, "RuneRbfRequest", &body); err != nil {
		return nil, err
	}
	o, cost, err := s.services.RuneOrders.Quote(r.Context(), r.PathValue("id"), body.NewFeeRate)
	return RuneRbfEstimate{RbfCost: int64(cost), FundingAddress: o.Address}, err
}

func (s runeOrders) progress(r *http.Request) (any, error) {
	p, err := s.services.RuneOrders.Progress(r.Context(), r.PathValue("id"))
	if err != nil {
		return nil, err
	}
	o := RuneOrder{
		Id: p.ID, OrderType: RuneOrderOrderType(p.Kind), State: RuneOrderState(p.State), FundingAddress: p.Address,
		CreatedAt: p.Created, ExpiresAt: p.Deadline, RuneName: p.RuneName, FundAmount: int64(p.FundAmount),
		Received: int64(p.Received), FeeRate: p.FeeRate.Float(), Tip: p.Tip, Transactions: []RuneOrderTransaction{},
	}
	if p.Reason != "" {
		o.Reason, o.ReasonCode, o.ReasonValues = &p.Reason, optional(p.ReasonCode), optionalList(p.ReasonValues)
	}
	if p.RuneID != "" {
		o.RuneId = &p.RuneID
	}
	if p.NotBefore != chain.None {
		o.RevealHeight = &p.NotBefore
	}
	for _, t := range p.Txs {
		o.Transactions = append(o.Transactions, RuneOrderTransaction{
			Txid: t.ID.String(), Role: RuneOrderTransactionRole(t.Role), Confirmations: p.Confirmations(t),
			Fee: int64(t.Fee), Size: t.VBytes,
		})
	}
	return o, nil
}
