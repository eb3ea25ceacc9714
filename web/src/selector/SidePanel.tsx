import { lazy, Suspense, useEffect, useRef, useState } from "react";
import { isPhone } from "../lib/device.ts";
import { later } from "../lib/laterText.ts";
import { text } from "../lib/text.ts";
import { Button, buttonClass } from "../ui/Button.tsx";
import { FailureText } from "../ui/FailureText.tsx";
import { OutIcon, PhoneIcon } from "../ui/icons.tsx";
import { newTab, OutLink } from "../ui/Link.tsx";
import { Notice } from "../ui/Notice.tsx";
import type { Choice } from "./choices.ts";
import type { InstallLink } from "./store.ts";
import type { Progress } from "./useConnect.ts";

const QrCode = lazy(() => import("../ui/QrCode.tsx"));

interface SidePanelProps {
  choices: readonly Choice[];
  progress: Progress;
  onRetry(wallet: Choice): void;
  onStop(): void;
}

/**
 * The panel beside the list (below it on a phone): what a wallet is, how to install one, or the state of the
 * connection.
 */
export function SidePanel({ choices, progress, onRetry, onStop }: SidePanelProps) {
  const panel = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // On a phone new content of the panel may be below the visible part.
    if (progress.now !== "choosing") panel.current?.scrollIntoView({ block: "nearest" });
  }, [progress]);
  return (
    <div
      ref={panel}
      className="grid min-w-0 content-start gap-4 rounded-card border border-line bg-night p-4 wrap-anywhere"
    >
      <div role="status" className="grid min-w-0 gap-4 empty:hidden">
        <Status choices={choices} progress={progress} />
      </div>
      {progress.now === "failed" && (
        <Notice tone="bad">
          <FailureText failure={progress.reason} />
        </Notice>
      )}
      {(progress.now === "opening" || progress.now === "failed") && (
        // One button for both actions, so that it keeps the focus when the wallet is asked again.
        <Button onClick={progress.now === "opening" ? onStop : () => onRetry(progress.wallet)}>
          {progress.now === "opening" ? text.common.cancel : later.wallets.retry}
        </Button>
      )}
    </div>
  );
}

function Status({ choices, progress }: Pick<SidePanelProps, "choices" | "progress">) {
  switch (progress.now) {
    case "choosing":
      return <Explainer choices={choices} />;
    case "installing":
      return progress.wallet.link && <Install wallet={progress.wallet} link={progress.wallet.link} />;
    case "opening":
      return (
        <div>
          <p className="font-semibold text-moon">{later.wallets.opening(progress.wallet.name)}</p>
          <p className="mt-1">{later.wallets.confirm(progress.wallet.name)}</p>
        </div>
      );
    case "failed":
      return null;
  }
}

function Explainer({ choices }: { choices: readonly Choice[] }) {
  const suggested = choices.find((choice) => !choice.installed);
  const openable = choices.some((choice) => choice.browserLink !== null);
  return (
    <>
      {choices.every((choice) => !choice.installed) && (
        <p className="text-moon">{openable ? later.wallets.onPhone : later.wallets.none}</p>
      )}
      <p>{later.wallets.explainer}</p>
      {suggested?.link && (
        <p>
          <OutLink href={suggested.link.url} className="min-h-6">
            {later.wallets.installOne(suggested.name)}
          </OutLink>
        </p>
      )}
      {!isPhone(navigator) && <ToPhone />}
    </>
  );
}

/** Shows this page's address as a QR code, for the wallet on the user's phone. */
function ToPhone() {
  const [shown, show] = useState(false);
  return (
    <div className="border-t border-line pt-2">
      <Button kind="quiet" className="px-0! text-left" aria-expanded={shown} onClick={() => show(!shown)}>
        <PhoneIcon /> {later.wallets.toPhone}
      </Button>
      {shown && (
        <>
          <p className="mb-3 text-sm">{later.wallets.scan}</p>
          <div className="size-50 overflow-hidden rounded-box bg-raised">
            <Suspense>
              <QrCode value={location.href} title={later.wallets.qr} />
            </Suspense>
          </div>
        </>
      )}
    </div>
  );
}

function Install({ wallet: { name, browserLink }, link }: { wallet: Choice; link: InstallLink }) {
  return (
    <>
      {browserLink !== null && <p className="font-semibold text-moon">{later.wallets.openingPage(name)}</p>}
      <p className="text-moon">{later.wallets.prompt(name, later.wallets.stores[link.store])}</p>
      <a
        href={link.url}
        {...newTab}
        className={buttonClass("primary", "no-underline")}
      >
        {later.wallets.install} <span className="sr-only">{name}</span>
        <OutIcon className="size-3.5" />
        {newTab.target && <span className="sr-only">({text.common.newTab})</span>}
      </a>
      <p className="text-sm text-mist">{later.wallets.reloadHint}</p>
    </>
  );
}
