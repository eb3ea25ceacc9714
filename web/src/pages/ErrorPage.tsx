import { text } from "../lib/text.ts";
import { Button } from "../ui/Button.tsx";
import { Plain } from "./Plain.tsx";

export function ErrorPage({ id }: { id: string }) {
  return (
    <Plain title={text.pages.error}>
      <p className="text-mist">{text.pages.errorId(id)}</p>
      <Button kind="primary" className="mt-6" onClick={() => window.location.reload()}>
        {text.pages.reload}
      </Button>
    </Plain>
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
