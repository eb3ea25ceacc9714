import type { VerifyText } from "../lib/text/en.verify.ts";
import type { Line, Outcome, Report } from "../verify/report.ts";
import type { Signed } from "../verify/statement.ts";
import { inTokens, type Tokens } from "../verify/tokens.ts";
import { h } from "./dom.ts";

const tones: Record<Outcome, string> = {
  passed: "border-aurora text-aurora",
  failed: "border-ember text-ember",
  unchecked: "border-amber text-amber",
};
const marks: Record<Outcome, string> = { passed: "✓", failed: "✕", unchecked: "–" };

/** One check: its outcome in words and as a mark, what was checked, and the detail. Amounts are in tokens if known. */
export function lineItem(
  { check, outcome, values, detail }: Line, text: VerifyText, tokens: Tokens | null,
): HTMLLIElement {
  const language = document.documentElement.lang;
  const written = values.map((value) => {
    if (typeof value !== "bigint") return value;
    return tokens ? inTokens(value, tokens, language) : text.page.baseUnits(value.toLocaleString(language));
  });
  return h(
    "li",
    { class: "grid grid-cols-[2rem_minmax(0,1fr)] gap-3 border-t border-line py-4", "data-check": check },
    h(
      "span",
      {
        class: `grid size-7 place-items-center rounded-full border font-bold ${tones[outcome]}`,
        "aria-hidden": "true",
      },
      marks[outcome],
    ),
    h(
      "div",
      { class: "min-w-0" },
      h(
        "p",
        { class: "flex flex-wrap items-baseline gap-x-3" },
        h("strong", { class: "text-moon" }, text.checks[check]),
        h("span", { class: `text-sm font-semibold ${tones[outcome]}` }, text.outcomes[outcome]),
      ),
      h("p", { class: "mt-1 wrap-anywhere" }, text[outcome][check](...written)),
      detail !== "" && h("p", { class: "mt-1 text-sm wrap-anywhere text-mist", lang: "en" }, detail),
    ),
  );
}

/** The sentence above the lines. It never says that all is right while something was not checked. */
export function verdict(report: Report, text: VerifyText): { outcome: Outcome; sentence: string } {
  const [failed, unchecked] = [report.count("failed"), report.count("unchecked")];
  if (failed > 0) return { outcome: "failed", sentence: text.verdict.failed(failed) };
  if (report.count("passed") === 0) return { outcome: "unchecked", sentence: text.verdict.nothing };
  if (unchecked > 0) return { outcome: "unchecked", sentence: text.verdict.partly(unchecked) };
  return { outcome: "passed", sentence: text.verdict.passed };
}

/** The verdict with advice. */
export function verdictBox(report: Report, text: VerifyText): HTMLElement {
  const { outcome, sentence } = verdict(report, text);
  return h(
    "div",
    {
      class: `rounded-box border bg-night px-4 py-3 ${tones[outcome]}`,
      role: outcome === "failed" ? "alert" : "status",
    },
    h("p", { class: "text-lg font-bold", id: "verdict" }, sentence),
    outcome === "failed" && h("p", { class: "mt-1" }, text.verdict.failedAdvice),
  );
}

const day = (unix: number): string => `${new Date(unix * 1000).toISOString().slice(0, 16).replace("T", " ")} UTC`;

/** The newest statement and the incidents of all. */
export function summary(chain: Signed[], text: VerifyText): HTMLElement {
  const last = chain.at(-1)!;
  const incidents = chain.flatMap((s) => s.incidents);
  return h(
    "div",
    { class: "mt-2 border-t border-line pt-4" },
    h("h3", { class: "font-bold" }, text.page.newest),
    h("p", {}, text.page.epoch(String(last.epoch), last.community, last.network)),
    h("p", { class: "text-sm text-mist" }, `${day(last.start)} – ${day(last.end)}`),
    h("p", { class: "text-sm wrap-anywhere text-mist" }, last.id),
    h("h3", { class: "mt-4 font-bold" }, text.page.incidents),
    incidents.length === 0
      ? h("p", {}, text.page.noIncidents)
      : h("ul", {}, ...incidents.map((one) => h("li", {}, `${day(one.time)} · ${one.kind} ${one.detail}`))),
    h("p", { class: "mt-4 text-sm text-mist" }, text.verdict.limits),
  );
}
