package main

import (
	"errors"
	"fmt"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/server"
)

// orderFlags enable the mint and etch service.
type orderFlags struct {
	Orders           bool   `help:"Offer the mint and etch service, under /orders/{network}/v1."`
	OrdersFee        int64  `help:"Fee in sats that a mint or etch order pays to the operator." placeholder:"SATS"`
	OrdersFeeAddress string `help:"Address for that fee; the signer needs the same setting." placeholder:"ADDRESS"`
}

// runeOrders checks the flags.
func (f orderFlags) runeOrders(network chain.Network) (server.RuneOrders, error) {
	s := server.RuneOrders{On: f.Orders, Fee: amount.Sats(f.OrdersFee), FeeTo: f.OrdersFeeAddress}
	if s.Fee < 0 || s.Fee > 0 && s.FeeTo == "" {
		return s, errors.New("--orders-fee must be 0, or sats with an --orders-fee-address that they go to")
	}
	if s.FeeTo == "" {
		return s, nil
	}
	to, err := chain.ParseAddress(s.FeeTo, network)
	if err != nil {
		return s, fmt.Errorf("--orders-fee-address is %q: %w", s.FeeTo, err)
	}
	if dust := chain.Dust(to.Script); s.Fee > 0 && s.Fee < dust {
		return s, fmt.Errorf("--orders-fee is %d sats; nodes relay no less than %d", s.Fee, dust)
	}
	s.FeeTo = to.Text
	return s, nil
}
