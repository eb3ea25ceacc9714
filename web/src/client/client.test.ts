// @vitest-environment node
import { expect, test } from "vitest";
import { CallError, createClient } from "./index.ts";

function answering(body: unknown, status = 200) {
  const sent: { url: string; init: RequestInit | undefined }[] = [];
  const client = createClient({
    origin: "https://example.org",
    community: "lobo",
    fetch: async (url, init) => {
      sent.push({ url: String(url), init });
      return new Response(typeof body === "string" ? body : JSON.stringify(body), { status });
    },
  });
  return { client, sent };
}

test("a call has its path, query and body, and returns the data of the envelope", async () => {
  const { client, sent } = answering({ success: true, data: { txid: "ab" } });
  expect(await client.post("/sendRecovery", { body: { psbt: "x/y" } as never })).toEqual({ txid: "ab" });
  await client.get("/epochs", { query: { before: 7 } });
  await client.get("/epochs/{epoch}", { path: { epoch: 3 } });
  expect(sent.map((s) => s.url)).toEqual([
    "https://example.org/lobo/sendRecovery",
    "https://example.org/lobo/epochs?before=7",
    "https://example.org/lobo/epochs/3",
  ]);
  expect(sent[0]?.init).toMatchObject({ method: "POST", body: '{"psbt":"x/y"}' });
});

test("a refusal has the server's sentence and code", async () => {
  const { client } = answering({ success: false, message: "It is not staked.", code: "UNIT_NOT_STAKED" });
  const error = await client.get("/community").catch((e: unknown) => e);
  expect(error).toBeInstanceOf(CallError);
  expect(error).toMatchObject({ message: "It is not staked.", code: "UNIT_NOT_STAKED", status: 200 });
});

test.each([
  [404, "", "404, Not Found"],
  [404, { success: false, message: "" }, "404, Not Found"],
  [500, "<html>", "500, Internal Server Error"],
  [502, "<html>", "502"],
  [200, "", "Null APIResponse"],
  [200, "null", "Null APIResponse"],
  [200, { success: false, message: "" }, "sendRecovery went wrong in a strange way"],
])("an answer with status %i and the body %j throws the specification's words", async (status, body, message) => {
  const { client } = answering(body, status);
  const call = client.post("/sendRecovery", { body: { psbt: "x" } as never });
  await expect(call).rejects.toMatchObject({ name: "CallError", message, status, code: "" });
});
