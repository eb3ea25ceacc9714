package fault

// Every sentence that the server shows to a person. They are pinned in testdata/sentences.txt, since clients and
// translations depend on the exact words: after a change, `go test ./fault -update` writes that file anew.

// The door: malformed requests and limits.
const (
	SomethingWrong   Sentence = "Something went wrong on our side. Please try again."
	SomethingWrongID Sentence = "Something went wrong on our side. Please try again, or quote error %s."
	NoSuchCommunity  Sentence = "There is no such community here."
	NoSuchCall       Sentence = "There is no such call."
	MethodNotAllowed Sentence = "This call must be made with %s."
	BodyTooLarge     Sentence = "The request is larger than 64 KiB."
	NotJSONType      Sentence = "The request's Content-Type must be application/json."
	NotJSON          Sentence = "The request is not valid JSON."
	NotObject        Sentence = "The request must be a JSON object."
	TooDeep          Sentence = "The request is nested too deeply."
	TrailingData     Sentence = "There is something after the JSON object."
	DuplicateKey     Sentence = "The key %q appears twice."
	MissingKey       Sentence = "%s is missing."
	WrongType        Sentence = "%s must be %s."
	TooLong          Sentence = "%s is too long: at most %d."
	NotOneOf         Sentence = "%s must be one of %s."
	NotAmount        Sentence = "%s must be a whole number of base units: digits only, without sign, fraction or exponent."
	AmountTooHuge    Sentence = "%s is larger than any amount of this rune."
	HeaderTooLarge   Sentence = "The request's header is too large: at most 16 KB. Delete this site's cookies, or shorten the address."
	NotHTTP          Sentence = "This is not an HTTP request that the server understands."
	NumberOutOfRange Sentence = "%s must be between %d and %d."
	TooManyRequests  Sentence = "Too many requests. Please wait %d s and try again."
	NotAnswering     Sentence = "The server can't answer right now. Please try again in a moment."
	TooManyStreams   Sentence = "Too many open event streams from this place."
	ForeignOrigin    Sentence = "This call was made by a page of another site."
	UnknownHost      Sentence = "This server doesn't serve that host."
)

// Wallets and addresses.
const (
	InvalidAddress     Sentence = "Invalid address"
	WrongNetwork       Sentence = "%s is an address of another network; this server runs on %s."
	WalletDoesNotExist Sentence = "Wallet does not exist"
	KeyNotOfAddress    Sentence = "The public key does not belong to the address %s."
	InvalidKey         Sentence = "%s is not a public key in hex."
)

// While the server can't change anything.
const (
	NodeDownloading Sentence = "The Bitcoin node is still downloading the chain: its last block %d is of %s. Nothing can be changed until it is done; what you hold is safe."
	CatchingUp      Sentence = "The server is catching up with the chain. Nothing can be changed until it is done; what you hold is safe."
	Paused          Sentence = "Changes are paused by the operator for now. What you hold is safe."
	ClockUncertain  Sentence = "The server's clock is not certain right now. Please try again in a moment."
)

// Stakes, units and actions.
const (
	StakeBelowMinimum     Sentence = "The smallest stake is %s."
	StakeAboveSupply      Sentence = "There is less than that of this rune."
	ActionUnknown         Sentence = "There is no such action of this wallet, or it expired long ago. Please start again."
	ActionOtherType       Sentence = "This action is of another type: %s."
	ActionExpired         Sentence = "This action has expired. Please start again."
	ActionNotPosted       Sentence = "STAKE is not posted as an action: ask for a stake address instead."
	ActionStale           Sentence = "What this action promised no longer holds: %s Please start again."
	TxidInvalid           Sentence = "The txid must be 64 hex digits."
	SignatureNeeded       Sentence = "The signature is missing."
	SignatureWrong        Sentence = "The signature does not prove that you own %s."
	SignatureMalformed    Sentence = "The signature can't be read: it must be BIP-322 or a signed message, in base64."
	NoUnits               Sentence = "Select at least one unit."
	UnitTwice             Sentence = "The same unit is selected twice."
	UnitUnknown           Sentence = "The unit %s is not yours."
	UnitNotStaked         Sentence = "The unit %s is not staked."
	UnitNotUnlocked       Sentence = "The unit %s is not unlocked."
	UnitNotClaimable      Sentence = "The unit %s is not claimable."
	UnitContested         Sentence = "The output of the unit %s was spent by somebody else; nothing can be done with it now."
	RewardsHeld           Sentence = "Your rewards are held until it is clear which of them transaction %s has brought to you. Please try again later."
	RestakeUnsettled      Sentence = "Epoch %d, the last one that this unit earned in, is not settled yet. Please restake it a little later."
	NothingClaimable      Sentence = "There is nothing to claim."
	ClaimActive           Sentence = "A claim order is already active. Please complete or cancel it first."
	TooManyUnits          Sentence = "At most %d units fit in one order."
	TooScattered          Sentence = "This wallet has too many units for such a selection. Select at most %d at a time."
	EstimateOnlyForOrders Sentence = "Only CLAIM and WITHDRAW cost sats; %s is free."
)

// Payment orders.
const (
	OrderUnknown       Sentence = "There is no such order of this wallet."
	OrderNotRerate     Sentence = "This order doesn't need a new rate."
	OrderRerateTooSoon Sentence = "A new rate was set less than 30 minutes ago."
	OrderTooOld        Sentence = "This order is too old for a new rate."
	OrderNotCancelable Sentence = "This order can't be cancelled any more."
)

// Recoveries that the server sends for a staker.
const (
	TransactionUnreadable Sentence = "This is not a signed Bitcoin transaction in hex."
	RecoveryForeign       Sentence = "This transaction spends no stake of %s, so it is not sent from here. Any Bitcoin node can send it."
	RecoveryOtherOwner    Sentence = "The output %s does not belong to the stake of %s."
	RecoveryKeyPath       Sentence = "The output %s is not spent by its recovery script. Sign the transaction of the recovery kit."
	RecoveryTooEarly      Sentence = "The delay of this stake is not over yet. Keep the transaction: it can be sent once the delay is over."
	RecoveryFeeTooLow     Sentence = "The transaction pays a lower fee than the network takes now. Send it again when fees are lower, or sign it anew."
	RecoveryDust          Sentence = "An output of the transaction holds too few sats: nodes do not relay it."
	RecoverySpent         Sentence = "What the transaction spends is spent already, or its deposit is not in a block or the mempool."
	RecoveryRefused       Sentence = "The Bitcoin node does not accept the transaction: %s."
	RecoveryUnanswered    Sentence = "The Bitcoin node did not answer. Send the same transaction again: it can't be paid twice."
)

// Epochs.
const (
	EpochUnknown Sentence = "There is no such epoch yet."
)

// Minting and etching of runes.
const (
	NodeRefusesRunes    Sentence = "The Bitcoin node does not relay rune transfers (%s). Payouts wait. The operator sets %s for the node and restarts it."
	NodeRefusesReveals  Sentence = "The Bitcoin node does not relay the reveal of an etching (%s). The operator sets %s for the node and restarts it."
	RuneOrdersOff       Sentence = "Minting and etching is off here: %s."
	RuneOrdersNetwork   Sentence = "This server mints and etches on %s, not on %s."
	RuneOrderUnknown    Sentence = "There is no such mint or etch order."
	RuneOrderExecuted   Sentence = "This order was executed already, with transaction %s."
	RuneOrderTxUnknown  Sentence = "The transaction is not known here yet. The order goes on by itself once it arrives."
	RuneOrderTxForeign  Sentence = "The transaction pays nothing to this order's address."
	RuneOrderUnderpaid  Sentence = "The order got %d sats and needs %d. Send the rest to the same address."
	RuneOrderOver       Sentence = "This order is over: its state is %s."
	RuneOrderNotSent    Sentence = "Nothing of this order was sent yet, so there is nothing to replace."
	RuneOrderMined      Sentence = "Everything of this order is in a block already."
	RuneOrderRateTooLow Sentence = "newFeeRate must be at least %s sat/vB."
	RuneOrderQuotes     Sentence = "This order was asked about too many fee rates."
	RuneFeeRate         Sentence = "%s must be between 1 and %s sat/vB."
	RuneFeeTooHigh      Sentence = "One transaction would cost %d sats in fees; the limit is %d."
	RuneNameInvalid     Sentence = "runeName must be capital letters, at most 28 of them, with single • or . between them."
	RuneNameReserved    Sentence = "The name %s is reserved for runes that are etched without a name."
	RuneNameLocked      Sentence = "The name %s can't be etched yet: the least name in block %d is %s."
	RuneNameTaken       Sentence = "The name %s is taken by the rune %s."
	RuneNameBusy        Sentence = "Another order here is etching %s already."
	RuneUnknown         Sentence = "There is no rune with the name %s."
	RuneNotMintable     Sentence = "%s can't be minted: %s."
	RuneMintsLeft       Sentence = "Only %s mints of %s are left."
	RuneSymbol          Sentence = "symbol must be one character."
	RuneAmount          Sentence = "%s must be a whole number below 2^128: digits only, as a text."
	RuneHeight          Sentence = "%s must be a whole number below 2^64: digits only, as a text."
	RuneTermsMissing    Sentence = "A mintable rune needs terms with an amount and a cap."
	RuneTermsUnwanted   Sentence = "terms are for a mintable rune only, and isMintable is false."
	RuneTermsZero       Sentence = "%s must be greater than 0."
	RuneSupplyOverflow  Sentence = "The supply, premine and cap × amount together, must be below 2^128."
	RuneSupplyZero      Sentence = "The supply would be 0: give a premine or an open mint."
	RuneTermsRange      Sentence = "terms.%sEnd must be greater than terms.%sStart."
	RuneTermsPast       Sentence = "terms.%s must be greater than %d, the first block that can hold the etching."
	RuneStoneTooLong    Sentence = "The runestone would have %d bytes and nodes relay %d: leave out some of the terms."
	RuneAppFeeAddress   Sentence = "appServiceFee needs an appServiceFeeAddress."
	RuneDust            Sentence = "%s must be 0 or at least %d sats: nodes relay no less."
	RuneInscriptionBoth Sentence = "Give inscriptionDetails or a delegateInscriptionId, not both."
	RuneInscriptionType Sentence = "inscriptionDetails.contentType must be a media type such as text/plain, at most 100 characters."
	RuneInscriptionBody Sentence = "inscriptionDetails.contentBase64 must be base64 of at least one byte."
	RuneDelegate        Sentence = "delegateInscriptionId must be a txid, the letter i, and a number."
	RuneNotRelayed      Sentence = "Nodes would not relay the transaction: %s"
	RuneFundingRunes    Sentence = "The payment bears runes."
	RunePartly          Sentence = "Only %s of %d mints took effect; what they gave was delivered."
	RuneOrderRefused    Sentence = "The Bitcoin node did not accept this order's transactions for a day. What you paid is returned, less the network's fee."
	RuneEtchedByOther   Sentence = "Somebody else etched %s first."
)
