package main

import (
	"archive/tar"
	"bytes"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
	"github.com/google/go-containerregistry/pkg/v1/types"
)

// account is the user and group id of the server in a container.
const account = 10001

// writeImage writes an OCI layout with an image for each architecture, as one tar file.
func (r release) writeImage() error {
	folder, err := os.MkdirTemp("", "pack-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	index := mutate.IndexMediaType(empty.Index, types.OCIImageIndex)
	for _, architecture := range architectures {
		image, err := r.image(architecture)
		if err != nil {
			return err
		}
		index = mutate.AppendManifests(index, mutate.IndexAddendum{Add: image, Descriptor: v1.Descriptor{
			Platform:    &v1.Platform{OS: "linux", Architecture: architecture},
			Annotations: map[string]string{"org.opencontainers.image.ref.name": r.version},
		}})
	}
	path, err := layout.Write(folder, empty.Index)
	if err != nil {
		return err
	}
	// The reference is the version alone: the name of the image is chosen where the image is loaded.
	reference := map[string]string{"org.opencontainers.image.ref.name": r.version}
	if err := path.AppendIndex(index, layout.WithAnnotations(reference)); err != nil {
		return err
	}
	return archive(folder, filepath.Join(r.to, "moonfund_"+r.version+"_oci.tar"), r.date)
}

// image returns the image of an architecture: the program, its user, and the folders that it writes into.
func (r release) image(architecture string) (v1.Image, error) {
	program, err := os.ReadFile(r.binary(architecture))
	if err != nil {
		return nil, err
	}
	var data bytes.Buffer
	writer := tar.NewWriter(&data)
	for _, f := range []struct {
		name  string
		mode  int64
		owner int
		text  string
	}{
		{"etc/", 0o755, 0, ""}, {"etc/group", 0o644, 0, "root:x:0:\nmoonfund:x:10001:\n"},
		{"etc/moonfund/", 0o755, 0, ""},
		{"etc/passwd", 0o644, 0, "root:x:0:0::/:/\nmoonfund:x:10001:10001::/var/lib/moonfund:/\n"},
		{"tmp/", 0o1777, 0, ""}, {"usr/", 0o755, 0, ""}, {"usr/bin/", 0o755, 0, ""},
		{"usr/bin/moonfund", 0o755, 0, string(program)}, {"var/", 0o755, 0, ""}, {"var/backups/", 0o755, 0, ""},
		{"var/backups/moonfund/", 0o750, account, ""}, {"var/lib/", 0o755, 0, ""},
		{"var/lib/moonfund/", 0o750, account, ""},
	} {
		header := &tar.Header{
			Name: f.name, Mode: f.mode, Uid: f.owner, Gid: f.owner, Size: int64(len(f.text)), ModTime: r.date,
			Typeflag: tar.TypeReg, Format: tar.FormatPAX,
		}
		if f.name[len(f.name)-1] == '/' {
			header.Typeflag = tar.TypeDir
		}
		if err := writer.WriteHeader(header); err != nil {
			return nil, err
		}
		if _, err := io.WriteString(writer, f.text); err != nil {
			return nil, err
		}
	}
	if err := writer.Close(); err != nil {
		return nil, err
	}
	layer, err := tarball.LayerFromOpener(func() (io.ReadCloser, error) {
		return io.NopCloser(bytes.NewReader(data.Bytes())), nil
	}, tarball.WithMediaType(types.OCILayer))
	if err != nil {
		return nil, err
	}
	image := mutate.ConfigMediaType(mutate.MediaType(empty.Image, types.OCIManifestSchema1), types.OCIConfigJSON)
	if image, err = mutate.AppendLayers(image, layer); err != nil {
		return nil, err
	}
	return mutate.ConfigFile(image, r.config(image, architecture))
}

func (r release) config(image v1.Image, architecture string) *v1.ConfigFile {
	config, err := image.ConfigFile()
	if err != nil {
		panic(err) // cannot fail for an image in memory
	}
	config = config.DeepCopy()
	config.OS, config.Architecture, config.Created = "linux", architecture, v1.Time{Time: r.date}
	for i := range config.History {
		config.History[i].Created = v1.Time{Time: r.date}
	}
	config.Config = v1.Config{
		User: "10001:10001", Entrypoint: []string{"/usr/bin/moonfund"}, Cmd: []string{"serve"},
		WorkingDir: "/var/lib/moonfund",
		Env: []string{
			"PATH=/usr/bin", "MOONFUND_DATA=/var/lib/moonfund", "MOONFUND_COMMUNITIES=/etc/moonfund/communities",
			"MOONFUND_LISTEN=0.0.0.0:8080",
		},
		ExposedPorts: map[string]struct{}{"8080/tcp": {}}, Volumes: map[string]struct{}{"/var/lib/moonfund": {}},
		StopSignal: "SIGTERM",
		Labels: map[string]string{
			"org.opencontainers.image.title": "Moon Fund", "org.opencontainers.image.version": r.version,
			"org.opencontainers.image.revision": r.commit, "org.opencontainers.image.licenses": "MIT",
			"org.opencontainers.image.created": r.date.Format(time.RFC3339),
		},
	}
	return config
}

// archive writes a folder as a tar file, sorted by name, with the same time and owner for all files.
func archive(folder, to string, date time.Time) error {
	var data bytes.Buffer
	writer := tar.NewWriter(&data)
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || path == folder {
			return err
		}
		name, err := filepath.Rel(folder, path)
		if err != nil {
			return err
		}
		if entry.IsDir() {
			return writer.WriteHeader(&tar.Header{
				Name: filepath.ToSlash(name) + "/", Typeflag: tar.TypeDir, Mode: 0o755, ModTime: date, Format: tar.FormatPAX,
			})
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if err := writer.WriteHeader(&tar.Header{
			Name: filepath.ToSlash(name), Typeflag: tar.TypeReg, Mode: 0o644, Size: int64(len(text)), ModTime: date,
			Format: tar.FormatPAX,
		}); err != nil {
			return err
		}
		_, err = writer.Write(text)
		return err
	})
	if err != nil {
		return err
	}
	if err := writer.Close(); err != nil {
		return err
	}
	return os.WriteFile(to, data.Bytes(), 0o644)
}
