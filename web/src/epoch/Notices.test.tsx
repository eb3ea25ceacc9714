import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen, waitFor } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";
import { keys } from "../api/keys.ts";
import { text } from "../lib/text.ts";
import { serve, show as showPage } from "../testing/page.tsx";
import { infoGlobals, status } from "../testing/wire.ts";
import { Notices } from "./Notices.tsx";

const show = (status: object) => {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity, retry: false } } });
  client.setQueryData(keys.status, { tip_height: 840_500, node_height: 976_000, paused: "none", ...status });
  render(
    <QueryClientProvider client={client}>
      <Notices />
    </QueryClientProvider>,
  );
};

describe("notices", () => {
  it("says how far a server is that catches up, and how long it will take", () => {
    show({ catching_up: true, seconds_left: 1_500 });
    expect(screen.getByText(/block 840,500 of 976,000, about 25 minutes left/)).toBeTruthy();
  });

  it("speaks of hours when it takes long", () => {
    show({ catching_up: true, seconds_left: 13_000 });
    expect(screen.getByText(/about 4 hours left/)).toBeTruthy();
  });

  it("promises no time while the server can't estimate it", () => {
    show({ catching_up: true });
    expect(screen.getByText(/in a few minutes/)).toBeTruthy();
  });
});

describe("a lost connection", () => {
  const answers = { infoGlobals: () => infoGlobals({ frontNotice: "" }), status: () => status() };
  const fail = () => vi.stubGlobal("fetch", () => Promise.reject(new TypeError("no network")));
  const reports = (isOnline: boolean) => vi.spyOn(navigator, "onLine", "get").mockReturnValue(isOnline);
  const open = async () => {
    serve(answers);
    const { client } = showPage(<Notices />);
    await waitFor(() => expect(client.getQueryData(keys.globals)).toBeDefined());
    return { refetch: () => client.refetchQueries({ queryKey: keys.live }) };
  };

  it.each([
    [false, text.epoch.offline],
    [true, text.epoch.unreachable],
  ])("is said until a request succeeds, while the browser reports online: %s", async (isOnline, sentence) => {
    const { refetch } = await open();
    fail();
    reports(isOnline);
    await refetch();
    await screen.findByText(sentence);
    serve(answers);
    await refetch();
    await waitFor(() => expect(screen.queryByText(sentence)).toBeNull());
  });

  it("is said on a page that was opened offline", async () => {
    fail();
    reports(false);
    showPage(<Notices />);
    await screen.findByText(text.epoch.offline);
    expect(screen.queryByText(text.epoch.unreachable)).toBeNull();
  });

  it("is not said while the server answers, whatever the browser reports", async () => {
    const { refetch } = await open();
    reports(false);
    await refetch();
    expect(screen.queryByText(text.epoch.offline)).toBeNull();
  });
});
