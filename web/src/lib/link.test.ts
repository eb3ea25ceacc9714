// @vitest-environment node
import { expect, test } from "vitest";
import { contactLink } from "./link.ts";

test("a contact is an e-mail address, a page, or nothing", () => {
  expect(contactLink("help@example.org")).toBe("mailto:help@example.org");
  expect(contactLink("https://example.org/help")).toBe("https://example.org/help");
  expect(contactLink("https://example.org/@help")).toBe("https://example.org/@help");
  expect(contactLink("")).toBeNull();
});
