import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { keys } from "../api/keys.ts";
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
