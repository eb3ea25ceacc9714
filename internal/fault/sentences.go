package fault

// Every sentence that the server shows to users, with the code by which clients choose a translation.
// testdata/sentences.txt pins both because clients and translations depend on them. After a change, run `go test
// ./internal/fault -update` to rewrite that file.

// Malformed requests and limits.
var (
	SomethingWrong   = Sentence{"SOMETHING_WRONG", "Something went wrong on our side. Please try again."}
	SomethingWrongID = Sentence{"SOMETHING_WRONG_ID",
		"Something went wrong on our side. Please try again. If you contact us, mention error %s."}
	NoSuchCommunity  = Sentence{"NO_SUCH_COMMUNITY", "This community doesn't exist here."}
	NoSuchCall       = Sentence{"NO_SUCH_CALL", "This call doesn't exist."}
	MethodNotAllowed = Sentence{"METHOD_NOT_ALLOWED", "This call requires the method %s."}
	BodyTooLarge     = Sentence{"BODY_TOO_LARGE", "The request is larger than %d KiB."}
	NotJSONType      = Sentence{"NOT_JSON_TYPE", "The request's Content-Type must be application/json."}
	NotJSON          = Sentence{"NOT_JSON", "The request is not valid JSON."}
	NotObject        = Sentence{"NOT_OBJECT", "The request must be a JSON object."}
	TooDeep          = Sentence{"TOO_DEEP", "The request is nested too deeply."}
	TrailingData     = Sentence{"TRAILING_DATA", "There is unexpected data after the JSON object."}
	DuplicateKey     = Sentence{"DUPLICATE_KEY", "The key %q appears more than once."}
	MissingKey       = Sentence{"MISSING_KEY", "%s is missing."}
	WrongType        = Sentence{"WRONG_TYPE", "%s must be %s."}
	TooLong          = Sentence{"TOO_LONG", "%s is too long. The maximum is %d."}
	NotOneOf         = Sentence{"NOT_ONE_OF", "%s must be one of %s."}
	NotAmount        = Sentence{"NOT_AMOUNT",
		"%s must be a whole number of base units: digits only, without sign, fraction or exponent."}
	AmountTooHuge  = Sentence{"AMOUNT_TOO_HUGE", "%s is larger than any rune's supply."}
	HeaderTooLarge = Sentence{"HEADER_TOO_LARGE",
		"The request's headers are larger than 16 KB. Delete this site's cookies or shorten the address."}
	NotHTTP          = Sentence{"NOT_HTTP", "The server can't read this HTTP request."}
	NumberOutOfRange = Sentence{"NUMBER_OUT_OF_RANGE", "%s must be between %d and %d."}
	TooManyRequests  = Sentence{"TOO_MANY_REQUESTS", "Too many requests. Please wait %d seconds, then try again."}
	NotAnswering     = Sentence{"NOT_ANSWERING", "The server can't answer right now. Please try again in a moment."}
	TooManyStreams   = Sentence{"TOO_MANY_STREAMS",
		"Too many open connections from your network. Close other tabs of this site, then try again."}
	StreamsFull = Sentence{"STREAMS_FULL",
		"Too many people have this site open, so this page isn't updated live. Try again in a few minutes."}
	ForeignOrigin = Sentence{"FOREIGN_ORIGIN",
		"This request came from a page of another site, so it was declined."}
	UnknownHost = Sentence{"UNKNOWN_HOST", "There is no site at this address on this server."}
)

// Wallets and addresses.
var (
	InvalidAddress     = Sentence{"INVALID_ADDRESS", "Invalid address"}
	WrongNetwork       = Sentence{"WRONG_NETWORK", "%s belongs to another Bitcoin network. This server uses %s."}
	WalletDoesNotExist = Sentence{"WALLET_DOES_NOT_EXIST", "Wallet does not exist"}
	KeyNotOfAddress    = Sentence{"KEY_NOT_OF_ADDRESS", "The public key doesn't belong to the address %s."}
	InvalidKey         = Sentence{"INVALID_KEY", "%s isn't a public key in hex."}
)

// Messages to stakers' browsers.
var (
	PushProof = Sentence{"PUSH_PROOF",
		"To turn on messages, sign an action with your wallet first, then turn them on within 30 minutes."}
	PushEndpoint = Sentence{"PUSH_ENDPOINT", "This server can't send messages to your browser."}
	PushFull     = Sentence{"PUSH_FULL", "No more messages can be turned on right now. Please try again later."}
)

// While the server can't change anything.
var (
	NodeNotReady = Sentence{"NODE_NOT_READY", "%s"} // of /readyz, for operators: a text of node.go
	NodeUnfit    = Sentence{"NODE_UNFIT",
		"The server's Bitcoin node can't do this right now. Please try again later. Your funds are safe."}
	CatchingUp = Sentence{"CATCHING_UP",
		"The server is catching up with the Bitcoin blockchain. Please try again in a few minutes. Your " +
			"funds are safe."}
	Paused = Sentence{"PAUSED",
		"The operator has paused changes for now. Your funds are safe. Please try again later."}
	ClockUncertain = Sentence{"CLOCK_UNCERTAIN",
		"The server can't confirm the current time. Please try again in a moment."}
)

// Stakes, units and actions.
var (
	StakeBelowMinimum = Sentence{"STAKE_BELOW_MINIMUM", "The minimum stake is %s."}
	StakeAboveSupply  = Sentence{"STAKE_ABOVE_SUPPLY", "This is more than the rune's supply."}
	CommunityClosed   = Sentence{"COMMUNITY_CLOSED",
		"This community is closed: nothing more can be staked. Unstaking, claims and withdrawals go on."}
	ActionUnknown = Sentence{"ACTION_UNKNOWN",
		"This action doesn't belong to this wallet, or it expired long ago. Please start again."}
	ActionOtherType = Sentence{"ACTION_OTHER_TYPE", "This action has another type: %s."}
	ActionExpired   = Sentence{"ACTION_EXPIRED", "This action has expired. Please start again."}
	ActionNotPosted = Sentence{"ACTION_NOT_POSTED",
		"STAKE isn't posted as an action. Request a stake address instead."}
	ActionStale = Sentence{"ACTION_STALE",
		"Something changed since you were asked to sign this message. Please start again."}
	ActionPaymentUndone = Sentence{"ACTION_PAYMENT_UNDONE",
		"A payment was reversed since you were asked to sign this message. Please start again."}
	StatementUnknown = Sentence{"STATEMENT_UNKNOWN",
		"The server doesn't have the statement that your message names. Please reload the page and try again."}
	TxidInvalid        = Sentence{"TXID_INVALID", "A transaction ID has 64 hex digits."}
	SignatureNeeded    = Sentence{"SIGNATURE_NEEDED", "The signature is missing."}
	SignatureWrong     = Sentence{"SIGNATURE_WRONG", "The signature doesn't prove that you own %s."}
	SignatureMalformed = Sentence{"SIGNATURE_MALFORMED",
		"The signature can't be read. It must be a BIP-322 signature or a signed message, in base64."}
	NoUnits         = Sentence{"NO_UNITS", "Select at least one unit."}
	UnitTwice       = Sentence{"UNIT_TWICE", "The same unit is selected more than once."}
	SelfCustodyOnly = Sentence{"SELF_CUSTODY_ONLY",
		"Stakes here need your wallet's signature to be moved, and your wallet can't give it. Please use another wallet."}
	UnitUnknown      = Sentence{"UNIT_UNKNOWN", "The unit %s doesn't belong to this wallet."}
	UnitNotStaked    = Sentence{"UNIT_NOT_STAKED", "The unit %s isn't staked."}
	UnitNotUnlocked  = Sentence{"UNIT_NOT_UNLOCKED", "The unit %s isn't unlocked yet."}
	UnitNotClaimable = Sentence{"UNIT_NOT_CLAIMABLE", "The unit %s can't be claimed."}
	UnitContested    = Sentence{"UNIT_CONTESTED",
		"The unit %s was already spent in another transaction, so it can't be used here."}
	RewardsHeld = Sentence{"REWARDS_HELD",
		"Your rewards are on hold until we know which of them transaction %s already delivered. Please try " +
			"again later."}
	RestakeUnsettled = Sentence{"RESTAKE_UNSETTLED",
		"The rewards of epoch %d, in which this unit last earned, are still being calculated. Please try " +
			"again a little later."}
	NotCompounding   = Sentence{"NOT_COMPOUNDING", "Your rewards aren't compounded automatically."}
	NothingClaimable = Sentence{"NOTHING_CLAIMABLE", "You have no rewards to claim."}
	ClaimActive      = Sentence{"CLAIM_ACTIVE", "You already have an open claim order. Complete or cancel it first."}
	TooManyUnits     = Sentence{"TOO_MANY_UNITS", "One order can include at most %d units."}
	UnitsApart       = Sentence{"UNITS_APART",
		"Compounded rewards and stakes that need your signature can't be in one order. Withdraw them in two orders."}
	UnitsByHand = Sentence{"UNITS_BY_HAND",
		"The operator signs withdrawals of this amount by hand, which stakes that need your signature can't be part of. " +
			"Withdraw them in two orders."}
	TooScattered = Sentence{"TOO_SCATTERED",
		"You have too many units to select that many at once. Select at most %d at a time."}
	EstimateOnlyForOrders = Sentence{"ESTIMATE_ONLY_FOR_ORDERS", "Only CLAIM and WITHDRAW cost sats. %s is free."}
)

// Payment orders.
var (
	OrderUnknown       = Sentence{"ORDER_UNKNOWN", "This order doesn't belong to this wallet."}
	OrderNotRerate     = Sentence{"ORDER_NOT_RERATE", "This order doesn't need to be rerated."}
	OrderRerateTooSoon = Sentence{"ORDER_RERATE_TOO_SOON",
		"This order was rerated less than 30 minutes ago. Please wait before you do it again."}
	OrderTooOld     = Sentence{"ORDER_TOO_OLD", "This order is too old to be rerated."}
	OrderNotAtLimit = Sentence{"ORDER_NOT_AT_LIMIT",
		"This order can't wait longer: it hasn't reached its limit, or it has ended."}
	OrderNotWaiting = Sentence{"ORDER_NOT_WAITING", "This order isn't a paid order that waits for a lower fee rate."}
	OrderSentSoon   = Sentence{"ORDER_SENT_SOON",
		"The network's fee rate is less than 0.1 sat/vB above this order's, so there is no difference to pay."}
	EconomyRate = Sentence{"ECONOMY_RATE",
		"The fee rate of economy delivery must be at least %s and below the normal rate of %s sat/vB."}
	EconomyDays         = Sentence{"ECONOMY_DAYS", "The limit of economy delivery must be between 1 and %d days."}
	EconomyNearRecovery = Sentence{"ECONOMY_NEAR_RECOVERY",
		"You can recover one of these units yourself soon, and an order must end before that. Choose at most %d days."}
	EconomyTooLate = Sentence{"ECONOMY_TOO_LATE",
		"You can recover one of these units yourself soon, so it can't wait for a lower fee rate. Order without economy " +
			"delivery."}
	EconomyOnlyForOrders = Sentence{"ECONOMY_ONLY_FOR_ORDERS", "Only CLAIM and WITHDRAW have a speed. %s costs nothing."}
	OrderNotCancelable   = Sentence{"ORDER_NOT_CANCELABLE", "This order can no longer be canceled."}
)

// Withdrawals in one transaction, and changes that a wallet made to it.
var (
	OneTxOff = Sentence{"ONE_TX_OFF",
		"This server doesn't offer withdrawals in one transaction. Pay an order instead."}
	OneTxSameAddress = Sentence{"ONE_TX_SAME_ADDRESS",
		"Your wallet uses one address for payments and for runes, so the fee can't be paid from it safely. Pay an order " +
			"instead."}
	OneTxScript = Sentence{"ONE_TX_SCRIPT",
		"The fee can't be paid from a payment address of this type. Pay an order instead."}
	OneTxKey = Sentence{"ONE_TX_KEY",
		"The public key of your payment address is missing or belongs to another address."}
	OneTxNoCoins = Sentence{"ONE_TX_NO_COINS",
		"Your payment address has %d sats too little for the fee. Only outputs with 3 confirmations and without runes " +
			"can pay it."}
	OneTxUnits = Sentence{"ONE_TX_UNITS",
		"Only a withdrawal of deposited units fits in one transaction. Rewards need an order."}
	OneTxUnitsWait = Sentence{"ONE_TX_UNITS_WAIT",
		"One of these units needs 3 confirmations, or another transaction spends it. Try again after the next block."}
	OneTxOrder = Sentence{"ONE_TX_ORDER",
		"This order is %s, so it can't be withdrawn in one transaction."}
	OneTxSession = Sentence{"ONE_TX_SESSION",
		"You signed a transaction for order %s, and can sign one at a time. Wait until it's delivered, or pay this order " +
			"instead."}
	OneTxUnavailable = Sentence{"ONE_TX_UNAVAILABLE",
		"The outputs of your payment address can't be looked up at the moment. Try again later. An order that isn't sent " +
			"can also be paid."}
	OneTxCoinSpent = Sentence{"ONE_TX_COIN_SPENT",
		"The output %s can no longer pay the fee: it is spent, or not confirmed any more. Start again with other outputs."}
	OneTxFee = Sentence{"ONE_TX_FEE",
		"The network's fee rate of %s sat/vB isn't enough above your transaction's fee rate to replace it."}
	OneTxFeeUnknown = Sentence{"ONE_TX_FEE_UNKNOWN",
		"The server found your transaction after a restore and looks up its fee. It can't be replaced until then. Try " +
			"again in a few minutes, or wait until it confirms."}
	OneTxMempool = Sentence{"ONE_TX_MEMPOOL",
		"The network is busier than when your transaction was built: nodes accept only fee rates from %s sat/vB now. " +
			"Start again."}
	OneTxLate = Sentence{"ONE_TX_LATE",
		"The transaction that you signed has expired, or another one was issued. Start again."}
	OneTxAmount = Sentence{"ONE_TX_AMOUNT",
		"The operator signs withdrawals of this amount by hand. Pay the order instead."}
	OneTxPSBT    = Sentence{"ONE_TX_PSBT", "Your wallet didn't return a PSBT. Nothing was sent."}
	OneTxChanged = Sentence{"ONE_TX_CHANGED",
		"Your wallet changed the transaction (%s), so the server doesn't sign it. Nothing was sent."}
	OneTxUnsigned = Sentence{"ONE_TX_UNSIGNED", "Your wallet didn't sign input %d. Nothing was sent."}
	OneTxSighash  = Sentence{"ONE_TX_SIGHASH",
		"Your wallet signed only part of the transaction at input %d. It must sign all of it (SIGHASH_ALL). Nothing was " +
			"sent."}
	OneTxSignature = Sentence{"ONE_TX_SIGNATURE",
		"The signature of input %d is not valid for this transaction. Nothing was sent."}
	OneTxWitness = Sentence{"ONE_TX_WITNESS",
		"Your wallet finalized input %d in a way that this server doesn't accept. Nothing was sent."}
	OneTxPaymentGone = Sentence{"ONE_TX_PAYMENT_GONE",
		"A payment of this order was replaced or isn't confirmed any more, so the delivery that you signed is void. Sign " +
			"again once the order is paid."}
	OneTxPaymentAdded = Sentence{"ONE_TX_PAYMENT_ADDED",
		"A payment of this order arrived, so the delivery that you signed is void. Sign again."}
	OneTxRefused = Sentence{"ONE_TX_REFUSED",
		"The server's signer refused the transaction, so nothing was sent. Pay the order instead, or start again."}
)

// Recoveries that the server broadcasts for a staker.
var (
	TransactionUnreadable = Sentence{"TRANSACTION_UNREADABLE", "This isn't a signed Bitcoin transaction in hex."}
	RecoveryForeign       = Sentence{"RECOVERY_FOREIGN",
		"This transaction doesn't spend a stake of %s, so we don't send it. You can send it with any " +
			"Bitcoin node."}
	RecoveryOtherOwner = Sentence{"RECOVERY_OTHER_OWNER", "The output %s doesn't belong to the stake of %s."}
	RecoveryKeyPath    = Sentence{"RECOVERY_KEY_PATH",
		"The output %s isn't spent by its recovery script. Sign the transaction from the recovery kit."}
	RecoveryTooEarly = Sentence{"RECOVERY_TOO_EARLY",
		"The delay of this stake isn't over yet. Keep the transaction and send it once the delay is over."}
	RecoveryFeeTooLow = Sentence{"RECOVERY_FEE_TOO_LOW",
		"The transaction's fee is too low for the network right now. Send it again when fees are lower, or " +
			"sign it again with a higher fee."}
	RecoveryDust = Sentence{"RECOVERY_DUST",
		"An output of the transaction holds too few sats for the network to relay it."}
	RecoverySpent = Sentence{"RECOVERY_SPENT",
		"The transaction spends an output that is already spent, or that isn't on the blockchain yet."}
	RecoveryRefused    = Sentence{"RECOVERY_REFUSED", "The Bitcoin node didn't accept the transaction: %s."}
	RecoveryUnanswered = Sentence{"RECOVERY_UNANSWERED",
		"The Bitcoin node didn't respond. You can safely send the same transaction again; it can't be paid " +
			"twice."}
)

// Epochs.
var (
	NoReceipts      = Sentence{"NO_RECEIPTS", "This community does not sign receipts."}
	NoSuchStatement = Sentence{"NO_SUCH_STATEMENT", "There is no such statement, or none for this address."}
	EpochUnknown    = Sentence{"EPOCH_UNKNOWN", "This epoch hasn't started yet."}
)

// Orders to mint or etch runes.
var (
	RuneOrdersOff      = Sentence{"RUNE_ORDERS_OFF", "Etching and minting are turned off on this server."}
	RuneOrdersNetwork  = Sentence{"RUNE_ORDERS_NETWORK", "This server etches and mints on %s, not on %s."}
	RuneOrderUnknown   = Sentence{"RUNE_ORDER_UNKNOWN", "There is no such etch or mint order."}
	RuneOrderExecuted  = Sentence{"RUNE_ORDER_EXECUTED", "This order was already carried out in transaction %s."}
	RuneOrderTxUnknown = Sentence{"RUNE_ORDER_TX_UNKNOWN",
		"We haven't seen this transaction yet. The order continues on its own when it arrives."}
	RuneOrderTxForeign = Sentence{"RUNE_ORDER_TX_FOREIGN", "The transaction doesn't pay to this order's address."}
	RuneOrderUnderpaid = Sentence{"RUNE_ORDER_UNDERPAID",
		"We received %d of %d sats. Send the rest to the same address."}
	RuneOrderOver    = Sentence{"RUNE_ORDER_OVER", "This order is finished. Its state is %s."}
	RuneOrderNotSent = Sentence{"RUNE_ORDER_NOT_SENT",
		"This order hasn't sent any transaction yet, so there is nothing to speed up."}
	RuneOrderMined      = Sentence{"RUNE_ORDER_MINED", "All transactions of this order are already confirmed."}
	RuneOrderRateTooLow = Sentence{"RUNE_ORDER_RATE_TOO_LOW", "newFeeRate must be at least %s sat/vB."}
	RuneOrderQuotes     = Sentence{"RUNE_ORDER_QUOTES",
		"You asked for too many fee rates for this order. Pay one of the prices you got."}
	RuneFeeRate    = Sentence{"RUNE_FEE_RATE", "%s must be between 1 and %s sat/vB."}
	RuneFeeTooHigh = Sentence{"RUNE_FEE_TOO_HIGH",
		"One transaction would cost %d sats in fees. The limit is %d. Choose a lower fee rate."}
	RuneNameInvalid = Sentence{"RUNE_NAME_INVALID",
		"runeName must be at most 28 capital letters, with single • or . between them."}
	RuneNameReserved = Sentence{"RUNE_NAME_RESERVED",
		"The name %s is reserved for runes that are etched without a name."}
	RuneNameLocked = Sentence{"RUNE_NAME_LOCKED",
		"The name %s isn't available yet. In block %d, available names start at %s."}
	RuneNameTaken    = Sentence{"RUNE_NAME_TAKEN", "The name %s is already taken by rune %s."}
	RuneNameBusy     = Sentence{"RUNE_NAME_BUSY", "Another order on this server is already etching %s."}
	RuneUnknown      = Sentence{"RUNE_UNKNOWN", "There is no rune named %s."}
	RuneNotMintable  = Sentence{"RUNE_NOT_MINTABLE", "%s has no open mint."}
	RuneMintNotBegun = Sentence{"RUNE_MINT_NOT_BEGUN", "The mint of %s hasn't started yet."}
	RuneMintOver     = Sentence{"RUNE_MINT_OVER", "The mint of %s has ended."}
	RuneMintedOut    = Sentence{"RUNE_MINTED_OUT", "All mints of %s have been used."}
	RuneMintEmpty    = Sentence{"RUNE_MINT_EMPTY", "A mint of %s gives no runes."}
	RuneMintsLeft    = Sentence{"RUNE_MINTS_LEFT", "Only %s mints of %s are left."}
	RuneSymbol       = Sentence{"RUNE_SYMBOL", "symbol must be a single character."}
	RuneAmount       = Sentence{"RUNE_AMOUNT",
		"%s must be a whole number below 2^128, written in digits and sent as a string."}
	RuneHeight = Sentence{"RUNE_HEIGHT",
		"%s must be a whole number below 2^64, written in digits and sent as a string."}
	RuneTermsMissing = Sentence{"RUNE_TERMS_MISSING",
		"A rune with an open mint needs terms with an amount and a cap."}
	RuneTermsUnwanted = Sentence{"RUNE_TERMS_UNWANTED",
		"terms are only for a rune with an open mint, but isMintable is false."}
	RuneTermsZero      = Sentence{"RUNE_TERMS_ZERO", "%s must be greater than 0."}
	RuneSupplyOverflow = Sentence{"RUNE_SUPPLY_OVERFLOW",
		"The total supply (premine + cap × amount) must be below 2^128."}
	RuneSupplyZero = Sentence{"RUNE_SUPPLY_ZERO", "The supply would be 0. Set a premine or allow an open mint."}
	RuneTermsRange = Sentence{"RUNE_TERMS_RANGE", "terms.%sEnd must be greater than terms.%sStart."}
	RuneTermsPast  = Sentence{"RUNE_TERMS_PAST",
		"terms.%s must be greater than %d, the first block that can contain the etching."}
	RuneStoneTooLong = Sentence{"RUNE_STONE_TOO_LONG",
		"The runestone would have %d bytes, but nodes relay at most %d. Leave out some of the terms."}
	RuneAppFeeAddress = Sentence{"RUNE_APP_FEE_ADDRESS", "appServiceFee needs an appServiceFeeAddress."}
	RuneDust          = Sentence{"RUNE_DUST",
		"%s must be 0 or at least %d sats, the smallest amount that nodes relay."}
	RuneInscriptionBoth = Sentence{"RUNE_INSCRIPTION_BOTH",
		"Send either inscriptionDetails or delegateInscriptionId, not both."}
	RuneInscriptionType = Sentence{"RUNE_INSCRIPTION_TYPE", "inscriptionDetails.contentType must be a media type such " +
		"as text/plain, at most 100 characters."}
	RuneInscriptionBody = Sentence{"RUNE_INSCRIPTION_BODY",
		"inscriptionDetails.contentBase64 must be base64 of at least one byte."}
	RuneInscriptionRefused = Sentence{"RUNE_INSCRIPTION_REFUSED",
		"This server's Bitcoin node doesn't relay inscriptions. You can etch the rune without an inscription."}
	RuneDelegate     = Sentence{"RUNE_DELEGATE", "delegateInscriptionId must be a txid, the letter i, and a number."}
	RuneNotRelayed   = Sentence{"RUNE_NOT_RELAYED", "Bitcoin nodes wouldn't relay the transaction: %s"}
	RuneFundingRunes = Sentence{"RUNE_FUNDING_RUNES", "The payment contains runes."}
	RunePartly       = Sentence{"RUNE_PARTLY", "Only %s of %d mints took effect. The runes of these mints were delivered."}
	RuneOrderRefused = Sentence{"RUNE_ORDER_REFUSED",
		"The Bitcoin network didn't accept this order's transactions for a day. Your payment is returned, " +
			"less the network fee."}
	RuneOrderWaits = Sentence{"RUNE_ORDER_WAITS",
		"This order waits, because the server's Bitcoin node doesn't accept its transactions now. If you have paid and " +
			"this lasts for a day, your payment is returned, less the network fee."}
	RuneOrderDelayed = Sentence{"RUNE_ORDER_DELAYED",
		"This order waits, because this server can't sign or send its transactions now. The operator can see why."}
	RuneEtchedByOther = Sentence{"RUNE_ETCHED_BY_OTHER", "Someone else etched %s first."}
)
