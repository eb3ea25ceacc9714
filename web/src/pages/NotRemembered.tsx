import { useState } from "react";
import { later } from "../lib/laterText.ts";
import { Notice } from "../ui/Notice.tsx";
import { canStore } from "../wallet/storage.ts";

/** Says that a reload forgets everything, if the browser stores nothing: its settings forbid it, or it is damaged. */
export function NotRemembered() {
  const [isStored] = useState(canStore);
  return isStored ? null : (
    <div className="mb-5">
      <Notice tone="warn">{later.session.notRemembered}</Notice>
    </div>
  );
}
