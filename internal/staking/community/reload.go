package community

import (
	"maps"
	"reflect"
	"slices"
)

// key is a key of a manifest, with its value.
type key struct {
	name  string
	value func(*Manifest) any // a pointer to the field
}

// shownKeys may change while a server runs: they are only displayed, and no computation depends on them.
var shownKeys = []key{
	{"explorer_tx", func(m *Manifest) any { return &m.ExplorerTx }},
	{"collection", func(m *Manifest) any { return &m.Collection }},
	{"image", func(m *Manifest) any { return &m.Image }},
	{"hero", func(m *Manifest) any { return &m.Hero }},
	{"palette", func(m *Manifest) any { return &m.Palette }},
	{"terms", func(m *Manifest) any { return &m.Terms }},
	{"contact", func(m *Manifest) any { return &m.Contact }},
	{"texts", func(m *Manifest) any { return &m.Texts }},
	{"translated", func(m *Manifest) any { return &m.Translated }},
}

// fixedKeys take effect when a server starts, because several services use their values and the signer has a copy. Some
// of them can't change after the first start.
var fixedKeys = []key{
	{"network", func(m *Manifest) any { return &m.Network }},
	{"host", func(m *Manifest) any { return &m.Host }},
	{"name", func(m *Manifest) any { return &m.Name }},
	{"token", func(m *Manifest) any { return &m.Token }},
	{"test_mode", func(m *Manifest) any { return &m.Test }},
	{"statement_key", func(m *Manifest) any { return &m.StatementKey }},
	{"account", func(m *Manifest) any { return &m.Account }},
	{"rune", func(m *Manifest) any { return &m.Rune }},
	{"genesis", func(m *Manifest) any { return &m.Genesis }},
	{"epoch_length", func(m *Manifest) any { return &m.EpochLength }},
	{"reward_budget", func(m *Manifest) any { return &m.Budgets }},
	{"minimum_stake", func(m *Manifest) any { return &m.MinimumStake }},
	{"service_fee", func(m *Manifest) any { return &m.ServiceFee }},
	{"recovery_delay", func(m *Manifest) any { return &m.RecoveryDelay }},
	{"operator_custody", func(m *Manifest) any { return &m.OperatorCustody }},
	{"limits", func(m *Manifest) any { return &m.Limits }},
	{"refunds", func(m *Manifest) any { return &m.Refunds }},
	{"features", func(m *Manifest) any { return &m.Features }},
}

// Reloaded is the result of a reload of the manifests. Its maps are by prefix and list keys as in a manifest.
type Reloaded struct {
	Manifests []Manifest
	Changed   map[string][]string // keys with new values
	Ignored   map[string][]string // keys that keep their values until the server starts again
	Added     []string            // prefixes of communities that are served from the next start on
	Removed   []string            // prefixes that are served until the next start
}

// Reload returns the manifests of a running server with new values from fresh for the keys that may change.
func Reload(running, fresh []Manifest) Reloaded {
	result := Reloaded{Changed: map[string][]string{}, Ignored: map[string][]string{}}
	by := map[string]Manifest{}
	for _, m := range fresh {
		by[m.Prefix] = m
	}
	for _, m := range running {
		next, found := by[m.Prefix]
		delete(by, m.Prefix)
		if !found {
			result.Removed = append(result.Removed, m.Prefix)
			result.Manifests = append(result.Manifests, m)
			continue
		}
		if next.Rune.Name == "" && next.Rune.ID == m.Rune.ID {
			next.Rune.Name = m.Rune.Name // the running server has read it from the chain
		}
		for _, k := range shownKeys {
			old, value := reflect.ValueOf(k.value(&m)).Elem(), reflect.ValueOf(k.value(&next)).Elem()
			if !reflect.DeepEqual(old.Interface(), value.Interface()) {
				old.Set(value)
				result.Changed[m.Prefix] = append(result.Changed[m.Prefix], k.name)
			}
		}
		for _, k := range fixedKeys {
			if !reflect.DeepEqual(k.value(&m), k.value(&next)) {
				result.Ignored[m.Prefix] = append(result.Ignored[m.Prefix], k.name)
			}
		}
		result.Manifests = append(result.Manifests, m)
	}
	result.Added = slices.Sorted(maps.Keys(by))
	return result
}
