// @vitest-environment node
import { describe, expect, it } from "vitest";
import { landingPage } from "../app/prerender.tsx";
import { landingText } from "../lib/landingText.ts";

const page = landingPage();
const all = (pattern: RegExp) => [...page.matchAll(pattern)].map((match) => match[1]!);

describe("landing page", () => {
  it("is a whole document without any script", () => {
    expect(page).toMatch(/^<!doctype html><html lang="en">/);
    expect(page).not.toMatch(/<script|\son[a-z]+=|javascript:/i);
    expect(all(/<style>(.*?)<\/style>/g)).toEqual([""]);
  });

  it("leaves to Go what only the server knows, in whole actions", () => {
    expect(page).toContain("<h1 class=\"max-w-2xl text-5xl font-bold sm:text-7xl\">Together {{.Product}}</h1>");
    expect(page).toContain("What is {{.Product}}?");
    const opened = all(/\{\{(range|if|with) \.\w+\}\}/g).length;
    expect(opened).toBeGreaterThan(0);
    expect(all(/(\{\{end\}\})/g)).toHaveLength(opened);
    // The names that web/landing.go fills in; "else" and "end" aside.
    expect(new Set(all(/\{\{(?:range |if |with )?\.(\w+)\}\}/g))).toEqual(
      new Set(
        ["Product", "Origin", "Picture", "LearnMore", "Communities", "URL", "Host", "Image", "Name", "Token", "Ordinals", "Live"].concat(
          ["Staked", "StakedExact", "Issued", "IssuedExact", "Epoch", "Ends", "EndsMachine"],
        ),
      ),
    );
  });

  it("has every hash that it links to, once", () => {
    const ids = all(/\sid="([^"]+)"/g);
    expect(new Set(ids).size).toBe(ids.length);
    for (const hash of all(/href="#([^"]+)"/g)) expect(ids).toContain(hash);
    for (const [id] of landingText.faq.list) expect(ids).toContain(id);
  });

  it("answers every question in sentences", () => {
    for (const [id, question, answer] of landingText.faq.list) {
      expect(id).toMatch(/^[a-z-]+$/);
      expect(question).toMatch(/\?$/);
      expect(answer.join(" ").length).toBeGreaterThan(120);
      for (const paragraph of answer) expect(paragraph).toMatch(/\.$/);
    }
  });
});
