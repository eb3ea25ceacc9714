/** Events of the selector and their details. A wallet is identified by its provider id. */
export interface SelectorEventMap {
  /** The list of wallets is displayed. */
  open: CustomEvent<null>;
  /** The list was closed, for any reason. Always the last event. */
  close: CustomEvent<null>;
  /** The user chose this wallet. */
  select: CustomEvent<string>;
  /** The user closed the list without connecting. */
  cancel: CustomEvent<null>;
  /** A request for addresses was sent to this wallet. */
  walletOpen: CustomEvent<string>;
  /** This wallet responded, or the page stopped waiting for it. */
  walletClose: CustomEvent<string>;
}

export type SelectorEventName = keyof SelectorEventMap;
type Listener<N extends SelectorEventName> = (event: SelectorEventMap[N]) => void;

/** An EventTarget with the six typed events. Only the selector dispatches on it. */
export interface SelectorEvents {
  addEventListener<N extends SelectorEventName>(
    name: N,
    listener: Listener<N>,
    options?: AddEventListenerOptions,
  ): void;
  removeEventListener<N extends SelectorEventName>(name: N, listener: Listener<N>): void;
}

const target = new EventTarget();

export const selectorEvents = target as SelectorEvents;

export function dispatch<N extends SelectorEventName>(name: N, detail: SelectorEventMap[N]["detail"]): void {
  target.dispatchEvent(new CustomEvent(name, { detail }));
}
