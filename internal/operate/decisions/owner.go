package decisions

import (
	"context"
	"fmt"
	"strings"

	"moonfund/internal/store"
)

// Owner is an owner of stake in one community.
type Owner struct{ Community, Address string } // the ordinals address

// Owners returns the owners with an ordinals or payment address, of one community or, for "", of all. It returns an
// error if there are none.
func Owners(ctx context.Context, tx *store.Tx, community, address string) (owners []Owner, err error) {
	communities, err := Communities(ctx, tx, community)
	if err != nil {
		return nil, err
	}
	address = strings.TrimSpace(address)
	paying, err := tx.OwnersOfPayment(ctx, address)
	if err != nil {
		return nil, err
	}
	for _, prefix := range communities {
		known, err := tx.WalletKnown(ctx, prefix, address)
		if err != nil {
			return nil, err
		}
		if known {
			owners = append(owners, Owner{prefix, address})
		}
		for _, o := range paying {
			if o.Community == prefix && (o.Owner != address || !known) {
				owners = append(owners, Owner{prefix, o.Owner})
			}
		}
	}
	if len(owners) == 0 {
		return nil, fmt.Errorf("no owner has the ordinals or payment address %q in %s",
			address, strings.Join(communities, ", "))
	}
	return owners, nil
}
