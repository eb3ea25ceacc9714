import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { WalletFields } from "../api/client.ts";
import { keys } from "../api/keys.ts";
import { endSubscription, readPushState, subscribe, type Proof } from "../api/push.ts";
import { failureOf, PageError } from "../lib/failure.ts";
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

/** Messages to this browser: an offer after a signed action while they are off, and a switch while they are on. */
export default function PushMessages({ wallet }: { wallet: WalletFields }) {
  const signed = useObservable(lastSigned);
  const proof = signed?.owner === wallet.w_wallet_code_ord ? signed : null;
  const { data } = useQuery({
    queryKey: [...keys.push(wallet), proof !== null],
    queryFn: async () => {
      const endpoint = (await currentSubscription())?.endpoint;
      if (!endpoint && !proof) return null;
      const state = await readPushState(wallet, endpoint);
      if (state.subscribed) await register(); // in the language that was chosen last
      return state;
    },
  });
  if (!data) return null;
  if (data.subscribed) return <Switch wallet={wallet} />;
  return proof && <Offer wallet={wallet} proof={proof} publicKey={data.publicKey} />;
}

interface OfferProps {
  wallet: WalletFields;
  proof: Proof;
  publicKey: string;
}

function Offer({ wallet, proof, publicKey }: OfferProps) {
  const client = useQueryClient();
  const [dismissed, setDismissed] = useState(declined.read() === true);
  const turnOn = useMutation({
    mutationFn: async () => {
      const permission = await Notification.requestPermission();
      if (permission === "denied") throw new PageError(words.blocked);
      // A question that was closed without an answer changes nothing, and can be asked again.
      if (permission === "granted") await subscribe(wallet, proof, await subscribeBrowser(publicKey));
    },
    onSuccess: () => client.invalidateQueries({ queryKey: keys.push(wallet) }),
  });
  const isBlocked = Notification.permission === "denied" && turnOn.isIdle; // before this offer was used
  if (dismissed || isBlocked) return null;
  function dismiss(): void {
    declined.write(true);
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

function Switch({ wallet }: { wallet: WalletFields }) {
  const client = useQueryClient();
  const turnOff = useMutation({
    mutationFn: async () => {
      const subscription = await currentSubscription();
      if (!subscription) return;
      await endSubscription(subscription.endpoint);
      await subscription.unsubscribe();
    },
    onSuccess: () => client.invalidateQueries({ queryKey: keys.push(wallet) }),
  });
  return (
    <div className="mt-5 border-t border-line pt-3 text-sm">
      <p>{words.on}</p>
      {turnOff.error && <p role="alert">{failureOf(turnOff.error, words.notOff).message}</p>}
      <Button kind="quiet" className="px-0!" busy={turnOff.isPending} onClick={() => turnOff.mutate()}>
        {words.turnOff}
      </Button>
    </div>
  );
}
