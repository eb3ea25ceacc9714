import { beforeAll, expect, it, vi } from "vitest";
import { ApiError } from "../api/client.ts";
import { RpcCode, WalletError } from "../wallet/errors.ts";
import { sentence } from "../wallet/texts.ts";
import { failureOf, logged } from "./failure.ts";
import { text } from "./text.ts";
import { walletErrors } from "./text/en.wallet.ts";
import { loadSentences } from "./translate.ts";

beforeAll(loadSentences);

const refused = new WalletError(RpcCode.userRejection, sentence("connectionRefused"));

it("shows the page's sentence, and the catalogue's in the details", () => {
  expect(failureOf(refused, "")).toEqual({
    message: walletErrors.connectionRefused,
    details: "User refused connection.",
  });
  const away = new ApiError("http", text.http.notFound, { details: "404, Not Found" });
  expect(failureOf(away, "")).toEqual({ message: text.http.notFound, details: "404, Not Found" });
});

it("shows no words of a wallet or a library", () => {
  expect(failureOf(new WalletError(-1, "Out of coins."), "")).toEqual({ message: walletErrors.foreign, details: null });
  const declined = new WalletError(RpcCode.userRejection, "No way.");
  expect(failureOf(declined, "")).toEqual({ message: walletErrors.declined, details: null });
  expect(failureOf(new TypeError("x is undefined"), "Failed.")).toEqual({ message: "Failed.", details: null });
});

it("has no details if the sentence is the server's own", () => {
  const sent = { code: "", message: "It is not staked." };
  expect(failureOf(new ApiError("refused", "", { sent }), "")).toEqual({ message: sent.message, details: null });
  expect(failureOf("thrown", "Failed.")).toEqual({ message: "Failed.", details: null });
});

it("logs the catalogue's sentence only", () => {
  const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
  expect(logged(refused)).toBe(refused);
  logged(new Error("Any words"));
  logged(null);
  expect(warn.mock.calls).toEqual([["User refused connection."]]);
});
