package decisions

import (
	"context"
	"errors"
	"fmt"
	"time"

	"moonfund/internal/operate/terminal"
	"moonfund/internal/server/wiring"
	"moonfund/internal/staking/community"
	"moonfund/internal/store"
)

// CommunityView is a community of the ledger or of the manifests.
type CommunityView struct {
	Prefix  string    `json:"prefix"`
	State   string    `json:"state"` // one of the constants below
	Retired time.Time `json:"retired_at,omitzero"`
	Account int64     `json:"account"`
	Rune    string    `json:"rune_id"`
	Genesis time.Time `json:"genesis"`
	Units   int64     `json:"units"` // stakes and rewards that are not withdrawn
	Orders  int64     `json:"open_orders"`
	Payouts int64     `json:"unfinished_payouts"`
}

// States of a community.
const (
	CommunityOpen       = "open"
	CommunityClosed     = "closed"      // retired: nothing more can be staked
	CommunityNew        = "new"         // it is not in the ledger before the server's next start
	CommunityNoManifest = "no manifest" // it is not served
)

// CommunityViews returns the communities of a ledger, and then the new ones of the manifests.
func CommunityViews(ctx context.Context, tx *store.Tx, manifests []community.Manifest) ([]CommunityView, error) {
	bound, err := tx.Bindings(ctx)
	if err != nil {
		return nil, err
	}
	fresh := map[string]bool{}
	for _, m := range manifests {
		fresh[m.Prefix] = true
	}
	views := make([]CommunityView, 0, len(bound))
	for _, b := range bound {
		view, err := viewCommunity(ctx, tx, b)
		if err != nil {
			return nil, err
		}
		if !fresh[b.Prefix] {
			view.State = CommunityNoManifest
		}
		delete(fresh, b.Prefix)
		views = append(views, view)
	}
	for _, m := range manifests {
		if fresh[m.Prefix] {
			views = append(views, CommunityView{Prefix: m.Prefix, State: CommunityNew, Account: int64(m.Account),
				Rune: m.Rune.ID, Genesis: m.Genesis.UTC()})
		}
	}
	return views, nil
}

func viewCommunity(ctx context.Context, tx *store.Tx, b store.Binding) (v CommunityView, err error) {
	v = CommunityView{Prefix: b.Prefix, State: CommunityOpen, Account: b.Account, Rune: b.RuneID}
	owed, err := tx.OwedBy(ctx, b.Prefix)
	if err != nil {
		return v, err
	}
	v.Units, v.Orders, v.Payouts = owed.Units, owed.Orders, owed.Payouts
	if v.Retired, err = tx.Retired(ctx, b.Prefix); err != nil {
		return v, err
	}
	if !v.Retired.IsZero() {
		v.State = CommunityClosed
	}
	calendar, err := tx.Calendar(ctx, b.Prefix)
	if err == nil {
		v.Genesis = calendar.Anchors[0].Start
	}
	return v, err
}

// NextAccount returns the lowest account above every account of the ledger and of the manifests, or the account that
// the ledger has for prefix.
func NextAccount(ctx context.Context, tx *store.Tx, prefix string, manifests []community.Manifest) (uint32, error) {
	bound, err := tx.Bindings(ctx)
	next := int64(0)
	for _, b := range bound {
		if b.Prefix == prefix {
			return uint32(b.Account), nil
		}
		next = max(next, b.Account+1)
	}
	for _, m := range manifests {
		next = max(next, int64(m.Account)+1)
	}
	return uint32(next), err
}

// AddCommunity returns the change that records a community. From then on the running server records the beginnings of
// its epochs, whenever it is restarted with the manifest. manifests are the present ones.
func AddCommunity(a Author, m community.Manifest, manifests []community.Manifest) Change[CommunityView] {
	all := append(manifests[:len(manifests):len(manifests)], m)
	return Change[CommunityView]{
		Preview: func(ctx context.Context, tx *store.Tx) (string, error) {
			preview := fmt.Sprintf("The community %s (%s) is added with account %d and rune %s.\n"+
				"Epoch 0 begins on %s. The account, the rune, the genesis, the length of epochs, the name and the minimum "+
				"stake can't be changed later.",
				m.Prefix, m.Name, m.Account, m.Rune.ID, terminal.Time(m.Genesis))
			return preview, wiring.Check(ctx, tx, all)
		},
		Apply: func(ctx context.Context, tx *store.Tx, at time.Time, _ string) (v CommunityView, err error) {
			binding := wiring.BindingOf(m)
			if err := tx.Bind(ctx, binding); err != nil {
				return v, err
			}
			if _, err := tx.Log(ctx, a.Line(at, "community add", m.Prefix, "")); err != nil {
				return v, err
			}
			return viewCommunity(ctx, tx, binding)
		},
	}
}

// RetireCommunity returns the change that closes a community for new stakes.
func RetireCommunity(a Author, prefix string) Change[CommunityView] {
	find := func(ctx context.Context, tx *store.Tx) (v CommunityView, err error) {
		if err := CheckCommunity(ctx, tx, prefix); err != nil {
			return v, err
		}
		bound, err := tx.Bindings(ctx)
		for _, b := range bound {
			if b.Prefix == prefix {
				v, err = viewCommunity(ctx, tx, b)
			}
		}
		return v, err
	}
	return Change[CommunityView]{
		Preview: func(ctx context.Context, tx *store.Tx) (string, error) {
			v, err := find(ctx, tx)
			if err == nil && !v.Retired.IsZero() {
				err = errors.New(prefix + " is closed already, since " + terminal.Time(v.Retired))
			}
			return fmt.Sprintf("The community %s is closed for good: nothing more can be staked, restaked or compounded by "+
				"hand.\nUnstaking, claims and withdrawals go on, and its epochs follow the manifest's budgets. It still has "+
				"%d stakes and rewards, %d open orders, %d unfinished payouts.", prefix, v.Units, v.Orders, v.Payouts), err
		},
		Apply: func(ctx context.Context, tx *store.Tx, at time.Time, _ string) (v CommunityView, err error) {
			if err := tx.Retire(ctx, prefix, at); err != nil {
				return v, err
			}
			if _, err := tx.Log(ctx, a.Line(at, "community retire", prefix, "")); err != nil {
				return v, err
			}
			return find(ctx, tx)
		},
	}
}
