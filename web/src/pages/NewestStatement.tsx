import { useQuery } from "@tanstack/react-query";
import { newestStatement } from "../action/knownStatement.ts";
import { useCommunity } from "../api/globals.ts";
import { keys } from "../api/keys.ts";
import { formatDate } from "../lib/format.ts";
import { proofs } from "../lib/proofsText.ts";
import { Lines } from "../ui/Loaded.tsx";
import { Notice } from "../ui/Notice.tsx";
import { shortfalls } from "../verify/statement.ts";

const words = proofs.statements;

/** What the newest statement says, after this browser has verified its signature and its sums. */
export function NewestStatement() {
  const key = useCommunity().data?.statement_key;
  const { data: signed, error } = useQuery({ queryKey: keys.statement, queryFn: newestStatement, retry: false });
  if (error) return <Notice tone="bad">{words.bad}</Notice>;
  if (signed === undefined || key === undefined) return <Lines count={2} />;
  if (signed === null) return <p className="text-mist">{words.none}</p>;
  if (signed.key !== key) return <Notice tone="bad">{words.bad}</Notice>;
  const date = formatDate(signed.asOf.time * 1000);
  return (
    <div className="rounded-box border border-aurora p-3 text-moon">
      <p className="font-semibold">{words.newest(signed.epoch, date)}</p>
      <p>
        {words.valid} {shortfalls(signed).length === 0 ? words.covered : words.uncovered}
      </p>
    </div>
  );
}
