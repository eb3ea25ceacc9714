import { Link } from "wouter";
import { Communities } from "../landing/Landing.tsx";
import { site } from "../lib/site.ts";
import { text } from "../lib/text.ts";
import { NightSky } from "../ui/art/NightSky.tsx";

/** The fund's own page, for every host that is no community's. */
export default function LandingPage() {
  return (
    <div className="relative flex min-h-dvh flex-col">
      <NightSky />
      <main className="mx-auto w-full max-w-290 flex-1 px-4 pb-16 sm:px-6">
        <div className="grid min-h-100 content-end justify-items-start gap-5 pb-6 sm:min-h-120 sm:content-center sm:pb-0">
          <h1 className="text-5xl font-bold sm:text-7xl">{text.landing.together(site.product)}</h1>
          <p className="max-w-md text-xl">{text.landing.sub}</p>
          <a href="#about" className="inline-flex min-h-11 items-center rounded-box bg-amber px-5 font-semibold text-ink no-underline hover:bg-amber-bright">
            {text.landing.learnMore}
          </a>
        </div>
        <Communities />
        <section aria-labelledby="about" className="mt-16 max-w-2xl">
          <h2 id="about" className="text-3xl font-bold">
            {text.landing.about(site.product)}
          </h2>
          <p className="mt-4 text-lg leading-relaxed">{text.landing.aboutText}</p>
        </section>
      </main>
      <footer className="border-t border-line">
        <div className="mx-auto flex max-w-290 justify-between gap-4 px-4 py-6 sm:px-6">
          <span className="text-mist">{site.product}</span>
          <Link href="/terms" className="underline">
            {text.pages.terms}
          </Link>
        </div>
      </footer>
    </div>
  );
}
