import { text } from "../lib/text.ts";
import { Plain } from "./Plain.tsx";

/** The way home is a plain link: the home of the fund's own host is a document of its own. */
export function NotFoundPage() {
  return (
    <Plain title={text.pages.notFound}>
      <p className="text-mist">{text.pages.notFoundTitle}</p>
      <p className="mt-4">
        <a href="/" className="inline-flex min-h-11 items-center underline">
          {text.pages.home}
        </a>
      </p>
    </Plain>
  );
}
