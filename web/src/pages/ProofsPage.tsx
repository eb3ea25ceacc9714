import { useState, type ReactNode } from "react";
import { callURL } from "../api/client.ts";
import { useCommunity, useEpochs } from "../api/globals.ts";
import { cx } from "../lib/cx.ts";
import { formatDuration, formatNumber, formatRunes } from "../lib/format.ts";
import { recoverPath, trustPath } from "../lib/link.ts";
import { proofs } from "../lib/proofsText.ts";
import { site } from "../lib/site.ts";
import { text } from "../lib/text.ts";
import { Button } from "../ui/Button.tsx";
import { Lines, Loaded } from "../ui/Loaded.tsx";
import { Incidents } from "./Incidents.tsx";
import { NewestStatement } from "./NewestStatement.tsx";
import { PageFoot } from "./PageFoot.tsx";
import { PageHead } from "./PageHead.tsx";
import { Panel } from "./Panel.tsx";
import { Reserves } from "./Reserves.tsx";
import { useTitle } from "./useTitle.ts";

const EPOCHS = 6;
const MORE_EPOCHS = 52;
/** The server lists at most this many: nine years. */
const MAX_EPOCHS = 500;

/** What anyone can verify about a community, with links. */
export default function ProofsPage() {
  useTitle("proofs");
  return (
    <div className="flex min-h-dvh flex-col">
      <PageHead />
      <main id="content" className="mx-auto w-full max-w-4xl px-4 pt-4 pb-16 sm:px-6">
        <h1 className="text-4xl font-bold sm:text-5xl">{text.pages.proofs}</h1>
        <p className="mt-3 max-w-2xl text-lg">{proofs.intro(site.name)}</p>
        <div className="mt-8 gap-5 md:columns-2">
          <Part id="reserves" title={proofs.reserves.title} intro={proofs.reserves.text}>
            <Panel>
              <Reserves />
            </Panel>
          </Part>
          <Part id="statements" title={proofs.statements.title} intro={proofs.statements.text}>
            <Panel>
              <NewestStatement />
            </Panel>
            <Open href="/verify">{proofs.statements.link}</Open>
          </Part>
          <Part
            id="keys"
            title={proofs.keys.title}
            intro={proofs.keys.text(
              formatNumber(Math.round(site.recoverySeconds / 600), 0),
              formatDuration(site.recoverySeconds),
            )}
          >
            <Open href={recoverPath}>{proofs.keys.recover}</Open>
          </Part>
          <Part id="epochs" title={proofs.epochs.title} intro={proofs.epochs.text}>
            <Panel>
              <Epochs />
            </Panel>
          </Part>
          <Part id="incidents" title={proofs.incidents.title} intro={proofs.incidents.text}>
            <Incidents />
          </Part>
          <Part id="limits" title={proofs.limits.title} intro={proofs.limits.text}>
            <Open href={trustPath}>{proofs.limits.trust}</Open>
          </Part>
          <Source />
        </div>
      </main>
      <PageFoot />
    </div>
  );
}

/** Where the source code is, and the command that verifies the last settled epoch. */
function Source() {
  const { data: community } = useCommunity();
  const { data: epochs } = useEpochs(EPOCHS);
  const settled = epochs?.findLast((one) => one.settled);
  return (
    <Part id="source" title={proofs.source.title} intro={proofs.source.version(site.version)}>
      {site.source ? <Open href={site.source}>{proofs.source.link}</Open> : <p>{proofs.source.missing}</p>}
      {community && settled && (
        <>
          <p className="mt-3">{proofs.source.verify}</p>
          <pre
            translate="no"
            className="mt-2 rounded-box whitespace-pre-wrap break-all bg-night p-3 font-mono text-sm"
          >
            {`moonfund epoch verify ${settled.epoch} --server ${window.location.origin} ` +
              `--community ${site.prefix} --rune ${community.rune_id} --network ${site.network}`}
          </pre>
        </>
      )}
    </Part>
  );
}

function Part({ id, title, intro, children }: { id: string; title: string; intro: string; children?: ReactNode }) {
  return (
    <section aria-labelledby={id} className="card mb-5 min-w-0 break-inside-avoid p-5">
      <h2 id={id} className="scroll-mt-8 text-xl font-bold">
        {title}
      </h2>
      <p className="mt-2 leading-relaxed">{intro}</p>
      {children && <div className="mt-2">{children}</div>}
    </section>
  );
}

/** The settled epochs, newest first, which one can follow back to the first. */
function Epochs() {
  const [count, setCount] = useState(EPOCHS);
  const epochs = useEpochs(count);
  return (
    <Loaded query={epochs} skeleton={<Lines count={3} />}>
      {(all) => {
        const settled = all.filter((one) => one.settled).toReversed();
        if (settled.length === 0) return <p className="text-mist">{proofs.epochs.none}</p>;
        return (
          <>
            <ol className="border-l-2 border-edge">
              {settled.map(({ epoch, amount }) => (
                <li
                  key={epoch}
                  className={cx(
                    "relative grid grid-cols-[1fr_auto] items-center gap-x-4 border-b border-line pt-2.5 pl-5",
                    "before:absolute before:top-4 before:-left-1.5 before:size-2.5 before:rounded-full",
                    "before:bg-aurora",
                  )}
                >
                  <span className="font-semibold text-moon">{proofs.epochs.epoch(epoch)}</span>
                  <span className="num">{proofs.epochs.paid(formatRunes(amount), site.token)}</span>
                  <Open href={callURL(`epochs/${epoch}`)} isRow>
                    {proofs.epochs.record}
                    <span className="sr-only">: {proofs.epochs.epoch(epoch)}</span>
                  </Open>
                </li>
              ))}
            </ol>
            {all.length === count && count < MAX_EPOCHS && (
              <Button className="mt-3 w-full" onClick={() => setCount(Math.min(MAX_EPOCHS, count + MORE_EPOCHS))}>
                {proofs.epochs.older}
              </Button>
            )}
          </>
        );
      }}
    </Loaded>
  );
}

/** `isRow` covers the row around it. */
function Open({ href, isRow = false, children }: { href: string; isRow?: boolean; children: ReactNode }) {
  const cover = isRow && "after:absolute after:inset-0";
  return (
    <a href={href} className={cx("inline-flex min-h-11 items-center underline", cover)}>
      {children}
    </a>
  );
}
