import { QueryClient, QueryClientProvider, useQuery } from "@tanstack/react-query";
import { act, render, screen } from "@testing-library/react";
import { beforeEach, expect, it } from "vitest";
import { refetch } from "./refetch.ts";

const KEY = ["live", "wallet", "orders"];

let client = new QueryClient();
/** The requests that the server has not answered. */
let requests: PromiseWithResolvers<string>[] = [];

beforeEach(() => {
  client = new QueryClient({ defaultOptions: { queries: { retry: false, networkMode: "always" } } });
  requests = [];
});

function Orders() {
  const { data, status } = useQuery({
    queryKey: KEY,
    queryFn: () => {
      const request = Promise.withResolvers<string>();
      requests.push(request);
      return request.promise;
    },
  });
  return <p>{data ?? status}</p>;
}

const show = () =>
  render(
    <QueryClientProvider client={client}>
      <Orders />
    </QueryClientProvider>,
  );

const answer = (text: string) => act(async () => requests.shift()!.resolve(text));
const change = (key: string[]) => act(async () => refetch(client, key));

it("repeats a first fetch that a change overtakes, and shows its response meanwhile", async () => {
  show();
  await change(["live"]);
  expect(requests).toHaveLength(1);
  await answer("pending");
  expect(await screen.findByText("pending")).toBeTruthy();
  await answer("expired");
  expect(await screen.findByText("expired")).toBeTruthy();
  expect(requests).toEqual([]);
});

it("repeats it once for several changes", async () => {
  show();
  for (const key of [["live"], ["live", "wallet"], ["live"]]) await change(key);
  await answer("pending");
  expect(requests).toHaveLength(1);
  await answer("expired");
  expect(requests).toEqual([]);
  expect(await screen.findByText("expired")).toBeTruthy();
});

it("repeats a first fetch that fails", async () => {
  show();
  await change(["live"]);
  await act(async () => requests.shift()!.reject(new Error("unreachable")));
  await answer("expired");
  expect(await screen.findByText("expired")).toBeTruthy();
});

it("replaces a later fetch, and leaves other data alone", async () => {
  show();
  await answer("pending");
  await change(["feeRates"]);
  expect(requests).toEqual([]);
  await change(["live"]);
  await change(["live"]);
  expect(requests).toHaveLength(2);
  requests.shift();
  await answer("expired");
  expect(await screen.findByText("expired")).toBeTruthy();
});
