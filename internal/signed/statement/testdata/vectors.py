#!/usr/bin/env python3
"""Write vectors.json: test vectors of docs/statements.md and docs/receipts.md.

This program was written from these two pages alone, with Python's standard library. It is a second implementation
of the formats, so that a mistake in one implementation does not become the specification. Neither the product nor its
tests run it. Run it by hand after a change of the formats: ./vectors.py >vectors.json
"""
import hashlib
import json
import sys

# BIP-340 over secp256k1.
P = 2**256 - 2**32 - 977
N = 0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFEBAAEDCE6AF48A03BBFD25E8CD0364141
G = (0x79BE667EF9DCBBAC55A06295CE870B07029BFCDB2DCE28D959F2815B16F81798,
     0x483ADA7726A3C4655DA4FBFC0E1108A8FD17B448A68554199C47D08FFB10D4B8)


def add(a, b):
    if a is None or b is None:
        return a or b
    if a[0] == b[0] and a[1] != b[1]:
        return None
    if a == b:
        slope = 3 * a[0] * a[0] * pow(2 * a[1], -1, P) % P
    else:
        slope = (b[1] - a[1]) * pow(b[0] - a[0], -1, P) % P
    x = (slope * slope - a[0] - b[0]) % P
    return x, (slope * (a[0] - x) - a[1]) % P


def multiply(k):
    point, power = None, G
    while k:
        if k & 1:
            point = add(point, power)
        power, k = add(power, power), k >> 1
    return point


def tagged(tag, message):
    start = hashlib.sha256(tag.encode()).digest()
    return hashlib.sha256(start + start + message).digest()


def number(data):
    return int.from_bytes(data, "big")


def public(secret):
    return multiply(secret)[0].to_bytes(32, "big")


def sign(secret, message):
    point = multiply(secret)
    d = secret if point[1] % 2 == 0 else N - secret
    t = d ^ number(tagged("BIP0340/aux", bytes(32)))
    k = number(tagged("BIP0340/nonce", t.to_bytes(32, "big") + public(secret) + message)) % N
    r = multiply(k)
    if r[1] % 2:
        k = N - k
    rx = r[0].to_bytes(32, "big")
    e = number(tagged("BIP0340/challenge", rx + public(secret) + message)) % N
    return rx + ((k + e * d) % N).to_bytes(32, "big")


assert sign(3, bytes(32)).hex().upper() == (
    "E907831F80848D1069A5371B402410364BDF1C5F8307B0084C55F1CE2DCA8215"
    "25F66A4A85EA8B71E482A74F382D2CE5EBEEE8FDB2172F477DF4900D310536C0")  # vector 0 of BIP-340


# Canonical JSON.
def canonical(value):
    if isinstance(value, dict):
        return "{" + ",".join(text(k) + ":" + canonical(value[k]) for k in sorted(value)) + "}"
    if isinstance(value, list):
        return "[" + ",".join(canonical(v) for v in value) + "]"
    if isinstance(value, int):
        assert 0 <= value < 2**53
        return str(value)
    return text(value)


def text(value):
    assert all(" " <= c <= "~" for c in value)
    return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'


# The tree.
def length(value):
    return len(value.encode()).to_bytes(2, "big") + value.encode()


def sums_of(sums):
    for s in sums:
        assert 0 <= s < 2**128
    return b"".join(s.to_bytes(16, "big") for s in sums)


def binding(at):
    return length(at["network"]) + length(at["community"]) + at["epoch"].to_bytes(8, "big")


def leaf(at, owner):
    sums = [int(owner[k]) for k in ("stake", "reward", "owed")]
    return tagged("moonfund/leaf", binding(at) + length(owner["owner"]) + sums_of(sums)), sums


def node(left, right):
    sums = [a + b for a, b in zip(left[1], right[1])]
    return tagged("moonfund/node", left[0] + sums_of(left[1]) + right[0] + sums_of(right[1])), sums


def tree(at, owners):
    """Return the root and, for each leaf, its siblings."""
    assert [o["owner"].encode() for o in owners] == sorted({o["owner"].encode() for o in owners})
    if not owners:
        return (tagged("moonfund/empty", binding(at)), [0, 0, 0]), []
    level = [leaf(at, o) for o in owners]
    siblings, places = [[] for _ in owners], list(range(len(owners)))
    while len(level) > 1:
        for i, place in enumerate(places):
            if place ^ 1 < len(level):
                siblings[i].append(level[place ^ 1])
            places[i] = place // 2
        level = [node(level[i], level[i + 1]) if i + 1 < len(level) else level[i] for i in range(0, len(level), 2)]
    return level[0], siblings


def written(n):
    return {"hash": n[0].hex(), "stake": str(n[1][0]), "reward": str(n[1][1]), "owed": str(n[1][2])}


# Rewards.
def split(budget, inputs):
    stakes, lowest = {}, {}
    for i in inputs:
        owner = i["owner"]
        stakes[owner] = stakes.get(owner, 0) + int(i["amount"])
        lowest[owner] = min(lowest.get(owner, i["unit"].encode()), i["unit"].encode())
    total = sum(stakes.values())
    rewards = {o: budget * s // total for o, s in stakes.items()}
    rest = budget - sum(rewards.values()) if total else 0
    for owner in sorted(stakes, key=lambda o: (-(budget * stakes[o] % total), lowest[o]))[:rest]:
        rewards[owner] += 1
    return [(o, stakes[o], rewards[o]) for o in sorted(stakes, key=str.encode)]


# The vectors. Everything in them is derived from a label.
def made(label):
    return hashlib.sha256(label.encode()).hexdigest()


def owner_of(n):
    return "bcrt1p" + made("owner %d" % n)[:58]


def unit(epoch, n):
    return "%s:%d" % (made("unit %d" % (n // 3)), (2, 10, 0)[n % 3])


def reward_unit(community, epoch, owner):
    return "reward:%d:%s" % (epoch, hashlib.sha256((community + "\n" + owner).encode()).hexdigest()[:16])


def split_vectors():
    def case(budget, *inputs):
        inputs = [{"unit": u, "owner": o, "amount": str(a)} for u, o, a in sorted(inputs)]
        owners = [{"owner": o, "stake": str(s), "reward": str(r)} for o, s, r in split(budget, inputs)]
        return {"budget": str(budget), "inputs": inputs, "owners": owners}

    big = 2**63 - 1
    return [
        case(100),
        case(0, ("a:0", "anna", 5), ("b:0", "bert", 5)),
        case(100, ("a:0", "anna", 1)),
        case(100, ("a:0", "cleo", 1), ("b:0", "bert", 1), ("c:0", "anna", 1)),
        case(101, ("a:10", "cleo", 1), ("a:2", "bert", 1), ("c:0", "anna", 1)),
        case(10, ("a:0", "anna", 5), ("b:0", "bert", 3), ("c:0", "cleo", 2), ("d:0", "anna", 4)),
        case(2, ("a:0", "anna", 1), ("b:0", "bert", 10**15), ("c:0", "cleo", 10**15)),
        case(big, ("a:0", "anna", big), ("b:0", "bert", big - 1), ("c:0", "cleo", 1)),
        case(2**128 - 1, ("a:0", "anna", 2**127), ("b:0", "bert", 2**127 - 1)),
    ]


def tree_vectors():
    result = []
    for count in (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 13):
        at = {"network": "regtest", "community": "lobo", "epoch": count}
        owners = sorted((
            {"owner": owner_of(i), "stake": str(i * 10**12), "reward": str(i % 4), "owed": str(2**63 + i)}
            for i in range(count)), key=lambda o: o["owner"].encode())
        result.append(tree_vector(at, owners))
    at = {"network": "mainnet", "community": "lobo", "epoch": 2**53 - 1}
    owners = [{"owner": "a", "stake": str(2**128 - 1), "reward": "0", "owed": "1"},
              {"owner": "aa", "stake": "0", "reward": str(2**128 - 1), "owed": "2"},
              {"owner": "b~", "stake": "0", "reward": "0", "owed": str(2**128 - 4)}]
    return result + [tree_vector(at, owners)]


def tree_vector(at, owners):
    root, siblings = tree(at, owners)
    return {**at, "leaves": owners, "leaf_hashes": [leaf(at, o)[0].hex() for o in owners], "root": written(root),
            "siblings": [[written(n) for n in p] for p in siblings]}


def instruction_message(owner, first):
    """The parts of a signed message that a verifier compares."""
    return "\n".join(["Moon Fund: read before you sign", "", "Action: AUTO_COMPOUND", "", "Ordinals: " + owner, "",
                      "First epoch: %d" % first, "Last epoch: %d" % (first + 11)])


def instruction(owner, first, end="active", rewards=()):
    return {"id": made("instruction %d of %s" % (first, owner))[:32], "owner": owner, "first": first, "last": first + 11,
            "message": tagged("moonfund/message", instruction_message(owner, first).encode()).hex(),
            "begun": 1_760_400_000 + first, "end": end, "ended": 0 if end == "active" else 1_760_500_000 + first,
            "rewards": list(rewards)}


def instructions_of(chain, epoch):
    """The instruction of the owner whose reward was compounded, the one before, and one without a reward."""
    result, messages = [], []
    for ago, end in ((1, "active"), (2, "replaced")):
        if len(chain) >= ago and chain[-ago]["paid"]:
            owner = chain[-ago]["paid"][0]
            result.append(instruction(owner, epoch - ago, end, [epoch - ago] if ago == 1 else []))
            messages.append(instruction_message(owner, epoch - ago))
    result.append(instruction(owner_of(901), 0))
    messages.append(instruction_message(owner_of(901), 0))
    return sorted(result, key=lambda i: i["id"]), messages


def chain_vector(secret, community, first, sizes, instructed=99):
    """A chain of one statement for each size: the number of owners with a stake. Its details list instructions from the
    sequence instructed on."""
    at = {"network": "regtest", "community": community}
    previous, chain, start = "0" * 64, [], 1_760_486_400
    for sequence, size in enumerate(sizes):
        epoch = first + sequence
        at["epoch"] = epoch
        inputs = [{"unit": unit(epoch, n), "owner": owner_of(n * 7 % max(1, size)), "amount": str(50_000 + 977 * n)}
                  for n in range(size * 2)]
        if sequence and chain[-1]["paid"]:
            owner, amount = chain[-1]["paid"]
            inputs.append({"unit": reward_unit(community, epoch - 1, owner), "owner": owner, "amount": str(amount)})
        inputs.sort(key=lambda i: i["unit"].encode())
        budget = 1_000_003 + epoch
        rewarded = split(budget, inputs)
        owners = [{"owner": o, "stake": str(s), "reward": str(r), "owed": str(s + r)} for o, s, r in rewarded]
        if size:
            owners.append({"owner": owner_of(900), "stake": "0", "reward": "0", "owed": "5077"})
        owners.sort(key=lambda o: o["owner"].encode())
        instructions, messages = instructions_of(chain, epoch) if sequence >= instructed else ([], [])
        details = canonical({"format": "moonfund/details/1", **at, "inputs": inputs, "instructions": instructions,
                             "owners": owners})
        root, siblings = tree(at, owners)
        stake, reward, owed = root[1]
        compounded = sum(int(i["amount"]) for i in inputs if i["unit"].startswith("reward:"))
        contested, delivering = (70, 7) if size else (0, 0)
        unpaid = reward + compounded
        script = "5120" + made("script")
        reserves = [{"outpoint": i["unit"], "kind": "stake", "custody_kind": "operator" if n % 3 == 2 else "self",
                     "script": script, "sats": "546", "runes": i["amount"]}
                    for n, i in enumerate(inputs) if not i["unit"].startswith("reward")]
        if size:
            reserves.append({"outpoint": made("late") + ":3", "kind": "stake", "custody_kind": "self",
                             "script": script, "sats": "546", "runes": "5000"})
        reserves.append({"outpoint": made("treasury") + ":0", "kind": "treasury", "custody_kind": "",
                         "script": "0014" + made("t")[:40], "sats": "10000", "runes": str(unpaid + 5_000_000)})
        reserves.append({"outpoint": made("payment") + ":1", "kind": "payment", "custody_kind": "",
                         "script": "5120" + made("p"), "sats": "2345", "runes": "0"})
        reserves.sort(key=lambda r: r["outpoint"].encode())
        liabilities = [{"kind": k, "runes": str(r), "sats": str(n)} for k, r, n in (
            ("contested", contested, 0), ("delivering", delivering, 0), ("payments", 0, 2345), ("refunds", 0, 845),
            ("rewards", unpaid, 0), ("stakes", owed - unpaid - contested - delivering, 0))]
        incidents = [] if sequence % 2 else [
            {"time": start + 60, "kind": "pause", "detail": 'payouts: a "quoted" \\ and <&>~'},
            {"time": start + 60, "kind": "reorg", "detail": "6 blocks"},
            {"time": start + 3600, "kind": "resume", "detail": "payouts"}]
        statement = {
            "format": "moonfund/statement/1", **at, "rune": "840000:35", "sequence": sequence, "previous": previous,
            "start": start, "end": start + 604_800,
            "cut": {"height": 870_000 + 1000 * sequence, "hash": made("cut %d" % sequence)},
            "as_of": {"height": 870_008 + 1000 * sequence, "hash": made("tip %d" % sequence), "time": start + 610_000},
            "budget": {"amount": str(budget), "source": "planned" if sequence % 2 else "treasury"},
            "rewards": {"count": sum(1 for o in owners if o["reward"] != "0"), "total": str(reward),
                        "digest": tagged("moonfund/details", details.encode()).hex()},
            "owners": {"count": len(owners), "root": root[0].hex(), "stake": str(stake), "reward": str(reward),
                       "owed": str(owed)},
            "liabilities": liabilities, "reserves": reserves, "incidents": incidents,
        }
        body = canonical(statement)
        assert json.loads(body) == statement and json.loads(details)["owners"] == owners
        name = tagged("moonfund/statement", body.encode())
        signed = canonical({"key": public(secret).hex(), "signature": sign(secret, name).hex(), "statement": statement})
        assert body in signed
        proofs = [canonical({"format": "moonfund/proof/1", **at, "statement": name.hex(), **o, "index": i,
                             "count": len(owners), "siblings": [written(n) for n in siblings[i]]})
                  for i, o in enumerate(owners)]
        paid = max(((o, r) for o, _, r in rewarded), default=None)
        chain.append({"id": name.hex(), "statement": body, "signed": signed, "details": details, "proofs": proofs,
                      "paid": paid, **({"messages": messages} if messages else {})})
        previous, start = name.hex(), start + 604_800
    for c in chain:
        del c["paid"]
    return {"key": public(secret).hex(), "statements": chain}


# Receipts.
ZEROS = "0" * 64


def receipt(at, n, kind, **members):
    """A receipt whose other members are empty, zeros or 0."""
    return {"format": "moonfund/receipt/1", **at, "kind": kind, "time": 1_790_000_000 + n, "owner": owner_of(n % 3),
            "action": "", "message": ZEROS, "signature": ZEROS, "order": "", "units": 0, "runes": "0", "sats": "0",
            "address": "", "txid": ZEROS, "vout": 0, "height": 0, **members}


def receipt_of(at, n):
    action = {"action": made("action %d" % n)[:32], "units": n + 1, "runes": str(5_000 * n + 1),
              "message": tagged("moonfund/message", ("Message %d \u2014 sign it" % n).encode()).hex(),
              "signature": tagged("moonfund/signature", b"c2lnbmF0dXJl%d" % n).hex()}
    order = made("order %d" % n)[:32]
    address = "bcrt1p" + made("address %d" % n)[:58]
    txid = made("tx %d" % n)
    kinds = [
        ("claim", {**action, "order": order, "sats": "12345", "address": address}),
        ("unstake", action),
        ("payment", {"order": order, "sats": str(10**15), "address": address, "txid": txid, "vout": n}),
        ("delivery", {"order": order, "units": 2, "runes": str(2**128 - 1), "address": owner_of(n % 3), "txid": txid,
                      "height": 900_000 + n}),
        ("stake", {"action": made("stake")[:32], "units": 1, "runes": "77", "sats": "546", "address": address,
                   "txid": txid, "vout": 2**32 - 1, "height": 900_000}),
        ("refund", {"order": order, "sats": "845", "address": address, "txid": txid}),
        ("cancel", {**action, "order": order}), ("restake", action), ("compound", action),
        ("withdraw", {**action, "order": order, "sats": "1", "address": 'a "quoted" \\ text'}),
    ]
    return receipt(at, n, kinds[n % len(kinds)][0], **kinds[n % len(kinds)][1])


def paths(level):
    """Return the root over leaf hashes and, for each leaf, its siblings."""
    siblings, places = [[] for _ in level], list(range(len(level)))
    while len(level) > 1:
        for i, place in enumerate(places):
            if place ^ 1 < len(level):
                siblings[i].append(level[place ^ 1].hex())
            places[i] = place // 2
        level = [tagged("moonfund/receipt-node", level[i] + level[i + 1]) if i + 1 < len(level) else level[i]
                 for i in range(0, len(level), 2)]
    return level[0], siblings


def receipt_vector(secret, online, community, sequence, count):
    at = {"network": "regtest", "community": community}
    receipts = [receipt_of(at, n) for n in range(count)]
    leaves = [tagged("moonfund/receipt", canonical(r).encode()) for r in receipts]
    root, siblings = paths(leaves)
    batch = {"format": "moonfund/receipt-batch/1", **at, "key": public(online).hex(), "sequence": sequence,
             "time": 1_790_000_100 + sequence, "count": count, "root": root.hex()}
    certificate = {"format": "moonfund/receipt-key/1", **at, "key": public(online).hex(), "from": 1_790_000_100,
                   "to": 1_790_000_100 + 90 * 86_400}
    batch_id = tagged("moonfund/receipt-batch", canonical(batch).encode())
    certificate_id = tagged("moonfund/receipt-key", canonical(certificate).encode())
    files = [canonical({
        "format": "moonfund/signed-receipt/1", "receipt": r, "index": i, "path": siblings[i], "batch": batch,
        "batch_signature": sign(online, batch_id).hex(), "certificate": certificate,
        "certificate_signature": sign(secret, certificate_id).hex(), "key": public(secret).hex(),
    }) for i, r in enumerate(receipts)]
    return {"key": public(secret).hex(), "receipts": [canonical(r) for r in receipts],
            "leaves": [leaf.hex() for leaf in leaves], "batch": canonical(batch), "batch_id": batch_id.hex(),
            "certificate": canonical(certificate), "certificate_id": certificate_id.hex(), "files": files}


def main():
    secret = number(hashlib.sha256(b"moonfund test vectors").digest()) % N
    online = number(hashlib.sha256(b"moonfund receipt vectors").digest()) % N
    vectors = {
        "tagged": [{"tag": t, "message": m.hex(), "hash": tagged(t, m).hex()} for t, m in (
            ("moonfund/statement", b""), ("moonfund/leaf", b"abc"), ("moonfund/node", bytes(160)),
            ("moonfund/empty", b"\x00"), ("moonfund/details", b"{}"))],
        "amounts": {
            "valid": ["0", "1", "9", "10", str(2**53), str(2**63), str(2**64), str(2**128 - 1)],
            "invalid": ["", "-0", "-1", "+1", "00", "01", " 1", "1 ", "1.0", "1e3", "0x1", "１", "1_000", "1,000",
                        str(2**128), str(2**128 + 1), "9" * 40, "1" + "0" * 400]},
        "splits": split_vectors(),
        "trees": tree_vectors(),
        "secret": secret.to_bytes(32, "big").hex(),
        "chains": [chain_vector(secret, "lobo", 0, [0, 1, 2, 5]), chain_vector(secret, "my-wolf", 41, [3, 8]),
                   chain_vector(secret, "fox", 7, [2, 3, 0, 4, 3], 1)],
        "receipt_secret": online.to_bytes(32, "big").hex(),
        "receipts": [receipt_vector(secret, online, "lobo", n, count) for n, count in enumerate((1, 2, 3, 5, 8, 13))] +
                    [receipt_vector(secret, online, "my-wolf", 0, 2)],
    }
    json.dump(vectors, sys.stdout, indent=1, ensure_ascii=True)
    print()


main()
