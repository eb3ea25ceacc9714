import { useQuery } from "@tanstack/react-query";
import type { Wire } from "../api/client.ts";
import { useCommunity } from "../api/globals.ts";
import { fetchRecoveryKit } from "../api/wallet.ts";
import { fromWire } from "../lib/amount.ts";
import { formatNumber, formatRunesExact, formatSats } from "../lib/format.ts";
import { later } from "../lib/laterText.ts";
import { recoverPath } from "../lib/link.ts";
import { site } from "../lib/site.ts";
import { text } from "../lib/text.ts";
import { useCan, walletName } from "../session/capability.ts";
import { fieldsOf } from "../session/session.ts";
import { Button } from "../ui/Button.tsx";
import { CopyButton } from "../ui/Copy.tsx";
import { Dialog } from "../ui/Dialog.tsx";
import { FailureText } from "../ui/FailureText.tsx";
import { OutLink } from "../ui/Link.tsx";
import { Lines, Loaded } from "../ui/Loaded.tsx";
import { Notice } from "../ui/Notice.tsx";
import type { Session } from "../wallet/index.ts";
import { feeInputCommand } from "./kit.ts";
import { useRecovery, type Recovery } from "./useRecovery.ts";

type Output = Wire["RecoveryOutput"];

interface RecoverDialogProps {
  session: Session;
  onClose(): void;
}

/** Recovers staked outputs with the staker's own key: kit → output → signature → transaction. */
export default function RecoverDialog({ session, onClose }: RecoverDialogProps) {
  return (
    <Dialog title={later.recover.title} onClose={onClose}>
      <Outputs session={session} />
    </Dialog>
  );
}

function Outputs({ session }: { session: Session }) {
  const kit = useQuery({
    queryKey: ["recovery", session.ordinals.address],
    queryFn: () => fetchRecoveryKit(fieldsOf(session)),
    gcTime: 0,
  });
  const disabled = useCan("signPsbt") === false;
  return (
    <div>
      <p className="mb-4 text-mist">
        {later.recover.what}{" "}
        <OutLink href={recoverPath}>{later.recover.guide}</OutLink>
      </p>
      {disabled && (
        <div className="mb-4">
          <Notice>{later.recover.cannot(walletName())}</Notice>
        </div>
      )}
      <Loaded query={kit} skeleton={<Lines count={3} />}>
        {({ outputs, height }) =>
          outputs.length === 0 ? (
            <p className="text-mist">{later.recover.empty}</p>
          ) : (
            <ul aria-label={later.recover.list} className="grid gap-3">
              {outputs.map((output) => (
                <Recoverable key={output.outpoint} {...{ session, output, height }} disabled={disabled} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </div>
  );
}

interface RecoverableProps {
  session: Session;
  output: Output;
  /** Height of the chain's tip when the kit was made. */
  height: number;
  disabled: boolean;
}

function Recoverable({ session, output, height, disabled }: RecoverableProps) {
  const { data: community } = useCommunity();
  const recovery = useRecovery(session, output);
  const { signed, error, busy, sign } = recovery;
  const open = output.open_height !== null && output.open_height <= height + 1;
  const runes = output.runes.find(({ rune_id }) => rune_id === community?.rune_id);

  return (
    <li className="grid gap-3 rounded-box border border-line bg-night p-4">
      <div className="flex flex-wrap items-baseline justify-between gap-2">
        <span translate="no" className="num text-lg">
          {runes
            ? `${formatRunesExact(fromWire(runes.amount))} ${site.token}`
            : `${formatSats(fromWire(output.value))} ${text.common.sats}`}
        </span>
        <span className={`text-sm ${open ? "text-aurora" : "text-mist"}`}>{when(output, height, open)}</span>
      </div>
      <p translate="no" className="font-mono text-sm break-all text-mist">{output.outpoint}</p>
      {open && output.psbt_own_fee === null && signed === null && (
        <Notice>
          <p>{later.recover.feeFirst}</p>
          <CopyButton
            value={feeInputCommand}
            label={later.recover.copyCommand}
            className="mt-2 w-full justify-between py-2"
          >
            <code className="min-w-0 text-left text-sm wrap-anywhere">{feeInputCommand}</code>
          </CopyButton>
        </Notice>
      )}
      {error && (
        <Notice tone="bad">
          <FailureText failure={error} />
        </Notice>
      )}
      {signed ? (
        <Result recovery={recovery} signed={signed} open={open} />
      ) : (
        <div className="flex flex-wrap gap-3">
          {open && output.psbt_own_fee !== null && (
            <Button kind="primary" busy={busy} disabled={disabled} onClick={() => void sign(true)}>
              {later.recover.send}
            </Button>
          )}
          <Button busy={busy} disabled={disabled} onClick={() => void sign(false)}>
            {later.recover.sign}
          </Button>
          {busy && (
            <Button kind="quiet" onClick={recovery.stopWaiting}>
              {later.payment.giveUp}
            </Button>
          )}
        </div>
      )}
    </li>
  );
}

function when({ open_height }: Output, height: number, open: boolean): string {
  if (open_height === null) return later.recover.unconfirmed;
  return open
    ? later.recover.isOpen
    : later.recover.opens(formatNumber(open_height, 0), formatNumber(open_height - height, 0));
}

interface ResultProps {
  recovery: Recovery;
  signed: NonNullable<Recovery["signed"]>;
  /** Whether the next block may contain the recovery. */
  open: boolean;
}

function Result({ recovery: { busy, refusal, send }, signed, open }: ResultProps) {
  if ("txid" in signed) return <Notice tone="good">{later.recover.sent(signed.txid)}</Notice>;
  const isComplete = "tx" in signed;
  const value = isComplete ? signed.tx : signed.psbt;
  const hint = !isComplete ? later.recover.needsFee : open ? later.recover.broadcast : later.recover.later;
  return (
    <div className="grid gap-2">
      {busy && <Notice>{later.recovery.sending}</Notice>}
      {refusal !== null && <Notice tone="bad">{later.recovery.notSent(refusal)}</Notice>}
      {!busy && (
        <Notice tone={refusal === null ? "good" : "info"}>{refusal === null ? hint : later.recovery.elsewhere}</Notice>
      )}
      <CopyButton
        value={value}
        label={isComplete ? later.recover.copyTx : later.recover.copyPsbt}
        className="w-full justify-between py-2"
      >
        <span translate="no" data-testid="recovery" className="line-clamp-3 min-w-0 font-mono text-sm break-all">
          {value}
        </span>
      </CopyButton>
      {isComplete && open && (
        <Button busy={busy} onClick={() => void send(signed.tx)}>
          {later.recovery.send}
        </Button>
      )}
    </div>
  );
}
