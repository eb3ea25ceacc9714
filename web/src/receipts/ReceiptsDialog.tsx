import { useState } from "react";
import type { WalletFields } from "../api/client.ts";
import { formatDate, formatRunesExact, formatSats } from "../lib/format.ts";
import { receiptsText as words } from "../lib/receiptsText.ts";
import { site } from "../lib/site.ts";
import { text } from "../lib/text.ts";
import { Button } from "../ui/Button.tsx";
import { Contact } from "../ui/Contact.tsx";
import { Dialog } from "../ui/Dialog.tsx";
import { Lines } from "../ui/Loaded.tsx";
import { Notice } from "../ui/Notice.tsx";
import type { KeptReceipt } from "./check.ts";
import { saveReceipts } from "./file.ts";
import { useKept, useSync } from "./useReceipts.ts";

/** Number of receipts that are shown at first. */
const NEWEST = 8;

/** The receipts of a wallet that this browser keeps, and what is wrong with them. */
export function ReceiptsDialog({ wallet, onClose }: { wallet: WalletFields; onClose: () => void }) {
  const sync = useSync(wallet);
  const kept = useKept(wallet);
  const invalid = sync.data?.invalid ?? [];
  const isLoading = kept === undefined || (sync.isPending && sync.signs !== false && kept.receipts.length === 0);
  return (
    <Dialog title={words.title} onClose={onClose}>
      <p>{words.intro}</p>
      <div className="mt-4 grid gap-4">
        {sync.isError && <Notice tone="warn">{words.unreachable}</Notice>}
        {sync.signs === false && <Notice>{words.unsigned}</Notice>}
        {kept && <Problems invalid={invalid} contradicting={kept.contradicting} />}
        {kept && !kept.lasts && <Notice tone="warn">{words.notLasting}</Notice>}
        {isLoading && <Lines count={4} />}
        {!isLoading && kept.receipts.length > 0 && <Receipts receipts={kept.receipts} />}
        {!isLoading && kept.receipts.length + invalid.length === 0 && sync.signs && (
          <p className="text-mist">{words.none}</p>
        )}
      </div>
    </Dialog>
  );
}

function Problems({ invalid, contradicting }: { invalid: string[]; contradicting: KeptReceipt[] }) {
  if (invalid.length === 0 && contradicting.length === 0) return null;
  return (
    <Notice tone="bad">
      {contradicting.length > 0 && <p>{words.contradicting}</p>}
      {invalid.length > 0 && <p>{words.invalid(invalid.length)}</p>}
      <p className="mt-1">{words.advice}</p>
      <Contact />
      <div className="mt-3 flex flex-wrap gap-3">
        {contradicting.length > 0 && (
          <Button onClick={() => saveReceipts(textsOf(contradicting), "contradicting-receipts")}>
            {words.saveContradicting}
          </Button>
        )}
        {invalid.length > 0 && (
          <Button onClick={() => saveReceipts(invalid, "invalid-receipts")}>{words.saveInvalid}</Button>
        )}
      </div>
    </Notice>
  );
}

function Receipts({ receipts }: { receipts: KeptReceipt[] }) {
  const [all, setAll] = useState(false);
  const shown = all ? receipts : receipts.slice(0, NEWEST);
  return (
    <div>
      <p className="font-semibold">{words.kept(receipts.length)}</p>
      <Button kind="primary" className="mt-3 w-full" onClick={() => saveReceipts(textsOf(receipts))}>
        {words.save}
      </Button>
      <ul className="mt-4">
        {shown.map((receipt) => (
          <Item key={receipt.text} receipt={receipt} />
        ))}
      </ul>
      {shown.length < receipts.length && (
        <Button kind="quiet" className="px-0!" onClick={() => setAll(true)}>
          {words.showAll(receipts.length)}
        </Button>
      )}
      <p className="mt-3 text-sm text-mist">
        {words.saveHint}{" "}
        <a href="/verify" className="underline">
          {words.verifier}
        </a>
      </p>
    </div>
  );
}

function Item({ receipt: { kind, time, runes, sats } }: { receipt: KeptReceipt }) {
  const amounts = [
    runes > 0n && `${formatRunesExact(runes)} ${site.token}`,
    sats > 0n && `${formatSats(sats)} ${text.common.sats}`,
  ];
  return (
    <li className="flex flex-wrap justify-between gap-x-4 border-t border-line py-2">
      <span>{words.kind(kind)}</span>
      <span translate="no" className="num">{amounts.filter(Boolean).join(" · ")}</span>
      <span className="w-full text-sm text-mist">{formatDate(time)}</span>
    </li>
  );
}

function textsOf(receipts: readonly KeptReceipt[]): string[] {
  return receipts.map((one) => one.text);
}
