import { readFileSync } from "node:fs";
import type { Plugin } from "vite";

const ID = "virtual:wallet-icons";

/** The connectors of @bigmi/client, each of which contains the icon of its wallet, by the wallet's provider id. */
const CONNECTORS = {
  "XverseProviders.BitcoinProvider": "xverse",
  unisat: "unisat",
  LeatherProvider: "leather",
  "okxwallet.bitcoin": "okx",
  "magicEden.bitcoin": "magicEden",
};

/** Reads an icon from its connector's file: the package exports no icons, and its code would be many times larger. */
function iconOf(connector: string): string {
  const file = new URL(`../node_modules/@bigmi/client/dist/esm/connectors/${connector}.js`, import.meta.url);
  const icon = /icon:\s*["'`](data:image\/svg\+xml;base64,[A-Za-z0-9+/=]+)/.exec(readFileSync(file, "utf8"))?.[1];
  if (icon === undefined) throw new Error(`${file.pathname} has no icon`);
  return icon;
}

/** Provides `virtual:wallet-icons`: the icons of the known wallets as data URLs, by provider id. */
export function walletIcons(): Plugin {
  return {
    name: "wallet-icons",
    resolveId: (id) => (id === ID ? `\0${ID}` : null),
    load(id) {
      if (id !== `\0${ID}`) return null;
      const icons = Object.entries(CONNECTORS).map(([wallet, connector]) => [wallet, iconOf(connector)]);
      return `export const icons = ${JSON.stringify(Object.fromEntries(icons))};`;
    },
  };
}
