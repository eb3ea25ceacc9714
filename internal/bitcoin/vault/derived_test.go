package vault

import (
	"bytes"
	"fmt"
	"sync"
	"testing"
)

// TestKeysAreDerivedOnce counts allocations to check that an address is derived once: a derivation makes about eighty,
// a repeated call only formats the path and copies the script.
func TestKeysAreDerivedOnce(t *testing.T) {
	c := newCustody(t)
	coin := Coin{Kind: Payment, OrderID: "order-a", Path: c.PaymentPath("order-a")}
	address, _, err := c.PaymentAddress("order-a")
	must(t, err)
	coin.Output.PkScript = bytes.Clone(address.Script)
	if n := testing.AllocsPerRun(10, func() {
		_, err := c.CheckCoin(coin)
		must(t, err)
	}); n > 20 {
		t.Errorf("%.0f allocations to check a payment of a known order, want at most 20", n)
	}
	address.Script[0] = 0 // a caller's change must not reach the next caller
	again, _, err := c.PaymentAddress("order-a")
	must(t, err)
	if !bytes.Equal(again.Script, coin.Output.PkScript) {
		t.Errorf("script = %x, want %x", again.Script, coin.Output.PkScript)
	}
}

func TestDerivedKeysAreBounded(t *testing.T) {
	c := newCustody(t)
	other, err := NewAccount(c.key.String(), c.network)
	must(t, err)
	for i := range maxDerived {
		c.derived.keys[fmt.Sprint(i)] = derivedKey{}
	}
	var callers sync.WaitGroup
	for i := range uint32(8) {
		callers.Go(func() {
			for index := range i + 1 {
				key, err := c.InternalKey(KeyPath{BranchStake, index})
				want, _ := other.InternalKey(KeyPath{BranchStake, index})
				if err != nil || !key.IsEqual(want) {
					t.Errorf("key 0/%d = %v, %v; want %v", index, key, err, want)
				}
			}
		})
	}
	callers.Wait()
	if n := len(c.derived.keys); n > maxDerived {
		t.Errorf("%d key paths are cached, want at most %d", n, maxDerived)
	}
}
