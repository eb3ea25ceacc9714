package main

import (
	"strings"

	"github.com/alecthomas/kong"
)

// expandHelp replaces each help tag ${name} by its text. With kong.Vars, kong would interpolate all of them for every
// flag, which takes longer than the rest of a command's start.
func expandHelp(parser *kong.Kong) error {
	expand := func(help *string) {
		if name, ok := strings.CutPrefix(*help, "${"); ok {
			if text, known := helpTexts[strings.TrimSuffix(name, "}")]; known {
				*help = text
			}
		}
	}
	return kong.Visit(parser.Model.Node, func(node kong.Visitable, next kong.Next) error {
		switch node := node.(type) {
		case *kong.Node:
			expand(&node.Help)
		case *kong.Value:
			expand(&node.Help)
		}
		return next(nil)
	})
}

// helpTexts are the help texts of flags and commands that several commands share or that are too long for a struct tag.
// A tag refers to a text as ${name}.
var helpTexts = map[string]string{
	"help_adopt_from": "Another ledger to read: its data folder, its file, or postgres://….",
	"help_adopt_key": "Move a key with its records (limits, statements, high-water mark) to a signer, from a server or " +
		"another signer.",
	"help_adopt_key_from": "Folder of the records of the key: the server's data folder, or a signer's folder.",
	"help_audit": "Check every invariant of the ledger against the chain. Exit code 1: an invariant is " +
		"violated. 2: the audit could not be completed.",
	"help_audit_accept": "Accept a violation that you understand, such as an epoch that settled on a replaced " +
		"block: it is recorded and stops nothing any more.",
	"help_backup_file": "Where to write it. The file must not exist. Default: a new file in the folder of the backups.",
	"help_backup": "Write the ledger, the limits, the key file and the manifests into one file. The server may run " +
		"meanwhile.",
	"help_backup_command": "Command of the shell that copies each automatic backup, $BACKUP, to another place, such as: " +
		"rclone copy \"$BACKUP\" remote:moonfund.",
	"help_backups":     "Folder for automatic backups, preferably on another disk. Default: no automatic backups.",
	"help_communities": "Folder with one manifest (.toml) per community.",
	"help_community_add": "Add a community: check its manifest, give it the next account, record it in the ledger, and " +
		"write the manifest into the folder.",
	"help_community_retire": "Close a community for new stakes. Unstaking, claims and withdrawals go on.",
	"help_confirm_limits":   "Confirm that the record of the last 24 hours' signatures is lost.",
	"help_console": "Show the ledger in a browser, read-only: health, orders, payouts, treasury, and the command for " +
		"each decision.",
	"help_console_listen": "Listen address of the console; this machine only.",
	"help_database":       "sqlite:PATH or postgres://…; default: ledger.db in the data folder.",
	"help_despite_history": "Create a ledger although another ledger used the key. The new ledger does not " +
		"contain the other ledger's stakes. Requires --why.",
	"help_dev":        "Run a dev network: a regtest node, a rune, a treasury and the server.",
	"help_dev_orders": "Offer the mint and etch service, under /orders/regtest/v1.",
	"help_doctor": "Check a server and its machine: one line per check. Exit code 1: a check failed. 2: the settings " +
		"are wrong. 3: only warnings.",
	"help_explain_unit": "Reward of the address that the spend delivered; repeat the flag for each. Without it: the " +
		"spend delivered no reward.",
	"help_export_order": "Id of an order: PAID, SENT (for a replacement), or with a refund due. Or a quarantined " +
		"output (txid:vout) to return.",
	"help_fee_input": "Output of yours that pays the fee; the change returns to its address. One transaction " +
		"then recovers everything. Runes in this output move to your ordinals address.",
	"help_fee_key": "Private key of the fee inputs, as WIF or hex; preferably from a file that " +
		"MOONFUND_FEE_KEY_FILE names. Default: the recovery key.",
	"help_find": "Show everything in the ledger about an address, a transaction, an output or an order, as one page " +
		"that you can send to the staker. Exit code 1: nothing was found.",
	"help_find_query": "An ordinals, payment or stake address, a transaction id, an output (txid:vout), or the id of an " +
		"order, unit or payout.",
	"help_key_scheme": "seed: the words encode the BIP-32 seed itself. bip39: standard BIP-39 words, which other " +
		"software can read.",
	"help_notify_ntfy":           "Address of an ntfy topic that receives notifications.",
	"help_notify_ntfy_token":     "File with the access token of the ntfy topic, if it needs one.",
	"help_notify_telegram":       "Id of a Telegram chat that receives notifications.",
	"help_notify_telegram_api":   "Address of another server of Telegram's Bot API.",
	"help_notify_telegram_token": "File with the token of the Telegram bot.",
	"help_notify_webhook":        "Address that receives notifications as webhooks, signed as Standard Webhooks.",
	"help_notify_webhook_secret": "File with the webhook's secret, whsec_….",
	"help_index": "full: index every rune. followed: index only the communities' runes, from their etchings " +
		"on; smaller, but without the mint and etch service, and outputs that may hold other " +
		"runes are not credited. An existing ledger keeps its index.",
	"help_key":       "Key file. Its passphrase is read from MOONFUND_PASSPHRASE or the terminal.",
	"help_log_level": "Lowest level that is logged: debug, info, warn or error.",
	"help_metrics": "Listen address of /metrics and /debug/pprof, such as 127.0.0.1:9464. Keep it private. " +
		"Off by default.",
	"help_node_password": "The node's password; preferably from a file that MOONFUND_NODE_PASSWORD_FILE names.",
	"help_node_network":  "mainnet, testnet, testnet4, signet or regtest; must be the node's network.",
	"help_pause_what": "payouts: send nothing; everything else continues. all: refuse every change; reads " +
		"continue.",
	"help_resume_what": "payouts or all. Default: the only pause.",
	"help_key_file":    "The key file. Default: the server's.",
	"help_quarantine_return": "Return one quarantined output to its owner's ordinals address, or sats at the treasury's " +
		"address for runes to its address for sats.",
	"help_rebuild": "Rebuild the data that the chain determines, after damage. The ledger is " +
		"paused afterwards.",
	"help_rebuild_index": "full: index every rune. followed: index only the communities' runes. Default: as before. " +
		"Use this to change the index or to add a new community's rune.",
	"help_recover": "Recover staked outputs without the server, after their delay, with a recovery kit and " +
		"the staker's key.",
	"help_recovery_key": "Private key of the ordinals address, as WIF or hex; preferably from a file that " +
		"MOONFUND_RECOVERY_KEY_FILE names. Without it, PSBTs are printed for another signer.",
	"help_refund":  "Refund the rest of an order's payments to its payment address.",
	"help_resolve": "Return an AUDIT order to PAID, to be delivered with its original units, or close it.",
	"help_review":  "Set an order that is being paid, or is PAID, to AUDIT until you decide.",
	"help_restore_scheme": "Scheme of the key, as the paper says. auto: take the one that derives the ledger's " +
		"addresses; requires --ledger.",
	"help_scan": "How to search the chain. auto: scan the node's unspent outputs, or its blocks if it " +
		"can't. blocks: scan every block since the runes' etchings, which also finds spent " +
		"outputs.",
	"help_serve_esplora": "API of an Esplora server, such as https://esplora.example.org/api. Stakers can then withdraw " +
		"in one transaction, without a service fee. The Esplora server learns their payment addresses. Needs --index full. " +
		"Off by default.",
	"help_serve_withdraw_address": "With --key: address to which the operator may withdraw surplus from a treasury; " +
		"repeat the flag for each. With --signer, the signer's own flag counts.",
	"help_serve_key": "Key file, for a server that signs by itself. Its passphrase is read from " +
		"MOONFUND_PASSPHRASE or the terminal.",
	"help_serve_signer": "Socket of 'moonfund signer run', instead of a key file. The server then holds no key.",
	"help_settings":     "File with variables MOONFUND_…, as `moonfund setup` writes it. The environment has priority.",
	"help_setup": "Ask for a server's settings, check the machine, and write settings, manifest, key file and " +
		"systemd unit.",
	"help_signer":             "Socket of 'moonfund signer run', instead of a key file.",
	"help_signer_communities": "Folder with the signer's own copy of the manifests. They set its limits.",
	"help_signer_data": "Folder of the signer's index, limits and pause switch. The server must have no write " +
		"access.",
	"help_sweep_to": "Account of the other key, as 'moonfund key check' prints it (xpub… or tpub…).",
	"help_treasury_communities": "Folder of the manifests, for the budgets of later epochs. Default: the budget of " +
		"the newest epoch.",
	"help_treasury_withdraw": "Withdraw surplus sats or runes, to an address in the signer's own settings, or signed by " +
		"hand.",
	"help_withdraw_to": "Destination address. The signer signs only for the addresses that it was started with " +
		"(--withdraw-address).",
	"help_withdraw_by_hand": "Write the unsigned transaction to a file (PSBT), to sign it on the machine with the key. " +
		"For an address that the signer was not started with.",
	"help_withdraw_address": "Address to which the operator may withdraw surplus from a treasury; repeat the flag for " +
		"each. Default: none.",
	"help_verify": "Recompute every reward of a settled epoch from the published data and the chain. Exit " +
		"code 1: a reward is wrong.",
	"help_verify_index": "followed: read the chain only from the rune's etching on, which is faster, and prove " +
		"that no output holds another rune. Default: as in the ledger; full with --server.",
	"help_verify_server": "Address of a server, such as https://lobo.example.org, whose published data to use " +
		"instead of a ledger.",
}
