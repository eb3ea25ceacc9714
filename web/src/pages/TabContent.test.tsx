import { screen, waitFor } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { serve, show } from "../testing/page.tsx";
import { community, session, units } from "../testing/wire.ts";
import { Panel } from "./Panel.tsx";
import TabContent from "./TabContent.tsx";

vi.mock("../push/browser.ts", () => ({ canPush: () => true }));
vi.mock("../push/PushMessages.tsx", () => Promise.reject(new Error("not loaded")));
vi.mock("../receipts/KeepReceipts.tsx", () => Promise.reject(new Error("not loaded")));

it("keeps the tab if its optional parts can't be loaded", async () => {
  const failed = vi.spyOn(console, "error").mockReturnValue();
  serve({
    community: () => community(),
    fetchWalletUtxos: () => ({ utxos_list: units() }),
    fetchClientPOs: () => ({ orders: [] }),
  });
  show(
    <Panel>
      <TabContent id="withdraw" session={session} onOpenOrder={() => {}} />
    </Panel>,
  );
  await waitFor(() => expect(failed.mock.calls.filter(([what]) => what === "render error")).toHaveLength(2));
  expect(await screen.findByText("Select all")).toBeTruthy();
});
