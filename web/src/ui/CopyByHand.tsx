import { useEffect, useRef } from "react";
import { later } from "../lib/laterText.ts";

/** Shows a text that the page could not copy, selected, until it loses the focus. */
export default function CopyByHand({ value, label, onClose }: { value: string; label: string; onClose: () => void }) {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  return (
    <span className="card fixed inset-x-4 bottom-4 z-50 mx-auto grid max-w-lg gap-2 p-4 text-left text-fur">
      <span role="status">{later.session.copyByHand(/Mac|iP/.test(navigator.platform) ? "⌘C" : "Ctrl+C")}</span>
      <input
        ref={field}
        readOnly
        value={value}
        aria-label={label}
        onFocus={({ target }) => target.select()}
        onBlur={onClose}
        className="field font-mono"
      />
    </span>
  );
}
