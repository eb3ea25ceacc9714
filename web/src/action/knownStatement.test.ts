import { beforeEach, describe, expect, it, vi } from "vitest";
import { site } from "../lib/site.ts";
import { conflict } from "../lib/text/en.conflict.ts";
import { statementId } from "../verify/statement.ts";
import { sign, vectors } from "../verify/testing/vectors.ts";
import { clearAll } from "../wallet/storage.ts";
import { StatementConflict } from "./conflict.ts";
import { checkedStatement, forgetStatement, requireNamed } from "./knownStatement.ts";

const chain = vectors.chains[0]!.statements;
const foreign = vectors.chains[1]!.statements[0]!;

/** Serves statements by their place; the last one is the head. Returns the requested paths. */
function serve(texts: readonly string[]): string[] {
  const paths: string[] = [];
  vi.stubGlobal("fetch", (input: string) => {
    const which = new URL(input, "http://local").pathname.split("/").at(-1)!;
    paths.push(which);
    const text = which === "head" ? texts.at(-1) : texts[Number(which)];
    return Promise.resolve(new Response(text ?? "{}", { status: text === undefined ? 404 : 200 }));
  });
  return paths;
}

const upTo = (count: number): string[] => chain.slice(0, count).map(({ signed }) => signed);

/** The chain of the vectors with another history from a place on, correctly signed. */
function forked(from: number): string[] {
  let previous = "";
  return chain.map(({ statement, signed }, i) => {
    if (i < from) return signed;
    const other = statement
      .replace(/"as_of":\{"hash":"../, i === from ? '"as_of":{"hash":"00' : "$&")
      .replace(/"previous":"[0-9a-f]{64}"/, i === from ? "$&" : `"previous":"${previous}"`);
    previous = statementId(other);
    return sign(other);
  });
}

async function refused(): Promise<StatementConflict> {
  const error = await checkedStatement().then(
    () => null,
    (error: unknown) => error,
  );
  expect(error).toBeInstanceOf(StatementConflict);
  return error as StatementConflict;
}

beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
  vi.stubGlobal("fetch", undefined);
  Object.assign(site, { prefix: "lobo", network: "regtest" });
});

describe("the statement that a message names", () => {
  it("is none while the community has none", async () => {
    serve([]);
    expect(await checkedStatement()).toBeUndefined();
  });

  it("is the head, also when the chain has grown", async () => {
    serve(upTo(2));
    expect(await checkedStatement()).toBe(chain[1]!.id);
    const paths = serve(upTo(4));
    expect(await checkedStatement()).toBe(chain[3]!.id);
    expect(paths).toEqual(["head", "1", "2"]);
    serve(upTo(4));
    expect(await checkedStatement()).toBe(chain[3]!.id);
  });

  it.each([0, 1, 2])("is refused if the chain was forked at %d", async (from) => {
    serve(upTo(3));
    await checkedStatement();
    serve(forked(from));
    const error = await refused();
    expect([error.kind, error.message]).toEqual(["fork", conflict.fork(2)]);
    expect([error.seen?.text, error.shown?.text]).toEqual([chain[2]!.signed, forked(from)[2]]);
    await refused(); // it stays refused
    serve(upTo(4));
    expect(await checkedStatement()).toBe(chain[3]!.id);
  });

  it("is refused if the statements after the last seen one do not follow it", async () => {
    serve(upTo(2));
    await checkedStatement();
    serve([...upTo(3), forked(2)[3]!]);
    expect((await refused()).kind).toBe("fork");
  });

  it("is refused if the head has another history with as many statements", async () => {
    serve(upTo(3));
    await checkedStatement();
    serve(forked(2).slice(0, 3));
    expect((await refused()).kind).toBe("fork");
  });

  it("is refused if statements were withdrawn", async () => {
    serve(upTo(3));
    await checkedStatement();
    serve(upTo(2));
    expect((await refused()).message).toBe(conflict.behind(2, 1));
    serve([]);
    const error = await refused();
    expect([error.kind, error.seen?.id, error.shown]).toEqual(["missing", chain[2]!.id, null]);
  });

  it.each([
    ["is of another community", foreign.signed],
    ["has a wrong signature", chain[1]!.signed.replace(/"signature":"../, '"signature":"00')],
    ["is changed", chain[1]!.signed.replace('"epoch":1', '"epoch":2')],
    ["is not a statement", "<html>"],
  ])("is refused if it %s", async (_, text) => {
    serve([chain[0]!.signed, text]);
    expect((await refused()).kind).toBe("unreadable");
  });

  it("is refused if another key signed it", async () => {
    serve(upTo(1));
    await checkedStatement();
    serve([sign(chain[0]!.statement, "11".repeat(32))]);
    expect((await refused()).kind).toBe("fork");
  });

  it("is remembered by community, and survives a disconnect within the tab", async () => {
    serve(upTo(3));
    await checkedStatement();
    clearAll();
    expect(localStorage.length).toBe(0);
    serve(upTo(2));
    expect((await refused()).kind).toBe("behind");
  });

  it("is the server's again once the user decides so", async () => {
    serve(upTo(3));
    await checkedStatement();
    serve(forked(1));
    await refused();
    forgetStatement();
    expect(await checkedStatement()).toMatch(/^[0-9a-f]{64}$/);
  });

  it("must be the one in the message", async () => {
    const id = chain[0]!.id;
    await requireNamed(`a\nStatement: ${id}\nb`, id);
    await requireNamed("a\nb", undefined);
    serve([]);
    for (const [message, wanted] of [
      ["a\nb", id],
      [`Statement: ${id}`, undefined],
      [`Statement: ${chain[1]!.id}`, id],
      [`Statement: ${id}\nStatement: ${chain[1]!.id}`, id],
    ] as const) {
      await expect(requireNamed(message, wanted)).rejects.toThrow(conflict.unnamed);
    }
  });

  it("can be the first one, which was published after the message was requested", async () => {
    const message = `a\nStatement: ${chain[0]!.id}\nb`;
    serve(upTo(1));
    await requireNamed(message, undefined);
    serve(upTo(2));
    expect(await checkedStatement()).toBe(chain[1]!.id); // the first one is remembered
    clearAll();
    sessionStorage.clear();
    serve(forked(0).slice(0, 1));
    await expect(requireNamed(message, undefined)).rejects.toThrow(conflict.unnamed);
  });
});
