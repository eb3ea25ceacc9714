import { describe, expect, it, vi } from "vitest";
import { ApiError, post, emptyIfUnknown } from "./client.ts";
import { text } from "../lib/text.ts";

function answer(make: () => Response | Promise<Response>): void {
  vi.stubGlobal("fetch", () => Promise.resolve().then(make));
}

const fault = async (): Promise<ApiError> =>
  post("postAction", {}).then(
    () => expect.unreachable("the call must fail"),
    (error: unknown) => error as ApiError,
  );

describe("a call", () => {
  it("returns the envelope's data", async () => {
    answer(() => Response.json({ success: true, message: "", data: { a: 1 } }));
    expect(await post("postAction", {})).toEqual({ a: 1 });
  });

  it("shows the server's sentence for a refusal", async () => {
    answer(() => Response.json({ success: false, message: "Unit is not staked", data: null }));
    expect(await fault()).toMatchObject({ kind: "refused", message: "Unit is not staked" });
  });

  it("shows a default message when the server sends none", async () => {
    answer(() => Response.json({ success: false, message: "", data: null }));
    expect((await fault()).message).toBe(text.action.unexpected("postAction"));
  });

  it.each([
    [404, text.http.notFound],
    [500, text.http.internal],
    [502, "Bad Gateway"],
  ])("names status %i", async (status, message) => {
    answer(() => new Response("<html>", { status, statusText: "Bad Gateway" }));
    expect(await fault()).toMatchObject({ kind: "http", status, message });
  });

  it("prefers the envelope's message over the status", async () => {
    answer(() => Response.json({ success: false, message: "Too many calls.", data: null }, { status: 429 }));
    expect((await fault()).message).toBe("Too many calls.");
  });

  it("rejects an empty body", async () => {
    answer(() => new Response(""));
    expect((await fault()).message).toBe(text.http.nullBody);
    answer(() => Response.json({ success: true, message: "", data: null }));
    expect((await fault()).message).toBe(text.http.nullBody);
  });

  it("reports a missing response", async () => {
    answer(() => Promise.reject(new TypeError("Failed to fetch")));
    expect(await fault()).toMatchObject({ kind: "unreachable", message: text.http.unreachable });
  });
});

it("treats only an unknown wallet as empty", () => {
  const empty = emptyIfUnknown(0);
  const unknown = { code: "WALLET_DOES_NOT_EXIST", message: "Any words" };
  expect(empty(new ApiError("refused", "", { sent: unknown }))).toBe(0);
  expect(() =>
    empty(new ApiError("refused", "", { sent: { code: "OTHER", message: "Wallet does not exist" } })),
  ).toThrow("Wallet does not exist");
  expect(() => empty(new ApiError("http", "", { sent: unknown }))).toThrow();
});
