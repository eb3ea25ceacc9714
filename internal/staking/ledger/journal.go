package ledger

import (
	"context"
	"time"
)

// Asset is the asset that a posting moves.
type Asset string

// The assets. The audit repeats them in audit/journal.go, and SQL has them as literals.
const (
	RuneAsset        Asset = "rune"     // base units of the community's rune, of a unit
	TreasuryAsset    Asset = "treasury" // base units of the community's rune that belong to no unit
	SatsAsset        Asset = "sats"
	InstructionAsset Asset = "instruction" // a change of an instruction, which moves no value
	NoAsset          Asset = ""            // a change of a status, which moves no value
)

// Cause is the reason and the time of a posting. Kind is one of:
//
//   - "action", "order", "payout": ID is the id of the action, order or payout.
//   - "rerate": ID is the id of the order.
//   - "payment": ID is the outpoint of the payment.
//   - "block": ID is the block's hash, after "undone " if a reorg undid the block, or the txid of a deposit in it.
//   - "epoch": ID is the epoch number.
//   - "mempool", "chain": ID is the id of the transaction that was seen.
//   - "clock": ID is the prefix of the community, or the id of the payout that is replaced.
//   - "instruction": ID is the id of the action that instructed automatic compounding.
//   - "restore": ID is the prefix of the community whose ledger was restored from a backup.
//   - "operator": ID is the operator's name and reason.
type Cause struct {
	Kind string
	ID   string
	At   time.Time
}

// Posting is one line of the journal. It moves an amount from one account to another, so that the sum of all accounts
// is 0. Examples of accounts are "STAKED", "order:PENDING", "paid:<order>" and "outside".
type Posting struct {
	Community string
	Subject   string // id of the unit or order that changed, or an account
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

// Outside is the account of all value that is not in the ledger.
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
