import type { Wire } from "../api/client.ts";
import { useServerStatus } from "../api/globals.ts";
import { formatDate } from "../lib/format.ts";
import { proofs } from "../lib/proofsText.ts";
import { Lines, Loaded } from "../ui/Loaded.tsx";

/** The number of incidents in the server's status. Longer lists are cut there. */
const MOST = 10;

/** The newest entries of the public incident log. */
export function Incidents() {
  return (
    <Loaded query={useServerStatus()} skeleton={<Lines count={2} />}>
      {({ incidents }) => {
        if (incidents.length === 0) return <p className="text-mist">{proofs.incidents.none}</p>;
        return (
          <>
            <ul>
              {incidents.map((one, i) => (
                <li key={i} className="border-b border-line py-2.5 last:border-b-0">
                  <time dateTime={one.time} className="text-sm text-mist">
                    {formatDate(Date.parse(one.time))}
                  </time>
                  <p>{describeIncident(one)}</p>
                  {one.kind === "refused" && <p className="break-all font-mono text-sm text-mist">{one.detail}</p>}
                </li>
              ))}
            </ul>
            {incidents.length >= MOST && <p className="mt-2 text-sm text-mist">{proofs.incidents.older}</p>}
          </>
        );
      }}
    </Loaded>
  );
}

function describeIncident({ kind, detail }: Wire["Incident"]): string {
  const { kinds } = proofs.incidents;
  switch (kind) {
    case "pause":
      return detail === "payouts" ? kinds.pausePayouts : kinds.pauseAll;
    case "resume":
      return detail === "payouts" ? kinds.resumePayouts : kinds.resumeAll;
    case "accepted":
    case "violation":
    case "reorg":
    case "refused":
    case "restore":
      return kinds[kind];
    default:
      return kinds.other;
  }
}
