import type { ReactNode } from "react";
import { language, languages, type Language } from "../lib/language.ts";
import { slot } from "../lib/served.ts";
import { PageFoot } from "./PageFoot.tsx";
import { PageHead } from "./PageHead.tsx";

/** A text page as a complete document without script (web/document.go). `path` is its path on the site. */
export function DocumentPage({ path, children }: { path: string; children: ReactNode }) {
  return (
    <html lang={language}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
        <meta name="color-scheme" content="dark" />
        <title>{slot("Title")}</title>
        <meta name="description" content={slot("Description")} />
        {(Object.keys(languages) as Language[]).map((code) => (
          <link key={code} rel="alternate" hrefLang={code} href={`${slot("Origin")}${path}?lang=${code}`} />
        ))}
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        {/* Go inserts the style here. */}
        <style />
      </head>
      <body className="flex min-h-dvh flex-col">
        <PageHead />
        <main id="content" className="mx-auto w-full max-w-4xl px-4 pt-4 pb-16 sm:px-6">
          {children}
        </main>
        <PageFoot />
      </body>
    </html>
  );
}
