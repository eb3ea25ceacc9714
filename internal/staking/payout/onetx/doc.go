// Package onetx issues and accepts withdrawals that their owners sign, and the signer after them. They are of two
// kinds.
//
// A withdrawal in one transaction (ADR 67): outputs of the staker's payment address, here called coins, pay the network
// fee in the transaction that delivers the runes, in place of a payment. The order is PENDING, or CONFIRMED with
// payments that do not pay its price, at normal speed, and all of its units have custody outputs. The payment address
// differs from the ordinals address and is P2WPKH, P2TR or P2SH-P2WPKH. Package coins finds the coins.
//
// The delivery of a PAID order with units in self-custody (ADR 68): the payments of the order pay, and the owner signs
// for these units. It waits for the owner, until the order's deadline, and then for the node's mempool to accept its
// fee.
//
// Units in operator custody are at most the community's cold_above.
//
// # The transaction
//
// Version 2, lock time 0, sequence 0xfffffffd. The inputs are the units in the order of the message, then the order's
// payments, then the coins, the largest first. Output 0 has the runes, 546 sats and the sats of the units, at the
// ordinals address. Output 1 is the runestone, with one edict to output 0 and a pointer to it, so that all runes on the
// inputs go to the staker. Then come the service fee of a paid order and the change at the payment address, each if it
// is worth 546 sats. The fee is the normal rate × vbytes, where an ECDSA signature counts 72 bytes and a Schnorr
// signature 65, the most that an allowed signature can have. Of a paid order it is at most what was paid for it.
//
// # The session
//
// A session is the issued transaction until the signer signed it. Each order has one, and an owner at most one that is
// signed and spends coins in a community. The call that issues it proves no ownership, so it returns the stored
// transaction again while its rate is near the present one, and changes no signed session. A PSBT is accepted if its
// unsigned transaction is the stored one and each coin and each unit in self-custody has a valid signature with
// SIGHASH_ALL or, for taproot, SIGHASH_DEFAULT. The server builds the witnesses itself. The session ends with the
// order's rate, by payments of the price, by a cancel, or if a coin is found spent, or the fee is below the minimum of
// the node's mempool, right before the signer signs. While the node or the index does not answer, it waits. The session
// of a paid order ends if the payments of the order change. The reason is kept until the owner signs again, because
// anyone can have the next session issued.
//
// # After the signature
//
// The order is SENT. A transaction that is stuck is signed again: a further version of the same payout, with the coins
// of earlier versions that can still pay. If the normal rate is too low to replace it, the fee is the least that
// BIP-125 allows. The units are inputs of every version, so consensus allows one of them. If every version has lost a
// coin by 6 confirmations, the order is CANCELED and its units are UNLOCKED; until then the newest version that can
// still confirm is sent. Payments of the order are refunded in full.
package onetx
