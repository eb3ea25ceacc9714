import { renderHook, waitFor } from "@testing-library/react";
import { beforeEach, expect, it, vi } from "vitest";
import { session } from "../testing/wire.ts";
import { walletTexts } from "../wallet/texts.ts";

/** A page that is loaded with a stored session. */
async function load() {
  const { stored } = await import("../wallet/storage.ts");
  stored.session.write(session);
  const page = await import("./session.ts");
  const { result } = renderHook(() => [page.useSession(), page.useWalletTrouble()] as const);
  expect(result.current[0]).not.toBeNull();
  return { ...page, stored, result };
}

beforeEach(() => vi.resetModules());

it("says that the wallet ended a restored session while its library was loaded", async () => {
  const { listen, result } = await load();
  const listening = listen();
  const [{ endSession }, { RpcCode, WalletError }, { sentence }] = await Promise.all([
    import("../wallet/ending.ts"),
    import("../wallet/errors.ts"),
    import("../wallet/texts.ts"),
  ]);
  endSession(new WalletError(RpcCode.accessDenied, sentence("ended")));
  await listening;
  await waitFor(() => expect(result.current).toEqual([null, { message: walletTexts.ended, details: null }]));
});

it("blames no wallet if another tab disconnects while the library is loaded", async () => {
  const { listen, stored, result } = await load();
  const listening = listen();
  stored.session.remove();
  await listening;
  await waitFor(() => expect(result.current).toEqual([null, null]));
});
