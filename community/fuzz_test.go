package community

import (
	"errors"
	"testing"
)

// FuzzRead looks for a panic, for an error that names no key, and for a manifest
// that is taken although one of its limits is none.
func FuzzRead(f *testing.F) {
	f.Add([]byte(whole))
	for _, name := range []string{"manifests/dev/lobo.toml", "manifests/dev/dummy.toml"} {
		text, err := Examples.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		for _, network := range []string{"mainnet", "regtest"} {
			m, err := Read("fuzz.toml", text, network)
			var problems Problems
			if err != nil && (!errors.As(err, &problems) || len(problems) == 0 || problems[0].Key == "") {
				t.Fatalf("an error that names no key: %v", err)
			}
			if err == nil && (m.Prefix == "" || m.RecoveryDelay == 0 || m.MinimumStake <= 0 || m.Limits.DailyOutflow <= 0 || m.Limits.MaxUnitsPerOrder <= 0) {
				t.Fatalf("taken: %+v", m)
			}
		}
	})
}
