package main

// cases returns what is special about commands on the machine. The case with the longest command counts for a line.
func (m *machine) cases() (all []documentedCase) {
	for _, part := range [][]documentedCase{m.casesOfServer(), m.casesOfKeys(), m.casesOfOrders(), casesOfSigner()} {
		all = append(all, part...)
	}
	return all
}

// casesOfServer returns the cases of commands about the server, its ledger and its backups.
func (m *machine) casesOfServer() []documentedCase {
	const paused = "moonfund pause payouts --why first" // by another command than the machine's own pause
	return []documentedCase{
		{command: "COMMAND --help", words: []string{"COMMAND", "order show"}},
		{command: "help", words: []string{"PAGE", "restore", "%s", "restore"}},
		{command: "setup", fails: "nothing was typed", first: "rm -r etc/moonfund"},
		{command: "setup --help"},
		{command: "serve", words: []string{"URL", "https://example.org/source", "bc1q…", m.values["ADDRESS"]}},
		{command: "console", until: "Press Enter for a new link, Ctrl-C to end."},
		{command: "init", fails: "there is a ledger already"},
		{command: "init --despite-history", first: "rm var/lib/moonfund/ledger.db"},
		{command: "ledger adopt", fails: "one of --kit FILE, --from LEDGER and --search is needed"},
		{command: "ledger adopt --search"},
		{command: "ledger adopt --from /mnt/old/data", first: "mkdir -p mnt/old && cp -a var/lib/moonfund mnt/old/data"},
		{command: "ledger adopt --kit"},
		{command: "rebuild --from-chain", words: []string{"--index X", "--index full"}},
		{command: "backup FILE", words: []string{"FILE", "moonfund.zip"}},
		{command: "restore FILE", words: []string{"FILE", "moonfund.zip"}, first: "moonfund backup moonfund.zip"},
		{command: "pause payouts", first: "moonfund resume --why first --yes"},
		{command: "resume", words: []string{"%s", "payouts"}},
		{command: "resume all", first: "moonfund pause all --why first"},
		{command: "resume payouts --community", first: paused + " --community lobo"},
		{command: "resume payouts --community bear",
			first: "moonfund community add bear.toml --yes; " + paused + " --community bear"},
		{command: "community retire", words: []string{"%s", "lobo"}},
		{command: "community retire bear", first: "moonfund community add bear.toml --yes"},
		{command: "audit accept", words: []string{"ID", "1a2b3c4d5e6f"}},
		{command: "notify replay", words: []string{"ID", "1"}},
	}
}

// casesOfKeys returns the cases of commands about key files and recovery.
func (m *machine) casesOfKeys() []documentedCase {
	const moved = "mv root/moonfund.key root/old.key"
	return []documentedCase{
		{command: "key new", words: []string{"FILE", "fresh.key"}},
		{command: "key new moonfund.key", first: moved},
		{command: "key new --scheme bip39 moonfund.key", fails: "Nothing was written", first: moved}, // a wrong word
		{command: "key check", words: []string{"FILE", "moonfund.key", " N", " 1", "%s", "moonfund.key", "%d", "1"}},
		{command: "key check trial.key", first: "cp root/moonfund.key root/trial.key"},
		{command: "key backup", fails: "on paper", words: []string{"FILE", "moonfund.key"}}, // by the kind of key
		{command: "key restore", fails: "words", words: []string{"%s", "seed"}},             // "yes" is none
		{command: "key restore moonfund.key", fails: "words", first: moved},
		{command: "key rotate --confirm", fails: "there is no rotation to confirm", words: []string{"%s", "moonfund.key"}},
		{command: "key sweep", fails: "the node did not accept it", first: "moonfund pause all"},
		{command: "recover", words: []string{"=…", "=x", "TXID:VOUT", m.values["OUTPUT"]}},
	}
}

// casesOfOrders returns the cases of commands about orders, payouts, units, epochs and the treasury.
func (m *machine) casesOfOrders() []documentedCase {
	owner := []string{"ADDRESS", m.values["OWNER"], "%s", m.values["OWNER"]}
	unexplained := []string{"TXID", m.values["UNEXPLAINED"], "%s", m.values["UNEXPLAINED"]}
	return []documentedCase{
		{command: "find", words: owner},
		{command: "unit list", words: owner},
		{command: "order list", words: owner},
		{command: "order show", words: []string{"%s", m.values["ORDER"]}},
		{command: "order refund X", words: []string{"X", m.values["ORDER"]}},
		{command: "order review", words: []string{"ORDER", m.values["PAYING"]}},
		{command: "payout export", words: []string{"payout.psbt", "new.psbt", "%s %s.psbt", m.values["ORDER"] + " new.psbt",
			"export X ", "export " + m.values["ORDER"] + " "}},
		{command: "payout import", words: []string{"ORDER", m.values["RETURNED"], "%s %s",
			m.values["RETURNED"] + " signed.psbt"}},
		{command: "epoch verify", words: []string{"https://lobo.example.org", "http://127.0.0.1:1"}},
		{command: "rune-order show", fails: "there is no mint or etch order"},
		{command: "treasury", words: []string{"%s", "lobo"}},
		{command: "treasury explain", words: unexplained},
		{command: "treasury explain TXID --unit", words: append(unexplained, "--unit UNIT --unit UNIT",
			"--unit "+m.values["REWARD"]+" --unit "+m.values["SECOND"])},
		{command: "quarantine return", words: []string{"%s", m.values["OUTPUT"]}},
	}
}

// casesOfSigner returns the cases of a separate signer, which has a user and a folder of its own.
func casesOfSigner() []documentedCase {
	const home = "/var/lib/signer"
	return []documentedCase{
		{command: "signer", at: home},
		{command: "signer run", at: home, words: []string{"--key %s --data %s", "--key moonfund.key --data signer",
			"FOLDER", "communities", "PATH", "/run/moonsigner/socket"}},
		{command: "signer resume", at: home, words: []string{"X", "signer"},
			first: "moonfund signer pause --data signer --why first"},
		{command: "signer adopt --from-key OLD", at: home, words: []string{"OLD", "old.key", "FOLDER", "data"},
			first: "cd var/lib/signer; mv moonfund.key old.key; mv moonfund.key.mark old.key.mark"},
		{command: "signer sign", words: []string{"signed.psbt", "new.psbt", "%s %s", "payout.psbt new.psbt"}},
	}
}
