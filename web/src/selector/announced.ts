/**
 * The icons that wallets announce by the Wallet Standard, by the wallet's name. Its registrations are untrusted: any
 * value may have any type. A wallet registers when the app says that it is ready, or when it loads later.
 */
const icons = new Map<unknown, unknown>();

const app = {
  register(...wallets: readonly ({ name?: unknown; icon?: unknown } | null)[]): () => void {
    for (const wallet of wallets) icons.set(wallet?.name, wallet?.icon);
    return () => {};
  },
};

let isListening = false;

/** Returns the icon that the wallet of this name has announced. The first call asks for it. */
export function announcedIcon(name: string): unknown {
  if (!isListening && typeof window !== "undefined") {
    isListening = true;
    window.addEventListener("wallet-standard:register-wallet", (event) => {
      const { detail: register } = event as CustomEvent<unknown>;
      if (typeof register === "function") register(app);
    });
    window.dispatchEvent(new CustomEvent("wallet-standard:app-ready", { detail: app }));
  }
  return icons.get(name);
}
