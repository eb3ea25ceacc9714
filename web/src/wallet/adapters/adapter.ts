export type WalletEventName = "accountChange" | "networkChange" | "disconnect";

/** The calls and events of one kind of wallet. */
export interface Adapter {
  /**
   * Sends one call and returns the wallet's result unchecked. Throws WalletError if the wallet refuses or sends a
   * malformed response.
   */
  request(method: string, params: unknown): Promise<unknown>;
  /** Subscribes to an event of the wallet and returns the function that unsubscribes. Never throws. */
  listen(event: WalletEventName, listener: (event: unknown) => void): () => void;
}
