package fault

// Every sentence that the server shows to users, with the code by which clients choose a
// translation. testdata/sentences.txt pins both because clients and translations depend on
// them. After a change, run `go test ./fault -update` to rewrite that file.

// Malformed requests and limits.
var (
	SomethingWrong   = Sentence{"SOMETHING_WRONG", "Something went wrong on our side. Please try again."}
	SomethingWrongID = Sentence{"SOMETHING_WRONG_ID",
		"Something went wrong on our side. Please try again, or quote error %s."}
	NoSuchCommunity  = Sentence{"NO_SUCH_COMMUNITY", "There is no such community here."}
	NoSuchCall       = Sentence{"NO_SUCH_CALL", "There is no such call."}
	MethodNotAllowed = Sentence{"METHOD_NOT_ALLOWED", "This call must be made with %s."}
	BodyTooLarge     = Sentence{"BODY_TOO_LARGE", "The request is larger than 64 KiB."}
	NotJSONType      = Sentence{"NOT_JSON_TYPE", "The request's Content-Type must be application/json."}
	NotJSON          = Sentence{"NOT_JSON", "The request is not valid JSON."}
	NotObject        = Sentence{"NOT_OBJECT", "The request must be a JSON object."}
	TooDeep          = Sentence{"TOO_DEEP", "The request is nested too deeply."}
	TrailingData     = Sentence{"TRAILING_DATA", "There is something after the JSON object."}
	DuplicateKey     = Sentence{"DUPLICATE_KEY", "The key %q appears twice."}
	MissingKey       = Sentence{"MISSING_KEY", "%s is missing."}
	WrongType        = Sentence{"WRONG_TYPE", "%s must be %s."}
	TooLong          = Sentence{"TOO_LONG", "%s is too long: at most %d."}
	NotOneOf         = Sentence{"NOT_ONE_OF", "%s must be one of %s."}
	NotAmount        = Sentence{"NOT_AMOUNT",
		"%s must be a whole number of base units: digits only, without sign, fraction or exponent."}
	AmountTooHuge  = Sentence{"AMOUNT_TOO_HUGE", "%s is larger than any amount of this rune."}
	HeaderTooLarge = Sentence{"HEADER_TOO_LARGE", "The request's header is too large: at most 16 KB. Delete this " +
		"site's cookies, or shorten the address."}
	NotHTTP          = Sentence{"NOT_HTTP", "This is not an HTTP request that the server understands."}
	NumberOutOfRange = Sentence{"NUMBER_OUT_OF_RANGE", "%s must be between %d and %d."}
	TooManyRequests  = Sentence{"TOO_MANY_REQUESTS", "Too many requests. Please wait %d s and try again."}
	NotAnswering     = Sentence{"NOT_ANSWERING", "The server can't answer right now. Please try again in a moment."}
	TooManyStreams   = Sentence{"TOO_MANY_STREAMS", "Too many open event streams from this place."}
	ForeignOrigin    = Sentence{"FOREIGN_ORIGIN", "This call was made by a page of another site."}
	UnknownHost      = Sentence{"UNKNOWN_HOST", "This server doesn't serve that host."}
)

// Wallets and addresses.
var (
	InvalidAddress     = Sentence{"INVALID_ADDRESS", "Invalid address"}
	WrongNetwork       = Sentence{"WRONG_NETWORK", "%s is an address of another network; this server runs on %s."}
	WalletDoesNotExist = Sentence{"WALLET_DOES_NOT_EXIST", "Wallet does not exist"}
	KeyNotOfAddress    = Sentence{"KEY_NOT_OF_ADDRESS", "The public key does not belong to the address %s."}
	InvalidKey         = Sentence{"INVALID_KEY", "%s is not a public key in hex."}
)

// While the server can't change anything.
var (
	NodeUnfit  = Sentence{"NODE_UNFIT", "%s"} // a text of node.go
	CatchingUp = Sentence{"CATCHING_UP", "The server is catching up with the chain. Nothing can be changed until it " +
		"is done; what you hold is safe."}
	Paused         = Sentence{"PAUSED", "Changes are paused by the operator for now. What you hold is safe."}
	ClockUncertain = Sentence{"CLOCK_UNCERTAIN",
		"The server's clock is not certain right now. Please try again in a moment."}
)

// Stakes, units and actions.
var (
	StakeBelowMinimum = Sentence{"STAKE_BELOW_MINIMUM", "The smallest stake is %s."}
	StakeAboveSupply  = Sentence{"STAKE_ABOVE_SUPPLY", "There is less than that of this rune."}
	ActionUnknown     = Sentence{"ACTION_UNKNOWN",
		"There is no such action of this wallet, or it expired long ago. Please start again."}
	ActionOtherType = Sentence{"ACTION_OTHER_TYPE", "This action is of another type: %s."}
	ActionExpired   = Sentence{"ACTION_EXPIRED", "This action has expired. Please start again."}
	ActionNotPosted = Sentence{"ACTION_NOT_POSTED",
		"STAKE is not posted as an action: ask for a stake address instead."}
	ActionStale = Sentence{"ACTION_STALE", "What this action promised no longer holds: something changed " +
		"since the message was made. Please start again."}
	ActionPaymentUndone = Sentence{"ACTION_PAYMENT_UNDONE", "What this action promised no longer holds: a payment was " +
		"taken back since the message was made. Please start again."}
	TxidInvalid        = Sentence{"TXID_INVALID", "The txid must be 64 hex digits."}
	SignatureNeeded    = Sentence{"SIGNATURE_NEEDED", "The signature is missing."}
	SignatureWrong     = Sentence{"SIGNATURE_WRONG", "The signature does not prove that you own %s."}
	SignatureMalformed = Sentence{"SIGNATURE_MALFORMED",
		"The signature can't be read: it must be BIP-322 or a signed message, in base64."}
	NoUnits          = Sentence{"NO_UNITS", "Select at least one unit."}
	UnitTwice        = Sentence{"UNIT_TWICE", "The same unit is selected twice."}
	UnitUnknown      = Sentence{"UNIT_UNKNOWN", "The unit %s is not yours."}
	UnitNotStaked    = Sentence{"UNIT_NOT_STAKED", "The unit %s is not staked."}
	UnitNotUnlocked  = Sentence{"UNIT_NOT_UNLOCKED", "The unit %s is not unlocked."}
	UnitNotClaimable = Sentence{"UNIT_NOT_CLAIMABLE", "The unit %s is not claimable."}
	UnitContested    = Sentence{"UNIT_CONTESTED",
		"The output of the unit %s was spent by somebody else; nothing can be done with it now."}
	RewardsHeld = Sentence{"REWARDS_HELD", "Your rewards are held until it is clear which of them transaction " +
		"%s has brought to you. Please try again later."}
	RestakeUnsettled = Sentence{"RESTAKE_UNSETTLED", "Epoch %d, the last one that this unit earned in, is not " +
		"settled yet. Please restake it a little later."}
	NothingClaimable = Sentence{"NOTHING_CLAIMABLE", "There is nothing to claim."}
	ClaimActive      = Sentence{"CLAIM_ACTIVE",
		"A claim order is already active. Please complete or cancel it first."}
	TooManyUnits = Sentence{"TOO_MANY_UNITS", "At most %d units fit in one order."}
	TooScattered = Sentence{"TOO_SCATTERED",
		"This wallet has too many units for such a selection. Select at most %d at a time."}
	EstimateOnlyForOrders = Sentence{"ESTIMATE_ONLY_FOR_ORDERS", "Only CLAIM and WITHDRAW cost sats; %s is free."}
)

// Payment orders.
var (
	OrderUnknown       = Sentence{"ORDER_UNKNOWN", "There is no such order of this wallet."}
	OrderNotRerate     = Sentence{"ORDER_NOT_RERATE", "This order doesn't need a new rate."}
	OrderRerateTooSoon = Sentence{"ORDER_RERATE_TOO_SOON", "A new rate was set less than 30 minutes ago."}
	OrderTooOld        = Sentence{"ORDER_TOO_OLD", "This order is too old for a new rate."}
	OrderNotCancelable = Sentence{"ORDER_NOT_CANCELABLE", "This order can't be cancelled any more."}
)

// Recoveries that the server broadcasts for a staker.
var (
	TransactionUnreadable = Sentence{"TRANSACTION_UNREADABLE", "This is not a signed Bitcoin transaction in hex."}
	RecoveryForeign       = Sentence{"RECOVERY_FOREIGN", "This transaction spends no stake of %s, so it is not sent " +
		"from here. Any Bitcoin node can send it."}
	RecoveryOtherOwner = Sentence{"RECOVERY_OTHER_OWNER", "The output %s does not belong to the stake of %s."}
	RecoveryKeyPath    = Sentence{"RECOVERY_KEY_PATH",
		"The output %s is not spent by its recovery script. Sign the transaction of the recovery kit."}
	RecoveryTooEarly = Sentence{"RECOVERY_TOO_EARLY", "The delay of this stake is not over yet. Keep the transaction: " +
		"it can be sent once the delay is over."}
	RecoveryFeeTooLow = Sentence{"RECOVERY_FEE_TOO_LOW", "The transaction pays a lower fee than the network takes now. " +
		"Send it again when fees are lower, or sign it anew."}
	RecoveryDust = Sentence{"RECOVERY_DUST",
		"An output of the transaction holds too few sats: nodes do not relay it."}
	RecoverySpent = Sentence{"RECOVERY_SPENT", "What the transaction spends is spent already, or its deposit is " +
		"not in a block or the mempool."}
	RecoveryRefused    = Sentence{"RECOVERY_REFUSED", "The Bitcoin node does not accept the transaction: %s."}
	RecoveryUnanswered = Sentence{"RECOVERY_UNANSWERED",
		"The Bitcoin node did not answer. Send the same transaction again: it can't be paid twice."}
)

// Epochs.
var (
	EpochUnknown = Sentence{"EPOCH_UNKNOWN", "There is no such epoch yet."}
)

// Orders to mint or etch runes.
var (
	RuneOrdersOff      = Sentence{"RUNE_ORDERS_OFF", "Minting and etching is off here: %s."}
	RuneOrdersNetwork  = Sentence{"RUNE_ORDERS_NETWORK", "This server mints and etches on %s, not on %s."}
	RuneOrderUnknown   = Sentence{"RUNE_ORDER_UNKNOWN", "There is no such mint or etch order."}
	RuneOrderExecuted  = Sentence{"RUNE_ORDER_EXECUTED", "This order was executed already, with transaction %s."}
	RuneOrderTxUnknown = Sentence{"RUNE_ORDER_TX_UNKNOWN",
		"The transaction is not known here yet. The order goes on by itself once it arrives."}
	RuneOrderTxForeign = Sentence{"RUNE_ORDER_TX_FOREIGN", "The transaction pays nothing to this order's address."}
	RuneOrderUnderpaid = Sentence{"RUNE_ORDER_UNDERPAID",
		"The order got %d sats and needs %d. Send the rest to the same address."}
	RuneOrderOver    = Sentence{"RUNE_ORDER_OVER", "This order is over: its state is %s."}
	RuneOrderNotSent = Sentence{"RUNE_ORDER_NOT_SENT",
		"Nothing of this order was sent yet, so there is nothing to replace."}
	RuneOrderMined      = Sentence{"RUNE_ORDER_MINED", "Everything of this order is in a block already."}
	RuneOrderRateTooLow = Sentence{"RUNE_ORDER_RATE_TOO_LOW", "newFeeRate must be at least %s sat/vB."}
	RuneOrderQuotes     = Sentence{"RUNE_ORDER_QUOTES", "This order was asked about too many fee rates."}
	RuneFeeRate         = Sentence{"RUNE_FEE_RATE", "%s must be between 1 and %s sat/vB."}
	RuneFeeTooHigh      = Sentence{"RUNE_FEE_TOO_HIGH", "One transaction would cost %d sats in fees; the limit is %d."}
	RuneNameInvalid     = Sentence{"RUNE_NAME_INVALID",
		"runeName must be capital letters, at most 28 of them, with single • or . between them."}
	RuneNameReserved = Sentence{"RUNE_NAME_RESERVED",
		"The name %s is reserved for runes that are etched without a name."}
	RuneNameLocked = Sentence{"RUNE_NAME_LOCKED",
		"The name %s can't be etched yet: the least name in block %d is %s."}
	RuneNameTaken      = Sentence{"RUNE_NAME_TAKEN", "The name %s is taken by the rune %s."}
	RuneNameBusy       = Sentence{"RUNE_NAME_BUSY", "Another order here is etching %s already."}
	RuneUnknown        = Sentence{"RUNE_UNKNOWN", "There is no rune with the name %s."}
	RuneNotMintable    = Sentence{"RUNE_NOT_MINTABLE", "%s can't be minted: %s."}
	RuneMintsLeft      = Sentence{"RUNE_MINTS_LEFT", "Only %s mints of %s are left."}
	RuneSymbol         = Sentence{"RUNE_SYMBOL", "symbol must be one character."}
	RuneAmount         = Sentence{"RUNE_AMOUNT", "%s must be a whole number below 2^128: digits only, as a text."}
	RuneHeight         = Sentence{"RUNE_HEIGHT", "%s must be a whole number below 2^64: digits only, as a text."}
	RuneTermsMissing   = Sentence{"RUNE_TERMS_MISSING", "A mintable rune needs terms with an amount and a cap."}
	RuneTermsUnwanted  = Sentence{"RUNE_TERMS_UNWANTED", "terms are for a mintable rune only, and isMintable is false."}
	RuneTermsZero      = Sentence{"RUNE_TERMS_ZERO", "%s must be greater than 0."}
	RuneSupplyOverflow = Sentence{"RUNE_SUPPLY_OVERFLOW",
		"The supply, premine and cap × amount together, must be below 2^128."}
	RuneSupplyZero = Sentence{"RUNE_SUPPLY_ZERO", "The supply would be 0: give a premine or an open mint."}
	RuneTermsRange = Sentence{"RUNE_TERMS_RANGE", "terms.%sEnd must be greater than terms.%sStart."}
	RuneTermsPast  = Sentence{"RUNE_TERMS_PAST",
		"terms.%s must be greater than %d, the first block that can hold the etching."}
	RuneStoneTooLong = Sentence{"RUNE_STONE_TOO_LONG",
		"The runestone would have %d bytes and nodes relay %d: leave out some of the terms."}
	RuneAppFeeAddress   = Sentence{"RUNE_APP_FEE_ADDRESS", "appServiceFee needs an appServiceFeeAddress."}
	RuneDust            = Sentence{"RUNE_DUST", "%s must be 0 or at least %d sats: nodes relay no less."}
	RuneInscriptionBoth = Sentence{"RUNE_INSCRIPTION_BOTH",
		"Give inscriptionDetails or a delegateInscriptionId, not both."}
	RuneInscriptionType = Sentence{"RUNE_INSCRIPTION_TYPE", "inscriptionDetails.contentType must be a media type such " +
		"as text/plain, at most 100 characters."}
	RuneInscriptionBody = Sentence{"RUNE_INSCRIPTION_BODY",
		"inscriptionDetails.contentBase64 must be base64 of at least one byte."}
	RuneDelegate     = Sentence{"RUNE_DELEGATE", "delegateInscriptionId must be a txid, the letter i, and a number."}
	RuneNotRelayed   = Sentence{"RUNE_NOT_RELAYED", "Nodes would not relay the transaction: %s"}
	RuneFundingRunes = Sentence{"RUNE_FUNDING_RUNES", "The payment bears runes."}
	RunePartly       = Sentence{"RUNE_PARTLY", "Only %s of %d mints took effect; what they gave was delivered."}
	RuneOrderRefused = Sentence{"RUNE_ORDER_REFUSED", "The Bitcoin node did not accept this order's transactions for a " +
		"day. What you paid is returned, less the network's fee."}
	RuneEtchedByOther = Sentence{"RUNE_ETCHED_BY_OTHER", "Somebody else etched %s first."}
)
