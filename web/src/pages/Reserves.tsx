import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { callURL, get, type Wire } from "../api/client.ts";
import { useCommunity } from "../api/globals.ts";
import { keys } from "../api/keys.ts";
import { fromWire, toDecimal } from "../lib/amount.ts";
import { toCSV } from "../lib/csv.ts";
import { saveFile } from "../lib/file.ts";
import { formatNumber, formatRunes, formatRunesExact, shortTxid } from "../lib/format.ts";
import { explorerLink } from "../lib/link.ts";
import { proofs } from "../lib/proofsText.ts";
import { site } from "../lib/site.ts";
import { text } from "../lib/text.ts";
import { Button } from "../ui/Button.tsx";
import { OutLink } from "../ui/Link.tsx";
import { Lines, Loaded } from "../ui/Loaded.tsx";

type Reserves = Wire["Reserves"];
const words = proofs.reserves;

/** What the community owes against what it holds, and the outputs that hold it. */
export function Reserves() {
  const reserves = useQuery({
    queryKey: keys.reserves,
    queryFn: ({ signal }) => get<Reserves>("reserves", undefined, signal),
  });
  return (
    <Loaded query={reserves} skeleton={<Lines count={4} />}>
      {(all) => (
        <>
          <p className="font-semibold text-moon">
            {all.covered ? words.covered(formatNumber(all.height, 0)) : words.short(formatNumber(all.height, 0))}
          </p>
          <Kind name={words.stakes} owed={fromWire(all.staked_units)} held={fromWire(all.stake_outputs)} />
          <SelfShare held={fromWire(all.stake_outputs)} self={fromWire(all.self_outputs)} />
          <Kind name={words.rewards} owed={fromWire(all.virtual_units)} held={fromWire(all.treasury_outputs)} />
          <Outputs outputs={all.outputs} />
        </>
      )}
    </Loaded>
  );
}

const PERCENT = 100n;

/** The share of the staked runes that only their owners can move, rounded down. */
function SelfShare({ held, self }: { held: bigint; self: bigint }) {
  if (held === 0n) return null;
  return <p className="mt-1 text-sm text-mist">{words.self(Number((self * PERCENT) / held))}</p>;
}

/** One bar: what is held, and the part of it that is owed. */
function Kind({ name, owed, held }: { name: string; owed: bigint; held: bigint }) {
  const most = owed > held ? owed : held;
  const part = (amount: bigint): string => `${most > 0n ? Number((amount * PERCENT) / most) : 0}%`;
  return (
    <div className="mt-3">
      <p className="flex flex-wrap justify-between gap-x-4">
        <span>{name}</span>
        <span className="num" title={`${formatRunesExact(owed)} / ${formatRunesExact(held)} ${site.token}`}>
          {words.owedOf(formatRunes(owed), formatRunes(held), site.token)}
        </span>
      </p>
      <div aria-hidden="true" className="relative mt-1 h-3 overflow-hidden rounded-full bg-night">
        <span className="paint absolute inset-y-0 left-0 bg-ice/35" style={{ width: part(held) }} />
        <span
          className={`paint absolute inset-y-0 left-0 ${owed > held ? "bg-ember" : "bg-aurora"}`}
          style={{ width: part(owed) }}
        />
      </div>
    </div>
  );
}

/** Rows shown before "show more". */
const ROWS = 8;

/** The outputs as a searchable table, largest first, and as CSV. */
function Outputs({ outputs }: { outputs: Reserves["outputs"] }) {
  const explorer = useCommunity().data?.explorer_tx;
  const [query, setQuery] = useState("");
  const [shown, show] = useState(ROWS);
  const wanted = query.trim().toLowerCase();
  const found = outputs
    .filter(({ outpoint, address }) => outpoint.includes(wanted) || address.toLowerCase().includes(wanted))
    .toSorted((a, b) => Number(fromWire(b.amount) - fromWire(a.amount)));
  if (outputs.length === 0) return null;
  return (
    <>
      <input
        type="search"
        value={query}
        aria-label={words.search}
        placeholder={words.search}
        onChange={(event) => setQuery(event.target.value)}
        className="field mt-4 w-full"
      />
      <table className="mt-2 w-full text-[0.9375rem]">
        <thead className="text-left text-sm text-mist">
          <tr>
            <th scope="col" className="py-1 font-normal">{words.output}</th>
            <th scope="col" className="py-1 text-right font-normal min-[360px]:whitespace-nowrap">
              {words.amount(site.token)}
            </th>
          </tr>
        </thead>
        <tbody>
          {found.slice(0, shown).map((output) => (
            <Row key={output.outpoint} output={output} explorer={explorer} />
          ))}
        </tbody>
      </table>
      {found.length === 0 && <p className="mt-2 text-mist">{words.nothing}</p>}
      {found.length > shown && (
        <Button className="mt-2 w-full" onClick={() => show(shown + 100)}>
          {text.common.showMore(found.length - shown)}
        </Button>
      )}
      <p className="mt-2 flex flex-wrap gap-x-6">
        <a href={callURL("reserves")} className="inline-flex min-h-11 items-center underline">
          {words.link}
        </a>
        <Button kind="quiet" className="px-0! font-normal! underline" onClick={() => save(outputs)}>
          {words.csv}
        </Button>
      </p>
    </>
  );
}

function kindOf({ kind, custody_kind }: Reserves["outputs"][number]): string {
  if (kind === "treasury") return words.treasury;
  return custody_kind === "self" ? words.selfStake : words.stake;
}

function Row({ output, explorer }: { output: Reserves["outputs"][number]; explorer: string | undefined }) {
  const [txid, index] = output.outpoint.split(":") as [string, string];
  const link = explorerLink(explorer, txid);
  const amount = fromWire(output.amount);
  const name = (
    <span translate="no" className="font-mono text-sm">
      {shortTxid(txid)}:{index}
    </span>
  );
  return (
    <tr className="border-t border-line">
      <td className="py-1.5">
        {link ? (
          <OutLink href={link} className="min-h-6">
            {name}
          </OutLink>
        ) : (
          name
        )}{" "}
        <span className="inline-block text-sm text-mist">{kindOf(output)}</span>
      </td>
      <td className="py-1.5 text-right" title={formatRunesExact(amount)}>
        {formatRunes(amount)}
      </td>
    </tr>
  );
}

function save(outputs: Reserves["outputs"]): void {
  const lines = outputs.map(({ outpoint, kind, address, value, amount, height }) => [
    outpoint,
    kind,
    address,
    String(value),
    toDecimal(fromWire(amount)),
    String(height ?? ""),
  ]);
  const head = ["outpoint", "kind", "address", "sats", site.token, "height"];
  saveFile(`${site.prefix}-reserves.csv`, "text/csv", toCSV([head, ...lines]));
}
