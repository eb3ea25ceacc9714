package testkit

// URL is the address of the world's database, as the commands take it.
func (w *World) URL() string { return w.url }
