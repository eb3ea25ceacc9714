package testkit

// URL returns the URL of the world's database, as commands take it.
func (w *World) URL() string { return w.url }
