import { readObject, readSats, readText } from "./params";
import { draftPayment, scriptOf, signDraft } from "./spend";
import type { DevWallet } from "./wallet";

/**
 * Minting and etching as the wallet's own methods: the dev wallet creates an order at the runes service, pays it, and
 * executes it, as wallets with these methods do. Present only if the setting is on.
 */
export const orderMethods = {
  runes_mint: (wallet: DevWallet, params: unknown) => order(wallet, "mint", params),
  runes_etch: (wallet: DevWallet, params: unknown) => order(wallet, "etch", params),
};

async function order(wallet: DevWallet, kind: "mint" | "etch", params: unknown): Promise<unknown> {
  const { network: _, ...fields } = readObject(params, "params");
  const name = readText(fields["runeName"], "params.runeName");
  const created = readObject(await wallet.chain.orders(`runes/${kind}/orders`, fields), "order");
  const orderId = readText(created["orderId"], "order.orderId");
  const fundingAddress = readText(created["fundAddress"], "order.fundAddress");
  const value = readSats(created["fundAmount"], "order.fundAmount");
  const output = { script: scriptOf(fundingAddress, wallet.network), value };
  const draft = draftPayment([output], wallet.account, await wallet.coins(), wallet.feeRate);
  await wallet.confirm({
    title: kind === "mint" ? "Mint runes?" : "Etch a rune?",
    facts: [
      ["Rune", name],
      ["Costs", `${value.toLocaleString("en")} sats`],
      ["Network fee", `${draft.fee.toLocaleString("en")} sats`],
    ],
    yes: kind === "mint" ? "Mint" : "Etch",
  });
  const tx = await signDraft(draft, wallet.chain.transaction);
  const fundTransactionId = await wallet.broadcast(tx.hex);
  await wallet.chain.orders(`runes/${kind}/orders/${encodeURIComponent(orderId)}/execute`, { fundTransactionId });
  return { orderId, fundTransactionId, fundingAddress };
}
