package community

import (
	"reflect"
	"slices"
	"strings"
	"testing"
)

// TestEveryFieldIsShownOrFixed checks that every field of a manifest is in one list of keys.
func TestEveryFieldIsShownOrFixed(t *testing.T) {
	var m Manifest
	listed := map[uintptr]string{}
	for _, k := range append(slices.Clone(shownKeys), fixedKeys...) {
		at := reflect.ValueOf(k.value(&m)).Pointer()
		if listed[at] != "" {
			t.Errorf("%s and %s are the same field", k.name, listed[at])
		}
		listed[at] = k.name
	}
	fields := reflect.ValueOf(&m).Elem()
	for i := range fields.NumField() {
		name := fields.Type().Field(i).Name
		if listed[fields.Field(i).Addr().Pointer()] == "" && name != "Prefix" {
			t.Errorf("%s is in neither list", name)
		}
	}
}

func TestReload(t *testing.T) {
	running, err := Dev()
	if err != nil {
		t.Fatal(err)
	}
	text, err := Examples.ReadFile("manifests/dev/lobo.toml")
	if err != nil {
		t.Fatal(err)
	}
	edited := strings.NewReplacer("service_fee = ", "service_fee = 1", `token = "LOBO"`, `token = "WOLF"`).
		Replace(string(text))
	edited = strings.Replace(edited, "[texts]", "[texts]\nfront_notice = \"Closed on Sunday\"", 1)
	fresh, err := Read("lobo.toml", []byte(strings.Replace(edited, `front_notice = ""`, "", 1)), "regtest")
	if err != nil {
		t.Fatal(err)
	}
	fresh.Rune = running[0].Rune
	fresh.Rune.Name = ""
	other := fresh
	other.Prefix = "other"
	got := Reload(running, []Manifest{fresh, other})
	m := got.Manifests[0]
	if m.Texts.FrontNotice != "Closed on Sunday" || m.ServiceFee != running[0].ServiceFee || m.Token != "LOBO" ||
		m.Rune != running[0].Rune || len(got.Manifests) != 2 {
		t.Errorf("reloaded: %+v", m)
	}
	want := Reloaded{
		Manifests: got.Manifests, Changed: map[string][]string{m.Prefix: {"texts"}},
		Ignored: map[string][]string{m.Prefix: {"token", "service_fee"}}, Added: []string{"other"},
		Removed: []string{running[1].Prefix},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("reloaded: %+v", got)
	}
	if same := Reload(running, running); len(same.Changed)+len(same.Ignored)+len(same.Added)+len(same.Removed) != 0 {
		t.Errorf("nothing changed: %+v", same)
	}
}
