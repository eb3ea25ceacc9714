// @vitest-environment node
import { expect, it } from "vitest";
import { walletTexts } from "../wallet/texts.ts";

/**
 * The errors of the specification's catalogue (section 8) that the wallet library throws, verbatim. The page chooses
 * its own texts by their code (lib/text/en.wallet.ts and de.wallet.ts).
 */
const catalogue: Record<string, string> = {
  "Failed to select the provider. User may have cancelled the selection prompt.": walletTexts.notSelected,
  "No wallets detected, may want to prompt user to install a wallet.": walletTexts.noWallets,
  "no wallet provider was found": walletTexts.noProvider,
  "connection to wallet failed": walletTexts.connectionFailed,
  "User refused connection.": walletTexts.connectionRefused,
  "Did not find compatible addresses": walletTexts.incompatible,
  "Null result from xverse": walletTexts.nullResult,
  "User rejected rune transfer": walletTexts.runesRejected,
  "Error while rune transfer: no coins": walletTexts.runesFailed("no coins"),
  "Wallet Error processing the request": walletTexts.walletError,
  "No wallet addresses": walletTexts.noAddresses,
  "Method not supported by the selected wallet": walletTexts.notSupported,
  "Wallet method call error": walletTexts.callFailed,
  "Received unknown response from provider.": walletTexts.unknownResponse,
  "A wallet method is required": walletTexts.noMethod,
  "The message must not exceed 80 characters.": walletTexts.messageTooLong,
  "Only one recipient is supported by this wallet provider": walletTexts.oneRecipient,
  "Only bitcoin addresses are supported": walletTexts.onlyBitcoin,
  "Ordinals API does not support Regtest network": walletTexts.noOrders("Regtest"),
  "User cancelled action. Please complete action for payment.": walletTexts.paymentCancelled,
  "Failed to sign CLAIM action message by Xverse": walletTexts.signFailed("CLAIM"),
  "Wallet no connected": walletTexts.notConnected,
};

it.each(Object.entries(catalogue))("the wallet library has the specification's sentence: %s", (words, thrown) =>
  expect(thrown).toBe(words),
);
