// Command pack makes the packages of a release from static binaries: .deb files, an OCI image from an empty base,
// compose.yaml with the version filled in, and the checksums of all. The same input gives the same bytes.
//
//	pack -version 1.2.3 -commit HASH -epoch SECONDS -from bin/package -to bin/packages
//
// It runs at the root of the repository. -from contains linux-ARCH/moonfund for each architecture,
// moonfund.service and moonfund.cdx.json.
package main

import (
	"context"
	"crypto/sha256"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/compose-spec/compose-go/v2/loader"
	"github.com/compose-spec/compose-go/v2/types"
)

// release is the data that all packages share.
type release struct {
	version string
	commit  string
	date    time.Time
	from    string // folder of the input
	to      string // folder of the packages
}

// architectures are Go's names of the architectures, which Debian and OCI also use.
var architectures = []string{"amd64", "arm64"}

func main() {
	var r release
	var epoch int64
	flag.StringVar(&r.version, "version", "", "version of the release")
	flag.StringVar(&r.commit, "commit", "", "commit of the source")
	flag.Int64Var(&epoch, "epoch", 0, "time of the commit, in seconds: the time of every packaged file")
	flag.StringVar(&r.from, "from", "", "folder of the input")
	flag.StringVar(&r.to, "to", "", "folder of the packages; its content is replaced")
	flag.Parse()
	r.date = time.Unix(epoch, 0).UTC()
	if err := r.pack(); err != nil {
		fmt.Fprintln(os.Stderr, "pack:", err)
		os.Exit(1)
	}
}

func (r release) pack() error {
	if r.version == "" || r.from == "" || r.to == "" || r.date.Unix() == 0 {
		return errors.New("-version, -epoch, -from and -to are needed")
	}
	if err := errors.Join(os.RemoveAll(r.to), os.MkdirAll(r.to, 0o755)); err != nil {
		return err
	}
	for _, architecture := range architectures {
		name := fmt.Sprintf("moonfund_%s_linux_%s", r.version, architecture)
		if err := copyFile(r.binary(architecture), filepath.Join(r.to, name), 0o755); err != nil {
			return err
		}
		if err := r.writeDeb(architecture); err != nil {
			return fmt.Errorf(".deb for %s: %w", architecture, err)
		}
	}
	if err := r.writeImage(); err != nil {
		return fmt.Errorf("OCI image: %w", err)
	}
	if err := r.writeCompose(); err != nil {
		return fmt.Errorf("compose.yaml: %w", err)
	}
	const dependencies = "moonfund.cdx.json"
	if err := copyFile(filepath.Join(r.from, dependencies), filepath.Join(r.to, dependencies), 0o644); err != nil {
		return err
	}
	return r.writeChecksums()
}

func (r release) binary(architecture string) string {
	return filepath.Join(r.from, "linux-"+architecture, "moonfund")
}

func copyFile(from, to string, mode os.FileMode) error {
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return os.WriteFile(to, data, mode)
}

// writeCompose checks compose.yaml with the parser of docker compose, and writes it with the version.
func (r release) writeCompose() error {
	text, err := os.ReadFile("packaging/compose.yaml")
	if err != nil {
		return err
	}
	if err := checkCompose(text); err != nil {
		return err
	}
	const variable = "${MOONFUND_VERSION:?the version of the image that was loaded}"
	released := strings.Replace(string(text), variable, r.version, 1)
	return os.WriteFile(filepath.Join(r.to, "compose.yaml"), []byte(released), 0o644)
}

// checkCompose loads a compose file as docker compose does, with the schema and the rules of the specification.
func checkCompose(text []byte) error {
	project, err := loader.LoadWithContext(context.Background(), types.ConfigDetails{
		WorkingDir:  ".",
		ConfigFiles: []types.ConfigFile{{Filename: "compose.yaml", Content: text}},
		Environment: types.Mapping{"MOONFUND_VERSION": "1.2.3"},
	}, loader.WithDiscardEnvFiles, func(o *loader.Options) { o.SkipResolveEnvironment = true })
	if err != nil {
		return err
	}
	service, err := project.GetService("moonfund")
	if err == nil && service.Image != "moonfund:1.2.3" {
		err = fmt.Errorf("the image is %s", service.Image)
	}
	return err
}

// writeChecksums writes SHA256SUMS of every file, sorted by name.
func (r release) writeChecksums() error {
	entries, err := os.ReadDir(r.to)
	if err != nil {
		return err
	}
	var lines []string
	for _, entry := range entries {
		data, err := os.ReadFile(filepath.Join(r.to, entry.Name()))
		if err != nil {
			return err
		}
		lines = append(lines, fmt.Sprintf("%x  %s\n", sha256.Sum256(data), entry.Name()))
	}
	slices.SortFunc(lines, func(a, b string) int { return strings.Compare(a[64:], b[64:]) })
	return os.WriteFile(filepath.Join(r.to, "SHA256SUMS"), []byte(strings.Join(lines, "")), 0o644)
}
