import { QueryClientProvider, QueryClient } from "@tanstack/react-query";
import { act, renderHook } from "@testing-library/react";
import type { ReactNode } from "react";
import { expect, it, vi } from "vitest";
import { serve } from "../testing/page.tsx";
import { order, wallet } from "../testing/wire.ts";
import { useOrders } from "./orders.ts";

it("fetches an order that can change every 30 s without any event, and no order that is finished", async () => {
  vi.useFakeTimers();
  let orders = [order()];
  const { calls } = serve({ fetchClientPOs: () => ({ orders }) });
  const client = new QueryClient();
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  );
  renderHook(() => useOrders(wallet), { wrapper });
  await act(() => vi.advanceTimersByTimeAsync(61_000));
  expect(calls).toHaveLength(3);
  orders = [order({ po_status: "CONSOLIDATED" })];
  await act(() => vi.advanceTimersByTimeAsync(120_000));
  expect(calls).toHaveLength(4);
});
