/** Made by scripts/walletIcons.ts. */
declare module "virtual:wallet-icons" {
  /** The icons of the known wallets as data URLs, by provider id. */
  export const icons: Record<string, string>;
}
