import { text } from "../lib/text.ts";
import { PageFoot } from "./PageFoot.tsx";
import { PageHead } from "./PageHead.tsx";
import { Plain } from "./Plain.tsx";
import { useTitle } from "./useTitle.ts";

/** The way home is a plain link: the home of the fund's own host is a document of its own. */
export function NotFoundPage() {
  useTitle("notFound");
  return (
    <div className="flex min-h-dvh flex-col">
      <PageHead />
      <Plain title={text.pages.notFound}>
        <p className="text-mist">{text.pages.notFoundTitle}</p>
        <p className="mt-4">
          <a href="/" className="inline-flex min-h-11 items-center underline">
            {text.pages.home}
          </a>
        </p>
      </Plain>
      <PageFoot />
    </div>
  );
}
