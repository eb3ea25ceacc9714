package ledger

import (
	"context"
	"time"
)

// Asset is the asset that a posting moves.
type Asset string

const (
	RuneAsset Asset = "rune" // base units of the community's rune
	SatsAsset Asset = "sats"
	// TreasuryAsset are base units of the community's rune that belong to no unit.
	TreasuryAsset Asset = "treasury"
	NoAsset       Asset = "" // a status changed, no value moved
)

// Cause is the reason and the time of a posting.
type Cause struct {
	Kind string // "action", "block", "mempool", "clock", "payout" or "operator"
	ID   string // action id, block hash, txid or the operator's reason
	At   time.Time
}

// Posting is one line of the journal. It moves an amount from one account to another, so each posting balances.
// Examples of accounts: "STAKED", "order:PENDING", "paid:<order>", "outside".
type Posting struct {
	Community string
	Subject   string // the unit, order, payment or epoch that moved
	Owner     string // ordinals address, or "" if no single owner is concerned
	Event     string
	Asset     Asset
	Amount    int64 // base units or sats, never negative
	From, To  string
	Cause     Cause
}

// Journal records every movement of value and every change of a status.
type Journal interface {
	Post(ctx context.Context, postings ...Posting) error
}

// Outside is the account of everything that the ledger does not own.
const Outside = "outside"

func unitPosting(u Unit, from, to Stage, event Event, cause Cause) Posting {
	return Posting{
		Community: u.Community, Subject: u.ID, Owner: u.Owner, Event: string(event),
		Asset: RuneAsset, Amount: int64(u.Amount), From: account(from), To: account(to), Cause: cause,
	}
}

func account(s Stage) string {
	if s == nowhere {
		return Outside
	}
	return string(s)
}
