import { beforeEach, describe, expect, it, vi } from "vitest";
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

beforeEach(() => void vi.spyOn(console, "warn").mockImplementation(() => {}));

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
    const details = "postAction went wrong in a strange way";
    expect(await fault()).toMatchObject({ message: text.action.unexpected("postAction"), details });
    expect(console.warn).toHaveBeenCalledWith(details);
  });

  it.each([
    [404, text.http.notFound, "404, Not Found"],
    [500, text.http.internal, "500, Internal Server Error"],
    [502, "Bad Gateway", "Bad Gateway"],
  ])("names status %i, and logs it in the specification's words", async (status, message, details) => {
    answer(() => new Response("<html>", { status, statusText: "Bad Gateway" }));
    expect(await fault()).toMatchObject({ kind: "http", status, message, details });
    expect(console.warn).toHaveBeenCalledWith(details);
  });

  it("prefers the envelope's message over the status", async () => {
    answer(() => Response.json({ success: false, message: "Too many calls.", data: null }, { status: 429 }));
    expect(await fault()).toMatchObject({ message: "Too many calls.", details: null });
  });

  it("rejects an empty body", async () => {
    const empty = { message: text.http.nullBody, details: "Null APIResponse" };
    answer(() => new Response(""));
    expect(await fault()).toMatchObject(empty);
    answer(() => Response.json({ success: true, message: "", data: null }));
    expect(await fault()).toMatchObject(empty);
  });

  it("reports a missing response", async () => {
    answer(() => Promise.reject(new TypeError("Failed to fetch")));
    expect(await fault()).toMatchObject({ kind: "unreachable", message: text.http.unreachable });
    vi.spyOn(navigator, "onLine", "get").mockReturnValueOnce(false);
    expect(await fault()).toMatchObject({ kind: "unreachable", message: text.http.offline });
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
