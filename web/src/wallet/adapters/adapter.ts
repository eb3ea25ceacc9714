export type WalletEventName = "accountChange" | "networkChange" | "disconnect";

/** How one kind of wallet is spoken to. */
export interface Adapter {
  /**
   * Sends one call. Gives the wallet's result as it came, unchecked; throws WalletError when the
   * wallet refused or answered something that is no answer.
   */
  request(method: string, params: unknown): Promise<unknown>;
  /** Hears the wallet's events; gives the function that stops it. Never throws. */
  listen(event: WalletEventName, heard: (event: unknown) => void): () => void;
}
