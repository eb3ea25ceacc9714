import { text } from "../lib/text.ts";
import { PageFoot } from "./PageFoot.tsx";
import { PageHead } from "./PageHead.tsx";
import { Plain } from "./Plain.tsx";
import { useTitle } from "./useTitle.ts";

/** The link to the home page is a plain <a>: on the fund's own host that page is a separate document. */
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
