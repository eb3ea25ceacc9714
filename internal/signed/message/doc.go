// Package message verifies signed messages (BIP-322, and the compact signatures of Bitcoin Core and BIP-137) and
// formats and parses the text that a wallet signs for an action. No other package does either. The layouts of this text
// are in intent_text.go, and docs/messages.md specifies them.
//
// The package has no state: it uses no clock, no network and no private keys.
package message
