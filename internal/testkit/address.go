package testkit

// URL returns the URL of the world's database in the format of the --database flag.
func (w *World) URL() string { return w.url }
