import { About, How } from "../landing/About.tsx";
import { Communities } from "../landing/Communities.tsx";
import { Faq } from "../landing/Faq.tsx";
import { Hero } from "../landing/Hero.tsx";
import { Roadmap } from "../landing/Roadmap.tsx";
import { slot } from "../lib/served.ts";
import { inLanguage, languages, type Language } from "../lib/language.ts";
import type { LandingText } from "../lib/text/en.landing.ts";
import { When } from "../ui/slots.tsx";

const product = slot("Product");

/** The fund's landing page as a complete document without script, served on every host that belongs to no community. */
export function LandingPage({ words, language }: { words: LandingText; language: Language }) {
  return (
    <html lang={language}>
      <Head words={words} />
      <body>
        <Hero words={words} product={product} language={language} />
        <main>
          <Communities words={words} />
          <About words={words} product={product} language={language} />
          <How words={words} />
          <Roadmap words={words} />
          <Faq words={words} />
        </main>
        <footer className="border-t border-line bg-night">
          <div className="mx-auto flex max-w-290 flex-wrap items-center gap-x-8 gap-y-1 px-4 py-3 sm:px-6">
            <p className="w-full font-display font-bold text-moon sm:mr-auto sm:w-auto">{product}</p>
            <a href="#top" className="inline-flex min-h-11 items-center underline">
              {words.footer.top}
            </a>
            <When
              name="Etch"
              yes={
                <a href={slot("Etch")} className="inline-flex min-h-11 items-center underline">
                  {words.footer.etch}
                </a>
              }
            />
            <a href="/terms" className="inline-flex min-h-11 items-center underline">
              {words.footer.terms}
            </a>
            <a href="#trust" className="inline-flex min-h-11 items-center underline">
              {words.footer.proofs}
            </a>
            <a href={slot("Source")} className="inline-flex min-h-11 items-center underline">
              {words.footer.source}
            </a>
            <When
              name="Contact"
              yes={
                <a href={slot("Contact")} className="inline-flex min-h-11 items-center underline">
                  {words.footer.contact}
                </a>
              }
            />
          </div>
        </footer>
      </body>
    </html>
  );
}

function Head({ words }: { words: LandingText }) {
  const about = words.description(product);
  const title = words.together(product);
  return (
    <head>
      <meta charSet="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
      <meta name="theme-color" content="#090c14" />
      <meta name="color-scheme" content="dark" />
      <title>{title}</title>
      <meta name="description" content={about} />
      <link rel="canonical" href={slot("Canonical")} />
      <link rel="alternate" hrefLang="x-default" href={`${slot("Origin")}/`} />
      {(Object.keys(languages) as Language[]).map((code) => (
        <link key={code} rel="alternate" hrefLang={code} href={`${slot("Origin")}/${inLanguage(code)}`} />
      ))}
      <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
      <link rel="apple-touch-icon" href="/touch.png" />
      <meta property="og:type" content="website" />
      <meta property="og:site_name" content={product} />
      <meta property="og:title" content={title} />
      <meta property="og:description" content={about} />
      <meta property="og:url" content={slot("Canonical")} />
      <meta property="og:image" content={slot("Picture")} />
      <meta property="og:image:width" content="1200" />
      <meta property="og:image:height" content="630" />
      <meta name="twitter:card" content="summary_large_image" />
      {/* Go inserts the style here (web/landing.go). */}
      <style />
    </head>
  );
}
