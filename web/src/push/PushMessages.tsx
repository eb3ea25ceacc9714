import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { WalletFields } from "../api/client.ts";
import { keys } from "../api/keys.ts";
import { endSubscription, readPushState, subscribe, type Proof } from "../api/push.ts";
import { failureOf, PageError } from "../lib/failure.ts";
import { focusContent, focusOnMount } from "../lib/focus.ts";
import { useObservable } from "../lib/observable.ts";
import { pushText as words } from "../lib/pushText.ts";
import { Button } from "../ui/Button.tsx";
import { Notice } from "../ui/Notice.tsx";
import { flag } from "../wallet/check.ts";
import { entry } from "../wallet/storage.ts";
import { currentSubscription, register, subscribeBrowser } from "./browser.ts";
import { lastSigned } from "./signed.ts";

/** The user has dismissed the offer. It appears again after a disconnect, which forgets this. */
const declined = entry("push.declined", flag);

/**
 * Messages to this browser: an offer after a signed action while they are off, and a switch while they are on, also for
 * another wallet.
 */
export default function PushMessages({ wallet }: { wallet: WalletFields }) {
  const signed = useObservable(lastSigned);
  const proof = signed?.owner === wallet.w_wallet_code_ord ? signed : null;
  const [wasTurnedOn, setTurnedOn] = useState(false);
  const { data } = useQuery({
    queryKey: [...keys.push(wallet), proof !== null],
    queryFn: async () => {
      const endpoint = (await currentSubscription())?.endpoint;
      if (!endpoint && !proof) return null;
      const state = await readPushState(wallet, endpoint);
      if (endpoint) await register(); // in the language that was chosen last
      return { ...state, canEnd: endpoint !== undefined };
    },
  });
  if (!data) return null;
  return (
    <>
      {!data.subscribed && proof && (
        <Offer {...{ wallet, proof }} publicKey={data.publicKey} onTurnedOn={() => setTurnedOn(true)} />
      )}
      {data.canEnd && <Switch wallet={wallet} own={data.subscribed} focused={data.subscribed && wasTurnedOn} />}
    </>
  );
}

interface OfferProps {
  wallet: WalletFields;
  proof: Proof;
  publicKey: string;
  onTurnedOn(): void;
}

/** Subscribes this browser and tells the server. Without the server, it undoes the subscription. */
async function start(wallet: WalletFields, proof: Proof, publicKey: string): Promise<void> {
  const earlier = await currentSubscription(); // for another wallet
  const made = await subscribeBrowser(publicKey);
  try {
    await subscribe(wallet, proof, made);
  } catch (error) {
    if (!earlier) await (await currentSubscription())?.unsubscribe();
    throw error;
  }
}

function Offer({ wallet, proof, publicKey, onTurnedOn }: OfferProps) {
  const client = useQueryClient();
  const [dismissed, setDismissed] = useState(declined.read() === true);
  const turnOn = useMutation({
    mutationFn: async () => {
      const permission = await Notification.requestPermission();
      if (permission === "denied") throw new PageError(words.blocked);
      // A question that was closed without an answer changes nothing, and can be asked again.
      if (permission !== "granted") return;
      await start(wallet, proof, publicKey);
      onTurnedOn();
    },
    onSuccess: () => client.invalidateQueries({ queryKey: keys.push(wallet) }),
  });
  const isBlocked = Notification.permission === "denied" && turnOn.isIdle; // before this offer was used
  if (dismissed || isBlocked) return null;
  function dismiss(): void {
    declined.write(true);
    focusContent();
    setDismissed(true);
  }
  return (
    <div className="mt-5">
      <Notice onDismiss={dismiss}>
        <p>{words.offer}</p>
        <p className="text-sm text-mist">{words.hint}</p>
        {turnOn.error && <p role="alert">{failureOf(turnOn.error, words.failed).message}</p>}
        <Button className="mt-2" busy={turnOn.isPending} onClick={() => turnOn.mutate()}>
          {words.turnOn}
        </Button>
      </Notice>
    </div>
  );
}

interface SwitchProps {
  wallet: WalletFields;
  /** Whether this browser gets this wallet's messages, and not only another one's. */
  own: boolean;
  /** Whether it takes the place of the button that turned the messages on. */
  focused: boolean;
}

/** Turns off every message to this browser. */
function Switch({ wallet, own, focused }: SwitchProps) {
  const client = useQueryClient();
  const turnOff = useMutation({
    mutationFn: async () => {
      const subscription = await currentSubscription();
      if (!subscription) return;
      await endSubscription(subscription.endpoint);
      await subscription.unsubscribe();
    },
    onSuccess: () => {
      focusContent();
      return client.invalidateQueries({ queryKey: keys.push(wallet) });
    },
  });
  return (
    <div className="mt-5 border-t border-line pt-3 text-sm">
      <p>{own ? words.on : words.onForOther}</p>
      {turnOff.error && <p role="alert">{failureOf(turnOff.error, words.notOff).message}</p>}
      <Button
        ref={focused ? focusOnMount : undefined}
        kind="quiet"
        className="px-0!"
        busy={turnOff.isPending}
        onClick={() => turnOff.mutate()}
      >
        {words.turnOff}
      </Button>
    </div>
  );
}
