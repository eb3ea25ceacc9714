import { post, type WalletFields, type Wire } from "./client.ts";

/** A subscription of this browser at its push service. */
export interface Subscription {
  endpoint: string;
  p256dh: string;
  auth: string;
}

/** An action that the wallet signed a short time ago. It shows the server whose wallet this is. */
export interface Proof {
  actionId: string;
  signature: string;
}

export interface PushState {
  /** The server's key for subscriptions. */
  publicKey: string;
  /** The browser with the endpoint gets the wallet's messages. */
  subscribed: boolean;
}

const read = ({ public_key, subscribed }: Wire["PushState"]): PushState => ({ publicKey: public_key, subscribed });

export const readPushState = (wallet: WalletFields, endpoint: string | undefined): Promise<PushState> =>
  post<Wire["PushState"]>("pushState", { ...wallet, endpoint }).then(read);

export const subscribe = (wallet: WalletFields, proof: Proof, subscription: Subscription): Promise<PushState> =>
  post<Wire["PushState"]>("pushSubscribe", {
    ...wallet,
    action_id: proof.actionId,
    signature: proof.signature,
    ...subscription,
  }).then(read);

export const endSubscription = (endpoint: string): Promise<PushState> =>
  post<Wire["PushState"]>("pushEnd", { endpoint }).then(read);
