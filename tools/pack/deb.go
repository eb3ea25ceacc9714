package main

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"os"
	"path/filepath"

	"github.com/goreleaser/nfpm/v2"
	_ "github.com/goreleaser/nfpm/v2/deb" // registers the packager
	"github.com/goreleaser/nfpm/v2/files"
)

const maintainer = "Moon Fund contributors <moonfund@localhost>"

// writeDeb writes the Debian package of an architecture.
func (r release) writeDeb(architecture string) error {
	work, err := os.MkdirTemp("", "pack-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	contents, err := r.contents(architecture, work)
	if err != nil {
		return err
	}
	info := nfpm.WithDefaults(&nfpm.Info{
		Name: "moonfund", Arch: architecture, Platform: "linux", Version: debVersion(r.version), Release: "1", Section: "net",
		Priority: "optional", Maintainer: maintainer, License: "MIT", MTime: r.date,
		Description: "staking for Bitcoin runes\n" +
			"Moon Fund lets the holders of a Bitcoin rune stake it and earn rewards\n" +
			"every epoch. Stakers keep a key of their own to their stakes.",
		Overridables: nfpm.Overridables{
			Contents: contents, Umask: 0o022,
			Depends: []string{"systemd"}, Recommends: []string{"ca-certificates"}, Suggests: []string{"nginx | caddy"},
			Scripts: nfpm.Scripts{
				PostInstall: "packaging/postinst", PreRemove: "packaging/prerm", PostRemove: "packaging/postrm",
			},
			Deb: nfpm.Deb{Compression: "gzip"},
		},
	})
	packager, err := nfpm.Get("deb")
	if err != nil {
		return err
	}
	if err := nfpm.PrepareForPackager(info, "deb"); err != nil {
		return err
	}
	var data bytes.Buffer
	if err := packager.Package(info, &data); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(r.to, packager.ConventionalFileName(info)), data.Bytes(), 0o644)
}

// debVersion returns the version as Debian wants it: it begins with a digit. A build without a version, dev, sorts
// before every release.
func debVersion(version string) string {
	if version[0] < '0' || version[0] > '9' {
		return "0~" + version
	}
	return version
}

// contents lists the files of the package. The changelog is compressed into the folder work.
func (r release) contents(architecture, work string) (files.Contents, error) {
	const doc = "/usr/share/doc/moonfund/"
	placed := map[string]string{
		"/usr/bin/moonfund":                        r.binary(architecture),
		"/usr/lib/systemd/system/moonfund.service": filepath.Join(r.from, "moonfund.service"),
		"/usr/lib/sysusers.d/moonfund.conf":        "packaging/sysusers.conf",
		"/usr/lib/tmpfiles.d/moonfund.conf":        "packaging/tmpfiles.conf",
		doc + "copyright":                          filepath.Join(work, "copyright"),
		doc + "licences.md":                        "docs/licences.md",
		doc + "examples/nginx.conf":                "packaging/nginx.conf",
		doc + "examples/Caddyfile":                 "packaging/Caddyfile",
		doc + "examples/alerts.yaml":               "docs/operations/alerts.yaml",
		"/usr/share/lintian/overrides/moonfund":    "packaging/lintian-overrides",
	}
	if err := r.writeCopyright(placed[doc+"copyright"]); err != nil {
		return nil, err
	}
	compressed := map[string]string{doc + "changelog.Debian.gz": filepath.Join(work, "changelog")}
	changelog := fmt.Sprintf("moonfund (%s-1) unstable; urgency=medium\n\n"+
		"  * Release %s; see the changelog of the project.\n\n -- %s  %s\n", debVersion(r.version),
		r.version, maintainer, r.date.Format("Mon, 02 Jan 2006 15:04:05 -0700"))
	if err := os.WriteFile(filepath.Join(work, "changelog"), []byte(changelog), 0o644); err != nil {
		return nil, err
	}
	for to, from := range compressed {
		placed[to] = filepath.Join(work, filepath.Base(to))
		if err := compress(from, placed[to]); err != nil {
			return nil, err
		}
	}
	var all files.Contents
	for to, from := range placed {
		mode := os.FileMode(0o644)
		if to == "/usr/bin/moonfund" {
			mode = 0o755
		}
		all = append(all, &files.Content{
			Source: from, Destination: to,
			FileInfo: &files.ContentFileInfo{Owner: "root", Group: "root", Mode: mode, MTime: r.date},
		})
	}
	return all, nil
}

// writeCopyright writes the licence in Debian's machine-readable copyright format.
func (r release) writeCopyright(path string) error {
	licence, err := os.ReadFile("LICENSE")
	if err != nil {
		return err
	}
	text := "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\nUpstream-Name: moonfund\n\n" +
		"Files: *\nCopyright: 2026 Moon Fund contributors\nLicense: Expat\n"
	for _, line := range bytes.Split(bytes.TrimSpace(licence), []byte("\n")) {
		if len(line) == 0 {
			line = []byte(".")
		}
		text += " " + string(line) + "\n"
	}
	return os.WriteFile(path, []byte(text), 0o644)
}

// compress writes a gzip file without name and time, so that the output is reproducible.
func compress(from, to string) error {
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	var out bytes.Buffer
	writer, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		return err
	}
	if _, err := writer.Write(data); err != nil {
		return err
	}
	if err := writer.Close(); err != nil {
		return err
	}
	return os.WriteFile(to, out.Bytes(), 0o644)
}
