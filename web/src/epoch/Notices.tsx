import { unreachable, useGlobals, useServerStatus } from "../api/globals.ts";
import { text } from "../lib/text.ts";
import { Notice } from "../ui/Notice.tsx";

/** What the server, or its absence, has to say to everyone. */
export function Notices() {
  const globals = useGlobals();
  const status = useServerStatus();
  const front = globals.data?.notice ?? (globals.error ? unreachable.notice : "");
  const state = status.data?.catching_up
    ? text.epoch.catchingUp
    : status.data?.paused === "all"
      ? text.epoch.paused
      : status.data?.paused === "payouts"
        ? text.epoch.payoutsPaused
        : "";
  if (!front && !state) return null;
  return (
    <div className="mb-5 grid gap-2">
      {front && <Notice tone="warn">{front}</Notice>}
      {state && <Notice tone="warn">{state}</Notice>}
    </div>
  );
}
