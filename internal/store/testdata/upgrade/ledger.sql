CREATE TABLE action (
    id TEXT NOT NULL PRIMARY KEY,
    community TEXT NOT NULL,
    type TEXT NOT NULL,
    payment TEXT NOT NULL,
    ordinals TEXT NOT NULL,
    unit_ids TEXT NOT NULL,    -- JSON array
    amount INTEGER NOT NULL,
    order_id TEXT NOT NULL,
    message TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    used_at INTEGER NOT NULL,   -- 0 until the proof was accepted
    signature TEXT NOT NULL,
    signer TEXT NOT NULL,
    txid TEXT NOT NULL
) STRICT;
CREATE TABLE block (
    height INTEGER NOT NULL PRIMARY KEY,
    hash TEXT NOT NULL UNIQUE,
    prev TEXT NOT NULL,
    time INTEGER NOT NULL
) STRICT;
CREATE TABLE boundary (
    community TEXT NOT NULL,
    epoch INTEGER NOT NULL,
    cut INTEGER NOT NULL,
    PRIMARY KEY (community, epoch)
) STRICT;
CREATE TABLE community (
    prefix TEXT NOT NULL PRIMARY KEY,
    rune_id TEXT NOT NULL,
    account INTEGER NOT NULL,
    network TEXT NOT NULL
) STRICT;
CREATE TABLE counter (
    name TEXT NOT NULL PRIMARY KEY,
    value INTEGER NOT NULL
) STRICT;
CREATE TABLE "custody" (
    txid TEXT NOT NULL,
    vout INTEGER NOT NULL,
    community TEXT NOT NULL,
    kind TEXT NOT NULL,
    ref TEXT NOT NULL,
    owner TEXT NOT NULL,
    script BLOB NOT NULL,
    value INTEGER NOT NULL,        -- sats
    runes INTEGER NOT NULL,        -- base units of the community's rune
    quarantine TEXT NOT NULL,     -- why the ledger can't credit it, '' when it can
    booked INTEGER NOT NULL,       -- 1: a treasury output that counts (booked by the operator, or our own change)
    coinbase INTEGER NOT NULL,
    seen_at INTEGER NOT NULL,
    height INTEGER NOT NULL,       -- -1 while unconfirmed
    vanished INTEGER NOT NULL,     -- 1: a conflicting transaction was seen
    spent_by TEXT NOT NULL,       -- txid, '' while unspent
    spent_ours INTEGER NOT NULL,   -- 1: by a payout of ours
    spent_height INTEGER NOT NULL, -- -1 while that spend is unconfirmed
    PRIMARY KEY (owner, community, txid, vout),
    UNIQUE (txid, vout)
) STRICT, WITHOUT ROWID;
CREATE TABLE epoch_account (
    community TEXT NOT NULL,
    epoch INTEGER NOT NULL,
    planned INTEGER NOT NULL,    -- the manifest's budget
    reserved INTEGER NOT NULL,   -- what the treasury could reserve of it
    settled INTEGER NOT NULL,    -- 1 once it is
    staked INTEGER NOT NULL,     -- the sum of what was eligible
    rewarded INTEGER NOT NULL,   -- the sum of its rewards: reserved, or 0 when nobody was staked
    cut INTEGER NOT NULL,        -- cut(end)
    cut_hash TEXT NOT NULL,
    settled_at INTEGER NOT NULL,
    PRIMARY KEY (community, epoch)
) STRICT;
CREATE TABLE epoch_anchor (
    community TEXT NOT NULL,
    epoch INTEGER NOT NULL,
    starts_at INTEGER NOT NULL,
    PRIMARY KEY (community, epoch)
) STRICT;
CREATE TABLE "epoch_input" (
    community TEXT NOT NULL,
    epoch INTEGER NOT NULL,
    unit_id TEXT NOT NULL,
    owner TEXT NOT NULL,
    amount INTEGER NOT NULL,
    PRIMARY KEY (community, epoch, unit_id)
) STRICT, WITHOUT ROWID;
CREATE TABLE "epoch_reward" (
    community TEXT NOT NULL,
    epoch INTEGER NOT NULL,
    owner TEXT NOT NULL,
    stake INTEGER NOT NULL,
    reward INTEGER NOT NULL,
    unit_id TEXT NOT NULL,
    PRIMARY KEY (community, epoch, owner)
) STRICT, WITHOUT ROWID;
CREATE TABLE goose_db_version (
		id INTEGER PRIMARY KEY AUTOINCREMENT,
		version_id INTEGER NOT NULL,
		is_applied INTEGER NOT NULL,
		tstamp TIMESTAMP DEFAULT (datetime('now'))
	);
CREATE TABLE journal (
    number INTEGER NOT NULL PRIMARY KEY,
    community TEXT NOT NULL,
    subject TEXT NOT NULL,
    owner TEXT NOT NULL,
    event TEXT NOT NULL,
    asset TEXT NOT NULL,
    amount INTEGER NOT NULL,
    from_account TEXT NOT NULL,
    to_account TEXT NOT NULL,
    cause_kind TEXT NOT NULL,
    cause_id TEXT NOT NULL,
    at INTEGER NOT NULL
) STRICT;
CREATE TABLE lease (
    name TEXT NOT NULL PRIMARY KEY,  -- 'leader'
    token INTEGER NOT NULL,           -- rises with every change of the leader, whose every transaction compares it
    beat INTEGER NOT NULL,            -- rises while the leader lives; -1 when it gave up
    holder TEXT NOT NULL,            -- random, of the leading process
    state TEXT NOT NULL              -- JSON: where the leader's follower stands
) STRICT;
CREATE TABLE operator_log (
    number INTEGER NOT NULL PRIMARY KEY,
    at INTEGER NOT NULL,
    by_whom TEXT NOT NULL,
    command TEXT NOT NULL,
    subject TEXT NOT NULL,     -- the order, the community, the pause
    why TEXT NOT NULL,
    detail TEXT NOT NULL       -- what the preview said
) STRICT;
CREATE TABLE operator_request (
    number INTEGER NOT NULL PRIMARY KEY,  -- of its line in operator_log
    kind TEXT NOT NULL,                  -- refund, resume
    order_id TEXT NOT NULL,
    status TEXT NOT NULL,                -- open, done, refused
    note TEXT NOT NULL,                  -- why it still waits, or was refused
    payout_id TEXT NOT NULL              -- the refund that carries it out
, tx TEXT NOT NULL DEFAULT '') STRICT;
CREATE TABLE outgo (
    txid TEXT NOT NULL,
    owner TEXT NOT NULL,       -- the address that it went to; '' for what went to no address
    community TEXT NOT NULL,
    amount INTEGER NOT NULL,    -- base units, beyond the stakes of that owner that it spends
    status TEXT NOT NULL,      -- open; unclear (open, and only an operator can say); found (the units, by their sum); told (by an operator)
    unit_ids TEXT NOT NULL,    -- JSON array: the rewards that it delivered
    PRIMARY KEY (txid, owner)
) STRICT;
CREATE TABLE payment (
    txid TEXT NOT NULL,
    vout INTEGER NOT NULL,
    number INTEGER NOT NULL,
    order_id TEXT NOT NULL,
    counted INTEGER NOT NULL,  -- 1: at or above the floor and without runes
    late INTEGER NOT NULL,     -- 1: arrived when the order no longer took payments
    PRIMARY KEY (txid, vout)
) STRICT;
CREATE TABLE payment_order (
    id TEXT NOT NULL PRIMARY KEY,
    number INTEGER NOT NULL,
    community TEXT NOT NULL,
    reason TEXT NOT NULL,
    owner TEXT NOT NULL,
    payment TEXT NOT NULL,
    action_id TEXT NOT NULL,
    unit_ids TEXT NOT NULL,     -- JSON array
    real_units INTEGER NOT NULL,
    amount INTEGER NOT NULL,
    fee_rate INTEGER NOT NULL,   -- sats per 1,000 vB
    network_fee INTEGER NOT NULL,
    service_fee INTEGER NOT NULL,
    rutxos_fee INTEGER NOT NULL,
    per_rutxo INTEGER NOT NULL,
    address TEXT NOT NULL,
    script BLOB NOT NULL,
    status TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    rate_at INTEGER NOT NULL,
    deadline INTEGER NOT NULL,
    seen INTEGER NOT NULL,
    confirmed INTEGER NOT NULL,
    late INTEGER NOT NULL,
    refunded INTEGER NOT NULL,   -- in none of the three sums before
    payout_id TEXT NOT NULL,
    payout_tx TEXT NOT NULL,
    updated_at INTEGER NOT NULL
, returned INTEGER NOT NULL DEFAULT 0) STRICT;
CREATE TABLE payout (
    id TEXT NOT NULL PRIMARY KEY,
    community TEXT NOT NULL,
    kind TEXT NOT NULL,        -- delivery, refund (of one order)
    order_ids TEXT NOT NULL,   -- JSON array
    status TEXT NOT NULL,      -- live, confirmed, final, dead
    created_at INTEGER NOT NULL
) STRICT;
CREATE TABLE payout_version (
    txid TEXT NOT NULL PRIMARY KEY,
    payout_id TEXT NOT NULL,
    number INTEGER NOT NULL,
    raw BLOB NOT NULL,        -- signed
    fee INTEGER NOT NULL,
    vbytes INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    height INTEGER NOT NULL
) STRICT;
CREATE TABLE "rune_balance" (
    outpoint TEXT NOT NULL PRIMARY KEY,
    balances TEXT NOT NULL         -- JSON: [{"id": "block:tx", "amount": "…"}]
) STRICT, WITHOUT ROWID;
CREATE TABLE rune_entry (
    id TEXT NOT NULL PRIMARY KEY,  -- block:tx
    name TEXT NOT NULL UNIQUE,     -- letters, without spacers
    entry TEXT NOT NULL            -- JSON of every field
) STRICT;
CREATE TABLE rune_order (
    id TEXT NOT NULL PRIMARY KEY,
    number INTEGER NOT NULL UNIQUE,
    kind TEXT NOT NULL,          -- rune_mint, rune_etch
    state TEXT NOT NULL,
    cause TEXT NOT NULL,         -- the event that failed it, '' when none did
    reason TEXT NOT NULL,        -- the same as a sentence
    rune_name TEXT NOT NULL,     -- with spacers
    promise TEXT NOT NULL,       -- JSON: all that its addresses are derived from
    fee_rate INTEGER NOT NULL,    -- sats per 1,000 vB
    address TEXT NOT NULL,
    script BLOB NOT NULL UNIQUE,
    fund_amount INTEGER NOT NULL, -- sats
    executed TEXT NOT NULL,      -- txid that the client named, '' before
    quotes TEXT NOT NULL,        -- JSON: what was asked for higher rates
    created_at INTEGER NOT NULL,
    deadline INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    settled INTEGER NOT NULL      -- 1: nothing more is expected until something is seen
) STRICT;
CREATE TABLE rune_order_output (
    txid TEXT NOT NULL,
    vout INTEGER NOT NULL,
    order_id TEXT NOT NULL,
    value INTEGER NOT NULL,       -- sats
    runes TEXT NOT NULL,         -- JSON: [{"id": "block:tx", "amount": "…"}], known once it is in a block
    seen_at INTEGER NOT NULL,
    height INTEGER NOT NULL,
    vanished INTEGER NOT NULL,    -- 1: a conflicting transaction was seen
    PRIMARY KEY (txid, vout)
) STRICT;
CREATE TABLE rune_order_tx (
    txid TEXT NOT NULL,
    order_id TEXT NOT NULL,
    role TEXT NOT NULL,          -- funding, mint, commit, reveal, refund
    generation INTEGER NOT NULL,  -- rises with every replacement, 0 for funding
    position INTEGER NOT NULL,    -- among the mints
    raw BLOB NOT NULL,
    fee INTEGER NOT NULL,
    vbytes INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    height INTEGER NOT NULL,
    vanished INTEGER NOT NULL,
    got TEXT NOT NULL,           -- base units of the minted rune on output 0, '0' while in no block
    PRIMARY KEY (txid, order_id)
) STRICT;
CREATE TABLE rune_undo (
    height INTEGER NOT NULL PRIMARY KEY,
    data BLOB NOT NULL
) STRICT;
CREATE TABLE setting (
    name TEXT NOT NULL PRIMARY KEY,
    value TEXT NOT NULL
) STRICT;
CREATE TABLE stake_address (
    address TEXT NOT NULL PRIMARY KEY,
    community TEXT NOT NULL,
    position INTEGER NOT NULL,  -- of the derivation path
    leaf_key TEXT NOT NULL,    -- the staker's x-only key, hex
    delay INTEGER NOT NULL,     -- blocks until the staker alone can spend
    owner TEXT NOT NULL,       -- ordinals address
    payment TEXT NOT NULL,
    action_id TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    UNIQUE (community, position)
) STRICT;
CREATE TABLE staked_total (
    community TEXT NOT NULL PRIMARY KEY,
    amount INTEGER NOT NULL
) STRICT;
CREATE TABLE tracked (
    txid TEXT NOT NULL PRIMARY KEY,
    raw BLOB NOT NULL,
    seen_at INTEGER NOT NULL,
    height INTEGER NOT NULL,
    vanished INTEGER NOT NULL,
    ours INTEGER NOT NULL       -- 1: a payout of ours
, since INTEGER NOT NULL DEFAULT 0) STRICT;
CREATE TABLE tracked_input (
    txid TEXT NOT NULL,
    prev_txid TEXT NOT NULL,
    prev_vout INTEGER NOT NULL,
    PRIMARY KEY (txid, prev_txid, prev_vout)
) STRICT;
CREATE TABLE unit (
    community TEXT NOT NULL,
    id TEXT NOT NULL,
    number INTEGER NOT NULL,
    owner TEXT NOT NULL,
    origin TEXT NOT NULL,
    amount INTEGER NOT NULL,
    stage TEXT NOT NULL,
    not_before INTEGER NOT NULL,
    eligible_epoch INTEGER NOT NULL,
    staked_to INTEGER NOT NULL,
    unlock_epoch INTEGER NOT NULL,
    reward_epoch INTEGER NOT NULL,
    order_id TEXT NOT NULL,
    stage_before TEXT NOT NULL,  -- the stage that a recovery ended, for its undoing
    txid TEXT NOT NULL,          -- of the deposit, '' for a virtual unit
    vout INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (community, id)
) STRICT;
CREATE TABLE wallet_link (
    community TEXT NOT NULL,
    ordinals TEXT NOT NULL,
    payment TEXT NOT NULL,
    message TEXT NOT NULL,
    ordinals_signature TEXT NOT NULL,
    payment_signature TEXT NOT NULL,
    PRIMARY KEY (community, ordinals, payment)
) STRICT;
CREATE TABLE watch (
    number INTEGER NOT NULL PRIMARY KEY,
    script BLOB NOT NULL UNIQUE,
    community TEXT NOT NULL,
    kind TEXT NOT NULL,   -- stake, payment, runes (treasury), sats (treasury)
    ref TEXT NOT NULL,    -- stake: the address; payment: the order id
    owner TEXT NOT NULL   -- ordinals address, '' for the treasury
) STRICT;
INSERT INTO action VALUES('165d8bac3d41114212d066ef8401ead7','lobo','CANCEL','n3qnD65xbeRKZogJUuKQDGcT1aDxNoACff','bcrt1qwlre4yf78hqpsa5dh9uhxzl9cn0zeg3z0730uq','["9822eacde24cd00dea102431b249a1cc0ee7b42a169dd8047be5d4d75ce2ae0e:0"]',40000000000,'ff9c79ca5c594a986ac2c312fa3f8e9d','Moon Fund: please read before you sign

Community: LOBO
Site: lobo.localhost:40149
Network: regtest
Action: CANCEL

Payment address: n3qnD65xbeRKZogJUuKQDGcT1aDxNoACff
Ordinals address: bcrt1qwlre4yf78hqpsa5dh9uhxzl9cn0zeg3z0730uq

Units: 1
Sum: 400 LOBO (40000000000 base units)
Digest of the units: 7accb2623540ff8d8d4cf33dd5535129

Order: ff9c79ca5c594a986ac2c312fa3f8e9d
Order status: PENDING
Payments seen: 0 sats

What follows:
- The order is closed and its units are free again.
- What was paid, if it is enough to be sent, is returned to the payment address above.

Nonce: 165d8bac3d41114212d066ef8401ead7
Valid until: 2026-11-22 23:35:13 UTC

Signing is free and sends no transaction. Sign only on the site named above.',1795388713,1795390513,1795388713,'AkgwRQIhAOcSrr0waVV75OFukgzkXMfU5/hvWYKTnO+QMRaMyJqpAiAEMP/cpt/lQLDe4gjFWpiDkVDhyrYH8B1lOPkMEvoxtAEhApS/izNiuOGjbX0Ic5NpFRwktr//CTN6udhrY5QsL4sp','bcrt1qwlre4yf78hqpsa5dh9uhxzl9cn0zeg3z0730uq','');
INSERT INTO action VALUES('173f5fbe4b360581c4f6b89fdfc4f074','lobo','WITHDRAW','n3qnD65xbeRKZogJUuKQDGcT1aDxNoACff','bcrt1qwlre4yf78hqpsa5dh9uhxzl9cn0zeg3z0730uq','["7c82e3386827a54b20524001e469ff6cd02083e07d34a3d7fafaa9a22d527b1f:0"]',30000000000,'b5b558c793aa6d15d39fa40c32207d6e','Moon Fund: please read before you sign

Community: LOBO
Site: lobo.localhost:40149
Network: regtest
Action: WITHDRAW

Payment address: n3qnD65xbeRKZogJUuKQDGcT1aDxNoACff
Ordinals address: bcrt1qwlre4yf78hqpsa5dh9uhxzl9cn0zeg3z0730uq

Units: 1
Sum: 300 LOBO (30000000000 base units)
Digest of the units: 036485099444b969b9b7fc468b634529

What follows:
- A payment order for the network''s and the service''s fees is made.
- Once it is paid, the runes are sent to the ordinals address above.

Nonce: 173f5fbe4b360581c4f6b89fdfc4f074
Valid until: 2026-11-23 00:06:13 UTC

Signing is free and sends no transaction. Sign only on the site named above.',1795390573,1795392373,1795390573,'AkgwRQIhAKumNbOhitn+rHFUvMzyJ5JV4CnXCANPYJoeJtSZbNCVAiBEXM0Oymp0rk4CmvnDjugnrprY7ifD1IAV2E4OB191qAEhApS/izNiuOGjbX0Ic5NpFRwktr//CTN6udhrY5QsL4sp','bcrt1qwlre4yf78hqpsa5dh9uhxzl9cn0zeg3z0730uq','');
INSERT INTO action VALUES('1d0339d292e5cddccb264184818936ec','lobo','WITHDRAW','bcrt1q2s3lc9kwgpn7pgdzyau4n4hr29wx5ma3mstata','bcrt1prvw768eqwwr9t44nm674q6twvdcchmk5qn5zt4pcfwjydrtwrg9skmeulc','["4e7048de2a57cc2869d6a5c6d559c395a9c2d55bd4370c00dff4a62f5d9773e7:0"]',150000000000,'b7d9928e9824a4ff1e65dc4ce8114235','Moon Fund: please read before you sign

Community: LOBO
Site: lobo.localhost:40149
Network: regtest
Action: WITHDRAW

Payment address: bcrt1q2s3lc9kwgpn7pgdzyau4n4hr29wx5ma3mstata
Ordinals address: bcrt1prvw768eqwwr9t44nm674q6twvdcchmk5qn5zt4pcfwjydrtwrg9skmeulc

Units: 1
Sum: 1500 LOBO (150000000000 base units)
Digest of the units: 6c7d1728c75ce36fad9da4b380ab8892

What follows:
- A payment order for the network''s and the service''s fees is made.
- Once it is paid, the runes are sent to the ordinals address above.

Nonce: 1d0339d292e5cddccb264184818936ec
Valid until: 2026-11-22 23:35:01 UTC

Signing is free and sends no transaction. Sign only on the site named above.',1795388701,1795390501,1795388701,'AUCMJOR76JLNimXbwUMw2O1hgSgSa2+tz+9xh/cnDXmpiOIQIPXNzOr9QGcumF7/TCXShzx9jzwNDmz+ymIJ/AfP','bcrt1prvw768eqwwr9t44nm674q6twvdcchmk5qn5zt4pcfwjydrtwrg9skmeulc','');
INSERT INTO action VALUES('2e2023ba422b7ef767ea9aca1119e31d','lobo','RESTAKE','bcrt1q2s3lc9kwgpn7pgdzyau4n4hr29wx5ma3mstata','bcrt1prvw768eqwwr9t44nm674q6twvdcchmk5qn5zt4pcfwjydrtwrg9skmeulc','["4e7048de2a57cc2869d6a5c6d559c395a9c2d55bd4370c00dff4a62f5d9773e7:0"]',150000000000,'','Moon Fund: please read before you sign

Community: LOBO
Site: lobo.localhost:40149
Network: regtest
Action: RESTAKE

Payment address: bcrt1q2s3lc9kwgpn7pgdzyau4n4hr29wx5ma3mstata
Ordinals address: bcrt1prvw768eqwwr9t44nm674q6twvdcchmk5qn5zt4pcfwjydrtwrg9skmeulc

Units: 1
Sum: 1500 LOBO (150000000000 base units)
Digest of the units: 6c7d1728c75ce36fad9da4b380ab8892

What follows:
- Earns rewards from epoch 6 on, which starts on 2026-11-29 23:04:55 UTC.

Nonce: 2e2023ba422b7ef767ea9aca1119e31d
Valid until: 2026-11-22 23:34:55 UTC

Signing is free and sends no transaction. Sign only on the site named above.',1795388695,1795390495,1795388695,'AUCGduiANAS7VPsg+1hc02C4Nr0YpNXhirInROrEKYCLQTTs4nLU82bG/GWWmx0jht6iT4dBbRwNawMMWk6zRwM0','bcrt1prvw768eqwwr9t44nm674q6twvdcchmk5qn5zt4pcfwjydrtwrg9skmeulc','');
INSERT INTO action VALUES('363f6041307d93ee72631e05595c6759','lobo','CLAIM','n3qnD65xbeRKZogJUuKQDGcT1aDxNoACff','bcrt1qwlre4yf78hqpsa5dh9uhxzl9cn0zeg3z0730uq','["reward:9:23690c9f3d3358d4","reward:10:23690c9f3d3358d4"]',49673615184,'1cb658bd516b6923fdc063e26351307f','Moon Fund: please read before you sign

Community: LOBO
Site: lobo.localhost:40149
Network: regtest
Action: CLAIM

Payment address: n3qnD65xbeRKZogJUuKQDGcT1aDxNoACff
Ordinals address: bcrt1qwlre4yf78hqpsa5dh9uhxzl9cn0zeg3z0730uq

Units: 2
Sum: 496.73615184 LOBO (49673615184 base units)
Digest of the units: e80e8375ff5297473a89999ee962f98e

What follows:
- A payment order for the network''s and the service''s fees is made.
- Once it is paid, the runes are sent to the ordinals address above.

Nonce: 363f6041307d93ee72631e05595c6759
Valid until: 2026-11-23 01:08:13 UTC

Signing is free and sends no transaction. Sign only on the site named above.',1795394293,1795396093,1795394293,'AkcwRAIgb/18FVVSkSZcvcUS10n4jw3BppodVSVKYd2CLkjBkEYCIDH3LihaHveVjUopIIcCJnooyZTR1apBTdYgoqxLciUAASEClL+LM2K44aNtfQhzk2kVHCS2v/8JM3q52GtjlCwviyk=','bcrt1qwlre4yf78hqpsa5dh9uhxzl9cn0zeg3z0730uq','');
INSERT INTO action VALUES('418f584da956dbfb8a0b6b03e0a17caa','lobo','STAKE','bcrt1q2jkhxvwlyhvxjcr23ut8fny25m3peydxwy6dsw','bcrt1p0pdnsh3jus6axauyfs9qgk8tvkg8gncp7vks2w3sfshmw7ykc0hsv3aqm3','null',14000000000,'','',1795394293,4951067893,0,'','','');
INSERT INTO action VALUES('455f70a7ff3f2d928047d107db1b2d5a','lobo','COMPOUND','bcrt1q2s3lc9kwgpn7pgdzyau4n4hr29wx5ma3mstata','bcrt1prvw768eqwwr9t44nm674q6twvdcchmk5qn5zt4pcfwjydrtwrg9skmeulc','["reward:1:5f0812accf91252a"]',65872581284,'','Moon Fund: please read before you sign

Community: LOBO
Site: lobo.localhost:40149
Network: regtest
Action: COMPOUND

Payment address: bcrt1q2s3lc9kwgpn7pgdzyau4n4hr29wx5ma3mstata
Ordinals address: bcrt1prvw768eqwwr9t44nm674q6twvdcchmk5qn5zt4pcfwjydrtwrg9skmeulc

Units: 1
Sum: 658.72581284 LOBO (65872581284 base units)
Digest of the units: 0fe002fe52e4386f5ac199a3b6bf5c2a

What follows:
- Earns rewards from epoch 3 on, which starts on 2026-11-29 23:04:48 UTC.

Nonce: 455f70a7ff3f2d928047d107db1b2d5a
Valid until: 2026-11-22 23:34:48 UTC

Signing is free and sends no transaction. Sign only on the site named above.',1795388688,1795390488,1795388688,'AUACIZdRfi3jQzURiSgKXtE+UVVTHIVNQy98ittAKYwG8+x36DCp5Sbu7z0MQ9lvEw8mNHKazmfIIJby0GndF8OH','bcrt1prvw768eqwwr9t44nm674q6twvdcchmk5qn5zt4pcfwjydrtwrg9skmeulc','');
INSERT INTO action VALUES('45685e92defa119f3af8935959f6f37f','lobo','STAKE','2N53E5gwgnCBGuj31HHVHHqp6X56sg8Q3cv','bcrt1pa08nhd6x7qxy47ft52g00fdjg5cmux7jeqr7mjz8y40gteck8flqywgf3z','null',77712345679,'','',1795388685,4951062285,0,'','','');
INSERT INTO action VALUES('52cead1f53a7c5e1fd61225ef646c5c5','lobo','STAKE','n3qnD65xbeRKZogJUuKQDGcT1aDxNoACff','bcrt1qwlre4yf78hqpsa5dh9uhxzl9cn0zeg3z0730uq','null',20000000000,'','',1795396165,4951069765,0,'','','');
INSERT INTO action VALUES('58691e1e7ef8cb85db20225cf86d4b13','lobo','COMPOUND','2N53E5gwgnCBGuj31HHVHHqp6X56sg8Q3cv','bcrt1pa08nhd6x7qxy47ft52g00fdjg5cmux7jeqr7mjz8y40gteck8flqywgf3z','["reward:1:027d0f775b341cda","reward:2:027d0f775b341cda"]',68254837432,'','Moon Fund: please read before you sign

Community: LOBO
Site: lobo.localhost:40149
Network: regtest
Action: COMPOUND

Payment address: 2N53E5gwgnCBGuj31HHVHHqp6X56sg8Q3cv
Ordinals address: bcrt1pa08nhd6x7qxy47ft52g00fdjg5cmux7jeqr7mjz8y40gteck8flqywgf3z

Units: 2
Sum: 682.54837432 LOBO (68254837432 base units)
Digest of the units: cd81d72c61dd2606e06666ca0b842c1d

What follows:
- Earns rewards from epoch 4 on, which starts on 2026-11-29 23:04:50 UTC.

Nonce: 58691e1e7ef8cb85db20225cf86d4b13
Valid until: 2026-11-22 23:34:50 UTC

Signing is free and sends no transaction. Sign only on the site named above.',1795388690,1795390490,1795388690,'AUA9YmR92VLgP7qr+t4t+pnUNVd5a9U41Y6nYTlMfdQqrKfW3HiviogcvZBpK2P8V9h9TYJ5xNGT41jk5u6IVJwI','bcrt1pa08nhd6x7qxy47ft52g00fdjg5cmux7jeqr7mjz8y40gteck8flqywgf3z','');
INSERT INTO action VALUES('5a57448b5f9549a4ca5b593e159560b2','lobo','CANCEL','n3qnD65xbeRKZogJUuKQDGcT1aDxNoACff','bcrt1qwlre4yf78hqpsa5dh9uhxzl9cn0zeg3z0730uq','["reward:9:23690c9f3d3358d4","reward:10:23690c9f3d3358d4"]',49673615184,'1cb658bd516b6923fdc063e26351307f','Moon Fund: please read before you sign

Community: LOBO
Site: lobo.localhost:40149
Network: regtest
Action: CANCEL

Payment address: n3qnD65xbeRKZogJUuKQDGcT1aDxNoACff
Ordinals address: bcrt1qwlre4yf78hqpsa5dh9uhxzl9cn0zeg3z0730uq

Units: 2
Sum: 496.73615184 LOBO (49673615184 base units)
Digest of the units: e80e8375ff5297473a89999ee962f98e

Order: 1cb658bd516b6923fdc063e26351307f
Order status: CONFIRMED
Payments seen: 2283 sats

What follows:
- The order is closed and its units are free again.
- What was paid, if it is enough to be sent, is returned to the payment address above.

Nonce: 5a57448b5f9549a4ca5b593e159560b2
Valid until: 2026-11-23 01:08:13 UTC

Signing is free and sends no transaction. Sign only on the site named above.',1795394293,1795396093,1795394293,'AkcwRAIgWBkSKLj5MocPUv9abSYMmIM/ACSOlTUwoPC6EpNgZ9gCIGG2NM9evYq6RkTPNbSDLJ306oiVRYkIvTEw6nGZKEquASEClL+LM2K44aNtfQhzk2kVHCS2v/8JM3q52GtjlCwviyk=','bcrt1qwlre4yf78hqpsa5dh9uhxzl9cn0zeg3z0730uq','');
INSERT INTO action VALUES('61b4da1187005dd6750693b5ee60cf29','lobo','WITHDRAW','bcrt1q2jkhxvwlyhvxjcr23ut8fny25m3peydxwy6dsw','bcrt1p0pdnsh3jus6axauyfs9qgk8tvkg8gncp7vks2w3sfshmw7ykc0hsv3aqm3','["b26d47b394a4e6450f0889cfa10ccd75209135c9ece0f31f5ecd256c48d7435b:0"]',11000000000,'8deb0836b9991e28de2f71fa30500bb2','Moon Fund: please read before you sign

Community: LOBO
Site: lobo.localhost:40149
Network: regtest
Action: WITHDRAW

Payment address: bcrt1q2jkhxvwlyhvxjcr23ut8fny25m3peydxwy6dsw
Ordinals address: bcrt1p0pdnsh3jus6axauyfs9qgk8tvkg8gncp7vks2w3sfshmw7ykc0hsv3aqm3

Units: 1
Sum: 110 LOBO (11000000000 base units)
Digest of the units: 0e58a1664c511e2707ff73b6522f442a

What follows:
- A payment order for the network''s and the service''s fees is made.
- Once it is paid, the runes are sent to the ordinals address above.

Nonce: 61b4da1187005dd6750693b5ee60cf29
Valid until: 2026-11-23 01:08:25 UTC

Signing is free and sends no transaction. Sign only on the site named above.',1795394305,1795396105,1795394305,'AUBwFfKt0v9pU9CJd89LHTyJF3NV4PAaEFhhiZ9OCM64UfeQlcdXmiT6n7yYNGZv8n/priP2MGoNUarThZX+7Ikb','bcrt1p0pdnsh3jus6axauyfs9qgk8tvkg8gncp7vks2w3sfshmw7ykc0hsv3aqm3','');
INSERT INTO action VALUES('69ca8c16e9cf4e6d7393e55591a28aec','lobo','STAKE','bcrt1q2s3lc9kwgpn7pgdzyau4n4hr29wx5ma3mstata','bcrt1prvw768eqwwr9t44nm674q6twvdcchmk5qn5zt4pcfwjydrtwrg9skmeulc','null',150000000000,'','',1795388685,4951062285,0,'','','');
INSERT INTO action VALUES('72c9e396d09755b048bbb5332c466698','lobo','STAKE','n3qnD65xbeRKZogJUuKQDGcT1aDxNoACff','bcrt1qwlre4yf78hqpsa5dh9uhxzl9cn0zeg3z0730uq','null',30000000000,'','',1795388701,4951062301,0,'','','');
INSERT INTO action VALUES('73183e1d41ab591fde5a35eb5c303696','lobo','WITHDRAW','bcrt1q2jkhxvwlyhvxjcr23ut8fny25m3peydxwy6dsw','bcrt1p0pdnsh3jus6axauyfs9qgk8tvkg8gncp7vks2w3sfshmw7ykc0hsv3aqm3','["2c4749448c872caa2532ff800efc5ede4459716e26f3d327ec7340108f0d89bc:0"]',10000000000,'2b629f0fd2e50bd946bf114dbf0d6e69','Moon Fund: please read before you sign

Community: LOBO
Site: lobo.localhost:40149
Network: regtest
Action: WITHDRAW

Payment address: bcrt1q2jkhxvwlyhvxjcr23ut8fny25m3peydxwy6dsw
Ordinals address: bcrt1p0pdnsh3jus6axauyfs9qgk8tvkg8gncp7vks2w3sfshmw7ykc0hsv3aqm3

Units: 1
Sum: 100 LOBO (10000000000 base units)
Digest of the units: ad6429a046ff0663ea6d7247cb7ac332

What follows:
- A payment order for the network''s and the service''s fees is made.
- Once it is paid, the runes are sent to the ordinals address above.

Nonce: 73183e1d41ab591fde5a35eb5c303696
Valid until: 2026-11-23 01:08:25 UTC

Signing is free and sends no transaction. Sign only on the site named above.',1795394305,1795396105,1795394305,'AUBh12v7LgDLWDIKL1VgDwCc8RnRnFizI/BiBeGh3FbkzNC1DK6w45cuh7PK5TLN3zT4pWSpEBbnDQy8jvv8mj8J','bcrt1p0pdnsh3jus6axauyfs9qgk8tvkg8gncp7vks2w3sfshmw7ykc0hsv3aqm3','');
INSERT INTO action VALUES('773eb25a285f3bb004157a457ccda81a','lobo','UNSTAKE','bcrt1q2jkhxvwlyhvxjcr23ut8fny25m3peydxwy6dsw','bcrt1p0pdnsh3jus6axauyfs9qgk8tvkg8gncp7vks2w3sfshmw7ykc0hsv3aqm3','["2c4749448c872caa2532ff800efc5ede4459716e26f3d327ec7340108f0d89bc:0","b26d47b394a4e6450f0889cfa10ccd75209135c9ece0f31f5ecd256c48d7435b:0","b978fab06fce4ff06751b19cb760bed0a859c2e76afd9bd5c8faa9de47066ef2:0","7f93726ddbe100df588af894fb7d42f0f2ddd7369b659f3936994da98bc6bf9e:0","e8a0170d81e2b3e28408d786ee4e5239df72662adc198e9ff57abce8aea48540:0"]',60000000000,'','Moon Fund: please read before you sign

Community: LOBO
Site: lobo.localhost:40149
Network: regtest
Action: UNSTAKE

Payment address: bcrt1q2jkhxvwlyhvxjcr23ut8fny25m3peydxwy6dsw
Ordinals address: bcrt1p0pdnsh3jus6axauyfs9qgk8tvkg8gncp7vks2w3sfshmw7ykc0hsv3aqm3

Units: 5
Sum: 600 LOBO (60000000000 base units)
Digest of the units: a7052fbe880bfccce5b716f8d539a7ae

What follows:
- No rewards from epoch 16 on.
- Unlocks on 2026-12-07 00:38:21 UTC.

Nonce: 773eb25a285f3bb004157a457ccda81a
Valid until: 2026-11-23 01:08:21 UTC

Signing is free and sends no transaction. Sign only on the site named above.',1795394301,1795396101,1795394301,'AUAZetpb/1n1YEd30dra9FYL2zxxSU/d910AoD2OtRi8APWW0JAWfcHcnMVKmte3V8e6eJA/ED7AFzJLWON82BOa','bcrt1p0pdnsh3jus6axauyfs9qgk8tvkg8gncp7vks2w3sfshmw7ykc0hsv3aqm3','');
INSERT INTO action VALUES('82cb215eba457fd04d77e0c98b5783c6','lobo','COMPOUND','n3qnD65xbeRKZogJUuKQDGcT1aDxNoACff','bcrt1qwlre4yf78hqpsa5dh9uhxzl9cn0zeg3z0730uq','["reward:9:23690c9f3d3358d4","reward:10:23690c9f3d3358d4"]',49673615184,'','Moon Fund: please read before you sign

Community: LOBO
Site: lobo.localhost:40149
Network: regtest
Action: COMPOUND

Payment address: n3qnD65xbeRKZogJUuKQDGcT1aDxNoACff
Ordinals address: bcrt1qwlre4yf78hqpsa5dh9uhxzl9cn0zeg3z0730uq

Units: 2
Sum: 496.73615184 LOBO (49673615184 base units)
Digest of the units: e80e8375ff5297473a89999ee962f98e

What follows:
- Earns rewards from epoch 14 on, which starts on 2026-11-30 00:38:13 UTC.

Nonce: 82cb215eba457fd04d77e0c98b5783c6
Valid until: 2026-11-23 01:08:13 UTC

Signing is free and sends no transaction. Sign only on the site named above.',1795394293,1795396093,1795394293,'AkgwRQIhANm6+qxqheGFi0zWr3eYaLwft1qksfB2d6B/fl/iFVF0AiAInYlsmbGKIYjcttBn/LxsQ849Euh65wA9H6zzZRYZ9wEhApS/izNiuOGjbX0Ic5NpFRwktr//CTN6udhrY5QsL4sp','bcrt1qwlre4yf78hqpsa5dh9uhxzl9cn0zeg3z0730uq','');
INSERT INTO action VALUES('8cd8efce4af60f5d70481aa69a359ca5','lobo','STAKE','bcrt1q2jkhxvwlyhvxjcr23ut8fny25m3peydxwy6dsw','bcrt1p0pdnsh3jus6axauyfs9qgk8tvkg8gncp7vks2w3sfshmw7ykc0hsv3aqm3','null',13000000000,'','',1795394293,4951067893,0,'','','');
INSERT INTO action VALUES('8e3c4c7195fb1ae685b9f589eaee13fc','lobo','RESTAKE','n3qnD65xbeRKZogJUuKQDGcT1aDxNoACff','bcrt1qwlre4yf78hqpsa5dh9uhxzl9cn0zeg3z0730uq','["7c82e3386827a54b20524001e469ff6cd02083e07d34a3d7fafaa9a22d527b1f:0"]',30000000000,'','Moon Fund: please read before you sign

Community: LOBO
Site: lobo.localhost:40149
Network: regtest
Action: RESTAKE

Payment address: n3qnD65xbeRKZogJUuKQDGcT1aDxNoACff
Ordinals address: bcrt1qwlre4yf78hqpsa5dh9uhxzl9cn0zeg3z0730uq

Units: 1
Sum: 300 LOBO (30000000000 base units)
Digest of the units: 036485099444b969b9b7fc468b634529

What follows:
- Earns rewards from epoch 14 on, which starts on 2026-11-30 00:38:13 UTC.

Nonce: 8e3c4c7195fb1ae685b9f589eaee13fc
Valid until: 2026-11-23 01:08:13 UTC

Signing is free and sends no transaction. Sign only on the site named above.',1795394293,1795396093,0,'','','');
INSERT INTO action VALUES('965e1daf312b3f55f4b7b40ec2852c35','lobo','STAKE','n3qnD65xbeRKZogJUuKQDGcT1aDxNoACff','bcrt1qwlre4yf78hqpsa5dh9uhxzl9cn0zeg3z0730uq','null',40000000000,'','',1795388701,4951062301,0,'','','');
INSERT INTO action VALUES('9ef6d1c187fa3433ad580d52099774f6','lobo','UNSTAKE','bcrt1q2s3lc9kwgpn7pgdzyau4n4hr29wx5ma3mstata','bcrt1prvw768eqwwr9t44nm674q6twvdcchmk5qn5zt4pcfwjydrtwrg9skmeulc','["4e7048de2a57cc2869d6a5c6d559c395a9c2d55bd4370c00dff4a62f5d9773e7:0"]',150000000000,'','Moon Fund: please read before you sign

Community: LOBO
Site: lobo.localhost:40149
Network: regtest
Action: UNSTAKE

Payment address: bcrt1q2s3lc9kwgpn7pgdzyau4n4hr29wx5ma3mstata
Ordinals address: bcrt1prvw768eqwwr9t44nm674q6twvdcchmk5qn5zt4pcfwjydrtwrg9skmeulc

Units: 1
Sum: 1500 LOBO (150000000000 base units)
Digest of the units: 6c7d1728c75ce36fad9da4b380ab8892

What follows:
- No rewards from epoch 3 on.
- Unlocks on 2026-12-06 23:04:50 UTC.

Nonce: 9ef6d1c187fa3433ad580d52099774f6
Valid until: 2026-11-22 23:34:50 UTC

Signing is free and sends no transaction. Sign only on the site named above.',1795388690,1795390490,1795388690,'AUBFQaMGr2HHh95A9arzAPKj3juBd4MS00YEoY36giVXCtCFLGGz+CiYrlU9NlzkXTQPUtO3hyYjmU3PSzm+PH51','bcrt1prvw768eqwwr9t44nm674q6twvdcchmk5qn5zt4pcfwjydrtwrg9skmeulc','');
INSERT INTO action VALUES('a12660b6a1e0e3412aded922d1486e17','lobo','STAKE','bcrt1q2jkhxvwlyhvxjcr23ut8fny25m3peydxwy6dsw','bcrt1p0pdnsh3jus6axauyfs9qgk8tvkg8gncp7vks2w3sfshmw7ykc0hsv3aqm3','null',10000000000,'','',1795394293,4951067893,0,'','','');
INSERT INTO action VALUES('ad25dd567026de112a2ead4755262e00','lobo','WITHDRAW','bcrt1q2jkhxvwlyhvxjcr23ut8fny25m3peydxwy6dsw','bcrt1p0pdnsh3jus6axauyfs9qgk8tvkg8gncp7vks2w3sfshmw7ykc0hsv3aqm3','["b978fab06fce4ff06751b19cb760bed0a859c2e76afd9bd5c8faa9de47066ef2:0"]',12000000000,'301327c4bff2f286f0aefb999939b217','Moon Fund: please read before you sign

Community: LOBO
Site: lobo.localhost:40149
Network: regtest
Action: WITHDRAW

Payment address: bcrt1q2jkhxvwlyhvxjcr23ut8fny25m3peydxwy6dsw
Ordinals address: bcrt1p0pdnsh3jus6axauyfs9qgk8tvkg8gncp7vks2w3sfshmw7ykc0hsv3aqm3

Units: 1
Sum: 120 LOBO (12000000000 base units)
Digest of the units: a09117a6661c3149eaa5ce9e155fbca8

What follows:
- A payment order for the network''s and the service''s fees is made.
- Once it is paid, the runes are sent to the ordinals address above.

Nonce: ad25dd567026de112a2ead4755262e00
Valid until: 2026-11-23 01:39:25 UTC

Signing is free and sends no transaction. Sign only on the site named above.',1795396165,1795397965,1795396165,'AUAyOr7oXkEPO+8YitLPGwGt7SIIV5qJKdvkkV6jyANrBIPTT08tmMlBgzrZ4wqqIhWISyLfmk9iXo7gq3OZI29h','bcrt1p0pdnsh3jus6axauyfs9qgk8tvkg8gncp7vks2w3sfshmw7ykc0hsv3aqm3','');
INSERT INTO action VALUES('adbf49654c2b36f822d611b0780510e9','lobo','WITHDRAW','n3qnD65xbeRKZogJUuKQDGcT1aDxNoACff','bcrt1qwlre4yf78hqpsa5dh9uhxzl9cn0zeg3z0730uq','["9822eacde24cd00dea102431b249a1cc0ee7b42a169dd8047be5d4d75ce2ae0e:0"]',40000000000,'ff9c79ca5c594a986ac2c312fa3f8e9d','Moon Fund: please read before you sign

Community: LOBO
Site: lobo.localhost:40149
Network: regtest
Action: WITHDRAW

Payment address: n3qnD65xbeRKZogJUuKQDGcT1aDxNoACff
Ordinals address: bcrt1qwlre4yf78hqpsa5dh9uhxzl9cn0zeg3z0730uq

Units: 1
Sum: 400 LOBO (40000000000 base units)
Digest of the units: 7accb2623540ff8d8d4cf33dd5535129

What follows:
- A payment order for the network''s and the service''s fees is made.
- Once it is paid, the runes are sent to the ordinals address above.

Nonce: adbf49654c2b36f822d611b0780510e9
Valid until: 2026-11-22 23:35:13 UTC

Signing is free and sends no transaction. Sign only on the site named above.',1795388713,1795390513,1795388713,'AkgwRQIhAMFAQ4x0J+l7ppWL76Cz5WJghn9HCs0K9GGZD/4wGKAyAiBIK6140cE+4VFzvdOJL+uz51ERxtNaQxQ5M60zCJzTmwEhApS/izNiuOGjbX0Ic5NpFRwktr//CTN6udhrY5QsL4sp','bcrt1qwlre4yf78hqpsa5dh9uhxzl9cn0zeg3z0730uq','');
INSERT INTO action VALUES('bcd10602a776cd7552c8dbadf61764d2','lobo','CLAIM','bcrt1q2s3lc9kwgpn7pgdzyau4n4hr29wx5ma3mstata','bcrt1prvw768eqwwr9t44nm674q6twvdcchmk5qn5zt4pcfwjydrtwrg9skmeulc','["reward:2:5f0812accf91252a"]',65872581284,'7d5a5faf45caf3ea7ab2c71a3c2da9eb','Moon Fund: please read before you sign

Community: LOBO
Site: lobo.localhost:40149
Network: regtest
Action: CLAIM

Payment address: bcrt1q2s3lc9kwgpn7pgdzyau4n4hr29wx5ma3mstata
Ordinals address: bcrt1prvw768eqwwr9t44nm674q6twvdcchmk5qn5zt4pcfwjydrtwrg9skmeulc

Units: 1
Sum: 658.72581284 LOBO (65872581284 base units)
Digest of the units: 1baab76cb0fae54054239ead2d477fde

What follows:
- A payment order for the network''s and the service''s fees is made.
- Once it is paid, the runes are sent to the ordinals address above.

Nonce: bcd10602a776cd7552c8dbadf61764d2
Valid until: 2026-11-22 23:34:50 UTC

Signing is free and sends no transaction. Sign only on the site named above.',1795388690,1795390490,1795388690,'AUDmj+CjancQ5Iaj9PydSj3xu4CPaczDCmXOJkuXN5WXA+oUPKJcKagx6XDJouoOtfUvBVh/3ka100rmpEKA/Pn5','bcrt1prvw768eqwwr9t44nm674q6twvdcchmk5qn5zt4pcfwjydrtwrg9skmeulc','');
INSERT INTO action VALUES('c0b7ba8c673e8f3e41b7f1b2ff964bdb','lobo','STAKE','bcrt1q2jkhxvwlyhvxjcr23ut8fny25m3peydxwy6dsw','bcrt1p0pdnsh3jus6axauyfs9qgk8tvkg8gncp7vks2w3sfshmw7ykc0hsv3aqm3','null',12000000000,'','',1795394293,4951067893,0,'','','');
INSERT INTO action VALUES('c7d55e59a949ba902052ea1c63d5f92c','lobo','WITHDRAW','n3qnD65xbeRKZogJUuKQDGcT1aDxNoACff','bcrt1qwlre4yf78hqpsa5dh9uhxzl9cn0zeg3z0730uq','["9822eacde24cd00dea102431b249a1cc0ee7b42a169dd8047be5d4d75ce2ae0e:0","7c82e3386827a54b20524001e469ff6cd02083e07d34a3d7fafaa9a22d527b1f:0"]',70000000000,'4ba6242183237c9e17e0346c2c4b1267','Moon Fund: please read before you sign

Community: LOBO
Site: lobo.localhost:40149
Network: regtest
Action: WITHDRAW

Payment address: n3qnD65xbeRKZogJUuKQDGcT1aDxNoACff
Ordinals address: bcrt1qwlre4yf78hqpsa5dh9uhxzl9cn0zeg3z0730uq

Units: 2
Sum: 700 LOBO (70000000000 base units)
Digest of the units: c2db6930ecd66c12b12655ffc6ff569f

What follows:
- A payment order for the network''s and the service''s fees is made.
- Once it is paid, the runes are sent to the ordinals address above.

Nonce: c7d55e59a949ba902052ea1c63d5f92c
Valid until: 2026-11-22 23:35:13 UTC

Signing is free and sends no transaction. Sign only on the site named above.',1795388713,1795390513,1795388713,'AkcwRAIgceF4jNND9NoxCA5/2O9iIP/NH9lB89QVxSxrhkNC81kCIB4BIIAnc1gHIsI9GFk41QzbaVNxKS17Gshi1jqiqly+ASEClL+LM2K44aNtfQhzk2kVHCS2v/8JM3q52GtjlCwviyk=','bcrt1qwlre4yf78hqpsa5dh9uhxzl9cn0zeg3z0730uq','');
INSERT INTO action VALUES('cb1293b88f8cbad20f1cf2aa539dbe23','lobo','CLAIM','bcrt1q2jkhxvwlyhvxjcr23ut8fny25m3peydxwy6dsw','bcrt1p0pdnsh3jus6axauyfs9qgk8tvkg8gncp7vks2w3sfshmw7ykc0hsv3aqm3','["reward:14:c28f3415233c3d1a","reward:15:c28f3415233c3d1a"]',34138103120,'','Moon Fund: please read before you sign

Community: LOBO
Site: lobo.localhost:40149
Network: regtest
Action: CLAIM

Payment address: bcrt1q2jkhxvwlyhvxjcr23ut8fny25m3peydxwy6dsw
Ordinals address: bcrt1p0pdnsh3jus6axauyfs9qgk8tvkg8gncp7vks2w3sfshmw7ykc0hsv3aqm3

Units: 2
Sum: 341.3810312 LOBO (34138103120 base units)
Digest of the units: 08c52a18c7cff8e23bde1c1e7e4eb2ef

What follows:
- A payment order for the network''s and the service''s fees is made.
- Once it is paid, the runes are sent to the ordinals address above.

Nonce: cb1293b88f8cbad20f1cf2aa539dbe23
Valid until: 2026-11-23 01:39:25 UTC

Signing is free and sends no transaction. Sign only on the site named above.',1795396165,1795397965,0,'','','');
INSERT INTO action VALUES('dc7e42473091e9ea33ea12116c107e9e','lobo','UNSTAKE','n3qnD65xbeRKZogJUuKQDGcT1aDxNoACff','bcrt1qwlre4yf78hqpsa5dh9uhxzl9cn0zeg3z0730uq','["9822eacde24cd00dea102431b249a1cc0ee7b42a169dd8047be5d4d75ce2ae0e:0","7c82e3386827a54b20524001e469ff6cd02083e07d34a3d7fafaa9a22d527b1f:0"]',70000000000,'','Moon Fund: please read before you sign

Community: LOBO
Site: lobo.localhost:40149
Network: regtest
Action: UNSTAKE

Payment address: n3qnD65xbeRKZogJUuKQDGcT1aDxNoACff
Ordinals address: bcrt1qwlre4yf78hqpsa5dh9uhxzl9cn0zeg3z0730uq

Units: 2
Sum: 700 LOBO (70000000000 base units)
Digest of the units: c2db6930ecd66c12b12655ffc6ff569f

What follows:
- No rewards from epoch 11 on.
- Unlocks on 2026-12-06 23:05:09 UTC.

Nonce: dc7e42473091e9ea33ea12116c107e9e
Valid until: 2026-11-22 23:35:09 UTC

Signing is free and sends no transaction. Sign only on the site named above.',1795388709,1795390509,1795388709,'AkcwRAIgd+K0Fj0133jDu5mtjtjn48N6lae23fRdQ83ncDDK2YUCICRjFG9FfO6sdBmcTFdG9uC8yBSLjBgpQ6PXeS8m/BRFASEClL+LM2K44aNtfQhzk2kVHCS2v/8JM3q52GtjlCwviyk=','bcrt1qwlre4yf78hqpsa5dh9uhxzl9cn0zeg3z0730uq','');
INSERT INTO action VALUES('f831a0afd870749ab11e00846dacf81b','lobo','UNSTAKE','bcrt1q2s3lc9kwgpn7pgdzyau4n4hr29wx5ma3mstata','bcrt1prvw768eqwwr9t44nm674q6twvdcchmk5qn5zt4pcfwjydrtwrg9skmeulc','["4e7048de2a57cc2869d6a5c6d559c395a9c2d55bd4370c00dff4a62f5d9773e7:0"]',150000000000,'','Moon Fund: please read before you sign

Community: LOBO
Site: lobo.localhost:40149
Network: regtest
Action: UNSTAKE

Payment address: bcrt1q2s3lc9kwgpn7pgdzyau4n4hr29wx5ma3mstata
Ordinals address: bcrt1prvw768eqwwr9t44nm674q6twvdcchmk5qn5zt4pcfwjydrtwrg9skmeulc

Units: 1
Sum: 1500 LOBO (150000000000 base units)
Digest of the units: 6c7d1728c75ce36fad9da4b380ab8892

What follows:
- No rewards from epoch 6 on.
- Unlocks on 2026-12-06 23:04:57 UTC.

Nonce: f831a0afd870749ab11e00846dacf81b
Valid until: 2026-11-22 23:34:57 UTC

Signing is free and sends no transaction. Sign only on the site named above.',1795388697,1795390497,1795388697,'AUBl/wYkcpZ70zuyPibYtsq+taqs4Tx/YWM3Hrm7U+bridQGUmVVoVRO1b01oo0II//t9zrd2wdzwf3nLPevdhdH','bcrt1prvw768eqwwr9t44nm674q6twvdcchmk5qn5zt4pcfwjydrtwrg9skmeulc','');
INSERT INTO action VALUES('fc1ce33bfacf45efd1c177a35d623a2e','lobo','RESTAKE','n3qnD65xbeRKZogJUuKQDGcT1aDxNoACff','bcrt1qwlre4yf78hqpsa5dh9uhxzl9cn0zeg3z0730uq','["7c82e3386827a54b20524001e469ff6cd02083e07d34a3d7fafaa9a22d527b1f:0"]',30000000000,'','Moon Fund: please read before you sign

Community: LOBO
Site: lobo.localhost:40149
Network: regtest
Action: RESTAKE

Payment address: n3qnD65xbeRKZogJUuKQDGcT1aDxNoACff
Ordinals address: bcrt1qwlre4yf78hqpsa5dh9uhxzl9cn0zeg3z0730uq

Units: 1
Sum: 300 LOBO (30000000000 base units)
Digest of the units: 036485099444b969b9b7fc468b634529

What follows:
- Earns rewards from epoch 14 on, which starts on 2026-11-30 00:38:13 UTC.

Nonce: fc1ce33bfacf45efd1c177a35d623a2e
Valid until: 2026-11-23 01:08:13 UTC

Signing is free and sends no transaction. Sign only on the site named above.',1795394293,1795396093,1795394293,'HzfXpa5xVmFLYxCTBvkanoFOEKbRN2tvaSFwP1UZF5CbWee4h3/FGiPvWFcgSnv6xV03TYP5GngBeRg9Au0M6RY=','n3qnD65xbeRKZogJUuKQDGcT1aDxNoACff','');
INSERT INTO action VALUES('fdb0902d20a21249233cc2479c461ea6','lobo','WITHDRAW','n3qnD65xbeRKZogJUuKQDGcT1aDxNoACff','bcrt1qwlre4yf78hqpsa5dh9uhxzl9cn0zeg3z0730uq','["9822eacde24cd00dea102431b249a1cc0ee7b42a169dd8047be5d4d75ce2ae0e:0"]',40000000000,'386ff045fe6edcc80e4a3a04958a5521','Moon Fund: please read before you sign

Community: LOBO
Site: lobo.localhost:40149
Network: regtest
Action: WITHDRAW

Payment address: n3qnD65xbeRKZogJUuKQDGcT1aDxNoACff
Ordinals address: bcrt1qwlre4yf78hqpsa5dh9uhxzl9cn0zeg3z0730uq

Units: 1
Sum: 400 LOBO (40000000000 base units)
Digest of the units: 7accb2623540ff8d8d4cf33dd5535129

What follows:
- A payment order for the network''s and the service''s fees is made.
- Once it is paid, the runes are sent to the ordinals address above.

Nonce: fdb0902d20a21249233cc2479c461ea6
Valid until: 2026-11-23 00:37:13 UTC

Signing is free and sends no transaction. Sign only on the site named above.',1795392433,1795394233,1795392433,'AkcwRAIgDBW++ag1lNLJwTgrkZdJiNnqR+DFU1IyXm9sYH5qYTECIFYWc7jj3hM1WfzQ/Ba4IgkFPSvFJUgxG6wcVsdX54drASEClL+LM2K44aNtfQhzk2kVHCS2v/8JM3q52GtjlCwviyk=','bcrt1qwlre4yf78hqpsa5dh9uhxzl9cn0zeg3z0730uq','');
INSERT INTO action VALUES('fea0ad7f76ac1127912f23c726e10679','lobo','WITHDRAW','bcrt1q2jkhxvwlyhvxjcr23ut8fny25m3peydxwy6dsw','bcrt1p0pdnsh3jus6axauyfs9qgk8tvkg8gncp7vks2w3sfshmw7ykc0hsv3aqm3','["7f93726ddbe100df588af894fb7d42f0f2ddd7369b659f3936994da98bc6bf9e:0"]',13000000000,'f199df6ffe63c944062c26310314eb74','Moon Fund: please read before you sign

Community: LOBO
Site: lobo.localhost:40149
Network: regtest
Action: WITHDRAW

Payment address: bcrt1q2jkhxvwlyhvxjcr23ut8fny25m3peydxwy6dsw
Ordinals address: bcrt1p0pdnsh3jus6axauyfs9qgk8tvkg8gncp7vks2w3sfshmw7ykc0hsv3aqm3

Units: 1
Sum: 130 LOBO (13000000000 base units)
Digest of the units: 2bac148b4cfa6f38352f9398e698eafa

What follows:
- A payment order for the network''s and the service''s fees is made.
- Once it is paid, the runes are sent to the ordinals address above.

Nonce: fea0ad7f76ac1127912f23c726e10679
Valid until: 2026-11-23 01:39:25 UTC

Signing is free and sends no transaction. Sign only on the site named above.',1795396165,1795397965,1795396165,'AUAcdVTdWLhmj+rdVgRaEfWljEssEkzB7o9oe3tDmaSf+FcmjpvMA3RgBNGMmZOdwpXHinhGtmULJuvsTCNiUXX+','bcrt1p0pdnsh3jus6axauyfs9qgk8tvkg8gncp7vks2w3sfshmw7ykc0hsv3aqm3','');
INSERT INTO action VALUES('fff21c5a5b9fc8992e03689937c0c147','lobo','STAKE','bcrt1q2jkhxvwlyhvxjcr23ut8fny25m3peydxwy6dsw','bcrt1p0pdnsh3jus6axauyfs9qgk8tvkg8gncp7vks2w3sfshmw7ykc0hsv3aqm3','null',11000000000,'','',1795394293,4951067893,0,'','','');
INSERT INTO block VALUES(1,'45b9a6f9279fefd8c819e22e9d56b1080e66cd0d29db796b10410e4618709b9b','0f9188f13cb7b2c71f2a335e3a4fc328bf5beb436012afca590b1a11466e2206',1795388560);
INSERT INTO block VALUES(10,'0a7e0aaf06aa2303b1ef6374ece41589e90bc7bf91dff65fe014fc7d15e4d940','4aa2e10182b5aa02cbf1bcb5041b411890d4af5db22f72745d718b64343a5280',1795388569);
INSERT INTO block VALUES(100,'433cc1823e9a50232619c2075eec8e102eb2ef259cd25bb2f436cd712532a517','602f4994223d0bf490b3dad681aaefacad905bfdc83c170ad081efaaa928139a',1795388659);
INSERT INTO block VALUES(101,'672f9a4ecec357f4a46dcd1cecde8cd36ffdee4480430ac31a50e5893c76fa50','433cc1823e9a50232619c2075eec8e102eb2ef259cd25bb2f436cd712532a517',1795388660);
INSERT INTO block VALUES(102,'430d3961c5f7edc91e2f3f9e61a4d91299f33ee5685906f24e2999c8f625f76e','672f9a4ecec357f4a46dcd1cecde8cd36ffdee4480430ac31a50e5893c76fa50',1795388661);
INSERT INTO block VALUES(103,'71e94b6214f8de04f7c3a54ce5368d24926d83a7001c4f80796fb08f08ebbf34','430d3961c5f7edc91e2f3f9e61a4d91299f33ee5685906f24e2999c8f625f76e',1795388662);
INSERT INTO block VALUES(104,'66e8a9b12c8d3134c446d2f2ba524e1f563de232f77007cc1cc07db4535704fe','71e94b6214f8de04f7c3a54ce5368d24926d83a7001c4f80796fb08f08ebbf34',1795388663);
INSERT INTO block VALUES(105,'73628afdd6ae04b6a72a6d4c9ab545c4d5f432ed46e64baef68632b5ec1cc8fa','66e8a9b12c8d3134c446d2f2ba524e1f563de232f77007cc1cc07db4535704fe',1795388664);
INSERT INTO block VALUES(106,'0cfc0a7b1cd4d9eff9cc7c0a82ededa5476af1b397829783cfc9436a5ad7efb8','73628afdd6ae04b6a72a6d4c9ab545c4d5f432ed46e64baef68632b5ec1cc8fa',1795388665);
INSERT INTO block VALUES(107,'17d25c70a989e0c9c7ca8d7bf4895cdfbfc01fc26b0dac89fd2ed71761c23df7','0cfc0a7b1cd4d9eff9cc7c0a82ededa5476af1b397829783cfc9436a5ad7efb8',1795388666);
INSERT INTO block VALUES(108,'61580724788acd2f9899fe6d947ad5dfaa4a57502392ce5bb26510f811639a55','17d25c70a989e0c9c7ca8d7bf4895cdfbfc01fc26b0dac89fd2ed71761c23df7',1795388667);
INSERT INTO block VALUES(109,'74e8a3a4275ddb9ec950ae6aa27aff23ca69e6b64a22e5217122b0ceeca0ef13','61580724788acd2f9899fe6d947ad5dfaa4a57502392ce5bb26510f811639a55',1795388668);
INSERT INTO block VALUES(11,'3325b876fcf832069f26dbe662ed5e211e7d4a3625a08ae47630e8d8b1eaf1aa','0a7e0aaf06aa2303b1ef6374ece41589e90bc7bf91dff65fe014fc7d15e4d940',1795388570);
INSERT INTO block VALUES(110,'49377d4d5261e72c97fab646845970984817c364872f9029c80e0b9e1c0df71c','74e8a3a4275ddb9ec950ae6aa27aff23ca69e6b64a22e5217122b0ceeca0ef13',1795388669);
INSERT INTO block VALUES(111,'49013758386a57c2d88c9bfa4fe2c9ea39e29aa1b3fc377e42951fab55bc2b59','49377d4d5261e72c97fab646845970984817c364872f9029c80e0b9e1c0df71c',1795388670);
INSERT INTO block VALUES(112,'6be41b1a9b1e512cb87e866747a5a4c0c3c27db39b1f125530844781fb3dc450','49013758386a57c2d88c9bfa4fe2c9ea39e29aa1b3fc377e42951fab55bc2b59',1795388671);
INSERT INTO block VALUES(113,'16f822f42926ee43c7a89b95015ce1c5775a81e27f199013bac5a29dd20460f0','6be41b1a9b1e512cb87e866747a5a4c0c3c27db39b1f125530844781fb3dc450',1795388672);
INSERT INTO block VALUES(114,'1beea03e831f56787fe4fd75521ca50edd4d129e4ef8f9d11cdb3fa5ff270ae0','16f822f42926ee43c7a89b95015ce1c5775a81e27f199013bac5a29dd20460f0',1795388673);
INSERT INTO block VALUES(115,'7340057f3c796f70cbeba7452bf8f1ef8e5f9effee86a6ce87eb58d40389f6bc','1beea03e831f56787fe4fd75521ca50edd4d129e4ef8f9d11cdb3fa5ff270ae0',1795388674);
INSERT INTO block VALUES(116,'5aa7046d6251c06623aa71852b53a46524e989eb49046eb265896901b35743ce','7340057f3c796f70cbeba7452bf8f1ef8e5f9effee86a6ce87eb58d40389f6bc',1795388675);
INSERT INTO block VALUES(117,'294ee5ddc6e1623043b5c4743962e71529f64d024f8f6e31f54aaa51c98d658b','5aa7046d6251c06623aa71852b53a46524e989eb49046eb265896901b35743ce',1795388676);
INSERT INTO block VALUES(118,'76c7e758f9fb959d3ea0f12234b2463790ea0fa73eaed9f342705fc61382c939','294ee5ddc6e1623043b5c4743962e71529f64d024f8f6e31f54aaa51c98d658b',1795388677);
INSERT INTO block VALUES(119,'292723ac57958adcea439c6c7387e7c3196b7d222ab495b0d4a76047840a4a72','76c7e758f9fb959d3ea0f12234b2463790ea0fa73eaed9f342705fc61382c939',1795388678);
INSERT INTO block VALUES(12,'044e91cf172f87b834c833b9d0d846ad0bdc8adcd5f88ccd9558fb0ec70b1751','3325b876fcf832069f26dbe662ed5e211e7d4a3625a08ae47630e8d8b1eaf1aa',1795388571);
INSERT INTO block VALUES(120,'292b243b947b5bc36e965af42e704ba205dac91638709c217df4d959015dba62','292723ac57958adcea439c6c7387e7c3196b7d222ab495b0d4a76047840a4a72',1795388679);
INSERT INTO block VALUES(121,'00b97b65f06cc8cb4d326f9c0a42f0fdfd16a7a20337f8d39aee004125b5548f','292b243b947b5bc36e965af42e704ba205dac91638709c217df4d959015dba62',1795388680);
INSERT INTO block VALUES(122,'4032c8fb84beda6ec3a8b5129fa543a2fdf3594bd8f903158fb14a7b32bdb0fe','00b97b65f06cc8cb4d326f9c0a42f0fdfd16a7a20337f8d39aee004125b5548f',1795388681);
INSERT INTO block VALUES(123,'530553ea48b6c1c2e82e3087dd45789fca2ef936fc8efde90fc1b7fb328ccbb7','4032c8fb84beda6ec3a8b5129fa543a2fdf3594bd8f903158fb14a7b32bdb0fe',1795388684);
INSERT INTO block VALUES(124,'5d12b85a47fb60da99d196ef1b070383a8d46c418d8f8b236a3eb971af0a71cf','530553ea48b6c1c2e82e3087dd45789fca2ef936fc8efde90fc1b7fb328ccbb7',1795388684);
INSERT INTO block VALUES(125,'2098a46bdba109b95039259bf51b690e03b1b2b6450c4ce565f63973c209cb45','5d12b85a47fb60da99d196ef1b070383a8d46c418d8f8b236a3eb971af0a71cf',1795388684);
INSERT INTO block VALUES(126,'517cd5d1558d6bd85d2ba2e9947626d643b077ad7f4ab36e1b161a29eedc269e','2098a46bdba109b95039259bf51b690e03b1b2b6450c4ce565f63973c209cb45',1795388685);
INSERT INTO block VALUES(127,'3428d93c90d13cd07ab274446c6fd9cb150cb65d55988f772914cf15e77fcd33','517cd5d1558d6bd85d2ba2e9947626d643b077ad7f4ab36e1b161a29eedc269e',1795388685);
INSERT INTO block VALUES(128,'444a69c25dcd6d8cdae0444eefa4ed0f66d52ba36b75bc671133772adc1ee215','3428d93c90d13cd07ab274446c6fd9cb150cb65d55988f772914cf15e77fcd33',1795388685);
INSERT INTO block VALUES(129,'41dbb970e49f62dad223333bdf9e33f2bb74ccfcc3af4a15acff8b7e107c7d42','444a69c25dcd6d8cdae0444eefa4ed0f66d52ba36b75bc671133772adc1ee215',1795388686);
INSERT INTO block VALUES(13,'17b42d967447046b69a43a994e572b0eb4d77f1d10c1d921b4612606be4c5634','044e91cf172f87b834c833b9d0d846ad0bdc8adcd5f88ccd9558fb0ec70b1751',1795388572);
INSERT INTO block VALUES(130,'13f59f0a1fd56d7bfb8273c2bc83f92de8d13e87c9feb734aaa3ab549f14b682','41dbb970e49f62dad223333bdf9e33f2bb74ccfcc3af4a15acff8b7e107c7d42',1795388686);
INSERT INTO block VALUES(131,'3fac578e97d45f1911e7c8b64f9a203aa2f172f31e52e27cfb21f1a2e66192c2','13f59f0a1fd56d7bfb8273c2bc83f92de8d13e87c9feb734aaa3ab549f14b682',1795388686);
INSERT INTO block VALUES(132,'42b84d0908cb1872a7fd06cb8c82285b278646d75f816f10fce62dcbcd439ad9','3fac578e97d45f1911e7c8b64f9a203aa2f172f31e52e27cfb21f1a2e66192c2',1795388686);
INSERT INTO block VALUES(133,'6932c81596681983e7d8f10ff79cd8c938e5b1f7d0bc7eb773c63f9c995650df','42b84d0908cb1872a7fd06cb8c82285b278646d75f816f10fce62dcbcd439ad9',1795388686);
INSERT INTO block VALUES(134,'33ab898269342f8d2108db75a68a43a8a5935cdbd5b1df09e62a9afeb7006f84','6932c81596681983e7d8f10ff79cd8c938e5b1f7d0bc7eb773c63f9c995650df',1795388686);
INSERT INTO block VALUES(135,'079d3c9bf9724ca80b621a26afb99e8248b350e278eab2dedfb4d4aeb0e3ae7d','33ab898269342f8d2108db75a68a43a8a5935cdbd5b1df09e62a9afeb7006f84',1795388687);
INSERT INTO block VALUES(136,'5f3b39c056c5287f766a3efa8e3f7834f37b482a4592de4d6ac107d7a6e4554e','079d3c9bf9724ca80b621a26afb99e8248b350e278eab2dedfb4d4aeb0e3ae7d',1795388688);
INSERT INTO block VALUES(137,'2af5008ab367fe59ea597cc1ba2ca74960dd16c72b49711c2f22856e3db4e4a2','5f3b39c056c5287f766a3efa8e3f7834f37b482a4592de4d6ac107d7a6e4554e',1795388688);
INSERT INTO block VALUES(138,'3cb6e5db177bc427c6056d887bbc145144322be78284dfbdfd8b9b56345f288a','2af5008ab367fe59ea597cc1ba2ca74960dd16c72b49711c2f22856e3db4e4a2',1795388688);
INSERT INTO block VALUES(139,'208ba8d034b04ffbb413181ea36da3276898947dd5cfc970f90714059c5bf321','3cb6e5db177bc427c6056d887bbc145144322be78284dfbdfd8b9b56345f288a',1795388688);
INSERT INTO block VALUES(14,'2c45b108fd6f0b80ddad1c7f3c1cd66252546dbf5981a9ead800131faf970294','17b42d967447046b69a43a994e572b0eb4d77f1d10c1d921b4612606be4c5634',1795388573);
INSERT INTO block VALUES(140,'55ed2af61974cb30f89ef565a9e8a3bc684bd7a93595e1a46691a99915a2c686','208ba8d034b04ffbb413181ea36da3276898947dd5cfc970f90714059c5bf321',1795388688);
INSERT INTO block VALUES(141,'07b1c7c17e7339dfde3a8dc402a9fadc1a00b3c8282d3ad924ca60205de28103','55ed2af61974cb30f89ef565a9e8a3bc684bd7a93595e1a46691a99915a2c686',1795388688);
INSERT INTO block VALUES(142,'52e70c6e8d5f9510be7477a26bb7ade6b27e32a2deedf596b4c8e2ee4dea94bd','07b1c7c17e7339dfde3a8dc402a9fadc1a00b3c8282d3ad924ca60205de28103',1795388689);
INSERT INTO block VALUES(143,'570c62b9377b23f66c6e9ad96d7135be62e443f35b540b2abb3a8fc70294f28c','52e70c6e8d5f9510be7477a26bb7ade6b27e32a2deedf596b4c8e2ee4dea94bd',1795388690);
INSERT INTO block VALUES(144,'102da5fa907c86b7e064192c1d0c954b6be438972188a6f2d165b75df7f36d76','570c62b9377b23f66c6e9ad96d7135be62e443f35b540b2abb3a8fc70294f28c',1795388690);
INSERT INTO block VALUES(145,'62b2824589c88f798872e78ce5d73d80a68e7ab6e85f2b668e72ee3a4e771438','102da5fa907c86b7e064192c1d0c954b6be438972188a6f2d165b75df7f36d76',1795388690);
INSERT INTO block VALUES(146,'4367639f09ad171544ee818312134419cdb74c0e7cfeecfffaf5bff42e4bb9ce','62b2824589c88f798872e78ce5d73d80a68e7ab6e85f2b668e72ee3a4e771438',1795388690);
INSERT INTO block VALUES(147,'40b238d48ff83f225691a89bf2fb2d71f669096f2e051d5b620ed19c9ce4962d','4367639f09ad171544ee818312134419cdb74c0e7cfeecfffaf5bff42e4bb9ce',1795388690);
INSERT INTO block VALUES(148,'65043ab657ab93fa13efb66d8801db1a7e657288776c8af6807f68ad400df481','40b238d48ff83f225691a89bf2fb2d71f669096f2e051d5b620ed19c9ce4962d',1795388690);
INSERT INTO block VALUES(149,'35e6bd7331850ba32003c5159a29b96eecf81afb7686c80a5bd668eb77df61a4','65043ab657ab93fa13efb66d8801db1a7e657288776c8af6807f68ad400df481',1795388691);
INSERT INTO block VALUES(15,'53794af9abe6ad47a9479276dd29188a7bd72e92604d8bc58f5989d499a7e5bd','2c45b108fd6f0b80ddad1c7f3c1cd66252546dbf5981a9ead800131faf970294',1795388574);
INSERT INTO block VALUES(150,'16914d6886405e23cfbc3d7ab41b0373a4e2f5bb17b7bdb8d019ec6ea2c81609','35e6bd7331850ba32003c5159a29b96eecf81afb7686c80a5bd668eb77df61a4',1795388691);
INSERT INTO block VALUES(151,'38cd48ae2cc9580fdc8b2e3cc20bf000185964627dc75c429a363f8aae6de3df','16914d6886405e23cfbc3d7ab41b0373a4e2f5bb17b7bdb8d019ec6ea2c81609',1795388691);
INSERT INTO block VALUES(152,'2e56b4417058b2daff939186f4a2aad1a275164447840778ea7c854da8d3abe7','38cd48ae2cc9580fdc8b2e3cc20bf000185964627dc75c429a363f8aae6de3df',1795388691);
INSERT INTO block VALUES(153,'4d60581b963b3390ad05f17b2c0058f13899be79b74646d89f24930f4c449e38','2e56b4417058b2daff939186f4a2aad1a275164447840778ea7c854da8d3abe7',1795388691);
INSERT INTO block VALUES(154,'3bdc8d627a4f238554f38b29f85bd90a5c6f5ea7a44f85bf584d71160dcdce9a','4d60581b963b3390ad05f17b2c0058f13899be79b74646d89f24930f4c449e38',1795388691);
INSERT INTO block VALUES(155,'4293bf6f42044a7c10556e3beafcdb7773f70536c864d218941c1107b1170650','3bdc8d627a4f238554f38b29f85bd90a5c6f5ea7a44f85bf584d71160dcdce9a',1795388692);
INSERT INTO block VALUES(156,'6b8ee3ed5eb982c350185418d09bb544af0286c1fde6265d185b6bfb5ddb033a','4293bf6f42044a7c10556e3beafcdb7773f70536c864d218941c1107b1170650',1795388692);
INSERT INTO block VALUES(157,'06b20df44144ee729c8ea3afc6a6c56368d567d462feba7e10dd34f7b0c47786','6b8ee3ed5eb982c350185418d09bb544af0286c1fde6265d185b6bfb5ddb033a',1795388693);
INSERT INTO block VALUES(158,'10906e5ea89a5f4f51da1719d2d30f3965f59bd2d1fe66ef2788d363b5b2c073','06b20df44144ee729c8ea3afc6a6c56368d567d462feba7e10dd34f7b0c47786',1795388693);
INSERT INTO block VALUES(159,'52feed59db5557434ed3651c35ffd89d53de7ec5fae19768e8cf49e4f9acef4f','10906e5ea89a5f4f51da1719d2d30f3965f59bd2d1fe66ef2788d363b5b2c073',1795388693);
INSERT INTO block VALUES(16,'4aa904e568fde2a7415a1de66f1f8650f61787d21cfbe0d1b879438a930d9071','53794af9abe6ad47a9479276dd29188a7bd72e92604d8bc58f5989d499a7e5bd',1795388575);
INSERT INTO block VALUES(160,'421021ba5f77b684f60ebce75f26e62006e8f51f6db89004d0daee4a6d153fcd','52feed59db5557434ed3651c35ffd89d53de7ec5fae19768e8cf49e4f9acef4f',1795388693);
INSERT INTO block VALUES(161,'11c6f4bfc1c8e322a4131ff2c39bd9fbbabd840151e849bbaa048a2732727047','421021ba5f77b684f60ebce75f26e62006e8f51f6db89004d0daee4a6d153fcd',1795388693);
INSERT INTO block VALUES(162,'7783d7824d27fa6479ede90157a66fca762527ee130e21de366c9ee5f93914da','11c6f4bfc1c8e322a4131ff2c39bd9fbbabd840151e849bbaa048a2732727047',1795388693);
INSERT INTO block VALUES(163,'31a0c22da10f0235cfd35be2f278a96012e8d7b19774722dca42956d784ca6ca','7783d7824d27fa6479ede90157a66fca762527ee130e21de366c9ee5f93914da',1795388694);
INSERT INTO block VALUES(164,'1a4a722d0fa936bcf051c0202bb14b60c0d4a2b6ffca107b37b8c9ce3804bc45','31a0c22da10f0235cfd35be2f278a96012e8d7b19774722dca42956d784ca6ca',1795388695);
INSERT INTO block VALUES(165,'4db79d5469ecd7ddec7450c376fada8168aef3718cd9f375b6e76c4abf05c2aa','1a4a722d0fa936bcf051c0202bb14b60c0d4a2b6ffca107b37b8c9ce3804bc45',1795388695);
INSERT INTO block VALUES(166,'45dac6d570dbc3ef5607fdd09a9622daeb97fb94a9cc926f2ffdf4052ae42c78','4db79d5469ecd7ddec7450c376fada8168aef3718cd9f375b6e76c4abf05c2aa',1795388695);
INSERT INTO block VALUES(167,'3fb6ba1421811eed08e550b37f96ae69059d7c8f1e56873ada746c3231ca89c8','45dac6d570dbc3ef5607fdd09a9622daeb97fb94a9cc926f2ffdf4052ae42c78',1795388695);
INSERT INTO block VALUES(168,'26b136ea7dc88ffdfb61c368c48d777826b30877a8d2b9211e0e0b9e1607370c','3fb6ba1421811eed08e550b37f96ae69059d7c8f1e56873ada746c3231ca89c8',1795388695);
INSERT INTO block VALUES(169,'270e414f5dec7291ddc98de1c5f44fa90e0c619404a307c471b927b1e05a03ed','26b136ea7dc88ffdfb61c368c48d777826b30877a8d2b9211e0e0b9e1607370c',1795388695);
INSERT INTO block VALUES(17,'3124065d0f0f06ad2f140e2df2cccd6a3284f89e2915ec53ddbbb84e8a602c3c','4aa904e568fde2a7415a1de66f1f8650f61787d21cfbe0d1b879438a930d9071',1795388576);
INSERT INTO block VALUES(170,'636cefd643009bd2b33ee8bd23ada11855fa7809523380dd8db1958d7d4e9916','270e414f5dec7291ddc98de1c5f44fa90e0c619404a307c471b927b1e05a03ed',1795388696);
INSERT INTO block VALUES(171,'5597c3f1e1bcc92dc45881ed52e9473598cfcdb1eeb871b2d4a8b83c2491454b','636cefd643009bd2b33ee8bd23ada11855fa7809523380dd8db1958d7d4e9916',1795388697);
INSERT INTO block VALUES(172,'4a60e6492ed29363979f4df5c91105fa38b5c89917a6844c0a0a626f27adf102','5597c3f1e1bcc92dc45881ed52e9473598cfcdb1eeb871b2d4a8b83c2491454b',1795388697);
INSERT INTO block VALUES(173,'0b1b19e1e8d391342b15eb74e675d499319ac79a0839bac7e515117c20260d7e','4a60e6492ed29363979f4df5c91105fa38b5c89917a6844c0a0a626f27adf102',1795388697);
INSERT INTO block VALUES(174,'6aa66d72bd39c15fa7c6f24c8106d5f9f448234a1b659c8a47e9564fe9a890fe','0b1b19e1e8d391342b15eb74e675d499319ac79a0839bac7e515117c20260d7e',1795388697);
INSERT INTO block VALUES(175,'5691d45f7db4754776b3661f58df6e7af88044ababfd7a8bd2b46cfc201cd4fd','6aa66d72bd39c15fa7c6f24c8106d5f9f448234a1b659c8a47e9564fe9a890fe',1795388697);
INSERT INTO block VALUES(176,'09f41caadde4c4659ff5f8fc258f8b7e18961aa1f6032c4275e45fa9ab29b7b7','5691d45f7db4754776b3661f58df6e7af88044ababfd7a8bd2b46cfc201cd4fd',1795388697);
INSERT INTO block VALUES(177,'08af4846694236260d4cd1258fe3eb3273dc7e378cfe150f694d74b51aea14a6','09f41caadde4c4659ff5f8fc258f8b7e18961aa1f6032c4275e45fa9ab29b7b7',1795388698);
INSERT INTO block VALUES(178,'1ab0d1c784aa3e86934888d216ed7da2f006d3c959127452d11e9a82b3c691e9','08af4846694236260d4cd1258fe3eb3273dc7e378cfe150f694d74b51aea14a6',1795388699);
INSERT INTO block VALUES(179,'2f8d171df949101c57f0e080c1b9826888dc4fd7177a65094157660c917556c1','1ab0d1c784aa3e86934888d216ed7da2f006d3c959127452d11e9a82b3c691e9',1795388699);
INSERT INTO block VALUES(18,'627c587ba216dfe51e5b959be8c18227d53975cb8a31f8147ca07eab97456dbe','3124065d0f0f06ad2f140e2df2cccd6a3284f89e2915ec53ddbbb84e8a602c3c',1795388577);
INSERT INTO block VALUES(180,'51ef0ffd5318f2d1b562bf903a0819bdd0a7d7f4c601affb4a5005b545016a83','2f8d171df949101c57f0e080c1b9826888dc4fd7177a65094157660c917556c1',1795388699);
INSERT INTO block VALUES(181,'773d138564f25b7679bb8897f36e0b8e4f69e246657eaa1384b03a46b18cf619','51ef0ffd5318f2d1b562bf903a0819bdd0a7d7f4c601affb4a5005b545016a83',1795388699);
INSERT INTO block VALUES(182,'28b1a2ced11c57c72734d1b93b4b9d892b332f26299a4ceb2a41875d49866dac','773d138564f25b7679bb8897f36e0b8e4f69e246657eaa1384b03a46b18cf619',1795388699);
INSERT INTO block VALUES(183,'2d7e7e476569a5173a79b2117bb6559362aad80b21582d7ed7260d88385591cd','28b1a2ced11c57c72734d1b93b4b9d892b332f26299a4ceb2a41875d49866dac',1795388699);
INSERT INTO block VALUES(184,'2f5fb96c7278e772a5694d5716ea8f20bdd0418208be7d8b324d7b17893b57df','2d7e7e476569a5173a79b2117bb6559362aad80b21582d7ed7260d88385591cd',1795388700);
INSERT INTO block VALUES(185,'70b34e79a3bb04c0c135a813228b3568090e7c6e9e9a3235d0e70802252c8e2d','2f5fb96c7278e772a5694d5716ea8f20bdd0418208be7d8b324d7b17893b57df',1795388701);
INSERT INTO block VALUES(186,'7cf3e53592915d96b73cb00b955d5569ae501521e3d130a77187e5d07c1c7eb9','70b34e79a3bb04c0c135a813228b3568090e7c6e9e9a3235d0e70802252c8e2d',1795388701);
INSERT INTO block VALUES(187,'5db09e72f50c2754a3c531273f1fdac8785732ee47ad47e7be9a418054d23525','7cf3e53592915d96b73cb00b955d5569ae501521e3d130a77187e5d07c1c7eb9',1795388701);
INSERT INTO block VALUES(188,'3f8c846b0d46d01cfb6911c1dd253de2a66196b9a306565bf756951521d07f54','5db09e72f50c2754a3c531273f1fdac8785732ee47ad47e7be9a418054d23525',1795388701);
INSERT INTO block VALUES(189,'2b4c8ee53c82f26242480844ed556ccd26c9a290d96635542acfa31fceaf8eb3','3f8c846b0d46d01cfb6911c1dd253de2a66196b9a306565bf756951521d07f54',1795388701);
INSERT INTO block VALUES(19,'718a12b94cef14446eec9e91ca554d46bfe52efeb46b2e83a01bf3011632eb69','627c587ba216dfe51e5b959be8c18227d53975cb8a31f8147ca07eab97456dbe',1795388578);
INSERT INTO block VALUES(190,'68a244705bcc62e2d13a4a106e431894bf4ede65bae0d77cae3cc0f0c92697f8','2b4c8ee53c82f26242480844ed556ccd26c9a290d96635542acfa31fceaf8eb3',1795388701);
INSERT INTO block VALUES(191,'2d847ae76ab37b1c323243eea5c511c243ad464d93569cfdc0c6568777ac155b','68a244705bcc62e2d13a4a106e431894bf4ede65bae0d77cae3cc0f0c92697f8',1795388702);
INSERT INTO block VALUES(192,'6a7cf4076eedb55a83e1c4159ec33f06f1cc8d6029beaaa5f79006a2272394e5','2d847ae76ab37b1c323243eea5c511c243ad464d93569cfdc0c6568777ac155b',1795388702);
INSERT INTO block VALUES(193,'20da8dba6bbef04320f00ed542dff373079927d43738b24dd67aaafc31268fc0','6a7cf4076eedb55a83e1c4159ec33f06f1cc8d6029beaaa5f79006a2272394e5',1795388702);
INSERT INTO block VALUES(194,'0acb27cf4dbbc838516eccc9f59dfdbf489687bd05afc11eef21f24d9b39dcf4','20da8dba6bbef04320f00ed542dff373079927d43738b24dd67aaafc31268fc0',1795388702);
INSERT INTO block VALUES(195,'155175685acbf4ff993bb18e7eedef79e69f87c4b6cc1802db27e2a6dfa3353c','0acb27cf4dbbc838516eccc9f59dfdbf489687bd05afc11eef21f24d9b39dcf4',1795388702);
INSERT INTO block VALUES(196,'211949d571bbe8663984cab71062b4a0e1a09ca559202146b8215e91cc827af7','155175685acbf4ff993bb18e7eedef79e69f87c4b6cc1802db27e2a6dfa3353c',1795388702);
INSERT INTO block VALUES(197,'158544667d7a08c6def93086d44e552012d5d3bc5a6ddeb343e6c869598a1300','211949d571bbe8663984cab71062b4a0e1a09ca559202146b8215e91cc827af7',1795388703);
INSERT INTO block VALUES(198,'72844e8d1e451baf9e5439c1c56f00d710999437be52c7d7ab317051d9a20081','158544667d7a08c6def93086d44e552012d5d3bc5a6ddeb343e6c869598a1300',1795388703);
INSERT INTO block VALUES(199,'5c6a3bff5eea3c9638f752cc4d0a6a24d560ef33aed1dd53ebb884aa01765809','72844e8d1e451baf9e5439c1c56f00d710999437be52c7d7ab317051d9a20081',1795388703);
INSERT INTO block VALUES(2,'268724c8a6c644b28c101c2b6ffe67487c0ac472be57e63606f758431ec9d780','45b9a6f9279fefd8c819e22e9d56b1080e66cd0d29db796b10410e4618709b9b',1795388561);
INSERT INTO block VALUES(20,'04299a5f56b946d6f653405aed4faa7198adf91d1a8990cb56ed729a70a8623f','718a12b94cef14446eec9e91ca554d46bfe52efeb46b2e83a01bf3011632eb69',1795388579);
INSERT INTO block VALUES(200,'42967a581d5eea7bf8678b34e06cd606abd70d51ac2d6fa0031240c5cd5b43f2','5c6a3bff5eea3c9638f752cc4d0a6a24d560ef33aed1dd53ebb884aa01765809',1795388703);
INSERT INTO block VALUES(201,'33c212b72696e3f41a70eddfe23e5c29e490dc05ca930ca461ab5112a077289c','42967a581d5eea7bf8678b34e06cd606abd70d51ac2d6fa0031240c5cd5b43f2',1795388703);
INSERT INTO block VALUES(202,'11ecbe1132d446e8b14951f9dde39ef32f1f929049eaa3ab31ed169e0c3537a5','33c212b72696e3f41a70eddfe23e5c29e490dc05ca930ca461ab5112a077289c',1795388703);
INSERT INTO block VALUES(203,'5c3832801514be49edd078189f44b48fa263b57253f190f0cbfc2cdac372b6e1','11ecbe1132d446e8b14951f9dde39ef32f1f929049eaa3ab31ed169e0c3537a5',1795388704);
INSERT INTO block VALUES(204,'0af819d43a562f5bb7b264a16c3a5fbc98b1724f314de0823a60d22577ca4df9','5c3832801514be49edd078189f44b48fa263b57253f190f0cbfc2cdac372b6e1',1795388705);
INSERT INTO block VALUES(205,'2d2f94465a3a51bb35607d0d0af90373422df18dade2def4bf6afc1570da85d6','0af819d43a562f5bb7b264a16c3a5fbc98b1724f314de0823a60d22577ca4df9',1795388705);
INSERT INTO block VALUES(206,'68cde0b430716c6c41fe109ead830aee54e2d294f5a071cef021f802028ad240','2d2f94465a3a51bb35607d0d0af90373422df18dade2def4bf6afc1570da85d6',1795388705);
INSERT INTO block VALUES(207,'0de63d86ab9b92068994fde373ae75b213832f1c6fc7fb331a6bb5e26586278b','68cde0b430716c6c41fe109ead830aee54e2d294f5a071cef021f802028ad240',1795388705);
INSERT INTO block VALUES(208,'3362235ed2e1ba552e4e4a46de1f5f08f4460dcc293d535bd635a5cdbf173b35','0de63d86ab9b92068994fde373ae75b213832f1c6fc7fb331a6bb5e26586278b',1795388705);
INSERT INTO block VALUES(209,'46c24223eb591306320872c5c93a3bd55ac13febb8ac4e47f04af2a91f93517c','3362235ed2e1ba552e4e4a46de1f5f08f4460dcc293d535bd635a5cdbf173b35',1795388705);
INSERT INTO block VALUES(21,'3cd376d4754257230b337e242d827951f635055805a25abbefc832d52a906f42','04299a5f56b946d6f653405aed4faa7198adf91d1a8990cb56ed729a70a8623f',1795388580);
INSERT INTO block VALUES(210,'6197434bb9173a2da9de685fbe004567d9485c19b75228e8933a401d1c06ce6c','46c24223eb591306320872c5c93a3bd55ac13febb8ac4e47f04af2a91f93517c',1795388706);
INSERT INTO block VALUES(211,'224fe86e4b1c1e91a60a909c83e8c6215b1c0ebedbdc5e355c02ffa597290b60','6197434bb9173a2da9de685fbe004567d9485c19b75228e8933a401d1c06ce6c',1795388707);
INSERT INTO block VALUES(212,'2ed7654864265125d8cd5d8ee1f491aac8747717c647ced28a12250acd5ddf3f','224fe86e4b1c1e91a60a909c83e8c6215b1c0ebedbdc5e355c02ffa597290b60',1795388707);
INSERT INTO block VALUES(213,'628a189af07ac156c68d61eb46cda09858527ae4c7b1850a4a3754adbf50e1e0','2ed7654864265125d8cd5d8ee1f491aac8747717c647ced28a12250acd5ddf3f',1795388707);
INSERT INTO block VALUES(214,'75b6f018fa3d5a3947962d628926aac5ba5c827326de40d240e5a0fcd62b2000','628a189af07ac156c68d61eb46cda09858527ae4c7b1850a4a3754adbf50e1e0',1795388707);
INSERT INTO block VALUES(215,'1b8fe9e1567a8e2a39f45bc07bccababe2c736c2264035f318551deda51c9051','75b6f018fa3d5a3947962d628926aac5ba5c827326de40d240e5a0fcd62b2000',1795388707);
INSERT INTO block VALUES(216,'37a3e799258f0cecd62e2383e0c3b50084e3bb2da11a38b08ce8d9372ae0a00f','1b8fe9e1567a8e2a39f45bc07bccababe2c736c2264035f318551deda51c9051',1795388707);
INSERT INTO block VALUES(217,'1170b6c74586bd65e3c96cc3d687785c537249686f843284646ae7af5544aab4','37a3e799258f0cecd62e2383e0c3b50084e3bb2da11a38b08ce8d9372ae0a00f',1795388708);
INSERT INTO block VALUES(218,'62b34a382331795ed17779cb0b7ea0a6fea1d5e57c6db626a0f486fba7f5f583','1170b6c74586bd65e3c96cc3d687785c537249686f843284646ae7af5544aab4',1795388709);
INSERT INTO block VALUES(219,'1fb1045e553350283c6196352cfd577653e0482842f20baa4659f66861f69406','62b34a382331795ed17779cb0b7ea0a6fea1d5e57c6db626a0f486fba7f5f583',1795388709);
INSERT INTO block VALUES(22,'2676a762d06cc109118f1be0c8362b5683fdc2f07d45ab61c8efb2aafdc6c69a','3cd376d4754257230b337e242d827951f635055805a25abbefc832d52a906f42',1795388581);
INSERT INTO block VALUES(220,'5ca06c3db0423dbe4d7aee7e0dcf042212c1f774449bb6fac18cb52a9d273723','1fb1045e553350283c6196352cfd577653e0482842f20baa4659f66861f69406',1795388709);
INSERT INTO block VALUES(221,'4f74ebdea1bd11168d50765caf55ed07130995fae7a7f41964c4dcbb6e5490a3','5ca06c3db0423dbe4d7aee7e0dcf042212c1f774449bb6fac18cb52a9d273723',1795388709);
INSERT INTO block VALUES(222,'7db7f841c56cc52d2573a35d1abe4efabd42e95c1b6359b11e2cd0bee088fe06','4f74ebdea1bd11168d50765caf55ed07130995fae7a7f41964c4dcbb6e5490a3',1795388709);
INSERT INTO block VALUES(223,'67d9b0bdba2126737f550dbcb619b0b6bdc39d761c0bc6440e47df5989df94d2','7db7f841c56cc52d2573a35d1abe4efabd42e95c1b6359b11e2cd0bee088fe06',1795388709);
INSERT INTO block VALUES(224,'76c5e3bd2077d26831843803bc5931868db5fd011938eb97780903b3140f636c','67d9b0bdba2126737f550dbcb619b0b6bdc39d761c0bc6440e47df5989df94d2',1795388710);
INSERT INTO block VALUES(225,'6dd792e1903b53673461086d06a435c5e5e987d5b4aaec203c4d75ce0a4f43bd','76c5e3bd2077d26831843803bc5931868db5fd011938eb97780903b3140f636c',1795388711);
INSERT INTO block VALUES(226,'7325af81b746fbcaf90653801e2066ee8c0e9949d74234e28b77b43dd44ab9cb','6dd792e1903b53673461086d06a435c5e5e987d5b4aaec203c4d75ce0a4f43bd',1795388711);
INSERT INTO block VALUES(227,'2166c33130727b2763574568af8c44e32d78087286ca1a54b570301626e61d6a','7325af81b746fbcaf90653801e2066ee8c0e9949d74234e28b77b43dd44ab9cb',1795388711);
INSERT INTO block VALUES(228,'3372db082fd6f86502391be30b895d120bbb596b57b54b8fdaf2a41468cee4cd','2166c33130727b2763574568af8c44e32d78087286ca1a54b570301626e61d6a',1795388711);
INSERT INTO block VALUES(229,'3ad1f7f9bad472c37645f9a62dc20fa7ba4f383a2bdfa3e7d8030fc8a2817253','3372db082fd6f86502391be30b895d120bbb596b57b54b8fdaf2a41468cee4cd',1795388711);
INSERT INTO block VALUES(23,'401719c1ae9c38e8ef2805f2828e0ab56165181be5c652ad33fe847663ba825a','2676a762d06cc109118f1be0c8362b5683fdc2f07d45ab61c8efb2aafdc6c69a',1795388582);
INSERT INTO block VALUES(230,'3b0ef8939b6253ef26935c71189eeb9701316957969403347bab2f9c60ad72f8','3ad1f7f9bad472c37645f9a62dc20fa7ba4f383a2bdfa3e7d8030fc8a2817253',1795388711);
INSERT INTO block VALUES(231,'6d2bfe800e2e1d2efbde75d9aa212b8a5733617137c58c3a376f006eb7065519','3b0ef8939b6253ef26935c71189eeb9701316957969403347bab2f9c60ad72f8',1795388712);
INSERT INTO block VALUES(232,'3bd69be73af3ebc0a11376ee16e4ef470e1658bb7ac97e9a95c23b8aca9e879b','6d2bfe800e2e1d2efbde75d9aa212b8a5733617137c58c3a376f006eb7065519',1795388713);
INSERT INTO block VALUES(233,'00d5bed5aaf2d9b6df17531671c2a10f167a77cb74dedc2cc21b3c03ae992780','3bd69be73af3ebc0a11376ee16e4ef470e1658bb7ac97e9a95c23b8aca9e879b',1795388713);
INSERT INTO block VALUES(234,'0e221f91199bbc5147e7aeed82b1ccef8f4c9a042963faed8e12f5606c0b3aa9','00d5bed5aaf2d9b6df17531671c2a10f167a77cb74dedc2cc21b3c03ae992780',1795388713);
INSERT INTO block VALUES(235,'025f75b05c36f63c491a011a314bfd04dba6a3bfb04ab81ef0ad7df1f8a9bfb9','0e221f91199bbc5147e7aeed82b1ccef8f4c9a042963faed8e12f5606c0b3aa9',1795388713);
INSERT INTO block VALUES(236,'0f8b5db480f14352700f4f56eef9261f80535557d287e210a10312e9d09cda00','025f75b05c36f63c491a011a314bfd04dba6a3bfb04ab81ef0ad7df1f8a9bfb9',1795388713);
INSERT INTO block VALUES(237,'4b81adb42e94e22972e1640705aea5f72aebae52f984961c01d956a0820721d9','0f8b5db480f14352700f4f56eef9261f80535557d287e210a10312e9d09cda00',1795388713);
INSERT INTO block VALUES(238,'639e04fab95b11d813cbb646518db78feb31fa1bfc358f4ada110dad171e512d','4b81adb42e94e22972e1640705aea5f72aebae52f984961c01d956a0820721d9',1795388714);
INSERT INTO block VALUES(239,'7d0ca714fe3fba6083ebe95778e375571673e05c212b379b0ac8f8d6c43a6285','639e04fab95b11d813cbb646518db78feb31fa1bfc358f4ada110dad171e512d',1795388714);
INSERT INTO block VALUES(24,'14b5c31571c78ddc22b7a495ebd6f64b955fb41247d2fcc9d69a4825b6a73169','401719c1ae9c38e8ef2805f2828e0ab56165181be5c652ad33fe847663ba825a',1795388583);
INSERT INTO block VALUES(240,'6300660a802ecec2d5e2cb19002a7c7432310ab09d7037c9232f45faea5916c2','7d0ca714fe3fba6083ebe95778e375571673e05c212b379b0ac8f8d6c43a6285',1795388714);
INSERT INTO block VALUES(241,'320cd078020cec2876e569318b3b2e4fc13abac71d01ffe9898a35e6cb3c547d','6300660a802ecec2d5e2cb19002a7c7432310ab09d7037c9232f45faea5916c2',1795388714);
INSERT INTO block VALUES(242,'2d6ab60e82ee4612c63042ad289cb1f2adc3c574e095378ffb811dfa150f89fc','320cd078020cec2876e569318b3b2e4fc13abac71d01ffe9898a35e6cb3c547d',1795388714);
INSERT INTO block VALUES(243,'474ff369c6186ddf290a15012dd4c739a496e0e0f72432b69eee8087ffe248a4','2d6ab60e82ee4612c63042ad289cb1f2adc3c574e095378ffb811dfa150f89fc',1795388714);
INSERT INTO block VALUES(244,'3d17dcbe7ebe00d155544070fd9da06fb448924e3bc64b7ccf810b8b138ca523','474ff369c6186ddf290a15012dd4c739a496e0e0f72432b69eee8087ffe248a4',1795388715);
INSERT INTO block VALUES(245,'454b6338f581b03dad9814a63eb00eabbf7a7b605c193d6a4180c41e72ec2381','3d17dcbe7ebe00d155544070fd9da06fb448924e3bc64b7ccf810b8b138ca523',1795388715);
INSERT INTO block VALUES(246,'452e1dae4af359aa845b44237990cc5a67c276261a6493fb6d182d17302a6a8e','454b6338f581b03dad9814a63eb00eabbf7a7b605c193d6a4180c41e72ec2381',1795388715);
INSERT INTO block VALUES(247,'35f2e9ed8cbc2246a0975baf7b55ad436c5ed7263ba424684639386a74623993','452e1dae4af359aa845b44237990cc5a67c276261a6493fb6d182d17302a6a8e',1795388715);
INSERT INTO block VALUES(248,'435f6ad3883adbec3f69f5ff3691b4676675651804c159ef195dac0c2509c7f6','35f2e9ed8cbc2246a0975baf7b55ad436c5ed7263ba424684639386a74623993',1795388715);
INSERT INTO block VALUES(249,'225b520472906f0b0d08c61cc05db8f9abf1e9630c8624f0b004fdf87df9158c','435f6ad3883adbec3f69f5ff3691b4676675651804c159ef195dac0c2509c7f6',1795388715);
INSERT INTO block VALUES(25,'3c1a27af58ad26a647f7a05b4badc73a7ea4e829f124610c3fa65cabbb7083a4','14b5c31571c78ddc22b7a495ebd6f64b955fb41247d2fcc9d69a4825b6a73169',1795388584);
INSERT INTO block VALUES(250,'39a291cebd3970dbfd4a6d799be49f8e41763b78072bf471c26e51210d5ea8da','225b520472906f0b0d08c61cc05db8f9abf1e9630c8624f0b004fdf87df9158c',1795388716);
INSERT INTO block VALUES(251,'42ffbee059652d3d9aa3a9dab5a452c61c6a7575e258c174393517fbf4f55fec','39a291cebd3970dbfd4a6d799be49f8e41763b78072bf471c26e51210d5ea8da',1795388716);
INSERT INTO block VALUES(252,'6e8b1b3d136f75cefe2d4d6f68a02145d8a6e934dfee137ae6e411869021c6e0','42ffbee059652d3d9aa3a9dab5a452c61c6a7575e258c174393517fbf4f55fec',1795388716);
INSERT INTO block VALUES(253,'55cf4a726bd616c844bfcc76cd971d1f346dc2c63b950b03ec7aded57152846c','6e8b1b3d136f75cefe2d4d6f68a02145d8a6e934dfee137ae6e411869021c6e0',1795388717);
INSERT INTO block VALUES(254,'133ebb75b3177a6e96d30fc6fee6bc2b7a98cc09505603cb7b97866006a040fd','55cf4a726bd616c844bfcc76cd971d1f346dc2c63b950b03ec7aded57152846c',1795388717);
INSERT INTO block VALUES(255,'1d0c8196792a5657c3c34a58377ae3c3b1b8ddb96938300f983aaea713a855d1','133ebb75b3177a6e96d30fc6fee6bc2b7a98cc09505603cb7b97866006a040fd',1795388717);
INSERT INTO block VALUES(256,'71f5839c7818a67ccb0a35c711f282300cf15d1f1b28c5820af1f2b4a7dae60c','1d0c8196792a5657c3c34a58377ae3c3b1b8ddb96938300f983aaea713a855d1',1795388717);
INSERT INTO block VALUES(257,'30a38fc56ad8b4a8f7fc6d87439d25651ba875538c1e17d8ee0dba76db0ef15f','71f5839c7818a67ccb0a35c711f282300cf15d1f1b28c5820af1f2b4a7dae60c',1795388717);
INSERT INTO block VALUES(258,'7f267585dfc46ff65c98c688825734e00885f3c5c75316ca24d3ba072df46cff','30a38fc56ad8b4a8f7fc6d87439d25651ba875538c1e17d8ee0dba76db0ef15f',1795388717);
INSERT INTO block VALUES(259,'0c981d656238398897376e141787d92bb59eceac993f834bb9d468e2821c0977','7f267585dfc46ff65c98c688825734e00885f3c5c75316ca24d3ba072df46cff',1795388718);
INSERT INTO block VALUES(26,'5fa7f480838d5a46a8c12d780e13ec0293433b767f4b8326cd13d1a9cb2bcbd5','3c1a27af58ad26a647f7a05b4badc73a7ea4e829f124610c3fa65cabbb7083a4',1795388585);
INSERT INTO block VALUES(260,'6e8f951450b3dfe187388124dcc6f2b8606231b4e6ea8ba89802ed6761c128db','0c981d656238398897376e141787d92bb59eceac993f834bb9d468e2821c0977',1795388719);
INSERT INTO block VALUES(261,'3d68ad2d21e2a9b768784274f22bb730e18cb54d7463dcb66c1d364d89069a93','6e8f951450b3dfe187388124dcc6f2b8606231b4e6ea8ba89802ed6761c128db',1795388719);
INSERT INTO block VALUES(262,'369acde422f3b96eee2d32e6d11825f9188f7edd9f5fb57e1114a2d699ff6862','3d68ad2d21e2a9b768784274f22bb730e18cb54d7463dcb66c1d364d89069a93',1795388719);
INSERT INTO block VALUES(263,'3cee50c1fc262d32e9b2d208de596d5f914cee8e8d3664bf170ca13831554263','369acde422f3b96eee2d32e6d11825f9188f7edd9f5fb57e1114a2d699ff6862',1795388719);
INSERT INTO block VALUES(264,'342d8cd410a4b9d0eba4228b9ef2a29cf4358fac1e136ac272569fa2fc670e1f','3cee50c1fc262d32e9b2d208de596d5f914cee8e8d3664bf170ca13831554263',1795388719);
INSERT INTO block VALUES(265,'26a166e4cd80042394f0821338646e0f2cd81459c22237af48d934d557ae9e0c','342d8cd410a4b9d0eba4228b9ef2a29cf4358fac1e136ac272569fa2fc670e1f',1795388719);
INSERT INTO block VALUES(266,'2583cc6068b34de7e1fe2a40d79fcfb09cfdb2a05a8c57970888d4849a87d380','26a166e4cd80042394f0821338646e0f2cd81459c22237af48d934d557ae9e0c',1795388720);
INSERT INTO block VALUES(267,'0ece326f42f36d4c4b9d7df8ce0e33dd32dd515ffd15214e170f5205ab4f5b10','2583cc6068b34de7e1fe2a40d79fcfb09cfdb2a05a8c57970888d4849a87d380',1795388721);
INSERT INTO block VALUES(268,'7a01a721c4fa535adc8ecb3bfe49030170fb1eda0cb1a52ea65a41398e0907f3','0ece326f42f36d4c4b9d7df8ce0e33dd32dd515ffd15214e170f5205ab4f5b10',1795388721);
INSERT INTO block VALUES(269,'087937f510de33f5de2caf92d3112a276ea4bb9f93818d6600c051b0ccfe241c','7a01a721c4fa535adc8ecb3bfe49030170fb1eda0cb1a52ea65a41398e0907f3',1795388721);
INSERT INTO block VALUES(27,'48cffed24d26fcb1515ac5ff808ae5d7575bbd5c4009bdb5327b5fdc1d8a6c88','5fa7f480838d5a46a8c12d780e13ec0293433b767f4b8326cd13d1a9cb2bcbd5',1795388586);
INSERT INTO block VALUES(270,'5dc241b30112ce6a5df5b67a8fddc9bdaf6167c334bbb70bced2880783aa61e0','087937f510de33f5de2caf92d3112a276ea4bb9f93818d6600c051b0ccfe241c',1795388721);
INSERT INTO block VALUES(271,'6dab176e66298e1f136eae83ea19860b2a6e554e48a0636fc5b0fca431d2a654','5dc241b30112ce6a5df5b67a8fddc9bdaf6167c334bbb70bced2880783aa61e0',1795388721);
INSERT INTO block VALUES(272,'2f6d9d433dc0fbe4d5fa2203dc004972afb8bc586734981492be13759799160f','6dab176e66298e1f136eae83ea19860b2a6e554e48a0636fc5b0fca431d2a654',1795388721);
INSERT INTO block VALUES(273,'1780b524fec7f93ce1668a8ecf545da006c1cbd44ed81b8e344b11195c72b33e','2f6d9d433dc0fbe4d5fa2203dc004972afb8bc586734981492be13759799160f',1795388722);
INSERT INTO block VALUES(274,'29c6e8f799f3e9fb46a1e3b712a955a2abc0985120b9054f41621f28de799ea0','1780b524fec7f93ce1668a8ecf545da006c1cbd44ed81b8e344b11195c72b33e',1795388723);
INSERT INTO block VALUES(275,'1ec01c13e5a97b9f435d373cfcbe44fab948c0148607afba58eecacbe5634214','29c6e8f799f3e9fb46a1e3b712a955a2abc0985120b9054f41621f28de799ea0',1795388723);
INSERT INTO block VALUES(276,'4b0e708f6cc9a4521d52fe857c4d6026a6a6e9167414dff57691f77765ae623d','1ec01c13e5a97b9f435d373cfcbe44fab948c0148607afba58eecacbe5634214',1795388723);
INSERT INTO block VALUES(277,'030bce60f5942ad3aa4fe47dc6bb85ad643a1d7d8ace39818bf6e9d5427a3181','4b0e708f6cc9a4521d52fe857c4d6026a6a6e9167414dff57691f77765ae623d',1795388723);
INSERT INTO block VALUES(278,'7fb1dc6c6d5ad1c147148f1c9841f969793e3ced5b2f4e31642a138617fb5ab3','030bce60f5942ad3aa4fe47dc6bb85ad643a1d7d8ace39818bf6e9d5427a3181',1795388723);
INSERT INTO block VALUES(279,'58ea265fed2e8c866fb0c107398da87bfca033afee517dea086f5060219f1838','7fb1dc6c6d5ad1c147148f1c9841f969793e3ced5b2f4e31642a138617fb5ab3',1795388723);
INSERT INTO block VALUES(28,'005cd4c14e102fb2de6aa7eec864028ef1c3b8341291945d862c6360d7e63629','48cffed24d26fcb1515ac5ff808ae5d7575bbd5c4009bdb5327b5fdc1d8a6c88',1795388587);
INSERT INTO block VALUES(280,'65e76525fcb68d34f9e8bcf2d3e6ee1b92d831d3dcbdd084c575b95a480dd890','58ea265fed2e8c866fb0c107398da87bfca033afee517dea086f5060219f1838',1795388724);
INSERT INTO block VALUES(281,'08e40350a0655252ca6c6ca19642725f1686fa278f182c0ac617e47e86ca5ed9','65e76525fcb68d34f9e8bcf2d3e6ee1b92d831d3dcbdd084c575b95a480dd890',1795388725);
INSERT INTO block VALUES(282,'325799ee666a04ab8fa4a50c3126fd39727b7af32db71e04d28acd1b0ca364e1','08e40350a0655252ca6c6ca19642725f1686fa278f182c0ac617e47e86ca5ed9',1795388725);
INSERT INTO block VALUES(283,'36c6c01039ff66db8c354708891f591c142a4277e6a126618382c1c1ff4d8f1c','325799ee666a04ab8fa4a50c3126fd39727b7af32db71e04d28acd1b0ca364e1',1795388725);
INSERT INTO block VALUES(284,'7dad418607e75723c53aa4b4c8d9b58157582c88ddccff70017b6e454afbf4df','36c6c01039ff66db8c354708891f591c142a4277e6a126618382c1c1ff4d8f1c',1795388725);
INSERT INTO block VALUES(285,'02c49293261f40d521e1b9602712a3503122a1c3b00cd5473b0b9812e6ce15e5','7dad418607e75723c53aa4b4c8d9b58157582c88ddccff70017b6e454afbf4df',1795388725);
INSERT INTO block VALUES(286,'70c1e0b983bec9c879be7e064cc89111ff82175f3fcd3c1c68affaf56bda9150','02c49293261f40d521e1b9602712a3503122a1c3b00cd5473b0b9812e6ce15e5',1795388725);
INSERT INTO block VALUES(287,'164102af130d45c4ab0ee69b832d4489102bbb48fa7ffd006f518a90955ea661','70c1e0b983bec9c879be7e064cc89111ff82175f3fcd3c1c68affaf56bda9150',1795388726);
INSERT INTO block VALUES(288,'39d164865fe93830a7d462aa6c35ed45ccae0b014f73944437bc0b20b823ada6','164102af130d45c4ab0ee69b832d4489102bbb48fa7ffd006f518a90955ea661',1795388726);
INSERT INTO block VALUES(289,'734dd90625dd8b737a9788983954023238b817732c26a0eaf0531e0ba96a0c18','39d164865fe93830a7d462aa6c35ed45ccae0b014f73944437bc0b20b823ada6',1795388726);
INSERT INTO block VALUES(29,'69856159b7c8331881e1b20e7629cfd255e475aed2e634899eed470946b9f772','005cd4c14e102fb2de6aa7eec864028ef1c3b8341291945d862c6360d7e63629',1795388588);
INSERT INTO block VALUES(3,'028ebe50470be5fa45318c35d7dfc407938ac8529740cb09804a0151f6cee2ed','268724c8a6c644b28c101c2b6ffe67487c0ac472be57e63606f758431ec9d780',1795388562);
INSERT INTO block VALUES(30,'44db1f7eaa4783603dd5239a4885006f45e51e5a1a0d205f3250e0c0d97dfa9f','69856159b7c8331881e1b20e7629cfd255e475aed2e634899eed470946b9f772',1795388589);
INSERT INTO block VALUES(31,'1abdf47fda0323b2422e1ee83c020c024dc58e44d106b8714dbb65d80683c1db','44db1f7eaa4783603dd5239a4885006f45e51e5a1a0d205f3250e0c0d97dfa9f',1795388590);
INSERT INTO block VALUES(32,'26120edd870168ca5c2923eb4bdbfb1d8b05a0a76e42b77d94ed746e4be1b9dd','1abdf47fda0323b2422e1ee83c020c024dc58e44d106b8714dbb65d80683c1db',1795388591);
INSERT INTO block VALUES(33,'22fdc23eae6000a0d32fa7955fc6d3d8eab0d73830034a1cbc1163de2e1bfa93','26120edd870168ca5c2923eb4bdbfb1d8b05a0a76e42b77d94ed746e4be1b9dd',1795388592);
INSERT INTO block VALUES(34,'72f8fd86dac660af4d72c65d4419f492ecfd04f0a1fcb2c9706d08a22327b4e0','22fdc23eae6000a0d32fa7955fc6d3d8eab0d73830034a1cbc1163de2e1bfa93',1795388593);
INSERT INTO block VALUES(35,'37377481ab9cc8782de02fc76a6f6a9f032b5bb3a712805e64bee655724e724f','72f8fd86dac660af4d72c65d4419f492ecfd04f0a1fcb2c9706d08a22327b4e0',1795388594);
INSERT INTO block VALUES(36,'2709034df39bb9d407492d60bd32d22197c00fcfcec0a18abf33a4ad5398115d','37377481ab9cc8782de02fc76a6f6a9f032b5bb3a712805e64bee655724e724f',1795388595);
INSERT INTO block VALUES(37,'1ea87493724e1538dc24f39002a35ffff8eaa2a322655a41e0589b9f7f3b2741','2709034df39bb9d407492d60bd32d22197c00fcfcec0a18abf33a4ad5398115d',1795388596);
INSERT INTO block VALUES(38,'09d81ae939c1875c0f80912e4ec6614f32c0b5465559e0c9b06fa6773c0b4a5f','1ea87493724e1538dc24f39002a35ffff8eaa2a322655a41e0589b9f7f3b2741',1795388597);
INSERT INTO block VALUES(39,'600e93ffb1ac0bb595ed9f5359f60ef3d071c4e9e339949c2918f607d69fe8e1','09d81ae939c1875c0f80912e4ec6614f32c0b5465559e0c9b06fa6773c0b4a5f',1795388598);
INSERT INTO block VALUES(4,'10de1d1a1fd36230a23f1db4f76696363cd6fe4c9fe0bc9c66b25abc07430e4f','028ebe50470be5fa45318c35d7dfc407938ac8529740cb09804a0151f6cee2ed',1795388563);
INSERT INTO block VALUES(40,'635870e2fa9c768911d60ca32f21a9bccb647b41fb87ea8716e6c5cadb0f5c96','600e93ffb1ac0bb595ed9f5359f60ef3d071c4e9e339949c2918f607d69fe8e1',1795388599);
INSERT INTO block VALUES(41,'51d02d8c1f665bbca7cdd35c770f96865873691e9eeffbe16e3c727029aaf03c','635870e2fa9c768911d60ca32f21a9bccb647b41fb87ea8716e6c5cadb0f5c96',1795388600);
INSERT INTO block VALUES(42,'0bf01b8c2f6c407a7004802b314a7db6116d619084191d12782d8022a8854a37','51d02d8c1f665bbca7cdd35c770f96865873691e9eeffbe16e3c727029aaf03c',1795388601);
INSERT INTO block VALUES(43,'58f3418a38fb0985c354176566c194385d31d8f0d3d20c81257cee8dc569ae29','0bf01b8c2f6c407a7004802b314a7db6116d619084191d12782d8022a8854a37',1795388602);
INSERT INTO block VALUES(44,'522970c769f7764fe0ae1679568fa18a14e6636ae6f1caa71638ba73f6c7e5d3','58f3418a38fb0985c354176566c194385d31d8f0d3d20c81257cee8dc569ae29',1795388603);
INSERT INTO block VALUES(45,'1ca6b677c2ca31ed50ca27b083c90c857cdb5dc65b294a5e0ecab5d4ae6d34bc','522970c769f7764fe0ae1679568fa18a14e6636ae6f1caa71638ba73f6c7e5d3',1795388604);
INSERT INTO block VALUES(46,'5a8cacf3f0681902db512d76d9736e80f4803599eb495b2b2bacdaa6acb9c69a','1ca6b677c2ca31ed50ca27b083c90c857cdb5dc65b294a5e0ecab5d4ae6d34bc',1795388605);
INSERT INTO block VALUES(47,'1a8fcb287802ca69f621ade588da466e66abf205acd689819f524a6a83c814c6','5a8cacf3f0681902db512d76d9736e80f4803599eb495b2b2bacdaa6acb9c69a',1795388606);
INSERT INTO block VALUES(48,'3b418010b6d9c9d4809fd6240480954548f9706c3a541e1788fabd350013e6a2','1a8fcb287802ca69f621ade588da466e66abf205acd689819f524a6a83c814c6',1795388607);
INSERT INTO block VALUES(49,'0da120e1c6ea78d832eb563e77e00eeb8ccf350a244e621a8fc4d7ca21a22c56','3b418010b6d9c9d4809fd6240480954548f9706c3a541e1788fabd350013e6a2',1795388608);
INSERT INTO block VALUES(5,'3bedcac76c6a150361edc7375dc53dae644e59be7c0f0449dfb75906c57f36f6','10de1d1a1fd36230a23f1db4f76696363cd6fe4c9fe0bc9c66b25abc07430e4f',1795388564);
INSERT INTO block VALUES(50,'480de77f336695f7b1f73e8b5befe345e05a21790a7a35f0728f6632897747f2','0da120e1c6ea78d832eb563e77e00eeb8ccf350a244e621a8fc4d7ca21a22c56',1795388609);
INSERT INTO block VALUES(51,'7d9f52637279ce415117d3613d2884d6d468705b319d15d03e9aee1eec9358ee','480de77f336695f7b1f73e8b5befe345e05a21790a7a35f0728f6632897747f2',1795388610);
INSERT INTO block VALUES(52,'09b24b780f8975b51634e7d95f58c960c824b77347ee9d379ee994137a595323','7d9f52637279ce415117d3613d2884d6d468705b319d15d03e9aee1eec9358ee',1795388611);
INSERT INTO block VALUES(53,'64f0db676921f3339759b7d634dedbdb108d2e24dc7c1cf22a1b8460beec1b3e','09b24b780f8975b51634e7d95f58c960c824b77347ee9d379ee994137a595323',1795388612);
INSERT INTO block VALUES(54,'1bf0c81289d6c21c030eb9c8e652e3b18aea15d1e7b4c60a1c85c9460f6e1def','64f0db676921f3339759b7d634dedbdb108d2e24dc7c1cf22a1b8460beec1b3e',1795388613);
INSERT INTO block VALUES(55,'55b8ede196627bda7f41eba0f1fb094c980c3273505ab340b95d47a9c5384af7','1bf0c81289d6c21c030eb9c8e652e3b18aea15d1e7b4c60a1c85c9460f6e1def',1795388614);
INSERT INTO block VALUES(56,'26fdef5bc06593197302a213cca734faea5f52a9a642b284f33837c5755cc28d','55b8ede196627bda7f41eba0f1fb094c980c3273505ab340b95d47a9c5384af7',1795388615);
INSERT INTO block VALUES(57,'4b6b9c68a4a75f831f997bcbe0e6ec923bdb60356fa23f00da6300771a943c1e','26fdef5bc06593197302a213cca734faea5f52a9a642b284f33837c5755cc28d',1795388616);
INSERT INTO block VALUES(58,'2c136ebc6bd7d4d4b69b76ca81c2b911fe1effbd1d6473676d2de97eee8c4e5f','4b6b9c68a4a75f831f997bcbe0e6ec923bdb60356fa23f00da6300771a943c1e',1795388617);
INSERT INTO block VALUES(59,'4169f5a8dba10225dccace40d1fbdebdda36310dad466cfeae4ae62d3bc14fb6','2c136ebc6bd7d4d4b69b76ca81c2b911fe1effbd1d6473676d2de97eee8c4e5f',1795388618);
INSERT INTO block VALUES(6,'5d5aaf2a16e489e2a52414a4b9edaefe8938ec20a30525cebd8e366a277d05ce','3bedcac76c6a150361edc7375dc53dae644e59be7c0f0449dfb75906c57f36f6',1795388565);
INSERT INTO block VALUES(60,'4d4a910d224d2de56d73a3ce23688018eb60123f5d4de85e6c1ca2bdb9fc0c05','4169f5a8dba10225dccace40d1fbdebdda36310dad466cfeae4ae62d3bc14fb6',1795388619);
INSERT INTO block VALUES(61,'410f9c9eb232264666aa63ea4eef6aa4d4e50cb2d53cdff6efd2fce7b3eb9454','4d4a910d224d2de56d73a3ce23688018eb60123f5d4de85e6c1ca2bdb9fc0c05',1795388620);
INSERT INTO block VALUES(62,'059721fd794121d5126ef375eadfcba7050a518b21c16f11e544cecdeaadce49','410f9c9eb232264666aa63ea4eef6aa4d4e50cb2d53cdff6efd2fce7b3eb9454',1795388621);
INSERT INTO block VALUES(63,'1bc90344d5d11c4d82012e4b25fa63d72a8f2690c44d1abf0bbf278c69e7303a','059721fd794121d5126ef375eadfcba7050a518b21c16f11e544cecdeaadce49',1795388622);
INSERT INTO block VALUES(64,'661385be41ed71f5cc80dda1b63754b230f49d37efc51cf5d26a89511264037c','1bc90344d5d11c4d82012e4b25fa63d72a8f2690c44d1abf0bbf278c69e7303a',1795388623);
INSERT INTO block VALUES(65,'5bfe87eb1012d46ff209a8584540960b50fef4da0babaaaa3eade53c12dc7ea3','661385be41ed71f5cc80dda1b63754b230f49d37efc51cf5d26a89511264037c',1795388624);
INSERT INTO block VALUES(66,'00d3da12d9baa52f4d99a91ab5106ad018748534efaf1c69328ac1cf3d7ca44a','5bfe87eb1012d46ff209a8584540960b50fef4da0babaaaa3eade53c12dc7ea3',1795388625);
INSERT INTO block VALUES(67,'21ff9cc344f47def58331722ff552c44c9ed2562b544d4172c4901147407eecc','00d3da12d9baa52f4d99a91ab5106ad018748534efaf1c69328ac1cf3d7ca44a',1795388626);
INSERT INTO block VALUES(68,'19b120f835b2e51a0f1ddaae1d3ecd71d037344cb6b8c8d690e61903a36b6669','21ff9cc344f47def58331722ff552c44c9ed2562b544d4172c4901147407eecc',1795388627);
INSERT INTO block VALUES(69,'60dbe2fb51580d2e4286bd88dfb81d656faa43c244080ada2b6b7cdafbdaa528','19b120f835b2e51a0f1ddaae1d3ecd71d037344cb6b8c8d690e61903a36b6669',1795388628);
INSERT INTO block VALUES(7,'5648bca02de7de74934cf8a3b0958495b3f1c9509cd0692378458ff05d17f934','5d5aaf2a16e489e2a52414a4b9edaefe8938ec20a30525cebd8e366a277d05ce',1795388566);
INSERT INTO block VALUES(70,'1fa0f77de5df93ca7ecfaf3895419111c214c6394c9bec47ac47b09b94209a02','60dbe2fb51580d2e4286bd88dfb81d656faa43c244080ada2b6b7cdafbdaa528',1795388629);
INSERT INTO block VALUES(71,'04c98a77985c30a6eb495fb9f1b8f2470af12ba9a77fb5d4bc74556dd9448a0b','1fa0f77de5df93ca7ecfaf3895419111c214c6394c9bec47ac47b09b94209a02',1795388630);
INSERT INTO block VALUES(72,'3a3599cbbd15a76e50de54acaed21595610fcd26cc0776a5af2ad95363d45442','04c98a77985c30a6eb495fb9f1b8f2470af12ba9a77fb5d4bc74556dd9448a0b',1795388631);
INSERT INTO block VALUES(73,'465c5d29359dbdfe76b927f0d6c1e1c6d0da2e5d54101eda3d4557a1565bb9b2','3a3599cbbd15a76e50de54acaed21595610fcd26cc0776a5af2ad95363d45442',1795388632);
INSERT INTO block VALUES(74,'733c1d42e4b2747b0beeec0641db6c6a7ab060d301e804ae2e872b17a0549bd2','465c5d29359dbdfe76b927f0d6c1e1c6d0da2e5d54101eda3d4557a1565bb9b2',1795388633);
INSERT INTO block VALUES(75,'135cb1ffb6a6b63c0d95468440c397c79066f3c06489b53824f629022a868026','733c1d42e4b2747b0beeec0641db6c6a7ab060d301e804ae2e872b17a0549bd2',1795388634);
INSERT INTO block VALUES(76,'41c21650d70594415a889c2fb6486c1e305153b754ab60a5574e79b81326c5fa','135cb1ffb6a6b63c0d95468440c397c79066f3c06489b53824f629022a868026',1795388635);
INSERT INTO block VALUES(77,'14166bb6b674907f8aad2a708126cebcb03fc76e06ffa869338fb31aa103c69f','41c21650d70594415a889c2fb6486c1e305153b754ab60a5574e79b81326c5fa',1795388636);
INSERT INTO block VALUES(78,'01029ab5bc843383d7046b93922e8517960bede434de6c44d4aa8a6f6bc91275','14166bb6b674907f8aad2a708126cebcb03fc76e06ffa869338fb31aa103c69f',1795388637);
INSERT INTO block VALUES(79,'7be0a3814990c8e8a7a98b8bc22eb5eaad250bcc48416a926978449d3b652fd0','01029ab5bc843383d7046b93922e8517960bede434de6c44d4aa8a6f6bc91275',1795388638);
INSERT INTO block VALUES(8,'4fcf86c4ff102ea01637aa574cd6d56e866aea08a64dcd34d13df4ef01a753c1','5648bca02de7de74934cf8a3b0958495b3f1c9509cd0692378458ff05d17f934',1795388567);
INSERT INTO block VALUES(80,'67ed96567a1a4925fac3877d6594c22987f0ea02cdd5480cf4da141d45578afa','7be0a3814990c8e8a7a98b8bc22eb5eaad250bcc48416a926978449d3b652fd0',1795388639);
INSERT INTO block VALUES(81,'20d1d5c0a30c9668a7487cfb5472fb93dc40efc41b35be117789642013fdc0da','67ed96567a1a4925fac3877d6594c22987f0ea02cdd5480cf4da141d45578afa',1795388640);
INSERT INTO block VALUES(82,'256ecf2ee8f12283cfb90d9ce1d7ce5a2f940c1b12e97cd59cf205ba468acc6b','20d1d5c0a30c9668a7487cfb5472fb93dc40efc41b35be117789642013fdc0da',1795388641);
INSERT INTO block VALUES(83,'65f0a3723235e1f0b15ab9d96410b21234d4fc5cae9732da6aa5ac5cc413bb3d','256ecf2ee8f12283cfb90d9ce1d7ce5a2f940c1b12e97cd59cf205ba468acc6b',1795388642);
INSERT INTO block VALUES(84,'1d451ec5deb6ccb71d52a8613e7d73730aa3cb1bb8f0bd5d10a0c8d52c8e14cf','65f0a3723235e1f0b15ab9d96410b21234d4fc5cae9732da6aa5ac5cc413bb3d',1795388643);
INSERT INTO block VALUES(85,'188e31dd786584ff2ee69d288b637c0dc94fd4f44019f6355ff0df8ebd81d6c3','1d451ec5deb6ccb71d52a8613e7d73730aa3cb1bb8f0bd5d10a0c8d52c8e14cf',1795388644);
INSERT INTO block VALUES(86,'0926493e1fec40685a91f3c4ee8143539e19a630be0149b368a31a64dcc4a388','188e31dd786584ff2ee69d288b637c0dc94fd4f44019f6355ff0df8ebd81d6c3',1795388645);
INSERT INTO block VALUES(87,'4637ca184dc93d304d8ab6f2e137d1a169c746df5abe62b1cf93e5887ae9e6dc','0926493e1fec40685a91f3c4ee8143539e19a630be0149b368a31a64dcc4a388',1795388646);
INSERT INTO block VALUES(88,'1906b65ac643696a60a00823019ee62d99e41c45dcdb7f8fe778504e96923999','4637ca184dc93d304d8ab6f2e137d1a169c746df5abe62b1cf93e5887ae9e6dc',1795388647);
INSERT INTO block VALUES(89,'33507c80614d6656faf1d66b7d16d0ae23079c2de779a5f118f3cc1b22058f43','1906b65ac643696a60a00823019ee62d99e41c45dcdb7f8fe778504e96923999',1795388648);
INSERT INTO block VALUES(9,'4aa2e10182b5aa02cbf1bcb5041b411890d4af5db22f72745d718b64343a5280','4fcf86c4ff102ea01637aa574cd6d56e866aea08a64dcd34d13df4ef01a753c1',1795388568);
INSERT INTO block VALUES(90,'588c88111f7383776bea291232433eb011fa3336784b519224b9ce6766ae6ef7','33507c80614d6656faf1d66b7d16d0ae23079c2de779a5f118f3cc1b22058f43',1795388649);
INSERT INTO block VALUES(91,'1a0e40b669d015f7ec67152e14de7aa4e2e791f6b7dff24d615230e0d3691852','588c88111f7383776bea291232433eb011fa3336784b519224b9ce6766ae6ef7',1795388650);
INSERT INTO block VALUES(92,'434e0e15ed868a99881d6ae774e0cee01d72852be3b1e0006223affd74dca973','1a0e40b669d015f7ec67152e14de7aa4e2e791f6b7dff24d615230e0d3691852',1795388651);
INSERT INTO block VALUES(93,'5114283b01a4f9cc5ea5bfc319c63f41e09fc2018a435f47954a7a011db824b6','434e0e15ed868a99881d6ae774e0cee01d72852be3b1e0006223affd74dca973',1795388652);
INSERT INTO block VALUES(94,'69bdfdb4873f1f2a880827e9779703d028b3a74f0020d125b88c0008fa842a79','5114283b01a4f9cc5ea5bfc319c63f41e09fc2018a435f47954a7a011db824b6',1795388653);
INSERT INTO block VALUES(95,'4176f34ad451e15ebd840d9f53ed87a374e9ef6af307c6c0ca7ac1d50e0e8aea','69bdfdb4873f1f2a880827e9779703d028b3a74f0020d125b88c0008fa842a79',1795388654);
INSERT INTO block VALUES(96,'5e86c71dd0c62a3f6cfa9f5fb850b4c885543d08323b0411e3efceb621689bff','4176f34ad451e15ebd840d9f53ed87a374e9ef6af307c6c0ca7ac1d50e0e8aea',1795388655);
INSERT INTO block VALUES(97,'51d6055d03791c3fd0b746ac05b942b1bda26396bcf09a667ab159f8e2553334','5e86c71dd0c62a3f6cfa9f5fb850b4c885543d08323b0411e3efceb621689bff',1795388656);
INSERT INTO block VALUES(98,'3b27b2940c8c6be1054a9b3c1ad002736ee374ecd63ece0977d0737d78b335c0','51d6055d03791c3fd0b746ac05b942b1bda26396bcf09a667ab159f8e2553334',1795388657);
INSERT INTO block VALUES(99,'602f4994223d0bf490b3dad681aaefacad905bfdc83c170ad081efaaa928139a','3b27b2940c8c6be1054a9b3c1ad002736ee374ecd63ece0977d0737d78b335c0',1795388658);
INSERT INTO boundary VALUES('dummy',0,125);
INSERT INTO boundary VALUES('dummy',1,128);
INSERT INTO boundary VALUES('dummy',10,210);
INSERT INTO boundary VALUES('dummy',11,217);
INSERT INTO boundary VALUES('dummy',12,224);
INSERT INTO boundary VALUES('dummy',13,231);
INSERT INTO boundary VALUES('dummy',14,252);
INSERT INTO boundary VALUES('dummy',15,259);
INSERT INTO boundary VALUES('dummy',16,266);
INSERT INTO boundary VALUES('dummy',17,273);
INSERT INTO boundary VALUES('dummy',18,280);
INSERT INTO boundary VALUES('dummy',2,135);
INSERT INTO boundary VALUES('dummy',3,142);
INSERT INTO boundary VALUES('dummy',4,156);
INSERT INTO boundary VALUES('dummy',5,163);
INSERT INTO boundary VALUES('dummy',6,170);
INSERT INTO boundary VALUES('dummy',7,177);
INSERT INTO boundary VALUES('dummy',8,184);
INSERT INTO boundary VALUES('dummy',9,203);
INSERT INTO boundary VALUES('lobo',0,125);
INSERT INTO boundary VALUES('lobo',1,128);
INSERT INTO boundary VALUES('lobo',10,210);
INSERT INTO boundary VALUES('lobo',11,217);
INSERT INTO boundary VALUES('lobo',12,224);
INSERT INTO boundary VALUES('lobo',13,231);
INSERT INTO boundary VALUES('lobo',14,252);
INSERT INTO boundary VALUES('lobo',15,259);
INSERT INTO boundary VALUES('lobo',16,266);
INSERT INTO boundary VALUES('lobo',17,273);
INSERT INTO boundary VALUES('lobo',18,280);
INSERT INTO boundary VALUES('lobo',2,135);
INSERT INTO boundary VALUES('lobo',3,142);
INSERT INTO boundary VALUES('lobo',4,156);
INSERT INTO boundary VALUES('lobo',5,163);
INSERT INTO boundary VALUES('lobo',6,170);
INSERT INTO boundary VALUES('lobo',7,177);
INSERT INTO boundary VALUES('lobo',8,184);
INSERT INTO boundary VALUES('lobo',9,203);
INSERT INTO community VALUES('dummy','116:1',1,'regtest');
INSERT INTO community VALUES('lobo','116:2',0,'regtest');
INSERT INTO counter VALUES('journal',202);
INSERT INTO counter VALUES('operator',1);
INSERT INTO counter VALUES('order',11);
INSERT INTO counter VALUES('payment',19);
INSERT INTO counter VALUES('payout version',6);
INSERT INTO counter VALUES('rune order',1);
INSERT INTO counter VALUES('stake:lobo',10);
INSERT INTO counter VALUES('unit',52);
INSERT INTO counter VALUES('watch',25);
INSERT INTO custody VALUES('06e8a7000e99ee7bf11994ee9710d938d435bf54c825c166489dbb66a3ca2799',0,'lobo','payment','1cb658bd516b6923fdc063e26351307f','bcrt1qwlre4yf78hqpsa5dh9uhxzl9cn0zeg3z0730uq',X'512009C46EC3FAE7FAF888F88B53BAEB9706DC142367ECBBE77E9FED2297A7E8A59B',2283,0,'',0,0,1795394293,245,0,'8a48043cb10400028ec837b09f675027c049de59167ad38a9558f63bcf5b25b0',1,246);
INSERT INTO custody VALUES('1d3638f91300f5f17c0c60185da13a544d66cf4eaaff59ed4fda7da31bcf80f2',0,'lobo','payment','b5b558c793aa6d15d39fa40c32207d6e','bcrt1qwlre4yf78hqpsa5dh9uhxzl9cn0zeg3z0730uq',X'5120EC78DE9A3DF8BCD519B6ADAD661517F4E6AE274651C8A06B79970F3DA79C3689',2495,0,'',0,0,1795392433,239,0,'',0,-1);
INSERT INTO custody VALUES('1e8fcfa638534bc6817cf23a454674c98338a1b9f0460f65aa318db29fc83550',0,'lobo','payment','7d5a5faf45caf3ea7ab2c71a3c2da9eb','bcrt1prvw768eqwwr9t44nm674q6twvdcchmk5qn5zt4pcfwjydrtwrg9skmeulc',X'5120645158DE410DEB2259584D63441D6D5C8DEAAD669403246C88FF994CD823B64D',2608,0,'',0,0,1795388690,150,0,'bf3598a8e68ad6249b1c0be78d570cf6b872ce9c98723420d0d19c2c2a6b7603',1,151);
INSERT INTO custody VALUES('24392bc9cdca36c90efa6a4cc495d3603158d3529529cfc2401c9ed5d5bca6f6',2,'lobo','sats','bcrt1pmaa9r80fz62la8dsf6s5pn5kcv4g02mfrdnheehpnzjl4wl9e0lq5tn6lr','',X'5120DF7A519DE91695FE9DB04EA140CE96C32A87AB691B677CE6E198A5FABBE5CBFE',1500,0,'',1,0,1795396165,-1,0,'',0,-1);
INSERT INTO custody VALUES('2a16f892a67baf8c849b850384543753899c5cf68e919bee80e31b6822c55fab',0,'lobo','runes','bcrt1pq4wwad0yt6ykwlcjhyhkwplzpcaexnj07n0ht4cjywz5zngpmq7seaeflh','',X'5120055CEEB5E45E89677F12B92F6707E20E3B934E4FF4DF75D7122385414D01D83D',546,25000000000000,'',1,0,1795388684,123,0,'',0,-1);
INSERT INTO custody VALUES('2a16f892a67baf8c849b850384543753899c5cf68e919bee80e31b6822c55fab',1,'lobo','runes','bcrt1pq4wwad0yt6ykwlcjhyhkwplzpcaexnj07n0ht4cjywz5zngpmq7seaeflh','',X'5120055CEEB5E45E89677F12B92F6707E20E3B934E4FF4DF75D7122385414D01D83D',546,25000000000000,'',1,0,1795388684,123,0,'',0,-1);
INSERT INTO custody VALUES('2a16f892a67baf8c849b850384543753899c5cf68e919bee80e31b6822c55fab',2,'lobo','runes','bcrt1pq4wwad0yt6ykwlcjhyhkwplzpcaexnj07n0ht4cjywz5zngpmq7seaeflh','',X'5120055CEEB5E45E89677F12B92F6707E20E3B934E4FF4DF75D7122385414D01D83D',546,25000000000000,'',1,0,1795388684,123,0,'bf3598a8e68ad6249b1c0be78d570cf6b872ce9c98723420d0d19c2c2a6b7603',1,151);
INSERT INTO custody VALUES('2c4749448c872caa2532ff800efc5ede4459716e26f3d327ec7340108f0d89bc',0,'lobo','stake','bcrt1pel6lc3n8kzwtajtreul0hkz5unqtplsehulzm2qcce269c4g72wqhk6rgx','bcrt1p0pdnsh3jus6axauyfs9qgk8tvkg8gncp7vks2w3sfshmw7ykc0hsv3aqm3',X'5120CFF5FC4667B09CBEC963CF3EFBD854E4C0B0FE19BF3E2DA818C655A2E2A8F29C',546,10000000000,'',0,0,1795394293,250,0,'ad217e3b0ac34906cd388abb6e98605f0ba6c176efbef247443658ac723e34c0',1,289);
INSERT INTO custody VALUES('2e4e7f8e964fcad3fa7f9cc20deb3890df6cea602b56de117fbb3bfc5e818c7f',2,'lobo','sats','bcrt1pmaa9r80fz62la8dsf6s5pn5kcv4g02mfrdnheehpnzjl4wl9e0lq5tn6lr','',X'5120DF7A519DE91695FE9DB04EA140CE96C32A87AB691B677CE6E198A5FABBE5CBFE',1517,0,'',1,0,1795394293,242,0,'',0,-1);
INSERT INTO custody VALUES('3d6f12e11cde37343c8e45b66a3c21fa927476b7abd458860cf5366fc4f548f1',0,'lobo','stake','bcrt1p57agnrjjx5tqzc27qawx6szhnhngtmye3s6g4j7u99ug7x97jk4qegrj7x','bcrt1qwlre4yf78hqpsa5dh9uhxzl9cn0zeg3z0730uq',X'5120A7BA898E52351601615E075C6D40579DE685EC998C348ACBDC29788F18BE95AA',546,20000000000,'',0,0,1795396165,-1,0,'',0,-1);
INSERT INTO custody VALUES('4e7048de2a57cc2869d6a5c6d559c395a9c2d55bd4370c00dff4a62f5d9773e7',0,'lobo','stake','bcrt1pwkkfhyk24gdcf6e6vzvcc3p5h6ga7ykqs0v9fm5ejh7n77nmm9ysvdwprm','bcrt1prvw768eqwwr9t44nm674q6twvdcchmk5qn5zt4pcfwjydrtwrg9skmeulc',X'512075AC9B92CAAA1B84EB3A60998C4434BE91DF12C083D854EE9995FD3F7A7BD949',546,150000000000,'',0,0,1795388685,126,0,'707bca7f5874b6b270a6da91ea3024c1bf3497414308a516272a9ebbeeedd665',1,194);
INSERT INTO custody VALUES('707bca7f5874b6b270a6da91ea3024c1bf3497414308a516272a9ebbeeedd665',2,'lobo','sats','bcrt1pmaa9r80fz62la8dsf6s5pn5kcv4g02mfrdnheehpnzjl4wl9e0lq5tn6lr','',X'5120DF7A519DE91695FE9DB04EA140CE96C32A87AB691B677CE6E198A5FABBE5CBFE',1502,0,'',1,0,1795388701,194,0,'',0,-1);
INSERT INTO custody VALUES('786af5fa708f4d742353b2937bb9b31e327e000638b4e01c4799f1b8fecb5599',0,'lobo','payment','8deb0836b9991e28de2f71fa30500bb2','bcrt1p0pdnsh3jus6axauyfs9qgk8tvkg8gncp7vks2w3sfshmw7ykc0hsv3aqm3',X'5120FFECFBD7A0D2EBD1A7CD283C050F235A4416C7B7CE14F51647122EACF1A41C5D',1259,0,'',0,0,1795394305,289,0,'',0,-1);
INSERT INTO custody VALUES('7c82e3386827a54b20524001e469ff6cd02083e07d34a3d7fafaa9a22d527b1f',0,'lobo','stake','bcrt1pz83ny3v4r79td488a2xxy6704kgyhls8fuehjq4nvc6yt60dfxeqlu2lct','bcrt1qwlre4yf78hqpsa5dh9uhxzl9cn0zeg3z0730uq',X'512011E33245951F8AB6D4E7EA8C626BCFAD904BFE074F337902B3663445E9ED49B2',546,30000000000,'',0,0,1795388701,201,0,'',0,-1);
INSERT INTO custody VALUES('7f93726ddbe100df588af894fb7d42f0f2ddd7369b659f3936994da98bc6bf9e',0,'lobo','stake','bcrt1puht5aatner4gldknqf9yh4vhn9gnqggev6kru4j7mp0pga7x6lfqh63xp9','bcrt1p0pdnsh3jus6axauyfs9qgk8tvkg8gncp7vks2w3sfshmw7ykc0hsv3aqm3',X'5120E5D74EF573C8EA8FB6D3024A4BD597995130211966AC3E565ED85E1477C6D7D2',546,13000000000,'',0,0,1795394293,250,0,'',0,-1);
INSERT INTO custody VALUES('8bdd52e555500a6a6419582fc60c9da6f58680707e7bf16e5677beeaf19dfac8',0,'lobo','payment','301327c4bff2f286f0aefb999939b217','bcrt1p0pdnsh3jus6axauyfs9qgk8tvkg8gncp7vks2w3sfshmw7ykc0hsv3aqm3',X'51205831D2536C3681FDC9C9401F28A80292B450BEC8B97F6E1D5A9EBED484906429',2519,0,'',0,0,1795396165,289,0,'24392bc9cdca36c90efa6a4cc495d3603158d3529529cfc2401c9ed5d5bca6f6',1,-1);
INSERT INTO custody VALUES('97a067336105f8ce4bed42736f6842cc318d28b01427a12b2799495c996f465c',0,'dummy','sats','bcrt1p54apk775pecj9n66h0k6w0smvqt2vxndjtuthqjve6lq8v6y9x6sep5ph3','',X'5120A57A1B7BD40E7122CF5ABBEDA73E1B6016A61A6D92F8BB824CCEBE03B34429B5',1250000,0,'',1,0,1795388684,124,0,'',0,-1);
INSERT INTO custody VALUES('97a067336105f8ce4bed42736f6842cc318d28b01427a12b2799495c996f465c',1,'dummy','sats','bcrt1p54apk775pecj9n66h0k6w0smvqt2vxndjtuthqjve6lq8v6y9x6sep5ph3','',X'5120A57A1B7BD40E7122CF5ABBEDA73E1B6016A61A6D92F8BB824CCEBE03B34429B5',1250000,0,'',1,0,1795388684,124,0,'',0,-1);
INSERT INTO custody VALUES('97a067336105f8ce4bed42736f6842cc318d28b01427a12b2799495c996f465c',2,'dummy','sats','bcrt1p54apk775pecj9n66h0k6w0smvqt2vxndjtuthqjve6lq8v6y9x6sep5ph3','',X'5120A57A1B7BD40E7122CF5ABBEDA73E1B6016A61A6D92F8BB824CCEBE03B34429B5',1250000,0,'',1,0,1795388684,124,0,'',0,-1);
INSERT INTO custody VALUES('97a067336105f8ce4bed42736f6842cc318d28b01427a12b2799495c996f465c',3,'dummy','sats','bcrt1p54apk775pecj9n66h0k6w0smvqt2vxndjtuthqjve6lq8v6y9x6sep5ph3','',X'5120A57A1B7BD40E7122CF5ABBEDA73E1B6016A61A6D92F8BB824CCEBE03B34429B5',1250000,0,'',1,0,1795388684,124,0,'',0,-1);
INSERT INTO custody VALUES('97a067336105f8ce4bed42736f6842cc318d28b01427a12b2799495c996f465c',4,'dummy','sats','bcrt1p54apk775pecj9n66h0k6w0smvqt2vxndjtuthqjve6lq8v6y9x6sep5ph3','',X'5120A57A1B7BD40E7122CF5ABBEDA73E1B6016A61A6D92F8BB824CCEBE03B34429B5',1250000,0,'',1,0,1795388684,124,0,'',0,-1);
INSERT INTO custody VALUES('97a067336105f8ce4bed42736f6842cc318d28b01427a12b2799495c996f465c',5,'dummy','sats','bcrt1p54apk775pecj9n66h0k6w0smvqt2vxndjtuthqjve6lq8v6y9x6sep5ph3','',X'5120A57A1B7BD40E7122CF5ABBEDA73E1B6016A61A6D92F8BB824CCEBE03B34429B5',1250000,0,'',1,0,1795388684,124,0,'',0,-1);
INSERT INTO custody VALUES('97a067336105f8ce4bed42736f6842cc318d28b01427a12b2799495c996f465c',6,'dummy','sats','bcrt1p54apk775pecj9n66h0k6w0smvqt2vxndjtuthqjve6lq8v6y9x6sep5ph3','',X'5120A57A1B7BD40E7122CF5ABBEDA73E1B6016A61A6D92F8BB824CCEBE03B34429B5',1250000,0,'',1,0,1795388684,124,0,'',0,-1);
INSERT INTO custody VALUES('97a067336105f8ce4bed42736f6842cc318d28b01427a12b2799495c996f465c',7,'dummy','sats','bcrt1p54apk775pecj9n66h0k6w0smvqt2vxndjtuthqjve6lq8v6y9x6sep5ph3','',X'5120A57A1B7BD40E7122CF5ABBEDA73E1B6016A61A6D92F8BB824CCEBE03B34429B5',1250000,0,'',1,0,1795388684,124,0,'',0,-1);
INSERT INTO custody VALUES('9822eacde24cd00dea102431b249a1cc0ee7b42a169dd8047be5d4d75ce2ae0e',0,'lobo','stake','bcrt1ph9l78lc5m4c2a4lzt0phf5qccj5jxcakard2pa640538fn2v4g4qx368md','bcrt1qwlre4yf78hqpsa5dh9uhxzl9cn0zeg3z0730uq',X'5120B97FE3FF14DD70AED7E25BC374D018C4A92363B6E8DAA0F7557D2274CD4CAA2A',546,40000000000,'',0,0,1795388701,201,0,'2e4e7f8e964fcad3fa7f9cc20deb3890df6cea602b56de117fbb3bfc5e818c7f',1,242);
INSERT INTO custody VALUES('9a8e55f4c0bbec765cd03ef8d9244200d8ab13db0b179cf768a97e3d928096a0',0,'lobo','payment','b7d9928e9824a4ff1e65dc4ce8114235','bcrt1prvw768eqwwr9t44nm674q6twvdcchmk5qn5zt4pcfwjydrtwrg9skmeulc',X'51205FEE469B920117860286859082238ED8CB011C5DCEA7461AE80F18081A7C9348',1378,0,'',0,0,1795388701,193,0,'707bca7f5874b6b270a6da91ea3024c1bf3497414308a516272a9ebbeeedd665',1,194);
INSERT INTO custody VALUES('a38f11961c68600ccf0d7f5b11ef18ba326f7d59a75495719dfbfc9475339de1',0,'lobo','sats','bcrt1pmaa9r80fz62la8dsf6s5pn5kcv4g02mfrdnheehpnzjl4wl9e0lq5tn6lr','',X'5120DF7A519DE91695FE9DB04EA140CE96C32A87AB691B677CE6E198A5FABBE5CBFE',1250000,0,'',1,0,1795388684,123,0,'',0,-1);
INSERT INTO custody VALUES('a38f11961c68600ccf0d7f5b11ef18ba326f7d59a75495719dfbfc9475339de1',1,'lobo','sats','bcrt1pmaa9r80fz62la8dsf6s5pn5kcv4g02mfrdnheehpnzjl4wl9e0lq5tn6lr','',X'5120DF7A519DE91695FE9DB04EA140CE96C32A87AB691B677CE6E198A5FABBE5CBFE',1250000,0,'',1,0,1795388684,123,0,'',0,-1);
INSERT INTO custody VALUES('a38f11961c68600ccf0d7f5b11ef18ba326f7d59a75495719dfbfc9475339de1',2,'lobo','sats','bcrt1pmaa9r80fz62la8dsf6s5pn5kcv4g02mfrdnheehpnzjl4wl9e0lq5tn6lr','',X'5120DF7A519DE91695FE9DB04EA140CE96C32A87AB691B677CE6E198A5FABBE5CBFE',1250000,0,'',1,0,1795388684,123,0,'',0,-1);
INSERT INTO custody VALUES('a38f11961c68600ccf0d7f5b11ef18ba326f7d59a75495719dfbfc9475339de1',3,'lobo','sats','bcrt1pmaa9r80fz62la8dsf6s5pn5kcv4g02mfrdnheehpnzjl4wl9e0lq5tn6lr','',X'5120DF7A519DE91695FE9DB04EA140CE96C32A87AB691B677CE6E198A5FABBE5CBFE',1250000,0,'',1,0,1795388684,123,0,'',0,-1);
INSERT INTO custody VALUES('a38f11961c68600ccf0d7f5b11ef18ba326f7d59a75495719dfbfc9475339de1',4,'lobo','sats','bcrt1pmaa9r80fz62la8dsf6s5pn5kcv4g02mfrdnheehpnzjl4wl9e0lq5tn6lr','',X'5120DF7A519DE91695FE9DB04EA140CE96C32A87AB691B677CE6E198A5FABBE5CBFE',1250000,0,'',1,0,1795388684,123,0,'',0,-1);
INSERT INTO custody VALUES('a38f11961c68600ccf0d7f5b11ef18ba326f7d59a75495719dfbfc9475339de1',5,'lobo','sats','bcrt1pmaa9r80fz62la8dsf6s5pn5kcv4g02mfrdnheehpnzjl4wl9e0lq5tn6lr','',X'5120DF7A519DE91695FE9DB04EA140CE96C32A87AB691B677CE6E198A5FABBE5CBFE',1250000,0,'',1,0,1795388684,123,0,'',0,-1);
INSERT INTO custody VALUES('a38f11961c68600ccf0d7f5b11ef18ba326f7d59a75495719dfbfc9475339de1',6,'lobo','sats','bcrt1pmaa9r80fz62la8dsf6s5pn5kcv4g02mfrdnheehpnzjl4wl9e0lq5tn6lr','',X'5120DF7A519DE91695FE9DB04EA140CE96C32A87AB691B677CE6E198A5FABBE5CBFE',1250000,0,'',1,0,1795388684,123,0,'',0,-1);
INSERT INTO custody VALUES('a38f11961c68600ccf0d7f5b11ef18ba326f7d59a75495719dfbfc9475339de1',7,'lobo','sats','bcrt1pmaa9r80fz62la8dsf6s5pn5kcv4g02mfrdnheehpnzjl4wl9e0lq5tn6lr','',X'5120DF7A519DE91695FE9DB04EA140CE96C32A87AB691B677CE6E198A5FABBE5CBFE',1250000,0,'',1,0,1795388684,123,0,'',0,-1);
INSERT INTO custody VALUES('ad217e3b0ac34906cd388abb6e98605f0ba6c176efbef247443658ac723e34c0',2,'lobo','sats','bcrt1pmaa9r80fz62la8dsf6s5pn5kcv4g02mfrdnheehpnzjl4wl9e0lq5tn6lr','',X'5120DF7A519DE91695FE9DB04EA140CE96C32A87AB691B677CE6E198A5FABBE5CBFE',1500,0,'',1,0,1795394305,289,0,'',0,-1);
INSERT INTO custody VALUES('b26d47b394a4e6450f0889cfa10ccd75209135c9ece0f31f5ecd256c48d7435b',0,'lobo','stake','bcrt1pg9n4xg2l45tvw798ck25mrgzqf5je4hqxvazp9qz2y8d8uph40rsmug8uu','bcrt1p0pdnsh3jus6axauyfs9qgk8tvkg8gncp7vks2w3sfshmw7ykc0hsv3aqm3',X'5120416753215FAD16C778A7C5954D8D0202692CD6E0333A209402510ED3F037ABC7',546,11000000000,'',0,0,1795394293,250,0,'',0,-1);
INSERT INTO custody VALUES('b978fab06fce4ff06751b19cb760bed0a859c2e76afd9bd5c8faa9de47066ef2',0,'lobo','stake','bcrt1p8f29rf7ttyq9d3q5xezuytlg3u2att9t5k0h3jnpymn6tca60kyqjmklac','bcrt1p0pdnsh3jus6axauyfs9qgk8tvkg8gncp7vks2w3sfshmw7ykc0hsv3aqm3',X'51203A5451A7CB590056C4143645C22FE88F15D5ACABA59F78CA6126E7A5E3BA7D88',546,12000000000,'',0,0,1795394293,250,0,'24392bc9cdca36c90efa6a4cc495d3603158d3529529cfc2401c9ed5d5bca6f6',1,-1);
INSERT INTO custody VALUES('be1a32b8d850c4d879b2f04490123777dad4c5072423a8f65a784be80fc7ada5',0,'lobo','payment','b7d9928e9824a4ff1e65dc4ce8114235','bcrt1prvw768eqwwr9t44nm674q6twvdcchmk5qn5zt4pcfwjydrtwrg9skmeulc',X'51205FEE469B920117860286859082238ED8CB011C5DCEA7461AE80F18081A7C9348',1260,0,'',0,0,1795388701,192,0,'707bca7f5874b6b270a6da91ea3024c1bf3497414308a516272a9ebbeeedd665',1,194);
INSERT INTO custody VALUES('bf3598a8e68ad6249b1c0be78d570cf6b872ce9c98723420d0d19c2c2a6b7603',1,'lobo','runes','bcrt1pq4wwad0yt6ykwlcjhyhkwplzpcaexnj07n0ht4cjywz5zngpmq7seaeflh','',X'5120055CEEB5E45E89677F12B92F6707E20E3B934E4FF4DF75D7122385414D01D83D',546,24934127418716,'',1,0,1795388690,151,0,'',0,-1);
INSERT INTO custody VALUES('bf3598a8e68ad6249b1c0be78d570cf6b872ce9c98723420d0d19c2c2a6b7603',3,'lobo','sats','bcrt1pmaa9r80fz62la8dsf6s5pn5kcv4g02mfrdnheehpnzjl4wl9e0lq5tn6lr','',X'5120DF7A519DE91695FE9DB04EA140CE96C32A87AB691B677CE6E198A5FABBE5CBFE',1500,0,'',1,0,1795388690,151,0,'',0,-1);
INSERT INTO custody VALUES('c9be626b2fff4fcd7131ead37979ae5af5e76614e63d412be6f580944582fa55',0,'lobo','payment','386ff045fe6edcc80e4a3a04958a5521','bcrt1qwlre4yf78hqpsa5dh9uhxzl9cn0zeg3z0730uq',X'5120A8F0CBAFA50A32889A350EBF96D5BC699A47BB930ACA7DA9FE112A8E42B0F3CB',5733,0,'',0,0,1795394293,241,0,'2e4e7f8e964fcad3fa7f9cc20deb3890df6cea602b56de117fbb3bfc5e818c7f',1,242);
INSERT INTO custody VALUES('d4a745b277feab4e44f273b03e95fb64c0479200101cd3d0123a6291badf221a',0,'lobo','runes','bcrt1pq4wwad0yt6ykwlcjhyhkwplzpcaexnj07n0ht4cjywz5zngpmq7seaeflh','',X'5120055CEEB5E45E89677F12B92F6707E20E3B934E4FF4DF75D7122385414D01D83D',546,25000000000000,'',1,0,1795388684,123,0,'',0,-1);
INSERT INTO custody VALUES('d4a745b277feab4e44f273b03e95fb64c0479200101cd3d0123a6291badf221a',1,'lobo','runes','bcrt1pq4wwad0yt6ykwlcjhyhkwplzpcaexnj07n0ht4cjywz5zngpmq7seaeflh','',X'5120055CEEB5E45E89677F12B92F6707E20E3B934E4FF4DF75D7122385414D01D83D',546,25000000000000,'',1,0,1795388684,123,0,'',0,-1);
INSERT INTO custody VALUES('d4a745b277feab4e44f273b03e95fb64c0479200101cd3d0123a6291badf221a',2,'lobo','runes','bcrt1pq4wwad0yt6ykwlcjhyhkwplzpcaexnj07n0ht4cjywz5zngpmq7seaeflh','',X'5120055CEEB5E45E89677F12B92F6707E20E3B934E4FF4DF75D7122385414D01D83D',546,25000000000000,'',1,0,1795388684,123,0,'',0,-1);
INSERT INTO custody VALUES('d4a745b277feab4e44f273b03e95fb64c0479200101cd3d0123a6291badf221a',3,'lobo','runes','bcrt1pq4wwad0yt6ykwlcjhyhkwplzpcaexnj07n0ht4cjywz5zngpmq7seaeflh','',X'5120055CEEB5E45E89677F12B92F6707E20E3B934E4FF4DF75D7122385414D01D83D',546,25000000000000,'',1,0,1795388684,123,0,'',0,-1);
INSERT INTO custody VALUES('d4a745b277feab4e44f273b03e95fb64c0479200101cd3d0123a6291badf221a',4,'lobo','runes','bcrt1pq4wwad0yt6ykwlcjhyhkwplzpcaexnj07n0ht4cjywz5zngpmq7seaeflh','',X'5120055CEEB5E45E89677F12B92F6707E20E3B934E4FF4DF75D7122385414D01D83D',546,25000000000000,'',1,0,1795388684,123,0,'',0,-1);
INSERT INTO custody VALUES('e034a09347452f453c3125067be2ec51fddb222cb7a47ff7def7c223ccaadf1b',0,'lobo','payment','2b629f0fd2e50bd946bf114dbf0d6e69','bcrt1p0pdnsh3jus6axauyfs9qgk8tvkg8gncp7vks2w3sfshmw7ykc0hsv3aqm3',X'5120310129D7B4B710A18644E668BD84C28002034E3DCBAE55978C28C878AE691F01',2519,0,'',0,0,1795394305,288,0,'ad217e3b0ac34906cd388abb6e98605f0ba6c176efbef247443658ac723e34c0',1,289);
INSERT INTO custody VALUES('e613a9c0b1fc2b3f8bc63375dd8e961cb25f40239c73c9ebd5056752b2662e5a',0,'lobo','stake','bcrt1p7awew5k3mgwhkedt7dvkc02z0twcqfkuej5pjnpe7jsps9qu0rxq7ctfxk','bcrt1pa08nhd6x7qxy47ft52g00fdjg5cmux7jeqr7mjz8y40gteck8flqywgf3z',X'5120F75D9752D1DA1D7B65ABF3596C3D427ADD8026DCCCA8194C39F4A018141C78CC',546,77712345679,'',0,0,1795388685,126,0,'',0,-1);
INSERT INTO custody VALUES('e84022f7b636048814ddc17b64f1f31512cdccc80b6f45c6992bc5f2c408b831',0,'lobo','payment','386ff045fe6edcc80e4a3a04958a5521','bcrt1qwlre4yf78hqpsa5dh9uhxzl9cn0zeg3z0730uq',X'5120A8F0CBAFA50A32889A350EBF96D5BC699A47BB930ACA7DA9FE112A8E42B0F3CB',1248,0,'',0,0,1795392433,240,0,'2e4e7f8e964fcad3fa7f9cc20deb3890df6cea602b56de117fbb3bfc5e818c7f',1,242);
INSERT INTO custody VALUES('e8a0170d81e2b3e28408d786ee4e5239df72662adc198e9ff57abce8aea48540',0,'lobo','stake','bcrt1peadyeexju2eyeyedmcqp9myzs0ng4gwym9tc3n7kmc89cdm506zscl4kh6','bcrt1p0pdnsh3jus6axauyfs9qgk8tvkg8gncp7vks2w3sfshmw7ykc0hsv3aqm3',X'5120CF5A4CE4D2E2B24C932DDE0012EC8283E68AA1C4D95788CFD6DE0E5C37747E85',546,14000000000,'',0,0,1795394293,250,0,'',0,-1);
INSERT INTO custody VALUES('ee6b4f4a9151ceba1c94aeaaf213f18b37a0a5616011da5c16874f9151cd39c7',0,'dummy','runes','bcrt1pdz5t939xz7kyqrgkynntmuecjgdfhlz3qqva659zju43rrkutgqq3jc3d4','',X'512068A8B2C4A617AC400D1624E6BDF338921A9BFC510019DD50A2972B118EDC5A00',546,25000000000000,'',1,0,1795388684,124,0,'',0,-1);
INSERT INTO custody VALUES('ee6b4f4a9151ceba1c94aeaaf213f18b37a0a5616011da5c16874f9151cd39c7',1,'dummy','runes','bcrt1pdz5t939xz7kyqrgkynntmuecjgdfhlz3qqva659zju43rrkutgqq3jc3d4','',X'512068A8B2C4A617AC400D1624E6BDF338921A9BFC510019DD50A2972B118EDC5A00',546,25000000000000,'',1,0,1795388684,124,0,'',0,-1);
INSERT INTO custody VALUES('ee6b4f4a9151ceba1c94aeaaf213f18b37a0a5616011da5c16874f9151cd39c7',2,'dummy','runes','bcrt1pdz5t939xz7kyqrgkynntmuecjgdfhlz3qqva659zju43rrkutgqq3jc3d4','',X'512068A8B2C4A617AC400D1624E6BDF338921A9BFC510019DD50A2972B118EDC5A00',546,25000000000000,'',1,0,1795388684,124,0,'',0,-1);
INSERT INTO custody VALUES('ef258830f54d00c92100d2911a59bce575a4dc3fb6c27f186488cfae35039433',0,'dummy','runes','bcrt1pdz5t939xz7kyqrgkynntmuecjgdfhlz3qqva659zju43rrkutgqq3jc3d4','',X'512068A8B2C4A617AC400D1624E6BDF338921A9BFC510019DD50A2972B118EDC5A00',546,25000000000000,'',1,0,1795388684,124,0,'',0,-1);
INSERT INTO custody VALUES('ef258830f54d00c92100d2911a59bce575a4dc3fb6c27f186488cfae35039433',1,'dummy','runes','bcrt1pdz5t939xz7kyqrgkynntmuecjgdfhlz3qqva659zju43rrkutgqq3jc3d4','',X'512068A8B2C4A617AC400D1624E6BDF338921A9BFC510019DD50A2972B118EDC5A00',546,25000000000000,'',1,0,1795388684,124,0,'',0,-1);
INSERT INTO custody VALUES('ef258830f54d00c92100d2911a59bce575a4dc3fb6c27f186488cfae35039433',2,'dummy','runes','bcrt1pdz5t939xz7kyqrgkynntmuecjgdfhlz3qqva659zju43rrkutgqq3jc3d4','',X'512068A8B2C4A617AC400D1624E6BDF338921A9BFC510019DD50A2972B118EDC5A00',546,25000000000000,'',1,0,1795388684,124,0,'',0,-1);
INSERT INTO custody VALUES('ef258830f54d00c92100d2911a59bce575a4dc3fb6c27f186488cfae35039433',3,'dummy','runes','bcrt1pdz5t939xz7kyqrgkynntmuecjgdfhlz3qqva659zju43rrkutgqq3jc3d4','',X'512068A8B2C4A617AC400D1624E6BDF338921A9BFC510019DD50A2972B118EDC5A00',546,25000000000000,'',1,0,1795388684,124,0,'',0,-1);
INSERT INTO custody VALUES('ef258830f54d00c92100d2911a59bce575a4dc3fb6c27f186488cfae35039433',4,'dummy','runes','bcrt1pdz5t939xz7kyqrgkynntmuecjgdfhlz3qqva659zju43rrkutgqq3jc3d4','',X'512068A8B2C4A617AC400D1624E6BDF338921A9BFC510019DD50A2972B118EDC5A00',546,25000000000000,'',1,0,1795388684,124,0,'',0,-1);
INSERT INTO epoch_account VALUES('dummy',0,100000000000,100000000000,1,0,0,128,'444a69c25dcd6d8cdae0444eefa4ed0f66d52ba36b75bc671133772adc1ee215',1795388686);
INSERT INTO epoch_account VALUES('dummy',1,100000000000,100000000000,1,0,0,135,'079d3c9bf9724ca80b621a26afb99e8248b350e278eab2dedfb4d4aeb0e3ae7d',1795388688);
INSERT INTO epoch_account VALUES('dummy',10,100000000000,100000000000,1,0,0,217,'1170b6c74586bd65e3c96cc3d687785c537249686f843284646ae7af5544aab4',1795388709);
INSERT INTO epoch_account VALUES('dummy',11,100000000000,100000000000,1,0,0,224,'76c5e3bd2077d26831843803bc5931868db5fd011938eb97780903b3140f636c',1795388711);
INSERT INTO epoch_account VALUES('dummy',12,100000000000,100000000000,1,0,0,231,'6d2bfe800e2e1d2efbde75d9aa212b8a5733617137c58c3a376f006eb7065519',1795388713);
INSERT INTO epoch_account VALUES('dummy',13,100000000000,100000000000,1,0,0,252,'6e8b1b3d136f75cefe2d4d6f68a02145d8a6e934dfee137ae6e411869021c6e0',1795394297);
INSERT INTO epoch_account VALUES('dummy',14,100000000000,100000000000,1,0,0,259,'0c981d656238398897376e141787d92bb59eceac993f834bb9d468e2821c0977',1795394299);
INSERT INTO epoch_account VALUES('dummy',15,100000000000,100000000000,1,0,0,266,'2583cc6068b34de7e1fe2a40d79fcfb09cfdb2a05a8c57970888d4849a87d380',1795394301);
INSERT INTO epoch_account VALUES('dummy',16,100000000000,100000000000,1,0,0,273,'1780b524fec7f93ce1668a8ecf545da006c1cbd44ed81b8e344b11195c72b33e',1795394303);
INSERT INTO epoch_account VALUES('dummy',17,100000000000,100000000000,1,0,0,280,'65e76525fcb68d34f9e8bcf2d3e6ee1b92d831d3dcbdd084c575b95a480dd890',1795394305);
INSERT INTO epoch_account VALUES('dummy',18,100000000000,100000000000,0,0,0,-1,'',0);
INSERT INTO epoch_account VALUES('dummy',2,100000000000,100000000000,1,0,0,142,'52e70c6e8d5f9510be7477a26bb7ade6b27e32a2deedf596b4c8e2ee4dea94bd',1795388690);
INSERT INTO epoch_account VALUES('dummy',3,100000000000,100000000000,1,0,0,156,'6b8ee3ed5eb982c350185418d09bb544af0286c1fde6265d185b6bfb5ddb033a',1795388693);
INSERT INTO epoch_account VALUES('dummy',4,100000000000,100000000000,1,0,0,163,'31a0c22da10f0235cfd35be2f278a96012e8d7b19774722dca42956d784ca6ca',1795388695);
INSERT INTO epoch_account VALUES('dummy',5,100000000000,100000000000,1,0,0,170,'636cefd643009bd2b33ee8bd23ada11855fa7809523380dd8db1958d7d4e9916',1795388697);
INSERT INTO epoch_account VALUES('dummy',6,100000000000,100000000000,1,0,0,177,'08af4846694236260d4cd1258fe3eb3273dc7e378cfe150f694d74b51aea14a6',1795388699);
INSERT INTO epoch_account VALUES('dummy',7,100000000000,100000000000,1,0,0,184,'2f5fb96c7278e772a5694d5716ea8f20bdd0418208be7d8b324d7b17893b57df',1795388701);
INSERT INTO epoch_account VALUES('dummy',8,100000000000,100000000000,1,0,0,203,'5c3832801514be49edd078189f44b48fa263b57253f190f0cbfc2cdac372b6e1',1795388705);
INSERT INTO epoch_account VALUES('dummy',9,100000000000,100000000000,1,0,0,210,'6197434bb9173a2da9de685fbe004567d9485c19b75228e8933a401d1c06ce6c',1795388707);
INSERT INTO epoch_account VALUES('lobo',0,100000000000,100000000000,1,0,0,128,'444a69c25dcd6d8cdae0444eefa4ed0f66d52ba36b75bc671133772adc1ee215',1795388686);
INSERT INTO epoch_account VALUES('lobo',1,100000000000,100000000000,1,227712345679,100000000000,135,'079d3c9bf9724ca80b621a26afb99e8248b350e278eab2dedfb4d4aeb0e3ae7d',1795388688);
INSERT INTO epoch_account VALUES('lobo',10,100000000000,100000000000,1,281839764395,100000000000,217,'1170b6c74586bd65e3c96cc3d687785c537249686f843284646ae7af5544aab4',1795388709);
INSERT INTO epoch_account VALUES('lobo',11,100000000000,100000000000,1,211839764395,100000000000,224,'76c5e3bd2077d26831843803bc5931868db5fd011938eb97780903b3140f636c',1795388711);
INSERT INTO epoch_account VALUES('lobo',12,100000000000,100000000000,1,211839764395,100000000000,231,'6d2bfe800e2e1d2efbde75d9aa212b8a5733617137c58c3a376f006eb7065519',1795388713);
INSERT INTO epoch_account VALUES('lobo',13,100000000000,100000000000,1,211839764395,100000000000,252,'6e8b1b3d136f75cefe2d4d6f68a02145d8a6e934dfee137ae6e411869021c6e0',1795394297);
INSERT INTO epoch_account VALUES('lobo',14,100000000000,100000000000,1,351513379579,100000000000,259,'0c981d656238398897376e141787d92bb59eceac993f834bb9d468e2821c0977',1795394299);
INSERT INTO epoch_account VALUES('lobo',15,100000000000,100000000000,1,351513379579,100000000000,266,'2583cc6068b34de7e1fe2a40d79fcfb09cfdb2a05a8c57970888d4849a87d380',1795394301);
INSERT INTO epoch_account VALUES('lobo',16,100000000000,100000000000,1,291513379579,100000000000,273,'1780b524fec7f93ce1668a8ecf545da006c1cbd44ed81b8e344b11195c72b33e',1795394303);
INSERT INTO epoch_account VALUES('lobo',17,100000000000,100000000000,1,291513379579,100000000000,280,'65e76525fcb68d34f9e8bcf2d3e6ee1b92d831d3dcbdd084c575b95a480dd890',1795394305);
INSERT INTO epoch_account VALUES('lobo',18,100000000000,100000000000,0,0,0,-1,'',0);
INSERT INTO epoch_account VALUES('lobo',2,100000000000,100000000000,1,227712345679,100000000000,142,'52e70c6e8d5f9510be7477a26bb7ade6b27e32a2deedf596b4c8e2ee4dea94bd',1795388690);
INSERT INTO epoch_account VALUES('lobo',3,100000000000,100000000000,1,143584926963,100000000000,156,'6b8ee3ed5eb982c350185418d09bb544af0286c1fde6265d185b6bfb5ddb033a',1795388693);
INSERT INTO epoch_account VALUES('lobo',4,100000000000,100000000000,1,211839764395,100000000000,163,'31a0c22da10f0235cfd35be2f278a96012e8d7b19774722dca42956d784ca6ca',1795388695);
INSERT INTO epoch_account VALUES('lobo',5,100000000000,100000000000,1,211839764395,100000000000,170,'636cefd643009bd2b33ee8bd23ada11855fa7809523380dd8db1958d7d4e9916',1795388697);
INSERT INTO epoch_account VALUES('lobo',6,100000000000,100000000000,1,211839764395,100000000000,177,'08af4846694236260d4cd1258fe3eb3273dc7e378cfe150f694d74b51aea14a6',1795388699);
INSERT INTO epoch_account VALUES('lobo',7,100000000000,100000000000,1,211839764395,100000000000,184,'2f5fb96c7278e772a5694d5716ea8f20bdd0418208be7d8b324d7b17893b57df',1795388701);
INSERT INTO epoch_account VALUES('lobo',8,100000000000,100000000000,1,211839764395,100000000000,203,'5c3832801514be49edd078189f44b48fa263b57253f190f0cbfc2cdac372b6e1',1795388705);
INSERT INTO epoch_account VALUES('lobo',9,100000000000,100000000000,1,281839764395,100000000000,210,'6197434bb9173a2da9de685fbe004567d9485c19b75228e8933a401d1c06ce6c',1795388707);
INSERT INTO epoch_anchor VALUES('dummy',0,1795388685);
INSERT INTO epoch_anchor VALUES('dummy',1,1795388686);
INSERT INTO epoch_anchor VALUES('dummy',10,1795388707);
INSERT INTO epoch_anchor VALUES('dummy',11,1795388709);
INSERT INTO epoch_anchor VALUES('dummy',12,1795388711);
INSERT INTO epoch_anchor VALUES('dummy',13,1795388713);
INSERT INTO epoch_anchor VALUES('dummy',14,1795388717);
INSERT INTO epoch_anchor VALUES('dummy',15,1795388719);
INSERT INTO epoch_anchor VALUES('dummy',16,1795388721);
INSERT INTO epoch_anchor VALUES('dummy',17,1795388723);
INSERT INTO epoch_anchor VALUES('dummy',18,1795388725);
INSERT INTO epoch_anchor VALUES('dummy',2,1795388688);
INSERT INTO epoch_anchor VALUES('dummy',3,1795388690);
INSERT INTO epoch_anchor VALUES('dummy',4,1795388693);
INSERT INTO epoch_anchor VALUES('dummy',5,1795388695);
INSERT INTO epoch_anchor VALUES('dummy',6,1795388697);
INSERT INTO epoch_anchor VALUES('dummy',7,1795388699);
INSERT INTO epoch_anchor VALUES('dummy',8,1795388701);
INSERT INTO epoch_anchor VALUES('dummy',9,1795388705);
INSERT INTO epoch_anchor VALUES('lobo',0,1795388685);
INSERT INTO epoch_anchor VALUES('lobo',1,1795388686);
INSERT INTO epoch_anchor VALUES('lobo',10,1795388707);
INSERT INTO epoch_anchor VALUES('lobo',11,1795388709);
INSERT INTO epoch_anchor VALUES('lobo',12,1795388711);
INSERT INTO epoch_anchor VALUES('lobo',13,1795388713);
INSERT INTO epoch_anchor VALUES('lobo',14,1795388717);
INSERT INTO epoch_anchor VALUES('lobo',15,1795388719);
INSERT INTO epoch_anchor VALUES('lobo',16,1795388721);
INSERT INTO epoch_anchor VALUES('lobo',17,1795388723);
INSERT INTO epoch_anchor VALUES('lobo',18,1795388725);
INSERT INTO epoch_anchor VALUES('lobo',2,1795388688);
INSERT INTO epoch_anchor VALUES('lobo',3,1795388690);
INSERT INTO epoch_anchor VALUES('lobo',4,1795388693);
INSERT INTO epoch_anchor VALUES('lobo',5,1795388695);
INSERT INTO epoch_anchor VALUES('lobo',6,1795388697);
INSERT INTO epoch_anchor VALUES('lobo',7,1795388699);
INSERT INTO epoch_anchor VALUES('lobo',8,1795388701);
INSERT INTO epoch_anchor VALUES('lobo',9,1795388705);
INSERT INTO epoch_input VALUES('lobo',1,'4e7048de2a57cc2869d6a5c6d559c395a9c2d55bd4370c00dff4a62f5d9773e7:0','bcrt1prvw768eqwwr9t44nm674q6twvdcchmk5qn5zt4pcfwjydrtwrg9skmeulc',150000000000);
INSERT INTO epoch_input VALUES('lobo',1,'e613a9c0b1fc2b3f8bc63375dd8e961cb25f40239c73c9ebd5056752b2662e5a:0','bcrt1pa08nhd6x7qxy47ft52g00fdjg5cmux7jeqr7mjz8y40gteck8flqywgf3z',77712345679);
INSERT INTO epoch_input VALUES('lobo',10,'7c82e3386827a54b20524001e469ff6cd02083e07d34a3d7fafaa9a22d527b1f:0','bcrt1qwlre4yf78hqpsa5dh9uhxzl9cn0zeg3z0730uq',30000000000);
INSERT INTO epoch_input VALUES('lobo',10,'9822eacde24cd00dea102431b249a1cc0ee7b42a169dd8047be5d4d75ce2ae0e:0','bcrt1qwlre4yf78hqpsa5dh9uhxzl9cn0zeg3z0730uq',40000000000);
INSERT INTO epoch_input VALUES('lobo',10,'e613a9c0b1fc2b3f8bc63375dd8e961cb25f40239c73c9ebd5056752b2662e5a:0','bcrt1pa08nhd6x7qxy47ft52g00fdjg5cmux7jeqr7mjz8y40gteck8flqywgf3z',77712345679);
INSERT INTO epoch_input VALUES('lobo',10,'reward:1:027d0f775b341cda','bcrt1pa08nhd6x7qxy47ft52g00fdjg5cmux7jeqr7mjz8y40gteck8flqywgf3z',34127418716);
INSERT INTO epoch_input VALUES('lobo',10,'reward:1:5f0812accf91252a','bcrt1prvw768eqwwr9t44nm674q6twvdcchmk5qn5zt4pcfwjydrtwrg9skmeulc',65872581284);
INSERT INTO epoch_input VALUES('lobo',10,'reward:2:027d0f775b341cda','bcrt1pa08nhd6x7qxy47ft52g00fdjg5cmux7jeqr7mjz8y40gteck8flqywgf3z',34127418716);
INSERT INTO epoch_input VALUES('lobo',11,'e613a9c0b1fc2b3f8bc63375dd8e961cb25f40239c73c9ebd5056752b2662e5a:0','bcrt1pa08nhd6x7qxy47ft52g00fdjg5cmux7jeqr7mjz8y40gteck8flqywgf3z',77712345679);
INSERT INTO epoch_input VALUES('lobo',11,'reward:1:027d0f775b341cda','bcrt1pa08nhd6x7qxy47ft52g00fdjg5cmux7jeqr7mjz8y40gteck8flqywgf3z',34127418716);
INSERT INTO epoch_input VALUES('lobo',11,'reward:1:5f0812accf91252a','bcrt1prvw768eqwwr9t44nm674q6twvdcchmk5qn5zt4pcfwjydrtwrg9skmeulc',65872581284);
INSERT INTO epoch_input VALUES('lobo',11,'reward:2:027d0f775b341cda','bcrt1pa08nhd6x7qxy47ft52g00fdjg5cmux7jeqr7mjz8y40gteck8flqywgf3z',34127418716);
INSERT INTO epoch_input VALUES('lobo',12,'e613a9c0b1fc2b3f8bc63375dd8e961cb25f40239c73c9ebd5056752b2662e5a:0','bcrt1pa08nhd6x7qxy47ft52g00fdjg5cmux7jeqr7mjz8y40gteck8flqywgf3z',77712345679);
INSERT INTO epoch_input VALUES('lobo',12,'reward:1:027d0f775b341cda','bcrt1pa08nhd6x7qxy47ft52g00fdjg5cmux7jeqr7mjz8y40gteck8flqywgf3z',34127418716);
INSERT INTO epoch_input VALUES('lobo',12,'reward:1:5f0812accf91252a','bcrt1prvw768eqwwr9t44nm674q6twvdcchmk5qn5zt4pcfwjydrtwrg9skmeulc',65872581284);
INSERT INTO epoch_input VALUES('lobo',12,'reward:2:027d0f775b341cda','bcrt1pa08nhd6x7qxy47ft52g00fdjg5cmux7jeqr7mjz8y40gteck8flqywgf3z',34127418716);
INSERT INTO epoch_input VALUES('lobo',13,'e613a9c0b1fc2b3f8bc63375dd8e961cb25f40239c73c9ebd5056752b2662e5a:0','bcrt1pa08nhd6x7qxy47ft52g00fdjg5cmux7jeqr7mjz8y40gteck8flqywgf3z',77712345679);
INSERT INTO epoch_input VALUES('lobo',13,'reward:1:027d0f775b341cda','bcrt1pa08nhd6x7qxy47ft52g00fdjg5cmux7jeqr7mjz8y40gteck8flqywgf3z',34127418716);
INSERT INTO epoch_input VALUES('lobo',13,'reward:1:5f0812accf91252a','bcrt1prvw768eqwwr9t44nm674q6twvdcchmk5qn5zt4pcfwjydrtwrg9skmeulc',65872581284);
INSERT INTO epoch_input VALUES('lobo',13,'reward:2:027d0f775b341cda','bcrt1pa08nhd6x7qxy47ft52g00fdjg5cmux7jeqr7mjz8y40gteck8flqywgf3z',34127418716);
INSERT INTO epoch_input VALUES('lobo',14,'2c4749448c872caa2532ff800efc5ede4459716e26f3d327ec7340108f0d89bc:0','bcrt1p0pdnsh3jus6axauyfs9qgk8tvkg8gncp7vks2w3sfshmw7ykc0hsv3aqm3',10000000000);
INSERT INTO epoch_input VALUES('lobo',14,'7c82e3386827a54b20524001e469ff6cd02083e07d34a3d7fafaa9a22d527b1f:0','bcrt1qwlre4yf78hqpsa5dh9uhxzl9cn0zeg3z0730uq',30000000000);
INSERT INTO epoch_input VALUES('lobo',14,'7f93726ddbe100df588af894fb7d42f0f2ddd7369b659f3936994da98bc6bf9e:0','bcrt1p0pdnsh3jus6axauyfs9qgk8tvkg8gncp7vks2w3sfshmw7ykc0hsv3aqm3',13000000000);
INSERT INTO epoch_input VALUES('lobo',14,'b26d47b394a4e6450f0889cfa10ccd75209135c9ece0f31f5ecd256c48d7435b:0','bcrt1p0pdnsh3jus6axauyfs9qgk8tvkg8gncp7vks2w3sfshmw7ykc0hsv3aqm3',11000000000);
INSERT INTO epoch_input VALUES('lobo',14,'b978fab06fce4ff06751b19cb760bed0a859c2e76afd9bd5c8faa9de47066ef2:0','bcrt1p0pdnsh3jus6axauyfs9qgk8tvkg8gncp7vks2w3sfshmw7ykc0hsv3aqm3',12000000000);
INSERT INTO epoch_input VALUES('lobo',14,'e613a9c0b1fc2b3f8bc63375dd8e961cb25f40239c73c9ebd5056752b2662e5a:0','bcrt1pa08nhd6x7qxy47ft52g00fdjg5cmux7jeqr7mjz8y40gteck8flqywgf3z',77712345679);
INSERT INTO epoch_input VALUES('lobo',14,'e8a0170d81e2b3e28408d786ee4e5239df72662adc198e9ff57abce8aea48540:0','bcrt1p0pdnsh3jus6axauyfs9qgk8tvkg8gncp7vks2w3sfshmw7ykc0hsv3aqm3',14000000000);
INSERT INTO epoch_input VALUES('lobo',14,'reward:10:23690c9f3d3358d4','bcrt1qwlre4yf78hqpsa5dh9uhxzl9cn0zeg3z0730uq',24836807592);
INSERT INTO epoch_input VALUES('lobo',14,'reward:1:027d0f775b341cda','bcrt1pa08nhd6x7qxy47ft52g00fdjg5cmux7jeqr7mjz8y40gteck8flqywgf3z',34127418716);
INSERT INTO epoch_input VALUES('lobo',14,'reward:1:5f0812accf91252a','bcrt1prvw768eqwwr9t44nm674q6twvdcchmk5qn5zt4pcfwjydrtwrg9skmeulc',65872581284);
INSERT INTO epoch_input VALUES('lobo',14,'reward:2:027d0f775b341cda','bcrt1pa08nhd6x7qxy47ft52g00fdjg5cmux7jeqr7mjz8y40gteck8flqywgf3z',34127418716);
INSERT INTO epoch_input VALUES('lobo',14,'reward:9:23690c9f3d3358d4','bcrt1qwlre4yf78hqpsa5dh9uhxzl9cn0zeg3z0730uq',24836807592);
INSERT INTO epoch_input VALUES('lobo',15,'2c4749448c872caa2532ff800efc5ede4459716e26f3d327ec7340108f0d89bc:0','bcrt1p0pdnsh3jus6axauyfs9qgk8tvkg8gncp7vks2w3sfshmw7ykc0hsv3aqm3',10000000000);
INSERT INTO epoch_input VALUES('lobo',15,'7c82e3386827a54b20524001e469ff6cd02083e07d34a3d7fafaa9a22d527b1f:0','bcrt1qwlre4yf78hqpsa5dh9uhxzl9cn0zeg3z0730uq',30000000000);
INSERT INTO epoch_input VALUES('lobo',15,'7f93726ddbe100df588af894fb7d42f0f2ddd7369b659f3936994da98bc6bf9e:0','bcrt1p0pdnsh3jus6axauyfs9qgk8tvkg8gncp7vks2w3sfshmw7ykc0hsv3aqm3',13000000000);
INSERT INTO epoch_input VALUES('lobo',15,'b26d47b394a4e6450f0889cfa10ccd75209135c9ece0f31f5ecd256c48d7435b:0','bcrt1p0pdnsh3jus6axauyfs9qgk8tvkg8gncp7vks2w3sfshmw7ykc0hsv3aqm3',11000000000);
INSERT INTO epoch_input VALUES('lobo',15,'b978fab06fce4ff06751b19cb760bed0a859c2e76afd9bd5c8faa9de47066ef2:0','bcrt1p0pdnsh3jus6axauyfs9qgk8tvkg8gncp7vks2w3sfshmw7ykc0hsv3aqm3',12000000000);
INSERT INTO epoch_input VALUES('lobo',15,'e613a9c0b1fc2b3f8bc63375dd8e961cb25f40239c73c9ebd5056752b2662e5a:0','bcrt1pa08nhd6x7qxy47ft52g00fdjg5cmux7jeqr7mjz8y40gteck8flqywgf3z',77712345679);
INSERT INTO epoch_input VALUES('lobo',15,'e8a0170d81e2b3e28408d786ee4e5239df72662adc198e9ff57abce8aea48540:0','bcrt1p0pdnsh3jus6axauyfs9qgk8tvkg8gncp7vks2w3sfshmw7ykc0hsv3aqm3',14000000000);
INSERT INTO epoch_input VALUES('lobo',15,'reward:10:23690c9f3d3358d4','bcrt1qwlre4yf78hqpsa5dh9uhxzl9cn0zeg3z0730uq',24836807592);
INSERT INTO epoch_input VALUES('lobo',15,'reward:1:027d0f775b341cda','bcrt1pa08nhd6x7qxy47ft52g00fdjg5cmux7jeqr7mjz8y40gteck8flqywgf3z',34127418716);
INSERT INTO epoch_input VALUES('lobo',15,'reward:1:5f0812accf91252a','bcrt1prvw768eqwwr9t44nm674q6twvdcchmk5qn5zt4pcfwjydrtwrg9skmeulc',65872581284);
INSERT INTO epoch_input VALUES('lobo',15,'reward:2:027d0f775b341cda','bcrt1pa08nhd6x7qxy47ft52g00fdjg5cmux7jeqr7mjz8y40gteck8flqywgf3z',34127418716);
INSERT INTO epoch_input VALUES('lobo',15,'reward:9:23690c9f3d3358d4','bcrt1qwlre4yf78hqpsa5dh9uhxzl9cn0zeg3z0730uq',24836807592);
INSERT INTO epoch_input VALUES('lobo',16,'7c82e3386827a54b20524001e469ff6cd02083e07d34a3d7fafaa9a22d527b1f:0','bcrt1qwlre4yf78hqpsa5dh9uhxzl9cn0zeg3z0730uq',30000000000);
INSERT INTO epoch_input VALUES('lobo',16,'e613a9c0b1fc2b3f8bc63375dd8e961cb25f40239c73c9ebd5056752b2662e5a:0','bcrt1pa08nhd6x7qxy47ft52g00fdjg5cmux7jeqr7mjz8y40gteck8flqywgf3z',77712345679);
INSERT INTO epoch_input VALUES('lobo',16,'reward:10:23690c9f3d3358d4','bcrt1qwlre4yf78hqpsa5dh9uhxzl9cn0zeg3z0730uq',24836807592);
INSERT INTO epoch_input VALUES('lobo',16,'reward:1:027d0f775b341cda','bcrt1pa08nhd6x7qxy47ft52g00fdjg5cmux7jeqr7mjz8y40gteck8flqywgf3z',34127418716);
INSERT INTO epoch_input VALUES('lobo',16,'reward:1:5f0812accf91252a','bcrt1prvw768eqwwr9t44nm674q6twvdcchmk5qn5zt4pcfwjydrtwrg9skmeulc',65872581284);
INSERT INTO epoch_input VALUES('lobo',16,'reward:2:027d0f775b341cda','bcrt1pa08nhd6x7qxy47ft52g00fdjg5cmux7jeqr7mjz8y40gteck8flqywgf3z',34127418716);
INSERT INTO epoch_input VALUES('lobo',16,'reward:9:23690c9f3d3358d4','bcrt1qwlre4yf78hqpsa5dh9uhxzl9cn0zeg3z0730uq',24836807592);
INSERT INTO epoch_input VALUES('lobo',17,'7c82e3386827a54b20524001e469ff6cd02083e07d34a3d7fafaa9a22d527b1f:0','bcrt1qwlre4yf78hqpsa5dh9uhxzl9cn0zeg3z0730uq',30000000000);
INSERT INTO epoch_input VALUES('lobo',17,'e613a9c0b1fc2b3f8bc63375dd8e961cb25f40239c73c9ebd5056752b2662e5a:0','bcrt1pa08nhd6x7qxy47ft52g00fdjg5cmux7jeqr7mjz8y40gteck8flqywgf3z',77712345679);
INSERT INTO epoch_input VALUES('lobo',17,'reward:10:23690c9f3d3358d4','bcrt1qwlre4yf78hqpsa5dh9uhxzl9cn0zeg3z0730uq',24836807592);
INSERT INTO epoch_input VALUES('lobo',17,'reward:1:027d0f775b341cda','bcrt1pa08nhd6x7qxy47ft52g00fdjg5cmux7jeqr7mjz8y40gteck8flqywgf3z',34127418716);
INSERT INTO epoch_input VALUES('lobo',17,'reward:1:5f0812accf91252a','bcrt1prvw768eqwwr9t44nm674q6twvdcchmk5qn5zt4pcfwjydrtwrg9skmeulc',65872581284);
INSERT INTO epoch_input VALUES('lobo',17,'reward:2:027d0f775b341cda','bcrt1pa08nhd6x7qxy47ft52g00fdjg5cmux7jeqr7mjz8y40gteck8flqywgf3z',34127418716);
INSERT INTO epoch_input VALUES('lobo',17,'reward:9:23690c9f3d3358d4','bcrt1qwlre4yf78hqpsa5dh9uhxzl9cn0zeg3z0730uq',24836807592);
INSERT INTO epoch_input VALUES('lobo',2,'4e7048de2a57cc2869d6a5c6d559c395a9c2d55bd4370c00dff4a62f5d9773e7:0','bcrt1prvw768eqwwr9t44nm674q6twvdcchmk5qn5zt4pcfwjydrtwrg9skmeulc',150000000000);
INSERT INTO epoch_input VALUES('lobo',2,'e613a9c0b1fc2b3f8bc63375dd8e961cb25f40239c73c9ebd5056752b2662e5a:0','bcrt1pa08nhd6x7qxy47ft52g00fdjg5cmux7jeqr7mjz8y40gteck8flqywgf3z',77712345679);
INSERT INTO epoch_input VALUES('lobo',3,'e613a9c0b1fc2b3f8bc63375dd8e961cb25f40239c73c9ebd5056752b2662e5a:0','bcrt1pa08nhd6x7qxy47ft52g00fdjg5cmux7jeqr7mjz8y40gteck8flqywgf3z',77712345679);
INSERT INTO epoch_input VALUES('lobo',3,'reward:1:5f0812accf91252a','bcrt1prvw768eqwwr9t44nm674q6twvdcchmk5qn5zt4pcfwjydrtwrg9skmeulc',65872581284);
INSERT INTO epoch_input VALUES('lobo',4,'e613a9c0b1fc2b3f8bc63375dd8e961cb25f40239c73c9ebd5056752b2662e5a:0','bcrt1pa08nhd6x7qxy47ft52g00fdjg5cmux7jeqr7mjz8y40gteck8flqywgf3z',77712345679);
INSERT INTO epoch_input VALUES('lobo',4,'reward:1:027d0f775b341cda','bcrt1pa08nhd6x7qxy47ft52g00fdjg5cmux7jeqr7mjz8y40gteck8flqywgf3z',34127418716);
INSERT INTO epoch_input VALUES('lobo',4,'reward:1:5f0812accf91252a','bcrt1prvw768eqwwr9t44nm674q6twvdcchmk5qn5zt4pcfwjydrtwrg9skmeulc',65872581284);
INSERT INTO epoch_input VALUES('lobo',4,'reward:2:027d0f775b341cda','bcrt1pa08nhd6x7qxy47ft52g00fdjg5cmux7jeqr7mjz8y40gteck8flqywgf3z',34127418716);
INSERT INTO epoch_input VALUES('lobo',5,'e613a9c0b1fc2b3f8bc63375dd8e961cb25f40239c73c9ebd5056752b2662e5a:0','bcrt1pa08nhd6x7qxy47ft52g00fdjg5cmux7jeqr7mjz8y40gteck8flqywgf3z',77712345679);
INSERT INTO epoch_input VALUES('lobo',5,'reward:1:027d0f775b341cda','bcrt1pa08nhd6x7qxy47ft52g00fdjg5cmux7jeqr7mjz8y40gteck8flqywgf3z',34127418716);
INSERT INTO epoch_input VALUES('lobo',5,'reward:1:5f0812accf91252a','bcrt1prvw768eqwwr9t44nm674q6twvdcchmk5qn5zt4pcfwjydrtwrg9skmeulc',65872581284);
INSERT INTO epoch_input VALUES('lobo',5,'reward:2:027d0f775b341cda','bcrt1pa08nhd6x7qxy47ft52g00fdjg5cmux7jeqr7mjz8y40gteck8flqywgf3z',34127418716);
INSERT INTO epoch_input VALUES('lobo',6,'e613a9c0b1fc2b3f8bc63375dd8e961cb25f40239c73c9ebd5056752b2662e5a:0','bcrt1pa08nhd6x7qxy47ft52g00fdjg5cmux7jeqr7mjz8y40gteck8flqywgf3z',77712345679);
INSERT INTO epoch_input VALUES('lobo',6,'reward:1:027d0f775b341cda','bcrt1pa08nhd6x7qxy47ft52g00fdjg5cmux7jeqr7mjz8y40gteck8flqywgf3z',34127418716);
INSERT INTO epoch_input VALUES('lobo',6,'reward:1:5f0812accf91252a','bcrt1prvw768eqwwr9t44nm674q6twvdcchmk5qn5zt4pcfwjydrtwrg9skmeulc',65872581284);
INSERT INTO epoch_input VALUES('lobo',6,'reward:2:027d0f775b341cda','bcrt1pa08nhd6x7qxy47ft52g00fdjg5cmux7jeqr7mjz8y40gteck8flqywgf3z',34127418716);
INSERT INTO epoch_input VALUES('lobo',7,'e613a9c0b1fc2b3f8bc63375dd8e961cb25f40239c73c9ebd5056752b2662e5a:0','bcrt1pa08nhd6x7qxy47ft52g00fdjg5cmux7jeqr7mjz8y40gteck8flqywgf3z',77712345679);
INSERT INTO epoch_input VALUES('lobo',7,'reward:1:027d0f775b341cda','bcrt1pa08nhd6x7qxy47ft52g00fdjg5cmux7jeqr7mjz8y40gteck8flqywgf3z',34127418716);
INSERT INTO epoch_input VALUES('lobo',7,'reward:1:5f0812accf91252a','bcrt1prvw768eqwwr9t44nm674q6twvdcchmk5qn5zt4pcfwjydrtwrg9skmeulc',65872581284);
INSERT INTO epoch_input VALUES('lobo',7,'reward:2:027d0f775b341cda','bcrt1pa08nhd6x7qxy47ft52g00fdjg5cmux7jeqr7mjz8y40gteck8flqywgf3z',34127418716);
INSERT INTO epoch_input VALUES('lobo',8,'e613a9c0b1fc2b3f8bc63375dd8e961cb25f40239c73c9ebd5056752b2662e5a:0','bcrt1pa08nhd6x7qxy47ft52g00fdjg5cmux7jeqr7mjz8y40gteck8flqywgf3z',77712345679);
INSERT INTO epoch_input VALUES('lobo',8,'reward:1:027d0f775b341cda','bcrt1pa08nhd6x7qxy47ft52g00fdjg5cmux7jeqr7mjz8y40gteck8flqywgf3z',34127418716);
INSERT INTO epoch_input VALUES('lobo',8,'reward:1:5f0812accf91252a','bcrt1prvw768eqwwr9t44nm674q6twvdcchmk5qn5zt4pcfwjydrtwrg9skmeulc',65872581284);
INSERT INTO epoch_input VALUES('lobo',8,'reward:2:027d0f775b341cda','bcrt1pa08nhd6x7qxy47ft52g00fdjg5cmux7jeqr7mjz8y40gteck8flqywgf3z',34127418716);
INSERT INTO epoch_input VALUES('lobo',9,'7c82e3386827a54b20524001e469ff6cd02083e07d34a3d7fafaa9a22d527b1f:0','bcrt1qwlre4yf78hqpsa5dh9uhxzl9cn0zeg3z0730uq',30000000000);
INSERT INTO epoch_input VALUES('lobo',9,'9822eacde24cd00dea102431b249a1cc0ee7b42a169dd8047be5d4d75ce2ae0e:0','bcrt1qwlre4yf78hqpsa5dh9uhxzl9cn0zeg3z0730uq',40000000000);
INSERT INTO epoch_input VALUES('lobo',9,'e613a9c0b1fc2b3f8bc63375dd8e961cb25f40239c73c9ebd5056752b2662e5a:0','bcrt1pa08nhd6x7qxy47ft52g00fdjg5cmux7jeqr7mjz8y40gteck8flqywgf3z',77712345679);
INSERT INTO epoch_input VALUES('lobo',9,'reward:1:027d0f775b341cda','bcrt1pa08nhd6x7qxy47ft52g00fdjg5cmux7jeqr7mjz8y40gteck8flqywgf3z',34127418716);
INSERT INTO epoch_input VALUES('lobo',9,'reward:1:5f0812accf91252a','bcrt1prvw768eqwwr9t44nm674q6twvdcchmk5qn5zt4pcfwjydrtwrg9skmeulc',65872581284);
INSERT INTO epoch_input VALUES('lobo',9,'reward:2:027d0f775b341cda','bcrt1pa08nhd6x7qxy47ft52g00fdjg5cmux7jeqr7mjz8y40gteck8flqywgf3z',34127418716);
INSERT INTO epoch_reward VALUES('lobo',1,'bcrt1pa08nhd6x7qxy47ft52g00fdjg5cmux7jeqr7mjz8y40gteck8flqywgf3z',77712345679,34127418716,'reward:1:027d0f775b341cda');
INSERT INTO epoch_reward VALUES('lobo',1,'bcrt1prvw768eqwwr9t44nm674q6twvdcchmk5qn5zt4pcfwjydrtwrg9skmeulc',150000000000,65872581284,'reward:1:5f0812accf91252a');
INSERT INTO epoch_reward VALUES('lobo',10,'bcrt1pa08nhd6x7qxy47ft52g00fdjg5cmux7jeqr7mjz8y40gteck8flqywgf3z',145967183111,51790840595,'reward:10:027d0f775b341cda');
INSERT INTO epoch_reward VALUES('lobo',10,'bcrt1prvw768eqwwr9t44nm674q6twvdcchmk5qn5zt4pcfwjydrtwrg9skmeulc',65872581284,23372351813,'reward:10:5f0812accf91252a');
INSERT INTO epoch_reward VALUES('lobo',10,'bcrt1qwlre4yf78hqpsa5dh9uhxzl9cn0zeg3z0730uq',70000000000,24836807592,'reward:10:23690c9f3d3358d4');
INSERT INTO epoch_reward VALUES('lobo',11,'bcrt1pa08nhd6x7qxy47ft52g00fdjg5cmux7jeqr7mjz8y40gteck8flqywgf3z',145967183111,68904524855,'reward:11:027d0f775b341cda');
INSERT INTO epoch_reward VALUES('lobo',11,'bcrt1prvw768eqwwr9t44nm674q6twvdcchmk5qn5zt4pcfwjydrtwrg9skmeulc',65872581284,31095475145,'reward:11:5f0812accf91252a');
INSERT INTO epoch_reward VALUES('lobo',12,'bcrt1pa08nhd6x7qxy47ft52g00fdjg5cmux7jeqr7mjz8y40gteck8flqywgf3z',145967183111,68904524855,'reward:12:027d0f775b341cda');
INSERT INTO epoch_reward VALUES('lobo',12,'bcrt1prvw768eqwwr9t44nm674q6twvdcchmk5qn5zt4pcfwjydrtwrg9skmeulc',65872581284,31095475145,'reward:12:5f0812accf91252a');
INSERT INTO epoch_reward VALUES('lobo',13,'bcrt1pa08nhd6x7qxy47ft52g00fdjg5cmux7jeqr7mjz8y40gteck8flqywgf3z',145967183111,68904524855,'reward:13:027d0f775b341cda');
INSERT INTO epoch_reward VALUES('lobo',13,'bcrt1prvw768eqwwr9t44nm674q6twvdcchmk5qn5zt4pcfwjydrtwrg9skmeulc',65872581284,31095475145,'reward:13:5f0812accf91252a');
INSERT INTO epoch_reward VALUES('lobo',14,'bcrt1p0pdnsh3jus6axauyfs9qgk8tvkg8gncp7vks2w3sfshmw7ykc0hsv3aqm3',60000000000,17069051560,'reward:14:c28f3415233c3d1a');
INSERT INTO epoch_reward VALUES('lobo',14,'bcrt1pa08nhd6x7qxy47ft52g00fdjg5cmux7jeqr7mjz8y40gteck8flqywgf3z',145967183111,41525356243,'reward:14:027d0f775b341cda');
INSERT INTO epoch_reward VALUES('lobo',14,'bcrt1prvw768eqwwr9t44nm674q6twvdcchmk5qn5zt4pcfwjydrtwrg9skmeulc',65872581284,18739708105,'reward:14:5f0812accf91252a');
INSERT INTO epoch_reward VALUES('lobo',14,'bcrt1qwlre4yf78hqpsa5dh9uhxzl9cn0zeg3z0730uq',79673615184,22665884092,'reward:14:23690c9f3d3358d4');
INSERT INTO epoch_reward VALUES('lobo',15,'bcrt1p0pdnsh3jus6axauyfs9qgk8tvkg8gncp7vks2w3sfshmw7ykc0hsv3aqm3',60000000000,17069051560,'reward:15:c28f3415233c3d1a');
INSERT INTO epoch_reward VALUES('lobo',15,'bcrt1pa08nhd6x7qxy47ft52g00fdjg5cmux7jeqr7mjz8y40gteck8flqywgf3z',145967183111,41525356243,'reward:15:027d0f775b341cda');
INSERT INTO epoch_reward VALUES('lobo',15,'bcrt1prvw768eqwwr9t44nm674q6twvdcchmk5qn5zt4pcfwjydrtwrg9skmeulc',65872581284,18739708105,'reward:15:5f0812accf91252a');
INSERT INTO epoch_reward VALUES('lobo',15,'bcrt1qwlre4yf78hqpsa5dh9uhxzl9cn0zeg3z0730uq',79673615184,22665884092,'reward:15:23690c9f3d3358d4');
INSERT INTO epoch_reward VALUES('lobo',16,'bcrt1pa08nhd6x7qxy47ft52g00fdjg5cmux7jeqr7mjz8y40gteck8flqywgf3z',145967183111,50072207088,'reward:16:027d0f775b341cda');
INSERT INTO epoch_reward VALUES('lobo',16,'bcrt1prvw768eqwwr9t44nm674q6twvdcchmk5qn5zt4pcfwjydrtwrg9skmeulc',65872581284,22596760869,'reward:16:5f0812accf91252a');
INSERT INTO epoch_reward VALUES('lobo',16,'bcrt1qwlre4yf78hqpsa5dh9uhxzl9cn0zeg3z0730uq',79673615184,27331032043,'reward:16:23690c9f3d3358d4');
INSERT INTO epoch_reward VALUES('lobo',17,'bcrt1pa08nhd6x7qxy47ft52g00fdjg5cmux7jeqr7mjz8y40gteck8flqywgf3z',145967183111,50072207088,'reward:17:027d0f775b341cda');
INSERT INTO epoch_reward VALUES('lobo',17,'bcrt1prvw768eqwwr9t44nm674q6twvdcchmk5qn5zt4pcfwjydrtwrg9skmeulc',65872581284,22596760869,'reward:17:5f0812accf91252a');
INSERT INTO epoch_reward VALUES('lobo',17,'bcrt1qwlre4yf78hqpsa5dh9uhxzl9cn0zeg3z0730uq',79673615184,27331032043,'reward:17:23690c9f3d3358d4');
INSERT INTO epoch_reward VALUES('lobo',2,'bcrt1pa08nhd6x7qxy47ft52g00fdjg5cmux7jeqr7mjz8y40gteck8flqywgf3z',77712345679,34127418716,'reward:2:027d0f775b341cda');
INSERT INTO epoch_reward VALUES('lobo',2,'bcrt1prvw768eqwwr9t44nm674q6twvdcchmk5qn5zt4pcfwjydrtwrg9skmeulc',150000000000,65872581284,'reward:2:5f0812accf91252a');
INSERT INTO epoch_reward VALUES('lobo',3,'bcrt1pa08nhd6x7qxy47ft52g00fdjg5cmux7jeqr7mjz8y40gteck8flqywgf3z',77712345679,54122913402,'reward:3:027d0f775b341cda');
INSERT INTO epoch_reward VALUES('lobo',3,'bcrt1prvw768eqwwr9t44nm674q6twvdcchmk5qn5zt4pcfwjydrtwrg9skmeulc',65872581284,45877086598,'reward:3:5f0812accf91252a');
INSERT INTO epoch_reward VALUES('lobo',4,'bcrt1pa08nhd6x7qxy47ft52g00fdjg5cmux7jeqr7mjz8y40gteck8flqywgf3z',145967183111,68904524855,'reward:4:027d0f775b341cda');
INSERT INTO epoch_reward VALUES('lobo',4,'bcrt1prvw768eqwwr9t44nm674q6twvdcchmk5qn5zt4pcfwjydrtwrg9skmeulc',65872581284,31095475145,'reward:4:5f0812accf91252a');
INSERT INTO epoch_reward VALUES('lobo',5,'bcrt1pa08nhd6x7qxy47ft52g00fdjg5cmux7jeqr7mjz8y40gteck8flqywgf3z',145967183111,68904524855,'reward:5:027d0f775b341cda');
INSERT INTO epoch_reward VALUES('lobo',5,'bcrt1prvw768eqwwr9t44nm674q6twvdcchmk5qn5zt4pcfwjydrtwrg9skmeulc',65872581284,31095475145,'reward:5:5f0812accf91252a');
INSERT INTO epoch_reward VALUES('lobo',6,'bcrt1pa08nhd6x7qxy47ft52g00fdjg5cmux7jeqr7mjz8y40gteck8flqywgf3z',145967183111,68904524855,'reward:6:027d0f775b341cda');
INSERT INTO epoch_reward VALUES('lobo',6,'bcrt1prvw768eqwwr9t44nm674q6twvdcchmk5qn5zt4pcfwjydrtwrg9skmeulc',65872581284,31095475145,'reward:6:5f0812accf91252a');
INSERT INTO epoch_reward VALUES('lobo',7,'bcrt1pa08nhd6x7qxy47ft52g00fdjg5cmux7jeqr7mjz8y40gteck8flqywgf3z',145967183111,68904524855,'reward:7:027d0f775b341cda');
INSERT INTO epoch_reward VALUES('lobo',7,'bcrt1prvw768eqwwr9t44nm674q6twvdcchmk5qn5zt4pcfwjydrtwrg9skmeulc',65872581284,31095475145,'reward:7:5f0812accf91252a');
INSERT INTO epoch_reward VALUES('lobo',8,'bcrt1pa08nhd6x7qxy47ft52g00fdjg5cmux7jeqr7mjz8y40gteck8flqywgf3z',145967183111,68904524855,'reward:8:027d0f775b341cda');
INSERT INTO epoch_reward VALUES('lobo',8,'bcrt1prvw768eqwwr9t44nm674q6twvdcchmk5qn5zt4pcfwjydrtwrg9skmeulc',65872581284,31095475145,'reward:8:5f0812accf91252a');
INSERT INTO epoch_reward VALUES('lobo',9,'bcrt1pa08nhd6x7qxy47ft52g00fdjg5cmux7jeqr7mjz8y40gteck8flqywgf3z',145967183111,51790840595,'reward:9:027d0f775b341cda');
INSERT INTO epoch_reward VALUES('lobo',9,'bcrt1prvw768eqwwr9t44nm674q6twvdcchmk5qn5zt4pcfwjydrtwrg9skmeulc',65872581284,23372351813,'reward:9:5f0812accf91252a');
INSERT INTO epoch_reward VALUES('lobo',9,'bcrt1qwlre4yf78hqpsa5dh9uhxzl9cn0zeg3z0730uq',70000000000,24836807592,'reward:9:23690c9f3d3358d4');
INSERT INTO goose_db_version VALUES(1,0,1,'2026-11-22 23:04:44');
INSERT INTO goose_db_version VALUES(10,9,1,'2026-11-22 23:04:44');
INSERT INTO goose_db_version VALUES(11,10,1,'2026-11-22 23:04:44');
INSERT INTO goose_db_version VALUES(12,11,1,'2026-11-22 23:04:44');
INSERT INTO goose_db_version VALUES(13,12,1,'2026-11-22 23:04:44');
INSERT INTO goose_db_version VALUES(2,1,1,'2026-11-22 23:04:44');
INSERT INTO goose_db_version VALUES(3,2,1,'2026-11-22 23:04:44');
INSERT INTO goose_db_version VALUES(4,3,1,'2026-11-22 23:04:44');
INSERT INTO goose_db_version VALUES(5,4,1,'2026-11-22 23:04:44');
INSERT INTO goose_db_version VALUES(6,5,1,'2026-11-22 23:04:44');
INSERT INTO goose_db_version VALUES(7,6,1,'2026-11-22 23:04:44');
INSERT INTO goose_db_version VALUES(8,7,1,'2026-11-22 23:04:44');
INSERT INTO goose_db_version VALUES(9,8,1,'2026-11-22 23:04:44');
INSERT INTO journal VALUES(1,'lobo','fees:lobo','','sats credited','sats',1250000,'outside','fees:lobo','operator','a dev network begins',1795388684);
INSERT INTO journal VALUES(10,'dummy','fees:dummy','','sats credited','sats',1250000,'outside','fees:dummy','operator','a dev network begins',1795388684);
INSERT INTO journal VALUES(100,'lobo','4ba6242183237c9e17e0346c2c4b1267','bcrt1qwlre4yf78hqpsa5dh9uhxzl9cn0zeg3z0730uq','nothing seen by the deadline','',0,'order:PENDING','order:EXPIRED','order','4ba6242183237c9e17e0346c2c4b1267',1795390573);
INSERT INTO journal VALUES(101,'lobo','9822eacde24cd00dea102431b249a1cc0ee7b42a169dd8047be5d4d75ce2ae0e:0','bcrt1qwlre4yf78hqpsa5dh9uhxzl9cn0zeg3z0730uq','order closed','rune',40000000000,'PO_LOCKED','UNLOCKED','order','4ba6242183237c9e17e0346c2c4b1267',1795390573);
INSERT INTO journal VALUES(102,'lobo','7c82e3386827a54b20524001e469ff6cd02083e07d34a3d7fafaa9a22d527b1f:0','bcrt1qwlre4yf78hqpsa5dh9uhxzl9cn0zeg3z0730uq','order closed','rune',30000000000,'PO_LOCKED','UNLOCKED','order','4ba6242183237c9e17e0346c2c4b1267',1795390573);
INSERT INTO journal VALUES(103,'lobo','7c82e3386827a54b20524001e469ff6cd02083e07d34a3d7fafaa9a22d527b1f:0','bcrt1qwlre4yf78hqpsa5dh9uhxzl9cn0zeg3z0730uq','withdraw ordered','rune',30000000000,'UNLOCKED','PO_LOCKED','action','173f5fbe4b360581c4f6b89fdfc4f074',1795390573);
INSERT INTO journal VALUES(104,'lobo','b5b558c793aa6d15d39fa40c32207d6e','bcrt1qwlre4yf78hqpsa5dh9uhxzl9cn0zeg3z0730uq','proof accepted','',0,'outside','order:PENDING','action','173f5fbe4b360581c4f6b89fdfc4f074',1795390573);
INSERT INTO journal VALUES(105,'lobo','b5b558c793aa6d15d39fa40c32207d6e','bcrt1qwlre4yf78hqpsa5dh9uhxzl9cn0zeg3z0730uq','nothing seen by the deadline','',0,'order:PENDING','order:EXPIRED','order','b5b558c793aa6d15d39fa40c32207d6e',1795392433);
INSERT INTO journal VALUES(106,'lobo','7c82e3386827a54b20524001e469ff6cd02083e07d34a3d7fafaa9a22d527b1f:0','bcrt1qwlre4yf78hqpsa5dh9uhxzl9cn0zeg3z0730uq','order closed','rune',30000000000,'PO_LOCKED','UNLOCKED','order','b5b558c793aa6d15d39fa40c32207d6e',1795392433);
INSERT INTO journal VALUES(107,'lobo','b5b558c793aa6d15d39fa40c32207d6e','bcrt1qwlre4yf78hqpsa5dh9uhxzl9cn0zeg3z0730uq','payment seen','sats',2495,'outside','abandoned:b5b558c793aa6d15d39fa40c32207d6e','payment','1d3638f91300f5f17c0c60185da13a544d66cf4eaaff59ed4fda7da31bcf80f2:0',1795392433);
INSERT INTO journal VALUES(108,'lobo','b5b558c793aa6d15d39fa40c32207d6e','bcrt1qwlre4yf78hqpsa5dh9uhxzl9cn0zeg3z0730uq','a payment arrived late','',0,'order:EXPIRED','order:AUDIT','order','b5b558c793aa6d15d39fa40c32207d6e',1795392433);
INSERT INTO journal VALUES(109,'lobo','b5b558c793aa6d15d39fa40c32207d6e','bcrt1qwlre4yf78hqpsa5dh9uhxzl9cn0zeg3z0730uq','sats owed again','sats',2495,'abandoned:b5b558c793aa6d15d39fa40c32207d6e','late:b5b558c793aa6d15d39fa40c32207d6e','order','b5b558c793aa6d15d39fa40c32207d6e',1795392433);
INSERT INTO journal VALUES(11,'dummy','fees:dummy','','sats credited','sats',1250000,'outside','fees:dummy','operator','a dev network begins',1795388684);
INSERT INTO journal VALUES(110,'lobo','9822eacde24cd00dea102431b249a1cc0ee7b42a169dd8047be5d4d75ce2ae0e:0','bcrt1qwlre4yf78hqpsa5dh9uhxzl9cn0zeg3z0730uq','withdraw ordered','rune',40000000000,'UNLOCKED','PO_LOCKED','action','fdb0902d20a21249233cc2479c461ea6',1795392433);
INSERT INTO journal VALUES(111,'lobo','386ff045fe6edcc80e4a3a04958a5521','bcrt1qwlre4yf78hqpsa5dh9uhxzl9cn0zeg3z0730uq','proof accepted','',0,'outside','order:PENDING','action','fdb0902d20a21249233cc2479c461ea6',1795392433);
INSERT INTO journal VALUES(112,'lobo','386ff045fe6edcc80e4a3a04958a5521','bcrt1qwlre4yf78hqpsa5dh9uhxzl9cn0zeg3z0730uq','payment seen','sats',1248,'outside','paid:386ff045fe6edcc80e4a3a04958a5521','payment','e84022f7b636048814ddc17b64f1f31512cdccc80b6f45c6992bc5f2c408b831:0',1795392433);
INSERT INTO journal VALUES(113,'lobo','386ff045fe6edcc80e4a3a04958a5521','bcrt1qwlre4yf78hqpsa5dh9uhxzl9cn0zeg3z0730uq','first payment seen','',0,'order:PENDING','order:CONFIRMED','order','386ff045fe6edcc80e4a3a04958a5521',1795392433);
INSERT INTO journal VALUES(114,'lobo','9822eacde24cd00dea102431b249a1cc0ee7b42a169dd8047be5d4d75ce2ae0e:0','bcrt1qwlre4yf78hqpsa5dh9uhxzl9cn0zeg3z0730uq','payment begun','rune',40000000000,'PO_LOCKED','PENDING_WITHDRAW','order','386ff045fe6edcc80e4a3a04958a5521',1795392433);
INSERT INTO journal VALUES(115,'lobo','386ff045fe6edcc80e4a3a04958a5521','bcrt1qwlre4yf78hqpsa5dh9uhxzl9cn0zeg3z0730uq','fees expired','',0,'order:CONFIRMED','order:PENDING_RERATE','order','386ff045fe6edcc80e4a3a04958a5521',1795394293);
INSERT INTO journal VALUES(116,'lobo','386ff045fe6edcc80e4a3a04958a5521','bcrt1qwlre4yf78hqpsa5dh9uhxzl9cn0zeg3z0730uq','rerated','',0,'order:PENDING_RERATE','order:CONFIRMED','rerate','386ff045fe6edcc80e4a3a04958a5521',1795394293);
INSERT INTO journal VALUES(117,'lobo','386ff045fe6edcc80e4a3a04958a5521','bcrt1qwlre4yf78hqpsa5dh9uhxzl9cn0zeg3z0730uq','payment seen','sats',5733,'outside','paid:386ff045fe6edcc80e4a3a04958a5521','payment','c9be626b2fff4fcd7131ead37979ae5af5e76614e63d412be6f580944582fa55:0',1795394293);
INSERT INTO journal VALUES(118,'lobo','386ff045fe6edcc80e4a3a04958a5521','bcrt1qwlre4yf78hqpsa5dh9uhxzl9cn0zeg3z0730uq','paid in full','',0,'order:CONFIRMED','order:PAID','order','386ff045fe6edcc80e4a3a04958a5521',1795394293);
INSERT INTO journal VALUES(119,'lobo','9822eacde24cd00dea102431b249a1cc0ee7b42a169dd8047be5d4d75ce2ae0e:0','bcrt1qwlre4yf78hqpsa5dh9uhxzl9cn0zeg3z0730uq','payment complete','rune',40000000000,'PENDING_WITHDRAW','BATCH_LOCKED','order','386ff045fe6edcc80e4a3a04958a5521',1795394293);
INSERT INTO journal VALUES(12,'dummy','fees:dummy','','sats credited','sats',1250000,'outside','fees:dummy','operator','a dev network begins',1795388684);
INSERT INTO journal VALUES(120,'lobo','386ff045fe6edcc80e4a3a04958a5521','bcrt1qwlre4yf78hqpsa5dh9uhxzl9cn0zeg3z0730uq','payout signed and stored','',0,'order:PAID','order:SENT','payout','01f0643d04dbca5d26fd8ce898133087',1795394293);
INSERT INTO journal VALUES(121,'lobo','386ff045fe6edcc80e4a3a04958a5521','bcrt1qwlre4yf78hqpsa5dh9uhxzl9cn0zeg3z0730uq','payout confirmed','',0,'order:SENT','order:DELIVERED','payout','01f0643d04dbca5d26fd8ce898133087',1795394293);
INSERT INTO journal VALUES(122,'lobo','9822eacde24cd00dea102431b249a1cc0ee7b42a169dd8047be5d4d75ce2ae0e:0','bcrt1qwlre4yf78hqpsa5dh9uhxzl9cn0zeg3z0730uq','payout confirmed','rune',40000000000,'BATCH_LOCKED','WITHDRAWN','payout','01f0643d04dbca5d26fd8ce898133087',1795394293);
INSERT INTO journal VALUES(123,'lobo','reward:9:23690c9f3d3358d4','bcrt1qwlre4yf78hqpsa5dh9uhxzl9cn0zeg3z0730uq','claim ordered','rune',24836807592,'CLAIMABLE','PO_CLAIMED','action','363f6041307d93ee72631e05595c6759',1795394293);
INSERT INTO journal VALUES(124,'lobo','reward:10:23690c9f3d3358d4','bcrt1qwlre4yf78hqpsa5dh9uhxzl9cn0zeg3z0730uq','claim ordered','rune',24836807592,'CLAIMABLE','PO_CLAIMED','action','363f6041307d93ee72631e05595c6759',1795394293);
INSERT INTO journal VALUES(125,'lobo','1cb658bd516b6923fdc063e26351307f','bcrt1qwlre4yf78hqpsa5dh9uhxzl9cn0zeg3z0730uq','proof accepted','',0,'outside','order:PENDING','action','363f6041307d93ee72631e05595c6759',1795394293);
INSERT INTO journal VALUES(126,'lobo','1cb658bd516b6923fdc063e26351307f','bcrt1qwlre4yf78hqpsa5dh9uhxzl9cn0zeg3z0730uq','payment seen','sats',2283,'outside','paid:1cb658bd516b6923fdc063e26351307f','payment','06e8a7000e99ee7bf11994ee9710d938d435bf54c825c166489dbb66a3ca2799:0',1795394293);
INSERT INTO journal VALUES(127,'lobo','1cb658bd516b6923fdc063e26351307f','bcrt1qwlre4yf78hqpsa5dh9uhxzl9cn0zeg3z0730uq','first payment seen','',0,'order:PENDING','order:CONFIRMED','order','1cb658bd516b6923fdc063e26351307f',1795394293);
INSERT INTO journal VALUES(128,'lobo','1cb658bd516b6923fdc063e26351307f','bcrt1qwlre4yf78hqpsa5dh9uhxzl9cn0zeg3z0730uq','canceled, refund due','',0,'order:CONFIRMED','order:AUDIT','action','5a57448b5f9549a4ca5b593e159560b2',1795394293);
INSERT INTO journal VALUES(129,'lobo','reward:9:23690c9f3d3358d4','bcrt1qwlre4yf78hqpsa5dh9uhxzl9cn0zeg3z0730uq','order closed','rune',24836807592,'PO_CLAIMED','CLAIMABLE','action','5a57448b5f9549a4ca5b593e159560b2',1795394293);
INSERT INTO journal VALUES(13,'dummy','fees:dummy','','sats credited','sats',1250000,'outside','fees:dummy','operator','a dev network begins',1795388684);
INSERT INTO journal VALUES(130,'lobo','reward:10:23690c9f3d3358d4','bcrt1qwlre4yf78hqpsa5dh9uhxzl9cn0zeg3z0730uq','order closed','rune',24836807592,'PO_CLAIMED','CLAIMABLE','action','5a57448b5f9549a4ca5b593e159560b2',1795394293);
INSERT INTO journal VALUES(131,'lobo','1cb658bd516b6923fdc063e26351307f','bcrt1qwlre4yf78hqpsa5dh9uhxzl9cn0zeg3z0730uq','refund sent','sats',2283,'paid:1cb658bd516b6923fdc063e26351307f','refunded:1cb658bd516b6923fdc063e26351307f','payout','befb368c0a1d9ff38530e77fc0945fe7',1795394293);
INSERT INTO journal VALUES(132,'lobo','1cb658bd516b6923fdc063e26351307f','bcrt1qwlre4yf78hqpsa5dh9uhxzl9cn0zeg3z0730uq','refund confirmed','',0,'order:AUDIT','order:CANCELED','payout','befb368c0a1d9ff38530e77fc0945fe7',1795394293);
INSERT INTO journal VALUES(133,'lobo','386ff045fe6edcc80e4a3a04958a5521','bcrt1qwlre4yf78hqpsa5dh9uhxzl9cn0zeg3z0730uq','nothing left to sweep','',0,'order:DELIVERED','order:CONSOLIDATED','payout','01f0643d04dbca5d26fd8ce898133087',1795394293);
INSERT INTO journal VALUES(134,'lobo','reward:9:23690c9f3d3358d4','bcrt1qwlre4yf78hqpsa5dh9uhxzl9cn0zeg3z0730uq','compound','rune',24836807592,'CLAIMABLE','PENDING_STAKE','action','82cb215eba457fd04d77e0c98b5783c6',1795394293);
INSERT INTO journal VALUES(135,'lobo','reward:10:23690c9f3d3358d4','bcrt1qwlre4yf78hqpsa5dh9uhxzl9cn0zeg3z0730uq','compound','rune',24836807592,'CLAIMABLE','PENDING_STAKE','action','82cb215eba457fd04d77e0c98b5783c6',1795394293);
INSERT INTO journal VALUES(136,'lobo','7c82e3386827a54b20524001e469ff6cd02083e07d34a3d7fafaa9a22d527b1f:0','bcrt1qwlre4yf78hqpsa5dh9uhxzl9cn0zeg3z0730uq','restake','rune',30000000000,'UNLOCKED','PENDING_STAKE','action','fc1ce33bfacf45efd1c177a35d623a2e',1795394293);
INSERT INTO journal VALUES(137,'lobo','2c4749448c872caa2532ff800efc5ede4459716e26f3d327ec7340108f0d89bc:0','bcrt1p0pdnsh3jus6axauyfs9qgk8tvkg8gncp7vks2w3sfshmw7ykc0hsv3aqm3','deposited','rune',10000000000,'outside','PENDING_STAKE','mempool','2c4749448c872caa2532ff800efc5ede4459716e26f3d327ec7340108f0d89bc',1795394293);
INSERT INTO journal VALUES(138,'lobo','b26d47b394a4e6450f0889cfa10ccd75209135c9ece0f31f5ecd256c48d7435b:0','bcrt1p0pdnsh3jus6axauyfs9qgk8tvkg8gncp7vks2w3sfshmw7ykc0hsv3aqm3','deposited','rune',11000000000,'outside','PENDING_STAKE','mempool','b26d47b394a4e6450f0889cfa10ccd75209135c9ece0f31f5ecd256c48d7435b',1795394293);
INSERT INTO journal VALUES(139,'lobo','b978fab06fce4ff06751b19cb760bed0a859c2e76afd9bd5c8faa9de47066ef2:0','bcrt1p0pdnsh3jus6axauyfs9qgk8tvkg8gncp7vks2w3sfshmw7ykc0hsv3aqm3','deposited','rune',12000000000,'outside','PENDING_STAKE','mempool','b978fab06fce4ff06751b19cb760bed0a859c2e76afd9bd5c8faa9de47066ef2',1795394293);
INSERT INTO journal VALUES(14,'dummy','fees:dummy','','sats credited','sats',1250000,'outside','fees:dummy','operator','a dev network begins',1795388684);
INSERT INTO journal VALUES(140,'lobo','7f93726ddbe100df588af894fb7d42f0f2ddd7369b659f3936994da98bc6bf9e:0','bcrt1p0pdnsh3jus6axauyfs9qgk8tvkg8gncp7vks2w3sfshmw7ykc0hsv3aqm3','deposited','rune',13000000000,'outside','PENDING_STAKE','mempool','7f93726ddbe100df588af894fb7d42f0f2ddd7369b659f3936994da98bc6bf9e',1795394293);
INSERT INTO journal VALUES(141,'lobo','e8a0170d81e2b3e28408d786ee4e5239df72662adc198e9ff57abce8aea48540:0','bcrt1p0pdnsh3jus6axauyfs9qgk8tvkg8gncp7vks2w3sfshmw7ykc0hsv3aqm3','deposited','rune',14000000000,'outside','PENDING_STAKE','mempool','e8a0170d81e2b3e28408d786ee4e5239df72662adc198e9ff57abce8aea48540',1795394293);
INSERT INTO journal VALUES(142,'lobo','7c82e3386827a54b20524001e469ff6cd02083e07d34a3d7fafaa9a22d527b1f:0','bcrt1qwlre4yf78hqpsa5dh9uhxzl9cn0zeg3z0730uq','became eligible','rune',30000000000,'PENDING_STAKE','STAKED','block','55cf4a726bd616c844bfcc76cd971d1f346dc2c63b950b03ec7aded57152846c',1795394297);
INSERT INTO journal VALUES(143,'lobo','reward:9:23690c9f3d3358d4','bcrt1qwlre4yf78hqpsa5dh9uhxzl9cn0zeg3z0730uq','became eligible','rune',24836807592,'PENDING_STAKE','STAKED','block','55cf4a726bd616c844bfcc76cd971d1f346dc2c63b950b03ec7aded57152846c',1795394297);
INSERT INTO journal VALUES(144,'lobo','reward:10:23690c9f3d3358d4','bcrt1qwlre4yf78hqpsa5dh9uhxzl9cn0zeg3z0730uq','became eligible','rune',24836807592,'PENDING_STAKE','STAKED','block','55cf4a726bd616c844bfcc76cd971d1f346dc2c63b950b03ec7aded57152846c',1795394297);
INSERT INTO journal VALUES(145,'lobo','2c4749448c872caa2532ff800efc5ede4459716e26f3d327ec7340108f0d89bc:0','bcrt1p0pdnsh3jus6axauyfs9qgk8tvkg8gncp7vks2w3sfshmw7ykc0hsv3aqm3','became eligible','rune',10000000000,'PENDING_STAKE','STAKED','block','55cf4a726bd616c844bfcc76cd971d1f346dc2c63b950b03ec7aded57152846c',1795394297);
INSERT INTO journal VALUES(146,'lobo','b26d47b394a4e6450f0889cfa10ccd75209135c9ece0f31f5ecd256c48d7435b:0','bcrt1p0pdnsh3jus6axauyfs9qgk8tvkg8gncp7vks2w3sfshmw7ykc0hsv3aqm3','became eligible','rune',11000000000,'PENDING_STAKE','STAKED','block','55cf4a726bd616c844bfcc76cd971d1f346dc2c63b950b03ec7aded57152846c',1795394297);
INSERT INTO journal VALUES(147,'lobo','b978fab06fce4ff06751b19cb760bed0a859c2e76afd9bd5c8faa9de47066ef2:0','bcrt1p0pdnsh3jus6axauyfs9qgk8tvkg8gncp7vks2w3sfshmw7ykc0hsv3aqm3','became eligible','rune',12000000000,'PENDING_STAKE','STAKED','block','55cf4a726bd616c844bfcc76cd971d1f346dc2c63b950b03ec7aded57152846c',1795394297);
INSERT INTO journal VALUES(148,'lobo','7f93726ddbe100df588af894fb7d42f0f2ddd7369b659f3936994da98bc6bf9e:0','bcrt1p0pdnsh3jus6axauyfs9qgk8tvkg8gncp7vks2w3sfshmw7ykc0hsv3aqm3','became eligible','rune',13000000000,'PENDING_STAKE','STAKED','block','55cf4a726bd616c844bfcc76cd971d1f346dc2c63b950b03ec7aded57152846c',1795394297);
INSERT INTO journal VALUES(149,'lobo','e8a0170d81e2b3e28408d786ee4e5239df72662adc198e9ff57abce8aea48540:0','bcrt1p0pdnsh3jus6axauyfs9qgk8tvkg8gncp7vks2w3sfshmw7ykc0hsv3aqm3','became eligible','rune',14000000000,'PENDING_STAKE','STAKED','block','55cf4a726bd616c844bfcc76cd971d1f346dc2c63b950b03ec7aded57152846c',1795394297);
INSERT INTO journal VALUES(15,'dummy','fees:dummy','','sats credited','sats',1250000,'outside','fees:dummy','operator','a dev network begins',1795388684);
INSERT INTO journal VALUES(150,'lobo','fees:lobo','','network money collected','sats',4935,'outside','fees:lobo','payout','01f0643d04dbca5d26fd8ce898133087',1795394297);
INSERT INTO journal VALUES(151,'lobo','fees:lobo','','network fee paid','sats',4918,'fees:lobo','outside','payout','01f0643d04dbca5d26fd8ce898133087',1795394297);
INSERT INTO journal VALUES(152,'lobo','reward:13:027d0f775b341cda','bcrt1pa08nhd6x7qxy47ft52g00fdjg5cmux7jeqr7mjz8y40gteck8flqywgf3z','rewarded','rune',68904524855,'outside','CLAIMABLE','epoch','13',1795394297);
INSERT INTO journal VALUES(153,'lobo','reward:13:5f0812accf91252a','bcrt1prvw768eqwwr9t44nm674q6twvdcchmk5qn5zt4pcfwjydrtwrg9skmeulc','rewarded','rune',31095475145,'outside','CLAIMABLE','epoch','13',1795394297);
INSERT INTO journal VALUES(154,'lobo','reward:14:c28f3415233c3d1a','bcrt1p0pdnsh3jus6axauyfs9qgk8tvkg8gncp7vks2w3sfshmw7ykc0hsv3aqm3','rewarded','rune',17069051560,'outside','CLAIMABLE','epoch','14',1795394299);
INSERT INTO journal VALUES(155,'lobo','reward:14:027d0f775b341cda','bcrt1pa08nhd6x7qxy47ft52g00fdjg5cmux7jeqr7mjz8y40gteck8flqywgf3z','rewarded','rune',41525356243,'outside','CLAIMABLE','epoch','14',1795394299);
INSERT INTO journal VALUES(156,'lobo','reward:14:5f0812accf91252a','bcrt1prvw768eqwwr9t44nm674q6twvdcchmk5qn5zt4pcfwjydrtwrg9skmeulc','rewarded','rune',18739708105,'outside','CLAIMABLE','epoch','14',1795394299);
INSERT INTO journal VALUES(157,'lobo','reward:14:23690c9f3d3358d4','bcrt1qwlre4yf78hqpsa5dh9uhxzl9cn0zeg3z0730uq','rewarded','rune',22665884092,'outside','CLAIMABLE','epoch','14',1795394299);
INSERT INTO journal VALUES(158,'lobo','reward:15:c28f3415233c3d1a','bcrt1p0pdnsh3jus6axauyfs9qgk8tvkg8gncp7vks2w3sfshmw7ykc0hsv3aqm3','rewarded','rune',17069051560,'outside','CLAIMABLE','epoch','15',1795394301);
INSERT INTO journal VALUES(159,'lobo','reward:15:027d0f775b341cda','bcrt1pa08nhd6x7qxy47ft52g00fdjg5cmux7jeqr7mjz8y40gteck8flqywgf3z','rewarded','rune',41525356243,'outside','CLAIMABLE','epoch','15',1795394301);
INSERT INTO journal VALUES(16,'dummy','fees:dummy','','sats credited','sats',1250000,'outside','fees:dummy','operator','a dev network begins',1795388684);
INSERT INTO journal VALUES(160,'lobo','reward:15:5f0812accf91252a','bcrt1prvw768eqwwr9t44nm674q6twvdcchmk5qn5zt4pcfwjydrtwrg9skmeulc','rewarded','rune',18739708105,'outside','CLAIMABLE','epoch','15',1795394301);
INSERT INTO journal VALUES(161,'lobo','reward:15:23690c9f3d3358d4','bcrt1qwlre4yf78hqpsa5dh9uhxzl9cn0zeg3z0730uq','rewarded','rune',22665884092,'outside','CLAIMABLE','epoch','15',1795394301);
INSERT INTO journal VALUES(162,'lobo','2c4749448c872caa2532ff800efc5ede4459716e26f3d327ec7340108f0d89bc:0','bcrt1p0pdnsh3jus6axauyfs9qgk8tvkg8gncp7vks2w3sfshmw7ykc0hsv3aqm3','unstake','rune',10000000000,'STAKED','PENDING_UNLOCK','action','773eb25a285f3bb004157a457ccda81a',1795394301);
INSERT INTO journal VALUES(163,'lobo','b26d47b394a4e6450f0889cfa10ccd75209135c9ece0f31f5ecd256c48d7435b:0','bcrt1p0pdnsh3jus6axauyfs9qgk8tvkg8gncp7vks2w3sfshmw7ykc0hsv3aqm3','unstake','rune',11000000000,'STAKED','PENDING_UNLOCK','action','773eb25a285f3bb004157a457ccda81a',1795394301);
INSERT INTO journal VALUES(164,'lobo','b978fab06fce4ff06751b19cb760bed0a859c2e76afd9bd5c8faa9de47066ef2:0','bcrt1p0pdnsh3jus6axauyfs9qgk8tvkg8gncp7vks2w3sfshmw7ykc0hsv3aqm3','unstake','rune',12000000000,'STAKED','PENDING_UNLOCK','action','773eb25a285f3bb004157a457ccda81a',1795394301);
INSERT INTO journal VALUES(165,'lobo','7f93726ddbe100df588af894fb7d42f0f2ddd7369b659f3936994da98bc6bf9e:0','bcrt1p0pdnsh3jus6axauyfs9qgk8tvkg8gncp7vks2w3sfshmw7ykc0hsv3aqm3','unstake','rune',13000000000,'STAKED','PENDING_UNLOCK','action','773eb25a285f3bb004157a457ccda81a',1795394301);
INSERT INTO journal VALUES(166,'lobo','e8a0170d81e2b3e28408d786ee4e5239df72662adc198e9ff57abce8aea48540:0','bcrt1p0pdnsh3jus6axauyfs9qgk8tvkg8gncp7vks2w3sfshmw7ykc0hsv3aqm3','unstake','rune',14000000000,'STAKED','PENDING_UNLOCK','action','773eb25a285f3bb004157a457ccda81a',1795394301);
INSERT INTO journal VALUES(167,'lobo','reward:16:027d0f775b341cda','bcrt1pa08nhd6x7qxy47ft52g00fdjg5cmux7jeqr7mjz8y40gteck8flqywgf3z','rewarded','rune',50072207088,'outside','CLAIMABLE','epoch','16',1795394303);
INSERT INTO journal VALUES(168,'lobo','reward:16:5f0812accf91252a','bcrt1prvw768eqwwr9t44nm674q6twvdcchmk5qn5zt4pcfwjydrtwrg9skmeulc','rewarded','rune',22596760869,'outside','CLAIMABLE','epoch','16',1795394303);
INSERT INTO journal VALUES(169,'lobo','reward:16:23690c9f3d3358d4','bcrt1qwlre4yf78hqpsa5dh9uhxzl9cn0zeg3z0730uq','rewarded','rune',27331032043,'outside','CLAIMABLE','epoch','16',1795394303);
INSERT INTO journal VALUES(17,'lobo','4e7048de2a57cc2869d6a5c6d559c395a9c2d55bd4370c00dff4a62f5d9773e7:0','bcrt1prvw768eqwwr9t44nm674q6twvdcchmk5qn5zt4pcfwjydrtwrg9skmeulc','deposited','rune',150000000000,'outside','PENDING_STAKE','mempool','4e7048de2a57cc2869d6a5c6d559c395a9c2d55bd4370c00dff4a62f5d9773e7',1795388685);
INSERT INTO journal VALUES(170,'lobo','2c4749448c872caa2532ff800efc5ede4459716e26f3d327ec7340108f0d89bc:0','bcrt1p0pdnsh3jus6axauyfs9qgk8tvkg8gncp7vks2w3sfshmw7ykc0hsv3aqm3','cooldown over','rune',10000000000,'PENDING_UNLOCK','UNLOCKED','clock','lobo',1795394305);
INSERT INTO journal VALUES(171,'lobo','b26d47b394a4e6450f0889cfa10ccd75209135c9ece0f31f5ecd256c48d7435b:0','bcrt1p0pdnsh3jus6axauyfs9qgk8tvkg8gncp7vks2w3sfshmw7ykc0hsv3aqm3','cooldown over','rune',11000000000,'PENDING_UNLOCK','UNLOCKED','clock','lobo',1795394305);
INSERT INTO journal VALUES(172,'lobo','b978fab06fce4ff06751b19cb760bed0a859c2e76afd9bd5c8faa9de47066ef2:0','bcrt1p0pdnsh3jus6axauyfs9qgk8tvkg8gncp7vks2w3sfshmw7ykc0hsv3aqm3','cooldown over','rune',12000000000,'PENDING_UNLOCK','UNLOCKED','clock','lobo',1795394305);
INSERT INTO journal VALUES(173,'lobo','7f93726ddbe100df588af894fb7d42f0f2ddd7369b659f3936994da98bc6bf9e:0','bcrt1p0pdnsh3jus6axauyfs9qgk8tvkg8gncp7vks2w3sfshmw7ykc0hsv3aqm3','cooldown over','rune',13000000000,'PENDING_UNLOCK','UNLOCKED','clock','lobo',1795394305);
INSERT INTO journal VALUES(174,'lobo','e8a0170d81e2b3e28408d786ee4e5239df72662adc198e9ff57abce8aea48540:0','bcrt1p0pdnsh3jus6axauyfs9qgk8tvkg8gncp7vks2w3sfshmw7ykc0hsv3aqm3','cooldown over','rune',14000000000,'PENDING_UNLOCK','UNLOCKED','clock','lobo',1795394305);
INSERT INTO journal VALUES(175,'lobo','reward:17:027d0f775b341cda','bcrt1pa08nhd6x7qxy47ft52g00fdjg5cmux7jeqr7mjz8y40gteck8flqywgf3z','rewarded','rune',50072207088,'outside','CLAIMABLE','epoch','17',1795394305);
INSERT INTO journal VALUES(176,'lobo','reward:17:5f0812accf91252a','bcrt1prvw768eqwwr9t44nm674q6twvdcchmk5qn5zt4pcfwjydrtwrg9skmeulc','rewarded','rune',22596760869,'outside','CLAIMABLE','epoch','17',1795394305);
INSERT INTO journal VALUES(177,'lobo','reward:17:23690c9f3d3358d4','bcrt1qwlre4yf78hqpsa5dh9uhxzl9cn0zeg3z0730uq','rewarded','rune',27331032043,'outside','CLAIMABLE','epoch','17',1795394305);
INSERT INTO journal VALUES(178,'lobo','2c4749448c872caa2532ff800efc5ede4459716e26f3d327ec7340108f0d89bc:0','bcrt1p0pdnsh3jus6axauyfs9qgk8tvkg8gncp7vks2w3sfshmw7ykc0hsv3aqm3','withdraw ordered','rune',10000000000,'UNLOCKED','PO_LOCKED','action','73183e1d41ab591fde5a35eb5c303696',1795394305);
INSERT INTO journal VALUES(179,'lobo','2b629f0fd2e50bd946bf114dbf0d6e69','bcrt1p0pdnsh3jus6axauyfs9qgk8tvkg8gncp7vks2w3sfshmw7ykc0hsv3aqm3','proof accepted','',0,'outside','order:PENDING','action','73183e1d41ab591fde5a35eb5c303696',1795394305);
INSERT INTO journal VALUES(18,'lobo','e613a9c0b1fc2b3f8bc63375dd8e961cb25f40239c73c9ebd5056752b2662e5a:0','bcrt1pa08nhd6x7qxy47ft52g00fdjg5cmux7jeqr7mjz8y40gteck8flqywgf3z','deposited','rune',77712345679,'outside','PENDING_STAKE','mempool','e613a9c0b1fc2b3f8bc63375dd8e961cb25f40239c73c9ebd5056752b2662e5a',1795388685);
INSERT INTO journal VALUES(180,'lobo','2b629f0fd2e50bd946bf114dbf0d6e69','bcrt1p0pdnsh3jus6axauyfs9qgk8tvkg8gncp7vks2w3sfshmw7ykc0hsv3aqm3','payment seen','sats',2519,'outside','paid:2b629f0fd2e50bd946bf114dbf0d6e69','payment','e034a09347452f453c3125067be2ec51fddb222cb7a47ff7def7c223ccaadf1b:0',1795394305);
INSERT INTO journal VALUES(181,'lobo','2b629f0fd2e50bd946bf114dbf0d6e69','bcrt1p0pdnsh3jus6axauyfs9qgk8tvkg8gncp7vks2w3sfshmw7ykc0hsv3aqm3','first payment seen','',0,'order:PENDING','order:CONFIRMED','order','2b629f0fd2e50bd946bf114dbf0d6e69',1795394305);
INSERT INTO journal VALUES(182,'lobo','2c4749448c872caa2532ff800efc5ede4459716e26f3d327ec7340108f0d89bc:0','bcrt1p0pdnsh3jus6axauyfs9qgk8tvkg8gncp7vks2w3sfshmw7ykc0hsv3aqm3','payment begun','rune',10000000000,'PO_LOCKED','PENDING_WITHDRAW','order','2b629f0fd2e50bd946bf114dbf0d6e69',1795394305);
INSERT INTO journal VALUES(183,'lobo','2b629f0fd2e50bd946bf114dbf0d6e69','bcrt1p0pdnsh3jus6axauyfs9qgk8tvkg8gncp7vks2w3sfshmw7ykc0hsv3aqm3','paid in full','',0,'order:CONFIRMED','order:PAID','order','2b629f0fd2e50bd946bf114dbf0d6e69',1795394305);
INSERT INTO journal VALUES(184,'lobo','2c4749448c872caa2532ff800efc5ede4459716e26f3d327ec7340108f0d89bc:0','bcrt1p0pdnsh3jus6axauyfs9qgk8tvkg8gncp7vks2w3sfshmw7ykc0hsv3aqm3','payment complete','rune',10000000000,'PENDING_WITHDRAW','BATCH_LOCKED','order','2b629f0fd2e50bd946bf114dbf0d6e69',1795394305);
INSERT INTO journal VALUES(185,'lobo','2b629f0fd2e50bd946bf114dbf0d6e69','bcrt1p0pdnsh3jus6axauyfs9qgk8tvkg8gncp7vks2w3sfshmw7ykc0hsv3aqm3','payout signed and stored','',0,'order:PAID','order:SENT','payout','561e3fd2da290283354de5d7d8c34f78',1795394305);
INSERT INTO journal VALUES(186,'lobo','b26d47b394a4e6450f0889cfa10ccd75209135c9ece0f31f5ecd256c48d7435b:0','bcrt1p0pdnsh3jus6axauyfs9qgk8tvkg8gncp7vks2w3sfshmw7ykc0hsv3aqm3','withdraw ordered','rune',11000000000,'UNLOCKED','PO_LOCKED','action','61b4da1187005dd6750693b5ee60cf29',1795394305);
INSERT INTO journal VALUES(187,'lobo','8deb0836b9991e28de2f71fa30500bb2','bcrt1p0pdnsh3jus6axauyfs9qgk8tvkg8gncp7vks2w3sfshmw7ykc0hsv3aqm3','proof accepted','',0,'outside','order:PENDING','action','61b4da1187005dd6750693b5ee60cf29',1795394305);
INSERT INTO journal VALUES(188,'lobo','8deb0836b9991e28de2f71fa30500bb2','bcrt1p0pdnsh3jus6axauyfs9qgk8tvkg8gncp7vks2w3sfshmw7ykc0hsv3aqm3','payment seen','sats',1259,'outside','paid:8deb0836b9991e28de2f71fa30500bb2','payment','786af5fa708f4d742353b2937bb9b31e327e000638b4e01c4799f1b8fecb5599:0',1795394305);
INSERT INTO journal VALUES(189,'lobo','8deb0836b9991e28de2f71fa30500bb2','bcrt1p0pdnsh3jus6axauyfs9qgk8tvkg8gncp7vks2w3sfshmw7ykc0hsv3aqm3','first payment seen','',0,'order:PENDING','order:CONFIRMED','order','8deb0836b9991e28de2f71fa30500bb2',1795394305);
INSERT INTO journal VALUES(19,'lobo','4e7048de2a57cc2869d6a5c6d559c395a9c2d55bd4370c00dff4a62f5d9773e7:0','bcrt1prvw768eqwwr9t44nm674q6twvdcchmk5qn5zt4pcfwjydrtwrg9skmeulc','became eligible','rune',150000000000,'PENDING_STAKE','STAKED','block','41dbb970e49f62dad223333bdf9e33f2bb74ccfcc3af4a15acff8b7e107c7d42',1795388686);
INSERT INTO journal VALUES(190,'lobo','b26d47b394a4e6450f0889cfa10ccd75209135c9ece0f31f5ecd256c48d7435b:0','bcrt1p0pdnsh3jus6axauyfs9qgk8tvkg8gncp7vks2w3sfshmw7ykc0hsv3aqm3','payment begun','rune',11000000000,'PO_LOCKED','PENDING_WITHDRAW','order','8deb0836b9991e28de2f71fa30500bb2',1795394305);
INSERT INTO journal VALUES(191,'lobo','8deb0836b9991e28de2f71fa30500bb2','bcrt1p0pdnsh3jus6axauyfs9qgk8tvkg8gncp7vks2w3sfshmw7ykc0hsv3aqm3','fees expired','',0,'order:CONFIRMED','order:PENDING_RERATE','order','8deb0836b9991e28de2f71fa30500bb2',1795396165);
INSERT INTO journal VALUES(192,'lobo','b978fab06fce4ff06751b19cb760bed0a859c2e76afd9bd5c8faa9de47066ef2:0','bcrt1p0pdnsh3jus6axauyfs9qgk8tvkg8gncp7vks2w3sfshmw7ykc0hsv3aqm3','withdraw ordered','rune',12000000000,'UNLOCKED','PO_LOCKED','action','ad25dd567026de112a2ead4755262e00',1795396165);
INSERT INTO journal VALUES(193,'lobo','301327c4bff2f286f0aefb999939b217','bcrt1p0pdnsh3jus6axauyfs9qgk8tvkg8gncp7vks2w3sfshmw7ykc0hsv3aqm3','proof accepted','',0,'outside','order:PENDING','action','ad25dd567026de112a2ead4755262e00',1795396165);
INSERT INTO journal VALUES(194,'lobo','301327c4bff2f286f0aefb999939b217','bcrt1p0pdnsh3jus6axauyfs9qgk8tvkg8gncp7vks2w3sfshmw7ykc0hsv3aqm3','payment seen','sats',2519,'outside','paid:301327c4bff2f286f0aefb999939b217','payment','8bdd52e555500a6a6419582fc60c9da6f58680707e7bf16e5677beeaf19dfac8:0',1795396165);
INSERT INTO journal VALUES(195,'lobo','301327c4bff2f286f0aefb999939b217','bcrt1p0pdnsh3jus6axauyfs9qgk8tvkg8gncp7vks2w3sfshmw7ykc0hsv3aqm3','first payment seen','',0,'order:PENDING','order:CONFIRMED','order','301327c4bff2f286f0aefb999939b217',1795396165);
INSERT INTO journal VALUES(196,'lobo','b978fab06fce4ff06751b19cb760bed0a859c2e76afd9bd5c8faa9de47066ef2:0','bcrt1p0pdnsh3jus6axauyfs9qgk8tvkg8gncp7vks2w3sfshmw7ykc0hsv3aqm3','payment begun','rune',12000000000,'PO_LOCKED','PENDING_WITHDRAW','order','301327c4bff2f286f0aefb999939b217',1795396165);
INSERT INTO journal VALUES(197,'lobo','7f93726ddbe100df588af894fb7d42f0f2ddd7369b659f3936994da98bc6bf9e:0','bcrt1p0pdnsh3jus6axauyfs9qgk8tvkg8gncp7vks2w3sfshmw7ykc0hsv3aqm3','withdraw ordered','rune',13000000000,'UNLOCKED','PO_LOCKED','action','fea0ad7f76ac1127912f23c726e10679',1795396165);
INSERT INTO journal VALUES(198,'lobo','f199df6ffe63c944062c26310314eb74','bcrt1p0pdnsh3jus6axauyfs9qgk8tvkg8gncp7vks2w3sfshmw7ykc0hsv3aqm3','proof accepted','',0,'outside','order:PENDING','action','fea0ad7f76ac1127912f23c726e10679',1795396165);
INSERT INTO journal VALUES(199,'lobo','301327c4bff2f286f0aefb999939b217','bcrt1p0pdnsh3jus6axauyfs9qgk8tvkg8gncp7vks2w3sfshmw7ykc0hsv3aqm3','paid in full','',0,'order:CONFIRMED','order:PAID','order','301327c4bff2f286f0aefb999939b217',1795396165);
INSERT INTO journal VALUES(2,'lobo','fees:lobo','','sats credited','sats',1250000,'outside','fees:lobo','operator','a dev network begins',1795388684);
INSERT INTO journal VALUES(20,'lobo','e613a9c0b1fc2b3f8bc63375dd8e961cb25f40239c73c9ebd5056752b2662e5a:0','bcrt1pa08nhd6x7qxy47ft52g00fdjg5cmux7jeqr7mjz8y40gteck8flqywgf3z','became eligible','rune',77712345679,'PENDING_STAKE','STAKED','block','41dbb970e49f62dad223333bdf9e33f2bb74ccfcc3af4a15acff8b7e107c7d42',1795388686);
INSERT INTO journal VALUES(200,'lobo','b978fab06fce4ff06751b19cb760bed0a859c2e76afd9bd5c8faa9de47066ef2:0','bcrt1p0pdnsh3jus6axauyfs9qgk8tvkg8gncp7vks2w3sfshmw7ykc0hsv3aqm3','payment complete','rune',12000000000,'PENDING_WITHDRAW','BATCH_LOCKED','order','301327c4bff2f286f0aefb999939b217',1795396165);
INSERT INTO journal VALUES(201,'lobo','301327c4bff2f286f0aefb999939b217','bcrt1p0pdnsh3jus6axauyfs9qgk8tvkg8gncp7vks2w3sfshmw7ykc0hsv3aqm3','payout signed and stored','',0,'order:PAID','order:SENT','payout','1bcb33591273684abacc7e60544d0e61',1795396165);
INSERT INTO journal VALUES(202,'lobo','3d6f12e11cde37343c8e45b66a3c21fa927476b7abd458860cf5366fc4f548f1:0','bcrt1qwlre4yf78hqpsa5dh9uhxzl9cn0zeg3z0730uq','deposited','rune',20000000000,'outside','PENDING_STAKE','mempool','3d6f12e11cde37343c8e45b66a3c21fa927476b7abd458860cf5366fc4f548f1',1795396165);
INSERT INTO journal VALUES(21,'lobo','reward:1:027d0f775b341cda','bcrt1pa08nhd6x7qxy47ft52g00fdjg5cmux7jeqr7mjz8y40gteck8flqywgf3z','rewarded','rune',34127418716,'outside','CLAIMABLE','epoch','1',1795388688);
INSERT INTO journal VALUES(22,'lobo','reward:1:5f0812accf91252a','bcrt1prvw768eqwwr9t44nm674q6twvdcchmk5qn5zt4pcfwjydrtwrg9skmeulc','rewarded','rune',65872581284,'outside','CLAIMABLE','epoch','1',1795388688);
INSERT INTO journal VALUES(23,'lobo','reward:1:5f0812accf91252a','bcrt1prvw768eqwwr9t44nm674q6twvdcchmk5qn5zt4pcfwjydrtwrg9skmeulc','compound','rune',65872581284,'CLAIMABLE','PENDING_STAKE','action','455f70a7ff3f2d928047d107db1b2d5a',1795388688);
INSERT INTO journal VALUES(24,'lobo','reward:1:5f0812accf91252a','bcrt1prvw768eqwwr9t44nm674q6twvdcchmk5qn5zt4pcfwjydrtwrg9skmeulc','became eligible','rune',65872581284,'PENDING_STAKE','STAKED','block','570c62b9377b23f66c6e9ad96d7135be62e443f35b540b2abb3a8fc70294f28c',1795388690);
INSERT INTO journal VALUES(25,'lobo','reward:2:027d0f775b341cda','bcrt1pa08nhd6x7qxy47ft52g00fdjg5cmux7jeqr7mjz8y40gteck8flqywgf3z','rewarded','rune',34127418716,'outside','CLAIMABLE','epoch','2',1795388690);
INSERT INTO journal VALUES(26,'lobo','reward:2:5f0812accf91252a','bcrt1prvw768eqwwr9t44nm674q6twvdcchmk5qn5zt4pcfwjydrtwrg9skmeulc','rewarded','rune',65872581284,'outside','CLAIMABLE','epoch','2',1795388690);
INSERT INTO journal VALUES(27,'lobo','reward:1:027d0f775b341cda','bcrt1pa08nhd6x7qxy47ft52g00fdjg5cmux7jeqr7mjz8y40gteck8flqywgf3z','compound','rune',34127418716,'CLAIMABLE','PENDING_STAKE','action','58691e1e7ef8cb85db20225cf86d4b13',1795388690);
INSERT INTO journal VALUES(28,'lobo','reward:2:027d0f775b341cda','bcrt1pa08nhd6x7qxy47ft52g00fdjg5cmux7jeqr7mjz8y40gteck8flqywgf3z','compound','rune',34127418716,'CLAIMABLE','PENDING_STAKE','action','58691e1e7ef8cb85db20225cf86d4b13',1795388690);
INSERT INTO journal VALUES(29,'lobo','reward:2:5f0812accf91252a','bcrt1prvw768eqwwr9t44nm674q6twvdcchmk5qn5zt4pcfwjydrtwrg9skmeulc','claim ordered','rune',65872581284,'CLAIMABLE','PO_CLAIMED','action','bcd10602a776cd7552c8dbadf61764d2',1795388690);
INSERT INTO journal VALUES(3,'lobo','fees:lobo','','sats credited','sats',1250000,'outside','fees:lobo','operator','a dev network begins',1795388684);
INSERT INTO journal VALUES(30,'lobo','7d5a5faf45caf3ea7ab2c71a3c2da9eb','bcrt1prvw768eqwwr9t44nm674q6twvdcchmk5qn5zt4pcfwjydrtwrg9skmeulc','proof accepted','',0,'outside','order:PENDING','action','bcd10602a776cd7552c8dbadf61764d2',1795388690);
INSERT INTO journal VALUES(31,'lobo','7d5a5faf45caf3ea7ab2c71a3c2da9eb','bcrt1prvw768eqwwr9t44nm674q6twvdcchmk5qn5zt4pcfwjydrtwrg9skmeulc','payment seen','sats',2608,'outside','paid:7d5a5faf45caf3ea7ab2c71a3c2da9eb','payment','1e8fcfa638534bc6817cf23a454674c98338a1b9f0460f65aa318db29fc83550:0',1795388690);
INSERT INTO journal VALUES(32,'lobo','7d5a5faf45caf3ea7ab2c71a3c2da9eb','bcrt1prvw768eqwwr9t44nm674q6twvdcchmk5qn5zt4pcfwjydrtwrg9skmeulc','first payment seen','',0,'order:PENDING','order:CONFIRMED','order','7d5a5faf45caf3ea7ab2c71a3c2da9eb',1795388690);
INSERT INTO journal VALUES(33,'lobo','7d5a5faf45caf3ea7ab2c71a3c2da9eb','bcrt1prvw768eqwwr9t44nm674q6twvdcchmk5qn5zt4pcfwjydrtwrg9skmeulc','paid in full','',0,'order:CONFIRMED','order:PAID','order','7d5a5faf45caf3ea7ab2c71a3c2da9eb',1795388690);
INSERT INTO journal VALUES(34,'lobo','reward:2:5f0812accf91252a','bcrt1prvw768eqwwr9t44nm674q6twvdcchmk5qn5zt4pcfwjydrtwrg9skmeulc','payment complete','rune',65872581284,'PO_CLAIMED','BATCH_LOCKED','order','7d5a5faf45caf3ea7ab2c71a3c2da9eb',1795388690);
INSERT INTO journal VALUES(35,'lobo','7d5a5faf45caf3ea7ab2c71a3c2da9eb','bcrt1prvw768eqwwr9t44nm674q6twvdcchmk5qn5zt4pcfwjydrtwrg9skmeulc','payout signed and stored','',0,'order:PAID','order:SENT','payout','0c4bf10482fa1c1a37a1f4bbe3f11446',1795388690);
INSERT INTO journal VALUES(36,'lobo','7d5a5faf45caf3ea7ab2c71a3c2da9eb','bcrt1prvw768eqwwr9t44nm674q6twvdcchmk5qn5zt4pcfwjydrtwrg9skmeulc','payout confirmed','',0,'order:SENT','order:DELIVERED','payout','0c4bf10482fa1c1a37a1f4bbe3f11446',1795388690);
INSERT INTO journal VALUES(37,'lobo','reward:2:5f0812accf91252a','bcrt1prvw768eqwwr9t44nm674q6twvdcchmk5qn5zt4pcfwjydrtwrg9skmeulc','payout confirmed','rune',65872581284,'BATCH_LOCKED','WITHDRAWN','payout','0c4bf10482fa1c1a37a1f4bbe3f11446',1795388690);
INSERT INTO journal VALUES(38,'lobo','7d5a5faf45caf3ea7ab2c71a3c2da9eb','bcrt1prvw768eqwwr9t44nm674q6twvdcchmk5qn5zt4pcfwjydrtwrg9skmeulc','nothing left to sweep','',0,'order:DELIVERED','order:CONSOLIDATED','payout','0c4bf10482fa1c1a37a1f4bbe3f11446',1795388690);
INSERT INTO journal VALUES(39,'lobo','4e7048de2a57cc2869d6a5c6d559c395a9c2d55bd4370c00dff4a62f5d9773e7:0','bcrt1prvw768eqwwr9t44nm674q6twvdcchmk5qn5zt4pcfwjydrtwrg9skmeulc','unstake','rune',150000000000,'STAKED','PENDING_UNLOCK','action','9ef6d1c187fa3433ad580d52099774f6',1795388690);
INSERT INTO journal VALUES(4,'lobo','fees:lobo','','sats credited','sats',1250000,'outside','fees:lobo','operator','a dev network begins',1795388684);
INSERT INTO journal VALUES(40,'lobo','reward:1:027d0f775b341cda','bcrt1pa08nhd6x7qxy47ft52g00fdjg5cmux7jeqr7mjz8y40gteck8flqywgf3z','became eligible','rune',34127418716,'PENDING_STAKE','STAKED','block','06b20df44144ee729c8ea3afc6a6c56368d567d462feba7e10dd34f7b0c47786',1795388693);
INSERT INTO journal VALUES(41,'lobo','reward:2:027d0f775b341cda','bcrt1pa08nhd6x7qxy47ft52g00fdjg5cmux7jeqr7mjz8y40gteck8flqywgf3z','became eligible','rune',34127418716,'PENDING_STAKE','STAKED','block','06b20df44144ee729c8ea3afc6a6c56368d567d462feba7e10dd34f7b0c47786',1795388693);
INSERT INTO journal VALUES(42,'lobo','fees:lobo','','network money collected','sats',562,'outside','fees:lobo','payout','0c4bf10482fa1c1a37a1f4bbe3f11446',1795388693);
INSERT INTO journal VALUES(43,'lobo','fees:lobo','','network fee paid','sats',562,'fees:lobo','outside','payout','0c4bf10482fa1c1a37a1f4bbe3f11446',1795388693);
INSERT INTO journal VALUES(44,'lobo','reward:3:027d0f775b341cda','bcrt1pa08nhd6x7qxy47ft52g00fdjg5cmux7jeqr7mjz8y40gteck8flqywgf3z','rewarded','rune',54122913402,'outside','CLAIMABLE','epoch','3',1795388693);
INSERT INTO journal VALUES(45,'lobo','reward:3:5f0812accf91252a','bcrt1prvw768eqwwr9t44nm674q6twvdcchmk5qn5zt4pcfwjydrtwrg9skmeulc','rewarded','rune',45877086598,'outside','CLAIMABLE','epoch','3',1795388693);
INSERT INTO journal VALUES(46,'lobo','4e7048de2a57cc2869d6a5c6d559c395a9c2d55bd4370c00dff4a62f5d9773e7:0','bcrt1prvw768eqwwr9t44nm674q6twvdcchmk5qn5zt4pcfwjydrtwrg9skmeulc','cooldown over','rune',150000000000,'PENDING_UNLOCK','UNLOCKED','clock','lobo',1795388695);
INSERT INTO journal VALUES(47,'lobo','reward:4:027d0f775b341cda','bcrt1pa08nhd6x7qxy47ft52g00fdjg5cmux7jeqr7mjz8y40gteck8flqywgf3z','rewarded','rune',68904524855,'outside','CLAIMABLE','epoch','4',1795388695);
INSERT INTO journal VALUES(48,'lobo','reward:4:5f0812accf91252a','bcrt1prvw768eqwwr9t44nm674q6twvdcchmk5qn5zt4pcfwjydrtwrg9skmeulc','rewarded','rune',31095475145,'outside','CLAIMABLE','epoch','4',1795388695);
INSERT INTO journal VALUES(49,'lobo','4e7048de2a57cc2869d6a5c6d559c395a9c2d55bd4370c00dff4a62f5d9773e7:0','bcrt1prvw768eqwwr9t44nm674q6twvdcchmk5qn5zt4pcfwjydrtwrg9skmeulc','restake','rune',150000000000,'UNLOCKED','PENDING_STAKE','action','2e2023ba422b7ef767ea9aca1119e31d',1795388695);
INSERT INTO journal VALUES(5,'lobo','fees:lobo','','sats credited','sats',1250000,'outside','fees:lobo','operator','a dev network begins',1795388684);
INSERT INTO journal VALUES(50,'lobo','4e7048de2a57cc2869d6a5c6d559c395a9c2d55bd4370c00dff4a62f5d9773e7:0','bcrt1prvw768eqwwr9t44nm674q6twvdcchmk5qn5zt4pcfwjydrtwrg9skmeulc','became eligible','rune',150000000000,'PENDING_STAKE','STAKED','block','5597c3f1e1bcc92dc45881ed52e9473598cfcdb1eeb871b2d4a8b83c2491454b',1795388697);
INSERT INTO journal VALUES(51,'lobo','reward:5:027d0f775b341cda','bcrt1pa08nhd6x7qxy47ft52g00fdjg5cmux7jeqr7mjz8y40gteck8flqywgf3z','rewarded','rune',68904524855,'outside','CLAIMABLE','epoch','5',1795388697);
INSERT INTO journal VALUES(52,'lobo','reward:5:5f0812accf91252a','bcrt1prvw768eqwwr9t44nm674q6twvdcchmk5qn5zt4pcfwjydrtwrg9skmeulc','rewarded','rune',31095475145,'outside','CLAIMABLE','epoch','5',1795388697);
INSERT INTO journal VALUES(53,'lobo','4e7048de2a57cc2869d6a5c6d559c395a9c2d55bd4370c00dff4a62f5d9773e7:0','bcrt1prvw768eqwwr9t44nm674q6twvdcchmk5qn5zt4pcfwjydrtwrg9skmeulc','unstake','rune',150000000000,'STAKED','PENDING_UNLOCK','action','f831a0afd870749ab11e00846dacf81b',1795388697);
INSERT INTO journal VALUES(54,'lobo','reward:6:027d0f775b341cda','bcrt1pa08nhd6x7qxy47ft52g00fdjg5cmux7jeqr7mjz8y40gteck8flqywgf3z','rewarded','rune',68904524855,'outside','CLAIMABLE','epoch','6',1795388699);
INSERT INTO journal VALUES(55,'lobo','reward:6:5f0812accf91252a','bcrt1prvw768eqwwr9t44nm674q6twvdcchmk5qn5zt4pcfwjydrtwrg9skmeulc','rewarded','rune',31095475145,'outside','CLAIMABLE','epoch','6',1795388699);
INSERT INTO journal VALUES(56,'lobo','4e7048de2a57cc2869d6a5c6d559c395a9c2d55bd4370c00dff4a62f5d9773e7:0','bcrt1prvw768eqwwr9t44nm674q6twvdcchmk5qn5zt4pcfwjydrtwrg9skmeulc','cooldown over','rune',150000000000,'PENDING_UNLOCK','UNLOCKED','clock','lobo',1795388701);
INSERT INTO journal VALUES(57,'lobo','reward:7:027d0f775b341cda','bcrt1pa08nhd6x7qxy47ft52g00fdjg5cmux7jeqr7mjz8y40gteck8flqywgf3z','rewarded','rune',68904524855,'outside','CLAIMABLE','epoch','7',1795388701);
INSERT INTO journal VALUES(58,'lobo','reward:7:5f0812accf91252a','bcrt1prvw768eqwwr9t44nm674q6twvdcchmk5qn5zt4pcfwjydrtwrg9skmeulc','rewarded','rune',31095475145,'outside','CLAIMABLE','epoch','7',1795388701);
INSERT INTO journal VALUES(59,'lobo','4e7048de2a57cc2869d6a5c6d559c395a9c2d55bd4370c00dff4a62f5d9773e7:0','bcrt1prvw768eqwwr9t44nm674q6twvdcchmk5qn5zt4pcfwjydrtwrg9skmeulc','withdraw ordered','rune',150000000000,'UNLOCKED','PO_LOCKED','action','1d0339d292e5cddccb264184818936ec',1795388701);
INSERT INTO journal VALUES(6,'lobo','fees:lobo','','sats credited','sats',1250000,'outside','fees:lobo','operator','a dev network begins',1795388684);
INSERT INTO journal VALUES(60,'lobo','b7d9928e9824a4ff1e65dc4ce8114235','bcrt1prvw768eqwwr9t44nm674q6twvdcchmk5qn5zt4pcfwjydrtwrg9skmeulc','proof accepted','',0,'outside','order:PENDING','action','1d0339d292e5cddccb264184818936ec',1795388701);
INSERT INTO journal VALUES(61,'lobo','b7d9928e9824a4ff1e65dc4ce8114235','bcrt1prvw768eqwwr9t44nm674q6twvdcchmk5qn5zt4pcfwjydrtwrg9skmeulc','payment seen','sats',1260,'outside','paid:b7d9928e9824a4ff1e65dc4ce8114235','payment','be1a32b8d850c4d879b2f04490123777dad4c5072423a8f65a784be80fc7ada5:0',1795388701);
INSERT INTO journal VALUES(62,'lobo','b7d9928e9824a4ff1e65dc4ce8114235','bcrt1prvw768eqwwr9t44nm674q6twvdcchmk5qn5zt4pcfwjydrtwrg9skmeulc','first payment seen','',0,'order:PENDING','order:CONFIRMED','order','b7d9928e9824a4ff1e65dc4ce8114235',1795388701);
INSERT INTO journal VALUES(63,'lobo','4e7048de2a57cc2869d6a5c6d559c395a9c2d55bd4370c00dff4a62f5d9773e7:0','bcrt1prvw768eqwwr9t44nm674q6twvdcchmk5qn5zt4pcfwjydrtwrg9skmeulc','payment begun','rune',150000000000,'PO_LOCKED','PENDING_WITHDRAW','order','b7d9928e9824a4ff1e65dc4ce8114235',1795388701);
INSERT INTO journal VALUES(64,'lobo','b7d9928e9824a4ff1e65dc4ce8114235','bcrt1prvw768eqwwr9t44nm674q6twvdcchmk5qn5zt4pcfwjydrtwrg9skmeulc','payment seen','sats',1378,'outside','paid:b7d9928e9824a4ff1e65dc4ce8114235','payment','9a8e55f4c0bbec765cd03ef8d9244200d8ab13db0b179cf768a97e3d928096a0:0',1795388701);
INSERT INTO journal VALUES(65,'lobo','b7d9928e9824a4ff1e65dc4ce8114235','bcrt1prvw768eqwwr9t44nm674q6twvdcchmk5qn5zt4pcfwjydrtwrg9skmeulc','paid in full','',0,'order:CONFIRMED','order:PAID','order','b7d9928e9824a4ff1e65dc4ce8114235',1795388701);
INSERT INTO journal VALUES(66,'lobo','4e7048de2a57cc2869d6a5c6d559c395a9c2d55bd4370c00dff4a62f5d9773e7:0','bcrt1prvw768eqwwr9t44nm674q6twvdcchmk5qn5zt4pcfwjydrtwrg9skmeulc','payment complete','rune',150000000000,'PENDING_WITHDRAW','BATCH_LOCKED','order','b7d9928e9824a4ff1e65dc4ce8114235',1795388701);
INSERT INTO journal VALUES(67,'lobo','b7d9928e9824a4ff1e65dc4ce8114235','bcrt1prvw768eqwwr9t44nm674q6twvdcchmk5qn5zt4pcfwjydrtwrg9skmeulc','payout signed and stored','',0,'order:PAID','order:SENT','payout','aa27fbe94eefbc7cd173dd6c9747900a',1795388701);
INSERT INTO journal VALUES(68,'lobo','b7d9928e9824a4ff1e65dc4ce8114235','bcrt1prvw768eqwwr9t44nm674q6twvdcchmk5qn5zt4pcfwjydrtwrg9skmeulc','payout confirmed','',0,'order:SENT','order:DELIVERED','payout','aa27fbe94eefbc7cd173dd6c9747900a',1795388701);
INSERT INTO journal VALUES(69,'lobo','4e7048de2a57cc2869d6a5c6d559c395a9c2d55bd4370c00dff4a62f5d9773e7:0','bcrt1prvw768eqwwr9t44nm674q6twvdcchmk5qn5zt4pcfwjydrtwrg9skmeulc','payout confirmed','rune',150000000000,'BATCH_LOCKED','WITHDRAWN','payout','aa27fbe94eefbc7cd173dd6c9747900a',1795388701);
INSERT INTO journal VALUES(7,'lobo','fees:lobo','','sats credited','sats',1250000,'outside','fees:lobo','operator','a dev network begins',1795388684);
INSERT INTO journal VALUES(70,'lobo','b7d9928e9824a4ff1e65dc4ce8114235','bcrt1prvw768eqwwr9t44nm674q6twvdcchmk5qn5zt4pcfwjydrtwrg9skmeulc','nothing left to sweep','',0,'order:DELIVERED','order:CONSOLIDATED','payout','aa27fbe94eefbc7cd173dd6c9747900a',1795388701);
INSERT INTO journal VALUES(71,'lobo','9822eacde24cd00dea102431b249a1cc0ee7b42a169dd8047be5d4d75ce2ae0e:0','bcrt1qwlre4yf78hqpsa5dh9uhxzl9cn0zeg3z0730uq','deposited','rune',40000000000,'outside','PENDING_STAKE','mempool','9822eacde24cd00dea102431b249a1cc0ee7b42a169dd8047be5d4d75ce2ae0e',1795388701);
INSERT INTO journal VALUES(72,'lobo','7c82e3386827a54b20524001e469ff6cd02083e07d34a3d7fafaa9a22d527b1f:0','bcrt1qwlre4yf78hqpsa5dh9uhxzl9cn0zeg3z0730uq','deposited','rune',30000000000,'outside','PENDING_STAKE','mempool','7c82e3386827a54b20524001e469ff6cd02083e07d34a3d7fafaa9a22d527b1f',1795388701);
INSERT INTO journal VALUES(73,'lobo','9822eacde24cd00dea102431b249a1cc0ee7b42a169dd8047be5d4d75ce2ae0e:0','bcrt1qwlre4yf78hqpsa5dh9uhxzl9cn0zeg3z0730uq','became eligible','rune',40000000000,'PENDING_STAKE','STAKED','block','0af819d43a562f5bb7b264a16c3a5fbc98b1724f314de0823a60d22577ca4df9',1795388705);
INSERT INTO journal VALUES(74,'lobo','7c82e3386827a54b20524001e469ff6cd02083e07d34a3d7fafaa9a22d527b1f:0','bcrt1qwlre4yf78hqpsa5dh9uhxzl9cn0zeg3z0730uq','became eligible','rune',30000000000,'PENDING_STAKE','STAKED','block','0af819d43a562f5bb7b264a16c3a5fbc98b1724f314de0823a60d22577ca4df9',1795388705);
INSERT INTO journal VALUES(75,'lobo','fees:lobo','','network money collected','sats',592,'outside','fees:lobo','payout','aa27fbe94eefbc7cd173dd6c9747900a',1795388705);
INSERT INTO journal VALUES(76,'lobo','fees:lobo','','network fee paid','sats',590,'fees:lobo','outside','payout','aa27fbe94eefbc7cd173dd6c9747900a',1795388705);
INSERT INTO journal VALUES(77,'lobo','reward:8:027d0f775b341cda','bcrt1pa08nhd6x7qxy47ft52g00fdjg5cmux7jeqr7mjz8y40gteck8flqywgf3z','rewarded','rune',68904524855,'outside','CLAIMABLE','epoch','8',1795388705);
INSERT INTO journal VALUES(78,'lobo','reward:8:5f0812accf91252a','bcrt1prvw768eqwwr9t44nm674q6twvdcchmk5qn5zt4pcfwjydrtwrg9skmeulc','rewarded','rune',31095475145,'outside','CLAIMABLE','epoch','8',1795388705);
INSERT INTO journal VALUES(79,'lobo','reward:9:027d0f775b341cda','bcrt1pa08nhd6x7qxy47ft52g00fdjg5cmux7jeqr7mjz8y40gteck8flqywgf3z','rewarded','rune',51790840595,'outside','CLAIMABLE','epoch','9',1795388707);
INSERT INTO journal VALUES(8,'lobo','fees:lobo','','sats credited','sats',1250000,'outside','fees:lobo','operator','a dev network begins',1795388684);
INSERT INTO journal VALUES(80,'lobo','reward:9:5f0812accf91252a','bcrt1prvw768eqwwr9t44nm674q6twvdcchmk5qn5zt4pcfwjydrtwrg9skmeulc','rewarded','rune',23372351813,'outside','CLAIMABLE','epoch','9',1795388707);
INSERT INTO journal VALUES(81,'lobo','reward:9:23690c9f3d3358d4','bcrt1qwlre4yf78hqpsa5dh9uhxzl9cn0zeg3z0730uq','rewarded','rune',24836807592,'outside','CLAIMABLE','epoch','9',1795388707);
INSERT INTO journal VALUES(82,'lobo','reward:10:027d0f775b341cda','bcrt1pa08nhd6x7qxy47ft52g00fdjg5cmux7jeqr7mjz8y40gteck8flqywgf3z','rewarded','rune',51790840595,'outside','CLAIMABLE','epoch','10',1795388709);
INSERT INTO journal VALUES(83,'lobo','reward:10:5f0812accf91252a','bcrt1prvw768eqwwr9t44nm674q6twvdcchmk5qn5zt4pcfwjydrtwrg9skmeulc','rewarded','rune',23372351813,'outside','CLAIMABLE','epoch','10',1795388709);
INSERT INTO journal VALUES(84,'lobo','reward:10:23690c9f3d3358d4','bcrt1qwlre4yf78hqpsa5dh9uhxzl9cn0zeg3z0730uq','rewarded','rune',24836807592,'outside','CLAIMABLE','epoch','10',1795388709);
INSERT INTO journal VALUES(85,'lobo','9822eacde24cd00dea102431b249a1cc0ee7b42a169dd8047be5d4d75ce2ae0e:0','bcrt1qwlre4yf78hqpsa5dh9uhxzl9cn0zeg3z0730uq','unstake','rune',40000000000,'STAKED','PENDING_UNLOCK','action','dc7e42473091e9ea33ea12116c107e9e',1795388709);
INSERT INTO journal VALUES(86,'lobo','7c82e3386827a54b20524001e469ff6cd02083e07d34a3d7fafaa9a22d527b1f:0','bcrt1qwlre4yf78hqpsa5dh9uhxzl9cn0zeg3z0730uq','unstake','rune',30000000000,'STAKED','PENDING_UNLOCK','action','dc7e42473091e9ea33ea12116c107e9e',1795388709);
INSERT INTO journal VALUES(87,'lobo','reward:11:027d0f775b341cda','bcrt1pa08nhd6x7qxy47ft52g00fdjg5cmux7jeqr7mjz8y40gteck8flqywgf3z','rewarded','rune',68904524855,'outside','CLAIMABLE','epoch','11',1795388711);
INSERT INTO journal VALUES(88,'lobo','reward:11:5f0812accf91252a','bcrt1prvw768eqwwr9t44nm674q6twvdcchmk5qn5zt4pcfwjydrtwrg9skmeulc','rewarded','rune',31095475145,'outside','CLAIMABLE','epoch','11',1795388711);
INSERT INTO journal VALUES(89,'lobo','9822eacde24cd00dea102431b249a1cc0ee7b42a169dd8047be5d4d75ce2ae0e:0','bcrt1qwlre4yf78hqpsa5dh9uhxzl9cn0zeg3z0730uq','cooldown over','rune',40000000000,'PENDING_UNLOCK','UNLOCKED','clock','lobo',1795388713);
INSERT INTO journal VALUES(9,'dummy','fees:dummy','','sats credited','sats',1250000,'outside','fees:dummy','operator','a dev network begins',1795388684);
INSERT INTO journal VALUES(90,'lobo','7c82e3386827a54b20524001e469ff6cd02083e07d34a3d7fafaa9a22d527b1f:0','bcrt1qwlre4yf78hqpsa5dh9uhxzl9cn0zeg3z0730uq','cooldown over','rune',30000000000,'PENDING_UNLOCK','UNLOCKED','clock','lobo',1795388713);
INSERT INTO journal VALUES(91,'lobo','reward:12:027d0f775b341cda','bcrt1pa08nhd6x7qxy47ft52g00fdjg5cmux7jeqr7mjz8y40gteck8flqywgf3z','rewarded','rune',68904524855,'outside','CLAIMABLE','epoch','12',1795388713);
INSERT INTO journal VALUES(92,'lobo','reward:12:5f0812accf91252a','bcrt1prvw768eqwwr9t44nm674q6twvdcchmk5qn5zt4pcfwjydrtwrg9skmeulc','rewarded','rune',31095475145,'outside','CLAIMABLE','epoch','12',1795388713);
INSERT INTO journal VALUES(93,'lobo','9822eacde24cd00dea102431b249a1cc0ee7b42a169dd8047be5d4d75ce2ae0e:0','bcrt1qwlre4yf78hqpsa5dh9uhxzl9cn0zeg3z0730uq','withdraw ordered','rune',40000000000,'UNLOCKED','PO_LOCKED','action','adbf49654c2b36f822d611b0780510e9',1795388713);
INSERT INTO journal VALUES(94,'lobo','ff9c79ca5c594a986ac2c312fa3f8e9d','bcrt1qwlre4yf78hqpsa5dh9uhxzl9cn0zeg3z0730uq','proof accepted','',0,'outside','order:PENDING','action','adbf49654c2b36f822d611b0780510e9',1795388713);
INSERT INTO journal VALUES(95,'lobo','ff9c79ca5c594a986ac2c312fa3f8e9d','bcrt1qwlre4yf78hqpsa5dh9uhxzl9cn0zeg3z0730uq','canceled by its owner','',0,'order:PENDING','order:CANCELED','action','165d8bac3d41114212d066ef8401ead7',1795388713);
INSERT INTO journal VALUES(96,'lobo','9822eacde24cd00dea102431b249a1cc0ee7b42a169dd8047be5d4d75ce2ae0e:0','bcrt1qwlre4yf78hqpsa5dh9uhxzl9cn0zeg3z0730uq','order closed','rune',40000000000,'PO_LOCKED','UNLOCKED','action','165d8bac3d41114212d066ef8401ead7',1795388713);
INSERT INTO journal VALUES(97,'lobo','9822eacde24cd00dea102431b249a1cc0ee7b42a169dd8047be5d4d75ce2ae0e:0','bcrt1qwlre4yf78hqpsa5dh9uhxzl9cn0zeg3z0730uq','withdraw ordered','rune',40000000000,'UNLOCKED','PO_LOCKED','action','c7d55e59a949ba902052ea1c63d5f92c',1795388713);
INSERT INTO journal VALUES(98,'lobo','7c82e3386827a54b20524001e469ff6cd02083e07d34a3d7fafaa9a22d527b1f:0','bcrt1qwlre4yf78hqpsa5dh9uhxzl9cn0zeg3z0730uq','withdraw ordered','rune',30000000000,'UNLOCKED','PO_LOCKED','action','c7d55e59a949ba902052ea1c63d5f92c',1795388713);
INSERT INTO journal VALUES(99,'lobo','4ba6242183237c9e17e0346c2c4b1267','bcrt1qwlre4yf78hqpsa5dh9uhxzl9cn0zeg3z0730uq','proof accepted','',0,'outside','order:PENDING','action','c7d55e59a949ba902052ea1c63d5f92c',1795388713);
INSERT INTO lease VALUES('leader',2,-1,'','');
INSERT INTO operator_log VALUES(1,1795394269,'olga','order refund','1cb658bd516b6923fdc063e26351307f','Carol asked for it','Refund of order 1cb658bd516b6923fdc063e26351307f (AUDIT, lobo) of bcrt1qwlre4yf78hqpsa5dh9uhxzl9cn0zeg3z0730uq:
  06e8a7000e99ee7bf11994ee9710d938d435bf54c825c166489dbb66a3ca2799:0  2283 sats, block 245
2283 sats, less the network fee, go to n3qnD65xbeRKZogJUuKQDGcT1aDxNoACff.
What is in no block yet is left out.');
INSERT INTO operator_request VALUES(1,'refund','1cb658bd516b6923fdc063e26351307f','done','','befb368c0a1d9ff38530e77fc0945fe7','');
INSERT INTO payment VALUES('06e8a7000e99ee7bf11994ee9710d938d435bf54c825c166489dbb66a3ca2799',0,12,'1cb658bd516b6923fdc063e26351307f',1,0);
INSERT INTO payment VALUES('1d3638f91300f5f17c0c60185da13a544d66cf4eaaff59ed4fda7da31bcf80f2',0,7,'b5b558c793aa6d15d39fa40c32207d6e',1,1);
INSERT INTO payment VALUES('1e8fcfa638534bc6817cf23a454674c98338a1b9f0460f65aa318db29fc83550',0,1,'7d5a5faf45caf3ea7ab2c71a3c2da9eb',1,0);
INSERT INTO payment VALUES('786af5fa708f4d742353b2937bb9b31e327e000638b4e01c4799f1b8fecb5599',0,16,'8deb0836b9991e28de2f71fa30500bb2',1,0);
INSERT INTO payment VALUES('8bdd52e555500a6a6419582fc60c9da6f58680707e7bf16e5677beeaf19dfac8',0,17,'301327c4bff2f286f0aefb999939b217',1,0);
INSERT INTO payment VALUES('9a8e55f4c0bbec765cd03ef8d9244200d8ab13db0b179cf768a97e3d928096a0',0,5,'b7d9928e9824a4ff1e65dc4ce8114235',1,0);
INSERT INTO payment VALUES('be1a32b8d850c4d879b2f04490123777dad4c5072423a8f65a784be80fc7ada5',0,3,'b7d9928e9824a4ff1e65dc4ce8114235',1,0);
INSERT INTO payment VALUES('c9be626b2fff4fcd7131ead37979ae5af5e76614e63d412be6f580944582fa55',0,10,'386ff045fe6edcc80e4a3a04958a5521',1,0);
INSERT INTO payment VALUES('e034a09347452f453c3125067be2ec51fddb222cb7a47ff7def7c223ccaadf1b',0,14,'2b629f0fd2e50bd946bf114dbf0d6e69',1,0);
INSERT INTO payment VALUES('e84022f7b636048814ddc17b64f1f31512cdccc80b6f45c6992bc5f2c408b831',0,8,'386ff045fe6edcc80e4a3a04958a5521',1,0);
INSERT INTO payment_order VALUES('1cb658bd516b6923fdc063e26351307f',7,'lobo','CLAIM','bcrt1qwlre4yf78hqpsa5dh9uhxzl9cn0zeg3z0730uq','n3qnD65xbeRKZogJUuKQDGcT1aDxNoACff','363f6041307d93ee72631e05595c6759','["reward:9:23690c9f3d3358d4","reward:10:23690c9f3d3358d4"]',0,49673615184,2011,652,1500,0,117,'bcrt1pp8zxasl6ula03z8c3dfm46uhqmwpggm8aja7wl5la53f0flg5kdsc8yuff',X'512009C46EC3FAE7FAF888F88B53BAEB9706DC142367ECBBE77E9FED2297A7E8A59B','CANCELED',1795394293,1795394293,1795999093,0,0,0,2283,'','',1795394293,0);
INSERT INTO payment_order VALUES('2b629f0fd2e50bd946bf114dbf0d6e69',8,'lobo','WITHDRAW','bcrt1p0pdnsh3jus6axauyfs9qgk8tvkg8gncp7vks2w3sfshmw7ykc0hsv3aqm3','bcrt1q2jkhxvwlyhvxjcr23ut8fny25m3peydxwy6dsw','73183e1d41ab591fde5a35eb5c303696','["2c4749448c872caa2532ff800efc5ede4459716e26f3d327ec7340108f0d89bc:0"]',1,10000000000,2011,356,1500,117,117,'bcrt1pxyqjn4a5kug2rpjyue5tmpxzsqpqxn3aewh9t9uv9ry83tnfruqs69emnx',X'5120310129D7B4B710A18644E668BD84C28002034E3DCBAE55978C28C878AE691F01','SENT',1795394305,1795394305,1795999105,2519,2519,0,0,'561e3fd2da290283354de5d7d8c34f78','ad217e3b0ac34906cd388abb6e98605f0ba6c176efbef247443658ac723e34c0',1795394305,0);
INSERT INTO payment_order VALUES('301327c4bff2f286f0aefb999939b217',10,'lobo','WITHDRAW','bcrt1p0pdnsh3jus6axauyfs9qgk8tvkg8gncp7vks2w3sfshmw7ykc0hsv3aqm3','bcrt1q2jkhxvwlyhvxjcr23ut8fny25m3peydxwy6dsw','ad25dd567026de112a2ead4755262e00','["b978fab06fce4ff06751b19cb760bed0a859c2e76afd9bd5c8faa9de47066ef2:0"]',1,12000000000,2011,356,1500,117,117,'bcrt1ptqcay5mvx6qlmjwfgq0j32qzj269p0kgh9lku826n6ldfpysvs5snmjrle',X'51205831D2536C3681FDC9C9401F28A80292B450BEC8B97F6E1D5A9EBED484906429','SENT',1795396165,1795396165,1796000965,2519,2519,0,0,'1bcb33591273684abacc7e60544d0e61','24392bc9cdca36c90efa6a4cc495d3603158d3529529cfc2401c9ed5d5bca6f6',1795396165,0);
INSERT INTO payment_order VALUES('386ff045fe6edcc80e4a3a04958a5521',6,'lobo','WITHDRAW','bcrt1qwlre4yf78hqpsa5dh9uhxzl9cn0zeg3z0730uq','n3qnD65xbeRKZogJUuKQDGcT1aDxNoACff','fdb0902d20a21249233cc2479c461ea6','["9822eacde24cd00dea102431b249a1cc0ee7b42a169dd8047be5d4d75ce2ae0e:0"]',1,40000000000,17500,3920,1500,1015,1015,'bcrt1p4rcvhta9pgeg3x34p6led4dudxdy0wunpt98m207zy4gus4s709syrztu0',X'5120A8F0CBAFA50A32889A350EBF96D5BC699A47BB930ACA7DA9FE112A8E42B0F3CB','CONSOLIDATED',1795392433,1795394293,1795999093,6981,6981,0,0,'01f0643d04dbca5d26fd8ce898133087','2e4e7f8e964fcad3fa7f9cc20deb3890df6cea602b56de117fbb3bfc5e818c7f',1795394293,0);
INSERT INTO payment_order VALUES('4ba6242183237c9e17e0346c2c4b1267',4,'lobo','WITHDRAW','bcrt1qwlre4yf78hqpsa5dh9uhxzl9cn0zeg3z0730uq','n3qnD65xbeRKZogJUuKQDGcT1aDxNoACff','c7d55e59a949ba902052ea1c63d5f92c','["9822eacde24cd00dea102431b249a1cc0ee7b42a169dd8047be5d4d75ce2ae0e:0","7c82e3386827a54b20524001e469ff6cd02083e07d34a3d7fafaa9a22d527b1f:0"]',2,70000000000,2011,334,1500,234,117,'bcrt1pkyelgq8ztf0ftgl2ucjm7hnmac609q9lkjuxy9ry4rryes4dxreqy45d58',X'5120B133F400E25A5E95A3EAE625BF5E7BEE34F280BFB4B8621464A8C64CC2AD30F2','EXPIRED',1795388713,1795388713,1795390513,0,0,0,0,'','',1795390573,0);
INSERT INTO payment_order VALUES('7d5a5faf45caf3ea7ab2c71a3c2da9eb',1,'lobo','CLAIM','bcrt1prvw768eqwwr9t44nm674q6twvdcchmk5qn5zt4pcfwjydrtwrg9skmeulc','bcrt1q2s3lc9kwgpn7pgdzyau4n4hr29wx5ma3mstata','bcd10602a776cd7552c8dbadf61764d2','["reward:2:5f0812accf91252a"]',0,65872581284,2011,562,1500,0,117,'bcrt1pv3g43hjpph4jyk2cf435g8tdtjx74ttxjspjgmygl7v5ekprkexs8uvaw6',X'5120645158DE410DEB2259584D63441D6D5C8DEAAD669403246C88FF994CD823B64D','CONSOLIDATED',1795388690,1795388690,1795993490,2608,2608,0,0,'0c4bf10482fa1c1a37a1f4bbe3f11446','bf3598a8e68ad6249b1c0be78d570cf6b872ce9c98723420d0d19c2c2a6b7603',1795388690,0);
INSERT INTO payment_order VALUES('8deb0836b9991e28de2f71fa30500bb2',9,'lobo','WITHDRAW','bcrt1p0pdnsh3jus6axauyfs9qgk8tvkg8gncp7vks2w3sfshmw7ykc0hsv3aqm3','bcrt1q2jkhxvwlyhvxjcr23ut8fny25m3peydxwy6dsw','61b4da1187005dd6750693b5ee60cf29','["b26d47b394a4e6450f0889cfa10ccd75209135c9ece0f31f5ecd256c48d7435b:0"]',1,11000000000,2011,473,1500,117,117,'bcrt1pllk0h4aq6t4arf7d9q7q2rertfzpd3ahec2029j8zgh2eudyr3wsa5c7mr',X'5120FFECFBD7A0D2EBD1A7CD283C050F235A4416C7B7CE14F51647122EACF1A41C5D','PENDING_RERATE',1795394305,1795394305,1795999105,1259,1259,0,0,'','',1795396165,0);
INSERT INTO payment_order VALUES('b5b558c793aa6d15d39fa40c32207d6e',5,'lobo','WITHDRAW','bcrt1qwlre4yf78hqpsa5dh9uhxzl9cn0zeg3z0730uq','n3qnD65xbeRKZogJUuKQDGcT1aDxNoACff','173f5fbe4b360581c4f6b89fdfc4f074','["7c82e3386827a54b20524001e469ff6cd02083e07d34a3d7fafaa9a22d527b1f:0"]',1,30000000000,2011,332,1500,117,117,'bcrt1pa3udax3alz7d2xdk4kkkv9gh7nn2uf6x28y2q6meju8nmfuux6ysxlt2qv',X'5120EC78DE9A3DF8BCD519B6ADAD661517F4E6AE274651C8A06B79970F3DA79C3689','AUDIT',1795390573,1795390573,1795392373,0,0,2495,0,'','',1795392433,0);
INSERT INTO payment_order VALUES('b7d9928e9824a4ff1e65dc4ce8114235',2,'lobo','WITHDRAW','bcrt1prvw768eqwwr9t44nm674q6twvdcchmk5qn5zt4pcfwjydrtwrg9skmeulc','bcrt1q2s3lc9kwgpn7pgdzyau4n4hr29wx5ma3mstata','1d0339d292e5cddccb264184818936ec','["4e7048de2a57cc2869d6a5c6d559c395a9c2d55bd4370c00dff4a62f5d9773e7:0"]',1,150000000000,2011,475,1500,117,117,'bcrt1ptlhydxujqytcvq5xskggyguwmr9sz8zae6n5vxhgpuvqsxnujdyq4xdams',X'51205FEE469B920117860286859082238ED8CB011C5DCEA7461AE80F18081A7C9348','CONSOLIDATED',1795388701,1795388701,1795993501,2638,2638,0,0,'aa27fbe94eefbc7cd173dd6c9747900a','707bca7f5874b6b270a6da91ea3024c1bf3497414308a516272a9ebbeeedd665',1795388701,0);
INSERT INTO payment_order VALUES('f199df6ffe63c944062c26310314eb74',11,'lobo','WITHDRAW','bcrt1p0pdnsh3jus6axauyfs9qgk8tvkg8gncp7vks2w3sfshmw7ykc0hsv3aqm3','bcrt1q2jkhxvwlyhvxjcr23ut8fny25m3peydxwy6dsw','fea0ad7f76ac1127912f23c726e10679','["7f93726ddbe100df588af894fb7d42f0f2ddd7369b659f3936994da98bc6bf9e:0"]',1,13000000000,2011,356,1500,117,117,'bcrt1pxqk2nal8w6672zshg40tseeq4r6gewsg0zp72avjewj0xc23xjys8ds8mn',X'5120302CA9F7E776B5E50A17455EB86720A8F48CBA087883E57592CBA4F361513489','PENDING',1795396165,1795396165,1795397965,0,0,0,0,'','',1795396165,0);
INSERT INTO payment_order VALUES('ff9c79ca5c594a986ac2c312fa3f8e9d',3,'lobo','WITHDRAW','bcrt1qwlre4yf78hqpsa5dh9uhxzl9cn0zeg3z0730uq','n3qnD65xbeRKZogJUuKQDGcT1aDxNoACff','adbf49654c2b36f822d611b0780510e9','["9822eacde24cd00dea102431b249a1cc0ee7b42a169dd8047be5d4d75ce2ae0e:0"]',1,40000000000,2011,334,1500,117,117,'bcrt1pvu67w6e3u9whnfnhg0n7mq7l2cxpjmkvyql3zzrma0fx9u84ulpqhdvxpp',X'51206735E76B31E15D79A67743E7ED83DF560C196ECC203F11087BEBD262F0F5E7C2','CANCELED',1795388713,1795388713,1795390513,0,0,0,0,'','',1795388713,0);
INSERT INTO payout VALUES('01f0643d04dbca5d26fd8ce898133087','lobo','delivery','["386ff045fe6edcc80e4a3a04958a5521"]','final',1795394293);
INSERT INTO payout VALUES('0c4bf10482fa1c1a37a1f4bbe3f11446','lobo','delivery','["7d5a5faf45caf3ea7ab2c71a3c2da9eb"]','final',1795388690);
INSERT INTO payout VALUES('1bcb33591273684abacc7e60544d0e61','lobo','delivery','["301327c4bff2f286f0aefb999939b217"]','live',1795396165);
INSERT INTO payout VALUES('561e3fd2da290283354de5d7d8c34f78','lobo','delivery','["2b629f0fd2e50bd946bf114dbf0d6e69"]','live',1795394305);
INSERT INTO payout VALUES('aa27fbe94eefbc7cd173dd6c9747900a','lobo','delivery','["b7d9928e9824a4ff1e65dc4ce8114235"]','final',1795388701);
INSERT INTO payout VALUES('befb368c0a1d9ff38530e77fc0945fe7','lobo','refund','["1cb658bd516b6923fdc063e26351307f"]','final',1795394293);
INSERT INTO payout_version VALUES('24392bc9cdca36c90efa6a4cc495d3603158d3529529cfc2401c9ed5d5bca6f6','1bcb33591273684abacc7e60544d0e61',6,X'02000000000102F26E0647DEA9FAC8D59BFD6AE7C259A8D0BE60B79CB15167F04FCE6FB0FA78B90000000000FDFFFFFFC8FA9DF1EABE77566EF17B7E708086F5A69D0CC62F5819646A0A5055E552DD8B0000000000FDFFFFFF034404000000000000225120785B385E32E435D377844C0A0458EB6590744F01F32D053A304C2FB77896C3EF00000000000000000E6A5D0B160200740280F085DA2C00DC05000000000000225120DF7A519DE91695FE9DB04EA140CE96C32A87AB691B677CE6E198A5FABBE5CBFE0140E08D832B8ADE5A703AE10CD0C238D11FDED5A6A17912F0A1C0D6BF1A8E87701138E10F4074E5D72BBB8E9A061457629D4C6163FFC8D350A0AA0DD4AA37F403FB0140FC9ED2DF35E20FC8CF0E30301544D64810A3BB2D822E058FE551FCB0C62DE5C245BE37AF532E5B5F96B594E63433D6E0E9D2C378DB88B306D83A39D155ECBD5400000000',473,235,1795396165,-1);
INSERT INTO payout_version VALUES('2e4e7f8e964fcad3fa7f9cc20deb3890df6cea602b56de117fbb3bfc5e818c7f','01f0643d04dbca5d26fd8ce898133087',3,X'020000000001030EAEE25CD7D4E57B04D89D162AB4E70ECCA149B2312410EA0DD04CE2CDEA22980000000000FDFFFFFF31B808C4F2C52B99C6456F0BC8CCCD1215F3F1647BC1DD14880436B6F72240E80000000000FDFFFFFF55FA82459480F5E62B413DE61466E7F55AAE7979D3EA3171CD4FFF2F6B62BEC90000000000FDFFFFFF03440400000000000016001477C79A913E3DC018768DB979730BE5C4DE2CA22200000000000000000F6A5D0C160200740280A0BE81950100ED05000000000000225120DF7A519DE91695FE9DB04EA140CE96C32A87AB691B677CE6E198A5FABBE5CBFE01402280DC6545E751BC1BC4CE99A11191179109CECC948BD520E31A620B83ADB00076F7AB89319EB79F5E51A2805C7AE26A751CDE5F570F5F8C85CC8C137DB07A5001405EB21C72C79EA750FE12DDB6B22462A6EFAA942F5747F7C73BB6CC475695C15474B0EEE2872D3202C843E9243F92862A0CB64906C8060C4E1FE60147D9B5FE72014009E6BB1591E9627A25FF119D0635D27BACCC4C5C945C50CAEB12AE6B36525C8B47B8D00F1DC9924118CF97C32E8CEA9F96589B47B97B78F7A3B1E455649B8F1600000000',4918,281,1795394293,242);
INSERT INTO payout_version VALUES('707bca7f5874b6b270a6da91ea3024c1bf3497414308a516272a9ebbeeedd665','aa27fbe94eefbc7cd173dd6c9747900a',2,X'02000000000103E773975D2FA6F4DF000C37D45BD5C2A995C359D5C6A5D66928CC572ADE48704E0000000000FDFFFFFFA5ADC70FE84B785AF6A8232407C5D4DA7737129044F0B279D8C450D8B8321ABE0000000000FDFFFFFFA09680923D7EA968F79C170BDB13ABD8004224D9F83ED05C76ECBBC0F4558E9A0000000000FDFFFFFF0344040000000000002251201B1DED1F20738655D6B3DEBD50696E63718BEED404E825D4384BA4468D6E1A0B00000000000000000F6A5D0C160200740280B8C9E5AE0400DE05000000000000225120DF7A519DE91695FE9DB04EA140CE96C32A87AB691B677CE6E198A5FABBE5CBFE01407723B8146277800E30FB0D9F725BB7665D98E8E2FB3C9E4D94AC87EA05054B811C23537308FDD466FF8CB0624B3D5530B6DC46B5BD160895B28A750D4F7D5B98014007E524D9408EBFB00A236A5A2EC8517F0F8AC1A0C092F99D527961339D10EE88A5B4892DDDEBAA564B3BA4DD5AA69CE7D2F75BDFC950969037535784C63698840140891756611EC2008EE273B3CEF941666580681FB6F92415BCFDEB3A889CE2ED69E4EAD7B0088747731C7B313264A9C861728A7E5B31139B6DA5450A49440F253000000000',590,293,1795388701,194);
INSERT INTO payout_version VALUES('8a48043cb10400028ec837b09f675027c049de59167ad38a9558f63bcf5b25b0','befb368c0a1d9ff38530e77fc0945fe7',4,X'020000000001019927CAA366BB9D4866C125C854BF35D438D91097EE9419F17BEE990E00A7E8060000000000FDFFFFFF011D080000000000001976A914F4E24060748E5FA83F19D38CD688D6D288E9E89C88AC014027A6E597AF1413EF9E134ED33AF8D345A1D09B58F1851201356B791C2281F313E5063696A4458330D1FADD79C145318E52A09880483B31B0D28D69DFB8D0EFFA00000000',206,102,1795394293,246);
INSERT INTO payout_version VALUES('ad217e3b0ac34906cd388abb6e98605f0ba6c176efbef247443658ac723e34c0','561e3fd2da290283354de5d7d8c34f78',5,X'02000000000102BC890D8F104073EC27D3F3266E715944DE5EFC0E80FF3225AA2C878C4449472C0000000000FDFFFFFF1BDFAACC23C2F7DEF77FA4B72C22DBFD51ECE27B0625313C452F454793A034E00000000000FDFFFFFF034404000000000000225120785B385E32E435D377844C0A0458EB6590744F01F32D053A304C2FB77896C3EF00000000000000000E6A5D0B160200740280C8AFA02500DC05000000000000225120DF7A519DE91695FE9DB04EA140CE96C32A87AB691B677CE6E198A5FABBE5CBFE014017B9B667B3BAAAF72357ED804EE86F0BB76126947E37D29EA6C27FC7F26685418220C34C1845D23158FB880BC07EDE6E8DD8A5C0BED6FCA8C9BCCFAB5454C2670140285BB0550C8D20EEFF44B97EA7F3B3E35CBA1C716975AA475AE0FD2BC73007FF5ABCE64AB164C99DABEFE197E08DFBF8AB9AFCD1030FCD615CE64A24D20A715A00000000',473,235,1795394305,289);
INSERT INTO payout_version VALUES('bf3598a8e68ad6249b1c0be78d570cf6b872ce9c98723420d0d19c2c2a6b7603','0c4bf10482fa1c1a37a1f4bbe3f11446',1,X'020000000001025035C89FB28D31AA650F46F0B9A13883C97446453AF27C81C64B5338A6CF8F1E0000000000FDFFFFFFAB5FC522681BE380EE9B918EF65C9C895337548403859B848CAF7BA692F8162A0200000000FDFFFFFF0422020000000000002251201B1DED1F20738655D6B3DEBD50696E63718BEED404E825D4384BA4468D6E1A0B2202000000000000225120055CEEB5E45E89677F12B92F6707E20E3B934E4FF4DF75D7122385414D01D83D00000000000000000F6A5D0C1601007402A4A5BFB2F50100DC05000000000000225120DF7A519DE91695FE9DB04EA140CE96C32A87AB691B677CE6E198A5FABBE5CBFE0140A737AD9226311B9E569A7C4795B328B856B5553CFC81D97D036FC0E11714ED44C5A1E6D28CBA4D21406F35BE0E303EC6CF47B5ADB87AFFC20998CCD2773405EC0140BF6BD808E626BDF276AD2E1DDA8FE92758783EA498F6E41C2ADAEE1DCDDAB0995030E555E9BD87F5FF164A6086C752C944C293984646E736B996C756419802C100000000',562,279,1795388690,151);
INSERT INTO rune_balance VALUES('16fd0179993fdd28c9da9e01ddc42df01c2b04a64aa8e78a0649df9ef8da0af8:1','[{"id":"116:2","amount":"104988000000000"}]');
INSERT INTO rune_balance VALUES('2a16f892a67baf8c849b850384543753899c5cf68e919bee80e31b6822c55fab:0','[{"id":"116:2","amount":"25000000000000"}]');
INSERT INTO rune_balance VALUES('2a16f892a67baf8c849b850384543753899c5cf68e919bee80e31b6822c55fab:1','[{"id":"116:2","amount":"25000000000000"}]');
INSERT INTO rune_balance VALUES('2a16f892a67baf8c849b850384543753899c5cf68e919bee80e31b6822c55fab:3','[{"id":"116:2","amount":"30000000000000"}]');
INSERT INTO rune_balance VALUES('2a926db80be005f931212a4ea399f2d056f3d64d450cf21cc64eadad698e7167:1','[{"id":"116:2","amount":"104987000000000"}]');
INSERT INTO rune_balance VALUES('2dd5a82f7e8f166cb1b60fc2e12a973ab716d501bb6b42e75f754d440ffac684:1','[{"id":"116:2","amount":"104970000000000"}]');
INSERT INTO rune_balance VALUES('2e4e7f8e964fcad3fa7f9cc20deb3890df6cea602b56de117fbb3bfc5e818c7f:0','[{"id":"116:2","amount":"40000000000"}]');
INSERT INTO rune_balance VALUES('4e3cefd8c61b7118dc5798e83c6ca243a6889ba13c578037019cfc8f5b2a34d2:13','[{"id":"116:2","amount":"105000000000000"}]');
INSERT INTO rune_balance VALUES('4e3cefd8c61b7118dc5798e83c6ca243a6889ba13c578037019cfc8f5b2a34d2:14','[{"id":"116:2","amount":"105000000000000"}]');
INSERT INTO rune_balance VALUES('4e3cefd8c61b7118dc5798e83c6ca243a6889ba13c578037019cfc8f5b2a34d2:15','[{"id":"116:2","amount":"105000000000000"}]');
INSERT INTO rune_balance VALUES('4e3cefd8c61b7118dc5798e83c6ca243a6889ba13c578037019cfc8f5b2a34d2:16','[{"id":"116:2","amount":"105000000000000"}]');
INSERT INTO rune_balance VALUES('4e3cefd8c61b7118dc5798e83c6ca243a6889ba13c578037019cfc8f5b2a34d2:17','[{"id":"116:2","amount":"105000000000000"}]');
INSERT INTO rune_balance VALUES('4e3cefd8c61b7118dc5798e83c6ca243a6889ba13c578037019cfc8f5b2a34d2:18','[{"id":"116:2","amount":"105000000000000"}]');
INSERT INTO rune_balance VALUES('4e3cefd8c61b7118dc5798e83c6ca243a6889ba13c578037019cfc8f5b2a34d2:19','[{"id":"116:2","amount":"105000000000000"}]');
INSERT INTO rune_balance VALUES('4e7048de2a57cc2869d6a5c6d559c395a9c2d55bd4370c00dff4a62f5d9773e7:1','[{"id":"116:2","amount":"150000000000"}]');
INSERT INTO rune_balance VALUES('6aaeb57aace02c1816cc3fff5ae03794445dcafaeb038448ffe3acfa28b6537d:1','[{"id":"116:2","amount":"104990000000000"}]');
INSERT INTO rune_balance VALUES('6d84b382dd1b865e1536f95f9e8d0f8be9e6d22e163c5068af77dd8d56558e4a:1','[{"id":"116:2","amount":"104960000000000"}]');
INSERT INTO rune_balance VALUES('707bca7f5874b6b270a6da91ea3024c1bf3497414308a516272a9ebbeeedd665:0','[{"id":"116:2","amount":"150000000000"}]');
INSERT INTO rune_balance VALUES('71d4e5e86f205139d9fffee0f1864b65b0944b9021c3b1d4a8d7e8426c3f44c2:1','[{"id":"116:2","amount":"104700000000000"}]');
INSERT INTO rune_balance VALUES('78c4f9458186553443d2ecd8e2ed3003d0f2e6526bc448adbcd1283e94027e25:1','[{"id":"116:2","amount":"104986000000000"}]');
INSERT INTO rune_balance VALUES('7c82e3386827a54b20524001e469ff6cd02083e07d34a3d7fafaa9a22d527b1f:0','[{"id":"116:2","amount":"30000000000"}]');
INSERT INTO rune_balance VALUES('7f93726ddbe100df588af894fb7d42f0f2ddd7369b659f3936994da98bc6bf9e:0','[{"id":"116:2","amount":"13000000000"}]');
INSERT INTO rune_balance VALUES('9899d96c245dbe2433c1112a7d94da4bab40ab9edd0cf47789f4e97ea632be3d:1','[{"id":"116:2","amount":"104922287654321"}]');
INSERT INTO rune_balance VALUES('a3f9819b34f124d9aab7afd35c89eb5d76ffb624d3b57ff8440832d7d6c0f234:0','[{"id":"116:2","amount":"50000000000"}]');
INSERT INTO rune_balance VALUES('a3f9819b34f124d9aab7afd35c89eb5d76ffb624d3b57ff8440832d7d6c0f234:1','[{"id":"116:2","amount":"104950000000000"}]');
INSERT INTO rune_balance VALUES('ad217e3b0ac34906cd388abb6e98605f0ba6c176efbef247443658ac723e34c0:0','[{"id":"116:2","amount":"10000000000"}]');
INSERT INTO rune_balance VALUES('b21964a6175a12d6f015d59035338e568567032b4c91c130824e19cf56989001:1','[{"id":"116:2","amount":"104989000000000"}]');
INSERT INTO rune_balance VALUES('b26d47b394a4e6450f0889cfa10ccd75209135c9ece0f31f5ecd256c48d7435b:0','[{"id":"116:2","amount":"11000000000"}]');
INSERT INTO rune_balance VALUES('b978fab06fce4ff06751b19cb760bed0a859c2e76afd9bd5c8faa9de47066ef2:0','[{"id":"116:2","amount":"12000000000"}]');
INSERT INTO rune_balance VALUES('bf3598a8e68ad6249b1c0be78d570cf6b872ce9c98723420d0d19c2c2a6b7603:0','[{"id":"116:2","amount":"65872581284"}]');
INSERT INTO rune_balance VALUES('bf3598a8e68ad6249b1c0be78d570cf6b872ce9c98723420d0d19c2c2a6b7603:1','[{"id":"116:2","amount":"24934127418716"}]');
INSERT INTO rune_balance VALUES('c06e6ff354a7aa9aeab1f8262e0c95a9a095bd4585accca0fb2d9dfaa20f8100:10','[{"id":"116:1","amount":"105000000000000"}]');
INSERT INTO rune_balance VALUES('c06e6ff354a7aa9aeab1f8262e0c95a9a095bd4585accca0fb2d9dfaa20f8100:11','[{"id":"116:1","amount":"105000000000000"}]');
INSERT INTO rune_balance VALUES('c06e6ff354a7aa9aeab1f8262e0c95a9a095bd4585accca0fb2d9dfaa20f8100:12','[{"id":"116:1","amount":"105000000000000"}]');
INSERT INTO rune_balance VALUES('c06e6ff354a7aa9aeab1f8262e0c95a9a095bd4585accca0fb2d9dfaa20f8100:13','[{"id":"116:1","amount":"105000000000000"}]');
INSERT INTO rune_balance VALUES('c06e6ff354a7aa9aeab1f8262e0c95a9a095bd4585accca0fb2d9dfaa20f8100:14','[{"id":"116:1","amount":"105000000000000"}]');
INSERT INTO rune_balance VALUES('c06e6ff354a7aa9aeab1f8262e0c95a9a095bd4585accca0fb2d9dfaa20f8100:15','[{"id":"116:1","amount":"105000000000000"}]');
INSERT INTO rune_balance VALUES('c06e6ff354a7aa9aeab1f8262e0c95a9a095bd4585accca0fb2d9dfaa20f8100:16','[{"id":"116:1","amount":"105000000000000"}]');
INSERT INTO rune_balance VALUES('c06e6ff354a7aa9aeab1f8262e0c95a9a095bd4585accca0fb2d9dfaa20f8100:17','[{"id":"116:1","amount":"105000000000000"}]');
INSERT INTO rune_balance VALUES('c06e6ff354a7aa9aeab1f8262e0c95a9a095bd4585accca0fb2d9dfaa20f8100:18','[{"id":"116:1","amount":"105000000000000"}]');
INSERT INTO rune_balance VALUES('c06e6ff354a7aa9aeab1f8262e0c95a9a095bd4585accca0fb2d9dfaa20f8100:19','[{"id":"116:1","amount":"105000000000000"}]');
INSERT INTO rune_balance VALUES('c06e6ff354a7aa9aeab1f8262e0c95a9a095bd4585accca0fb2d9dfaa20f8100:3','[{"id":"116:1","amount":"105000000000000"}]');
INSERT INTO rune_balance VALUES('c06e6ff354a7aa9aeab1f8262e0c95a9a095bd4585accca0fb2d9dfaa20f8100:4','[{"id":"116:1","amount":"105000000000000"}]');
INSERT INTO rune_balance VALUES('c06e6ff354a7aa9aeab1f8262e0c95a9a095bd4585accca0fb2d9dfaa20f8100:5','[{"id":"116:1","amount":"105000000000000"}]');
INSERT INTO rune_balance VALUES('c06e6ff354a7aa9aeab1f8262e0c95a9a095bd4585accca0fb2d9dfaa20f8100:6','[{"id":"116:1","amount":"105000000000000"}]');
INSERT INTO rune_balance VALUES('c06e6ff354a7aa9aeab1f8262e0c95a9a095bd4585accca0fb2d9dfaa20f8100:7','[{"id":"116:1","amount":"105000000000000"}]');
INSERT INTO rune_balance VALUES('c06e6ff354a7aa9aeab1f8262e0c95a9a095bd4585accca0fb2d9dfaa20f8100:8','[{"id":"116:1","amount":"105000000000000"}]');
INSERT INTO rune_balance VALUES('c06e6ff354a7aa9aeab1f8262e0c95a9a095bd4585accca0fb2d9dfaa20f8100:9','[{"id":"116:1","amount":"105000000000000"}]');
INSERT INTO rune_balance VALUES('d4a745b277feab4e44f273b03e95fb64c0479200101cd3d0123a6291badf221a:0','[{"id":"116:2","amount":"25000000000000"}]');
INSERT INTO rune_balance VALUES('d4a745b277feab4e44f273b03e95fb64c0479200101cd3d0123a6291badf221a:1','[{"id":"116:2","amount":"25000000000000"}]');
INSERT INTO rune_balance VALUES('d4a745b277feab4e44f273b03e95fb64c0479200101cd3d0123a6291badf221a:2','[{"id":"116:2","amount":"25000000000000"}]');
INSERT INTO rune_balance VALUES('d4a745b277feab4e44f273b03e95fb64c0479200101cd3d0123a6291badf221a:3','[{"id":"116:2","amount":"25000000000000"}]');
INSERT INTO rune_balance VALUES('d4a745b277feab4e44f273b03e95fb64c0479200101cd3d0123a6291badf221a:4','[{"id":"116:2","amount":"25000000000000"}]');
INSERT INTO rune_balance VALUES('d4a745b277feab4e44f273b03e95fb64c0479200101cd3d0123a6291badf221a:5','[{"id":"116:2","amount":"85000000000000"}]');
INSERT INTO rune_balance VALUES('e613a9c0b1fc2b3f8bc63375dd8e961cb25f40239c73c9ebd5056752b2662e5a:0','[{"id":"116:2","amount":"77712345679"}]');
INSERT INTO rune_balance VALUES('e8a0170d81e2b3e28408d786ee4e5239df72662adc198e9ff57abce8aea48540:0','[{"id":"116:2","amount":"14000000000"}]');
INSERT INTO rune_balance VALUES('ee6b4f4a9151ceba1c94aeaaf213f18b37a0a5616011da5c16874f9151cd39c7:0','[{"id":"116:1","amount":"25000000000000"}]');
INSERT INTO rune_balance VALUES('ee6b4f4a9151ceba1c94aeaaf213f18b37a0a5616011da5c16874f9151cd39c7:1','[{"id":"116:1","amount":"25000000000000"}]');
INSERT INTO rune_balance VALUES('ee6b4f4a9151ceba1c94aeaaf213f18b37a0a5616011da5c16874f9151cd39c7:2','[{"id":"116:1","amount":"25000000000000"}]');
INSERT INTO rune_balance VALUES('ee6b4f4a9151ceba1c94aeaaf213f18b37a0a5616011da5c16874f9151cd39c7:3','[{"id":"116:1","amount":"30000000000000"}]');
INSERT INTO rune_balance VALUES('ef258830f54d00c92100d2911a59bce575a4dc3fb6c27f186488cfae35039433:0','[{"id":"116:1","amount":"25000000000000"}]');
INSERT INTO rune_balance VALUES('ef258830f54d00c92100d2911a59bce575a4dc3fb6c27f186488cfae35039433:1','[{"id":"116:1","amount":"25000000000000"}]');
INSERT INTO rune_balance VALUES('ef258830f54d00c92100d2911a59bce575a4dc3fb6c27f186488cfae35039433:2','[{"id":"116:1","amount":"25000000000000"}]');
INSERT INTO rune_balance VALUES('ef258830f54d00c92100d2911a59bce575a4dc3fb6c27f186488cfae35039433:3','[{"id":"116:1","amount":"25000000000000"}]');
INSERT INTO rune_balance VALUES('ef258830f54d00c92100d2911a59bce575a4dc3fb6c27f186488cfae35039433:4','[{"id":"116:1","amount":"25000000000000"}]');
INSERT INTO rune_balance VALUES('ef258830f54d00c92100d2911a59bce575a4dc3fb6c27f186488cfae35039433:5','[{"id":"116:1","amount":"85000000000000"}]');
INSERT INTO rune_entry VALUES('116:1','DUMMYMOONREHEARSAL','{"ID":"116:1","Etching":"c06e6ff354a7aa9aeab1f8262e0c95a9a095bd4585accca0fb2d9dfaa20f8100","Name":{"Lo":4587488017822829009,"Hi":296735},"Spacers":272,"Divisibility":8,"Symbol":68,"Premine":{"Lo":2100000000000000,"Hi":0},"Terms":null,"Mints":{"Lo":0,"Hi":0},"Burned":{"Lo":0,"Hi":0},"Number":0,"Timestamp":1795388675,"Turbo":false}');
INSERT INTO rune_entry VALUES('116:2','LOBOTHEWOLFPUP','{"ID":"116:2","Etching":"4e3cefd8c61b7118dc5798e83c6ca243a6889ba13c578037019cfc8f5b2a34d2","Name":{"Lo":12768093258207327169,"Hi":1},"Spacers":1096,"Divisibility":8,"Symbol":128058,"Premine":{"Lo":2100000000000000,"Hi":0},"Terms":null,"Mints":{"Lo":0,"Hi":0},"Burned":{"Lo":0,"Hi":0},"Number":1,"Timestamp":1795388675,"Turbo":false}');
INSERT INTO rune_order VALUES('7f8f2fb426e4ee510cad0e6a03abbab3',1,'rune_etch','pending','','','A•FOLDER•OF•YESTERDAY','{"id":"7f8f2fb426e4ee510cad0e6a03abbab3","destination":"bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080","refund":"bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080","app_fee":0,"app_fee_to":"","service_fee":1000,"service_fee_to":"bcrt1pnw5rwgrrp8mlw78yevxgwy9q0nt3jrxxsc3mk6u8nyuwwtqr965srfwtmm","etch":{"etching":{"Name":{"Lo":9387990587216142498,"Hi":77055},"Spacers":321,"Divisibility":null,"Symbol":null,"Premine":{"Lo":1000,"Hi":0},"Terms":{"Amount":{"Lo":7,"Hi":0},"Cap":{"Lo":50,"Hi":0},"HeightStart":null,"HeightEnd":null,"OffsetStart":null,"OffsetEnd":null},"Turbo":false}}}',2000,'bcrt1pp0hpuz60a3ftc30rxt0r8vyl2ajhtwwu2vhudqnrq2n4ds2lvm8sn57xz9',X'51200BEE1E0B4FEC52BC45E332DE33B09F576575B9DC532FC6826302A756C15F66CF',2172,'','[]',1795396165,1795417765,1795396165,0);
INSERT INTO rune_order_output VALUES('1fb4fc9836ef54a20b05117c970ba9078b08f14cb3daafec0dad8d29fc51090c',0,'7f8f2fb426e4ee510cad0e6a03abbab3',2172,'[]',1795396165,-1,0);
INSERT INTO rune_order_tx VALUES('1fb4fc9836ef54a20b05117c970ba9078b08f14cb3daafec0dad8d29fc51090c','7f8f2fb426e4ee510cad0e6a03abbab3','funding',0,0,X'02000000000101E2E5816B25787441EB77B3BB7A0BAD921BE305922E984A6A1A3C2D613CC1126A0000000000FFFFFFFF027C080000000000002251200BEE1E0B4FEC52BC45E332DE33B09F576575B9DC532FC6826302A756C15F66CF4AE8052A01000000225120A05FEAF5BDADD8103ED699047ED1E39D4351034B9220FA9696D485DA89C8795A01403865F6B4F9CC28DD28E8B1716AA8DA7EEF0BA3293A47199AF3B1D3B149024C146E8F56CF1B80120492976EA90B2E5B07E2C6D085383D46F9E6BA413BFF96F17E00000000',0,0,1795396165,-1,0,'0');
INSERT INTO rune_undo VALUES(146,X'0200000000');
INSERT INTO rune_undo VALUES(147,X'0200000000');
INSERT INTO rune_undo VALUES(148,X'0200000000');
INSERT INTO rune_undo VALUES(149,X'0200000000');
INSERT INTO rune_undo VALUES(150,X'0200000000');
INSERT INTO rune_undo VALUES(151,X'02000001AB5FC522681BE380EE9B918EF65C9C895337548403859B848CAF7BA692F8162A0201740280A0FAA0CCD7050203766B2A2C9CD1D0203472989CCE72B8F60C578DE70B1C9B24D68AE6A89835BF0003766B2A2C9CD1D0203472989CCE72B8F60C578DE70B1C9B24D68AE6A89835BF01');
INSERT INTO rune_undo VALUES(152,X'0200000000');
INSERT INTO rune_undo VALUES(153,X'0200000000');
INSERT INTO rune_undo VALUES(154,X'0200000000');
INSERT INTO rune_undo VALUES(155,X'0200000000');
INSERT INTO rune_undo VALUES(156,X'0200000000');
INSERT INTO rune_undo VALUES(157,X'0200000000');
INSERT INTO rune_undo VALUES(158,X'0200000000');
INSERT INTO rune_undo VALUES(159,X'0200000000');
INSERT INTO rune_undo VALUES(160,X'0200000000');
INSERT INTO rune_undo VALUES(161,X'0200000000');
INSERT INTO rune_undo VALUES(162,X'0200000000');
INSERT INTO rune_undo VALUES(163,X'0200000000');
INSERT INTO rune_undo VALUES(164,X'0200000000');
INSERT INTO rune_undo VALUES(165,X'0200000000');
INSERT INTO rune_undo VALUES(166,X'0200000000');
INSERT INTO rune_undo VALUES(167,X'0200000000');
INSERT INTO rune_undo VALUES(168,X'0200000000');
INSERT INTO rune_undo VALUES(169,X'0200000000');
INSERT INTO rune_undo VALUES(170,X'0200000000');
INSERT INTO rune_undo VALUES(171,X'0200000000');
INSERT INTO rune_undo VALUES(172,X'0200000000');
INSERT INTO rune_undo VALUES(173,X'0200000000');
INSERT INTO rune_undo VALUES(174,X'0200000000');
INSERT INTO rune_undo VALUES(175,X'0200000000');
INSERT INTO rune_undo VALUES(176,X'0200000000');
INSERT INTO rune_undo VALUES(177,X'0200000000');
INSERT INTO rune_undo VALUES(178,X'0200000000');
INSERT INTO rune_undo VALUES(179,X'0200000000');
INSERT INTO rune_undo VALUES(180,X'0200000000');
INSERT INTO rune_undo VALUES(181,X'0200000000');
INSERT INTO rune_undo VALUES(182,X'0200000000');
INSERT INTO rune_undo VALUES(183,X'0200000000');
INSERT INTO rune_undo VALUES(184,X'0200000000');
INSERT INTO rune_undo VALUES(185,X'0200000000');
INSERT INTO rune_undo VALUES(186,X'0200000000');
INSERT INTO rune_undo VALUES(187,X'0200000000');
INSERT INTO rune_undo VALUES(188,X'0200000000');
INSERT INTO rune_undo VALUES(189,X'0200000000');
INSERT INTO rune_undo VALUES(190,X'0200000000');
INSERT INTO rune_undo VALUES(191,X'0200000000');
INSERT INTO rune_undo VALUES(192,X'0200000000');
INSERT INTO rune_undo VALUES(193,X'0200000000');
INSERT INTO rune_undo VALUES(194,X'02000001E773975D2FA6F4DF000C37D45BD5C2A995C359D5C6A5D66928CC572ADE48704E0001740280B8C9E5AE040165D6EDEEBB9E2A2716A50843419734BFC12430EA91DAA670B2B674587FCA7B7000');
INSERT INTO rune_undo VALUES(195,X'0200000000');
INSERT INTO rune_undo VALUES(196,X'0200000000');
INSERT INTO rune_undo VALUES(197,X'0200000000');
INSERT INTO rune_undo VALUES(198,X'0200000000');
INSERT INTO rune_undo VALUES(199,X'0200000000');
INSERT INTO rune_undo VALUES(200,X'02000002D2342A5B8FFC9C013780573CA19B88A643A26C3CE89857DC18711BC6D8EF3C4E0501740280A0CEBDF3EF17D2342A5B8FFC9C013780573CA19B88A643A26C3CE89857DC18711BC6D8EF3C4E0601740280A0CEBDF3EF17044A8E55568DDD77AF68503C162ED2E6E98B0F8D9E5FF936155E861BDD82B3846D004A8E55568DDD77AF68503C162ED2E6E98B0F8D9E5FF936155E861BDD82B3846D0184C6FA0F444D755FE7426BBB01D516B73A972AE1C20FB6B16C168F7E2FA8D52D0084C6FA0F444D755FE7426BBB01D516B73A972AE1C20FB6B16C168F7E2FA8D52D01');
INSERT INTO rune_undo VALUES(201,X'020000024A8E55568DDD77AF68503C162ED2E6E98B0F8D9E5FF936155E861BDD82B3846D0001740280A0BE81950184C6FA0F444D755FE7426BBB01D516B73A972AE1C20FB6B16C168F7E2FA8D52D0001740280D88EE16F020EAEE25CD7D4E57B04D89D162AB4E70ECCA149B2312410EA0DD04CE2CDEA2298001F7B522DA2A9FAFAD7A3347DE08320D06CFF69E4014052204BA5276838E3827C00');
INSERT INTO rune_undo VALUES(202,X'0200000000');
INSERT INTO rune_undo VALUES(203,X'0200000000');
INSERT INTO rune_undo VALUES(204,X'0200000000');
INSERT INTO rune_undo VALUES(205,X'0200000000');
INSERT INTO rune_undo VALUES(206,X'0200000000');
INSERT INTO rune_undo VALUES(207,X'0200000000');
INSERT INTO rune_undo VALUES(208,X'0200000000');
INSERT INTO rune_undo VALUES(209,X'0200000000');
INSERT INTO rune_undo VALUES(210,X'0200000000');
INSERT INTO rune_undo VALUES(211,X'0200000000');
INSERT INTO rune_undo VALUES(212,X'0200000000');
INSERT INTO rune_undo VALUES(213,X'0200000000');
INSERT INTO rune_undo VALUES(214,X'0200000000');
INSERT INTO rune_undo VALUES(215,X'0200000000');
INSERT INTO rune_undo VALUES(216,X'0200000000');
INSERT INTO rune_undo VALUES(217,X'0200000000');
INSERT INTO rune_undo VALUES(218,X'0200000000');
INSERT INTO rune_undo VALUES(219,X'0200000000');
INSERT INTO rune_undo VALUES(220,X'0200000000');
INSERT INTO rune_undo VALUES(221,X'0200000000');
INSERT INTO rune_undo VALUES(222,X'0200000000');
INSERT INTO rune_undo VALUES(223,X'0200000000');
INSERT INTO rune_undo VALUES(224,X'0200000000');
INSERT INTO rune_undo VALUES(225,X'0200000000');
INSERT INTO rune_undo VALUES(226,X'0200000000');
INSERT INTO rune_undo VALUES(227,X'0200000000');
INSERT INTO rune_undo VALUES(228,X'0200000000');
INSERT INTO rune_undo VALUES(229,X'0200000000');
INSERT INTO rune_undo VALUES(230,X'0200000000');
INSERT INTO rune_undo VALUES(231,X'0200000000');
INSERT INTO rune_undo VALUES(232,X'0200000000');
INSERT INTO rune_undo VALUES(233,X'0200000000');
INSERT INTO rune_undo VALUES(234,X'0200000000');
INSERT INTO rune_undo VALUES(235,X'0200000000');
INSERT INTO rune_undo VALUES(236,X'0200000000');
INSERT INTO rune_undo VALUES(237,X'0200000000');
INSERT INTO rune_undo VALUES(238,X'0200000000');
INSERT INTO rune_undo VALUES(239,X'0200000000');
INSERT INTO rune_undo VALUES(240,X'0200000000');
INSERT INTO rune_undo VALUES(241,X'0200000000');
INSERT INTO rune_undo VALUES(242,X'020000010EAEE25CD7D4E57B04D89D162AB4E70ECCA149B2312410EA0DD04CE2CDEA22980001740280A0BE819501017F8C815EFC3BBB7F11DE562B60EA6CDF9038EB0DC29C7FFAD3CA4F968E7F4E2E00');
INSERT INTO rune_undo VALUES(243,X'0200000000');
INSERT INTO rune_undo VALUES(244,X'0200000000');
INSERT INTO rune_undo VALUES(245,X'0200000000');
INSERT INTO rune_undo VALUES(246,X'0200000000');
INSERT INTO rune_undo VALUES(247,X'0200000000');
INSERT INTO rune_undo VALUES(248,X'0200000000');
INSERT INTO rune_undo VALUES(249,X'02000005D2342A5B8FFC9C013780573CA19B88A643A26C3CE89857DC18711BC6D8EF3C4E0701740280A0CEBDF3EF17D2342A5B8FFC9C013780573CA19B88A643A26C3CE89857DC18711BC6D8EF3C4E0801740280A0CEBDF3EF17D2342A5B8FFC9C013780573CA19B88A643A26C3CE89857DC18711BC6D8EF3C4E0901740280A0CEBDF3EF17D2342A5B8FFC9C013780573CA19B88A643A26C3CE89857DC18711BC6D8EF3C4E0A01740280A0CEBDF3EF17D2342A5B8FFC9C013780573CA19B88A643A26C3CE89857DC18711BC6D8EF3C4E0B01740280A0CEBDF3EF170A01909856CF194E8230C1914C2B036785568E333590D515F0D6125A17A66419B20001909856CF194E8230C1914C2B036785568E333590D515F0D6125A17A66419B201257E02943E28D1BCAD48C46B52E6F2D00330EDE2D8ECD2433455868145F9C47800257E02943E28D1BCAD48C46B52E6F2D00330EDE2D8ECD2433455868145F9C4780167718E69ADAD4EC61CF20C454DD6F356D0F299A34E2A2131F905E00BB86D922A0067718E69ADAD4EC61CF20C454DD6F356D0F299A34E2A2131F905E00BB86D922A017D53B628FAACE3FF488403EBFACA5D449437E05AFF3FCC16182CE0AC7AB5AE6A007D53B628FAACE3FF488403EBFACA5D449437E05AFF3FCC16182CE0AC7AB5AE6A01F80ADAF89EDF49068AE7A84AA6042B1CF02DC4DD019EDAC928DD3F997901FD1600F80ADAF89EDF49068AE7A84AA6042B1CF02DC4DD019EDAC928DD3F997901FD1601');
INSERT INTO rune_undo VALUES(250,X'0200000501909856CF194E8230C1914C2B036785568E333590D515F0D6125A17A66419B20001740280DC9AFD28257E02943E28D1BCAD48C46B52E6F2D00330EDE2D8ECD2433455868145F9C478000174028098DC933467718E69ADAD4EC61CF20C454DD6F356D0F299A34E2A2131F905E00BB86D922A000174028084F1B6307D53B628FAACE3FF488403EBFACA5D449437E05AFF3FCC16182CE0AC7AB5AE6A0001740280C8AFA025F80ADAF89EDF49068AE7A84AA6042B1CF02DC4DD019EDAC928DD3F997901FD160001740280F085DA2C054085A4AEE8BC7AF59F8E19DC2A6672DF39524EEE86D70884E2B3E2810D17A0E8005B43D7486C25CD5E1FF3E0ECC935912075CD0CA1CF89080F45E6A494B3476DB2009EBFC68BA94D9936399F659B36D7DDF2F0427DFB94F88A58DF00E1DB6D72937F00BC890D8F104073EC27D3F3266E715944DE5EFC0E80FF3225AA2C878C4449472C00F26E0647DEA9FAC8D59BFD6AE7C259A8D0BE60B79CB15167F04FCE6FB0FA78B900');
INSERT INTO rune_undo VALUES(251,X'0200000000');
INSERT INTO rune_undo VALUES(252,X'0200000000');
INSERT INTO rune_undo VALUES(253,X'0200000000');
INSERT INTO rune_undo VALUES(254,X'0200000000');
INSERT INTO rune_undo VALUES(255,X'0200000000');
INSERT INTO rune_undo VALUES(256,X'0200000000');
INSERT INTO rune_undo VALUES(257,X'0200000000');
INSERT INTO rune_undo VALUES(258,X'0200000000');
INSERT INTO rune_undo VALUES(259,X'0200000000');
INSERT INTO rune_undo VALUES(260,X'0200000000');
INSERT INTO rune_undo VALUES(261,X'0200000000');
INSERT INTO rune_undo VALUES(262,X'0200000000');
INSERT INTO rune_undo VALUES(263,X'0200000000');
INSERT INTO rune_undo VALUES(264,X'0200000000');
INSERT INTO rune_undo VALUES(265,X'0200000000');
INSERT INTO rune_undo VALUES(266,X'0200000000');
INSERT INTO rune_undo VALUES(267,X'0200000000');
INSERT INTO rune_undo VALUES(268,X'0200000000');
INSERT INTO rune_undo VALUES(269,X'0200000000');
INSERT INTO rune_undo VALUES(270,X'0200000000');
INSERT INTO rune_undo VALUES(271,X'0200000000');
INSERT INTO rune_undo VALUES(272,X'0200000000');
INSERT INTO rune_undo VALUES(273,X'0200000000');
INSERT INTO rune_undo VALUES(274,X'0200000000');
INSERT INTO rune_undo VALUES(275,X'0200000000');
INSERT INTO rune_undo VALUES(276,X'0200000000');
INSERT INTO rune_undo VALUES(277,X'0200000000');
INSERT INTO rune_undo VALUES(278,X'0200000000');
INSERT INTO rune_undo VALUES(279,X'0200000000');
INSERT INTO rune_undo VALUES(280,X'0200000000');
INSERT INTO rune_undo VALUES(281,X'0200000000');
INSERT INTO rune_undo VALUES(282,X'0200000000');
INSERT INTO rune_undo VALUES(283,X'0200000000');
INSERT INTO rune_undo VALUES(284,X'0200000000');
INSERT INTO rune_undo VALUES(285,X'0200000000');
INSERT INTO rune_undo VALUES(286,X'0200000000');
INSERT INTO rune_undo VALUES(287,X'0200000000');
INSERT INTO rune_undo VALUES(288,X'0200000000');
INSERT INTO rune_undo VALUES(289,X'02000002BC890D8F104073EC27D3F3266E715944DE5EFC0E80FF3225AA2C878C4449472C0001740280C8AFA025D2342A5B8FFC9C013780573CA19B88A643A26C3CE89857DC18711BC6D8EF3C4E0C01740280A0CEBDF3EF170334F2C0D6D7320844F87FB5D324B6FF765DEB895CD3AFB7AAD924F1349B81F9A30034F2C0D6D7320844F87FB5D324B6FF765DEB895CD3AFB7AAD924F1349B81F9A301C0343E72AC58364447F2BEEF76C1A60B5F60986EBB8A38CD0649C30A3B7E21AD00');
INSERT INTO setting VALUES('clock_skew','7440');
INSERT INTO setting VALUES('dev_begun_dummy','yes');
INSERT INTO setting VALUES('dev_begun_lobo','yes');
INSERT INTO setting VALUES('epoch_length:dummy','by hand');
INSERT INTO setting VALUES('epoch_length:lobo','by hand');
INSERT INTO setting VALUES('index_follows','');
INSERT INTO setting VALUES('rune_counters','{"Runes":2,"Reserved":0}');
INSERT INTO stake_address VALUES('bcrt1p57agnrjjx5tqzc27qawx6szhnhngtmye3s6g4j7u99ug7x97jk4qegrj7x','lobo',10,'94bf8b3362b8e1a36d7d08739369151c24b6bfff09337ab9d86b63942c2f8b29',26280,'bcrt1qwlre4yf78hqpsa5dh9uhxzl9cn0zeg3z0730uq','n3qnD65xbeRKZogJUuKQDGcT1aDxNoACff','52cead1f53a7c5e1fd61225ef646c5c5',1795396165);
INSERT INTO stake_address VALUES('bcrt1p7awew5k3mgwhkedt7dvkc02z0twcqfkuej5pjnpe7jsps9qu0rxq7ctfxk','lobo',2,'3477f27f383946cbe8e2d1534734298ecaa6e6dacb9a510239e2786475a35b51',26280,'bcrt1pa08nhd6x7qxy47ft52g00fdjg5cmux7jeqr7mjz8y40gteck8flqywgf3z','2N53E5gwgnCBGuj31HHVHHqp6X56sg8Q3cv','45685e92defa119f3af8935959f6f37f',1795388685);
INSERT INTO stake_address VALUES('bcrt1p8f29rf7ttyq9d3q5xezuytlg3u2att9t5k0h3jnpymn6tca60kyqjmklac','lobo',7,'031ef2e8e9c13a336bb323594b5a4799f709c526b6388f5e4e3fe7a14d538638',26280,'bcrt1p0pdnsh3jus6axauyfs9qgk8tvkg8gncp7vks2w3sfshmw7ykc0hsv3aqm3','bcrt1q2jkhxvwlyhvxjcr23ut8fny25m3peydxwy6dsw','c0b7ba8c673e8f3e41b7f1b2ff964bdb',1795394293);
INSERT INTO stake_address VALUES('bcrt1peadyeexju2eyeyedmcqp9myzs0ng4gwym9tc3n7kmc89cdm506zscl4kh6','lobo',9,'031ef2e8e9c13a336bb323594b5a4799f709c526b6388f5e4e3fe7a14d538638',26280,'bcrt1p0pdnsh3jus6axauyfs9qgk8tvkg8gncp7vks2w3sfshmw7ykc0hsv3aqm3','bcrt1q2jkhxvwlyhvxjcr23ut8fny25m3peydxwy6dsw','418f584da956dbfb8a0b6b03e0a17caa',1795394293);
INSERT INTO stake_address VALUES('bcrt1pel6lc3n8kzwtajtreul0hkz5unqtplsehulzm2qcce269c4g72wqhk6rgx','lobo',5,'031ef2e8e9c13a336bb323594b5a4799f709c526b6388f5e4e3fe7a14d538638',26280,'bcrt1p0pdnsh3jus6axauyfs9qgk8tvkg8gncp7vks2w3sfshmw7ykc0hsv3aqm3','bcrt1q2jkhxvwlyhvxjcr23ut8fny25m3peydxwy6dsw','a12660b6a1e0e3412aded922d1486e17',1795394293);
INSERT INTO stake_address VALUES('bcrt1pg9n4xg2l45tvw798ck25mrgzqf5je4hqxvazp9qz2y8d8uph40rsmug8uu','lobo',6,'031ef2e8e9c13a336bb323594b5a4799f709c526b6388f5e4e3fe7a14d538638',26280,'bcrt1p0pdnsh3jus6axauyfs9qgk8tvkg8gncp7vks2w3sfshmw7ykc0hsv3aqm3','bcrt1q2jkhxvwlyhvxjcr23ut8fny25m3peydxwy6dsw','fff21c5a5b9fc8992e03689937c0c147',1795394293);
INSERT INTO stake_address VALUES('bcrt1ph9l78lc5m4c2a4lzt0phf5qccj5jxcakard2pa640538fn2v4g4qx368md','lobo',3,'94bf8b3362b8e1a36d7d08739369151c24b6bfff09337ab9d86b63942c2f8b29',26280,'bcrt1qwlre4yf78hqpsa5dh9uhxzl9cn0zeg3z0730uq','n3qnD65xbeRKZogJUuKQDGcT1aDxNoACff','965e1daf312b3f55f4b7b40ec2852c35',1795388701);
INSERT INTO stake_address VALUES('bcrt1puht5aatner4gldknqf9yh4vhn9gnqggev6kru4j7mp0pga7x6lfqh63xp9','lobo',8,'031ef2e8e9c13a336bb323594b5a4799f709c526b6388f5e4e3fe7a14d538638',26280,'bcrt1p0pdnsh3jus6axauyfs9qgk8tvkg8gncp7vks2w3sfshmw7ykc0hsv3aqm3','bcrt1q2jkhxvwlyhvxjcr23ut8fny25m3peydxwy6dsw','8cd8efce4af60f5d70481aa69a359ca5',1795394293);
INSERT INTO stake_address VALUES('bcrt1pwkkfhyk24gdcf6e6vzvcc3p5h6ga7ykqs0v9fm5ejh7n77nmm9ysvdwprm','lobo',1,'a1b7261d14545f8b2f4635048a5c1135ef6d3aa509195c577119adccff3b32dc',26280,'bcrt1prvw768eqwwr9t44nm674q6twvdcchmk5qn5zt4pcfwjydrtwrg9skmeulc','bcrt1q2s3lc9kwgpn7pgdzyau4n4hr29wx5ma3mstata','69ca8c16e9cf4e6d7393e55591a28aec',1795388685);
INSERT INTO stake_address VALUES('bcrt1pz83ny3v4r79td488a2xxy6704kgyhls8fuehjq4nvc6yt60dfxeqlu2lct','lobo',4,'94bf8b3362b8e1a36d7d08739369151c24b6bfff09337ab9d86b63942c2f8b29',26280,'bcrt1qwlre4yf78hqpsa5dh9uhxzl9cn0zeg3z0730uq','n3qnD65xbeRKZogJUuKQDGcT1aDxNoACff','72c9e396d09755b048bbb5332c466698',1795388701);
INSERT INTO staked_total VALUES('lobo',291513379579);
INSERT INTO tracked VALUES('06e8a7000e99ee7bf11994ee9710d938d435bf54c825c166489dbb66a3ca2799',X'020000000155FA82459480F5E62B413DE61466E7F55AAE7979D3EA3171CD4FFF2F6B62BEC9010000006B483045022100F571E4E45FEB4DC49869FCDA6EDE727DBC4E162D1DF19972FF558B2DD803DCD802200689F013A25C12F9D7EF0222C551065A3118E69682B6714C1A6D4CC48AD0C01401210304D5D84F9DC197A65F2BB7B7914FBA784F493C6BEE4A758DD193598E2BDAF7CEFDFFFFFF02EB0800000000000022512009C46EC3FAE7FAF888F88B53BAEB9706DC142367ECBBE77E9FED2297A7E8A59BC7D40500000000001976A914F4E24060748E5FA83F19D38CD688D6D288E9E89C88AC00000000',1795394293,245,0,0,1795394293);
INSERT INTO tracked VALUES('1d3638f91300f5f17c0c60185da13a544d66cf4eaaff59ed4fda7da31bcf80f2',X'02000000011F7B522DA2A9FAFAD7A3347DE08320D06CFF69E4014052204BA5276838E3827C030000006A4730440220724FE3C35ACEBED78EF3327E38814B0E2FE6D8296DF15093342C4BCEB957DCBC02201CDD0635CC8463B4193DB9B91DAC6908003B2B3DCBA73B79F98F08013DF03CF701210304D5D84F9DC197A65F2BB7B7914FBA784F493C6BEE4A758DD193598E2BDAF7CEFDFFFFFF02BF09000000000000225120EC78DE9A3DF8BCD519B6ADAD661517F4E6AE274651C8A06B79970F3DA79C368946010600000000001976A914F4E24060748E5FA83F19D38CD688D6D288E9E89C88AC00000000',1795392433,239,0,0,1795392433);
INSERT INTO tracked VALUES('1e8fcfa638534bc6817cf23a454674c98338a1b9f0460f65aa318db29fc83550',X'02000000000101E773975D2FA6F4DF000C37D45BD5C2A995C359D5C6A5D66928CC572ADE48704E0300000000FDFFFFFF02300A000000000000225120645158DE410DEB2259584D63441D6D5C8DEAAD669403246C88FF994CD823B64D18090600000000001600145423FC16CE4067E0A1A2277959D6E3515C6A6FB1024730440220065127409AD71335D9E821ECA84108EE9F346F7E783330686EAEB0F43CB3EDD90220578F20F64DC1FAE89581DCFB7217E0D5D51F5030EFF0D727ED8A914E5F64C38601210351719DAC6E0F832E1589B73E80C38A38C62D0E923B3DF6930B426B42683E3C9D00000000',1795388690,150,0,0,1795388690);
INSERT INTO tracked VALUES('24392bc9cdca36c90efa6a4cc495d3603158d3529529cfc2401c9ed5d5bca6f6',X'02000000000102F26E0647DEA9FAC8D59BFD6AE7C259A8D0BE60B79CB15167F04FCE6FB0FA78B90000000000FDFFFFFFC8FA9DF1EABE77566EF17B7E708086F5A69D0CC62F5819646A0A5055E552DD8B0000000000FDFFFFFF034404000000000000225120785B385E32E435D377844C0A0458EB6590744F01F32D053A304C2FB77896C3EF00000000000000000E6A5D0B160200740280F085DA2C00DC05000000000000225120DF7A519DE91695FE9DB04EA140CE96C32A87AB691B677CE6E198A5FABBE5CBFE0140E08D832B8ADE5A703AE10CD0C238D11FDED5A6A17912F0A1C0D6BF1A8E87701138E10F4074E5D72BBB8E9A061457629D4C6163FFC8D350A0AA0DD4AA37F403FB0140FC9ED2DF35E20FC8CF0E30301544D64810A3BB2D822E058FE551FCB0C62DE5C245BE37AF532E5B5F96B594E63433D6E0E9D2C378DB88B306D83A39D155ECBD5400000000',1795396165,-1,0,1,1795396165);
INSERT INTO tracked VALUES('2a16f892a67baf8c849b850384543753899c5cf68e919bee80e31b6822c55fab',X'02000000000102D2342A5B8FFC9C013780573CA19B88A643A26C3CE89857DC18711BC6D8EF3C4E0200000000FFFFFFFF9BE74498D3094356C210B23F0F662BD18FC0409B3008C6AD97B3AA27B4CBD2490000000000FFFFFFFF062202000000000000225120055CEEB5E45E89677F12B92F6707E20E3B934E4FF4DF75D7122385414D01D83D2202000000000000225120055CEEB5E45E89677F12B92F6707E20E3B934E4FF4DF75D7122385414D01D83D2202000000000000225120055CEEB5E45E89677F12B92F6707E20E3B934E4FF4DF75D7122385414D01D83D2202000000000000225120A05FEAF5BDADD8103ED699047ED1E39D4351034B9220FA9696D485DA89C8795A0000000000000000246A5D21160300740280A0FAA0CCD70500000080A0FAA0CCD70501000080A0FAA0CCD7050290E8052A01000000225120A05FEAF5BDADD8103ED699047ED1E39D4351034B9220FA9696D485DA89C8795A014053DBAE924CBCC82ED2A0DD3B5DBC4EAFA784490411E6CB1049A2FB7A559CE46D6735808BF50F1EE34E1E4D3BD2F00FC0B5C549BFB1A868A5CC7F8CD2AF2725310140D5E03348C18C5F9A9DA72CF84032E6F284E743840337045EF2C2F03A3FD4673F58CB8AE146D08C607D395A3138FBFD19102452BC37310B7B2E33016E9AC7CDFC00000000',1795388684,123,0,0,1795388684);
INSERT INTO tracked VALUES('2c4749448c872caa2532ff800efc5ede4459716e26f3d327ec7340108f0d89bc',X'0200000000010201909856CF194E8230C1914C2B036785568E333590D515F0D6125A17A66419B20000000000FDFFFFFF10D15372AD11038B9D5A0259F90577758FE64B219110BB3E41E67255A74D29A40000000000FDFFFFFF042202000000000000225120CFF5FC4667B09CBEC963CF3EFBD854E4C0B0FE19BF3E2DA818C655A2E2A8F29C2202000000000000225120785B385E32E435D377844C0A0458EB6590744F01F32D053A304C2FB77896C3EF00000000000000000E6A5D0B160100740280C8AFA025001C1506000000000016001454AD7331DF25D869606A8F1674CC8AA6E21C91A60140D6F703F27198FAD38B788DDDF598FDA37093CA13A2F5B084206875218F69270A99A887DD442FDFF497665321AD900A876F2EDFA31EC73856C15F6D6DAEB673C00247304402206BCC42719D276179687DDCBB8AC80CBB37FB696ACD2AA6C09B05B1E0B307EAB9022043BF70C4553B236F2CDA0695858DB94E7CE910CE784FBB6A73FC4A8494A7612B01210314A83AABB00B5A3CA8F88BEE534DC174940BC66F8A13412DC718F066BE1BC2CC00000000',1795394293,250,0,0,1795394293);
INSERT INTO tracked VALUES('2e4e7f8e964fcad3fa7f9cc20deb3890df6cea602b56de117fbb3bfc5e818c7f',X'020000000001030EAEE25CD7D4E57B04D89D162AB4E70ECCA149B2312410EA0DD04CE2CDEA22980000000000FDFFFFFF31B808C4F2C52B99C6456F0BC8CCCD1215F3F1647BC1DD14880436B6F72240E80000000000FDFFFFFF55FA82459480F5E62B413DE61466E7F55AAE7979D3EA3171CD4FFF2F6B62BEC90000000000FDFFFFFF03440400000000000016001477C79A913E3DC018768DB979730BE5C4DE2CA22200000000000000000F6A5D0C160200740280A0BE81950100ED05000000000000225120DF7A519DE91695FE9DB04EA140CE96C32A87AB691B677CE6E198A5FABBE5CBFE01402280DC6545E751BC1BC4CE99A11191179109CECC948BD520E31A620B83ADB00076F7AB89319EB79F5E51A2805C7AE26A751CDE5F570F5F8C85CC8C137DB07A5001405EB21C72C79EA750FE12DDB6B22462A6EFAA942F5747F7C73BB6CC475695C15474B0EEE2872D3202C843E9243F92862A0CB64906C8060C4E1FE60147D9B5FE72014009E6BB1591E9627A25FF119D0635D27BACCC4C5C945C50CAEB12AE6B36525C8B47B8D00F1DC9924118CF97C32E8CEA9F96589B47B97B78F7A3B1E455649B8F1600000000',1795394293,242,0,1,1795394293);
INSERT INTO tracked VALUES('3d6f12e11cde37343c8e45b66a3c21fa927476b7abd458860cf5366fc4f548f1',X'0200000000010234F2C0D6D7320844F87FB5D324B6FF765DEB895CD3AFB7AAD924F1349B81F9A30000000000FDFFFFFF0ABCD9156DF8489A86BC3D138E29D22D83887EAE71ADAC1C3F99DFB2381A4508000000006B483045022100F2971F500715B020A0F7C68F811D96DB86175BF6197E6CE465AC5B69ABB1FFF1022078B079AABA9BC5DE1F2D768A97EED25FCDE9DC20009CC898F552584FC31EDB9F01210304D5D84F9DC197A65F2BB7B7914FBA784F493C6BEE4A758DD193598E2BDAF7CEFDFFFFFF042202000000000000225120A7BA898E52351601615E075C6D40579DE685EC998C348ACBDC29788F18BE95AA220200000000000016001477C79A913E3DC018768DB979730BE5C4DE2CA22200000000000000000E6A5D0B16010074028090DFC04A0026140600000000001976A914F4E24060748E5FA83F19D38CD688D6D288E9E89C88AC024830450221008F826E97D33483751484D8F4FBFDD94E428C5574BF82E8012879BCDF05ABB1D502201A3DB947D80D89F320DEF4776AF5DC40A98CACC5EFEBE07CB68D4CAACFAAE5E501210294BF8B3362B8E1A36D7D08739369151C24B6BFFF09337AB9D86B63942C2F8B290000000000',1795396165,-1,0,0,1795396165);
INSERT INTO tracked VALUES('4e7048de2a57cc2869d6a5c6d559c395a9c2d55bd4370c00dff4a62f5d9773e7',X'02000000000102C2443F6C42E8D7A8D4B1C321904B94B0654B86F1E0FEFFD93951206FE8E5D4710000000000FDFFFFFF461AC273FEAECF46232BBB0F00F3A9DC151A3169AE4C505CCF983A6FE7F558250000000000FDFFFFFF04220200000000000022512075AC9B92CAAA1B84EB3A60998C4434BE91DF12C083D854EE9995FD3F7A7BD94922020000000000002251201B1DED1F20738655D6B3DEBD50696E63718BEED404E825D4384BA4468D6E1A0B00000000000000000F6A5D0C160100740280B8C9E5AE040019150600000000001600145423FC16CE4067E0A1A2277959D6E3515C6A6FB101402C3991B8CF1EA02AF6F66C04045E519AEDAED7D76E815A4265CB0C0754DC307DAAD6FA5CCC98ABFCEA7535F20D2ED39CE2243B4182445763BA8048900832A62002483045022100C2BDFEAF938990256E5AD25F0D1CEA41EF82E9F88023B1F0D46B52AAE85E20960220312476454E7DF6416CE6B1F5FB4D374BFD8DA98C2A521BBE29222F78A8ECED5E01210351719DAC6E0F832E1589B73E80C38A38C62D0E923B3DF6930B426B42683E3C9D00000000',1795388685,126,0,0,1795388685);
INSERT INTO tracked VALUES('707bca7f5874b6b270a6da91ea3024c1bf3497414308a516272a9ebbeeedd665',X'02000000000103E773975D2FA6F4DF000C37D45BD5C2A995C359D5C6A5D66928CC572ADE48704E0000000000FDFFFFFFA5ADC70FE84B785AF6A8232407C5D4DA7737129044F0B279D8C450D8B8321ABE0000000000FDFFFFFFA09680923D7EA968F79C170BDB13ABD8004224D9F83ED05C76ECBBC0F4558E9A0000000000FDFFFFFF0344040000000000002251201B1DED1F20738655D6B3DEBD50696E63718BEED404E825D4384BA4468D6E1A0B00000000000000000F6A5D0C160200740280B8C9E5AE0400DE05000000000000225120DF7A519DE91695FE9DB04EA140CE96C32A87AB691B677CE6E198A5FABBE5CBFE01407723B8146277800E30FB0D9F725BB7665D98E8E2FB3C9E4D94AC87EA05054B811C23537308FDD466FF8CB0624B3D5530B6DC46B5BD160895B28A750D4F7D5B98014007E524D9408EBFB00A236A5A2EC8517F0F8AC1A0C092F99D527961339D10EE88A5B4892DDDEBAA564B3BA4DD5AA69CE7D2F75BDFC950969037535784C63698840140891756611EC2008EE273B3CEF941666580681FB6F92415BCFDEB3A889CE2ED69E4EAD7B0088747731C7B313264A9C861728A7E5B31139B6DA5450A49440F253000000000',1795388701,194,0,1,1795388701);
INSERT INTO tracked VALUES('786af5fa708f4d742353b2937bb9b31e327e000638b4e01c4799f1b8fecb5599',X'020000000001011BDFAACC23C2F7DEF77FA4B72C22DBFD51ECE27B0625313C452F454793A034E00100000000FDFFFFFF02EB04000000000000225120FFECFBD7A0D2EBD1A7CD283C050F235A4416C7B7CE14F51647122EACF1A41C5DF8F205000000000016001454AD7331DF25D869606A8F1674CC8AA6E21C91A60247304402200E9D4258BE0E8BD3A7049593EE4129A29B66FA0D26BDCCEDF2B3413BEBE121E002203DA5BD4018E517998590FD599599A2A6C4146AE70BE086AE1C6B96E793D5C03801210314A83AABB00B5A3CA8F88BEE534DC174940BC66F8A13412DC718F066BE1BC2CC00000000',1795394305,289,0,0,1795394305);
INSERT INTO tracked VALUES('7c82e3386827a54b20524001e469ff6cd02083e07d34a3d7fafaa9a22d527b1f',X'0200000000010284C6FA0F444D755FE7426BBB01D516B73A972AE1C20FB6B16C168F7E2FA8D52D0000000000FDFFFFFF0EAEE25CD7D4E57B04D89D162AB4E70ECCA149B2312410EA0DD04CE2CDEA2298030000006B4830450221008B7F3A30E223E20251ED51305396DF0D5AD208BEDBC186DC466AB0E08BEE9C7B022056B3014ABC07B61C843E530B5DB4B71AE3DC39AAA7571A726A47C23AF441D02401210304D5D84F9DC197A65F2BB7B7914FBA784F493C6BEE4A758DD193598E2BDAF7CEFDFFFFFF04220200000000000022512011E33245951F8AB6D4E7EA8C626BCFAD904BFE074F337902B3663445E9ED49B2220200000000000016001477C79A913E3DC018768DB979730BE5C4DE2CA22200000000000000000E6A5D0B160100740280D88EE16F00CC0D0600000000001976A914F4E24060748E5FA83F19D38CD688D6D288E9E89C88AC0248304502210092CC0000C8487F608A1CC2AA27BD0B5DAE7296EE6071256A6EF3BA254808A7D102204DAE50947FA744CA8DF08B8C79BC66BCA466692B8D74F9710FF89CF1EEB41C4401210294BF8B3362B8E1A36D7D08739369151C24B6BFFF09337AB9D86B63942C2F8B290000000000',1795388701,201,0,0,1795388701);
INSERT INTO tracked VALUES('7f93726ddbe100df588af894fb7d42f0f2ddd7369b659f3936994da98bc6bf9e',X'02000000000103F26E0647DEA9FAC8D59BFD6AE7C259A8D0BE60B79CB15167F04FCE6FB0FA78B90100000000FDFFFFFF7D53B628FAACE3FF488403EBFACA5D449437E05AFF3FCC16182CE0AC7AB5AE6A0000000000FDFFFFFFF26E0647DEA9FAC8D59BFD6AE7C259A8D0BE60B79CB15167F04FCE6FB0FA78B90300000000FDFFFFFF042202000000000000225120E5D74EF573C8EA8FB6D3024A4BD597995130211966AC3E565ED85E1477C6D7D22202000000000000225120785B385E32E435D377844C0A0458EB6590744F01F32D053A304C2FB77896C3EF00000000000000000E6A5D0B16010074028084F1B630004C0906000000000016001454AD7331DF25D869606A8F1674CC8AA6E21C91A601409DA25275473AE8B894150C5874ED6D6977D908A71BD52F6CC38DEC2A862E85B157B882C863DE106636653785837C77C1743E44CD306C8A7067D620039464BAE70140A4748C53BBB9C3A525B01620C8928568372F19BD7CE97E13C5456A392F5CCF46254DB0D3467900EE1FA65F6BA07E3CE1672945260CCF90D3FD36C063716C63350247304402202B7DAED930F06C1D65C4098273392163D52937A9FB74BE5A608B36F3098C795002204D9473D5D6F09AD75C0582FB10FFB13F3B364B2BA385829060DC431A06F72E0B01210314A83AABB00B5A3CA8F88BEE534DC174940BC66F8A13412DC718F066BE1BC2CC00000000',1795394293,250,0,0,1795394293);
INSERT INTO tracked VALUES('8a48043cb10400028ec837b09f675027c049de59167ad38a9558f63bcf5b25b0',X'020000000001019927CAA366BB9D4866C125C854BF35D438D91097EE9419F17BEE990E00A7E8060000000000FDFFFFFF011D080000000000001976A914F4E24060748E5FA83F19D38CD688D6D288E9E89C88AC014027A6E597AF1413EF9E134ED33AF8D345A1D09B58F1851201356B791C2281F313E5063696A4458330D1FADD79C145318E52A09880483B31B0D28D69DFB8D0EFFA00000000',1795394293,246,0,1,1795394293);
INSERT INTO tracked VALUES('8bdd52e555500a6a6419582fc60c9da6f58680707e7bf16e5677beeaf19dfac8',X'020000000001019955CBFEB8F199471CE0B43806007E321EB3B97B93B25323744D8F70FAF56A780100000000FDFFFFFF02D7090000000000002251205831D2536C3681FDC9C9401F28A80292B450BEC8B97F6E1D5A9EBED48490642950E705000000000016001454AD7331DF25D869606A8F1674CC8AA6E21C91A602473044022027564255E3FDCC6638F85CAF96E188AB16FE16E4D37545EE12E468400EA3C7C40220012AAF8CD5347FAD33B00CB835C12D29546EEB85F77354B46E353C12A381425B01210314A83AABB00B5A3CA8F88BEE534DC174940BC66F8A13412DC718F066BE1BC2CC00000000',1795396165,289,0,0,1795396165);
INSERT INTO tracked VALUES('97a067336105f8ce4bed42736f6842cc318d28b01427a12b2799495c996f465c',X'02000000000101B05FD03C85B8EBF918CCEB33A8FB0B13327A80FFC5329D63E62D3BC7C77E12910000000000FFFFFFFF09D012130000000000225120A57A1B7BD40E7122CF5ABBEDA73E1B6016A61A6D92F8BB824CCEBE03B34429B5D012130000000000225120A57A1B7BD40E7122CF5ABBEDA73E1B6016A61A6D92F8BB824CCEBE03B34429B5D012130000000000225120A57A1B7BD40E7122CF5ABBEDA73E1B6016A61A6D92F8BB824CCEBE03B34429B5D012130000000000225120A57A1B7BD40E7122CF5ABBEDA73E1B6016A61A6D92F8BB824CCEBE03B34429B5D012130000000000225120A57A1B7BD40E7122CF5ABBEDA73E1B6016A61A6D92F8BB824CCEBE03B34429B5D012130000000000225120A57A1B7BD40E7122CF5ABBEDA73E1B6016A61A6D92F8BB824CCEBE03B34429B5D012130000000000225120A57A1B7BD40E7122CF5ABBEDA73E1B6016A61A6D92F8BB824CCEBE03B34429B5D012130000000000225120A57A1B7BD40E7122CF5ABBEDA73E1B6016A61A6D92F8BB824CCEBE03B34429B5EC576D2901000000225120A05FEAF5BDADD8103ED699047ED1E39D4351034B9220FA9696D485DA89C8795A01400B7D93A675DAA5FEB2F42D20F280A42956768C409767D1EE96192557E2BEC095967F4298B2A35EA2F882EAD9055E85936FCA12C49C0A814672DCCAAFC76A2B6200000000',1795388684,124,0,0,1795388684);
INSERT INTO tracked VALUES('9822eacde24cd00dea102431b249a1cc0ee7b42a169dd8047be5d4d75ce2ae0e',X'020000000001024A8E55568DDD77AF68503C162ED2E6E98B0F8D9E5FF936155E861BDD82B3846D0000000000FDFFFFFF13B4F3A14111EB88B1C86DAD0254F117D4FF22AEAB6A47E7BA0A67D41B738B9E000000006B483045022100E0EC301F21B953EDD865C385E27291EE27DC1B16DF5344707BDD9C45E14F2AC00220676B57A36F23BF862A3D7C538869A57281F2CE24350DD8BDE10AC0F9290AE2E801210304D5D84F9DC197A65F2BB7B7914FBA784F493C6BEE4A758DD193598E2BDAF7CEFDFFFFFF042202000000000000225120B97FE3FF14DD70AED7E25BC374D018C4A92363B6E8DAA0F7557D2274CD4CAA2A220200000000000016001477C79A913E3DC018768DB979730BE5C4DE2CA22200000000000000000F6A5D0C160100740280A0BE8195010026140600000000001976A914F4E24060748E5FA83F19D38CD688D6D288E9E89C88AC02483045022100C37DCBF1DDC1628D5527400E233C243D1A09754FCAEDF5571F16DFF4CF8816A7022060227B47ECD71181EF1DA7D0764F6776943B83D3AB30D1356D775B2716DB089901210294BF8B3362B8E1A36D7D08739369151C24B6BFFF09337AB9D86B63942C2F8B290000000000',1795388701,201,0,0,1795388701);
INSERT INTO tracked VALUES('9a8e55f4c0bbec765cd03ef8d9244200d8ab13db0b179cf768a97e3d928096a0',X'02000000000101A5ADC70FE84B785AF6A8232407C5D4DA7737129044F0B279D8C450D8B8321ABE0100000000FDFFFFFF0262050000000000002251205FEE469B920117860286859082238ED8CB011C5DCEA7461AE80F18081A7C934828FB0500000000001600145423FC16CE4067E0A1A2277959D6E3515C6A6FB10247304402202B4A11B25BDA797C7D68A552FE4CA12EA7B6B55E659D26E2DA1983C3D83D6CDE02204F04C6323B7C0817731ACDB26066EF086B61D8B203F591590DB38B45C4D460B801210351719DAC6E0F832E1589B73E80C38A38C62D0E923B3DF6930B426B42683E3C9D00000000',1795388701,193,0,0,1795388701);
INSERT INTO tracked VALUES('a38f11961c68600ccf0d7f5b11ef18ba326f7d59a75495719dfbfc9475339de1',X'020000000001016C831E4AE6923EDA427EA3DEA3CA667CD0FE5A2A1092F4354FA4203FE0C47DD60000000000FFFFFFFF09D012130000000000225120DF7A519DE91695FE9DB04EA140CE96C32A87AB691B677CE6E198A5FABBE5CBFED012130000000000225120DF7A519DE91695FE9DB04EA140CE96C32A87AB691B677CE6E198A5FABBE5CBFED012130000000000225120DF7A519DE91695FE9DB04EA140CE96C32A87AB691B677CE6E198A5FABBE5CBFED012130000000000225120DF7A519DE91695FE9DB04EA140CE96C32A87AB691B677CE6E198A5FABBE5CBFED012130000000000225120DF7A519DE91695FE9DB04EA140CE96C32A87AB691B677CE6E198A5FABBE5CBFED012130000000000225120DF7A519DE91695FE9DB04EA140CE96C32A87AB691B677CE6E198A5FABBE5CBFED012130000000000225120DF7A519DE91695FE9DB04EA140CE96C32A87AB691B677CE6E198A5FABBE5CBFED012130000000000225120DF7A519DE91695FE9DB04EA140CE96C32A87AB691B677CE6E198A5FABBE5CBFEEC576D2901000000225120A05FEAF5BDADD8103ED699047ED1E39D4351034B9220FA9696D485DA89C8795A014023CD7D4305FAB20511E7FDE0A00BFBE5BC20E03EB2084AD2742C12CEAD28BE0AA065788C69D90F1BE4E3CB00E734CD282E12877A09F1E6E20C6656EC386B532500000000',1795388684,123,0,0,1795388684);
INSERT INTO tracked VALUES('ad217e3b0ac34906cd388abb6e98605f0ba6c176efbef247443658ac723e34c0',X'02000000000102BC890D8F104073EC27D3F3266E715944DE5EFC0E80FF3225AA2C878C4449472C0000000000FDFFFFFF1BDFAACC23C2F7DEF77FA4B72C22DBFD51ECE27B0625313C452F454793A034E00000000000FDFFFFFF034404000000000000225120785B385E32E435D377844C0A0458EB6590744F01F32D053A304C2FB77896C3EF00000000000000000E6A5D0B160200740280C8AFA02500DC05000000000000225120DF7A519DE91695FE9DB04EA140CE96C32A87AB691B677CE6E198A5FABBE5CBFE014017B9B667B3BAAAF72357ED804EE86F0BB76126947E37D29EA6C27FC7F26685418220C34C1845D23158FB880BC07EDE6E8DD8A5C0BED6FCA8C9BCCFAB5454C2670140285BB0550C8D20EEFF44B97EA7F3B3E35CBA1C716975AA475AE0FD2BC73007FF5ABCE64AB164C99DABEFE197E08DFBF8AB9AFCD1030FCD615CE64A24D20A715A00000000',1795394305,289,0,1,1795394305);
INSERT INTO tracked VALUES('b26d47b394a4e6450f0889cfa10ccd75209135c9ece0f31f5ecd256c48d7435b',X'02000000000103BC890D8F104073EC27D3F3266E715944DE5EFC0E80FF3225AA2C878C4449472C0100000000FDFFFFFF257E02943E28D1BCAD48C46B52E6F2D00330EDE2D8ECD2433455868145F9C4780000000000FDFFFFFFBC890D8F104073EC27D3F3266E715944DE5EFC0E80FF3225AA2C878C4449472C0300000000FDFFFFFF042202000000000000225120416753215FAD16C778A7C5954D8D0202692CD6E0333A209402510ED3F037ABC72202000000000000225120785B385E32E435D377844C0A0458EB6590744F01F32D053A304C2FB77896C3EF00000000000000000E6A5D0B160100740280DC9AFD28002C1106000000000016001454AD7331DF25D869606A8F1674CC8AA6E21C91A60140C4BAE1BF7316A78F30855C87E7F43BC551C8174FC516F7F02FEC7BAC3867AF26E5F244F1F8921361560C88F6528474F68B1F9848F7797539284FF8810CF214A601405C49F9F5DBD648235432506A98286640825E0FF239F65EB8A13262B1BECD2C7480967F25AF069122019EEFBE3B0DD44D627CD04024DAB93C26876E4A0C4A477402483045022100A3439028A19A2C3643B0565236FFADC4D9CBDA3F16286037A4A6295AB182F5690220675E96066966096AEE97C26B0EF2D254CD2ED591D059C8BD75E25C5F2D8695B401210314A83AABB00B5A3CA8F88BEE534DC174940BC66F8A13412DC718F066BE1BC2CC00000000',1795394293,250,0,0,1795394293);
INSERT INTO tracked VALUES('b978fab06fce4ff06751b19cb760bed0a859c2e76afd9bd5c8faa9de47066ef2',X'020000000001035B43D7486C25CD5E1FF3E0ECC935912075CD0CA1CF89080F45E6A494B3476DB20100000000FDFFFFFF67718E69ADAD4EC61CF20C454DD6F356D0F299A34E2A2131F905E00BB86D922A0000000000FDFFFFFF5B43D7486C25CD5E1FF3E0ECC935912075CD0CA1CF89080F45E6A494B3476DB20300000000FDFFFFFF0422020000000000002251203A5451A7CB590056C4143645C22FE88F15D5ACABA59F78CA6126E7A5E3BA7D882202000000000000225120785B385E32E435D377844C0A0458EB6590744F01F32D053A304C2FB77896C3EF00000000000000000E6A5D0B160100740280F085DA2C003C0D06000000000016001454AD7331DF25D869606A8F1674CC8AA6E21C91A60140A8C993D2DE55B2BE6A2F106C8A3AFD6A99C0F44AFF210BC5BA9796DADF209EB40C167BB25E1DE3AE86EF3A2FD09642AF94405CDF056163F71862001F3B618AB40140BB675D4EB0B3E149DE25FB7F9FDDACC23B9FB76F36D088E4DF1E4CEA469BEC2E453E27464FF10E218756FFC942F83777BBFC0BE723415B2FDFCB1BCC93CE1D690247304402202142E95C2AF536627FD1BE61A8727F800C85DDF264B85A2AC92A638D2198464702207EF31157751F2008E0556E83DBAAC522507225839E7DDC8158734E91046D34D901210314A83AABB00B5A3CA8F88BEE534DC174940BC66F8A13412DC718F066BE1BC2CC00000000',1795394293,250,0,0,1795394293);
INSERT INTO tracked VALUES('be1a32b8d850c4d879b2f04490123777dad4c5072423a8f65a784be80fc7ada5',X'020000000001015035C89FB28D31AA650F46F0B9A13883C97446453AF27C81C64B5338A6CF8F1E0100000000FDFFFFFF02EC040000000000002251205FEE469B920117860286859082238ED8CB011C5DCEA7461AE80F18081A7C93485B020600000000001600145423FC16CE4067E0A1A2277959D6E3515C6A6FB102483045022100DB8DD7DE4C39DC8BDBBB58973D4DBCC73FBB9CCC0C2A0B02BA9D9C57646E30E202207ACE0E2A5E76BC3E85242FD4FC95EBF9BFFC31CD6F603A6125B302FC47E6EDDA01210351719DAC6E0F832E1589B73E80C38A38C62D0E923B3DF6930B426B42683E3C9D00000000',1795388701,192,0,0,1795388701);
INSERT INTO tracked VALUES('bf3598a8e68ad6249b1c0be78d570cf6b872ce9c98723420d0d19c2c2a6b7603',X'020000000001025035C89FB28D31AA650F46F0B9A13883C97446453AF27C81C64B5338A6CF8F1E0000000000FDFFFFFFAB5FC522681BE380EE9B918EF65C9C895337548403859B848CAF7BA692F8162A0200000000FDFFFFFF0422020000000000002251201B1DED1F20738655D6B3DEBD50696E63718BEED404E825D4384BA4468D6E1A0B2202000000000000225120055CEEB5E45E89677F12B92F6707E20E3B934E4FF4DF75D7122385414D01D83D00000000000000000F6A5D0C1601007402A4A5BFB2F50100DC05000000000000225120DF7A519DE91695FE9DB04EA140CE96C32A87AB691B677CE6E198A5FABBE5CBFE0140A737AD9226311B9E569A7C4795B328B856B5553CFC81D97D036FC0E11714ED44C5A1E6D28CBA4D21406F35BE0E303EC6CF47B5ADB87AFFC20998CCD2773405EC0140BF6BD808E626BDF276AD2E1DDA8FE92758783EA498F6E41C2ADAEE1DCDDAB0995030E555E9BD87F5FF164A6086C752C944C293984646E736B996C756419802C100000000',1795388690,151,0,1,1795388690);
INSERT INTO tracked VALUES('c9be626b2fff4fcd7131ead37979ae5af5e76614e63d412be6f580944582fa55',X'020000000131B808C4F2C52B99C6456F0BC8CCCD1215F3F1647BC1DD14880436B6F72240E8010000006B483045022100F4EFEE7E01531E4DE84D3075B13D86C6E9F0C3621B97B35885B12415787A1ED70220052927421C2D3C10B8F8422A8310D96B08FAE44036F6F048207E0C2DA581D79201210304D5D84F9DC197A65F2BB7B7914FBA784F493C6BEE4A758DD193598E2BDAF7CEFDFFFFFF026516000000000000225120A8F0CBAFA50A32889A350EBF96D5BC699A47BB930ACA7DA9FE112A8E42B0F3CB76E00500000000001976A914F4E24060748E5FA83F19D38CD688D6D288E9E89C88AC00000000',1795394293,241,0,0,1795394293);
INSERT INTO tracked VALUES('d4a745b277feab4e44f273b03e95fb64c0479200101cd3d0123a6291badf221a',X'02000000000103D2342A5B8FFC9C013780573CA19B88A643A26C3CE89857DC18711BC6D8EF3C4E0000000000FFFFFFFFD2342A5B8FFC9C013780573CA19B88A643A26C3CE89857DC18711BC6D8EF3C4E0100000000FFFFFFFFA043D101861CBEA26E7C4F0881795545118F3D6BA16985E2D31B7E47797731370000000000FFFFFFFF082202000000000000225120055CEEB5E45E89677F12B92F6707E20E3B934E4FF4DF75D7122385414D01D83D2202000000000000225120055CEEB5E45E89677F12B92F6707E20E3B934E4FF4DF75D7122385414D01D83D2202000000000000225120055CEEB5E45E89677F12B92F6707E20E3B934E4FF4DF75D7122385414D01D83D2202000000000000225120055CEEB5E45E89677F12B92F6707E20E3B934E4FF4DF75D7122385414D01D83D2202000000000000225120055CEEB5E45E89677F12B92F6707E20E3B934E4FF4DF75D7122385414D01D83D2202000000000000225120A05FEAF5BDADD8103ED699047ED1E39D4351034B9220FA9696D485DA89C8795A0000000000000000386A5D35160500740280A0FAA0CCD70500000080A0FAA0CCD70501000080A0FAA0CCD70502000080A0FAA0CCD70503000080A0FAA0CCD7050428E5052A01000000225120A05FEAF5BDADD8103ED699047ED1E39D4351034B9220FA9696D485DA89C8795A014084453D861A204F9BE5E48968894E76A36E6C406031E38FF0F23D5E8DAF855F4BE7985098C4E1916D048695F02BC0CB0557F92ECAA05248060CC54C6F31F327540140F8C09BD5C60EBDA9995DC494F274071A3EDA0D843AAE5C0905D3115246CC8E288EF69B0D5203D6AD37AB12BC60209B584D51DCD52E28B7920815171ED147DA50014025DC80B7D227C53901855FA49EE3C60294998F847AAE7977F730BFE01E05B587EB5C534BA62EC2BCD173B6431E62E34BA019AACEDE54A60D4BE87FD7C2CF439D00000000',1795388684,123,0,0,1795388684);
INSERT INTO tracked VALUES('e034a09347452f453c3125067be2ec51fddb222cb7a47ff7def7c223ccaadf1b',X'020000000001014085A4AEE8BC7AF59F8E19DC2A6672DF39524EEE86D70884E2B3E2810D17A0E80300000000FDFFFFFF02D709000000000000225120310129D7B4B710A18644E668BD84C28002034E3DCBAE55978C28C878AE691F01B4F905000000000016001454AD7331DF25D869606A8F1674CC8AA6E21C91A60247304402202434212D2D92D8F430757CF8EA6445081AFF2A4604E79B5401C0A781FCA586DC02204DA2C0D912690438BEF70328666EC380633A1D81532D7EEBFCB9344734C094D601210314A83AABB00B5A3CA8F88BEE534DC174940BC66F8A13412DC718F066BE1BC2CC00000000',1795394305,288,0,0,1795394305);
INSERT INTO tracked VALUES('e613a9c0b1fc2b3f8bc63375dd8e961cb25f40239c73c9ebd5056752b2662e5a',X'020000000001023DBE32A67EE9F48977F40CDD9EAB40AB4BDA947D2A11C13324BE5D246CD999980000000000FDFFFFFF0F0676AA6B83EEBB011A3492287EC2DAC4D51090415D1384FD784248E3CF66930000000017160014B9EADFFD7E9264A3ABA11538528FB6C97CDC8E15FDFFFFFF042202000000000000225120F75D9752D1DA1D7B65ABF3596C3D427ADD8026DCCCA8194C39F4A018141C78CC2202000000000000225120EBCF3BB746F00C4AF92BA290F7A5B24531BE1BD2C807EDC847255E85E7163A7E00000000000000000F6A5D0C1601007402CF9491C0A10200D11406000000000017A914815C987D5408558601CD80BBA80642C308C9A30A870140F71D43AF9CE36F651EC5F71069B655835DDC36E1710787916D9E43801476CC32C3B7799EF78C71571D47FC1E08DEA3E0BF9FBB3CDD118DEB5B09A5FD7228A184024830450221009F09DFD4C3E5183FF19BBC08D76BA673D15A092CFC4F25C542594208BD6EDE0402205A8FA6976F01D0E7481723DF7A45B34BC0AEC37BE3F466784EC154FCE94F6FE7012102907D39DAF830FFD279B0B0F4008716CFC459A0BAE2EA23AD06FFA0FED2E772CD00000000',1795388685,126,0,0,1795388685);
INSERT INTO tracked VALUES('e84022f7b636048814ddc17b64f1f31512cdccc80b6f45c6992bc5f2c408b831',X'0200000001F280CF1BA37DDA4FED59FFAA4ECF664D543AA15D18600C7CF1F50013F938361D010000006A4730440220425EFF20ABB00128627F696D990DD037FC72303CB1F2ADE63BD0D5EFC9383F2B022023E03733118DF4E82618BD03C6AFB287D41CB975D02BBF85FAC2D8399216578A01210304D5D84F9DC197A65F2BB7B7914FBA784F493C6BEE4A758DD193598E2BDAF7CEFDFFFFFF02E004000000000000225120A8F0CBAFA50A32889A350EBF96D5BC699A47BB930ACA7DA9FE112A8E42B0F3CB9FF90500000000001976A914F4E24060748E5FA83F19D38CD688D6D288E9E89C88AC00000000',1795392433,240,0,0,1795392433);
INSERT INTO tracked VALUES('e8a0170d81e2b3e28408d786ee4e5239df72662adc198e9ff57abce8aea48540',X'020000000001039EBFC68BA94D9936399F659B36D7DDF2F0427DFB94F88A58DF00E1DB6D72937F0100000000FDFFFFFFF80ADAF89EDF49068AE7A84AA6042B1CF02DC4DD019EDAC928DD3F997901FD160000000000FDFFFFFF9EBFC68BA94D9936399F659B36D7DDF2F0427DFB94F88A58DF00E1DB6D72937F0300000000FDFFFFFF042202000000000000225120CF5A4CE4D2E2B24C932DDE0012EC8283E68AA1C4D95788CFD6DE0E5C37747E852202000000000000225120785B385E32E435D377844C0A0458EB6590744F01F32D053A304C2FB77896C3EF00000000000000000E6A5D0B16010074028098DC9334005C0506000000000016001454AD7331DF25D869606A8F1674CC8AA6E21C91A601402ADF277C98154DFD05A4BD621511597D6FDA1F8FFD857B8D5FEA22F545E763C2776E3114BB80A43BD95D50EC7BBC97668DBEBFCAB49F990C7FABD3DB18B9EB7001408922BE924805044C4D6C2BB7B61510CEF84426EC2EC91AEA49D2477F27989240A7F7114768C1B4A40DB442E4076E6DE27B33B673CD076B2164A184FAE881A3DF02483045022100A711DCC04DD57D69A8A5E2C24B476162E6E9540133CEB9BCBA281E0795CD7D76022028CA1208BA12B4E7D84A9010EE5D164FB67A5922E79E98C76E9865B85A33F48301210314A83AABB00B5A3CA8F88BEE534DC174940BC66F8A13412DC718F066BE1BC2CC00000000',1795394293,250,0,0,1795394293);
INSERT INTO tracked VALUES('ee6b4f4a9151ceba1c94aeaaf213f18b37a0a5616011da5c16874f9151cd39c7',X'0200000000010200810FA2FA9D2DFBA0CCAC8545BD95A0A9950C2E26F8B1EA9AAAA754F36F6EC00200000000FFFFFFFF0EBDDAFD1782EEBB557845D99F212D0D5E59463B2DF4264AE2485085B26F903E0000000000FFFFFFFF06220200000000000022512068A8B2C4A617AC400D1624E6BDF338921A9BFC510019DD50A2972B118EDC5A00220200000000000022512068A8B2C4A617AC400D1624E6BDF338921A9BFC510019DD50A2972B118EDC5A00220200000000000022512068A8B2C4A617AC400D1624E6BDF338921A9BFC510019DD50A2972B118EDC5A002202000000000000225120A05FEAF5BDADD8103ED699047ED1E39D4351034B9220FA9696D485DA89C8795A0000000000000000246A5D21160300740180A0FAA0CCD70500000080A0FAA0CCD70501000080A0FAA0CCD7050290E8052A01000000225120A05FEAF5BDADD8103ED699047ED1E39D4351034B9220FA9696D485DA89C8795A0140FE8C805056C4BDF53ECAB9F3E9EFFC8DF35EEFB3A29FD67FFB57636FD3F2E8CAA10CA3F738ABD6E863337CB04EBEA450A0CCDB30CF9A9DF24E14F6CFBE9232B4014077E3740F72C600EDD49BE5199BBD309F4A88C02F5869E695D30C2AFC5071E76DEB2F6B2C329F2FFACEF90855E82B248AD2DC6D33A4E63BF8BDE1C76D169F46BB00000000',1795388684,124,0,0,1795388684);
INSERT INTO tracked VALUES('ef258830f54d00c92100d2911a59bce575a4dc3fb6c27f186488cfae35039433',X'0200000000010300810FA2FA9D2DFBA0CCAC8545BD95A0A9950C2E26F8B1EA9AAAA754F36F6EC00000000000FFFFFFFF00810FA2FA9D2DFBA0CCAC8545BD95A0A9950C2E26F8B1EA9AAAA754F36F6EC00100000000FFFFFFFF12CA325434A88F94E8AD21DAC4D5C679D8C85C0AC8D05EF4A14B9565275131480000000000FFFFFFFF08220200000000000022512068A8B2C4A617AC400D1624E6BDF338921A9BFC510019DD50A2972B118EDC5A00220200000000000022512068A8B2C4A617AC400D1624E6BDF338921A9BFC510019DD50A2972B118EDC5A00220200000000000022512068A8B2C4A617AC400D1624E6BDF338921A9BFC510019DD50A2972B118EDC5A00220200000000000022512068A8B2C4A617AC400D1624E6BDF338921A9BFC510019DD50A2972B118EDC5A00220200000000000022512068A8B2C4A617AC400D1624E6BDF338921A9BFC510019DD50A2972B118EDC5A002202000000000000225120A05FEAF5BDADD8103ED699047ED1E39D4351034B9220FA9696D485DA89C8795A0000000000000000386A5D35160500740180A0FAA0CCD70500000080A0FAA0CCD70501000080A0FAA0CCD70502000080A0FAA0CCD70503000080A0FAA0CCD7050428E5052A01000000225120A05FEAF5BDADD8103ED699047ED1E39D4351034B9220FA9696D485DA89C8795A01403488FF33F2B40930DD6683759E14A61F1BA1B645CCEAC998E130C37975679501E71BF83D6CE46F9243685D8CF30C0ED5D204579F6A33CB0FCBB3A2EE81DC7D560140AC0FEEC6602954DC0F739F5949473FBA8611C277C1B86D506DABED8BD2D818AD93217B3E82E3216445B9FE63456CD5D26A82A6C7D5107C6B0E03970ECB7DD88E014039314DDD602AE20D27214FC76B456C160D0FF4DB7A99DB73C7AE0C8F9656A371404173F13E9438122CFFB5EED33691B37E24C2B458E45C861E58B03844255E4800000000',1795388684,124,0,0,1795388684);
INSERT INTO tracked_input VALUES('06e8a7000e99ee7bf11994ee9710d938d435bf54c825c166489dbb66a3ca2799','c9be626b2fff4fcd7131ead37979ae5af5e76614e63d412be6f580944582fa55',1);
INSERT INTO tracked_input VALUES('1d3638f91300f5f17c0c60185da13a544d66cf4eaaff59ed4fda7da31bcf80f2','7c82e3386827a54b20524001e469ff6cd02083e07d34a3d7fafaa9a22d527b1f',3);
INSERT INTO tracked_input VALUES('1e8fcfa638534bc6817cf23a454674c98338a1b9f0460f65aa318db29fc83550','4e7048de2a57cc2869d6a5c6d559c395a9c2d55bd4370c00dff4a62f5d9773e7',3);
INSERT INTO tracked_input VALUES('24392bc9cdca36c90efa6a4cc495d3603158d3529529cfc2401c9ed5d5bca6f6','8bdd52e555500a6a6419582fc60c9da6f58680707e7bf16e5677beeaf19dfac8',0);
INSERT INTO tracked_input VALUES('24392bc9cdca36c90efa6a4cc495d3603158d3529529cfc2401c9ed5d5bca6f6','b978fab06fce4ff06751b19cb760bed0a859c2e76afd9bd5c8faa9de47066ef2',0);
INSERT INTO tracked_input VALUES('2a16f892a67baf8c849b850384543753899c5cf68e919bee80e31b6822c55fab','49d2cbb427aab397adc608309b40c08fd12b660f3fb210c2564309d39844e79b',0);
INSERT INTO tracked_input VALUES('2a16f892a67baf8c849b850384543753899c5cf68e919bee80e31b6822c55fab','4e3cefd8c61b7118dc5798e83c6ca243a6889ba13c578037019cfc8f5b2a34d2',2);
INSERT INTO tracked_input VALUES('2c4749448c872caa2532ff800efc5ede4459716e26f3d327ec7340108f0d89bc','a4294da75572e6413ebb1091214be68f757705f959025a9d8b0311ad7253d110',0);
INSERT INTO tracked_input VALUES('2c4749448c872caa2532ff800efc5ede4459716e26f3d327ec7340108f0d89bc','b21964a6175a12d6f015d59035338e568567032b4c91c130824e19cf56989001',0);
INSERT INTO tracked_input VALUES('2e4e7f8e964fcad3fa7f9cc20deb3890df6cea602b56de117fbb3bfc5e818c7f','9822eacde24cd00dea102431b249a1cc0ee7b42a169dd8047be5d4d75ce2ae0e',0);
INSERT INTO tracked_input VALUES('2e4e7f8e964fcad3fa7f9cc20deb3890df6cea602b56de117fbb3bfc5e818c7f','c9be626b2fff4fcd7131ead37979ae5af5e76614e63d412be6f580944582fa55',0);
INSERT INTO tracked_input VALUES('2e4e7f8e964fcad3fa7f9cc20deb3890df6cea602b56de117fbb3bfc5e818c7f','e84022f7b636048814ddc17b64f1f31512cdccc80b6f45c6992bc5f2c408b831',0);
INSERT INTO tracked_input VALUES('3d6f12e11cde37343c8e45b66a3c21fa927476b7abd458860cf5366fc4f548f1','08451a38b2df993f1cacad71ae7e88832dd2298e133dbc869a48f86d15d9bc0a',0);
INSERT INTO tracked_input VALUES('3d6f12e11cde37343c8e45b66a3c21fa927476b7abd458860cf5366fc4f548f1','a3f9819b34f124d9aab7afd35c89eb5d76ffb624d3b57ff8440832d7d6c0f234',0);
INSERT INTO tracked_input VALUES('4e7048de2a57cc2869d6a5c6d559c395a9c2d55bd4370c00dff4a62f5d9773e7','2558f5e76f3a98cf5c504cae69311a15dca9f3000fbb2b2346cfaefe73c21a46',0);
INSERT INTO tracked_input VALUES('4e7048de2a57cc2869d6a5c6d559c395a9c2d55bd4370c00dff4a62f5d9773e7','71d4e5e86f205139d9fffee0f1864b65b0944b9021c3b1d4a8d7e8426c3f44c2',0);
INSERT INTO tracked_input VALUES('707bca7f5874b6b270a6da91ea3024c1bf3497414308a516272a9ebbeeedd665','4e7048de2a57cc2869d6a5c6d559c395a9c2d55bd4370c00dff4a62f5d9773e7',0);
INSERT INTO tracked_input VALUES('707bca7f5874b6b270a6da91ea3024c1bf3497414308a516272a9ebbeeedd665','9a8e55f4c0bbec765cd03ef8d9244200d8ab13db0b179cf768a97e3d928096a0',0);
INSERT INTO tracked_input VALUES('707bca7f5874b6b270a6da91ea3024c1bf3497414308a516272a9ebbeeedd665','be1a32b8d850c4d879b2f04490123777dad4c5072423a8f65a784be80fc7ada5',0);
INSERT INTO tracked_input VALUES('786af5fa708f4d742353b2937bb9b31e327e000638b4e01c4799f1b8fecb5599','e034a09347452f453c3125067be2ec51fddb222cb7a47ff7def7c223ccaadf1b',1);
INSERT INTO tracked_input VALUES('7c82e3386827a54b20524001e469ff6cd02083e07d34a3d7fafaa9a22d527b1f','2dd5a82f7e8f166cb1b60fc2e12a973ab716d501bb6b42e75f754d440ffac684',0);
INSERT INTO tracked_input VALUES('7c82e3386827a54b20524001e469ff6cd02083e07d34a3d7fafaa9a22d527b1f','9822eacde24cd00dea102431b249a1cc0ee7b42a169dd8047be5d4d75ce2ae0e',3);
INSERT INTO tracked_input VALUES('7f93726ddbe100df588af894fb7d42f0f2ddd7369b659f3936994da98bc6bf9e','6aaeb57aace02c1816cc3fff5ae03794445dcafaeb038448ffe3acfa28b6537d',0);
INSERT INTO tracked_input VALUES('7f93726ddbe100df588af894fb7d42f0f2ddd7369b659f3936994da98bc6bf9e','b978fab06fce4ff06751b19cb760bed0a859c2e76afd9bd5c8faa9de47066ef2',1);
INSERT INTO tracked_input VALUES('7f93726ddbe100df588af894fb7d42f0f2ddd7369b659f3936994da98bc6bf9e','b978fab06fce4ff06751b19cb760bed0a859c2e76afd9bd5c8faa9de47066ef2',3);
INSERT INTO tracked_input VALUES('8a48043cb10400028ec837b09f675027c049de59167ad38a9558f63bcf5b25b0','06e8a7000e99ee7bf11994ee9710d938d435bf54c825c166489dbb66a3ca2799',0);
INSERT INTO tracked_input VALUES('8bdd52e555500a6a6419582fc60c9da6f58680707e7bf16e5677beeaf19dfac8','786af5fa708f4d742353b2937bb9b31e327e000638b4e01c4799f1b8fecb5599',1);
INSERT INTO tracked_input VALUES('97a067336105f8ce4bed42736f6842cc318d28b01427a12b2799495c996f465c','91127ec7c73b2de6639d32c5ff807a32130bfba833ebcc18f9ebb8853cd05fb0',0);
INSERT INTO tracked_input VALUES('9822eacde24cd00dea102431b249a1cc0ee7b42a169dd8047be5d4d75ce2ae0e','6d84b382dd1b865e1536f95f9e8d0f8be9e6d22e163c5068af77dd8d56558e4a',0);
INSERT INTO tracked_input VALUES('9822eacde24cd00dea102431b249a1cc0ee7b42a169dd8047be5d4d75ce2ae0e','9e8b731bd4670abae7476aabae22ffd417f15402ad6dc8b188eb1141a1f3b413',0);
INSERT INTO tracked_input VALUES('9a8e55f4c0bbec765cd03ef8d9244200d8ab13db0b179cf768a97e3d928096a0','be1a32b8d850c4d879b2f04490123777dad4c5072423a8f65a784be80fc7ada5',1);
INSERT INTO tracked_input VALUES('a38f11961c68600ccf0d7f5b11ef18ba326f7d59a75495719dfbfc9475339de1','d67dc4e03f20a44f35f492102a5afed07c66caa3dea37e42da3e92e64a1e836c',0);
INSERT INTO tracked_input VALUES('ad217e3b0ac34906cd388abb6e98605f0ba6c176efbef247443658ac723e34c0','2c4749448c872caa2532ff800efc5ede4459716e26f3d327ec7340108f0d89bc',0);
INSERT INTO tracked_input VALUES('ad217e3b0ac34906cd388abb6e98605f0ba6c176efbef247443658ac723e34c0','e034a09347452f453c3125067be2ec51fddb222cb7a47ff7def7c223ccaadf1b',0);
INSERT INTO tracked_input VALUES('b26d47b394a4e6450f0889cfa10ccd75209135c9ece0f31f5ecd256c48d7435b','2c4749448c872caa2532ff800efc5ede4459716e26f3d327ec7340108f0d89bc',1);
INSERT INTO tracked_input VALUES('b26d47b394a4e6450f0889cfa10ccd75209135c9ece0f31f5ecd256c48d7435b','2c4749448c872caa2532ff800efc5ede4459716e26f3d327ec7340108f0d89bc',3);
INSERT INTO tracked_input VALUES('b26d47b394a4e6450f0889cfa10ccd75209135c9ece0f31f5ecd256c48d7435b','78c4f9458186553443d2ecd8e2ed3003d0f2e6526bc448adbcd1283e94027e25',0);
INSERT INTO tracked_input VALUES('b978fab06fce4ff06751b19cb760bed0a859c2e76afd9bd5c8faa9de47066ef2','2a926db80be005f931212a4ea399f2d056f3d64d450cf21cc64eadad698e7167',0);
INSERT INTO tracked_input VALUES('b978fab06fce4ff06751b19cb760bed0a859c2e76afd9bd5c8faa9de47066ef2','b26d47b394a4e6450f0889cfa10ccd75209135c9ece0f31f5ecd256c48d7435b',1);
INSERT INTO tracked_input VALUES('b978fab06fce4ff06751b19cb760bed0a859c2e76afd9bd5c8faa9de47066ef2','b26d47b394a4e6450f0889cfa10ccd75209135c9ece0f31f5ecd256c48d7435b',3);
INSERT INTO tracked_input VALUES('be1a32b8d850c4d879b2f04490123777dad4c5072423a8f65a784be80fc7ada5','1e8fcfa638534bc6817cf23a454674c98338a1b9f0460f65aa318db29fc83550',1);
INSERT INTO tracked_input VALUES('bf3598a8e68ad6249b1c0be78d570cf6b872ce9c98723420d0d19c2c2a6b7603','1e8fcfa638534bc6817cf23a454674c98338a1b9f0460f65aa318db29fc83550',0);
INSERT INTO tracked_input VALUES('bf3598a8e68ad6249b1c0be78d570cf6b872ce9c98723420d0d19c2c2a6b7603','2a16f892a67baf8c849b850384543753899c5cf68e919bee80e31b6822c55fab',2);
INSERT INTO tracked_input VALUES('c9be626b2fff4fcd7131ead37979ae5af5e76614e63d412be6f580944582fa55','e84022f7b636048814ddc17b64f1f31512cdccc80b6f45c6992bc5f2c408b831',1);
INSERT INTO tracked_input VALUES('d4a745b277feab4e44f273b03e95fb64c0479200101cd3d0123a6291badf221a','37317779477e1bd3e28569a16b3d8f1145557981084f7c6ea2be1c8601d143a0',0);
INSERT INTO tracked_input VALUES('d4a745b277feab4e44f273b03e95fb64c0479200101cd3d0123a6291badf221a','4e3cefd8c61b7118dc5798e83c6ca243a6889ba13c578037019cfc8f5b2a34d2',0);
INSERT INTO tracked_input VALUES('d4a745b277feab4e44f273b03e95fb64c0479200101cd3d0123a6291badf221a','4e3cefd8c61b7118dc5798e83c6ca243a6889ba13c578037019cfc8f5b2a34d2',1);
INSERT INTO tracked_input VALUES('e034a09347452f453c3125067be2ec51fddb222cb7a47ff7def7c223ccaadf1b','e8a0170d81e2b3e28408d786ee4e5239df72662adc198e9ff57abce8aea48540',3);
INSERT INTO tracked_input VALUES('e613a9c0b1fc2b3f8bc63375dd8e961cb25f40239c73c9ebd5056752b2662e5a','9366cfe3484278fd84135d419010d5c4dac27e2892341a01bbee836baa76060f',0);
INSERT INTO tracked_input VALUES('e613a9c0b1fc2b3f8bc63375dd8e961cb25f40239c73c9ebd5056752b2662e5a','9899d96c245dbe2433c1112a7d94da4bab40ab9edd0cf47789f4e97ea632be3d',0);
INSERT INTO tracked_input VALUES('e84022f7b636048814ddc17b64f1f31512cdccc80b6f45c6992bc5f2c408b831','1d3638f91300f5f17c0c60185da13a544d66cf4eaaff59ed4fda7da31bcf80f2',1);
INSERT INTO tracked_input VALUES('e8a0170d81e2b3e28408d786ee4e5239df72662adc198e9ff57abce8aea48540','16fd0179993fdd28c9da9e01ddc42df01c2b04a64aa8e78a0649df9ef8da0af8',0);
INSERT INTO tracked_input VALUES('e8a0170d81e2b3e28408d786ee4e5239df72662adc198e9ff57abce8aea48540','7f93726ddbe100df588af894fb7d42f0f2ddd7369b659f3936994da98bc6bf9e',1);
INSERT INTO tracked_input VALUES('e8a0170d81e2b3e28408d786ee4e5239df72662adc198e9ff57abce8aea48540','7f93726ddbe100df588af894fb7d42f0f2ddd7369b659f3936994da98bc6bf9e',3);
INSERT INTO tracked_input VALUES('ee6b4f4a9151ceba1c94aeaaf213f18b37a0a5616011da5c16874f9151cd39c7','3e906fb2855048e24a26f42d3b46595e0d2d219fd9457855bbee8217fddabd0e',0);
INSERT INTO tracked_input VALUES('ee6b4f4a9151ceba1c94aeaaf213f18b37a0a5616011da5c16874f9151cd39c7','c06e6ff354a7aa9aeab1f8262e0c95a9a095bd4585accca0fb2d9dfaa20f8100',2);
INSERT INTO tracked_input VALUES('ef258830f54d00c92100d2911a59bce575a4dc3fb6c27f186488cfae35039433','4831512765954ba1f45ed0c80a5cc8d879c6d5c4da21ade8948fa8345432ca12',0);
INSERT INTO tracked_input VALUES('ef258830f54d00c92100d2911a59bce575a4dc3fb6c27f186488cfae35039433','c06e6ff354a7aa9aeab1f8262e0c95a9a095bd4585accca0fb2d9dfaa20f8100',0);
INSERT INTO tracked_input VALUES('ef258830f54d00c92100d2911a59bce575a4dc3fb6c27f186488cfae35039433','c06e6ff354a7aa9aeab1f8262e0c95a9a095bd4585accca0fb2d9dfaa20f8100',1);
INSERT INTO unit VALUES('lobo','2c4749448c872caa2532ff800efc5ede4459716e26f3d327ec7340108f0d89bc:0',31,'bcrt1p0pdnsh3jus6axauyfs9qgk8tvkg8gncp7vks2w3sfshmw7ykc0hsv3aqm3','STAKE',10000000000,'BATCH_LOCKED',0,14,16,18,-1,'2b629f0fd2e50bd946bf114dbf0d6e69','','2c4749448c872caa2532ff800efc5ede4459716e26f3d327ec7340108f0d89bc',0,1795394293);
INSERT INTO unit VALUES('lobo','3d6f12e11cde37343c8e45b66a3c21fa927476b7abd458860cf5366fc4f548f1:0',52,'bcrt1qwlre4yf78hqpsa5dh9uhxzl9cn0zeg3z0730uq','STAKE',20000000000,'PENDING_STAKE',0,-1,-1,-1,-1,'','','3d6f12e11cde37343c8e45b66a3c21fa927476b7abd458860cf5366fc4f548f1',0,1795396165);
INSERT INTO unit VALUES('lobo','4e7048de2a57cc2869d6a5c6d559c395a9c2d55bd4370c00dff4a62f5d9773e7:0',1,'bcrt1prvw768eqwwr9t44nm674q6twvdcchmk5qn5zt4pcfwjydrtwrg9skmeulc','STAKE',150000000000,'WITHDRAWN',6,6,6,8,-1,'b7d9928e9824a4ff1e65dc4ce8114235','','4e7048de2a57cc2869d6a5c6d559c395a9c2d55bd4370c00dff4a62f5d9773e7',0,1795388685);
INSERT INTO unit VALUES('lobo','7c82e3386827a54b20524001e469ff6cd02083e07d34a3d7fafaa9a22d527b1f:0',18,'bcrt1qwlre4yf78hqpsa5dh9uhxzl9cn0zeg3z0730uq','STAKE',30000000000,'STAKED',14,14,-1,-1,-1,'','','7c82e3386827a54b20524001e469ff6cd02083e07d34a3d7fafaa9a22d527b1f',0,1795388701);
INSERT INTO unit VALUES('lobo','7f93726ddbe100df588af894fb7d42f0f2ddd7369b659f3936994da98bc6bf9e:0',34,'bcrt1p0pdnsh3jus6axauyfs9qgk8tvkg8gncp7vks2w3sfshmw7ykc0hsv3aqm3','STAKE',13000000000,'PO_LOCKED',0,14,16,18,-1,'f199df6ffe63c944062c26310314eb74','','7f93726ddbe100df588af894fb7d42f0f2ddd7369b659f3936994da98bc6bf9e',0,1795394293);
INSERT INTO unit VALUES('lobo','9822eacde24cd00dea102431b249a1cc0ee7b42a169dd8047be5d4d75ce2ae0e:0',17,'bcrt1qwlre4yf78hqpsa5dh9uhxzl9cn0zeg3z0730uq','STAKE',40000000000,'WITHDRAWN',0,9,11,13,-1,'386ff045fe6edcc80e4a3a04958a5521','','9822eacde24cd00dea102431b249a1cc0ee7b42a169dd8047be5d4d75ce2ae0e',0,1795388701);
INSERT INTO unit VALUES('lobo','b26d47b394a4e6450f0889cfa10ccd75209135c9ece0f31f5ecd256c48d7435b:0',32,'bcrt1p0pdnsh3jus6axauyfs9qgk8tvkg8gncp7vks2w3sfshmw7ykc0hsv3aqm3','STAKE',11000000000,'PENDING_WITHDRAW',0,14,16,18,-1,'8deb0836b9991e28de2f71fa30500bb2','','b26d47b394a4e6450f0889cfa10ccd75209135c9ece0f31f5ecd256c48d7435b',0,1795394293);
INSERT INTO unit VALUES('lobo','b978fab06fce4ff06751b19cb760bed0a859c2e76afd9bd5c8faa9de47066ef2:0',33,'bcrt1p0pdnsh3jus6axauyfs9qgk8tvkg8gncp7vks2w3sfshmw7ykc0hsv3aqm3','STAKE',12000000000,'BATCH_LOCKED',0,14,16,18,-1,'301327c4bff2f286f0aefb999939b217','','b978fab06fce4ff06751b19cb760bed0a859c2e76afd9bd5c8faa9de47066ef2',0,1795394293);
INSERT INTO unit VALUES('lobo','e613a9c0b1fc2b3f8bc63375dd8e961cb25f40239c73c9ebd5056752b2662e5a:0',2,'bcrt1pa08nhd6x7qxy47ft52g00fdjg5cmux7jeqr7mjz8y40gteck8flqywgf3z','STAKE',77712345679,'STAKED',0,1,-1,-1,-1,'','','e613a9c0b1fc2b3f8bc63375dd8e961cb25f40239c73c9ebd5056752b2662e5a',0,1795388685);
INSERT INTO unit VALUES('lobo','e8a0170d81e2b3e28408d786ee4e5239df72662adc198e9ff57abce8aea48540:0',35,'bcrt1p0pdnsh3jus6axauyfs9qgk8tvkg8gncp7vks2w3sfshmw7ykc0hsv3aqm3','STAKE',14000000000,'UNLOCKED',0,14,16,18,-1,'','','e8a0170d81e2b3e28408d786ee4e5239df72662adc198e9ff57abce8aea48540',0,1795394293);
INSERT INTO unit VALUES('lobo','reward:10:027d0f775b341cda',24,'bcrt1pa08nhd6x7qxy47ft52g00fdjg5cmux7jeqr7mjz8y40gteck8flqywgf3z','REWARD',51790840595,'CLAIMABLE',0,-1,-1,-1,10,'','','',0,1795388709);
INSERT INTO unit VALUES('lobo','reward:10:23690c9f3d3358d4',26,'bcrt1qwlre4yf78hqpsa5dh9uhxzl9cn0zeg3z0730uq','REWARD',24836807592,'STAKED',14,14,-1,-1,10,'','','',0,1795388709);
INSERT INTO unit VALUES('lobo','reward:10:5f0812accf91252a',25,'bcrt1prvw768eqwwr9t44nm674q6twvdcchmk5qn5zt4pcfwjydrtwrg9skmeulc','REWARD',23372351813,'CLAIMABLE',0,-1,-1,-1,10,'','','',0,1795388709);
INSERT INTO unit VALUES('lobo','reward:11:027d0f775b341cda',27,'bcrt1pa08nhd6x7qxy47ft52g00fdjg5cmux7jeqr7mjz8y40gteck8flqywgf3z','REWARD',68904524855,'CLAIMABLE',0,-1,-1,-1,11,'','','',0,1795388711);
INSERT INTO unit VALUES('lobo','reward:11:5f0812accf91252a',28,'bcrt1prvw768eqwwr9t44nm674q6twvdcchmk5qn5zt4pcfwjydrtwrg9skmeulc','REWARD',31095475145,'CLAIMABLE',0,-1,-1,-1,11,'','','',0,1795388711);
INSERT INTO unit VALUES('lobo','reward:12:027d0f775b341cda',29,'bcrt1pa08nhd6x7qxy47ft52g00fdjg5cmux7jeqr7mjz8y40gteck8flqywgf3z','REWARD',68904524855,'CLAIMABLE',0,-1,-1,-1,12,'','','',0,1795388713);
INSERT INTO unit VALUES('lobo','reward:12:5f0812accf91252a',30,'bcrt1prvw768eqwwr9t44nm674q6twvdcchmk5qn5zt4pcfwjydrtwrg9skmeulc','REWARD',31095475145,'CLAIMABLE',0,-1,-1,-1,12,'','','',0,1795388713);
INSERT INTO unit VALUES('lobo','reward:13:027d0f775b341cda',36,'bcrt1pa08nhd6x7qxy47ft52g00fdjg5cmux7jeqr7mjz8y40gteck8flqywgf3z','REWARD',68904524855,'CLAIMABLE',0,-1,-1,-1,13,'','','',0,1795394297);
INSERT INTO unit VALUES('lobo','reward:13:5f0812accf91252a',37,'bcrt1prvw768eqwwr9t44nm674q6twvdcchmk5qn5zt4pcfwjydrtwrg9skmeulc','REWARD',31095475145,'CLAIMABLE',0,-1,-1,-1,13,'','','',0,1795394297);
INSERT INTO unit VALUES('lobo','reward:14:027d0f775b341cda',39,'bcrt1pa08nhd6x7qxy47ft52g00fdjg5cmux7jeqr7mjz8y40gteck8flqywgf3z','REWARD',41525356243,'CLAIMABLE',0,-1,-1,-1,14,'','','',0,1795394299);
INSERT INTO unit VALUES('lobo','reward:14:23690c9f3d3358d4',41,'bcrt1qwlre4yf78hqpsa5dh9uhxzl9cn0zeg3z0730uq','REWARD',22665884092,'CLAIMABLE',0,-1,-1,-1,14,'','','',0,1795394299);
INSERT INTO unit VALUES('lobo','reward:14:5f0812accf91252a',40,'bcrt1prvw768eqwwr9t44nm674q6twvdcchmk5qn5zt4pcfwjydrtwrg9skmeulc','REWARD',18739708105,'CLAIMABLE',0,-1,-1,-1,14,'','','',0,1795394299);
INSERT INTO unit VALUES('lobo','reward:14:c28f3415233c3d1a',38,'bcrt1p0pdnsh3jus6axauyfs9qgk8tvkg8gncp7vks2w3sfshmw7ykc0hsv3aqm3','REWARD',17069051560,'CLAIMABLE',0,-1,-1,-1,14,'','','',0,1795394299);
INSERT INTO unit VALUES('lobo','reward:15:027d0f775b341cda',43,'bcrt1pa08nhd6x7qxy47ft52g00fdjg5cmux7jeqr7mjz8y40gteck8flqywgf3z','REWARD',41525356243,'CLAIMABLE',0,-1,-1,-1,15,'','','',0,1795394301);
INSERT INTO unit VALUES('lobo','reward:15:23690c9f3d3358d4',45,'bcrt1qwlre4yf78hqpsa5dh9uhxzl9cn0zeg3z0730uq','REWARD',22665884092,'CLAIMABLE',0,-1,-1,-1,15,'','','',0,1795394301);
INSERT INTO unit VALUES('lobo','reward:15:5f0812accf91252a',44,'bcrt1prvw768eqwwr9t44nm674q6twvdcchmk5qn5zt4pcfwjydrtwrg9skmeulc','REWARD',18739708105,'CLAIMABLE',0,-1,-1,-1,15,'','','',0,1795394301);
INSERT INTO unit VALUES('lobo','reward:15:c28f3415233c3d1a',42,'bcrt1p0pdnsh3jus6axauyfs9qgk8tvkg8gncp7vks2w3sfshmw7ykc0hsv3aqm3','REWARD',17069051560,'CLAIMABLE',0,-1,-1,-1,15,'','','',0,1795394301);
INSERT INTO unit VALUES('lobo','reward:16:027d0f775b341cda',46,'bcrt1pa08nhd6x7qxy47ft52g00fdjg5cmux7jeqr7mjz8y40gteck8flqywgf3z','REWARD',50072207088,'CLAIMABLE',0,-1,-1,-1,16,'','','',0,1795394303);
INSERT INTO unit VALUES('lobo','reward:16:23690c9f3d3358d4',48,'bcrt1qwlre4yf78hqpsa5dh9uhxzl9cn0zeg3z0730uq','REWARD',27331032043,'CLAIMABLE',0,-1,-1,-1,16,'','','',0,1795394303);
INSERT INTO unit VALUES('lobo','reward:16:5f0812accf91252a',47,'bcrt1prvw768eqwwr9t44nm674q6twvdcchmk5qn5zt4pcfwjydrtwrg9skmeulc','REWARD',22596760869,'CLAIMABLE',0,-1,-1,-1,16,'','','',0,1795394303);
INSERT INTO unit VALUES('lobo','reward:17:027d0f775b341cda',49,'bcrt1pa08nhd6x7qxy47ft52g00fdjg5cmux7jeqr7mjz8y40gteck8flqywgf3z','REWARD',50072207088,'CLAIMABLE',0,-1,-1,-1,17,'','','',0,1795394305);
INSERT INTO unit VALUES('lobo','reward:17:23690c9f3d3358d4',51,'bcrt1qwlre4yf78hqpsa5dh9uhxzl9cn0zeg3z0730uq','REWARD',27331032043,'CLAIMABLE',0,-1,-1,-1,17,'','','',0,1795394305);
INSERT INTO unit VALUES('lobo','reward:17:5f0812accf91252a',50,'bcrt1prvw768eqwwr9t44nm674q6twvdcchmk5qn5zt4pcfwjydrtwrg9skmeulc','REWARD',22596760869,'CLAIMABLE',0,-1,-1,-1,17,'','','',0,1795394305);
INSERT INTO unit VALUES('lobo','reward:1:027d0f775b341cda',3,'bcrt1pa08nhd6x7qxy47ft52g00fdjg5cmux7jeqr7mjz8y40gteck8flqywgf3z','REWARD',34127418716,'STAKED',4,4,-1,-1,1,'','','',0,1795388688);
INSERT INTO unit VALUES('lobo','reward:1:5f0812accf91252a',4,'bcrt1prvw768eqwwr9t44nm674q6twvdcchmk5qn5zt4pcfwjydrtwrg9skmeulc','REWARD',65872581284,'STAKED',3,3,-1,-1,1,'','','',0,1795388688);
INSERT INTO unit VALUES('lobo','reward:2:027d0f775b341cda',5,'bcrt1pa08nhd6x7qxy47ft52g00fdjg5cmux7jeqr7mjz8y40gteck8flqywgf3z','REWARD',34127418716,'STAKED',4,4,-1,-1,2,'','','',0,1795388690);
INSERT INTO unit VALUES('lobo','reward:2:5f0812accf91252a',6,'bcrt1prvw768eqwwr9t44nm674q6twvdcchmk5qn5zt4pcfwjydrtwrg9skmeulc','REWARD',65872581284,'WITHDRAWN',0,-1,-1,-1,2,'7d5a5faf45caf3ea7ab2c71a3c2da9eb','','',0,1795388690);
INSERT INTO unit VALUES('lobo','reward:3:027d0f775b341cda',7,'bcrt1pa08nhd6x7qxy47ft52g00fdjg5cmux7jeqr7mjz8y40gteck8flqywgf3z','REWARD',54122913402,'CLAIMABLE',0,-1,-1,-1,3,'','','',0,1795388693);
INSERT INTO unit VALUES('lobo','reward:3:5f0812accf91252a',8,'bcrt1prvw768eqwwr9t44nm674q6twvdcchmk5qn5zt4pcfwjydrtwrg9skmeulc','REWARD',45877086598,'CLAIMABLE',0,-1,-1,-1,3,'','','',0,1795388693);
INSERT INTO unit VALUES('lobo','reward:4:027d0f775b341cda',9,'bcrt1pa08nhd6x7qxy47ft52g00fdjg5cmux7jeqr7mjz8y40gteck8flqywgf3z','REWARD',68904524855,'CLAIMABLE',0,-1,-1,-1,4,'','','',0,1795388695);
INSERT INTO unit VALUES('lobo','reward:4:5f0812accf91252a',10,'bcrt1prvw768eqwwr9t44nm674q6twvdcchmk5qn5zt4pcfwjydrtwrg9skmeulc','REWARD',31095475145,'CLAIMABLE',0,-1,-1,-1,4,'','','',0,1795388695);
INSERT INTO unit VALUES('lobo','reward:5:027d0f775b341cda',11,'bcrt1pa08nhd6x7qxy47ft52g00fdjg5cmux7jeqr7mjz8y40gteck8flqywgf3z','REWARD',68904524855,'CLAIMABLE',0,-1,-1,-1,5,'','','',0,1795388697);
INSERT INTO unit VALUES('lobo','reward:5:5f0812accf91252a',12,'bcrt1prvw768eqwwr9t44nm674q6twvdcchmk5qn5zt4pcfwjydrtwrg9skmeulc','REWARD',31095475145,'CLAIMABLE',0,-1,-1,-1,5,'','','',0,1795388697);
INSERT INTO unit VALUES('lobo','reward:6:027d0f775b341cda',13,'bcrt1pa08nhd6x7qxy47ft52g00fdjg5cmux7jeqr7mjz8y40gteck8flqywgf3z','REWARD',68904524855,'CLAIMABLE',0,-1,-1,-1,6,'','','',0,1795388699);
INSERT INTO unit VALUES('lobo','reward:6:5f0812accf91252a',14,'bcrt1prvw768eqwwr9t44nm674q6twvdcchmk5qn5zt4pcfwjydrtwrg9skmeulc','REWARD',31095475145,'CLAIMABLE',0,-1,-1,-1,6,'','','',0,1795388699);
INSERT INTO unit VALUES('lobo','reward:7:027d0f775b341cda',15,'bcrt1pa08nhd6x7qxy47ft52g00fdjg5cmux7jeqr7mjz8y40gteck8flqywgf3z','REWARD',68904524855,'CLAIMABLE',0,-1,-1,-1,7,'','','',0,1795388701);
INSERT INTO unit VALUES('lobo','reward:7:5f0812accf91252a',16,'bcrt1prvw768eqwwr9t44nm674q6twvdcchmk5qn5zt4pcfwjydrtwrg9skmeulc','REWARD',31095475145,'CLAIMABLE',0,-1,-1,-1,7,'','','',0,1795388701);
INSERT INTO unit VALUES('lobo','reward:8:027d0f775b341cda',19,'bcrt1pa08nhd6x7qxy47ft52g00fdjg5cmux7jeqr7mjz8y40gteck8flqywgf3z','REWARD',68904524855,'CLAIMABLE',0,-1,-1,-1,8,'','','',0,1795388705);
INSERT INTO unit VALUES('lobo','reward:8:5f0812accf91252a',20,'bcrt1prvw768eqwwr9t44nm674q6twvdcchmk5qn5zt4pcfwjydrtwrg9skmeulc','REWARD',31095475145,'CLAIMABLE',0,-1,-1,-1,8,'','','',0,1795388705);
INSERT INTO unit VALUES('lobo','reward:9:027d0f775b341cda',21,'bcrt1pa08nhd6x7qxy47ft52g00fdjg5cmux7jeqr7mjz8y40gteck8flqywgf3z','REWARD',51790840595,'CLAIMABLE',0,-1,-1,-1,9,'','','',0,1795388707);
INSERT INTO unit VALUES('lobo','reward:9:23690c9f3d3358d4',23,'bcrt1qwlre4yf78hqpsa5dh9uhxzl9cn0zeg3z0730uq','REWARD',24836807592,'STAKED',14,14,-1,-1,9,'','','',0,1795388707);
INSERT INTO unit VALUES('lobo','reward:9:5f0812accf91252a',22,'bcrt1prvw768eqwwr9t44nm674q6twvdcchmk5qn5zt4pcfwjydrtwrg9skmeulc','REWARD',23372351813,'CLAIMABLE',0,-1,-1,-1,9,'','','',0,1795388707);
INSERT INTO wallet_link VALUES('lobo','bcrt1qwlre4yf78hqpsa5dh9uhxzl9cn0zeg3z0730uq','n3qnD65xbeRKZogJUuKQDGcT1aDxNoACff','Moon Fund: please read before you sign

Community: LOBO
Site: lobo.localhost:40149
Network: regtest
Action: COMPOUND

Payment address: n3qnD65xbeRKZogJUuKQDGcT1aDxNoACff
Ordinals address: bcrt1qwlre4yf78hqpsa5dh9uhxzl9cn0zeg3z0730uq

Units: 2
Sum: 496.73615184 LOBO (49673615184 base units)
Digest of the units: e80e8375ff5297473a89999ee962f98e

What follows:
- Earns rewards from epoch 14 on, which starts on 2026-11-30 00:38:13 UTC.

Nonce: 82cb215eba457fd04d77e0c98b5783c6
Valid until: 2026-11-23 01:08:13 UTC

Signing is free and sends no transaction. Sign only on the site named above.','AkgwRQIhANm6+qxqheGFi0zWr3eYaLwft1qksfB2d6B/fl/iFVF0AiAInYlsmbGKIYjcttBn/LxsQ849Euh65wA9H6zzZRYZ9wEhApS/izNiuOGjbX0Ic5NpFRwktr//CTN6udhrY5QsL4sp','IJH6AmwOGI+OJ4AdFNEC1ZmMJBYjRLdzkbJz+mANT68aIqHMxo2IOiJULL26q10IEubjeBYu9msv/rzUZ6QcciI=');
INSERT INTO watch VALUES(1,X'5120055CEEB5E45E89677F12B92F6707E20E3B934E4FF4DF75D7122385414D01D83D','lobo','runes','bcrt1pq4wwad0yt6ykwlcjhyhkwplzpcaexnj07n0ht4cjywz5zngpmq7seaeflh','');
INSERT INTO watch VALUES(10,X'512011E33245951F8AB6D4E7EA8C626BCFAD904BFE074F337902B3663445E9ED49B2','lobo','stake','bcrt1pz83ny3v4r79td488a2xxy6704kgyhls8fuehjq4nvc6yt60dfxeqlu2lct','bcrt1qwlre4yf78hqpsa5dh9uhxzl9cn0zeg3z0730uq');
INSERT INTO watch VALUES(11,X'51206735E76B31E15D79A67743E7ED83DF560C196ECC203F11087BEBD262F0F5E7C2','lobo','payment','ff9c79ca5c594a986ac2c312fa3f8e9d','bcrt1qwlre4yf78hqpsa5dh9uhxzl9cn0zeg3z0730uq');
INSERT INTO watch VALUES(12,X'5120B133F400E25A5E95A3EAE625BF5E7BEE34F280BFB4B8621464A8C64CC2AD30F2','lobo','payment','4ba6242183237c9e17e0346c2c4b1267','bcrt1qwlre4yf78hqpsa5dh9uhxzl9cn0zeg3z0730uq');
INSERT INTO watch VALUES(13,X'5120EC78DE9A3DF8BCD519B6ADAD661517F4E6AE274651C8A06B79970F3DA79C3689','lobo','payment','b5b558c793aa6d15d39fa40c32207d6e','bcrt1qwlre4yf78hqpsa5dh9uhxzl9cn0zeg3z0730uq');
INSERT INTO watch VALUES(14,X'5120A8F0CBAFA50A32889A350EBF96D5BC699A47BB930ACA7DA9FE112A8E42B0F3CB','lobo','payment','386ff045fe6edcc80e4a3a04958a5521','bcrt1qwlre4yf78hqpsa5dh9uhxzl9cn0zeg3z0730uq');
INSERT INTO watch VALUES(15,X'512009C46EC3FAE7FAF888F88B53BAEB9706DC142367ECBBE77E9FED2297A7E8A59B','lobo','payment','1cb658bd516b6923fdc063e26351307f','bcrt1qwlre4yf78hqpsa5dh9uhxzl9cn0zeg3z0730uq');
INSERT INTO watch VALUES(16,X'5120CFF5FC4667B09CBEC963CF3EFBD854E4C0B0FE19BF3E2DA818C655A2E2A8F29C','lobo','stake','bcrt1pel6lc3n8kzwtajtreul0hkz5unqtplsehulzm2qcce269c4g72wqhk6rgx','bcrt1p0pdnsh3jus6axauyfs9qgk8tvkg8gncp7vks2w3sfshmw7ykc0hsv3aqm3');
INSERT INTO watch VALUES(17,X'5120416753215FAD16C778A7C5954D8D0202692CD6E0333A209402510ED3F037ABC7','lobo','stake','bcrt1pg9n4xg2l45tvw798ck25mrgzqf5je4hqxvazp9qz2y8d8uph40rsmug8uu','bcrt1p0pdnsh3jus6axauyfs9qgk8tvkg8gncp7vks2w3sfshmw7ykc0hsv3aqm3');
INSERT INTO watch VALUES(18,X'51203A5451A7CB590056C4143645C22FE88F15D5ACABA59F78CA6126E7A5E3BA7D88','lobo','stake','bcrt1p8f29rf7ttyq9d3q5xezuytlg3u2att9t5k0h3jnpymn6tca60kyqjmklac','bcrt1p0pdnsh3jus6axauyfs9qgk8tvkg8gncp7vks2w3sfshmw7ykc0hsv3aqm3');
INSERT INTO watch VALUES(19,X'5120E5D74EF573C8EA8FB6D3024A4BD597995130211966AC3E565ED85E1477C6D7D2','lobo','stake','bcrt1puht5aatner4gldknqf9yh4vhn9gnqggev6kru4j7mp0pga7x6lfqh63xp9','bcrt1p0pdnsh3jus6axauyfs9qgk8tvkg8gncp7vks2w3sfshmw7ykc0hsv3aqm3');
INSERT INTO watch VALUES(2,X'5120DF7A519DE91695FE9DB04EA140CE96C32A87AB691B677CE6E198A5FABBE5CBFE','lobo','sats','bcrt1pmaa9r80fz62la8dsf6s5pn5kcv4g02mfrdnheehpnzjl4wl9e0lq5tn6lr','');
INSERT INTO watch VALUES(20,X'5120CF5A4CE4D2E2B24C932DDE0012EC8283E68AA1C4D95788CFD6DE0E5C37747E85','lobo','stake','bcrt1peadyeexju2eyeyedmcqp9myzs0ng4gwym9tc3n7kmc89cdm506zscl4kh6','bcrt1p0pdnsh3jus6axauyfs9qgk8tvkg8gncp7vks2w3sfshmw7ykc0hsv3aqm3');
INSERT INTO watch VALUES(21,X'5120310129D7B4B710A18644E668BD84C28002034E3DCBAE55978C28C878AE691F01','lobo','payment','2b629f0fd2e50bd946bf114dbf0d6e69','bcrt1p0pdnsh3jus6axauyfs9qgk8tvkg8gncp7vks2w3sfshmw7ykc0hsv3aqm3');
INSERT INTO watch VALUES(22,X'5120FFECFBD7A0D2EBD1A7CD283C050F235A4416C7B7CE14F51647122EACF1A41C5D','lobo','payment','8deb0836b9991e28de2f71fa30500bb2','bcrt1p0pdnsh3jus6axauyfs9qgk8tvkg8gncp7vks2w3sfshmw7ykc0hsv3aqm3');
INSERT INTO watch VALUES(23,X'51205831D2536C3681FDC9C9401F28A80292B450BEC8B97F6E1D5A9EBED484906429','lobo','payment','301327c4bff2f286f0aefb999939b217','bcrt1p0pdnsh3jus6axauyfs9qgk8tvkg8gncp7vks2w3sfshmw7ykc0hsv3aqm3');
INSERT INTO watch VALUES(24,X'5120302CA9F7E776B5E50A17455EB86720A8F48CBA087883E57592CBA4F361513489','lobo','payment','f199df6ffe63c944062c26310314eb74','bcrt1p0pdnsh3jus6axauyfs9qgk8tvkg8gncp7vks2w3sfshmw7ykc0hsv3aqm3');
INSERT INTO watch VALUES(25,X'5120A7BA898E52351601615E075C6D40579DE685EC998C348ACBDC29788F18BE95AA','lobo','stake','bcrt1p57agnrjjx5tqzc27qawx6szhnhngtmye3s6g4j7u99ug7x97jk4qegrj7x','bcrt1qwlre4yf78hqpsa5dh9uhxzl9cn0zeg3z0730uq');
INSERT INTO watch VALUES(3,X'512068A8B2C4A617AC400D1624E6BDF338921A9BFC510019DD50A2972B118EDC5A00','dummy','runes','bcrt1pdz5t939xz7kyqrgkynntmuecjgdfhlz3qqva659zju43rrkutgqq3jc3d4','');
INSERT INTO watch VALUES(4,X'5120A57A1B7BD40E7122CF5ABBEDA73E1B6016A61A6D92F8BB824CCEBE03B34429B5','dummy','sats','bcrt1p54apk775pecj9n66h0k6w0smvqt2vxndjtuthqjve6lq8v6y9x6sep5ph3','');
INSERT INTO watch VALUES(5,X'512075AC9B92CAAA1B84EB3A60998C4434BE91DF12C083D854EE9995FD3F7A7BD949','lobo','stake','bcrt1pwkkfhyk24gdcf6e6vzvcc3p5h6ga7ykqs0v9fm5ejh7n77nmm9ysvdwprm','bcrt1prvw768eqwwr9t44nm674q6twvdcchmk5qn5zt4pcfwjydrtwrg9skmeulc');
INSERT INTO watch VALUES(6,X'5120F75D9752D1DA1D7B65ABF3596C3D427ADD8026DCCCA8194C39F4A018141C78CC','lobo','stake','bcrt1p7awew5k3mgwhkedt7dvkc02z0twcqfkuej5pjnpe7jsps9qu0rxq7ctfxk','bcrt1pa08nhd6x7qxy47ft52g00fdjg5cmux7jeqr7mjz8y40gteck8flqywgf3z');
INSERT INTO watch VALUES(7,X'5120645158DE410DEB2259584D63441D6D5C8DEAAD669403246C88FF994CD823B64D','lobo','payment','7d5a5faf45caf3ea7ab2c71a3c2da9eb','bcrt1prvw768eqwwr9t44nm674q6twvdcchmk5qn5zt4pcfwjydrtwrg9skmeulc');
INSERT INTO watch VALUES(8,X'51205FEE469B920117860286859082238ED8CB011C5DCEA7461AE80F18081A7C9348','lobo','payment','b7d9928e9824a4ff1e65dc4ce8114235','bcrt1prvw768eqwwr9t44nm674q6twvdcchmk5qn5zt4pcfwjydrtwrg9skmeulc');
INSERT INTO watch VALUES(9,X'5120B97FE3FF14DD70AED7E25BC374D018C4A92363B6E8DAA0F7557D2274CD4CAA2A','lobo','stake','bcrt1ph9l78lc5m4c2a4lzt0phf5qccj5jxcakard2pa640538fn2v4g4qx368md','bcrt1qwlre4yf78hqpsa5dh9uhxzl9cn0zeg3z0730uq');
CREATE INDEX action_unused ON action (expires_at) WHERE used_at = 0 AND type <> 'STAKE';
CREATE INDEX custody_foreign ON custody (txid, vout) WHERE spent_ours = 0 AND spent_by <> '';
CREATE INDEX custody_height ON custody (height);
CREATE INDEX custody_kind ON custody (community, kind, spent_by);
CREATE INDEX custody_ref ON custody (ref);
CREATE INDEX custody_spender ON custody (spent_by) WHERE spent_by <> '';
CREATE INDEX custody_spent ON custody (spent_height) WHERE spent_height >= 0;
CREATE INDEX custody_vanished ON custody (txid, vout) WHERE vanished = 1;
CREATE INDEX epoch_reward_owner ON epoch_reward (community, owner, epoch);
CREATE INDEX journal_owner ON journal (community, owner, number);
CREATE INDEX journal_subject ON journal (subject, number);
CREATE INDEX operator_request_order ON operator_request (order_id);
CREATE INDEX operator_request_status ON operator_request (status);
CREATE INDEX outgo_open ON outgo (txid) WHERE status IN ('open', 'unclear');
CREATE INDEX outgo_owner ON outgo (community, owner);
CREATE INDEX payment_by_order ON payment (order_id, number);
CREATE INDEX payment_order_owner ON payment_order (community, owner, number);
CREATE INDEX payment_order_status ON payment_order (status);
CREATE INDEX payout_refund ON payout (order_ids, created_at) WHERE kind = 'refund';
CREATE INDEX payout_status ON payout (status);
CREATE INDEX payout_version_payout ON payout_version (payout_id, number);
CREATE INDEX rune_order_due ON rune_order (number) WHERE settled = 0;
CREATE INDEX rune_order_output_order ON rune_order_output (order_id, seen_at);
CREATE INDEX rune_order_state ON rune_order (state, deadline);
CREATE INDEX rune_order_tx_height ON rune_order_tx (height);
CREATE INDEX rune_order_tx_order ON rune_order_tx (order_id, generation, position);
CREATE INDEX stake_address_action ON stake_address (action_id);
CREATE INDEX stake_address_owner ON stake_address (community, owner, leaf_key, payment, delay, position);
CREATE INDEX tracked_height ON tracked (height);
CREATE INDEX tracked_input_prev ON tracked_input (prev_txid, prev_vout);
CREATE INDEX unit_cooling ON unit (community, unlock_epoch) WHERE stage = 'PENDING_UNLOCK';
CREATE INDEX unit_deposit ON unit (txid, vout) WHERE txid <> '';
CREATE INDEX unit_eligible ON unit (community, eligible_epoch) WHERE eligible_epoch >= 0;
CREATE INDEX unit_order ON unit (order_id) WHERE order_id <> '';
CREATE INDEX unit_owner ON unit (community, owner, number);
CREATE INDEX unit_recovered ON unit (number) WHERE stage_before <> '';
CREATE INDEX unit_unplaced ON unit (community, number)
    WHERE eligible_epoch = -1 AND stage NOT IN ('CLAIMABLE', 'PO_CLAIMED');
CREATE VIEW unit_view AS
SELECT unit.community, unit.id, unit.number, unit.owner, unit.origin, unit.amount, unit.stage, unit.not_before,
    unit.eligible_epoch, unit.staked_to, unit.unlock_epoch, unit.reward_epoch, unit.order_id, unit.stage_before,
    unit.txid, unit.vout, unit.created_at,
    CAST(COALESCE(custody.value, 0) AS INTEGER) AS value,
    CAST(COALESCE(custody.height, -1) AS INTEGER) AS height,
    CAST(COALESCE(custody.vanished, 0) AS INTEGER) AS vanished,
    CAST(COALESCE(custody.spent_height, -1) AS INTEGER) AS spent_height,
    CAST(CASE WHEN custody.spent_by <> '' AND custody.spent_ours = 0 THEN 1 ELSE 0 END AS INTEGER) AS contested
FROM unit LEFT JOIN custody
    ON custody.community = unit.community AND custody.owner = unit.owner AND custody.txid = unit.txid AND custody.vout = unit.vout;
