/** What the selector tells, and what comes with it. A wallet is named by its provider id. */
export interface SelectorEventMap {
  /** The list of wallets is on the screen. */
  open: CustomEvent<null>;
  /** The list is gone, whatever the reason; always the last event. */
  close: CustomEvent<null>;
  /** The person chose this wallet. */
  select: CustomEvent<string>;
  /** The person left without a wallet. */
  cancel: CustomEvent<null>;
  /** This wallet was asked for its addresses. */
  walletOpen: CustomEvent<string>;
  /** This wallet answered, or is no longer waited for. */
  walletClose: CustomEvent<string>;
}

export type SelectorEventName = keyof SelectorEventMap;
type Heard<N extends SelectorEventName> = (event: SelectorEventMap[N]) => void;

/** An EventTarget that knows its six events; nobody else dispatches on it. */
export interface SelectorEvents {
  addEventListener<N extends SelectorEventName>(name: N, heard: Heard<N>, options?: AddEventListenerOptions): void;
  removeEventListener<N extends SelectorEventName>(name: N, heard: Heard<N>): void;
}

const target = new EventTarget();

export const selectorEvents = target as SelectorEvents;

export function tell<N extends SelectorEventName>(name: N, detail: SelectorEventMap[N]["detail"]): void {
  target.dispatchEvent(new CustomEvent(name, { detail }));
}
