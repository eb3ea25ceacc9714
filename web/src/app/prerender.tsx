import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { Router } from "wouter";
import type { Globals } from "../api/globals.ts";
import { keys } from "../api/keys.ts";
import { language, languages, type Language } from "../lib/language.ts";
import { text } from "../lib/text.ts";
import { titles } from "../pages/useTitle.ts";
import type { GuideText } from "../lib/text/en.guide.ts";
import type { LandingText } from "../lib/text/en.landing.ts";
import { DashboardPage } from "../pages/DashboardPage.tsx";
import { GuidePage } from "../pages/GuidePage.tsx";
import { LandingPage } from "../pages/LandingPage.tsx";
import { TermsPage } from "../pages/TermsPage.tsx";
import TestPage from "../pages/TestPage.tsx";

export { default as landingStyle } from "./landing.css?inline";

export const codes = Object.keys(languages);

const landings: Record<Language, () => Promise<{ landing: LandingText }>> = {
  en: () => import("../lib/text/en.landing.ts"),
  de: () => import("../lib/text/de.landing.ts"),
};

const guides: Record<Language, () => Promise<{ guide: GuideText }>> = {
  en: () => import("../lib/text/en.guide.ts"),
  de: () => import("../lib/text/de.guide.ts"),
};

/** Renders the landing page as a template for Go's html/template (web/landing.go). */
export async function landingPage(code: Language = language): Promise<string> {
  const { landing } = await landings[code]();
  return `<!doctype html>${renderToStaticMarkup(<LandingPage words={landing} language={code} />)}`;
}

/** Renders the terms as a template (web/terms.go). */
export const termsPage = (): string => renderDocument(<TermsPage />);

/** Renders the page of a guide as a template (web/guide.go). */
export async function guidePage(code: Language = language): Promise<string> {
  const { guide } = await guides[code]();
  return renderDocument(<GuidePage words={guide} />);
}

function renderDocument(page: ReactNode): string {
  return `<!doctype html>${renderToStaticMarkup(<Router ssrPath="/">{page}</Router>)}`;
}

/** Placeholder figures: Go replaces them in the rendered markup. */
const some: Globals = { totalStaked: 1n, totalIssued: 1n, epoch: 0, end: Date.now() + 1_000, notice: "" };

/** Renders what a dashboard shows before its script runs, as a template (web/home.go). */
export function home(variant: "community" | "dummy"): string {
  const client = new QueryClient();
  client.setQueryData(keys.globals, some);
  return renderToStaticMarkup(
    <QueryClientProvider client={client}>
      <Router ssrPath="/">{variant === "dummy" ? <TestPage /> : <DashboardPage />}</Router>
    </QueryClientProvider>,
  );
}

/** Shown by a browser that runs no scripts. */
export const noScript = text.pages.noScript;

const SCALES = { trillion: 1e12, billion: 1e9, million: 1e6 } as const;

/** Number and date conventions of this language, for the texts that Go writes (web/language.go). */
export function conventions() {
  const join = (parts: Intl.NumberFormatPart[], accepts: (type: string) => boolean): string =>
    parts.filter(({ type }) => accepts(type)).map(({ value }) => value).join("");
  const plain = new Intl.NumberFormat(language).formatToParts(1_234_567.5);
  const scale = (value: number): string =>
    join(
      new Intl.NumberFormat(language, { notation: "compact" }).formatToParts(value),
      (type) => type === "compact" || type === "literal",
    );
  const date = new Intl.DateTimeFormat(language, {
    weekday: "short",
    day: "numeric",
    month: "short",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
    timeZone: "UTC",
  });
  const dayParts = new Intl.DateTimeFormat(language, {
    day: "numeric",
    month: "short",
    year: "numeric",
    timeZone: "UTC",
  }).formatToParts(0);
  const part = (at: Date, name: string): string =>
    date.formatToParts(at).find(({ type }) => type === name)?.value ?? "";
  return {
    code: language,
    name: languages[language],
    decimal: join(plain, (type) => type === "decimal"),
    group: plain.find(({ type }) => type === "group")?.value ?? "",
    million: scale(SCALES.million),
    billion: scale(SCALES.billion),
    trillion: scale(SCALES.trillion),
    // 2026-02-01 is a Sunday.
    weekdays: Array.from({ length: 7 }, (_, day) => part(new Date(Date.UTC(2026, 1, 1 + day)), "weekday")),
    months: Array.from({ length: 12 }, (_, month) => part(new Date(Date.UTC(2026, month, 1)), "month")),
    titles,
    day: dayParts.map(({ type, value }) => (type === "literal" ? value : `{${type}}`)).join(""),
    durations: Object.fromEntries(Object.entries(text.visit.duration).map(([unit, write]) => [unit, write("{n}")])),
    date: date.formatToParts(0).map(({ type, value }) => (type === "literal" ? value : `{${type}}`)).join("") + " UTC",
  };
}
