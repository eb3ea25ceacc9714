//go:build !race

package sim

const racing = false
