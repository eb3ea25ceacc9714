import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render } from "@testing-library/react";
import type { ReactNode } from "react";
import { vi } from "vitest";

type Answer = (body: Record<string, unknown>) => unknown;

/** A refusal in the product server's envelope. */
export class Refusal {
  readonly message: string;
  readonly code: string;
  constructor(message: string, code = "REFUSED_IN_A_TEST") {
    this.message = message;
    this.code = code;
  }
}

/**
 * Stubs fetch with answers by call name. An unexpected call fails its test. By default the community has no statements.
 */
export function serve(answers: Record<string, Answer>): { calls: [call: string, body: Record<string, unknown>][] } {
  const calls: [string, Record<string, unknown>][] = [];
  vi.stubGlobal("fetch", (input: string, init?: RequestInit) => {
    const call = new URL(input, "http://local").pathname.split("/").at(-1)!;
    const body = init?.body ? (JSON.parse(init.body as string) as Record<string, unknown>) : {};
    calls.push([call, body]);
    const answer = answers[call];
    if (call === "head" && !answer) return Promise.resolve(new Response(null, { status: 404 })); // no statements
    if (!answer) return Promise.reject(new Error(`unexpected call ${call}`));
    const data = answer(body);
    return data instanceof Promise ? data.then(respond) : Promise.resolve(respond(data));
  });
  return { calls };
}

function respond(data: unknown): Response {
  const envelope =
    data instanceof Refusal
      ? { success: false, message: data.message, code: data.code, data: null }
      : { success: true, message: "", data };
  return Response.json(envelope);
}

export function show(children: ReactNode) {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false, networkMode: "always" } } });
  return { client, ...render(<QueryClientProvider client={client}>{children}</QueryClientProvider>) };
}

type Reply = { result: unknown } | { error: { code: number; message: string } };

/** Installs a wallet as extensions do. It answers by method and records its requests. */
export function installWallet(replies: Record<string, (params: unknown) => Reply>): {
  requests: [method: string, params: unknown][];
} {
  const requests: [string, unknown][] = [];
  const provider = {
    request: (method: string, params: unknown) => {
      requests.push([method, params]);
      const reply = replies[method]?.(params) ?? { error: { code: -32601, message: `no ${method}` } };
      return Promise.resolve({ jsonrpc: "2.0", id: "1", ...reply });
    },
    addListener: () => () => {},
  };
  vi.stubGlobal("TestWallet", provider);
  vi.stubGlobal("btc_providers", [{ id: "TestWallet", name: "Test Wallet", icon: "" }]);
  localStorage.setItem("moonfund.wallet.provider", JSON.stringify("TestWallet"));
  return { requests: requests };
}
