package ledger

import (
	"context"
	"time"
)

// Asset is what a posting moves.
type Asset string

const (
	RuneAsset Asset = "rune" // base units of the community's rune
	SatsAsset Asset = "sats"
	NoAsset   Asset = "" // a status changed and nothing of value moved
)

// Cause says why something moved and when.
type Cause struct {
	Kind string // "action", "block", "mempool", "clock", "payout" or "operator"
	ID   string // action id, block hash, txid or the operator's reason
	At   time.Time
}

// Posting is one line of the journal: an amount leaves one account and enters
// another, so every posting balances by itself. Accounts are words such as
// "STAKED", "order:PENDING", "paid:<order>" or "outside".
type Posting struct {
	Community string
	Subject   string // the unit, order, payment or epoch that moved
	Owner     string // ordinals address, or "" for what concerns nobody alone
	Event     string
	Asset     Asset
	Amount    int64 // base units or sats, never negative
	From, To  string
	Cause     Cause
}

// Journal is the record of every movement of value and of every change of a status.
type Journal interface {
	Post(ctx context.Context, postings ...Posting) error
}

// Outside is the account of everything that is not ours to keep books of.
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
