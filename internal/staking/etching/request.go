package etching

import (
	"encoding/base64"
	"errors"
	"math"
	"regexp"
	"strings"
	"unicode/utf8"

	"lukechampine.com/uint128"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/runes"
	"moonfund/internal/bitcoin/vault"
	"moonfund/internal/fault"
)

// Common are the fields that a mint and an etch order share, as in the wire format.
type Common struct {
	RuneName     string
	Destination  string
	Refund       string
	FeeRate      float64 // sat/vB
	AppFee       int64   // sats
	AppFeeTo     string
	Network      string // "" or the server's own
	WithoutMoney bool   // an estimate: no refund address is needed
}

// MintRequest is a request to mint one rune.
type MintRequest struct {
	Common
	Repeats int64
}

// EtchRequest is a request to etch a rune. Amounts are base units in decimal digits.
type EtchRequest struct {
	Common
	Divisibility int64
	Symbol       string // "": none
	Premine      string // "": none
	IsMintable   bool
	Terms        *TermsRequest
	ContentType  string
	Content      string // base64
	Inscribes    bool   // inscriptionDetails were given
	Delegate     string // inscription id, "": none
	Turbo        bool
}

// TermsRequest holds the terms of an open mint in decimal digits; "" means unset.
type TermsRequest struct {
	Amount, Cap                                    string
	HeightStart, HeightEnd, OffsetStart, OffsetEnd string
}

// newOrder checks the shared fields and returns an order with them.
func (s *Service) newOrder(r Common) (Order, error) {
	if r.Network != "" && !strings.EqualFold(r.Network, s.Network.Name) {
		return Order{}, fault.Reject(fault.RuneOrdersNetwork, s.Network.Name, shorten(r.Network))
	}
	rate, err := amount.FeeRateFromFloat(r.FeeRate)
	if err != nil || rate < s.Policy.MinRelay || rate > s.Policy.MaxFeeRate {
		return Order{}, fault.Reject(fault.RuneFeeRate, "feeRate", s.Policy.MaxFeeRate.String())
	}
	o := Order{FeeRate: rate}
	destination, err := s.address(r.Destination)
	if err != nil {
		return Order{}, err
	}
	o.Destination = destination.Text
	o.RuneOrder.Refund = destination.Text
	if !r.WithoutMoney {
		refund, err := s.address(r.Refund)
		if err != nil {
			return Order{}, err
		}
		o.RuneOrder.Refund = refund.Text
	}
	if s.ServiceFee > 0 {
		o.ServiceFee, o.ServiceFeeTo = s.ServiceFee, s.ServiceFeeTo
	}
	return o, s.appFee(&o, r)
}

func (s *Service) appFee(o *Order, r Common) error {
	switch {
	case r.AppFee < 0 || r.AppFee > maxSats:
		return fault.Reject(fault.NumberOutOfRange, "appServiceFee", 0, int64(maxSats))
	case r.AppFee == 0:
		return nil
	case r.AppFeeTo == "":
		return fault.Reject(fault.RuneAppFeeAddress)
	}
	to, err := s.address(r.AppFeeTo)
	if err != nil {
		return err
	}
	if dust := chain.Dust(to.Script); amount.Sats(r.AppFee) < dust {
		return fault.Reject(fault.RuneDust, "appServiceFee", int64(dust))
	}
	o.AppFee, o.AppFeeTo = amount.Sats(r.AppFee), to.Text
	return nil
}

const maxSats = 21_000_000e8

func (s *Service) address(text string) (chain.Address, error) {
	address, err := chain.ParseAddress(text, s.Network)
	switch {
	case err == nil:
		return address, nil
	case errors.Is(err, chain.ErrWrongNetwork):
		return address, fault.Reject(fault.WrongNetwork, text, s.Network.Name)
	}
	return address, fault.Reject(fault.InvalidAddress)
}

// mintOrder checks the fields of a mint request, also against the rune index, and returns the order.
func (s *Service) mintOrder(index runes.Store, r MintRequest, height int64) (Order, error) {
	o, err := s.newOrder(r.Common)
	if err != nil {
		return o, err
	}
	name, err := spacedName(r.RuneName)
	if err != nil {
		return o, err
	}
	if r.Repeats < 1 || r.Repeats > MaxRepeats {
		return o, fault.Reject(fault.NumberOutOfRange, "repeats", 1, MaxRepeats)
	}
	entry, found, err := index.RuneEntryByName(name.Name)
	if err != nil {
		return o, err
	}
	if !found {
		return o, fault.Reject(fault.RuneUnknown, name.String())
	}
	o.Kind, o.RuneName = Mint, entry.SpacedName().String()
	o.Mint = &vault.RuneMint{Rune: entry.ID, Repeats: int(r.Repeats)}
	return o, s.mintable(index, o.RuneOrder, height)
}

// etchOrder checks the fields of an etch request, also against the rune index, and returns the order.
func (s *Service) etchOrder(index runes.Store, r EtchRequest, height int64) (Order, error) {
	o, err := s.newOrder(r.Common)
	if err != nil {
		return o, err
	}
	name, err := spacedName(r.RuneName)
	if err != nil {
		return o, err
	}
	etching, err := r.etching(name)
	if err != nil {
		return o, err
	}
	o.Kind, o.RuneName = Etch, name.String()
	o.Etch = &vault.RuneEtch{Etching: etching}
	if o.Etch.Inscription, err = r.inscription(); err != nil {
		return o, err
	}
	if err := s.heights(etching.Terms, height); err != nil {
		return o, err
	}
	return o, s.etchable(index, o.RuneOrder, height)
}

func spacedName(text string) (runes.SpacedName, error) {
	if utf8.RuneCountInString(text) > 2*28 {
		return runes.SpacedName{}, fault.Reject(fault.RuneNameInvalid)
	}
	name, err := runes.ParseSpacedName(text)
	if err != nil {
		return name, fault.Reject(fault.RuneNameInvalid).Because(err)
	}
	return name, nil
}

// etching converts the request's fields to the etching of a runestone.
func (r EtchRequest) etching(name runes.SpacedName) (runes.Etching, error) {
	e := runes.Etching{Name: &name.Name, Turbo: r.Turbo}
	if name.Spacers != 0 {
		e.Spacers = &name.Spacers
	}
	if r.Divisibility < 0 || r.Divisibility > runes.MaxDivisibility {
		return e, fault.Reject(fault.NumberOutOfRange, "divisibility", 0, runes.MaxDivisibility)
	}
	if r.Divisibility > 0 {
		e.Divisibility = new(uint8(r.Divisibility))
	}
	if r.Symbol != "" {
		symbol, size := utf8.DecodeRuneInString(r.Symbol)
		if size != len(r.Symbol) || symbol == utf8.RuneError || symbol < ' ' || symbol == 0x7f {
			return e, fault.Reject(fault.RuneSymbol)
		}
		e.Symbol = &symbol
	}
	premine, err := amount128("premine", r.Premine)
	if err != nil {
		return e, err
	}
	if premine != nil && !premine.IsZero() {
		e.Premine = premine
	}
	if e.Terms, err = r.terms(); err != nil {
		return e, err
	}
	supply, fits := e.MaxSupply()
	if !fits {
		return e, fault.Reject(fault.RuneSupplyOverflow)
	}
	if supply.IsZero() {
		return e, fault.Reject(fault.RuneSupplyZero)
	}
	return e, nil
}

func (r EtchRequest) terms() (*runes.Terms, error) {
	switch {
	case !r.IsMintable && r.Terms != nil:
		return nil, fault.Reject(fault.RuneTermsUnwanted)
	case !r.IsMintable:
		return nil, nil
	case r.Terms == nil || r.Terms.Amount == "" || r.Terms.Cap == "":
		return nil, fault.Reject(fault.RuneTermsMissing)
	}
	var t runes.Terms
	for _, field := range []struct {
		name, text string
		to         **uint128.Uint128
	}{{"amount", r.Terms.Amount, &t.Amount}, {"cap", r.Terms.Cap, &t.Cap}} {
		n, err := amount128("terms."+field.name, field.text)
		if err != nil {
			return nil, err
		}
		if n.IsZero() {
			return nil, fault.Reject(fault.RuneTermsZero, "terms."+field.name)
		}
		*field.to = n
	}
	for _, field := range []struct {
		name, text string
		to         **uint64
	}{
		{"heightStart", r.Terms.HeightStart, &t.HeightStart}, {"heightEnd", r.Terms.HeightEnd, &t.HeightEnd},
		{"offsetStart", r.Terms.OffsetStart, &t.OffsetStart}, {"offsetEnd", r.Terms.OffsetEnd, &t.OffsetEnd},
	} {
		n, err := amount128("terms."+field.name, field.text)
		if err != nil || n != nil && n.Hi != 0 {
			return nil, fault.Reject(fault.RuneHeight, "terms."+field.name)
		}
		if n != nil {
			*field.to = &n.Lo
		}
	}
	for _, span := range []struct {
		name       string
		start, end *uint64
	}{{"height", t.HeightStart, t.HeightEnd}, {"offset", t.OffsetStart, t.OffsetEnd}} {
		if span.start != nil && span.end != nil && *span.end <= *span.start {
			return nil, fault.Reject(fault.RuneTermsRange, span.name, span.name)
		}
	}
	return &t, nil
}

// amount128 parses a decimal number below 2^128; it returns nil for "".
func amount128(name, text string) (*uint128.Uint128, error) {
	if text == "" {
		return nil, nil
	}
	if len(text) > 39 || strings.Trim(text, "0123456789") != "" {
		return nil, fault.Reject(fault.RuneAmount, name)
	}
	n, err := uint128.FromString(text)
	if err != nil {
		return nil, fault.Reject(fault.RuneAmount, name).Because(err)
	}
	return &n, nil
}

var mediaType = regexp.MustCompile(`^[a-zA-Z0-9!#$&^_.+-]+/[a-zA-Z0-9!#$&^_.+-]+( ?; ?[ -~]+)?$`)

func (r EtchRequest) inscription() (*vault.Inscription, error) {
	switch {
	case r.Delegate != "" && r.Inscribes:
		return nil, fault.Reject(fault.RuneInscriptionBoth)
	case r.Delegate != "":
		if vault.CheckInscriptionID(r.Delegate) != nil {
			return nil, fault.Reject(fault.RuneDelegate)
		}
		return &vault.Inscription{Delegate: r.Delegate}, nil
	case !r.Inscribes:
		return nil, nil
	case len(r.ContentType) > 100 || !mediaType.MatchString(r.ContentType):
		return nil, fault.Reject(fault.RuneInscriptionType)
	}
	body, err := base64.StdEncoding.Strict().DecodeString(r.Content)
	if err != nil || len(body) == 0 {
		return nil, fault.Reject(fault.RuneInscriptionBody)
	}
	return &vault.Inscription{ContentType: r.ContentType, Body: body}, nil
}

// shorten truncates client input that an error quotes.
func shorten(text string) string {
	if letters := []rune(text); len(letters) > 40 {
		return string(letters[:40]) + "…"
	}
	return text
}

// heights checks that a mint begins and ends after the first block that can contain the etching, as ord does.
func (s *Service) heights(t *runes.Terms, tip int64) error {
	if t == nil {
		return nil
	}
	reveal := uint64(tip) + runes.CommitConfirmations
	for name, height := range map[string]*uint64{"heightEnd": t.HeightEnd, "heightStart": t.HeightStart} {
		if height != nil && *height <= reveal {
			return fault.Reject(fault.RuneTermsPast, name, reveal)
		}
	}
	return nil
}

// nextHeight returns the height after tip, limited to the range that the index supports.
func nextHeight(tip int64) int64 { return min(tip, math.MaxInt32) + 1 }
