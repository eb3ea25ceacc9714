package sim

func init() { plantedBugs = append(plantedBugs, selfBugs...) }

// selfBugs are bugs in withdrawals of stakes in self-custody.
var selfBugs = []plantedBug{
	{"owner-may-sign-one-output", "internal/bitcoin/vault/together.go",
		"hashType != txscript.SigHashAll {",
		"hashType != txscript.SigHashAll && hashType != 0x83 {"},
	{"owner-signature-not-verified", "internal/bitcoin/vault/together.go",
		"if err != nil || !parsed.Verify(hash, key) {",
		"if err != nil || !parsed.Verify(hash, key) && false {"},
	{"last-self-unit-left-out", "internal/staking/payout/onetx/payouts.go",
		"	d.Delivery, err = s.book.Delivery(terms, o, units)\n	return d, err\n",
		"	d.Delivery, err = s.book.Delivery(terms, o, units)\n	d.units = d.units[:len(d.units)-1]\n	return d, err\n"},
	{"unsigned-order-never-ends", "internal/staking/order/decide.go",
		"o.NeedsSignature() && f.now.After(o.Deadline):",
		"o.NeedsSignature() && false:"},
	{"owner-has-a-day-to-sign", "internal/staking/order/service.go",
		"		l.Deadline = cause.At.Add(PaymentWindow)\n",
		"		l.Deadline = cause.At.Add(PaymentWindow / 7)\n"},
	{"self-input-costs-58", "internal/staking/order/price.go",
		"rate.Fee(vault.SelfVBytes).Mul(s.self)",
		"rate.Fee(vault.InputVBytes(vault.Stake)).Mul(s.self)"},
	{"owner-signed-delivery-not-found", "internal/staking/payout/onetx/find.go",
		"		return 4\n",
		"		return 3\n"},
}
