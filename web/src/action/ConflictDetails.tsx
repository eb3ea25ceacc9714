import { useState } from "react";
import { conflict } from "../lib/conflictText.ts";
import { saveFile } from "../lib/file.ts";
import { site } from "../lib/site.ts";
import { Button } from "../ui/Button.tsx";
import { Contact } from "../ui/Contact.tsx";
import type { Evidence, StatementConflict } from "./conflict.ts";
import { forgetStatement } from "./knownStatement.ts";

/** What a conflict of statements means, what to keep, and how to continue. */
export default function ConflictDetails({ error }: { error: StatementConflict }) {
  const { kind, seen, shown } = error;
  const [forgotten, setForgotten] = useState(false);
  return (
    <div className="mt-2 grid justify-items-start gap-3 text-fur">
      <p>{conflict.meaning[kind]}</p>
      <p>{conflict.safe}</p>
      {seen && <p className="text-sm wrap-anywhere">{conflict.id(seen.sequence, seen.id)}</p>}
      <div className="flex flex-wrap gap-3">
        {seen?.text && (
          <Button kind="primary" onClick={() => save("seen", seen)}>
            {conflict.saveSeen(seen.sequence)}
          </Button>
        )}
        {shown && <Button onClick={() => save("shown", shown)}>{conflict.saveShown}</Button>}
      </div>
      <Contact />
      {seen && !forgotten && (
        <>
          <Button
            kind="danger"
            onClick={() => {
              forgetStatement();
              setForgotten(true);
            }}
          >
            {conflict.forget}
          </Button>
          <p className="text-sm">{conflict.forgetNote}</p>
        </>
      )}
      {forgotten && <p role="status">{conflict.forgotten}</p>}
    </div>
  );
}

function save(which: string, { sequence, text }: Evidence): void {
  saveFile(`${site.prefix}-${sequence}-${which}.json`, "application/json", text);
}
