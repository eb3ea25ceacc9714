import { useQuery } from "@tanstack/react-query";
import { callURL, type WalletFields } from "../api/client.ts";
import { useCommunity, useEpochs } from "../api/globals.ts";
import { useEarnings } from "../api/history.ts";
import { cx } from "../lib/cx.ts";
import { saveFile } from "../lib/file.ts";
import { formatRunesExact } from "../lib/format.ts";
import { site } from "../lib/site.ts";
import { verifyText } from "../lib/verifyText.ts";
import { Button } from "../ui/Button.tsx";
import { Contact } from "../ui/Contact.tsx";
import { Dialog } from "../ui/Dialog.tsx";
import { Disclosure } from "../ui/Disclosure.tsx";
import { Lines } from "../ui/Loaded.tsx";
import { Notice } from "../ui/Notice.tsx";
import type { Outcome } from "../verify/report.ts";
import { checkReward, type RewardCheck, type RewardLine } from "../verify/reward.ts";

const words = verifyText.reward;
const EPOCHS = 12;

/** Checks the wallet's reward in the newest statement, and shows each check. */
export default function RewardDialog({ wallet, onClose }: { wallet: WalletFields; onClose: () => void }) {
  const community = useCommunity();
  const earnings = useEarnings(wallet);
  const epochs = useEpochs(EPOCHS);
  const key = community.data?.statement_key;
  const owner = wallet.w_wallet_code_ord;
  const settled = epochs.data?.filter((one) => one.settled).map(({ epoch }) => epoch);
  // Right after an epoch, only one of the two lists may contain it: the reward would seem to be 0.
  const isFetching = earnings.isFetching || epochs.isFetching;
  const isReady = key !== undefined && earnings.data !== undefined && settled !== undefined && !isFetching;
  const result = useQuery({
    queryKey: ["checkReward", owner, key, earnings.dataUpdatedAt, epochs.dataUpdatedAt],
    enabled: isReady && key !== "",
    gcTime: 0,
    queryFn: () =>
      checkReward({
        base: new URL(callURL("statements"), window.location.href).href,
        key: key!,
        owner,
        shown: (epoch) => {
          const earning = earnings.data!.find((one) => one.epoch === epoch);
          if (!earning && !settled!.includes(epoch)) return null;
          return { epoch, reward: earning?.reward ?? 0n };
        },
      }),
  });
  const hasFailed = [community, earnings, epochs, result].some((query) => query.isError);
  return (
    <Dialog title={words.title} onClose={onClose}>
      <p>{words.intro}</p>
      <div className="mt-4">
        {key === "" ? (
          <Notice>{words.unpublished(site.name)}</Notice>
        ) : hasFailed ? (
          <Notice tone="warn">{words.unreachable}</Notice>
        ) : result.data ? (
          <Result check={result.data} newest={settled?.at(-1) ?? -1} />
        ) : (
          <Lines count={4} />
        )}
      </div>
      <p className="mt-4 text-sm text-mist">
        {words.standalone}{" "}
        <a href="/verify" className="underline">
          {words.standaloneLink}
        </a>
      </p>
    </Dialog>
  );
}

function Result({ check, newest }: { check: RewardCheck; newest: number }) {
  if (check.state === "none") return <Notice>{words.none}</Notice>;
  if (check.state === "unreachable") return <Notice tone="warn">{words.unreachable}</Notice>;
  const { lines, epoch, reward, files } = check;
  return (
    <>
      <Verdict lines={lines} epoch={epoch} reward={reward} />
      {newest > epoch && <p className="mt-3 text-amber">{words.pending(newest, epoch)}</p>}
      <ul className="mt-4">
        {lines.map((line) => (
          <Line key={line.step} line={line} />
        ))}
      </ul>
      <div className="mt-3 flex flex-wrap gap-3">
        {files.map(([name, text]) => (
          <Button key={name} onClick={() => saveFile(name, "application/json", text)}>
            {words.save(name)}
          </Button>
        ))}
      </div>
    </>
  );
}

function Verdict({ lines, epoch, reward }: { lines: RewardLine[]; epoch: number; reward: bigint | null }) {
  if (lines.some(({ outcome }) => outcome === "failed")) {
    return (
      <Notice tone="bad">
        <p className="text-lg font-bold">{words.mismatch}</p>
        <p className="mt-1">{words.keep}</p>
        <Contact />
      </Notice>
    );
  }
  if (reward === 0n) return <Notice>{words.notRewarded(epoch)}</Notice>;
  const unchecked = lines.filter(({ outcome }) => outcome === "unchecked").length;
  return (
    <Notice tone={unchecked > 0 ? "warn" : "good"}>
      <p className="text-lg font-bold">{words.right(formatRunesExact(reward ?? 0n), site.token, epoch)}</p>
      {unchecked > 0 && <p className="mt-1">{verifyText.verdict.partly(unchecked)}</p>}
    </Notice>
  );
}

const tones: Record<Outcome, string> = { passed: "text-aurora", failed: "text-ember", unchecked: "text-amber" };

function Line({ line: { step, outcome, detail } }: { line: RewardLine }) {
  return (
    <li className="border-t border-line py-2.5">
      <p className="flex items-baseline justify-between gap-4">
        <span>{words.steps[step]}</span>
        <span className={cx("shrink-0 text-sm font-semibold", tones[outcome])}>{verifyText.outcomes[outcome]}</span>
      </p>
      <Disclosure title={words.detail}>
        <p lang="en" className="text-sm wrap-anywhere text-mist">
          {detail}
        </p>
      </Disclosure>
    </li>
  );
}
