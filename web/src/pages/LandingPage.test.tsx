import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { landing as german } from "../lib/text/de.landing.ts";
import { landing as english } from "../lib/text/en.landing.ts";
import { LandingPage } from "./LandingPage.tsx";

describe.each([
  ["en" as const, english],
  ["de" as const, german],
])("landing page, %s", (language, landing) => {
  const page = renderToStaticMarkup(<LandingPage words={landing} language={language} />);
  const all = (pattern: RegExp) => [...page.matchAll(pattern)].map((match) => match[1]!);

  it("is a whole document without any script", () => {
    expect(page).toMatch(new RegExp(`^<html lang="${language}">`));
    expect(page).not.toMatch(/<script|\son[a-z]+=|javascript:/i);
    expect(all(/<style>(.*?)<\/style>/g)).toEqual([""]);
  });

  it("contains complete template actions for the server's values", () => {
    expect(page).toContain(`${landing.together("{{.Product}}")}</h1>`);
    expect(page).toContain(landing.about.title("{{.Product}}"));
    const opened = all(/\{\{(range|if|with) \.\w+\}\}/g).length;
    expect(opened).toBeGreaterThan(0);
    expect(all(/(\{\{end\}\})/g)).toHaveLength(opened);
    // The names that web/landing.go fills in, without "else" and "end".
    expect(new Set(all(/\{\{(?:range |if |with )?\.(\w+)\}\}/g))).toEqual(
      new Set(
        [
          "Product",
          "Origin",
          "Canonical",
          "Picture",
          "LearnMore",
          "Etch",
          "Communities",
          "URL",
          "Host",
          "Image",
          "Name",
          "Token",
          "Ordinals",
          "Hero",
          "Description",
          "Live",
          "Missing",
          "Proofs",
          "Published",
          "Version",
          "Source",
          "Contact",
        ].concat(["Staked", "StakedExact", "Issued", "IssuedExact", "Epoch", "Ends", "EndsMachine"]),
      ),
    );
  });

  it("has each linked hash once", () => {
    const ids = all(/\sid="([^"]+)"/g);
    expect(new Set(ids).size).toBe(ids.length);
    for (const hash of all(/href="#([^"]+)"/g)) expect(ids).toContain(hash);
    for (const [id] of landing.faq.list) expect(ids).toContain(id);
  });

  it("answers every question in full sentences", () => {
    for (const [id, question, answer] of landing.faq.list) {
      expect(english.faq.list.map(([hash]) => hash)).toContain(id);
      expect(id).toMatch(/^[a-z-]+$/);
      expect(question).toMatch(/\?$/);
      expect(answer.join(" ").length).toBeGreaterThan(120);
      for (const paragraph of answer) expect(paragraph).toMatch(/\.$/);
    }
  });
});
