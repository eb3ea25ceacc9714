import { contactLink, proofsLink, sourceLink } from "../lib/link.ts";
import { served } from "../lib/served.ts";
import { site } from "../lib/site.ts";
import { text } from "../lib/text.ts";
import { Maybe } from "./Maybe.tsx";

const linkClass = "inline-flex min-h-11 items-center underline-offset-4 hover:underline";

/** Links to the contact, the source code and the proofs, in every page's footer. */
export function FooterLinks() {
  return (
    <>
      <a href={served("Proofs", proofsLink(site))} className={linkClass}>
        {text.visit.footer.proofs}
      </a>
      <a href={served("Source", sourceLink(site))} className={linkClass}>
        {text.visit.footer.source}
      </a>
      <Maybe name="Contact" value={contactLink(site.contact) ?? ""}>
        {(href) => (
          <a href={href} className={linkClass}>
            {text.visit.footer.contact}
          </a>
        )}
      </Maybe>
    </>
  );
}
