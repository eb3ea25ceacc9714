import { text } from "../lib/text.ts";
import { Button } from "../ui/Button.tsx";
import { Catch } from "../ui/Catch.tsx";
import { PageFoot } from "./PageFoot.tsx";
import { PageHead } from "./PageHead.tsx";
import { Plain } from "./Plain.tsx";

/** Replaces the page after a render error. Header and footer are left out if the error is theirs. */
export function ErrorPage({ id }: { id: string }) {
  return (
    <div className="flex min-h-dvh flex-col">
      <Catch fallback={() => null}>
        <PageHead />
      </Catch>
      <Plain title={text.pages.error}>
        <p className="text-mist">{text.pages.errorId(id)}</p>
        <Button kind="primary" className="mt-6" onClick={() => window.location.reload()}>
          {text.pages.reload}
        </Button>
      </Plain>
      <Catch fallback={() => null}>
        <PageFoot />
      </Catch>
    </div>
  );
}

export function BrokenPanel({ id }: { id: string }) {
  return (
    <div role="alert" className="card p-5">
      <p className="text-ember">{text.pages.panelError}</p>
      <p className="mt-1 text-sm text-mist">{text.pages.errorId(id)}</p>
      <Button className="mt-3" onClick={() => window.location.reload()}>
        {text.pages.reload}
      </Button>
    </div>
  );
}
