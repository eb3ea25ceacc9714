import type { ReactNode } from "react";
import { Link, useParams } from "wouter";
import { useTransaction, type MovedRune, type Transaction } from "../api/devnet.ts";
import { formatBTC, formatDate, formatNumber } from "../lib/format.ts";
import { later } from "../lib/laterText.ts";
import { text } from "../lib/text.ts";
import { CopyButton } from "../ui/Copy.tsx";
import { Lines, Loaded } from "../ui/Loaded.tsx";
import { PageFoot } from "./PageFoot.tsx";
import { PageHead } from "./PageHead.tsx";
import { useTitle } from "./useTitle.ts";

/** The explorer of a dev network: inputs, outputs and confirmations of one transaction. */
export default function TransactionPage() {
  useTitle("transaction");
  const { txid = "" } = useParams<{ txid: string }>();
  const transaction = useTransaction(txid);
  return (
    <div className="flex min-h-dvh flex-col">
      <PageHead />
      <main id="content" className="mx-auto max-w-4xl px-4 pb-16 sm:px-6">
        <h1 className="text-3xl font-bold">{later.transaction.title}</h1>
        <CopyButton
          value={txid}
          label={text.common.copyFull(later.transaction.title)}
          className="mt-4 w-full justify-between py-2"
        >
          <span translate="no" className="min-w-0 font-mono text-sm break-all">{txid}</span>
        </CopyButton>
        <div className="mt-6">
          <Loaded query={transaction} skeleton={<Lines count={4} />}>
            {(tx) => <Details tx={tx} />}
          </Loaded>
        </div>
      </main>
      <PageFoot />
    </div>
  );
}

function Details({ tx }: { tx: Transaction }) {
  return (
    <>
      <dl className="card grid grid-cols-2 gap-4 p-5 sm:grid-cols-4">
        <Fact name={later.transaction.block}>
          <span role="status" className={tx.confirmations > 0 ? "text-aurora" : "text-amber"}>
            {tx.confirmations > 0 ? later.transaction.confirmed(tx.confirmations) : later.transaction.waiting}
          </span>
          {tx.height !== null && <span className="block text-sm font-normal text-mist">{tx.height}</span>}
        </Fact>
        <Fact name={later.transaction.time}>
          {tx.time === null ? text.figures.none : formatDate(Date.parse(tx.time))}
        </Fact>
        <Fact name={later.transaction.size}>{later.transaction.virtualBytes(formatNumber(tx.vbytes, 0))}</Fact>
        <Fact name={later.transaction.fee}>
          {tx.fee === null ? text.figures.none : `${formatNumber(tx.fee, 0)} ${text.common.sats}`}
          {tx.fee !== null && (
            <span className="block text-sm font-normal text-mist">
              {later.transaction.rate(formatNumber(tx.fee / tx.vbytes))}
            </span>
          )}
        </Fact>
      </dl>
      <div className="mt-5 grid items-start gap-5 md:grid-cols-2">
        <Side title={later.transaction.inputs}>
          {tx.inputs.length === 0 && <li className="text-mist">{later.transaction.coinbase}</li>}
          {tx.inputs.map((input) => (
            <li key={`${input.txid}:${input.vout}`} className="relative border-t border-line pt-3">
              <Coin value={input.value} address={input.address} />
              <Link
                href={`/dev/explorer/tx/${input.txid}`}
                translate="no"
                className="mt-1 inline-block min-h-6 font-mono text-sm break-all after:absolute after:inset-0"
              >
                {input.txid.slice(0, 20)}…:{input.vout}
              </Link>
            </li>
          ))}
        </Side>
        <Side title={later.transaction.outputs}>
          {tx.outputs.map((output, n) => (
            // eslint-disable-next-line react/no-array-index-key -- an output is its place
            <li key={n} className="border-t border-line pt-3">
              <Coin value={output.value} address={output.address} number={n} spent={output.spent} />
              {output.runes.map((rune) => (
                <p key={rune.id} className="mt-1 font-semibold text-amber">
                  {amountOf(rune)} {rune.name || rune.id}
                </p>
              ))}
            </li>
          ))}
        </Side>
      </div>
      {tx.runestone && <Message stone={tx.runestone} />}
    </>
  );
}

function Message({ stone }: { stone: NonNullable<Transaction["runestone"]> }) {
  return (
    <section aria-labelledby="message" className="card mt-5 p-5">
      <h2 id="message" className="text-lg font-bold">
        {later.transaction.message}
      </h2>
      <ul className="mt-2 grid gap-1">
        {stone.cenotaph && <li className="text-ember">{later.transaction.cenotaph}</li>}
        {stone.etches && <li>{later.transaction.etches}</li>}
        {stone.mints !== null && <li>{later.transaction.mints(stone.mints)}</li>}
        {stone.edicts.map((edict) => (
          <li key={`${edict.id} ${edict.output} ${edict.amount}`}>
            {later.transaction.moves(amountOf(edict), edict.name || edict.id, edict.output)}
          </li>
        ))}
        {stone.pointer !== null && <li className="text-mist">{later.transaction.pointer(stone.pointer)}</li>}
      </ul>
    </section>
  );
}

function Side({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title} className="card min-w-0 p-5">
      <h2 className="mb-3 text-lg font-bold">{title}</h2>
      <ul className="grid gap-3">{children}</ul>
    </section>
  );
}

function Coin({
  value,
  address,
  number,
  spent = false,
}: {
  value: number;
  address: string | null;
  number?: number;
  spent?: boolean;
}) {
  return (
    <>
      <p className="flex flex-wrap items-baseline justify-between gap-x-3">
        <span className="text-mist">
          {number !== undefined && `#${number}`} {spent && `(${later.transaction.spent})`}
        </span>
        <span translate="no" className="num whitespace-nowrap">
          {formatBTC(BigInt(value))} <span className="text-sm font-normal text-mist">{text.common.btc}</span>
        </span>
      </p>
      <p translate="no" className="font-mono text-sm break-all text-fur">{address ?? later.transaction.noAddress}</p>
    </>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-sm text-mist">{name}</dt>
      <dd translate="no" className="num mt-1">{children}</dd>
    </div>
  );
}

/** Returns base units as a decimal, exact for any divisibility. */
function amountOf({ amount, divisibility }: MovedRune): string {
  const digits = amount.padStart(divisibility + 1, "0");
  const cut = digits.length - divisibility;
  return formatNumber(divisibility > 0 ? `${digits.slice(0, cut)}.${digits.slice(cut)}` : digits, divisibility);
}
