import { renderHook, waitFor } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { session } from "../testing/wire.ts";
import { stored } from "../wallet/storage.ts";
import { walletTexts } from "../wallet/index.ts";

it("says that a restored session ended while the wallet library was loaded", async () => {
  stored.session.write(session);
  vi.resetModules();
  const page = await import("./session.ts");
  const { result } = renderHook(() => [page.useSession(), page.useWalletTrouble()] as const);
  expect(result.current[0]).not.toBeNull();
  stored.session.remove();
  await page.listen();
  await waitFor(() => expect(result.current).toEqual([null, { message: walletTexts.ended, details: null }]));
});
