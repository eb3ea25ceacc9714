package server

import (
	"log/slog"

	"moonfund/internal/staking/community"
	"moonfund/web"
)

// ReadPictures reads the picture files in the manifests' folder. The result is by prefix and file name. A missing or
// invalid picture is omitted with a warning, because a page without it is still useful to stakers.
func ReadPictures(
	dir string, manifests []community.Manifest, log *slog.Logger,
) map[string]map[string]community.Picture {
	pictures := map[string]map[string]community.Picture{}
	for _, m := range manifests {
		found, err := community.ReadPictures(dir, m)
		if err != nil {
			log.Warn("a picture of a manifest is omitted", "error", err)
		}
		pictures[m.Prefix] = found
	}
	return pictures
}

// picturesOf returns the picture files that a community's manifest names.
func (s *Server) picturesOf(prefix string) (all []web.Picture) {
	for _, picture := range s.presented().pictures[prefix] {
		all = append(all, web.Picture(picture))
	}
	return all
}

// picturePath returns the address of a manifest's picture: the path of the file beside the manifest, or the value in
// the manifest. It returns "" for a file that could not be read.
func (s *Server) picturePath(prefix, name string) string {
	if picture, read := s.presented().pictures[prefix][name]; read {
		return web.Picture(picture).Path()
	}
	if community.IsPictureFile(name) {
		return ""
	}
	return name
}
