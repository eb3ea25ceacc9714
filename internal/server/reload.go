package server

import (
	"context"
	"errors"
	"os"

	"moonfund/internal/staking/community"
)

// presentation is the part of the manifests that the pages show. A reload replaces it as a whole.
type presentation struct {
	manifests []community.Manifest
	pictures  map[string]map[string]community.Picture // by prefix and file name
}

// presented returns the presentation that the pages show now: the result of the last reload, or the configuration.
func (s *Server) presented() *presentation {
	if shown := s.shown.Load(); shown != nil {
		return shown
	}
	return &presentation{s.Communities, s.Pictures}
}

// ReloadOn reloads the manifests of a folder at each signal, until ctx is done.
func (s *Server) ReloadOn(ctx context.Context, signals <-chan os.Signal, dir string) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-signals:
			if err := s.Reload(dir); err != nil {
				s.Log.Error("the manifests are not reloaded, and nothing changed", "error", err)
			}
		}
	}
}

// Reload applies the values of a folder's manifests that may change while the server runs. It logs the keys whose
// values can't change, which are not applied. If it returns an error, nothing has changed.
func (s *Server) Reload(dir string) error {
	fresh, err := community.LoadDir(dir, s.Network.Name)
	if err != nil {
		return err
	}
	reloaded := community.Reload(s.presented().manifests, fresh)
	pictures := map[string]map[string]community.Picture{}
	var errs []error
	for _, m := range reloaded.Manifests {
		found, err := community.ReadPictures(dir, m)
		pictures[m.Prefix], errs = found, append(errs, err)
	}
	if err := errors.Join(errs...); err != nil {
		return err
	}
	s.shown.Store(&presentation{reloaded.Manifests, pictures})
	for _, m := range reloaded.Manifests {
		if keys := reloaded.Ignored[m.Prefix]; len(keys) > 0 {
			s.Log.Warn("these keys of a manifest change only when the server is restarted", "community", m.Prefix,
				"keys", keys)
		}
		s.hub.Global(m.Prefix)
	}
	if len(reloaded.Added)+len(reloaded.Removed) > 0 {
		s.Log.Warn("communities are added and removed when the server is restarted", "added", reloaded.Added, "removed",
			reloaded.Removed)
	}
	if missing := community.MissingTerms(reloaded.Manifests); len(missing) > 0 {
		s.Log.Warn("no terms are published: add [terms] to the manifest", "communities", missing)
	}
	s.Log.Info("the manifests are reloaded", "changed", reloaded.Changed)
	return nil
}
