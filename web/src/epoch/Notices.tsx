import type { Wire } from "../api/client.ts";
import { useGlobals, useServerStatus } from "../api/globals.ts";
import { slot } from "../lib/served.ts";
import { text } from "../lib/text.ts";
import { Notice } from "../ui/Notice.tsx";
import { When } from "../ui/slots.tsx";

function catchingUp(status: Wire["Status"]): string {
  if (status.seconds_left === undefined) return text.epoch.catchingUp;
  const minutes = Math.max(1, Math.round(status.seconds_left / 60));
  return text.epoch.catchingUpUntil(status.tip_height, status.node_height, minutes);
}

/** Messages for all users: from the server, or about a lost connection. */
export function Notices() {
  const { data, error, shown } = useGlobals();
  const status = useServerStatus();
  // The browser's word counts only once a request has failed: it can be wrong.
  const isLost = error || (shown && !data);
  const lost = isLost ? (navigator.onLine === false ? text.epoch.offline : text.epoch.unreachable) : "";
  const state = status.data?.catching_up
    ? catchingUp(status.data)
    : status.data?.paused === "all"
      ? text.epoch.paused
      : status.data?.paused === "payouts"
        ? text.epoch.payoutsPaused
        : status.data?.closed
          ? text.epoch.closed
          : "";
  if (import.meta.env.SSR) return <When name="Notice" yes={<List notices={[slot("Notice")]} />} />;
  return <List notices={[lost, data?.notice ?? "", state].filter(Boolean)} />;
}

function List({ notices }: { notices: readonly string[] }) {
  if (notices.length === 0) return null;
  return (
    <div className="mb-5 grid gap-2">
      {notices.map((notice) => (
        <Notice key={notice} tone="warn">
          {notice}
        </Notice>
      ))}
    </div>
  );
}
