// Package message is about what a wallet signs: it proves that a signed text
// came from the owner of an address (BIP-322, and the older compact signatures
// of Bitcoin Core and BIP-137), and it renders and reads the text of an
// intended action, so that nobody else in the product does either.
//
// The package is pure: no clock, no network, no keys.
package message
