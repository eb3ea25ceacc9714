import { asRecord, RpcCode, WalletError } from "../errors.ts";
import type { WindowProvider } from "../providers.ts";
import { sentence } from "../texts.ts";
import type { Adapter } from "./adapter.ts";
import { standardAdapter } from "./standard.ts";

/** Maximum wait in ms for a request that Xverse answers without a popup; after it, the call proceeds. */
const QUIET_MS = 3_000;

/**
 * Xverse implements the standard. For a request that it cannot fulfil, it shows the reason in a popup, responds only
 * when that is closed, and then returns -32000 "User rejected the request.", as for a rejection by the user. So the
 * known cases are refused here, before a popup opens: a page that is not connected, an address of another account, and
 * ECDSA with a taproot address.
 *
 * Sources: responses of Xverse 0.49.0 in testing/answers.
 */
export function xverseAdapter(provider: Required<WindowProvider>): Adapter {
  const standard = standardAdapter(provider);
  return {
    ...standard,
    async request(method, params) {
      for (const address of signersOf(method, params)) await requireAccount(standard, address);
      return standard.request(method, params);
    },
  };
}

/** The addresses that are to sign. */
function signersOf(method: string, params: unknown): string[] {
  const fields = asRecord(params) ?? {};
  if (method === "signPsbt") return Object.keys(asRecord(fields["signInputs"]) ?? {});
  if (method !== "signMessage") return [];
  const address = String(fields["address"]);
  if (fields["protocol"] === "ECDSA" && /^(?:bc|tb|bcrt)1p/i.test(address)) {
    throw new WalletError(RpcCode.methodNotSupported, sentence("notSupported"));
  }
  return [address];
}

/** Checks without a popup whether the active account has the address. An unreadable response does not stop the call. */
async function requireAccount(standard: Adapter, address: string): Promise<void> {
  const answer = await Promise.race([
    standard.request("wallet_getAccount", null).catch((error: unknown) => error),
    new Promise((resolve) => setTimeout(resolve, QUIET_MS)),
  ]);
  if (answer instanceof WalletError && answer.kind === "disconnected") throw answer;
  const addresses = asRecord(answer)?.["addresses"];
  if (!Array.isArray(addresses) || addresses.length === 0) return;
  if (addresses.some((entry) => asRecord(entry)?.["address"] === address)) return;
  throw new WalletError(RpcCode.accessDenied, sentence("otherAccount", address), undefined, { kind: "otherAccount" });
}
