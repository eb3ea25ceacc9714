import { served } from "../lib/served.ts";
import { site } from "../lib/site.ts";
import { text } from "../lib/text.ts";
import { FooterLinks } from "../ui/FooterLinks.tsx";

/** The footer of a text page. A test community has no terms. */
export function PageFoot() {
  return (
    <footer className="mt-auto border-t border-line">
      <nav
        aria-label={text.visit.footer.more}
        className="mx-auto flex w-full max-w-4xl flex-wrap items-center gap-x-4 gap-y-1 sm:gap-x-6 px-4 py-4 sm:px-6"
      >
        <a href="/" className="mr-auto inline-flex min-h-11 items-center font-semibold text-moon no-underline">
          {served("Name", site.name || site.product)}
        </a>
        <FooterLinks />
        {site.variant !== "dummy" && (
          <a href="/terms" className="inline-flex min-h-11 items-center underline-offset-4 hover:underline">
            {text.pages.terms}
          </a>
        )}
      </nav>
    </footer>
  );
}
