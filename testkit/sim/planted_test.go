package sim

// plantedBug is a bug that replaces the text old, which occurs once in a file of the product, by new.
type plantedBug struct {
	name, file, old, new string
}

// plantedBugs are the bugs that the simulator must find without other tests.
var plantedBugs = []plantedBug{
	// Actions, servers and the chain.
	{"any-signature-will-do", "action/sign.go",
		"	return message.Verify(c.address, s.Network.Params, c.text, c.signature)\n",
		"	_ = message.Verify(c.address, s.Network.Params, c.text, c.signature)\n	return nil\n"},
	{"used-action-refused", "action/sign.go",
		"	if a.Used {\n		if err = s.verifyAgain(ctx, tx, a, r, known); err == nil {\n			signed,",
		"	if false {\n		if err = s.verifyAgain(ctx, tx, a, r, known); err == nil {\n			signed,"},
	{"deposed-leader-goes-on", "follower/lead.go",
		"if err := tx.Lease.Leading(ctx, f.term); err != nil {",
		"if err := tx.Lease.Leading(ctx, f.term); err != nil && false {"},
	{"doubt-forgotten", "follower/blocks.go",
		"	return c, f.watchUnconfirmed(ctx, tx)\n",
		"	return c, nil\n"},
	{"sent-before-it-is-stored", "follower/follower.go",
		"		for _, p := range stored {\n			f.resend = true\n",
		"		for _, p := range stored {\n			_ = f.Node.Broadcast(ctx, p.Versions[len(p.Versions)-1].Tx.Bytes())\n" +
			"			f.resend = true\n"},
	{"replaced-payment-counts", "order/loaded.go",
		"if l := byID[p.OrderID]; !p.Vanished {",
		"if l := byID[p.OrderID]; l != nil {"},
	{"recovered-too-early", "ledger/service.go",
		"const RecoveryDepth = 3",
		"const RecoveryDepth = 1"},

	// Rewards.
	{"reorg-keeps-stakes-earning", "ledger/boundary.go",
		"		if unit.Stage == Staked {\n			_, err = b.Move(unit, LostEligibility,",
		"		if unit.Stage == Staked {\n			continue\n			_, err = b.Move(unit, LostEligibility,"},
	{"remainders-go-to-the-smallest", "ledger/reward.go",
		"cmp.Compare(b.remainder, a.remainder)",
		"cmp.Compare(a.remainder, b.remainder)"},
	{"unstaked-earns-one-epoch-more", "action/sign.go",
		"u.StakedTo, u.UnlockEpoch = now, now+2",
		"u.StakedTo, u.UnlockEpoch = now+1, now+2"},
	{"one-confirmation-earns", "ledger/boundary.go",
		"const QualifyDepth = 2",
		"const QualifyDepth = 0"},
	{"recovered-stake-earns", "store/sqlc/reward.sql.go",
		"custody.spent_height <= $3)",
		"custody.spent_height <= $3 - 1000)"},

	// Prices and deadlines.
	{"one-deposit-is-charged", "order/price.go",
		"perRutxo.Mul(s.real)",
		"perRutxo.Mul(min(1, s.real))"},
	{"first-payment-adds-an-input", "order/parts.go",
		"fees.Network = q.fees.Network + inputs - largest",
		"fees.Network = q.fees.Network + inputs"},
	{"rate-holds-for-45-minutes", "order/order.go",
		"= 30 * time.Minute ",
		"= 45 * time.Minute "},
	{"payment-week-of-eight-days", "order/order.go",
		"= 7 * 24 * time.Hour ",
		"= 8 * 24 * time.Hour "},
	{"unlocks-an-epoch-early", "action/sign.go",
		"u.StakedTo, u.UnlockEpoch = now, now+2",
		"u.StakedTo, u.UnlockEpoch = now, now+1"},
	{"paid-in-time-loses-its-rate", "order/decide.go",
		"kept := f.covered && (f.inTime || !feesOver(o, f.now))",
		"kept := f.covered && !feesOver(o, f.now)"},

	// Refunds and contested inputs.
	{"late-payer-sent-away", "order/refund.go",
		"	if ends {\n",
		"	if ends && o.Late == 0 {\n"},
	{"spent-payment-refunded", "order/refund.go",
		`if p.Plain && !p.Vanished && p.SpentBy == "" {`,
		`if p.Plain && !p.Vanished {`},
	{"surplus-not-owed", "order/refund.go",
		"	Delivered: RefundSurplus, Consolidated: RefundSurplus,\n",
		""},
	{"refund-to-the-owner", "payout/refund.go",
		"to, err := chain.ParseAddress(o.Payment, s.network)",
		"to, err := chain.ParseAddress(o.Owner, s.network)"},
	{"contested-unit-is-delivered", "payout/prepare.go",
		"if unit.Contested || unit.Vanished ||",
		"if unit.Vanished ||"},
}
