import { later } from "../lib/laterText.ts";
import { contactLink } from "../lib/link.ts";
import { site } from "../lib/site.ts";
import { OutLink } from "./Link.tsx";

/** The operator's contact; nothing if none is configured. */
export function Contact() {
  const link = contactLink(site.contact);
  if (link === null) return null;
  return (
    <p className="text-sm text-fur">
      {later.refund.contact}{" "}
      {link.startsWith("mailto:") ? (
        <a href={link} className="wrap-anywhere underline">
          {site.contact}
        </a>
      ) : (
        <OutLink href={link} className="wrap-anywhere">
          {site.contact}
        </OutLink>
      )}
    </p>
  );
}
