import { asRecord, RpcCode, WalletError } from "../errors.ts";
import type { WindowProvider } from "../providers.ts";
import { sentence } from "../texts.ts";
import type { Adapter } from "./adapter.ts";
import { standardAdapter } from "./standard.ts";

/** How long a question that Xverse answers by itself may take before the call goes on without the answer, in ms. */
const QUIET_MS = 3_000;

/**
 * Xverse speaks the standard. What it cannot do it shows in its popup, answers nothing while that is open,
 * and then says -32000 "User rejected the request.", as for a no of the person. So the cases that are known
 * are refused here, before a popup opens: a page that is not connected, an address of another account, ECDSA
 * with a taproot address.
 *
 * Facts: answers of Xverse 0.49.0 in testing/answers.
 */
export function xverseAdapter(provider: Required<WindowProvider>): Adapter {
  const standard = standardAdapter(provider);
  return {
    ...standard,
    async request(method, params) {
      for (const address of signersOf(method, params)) await mustHave(standard, address);
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

/** Asks without a popup whether the active account has the address. An answer that cannot be read stops nothing. */
async function mustHave(standard: Adapter, address: string): Promise<void> {
  const answer = await Promise.race([
    standard.request("wallet_getAccount", null).catch((fault: unknown) => fault),
    new Promise((resolve) => setTimeout(resolve, QUIET_MS)),
  ]);
  if (answer instanceof WalletError && answer.kind === "disconnected") throw answer;
  const addresses = asRecord(answer)?.["addresses"];
  if (!Array.isArray(addresses) || addresses.length === 0) return;
  if (addresses.some((entry) => asRecord(entry)?.["address"] === address)) return;
  throw new WalletError(RpcCode.accessDenied, sentence("otherAccount", address), undefined, { kind: "otherAccount" });
}
