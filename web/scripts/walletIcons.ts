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

const modules = new URL("../node_modules/", import.meta.url);

/** Reads an icon from its connector's file: the package exports no icons, and its code would be many times larger. */
function iconOf(connector: string): string {
  const file = new URL(`@bigmi/client/dist/esm/connectors/${connector}.js`, modules);
  const icon = /icon:\s*["'`](data:image\/svg\+xml;base64,[A-Za-z0-9+/=]+)/.exec(readFileSync(file, "utf8"))?.[1];
  if (icon === undefined) throw new Error(`${file.pathname} has no icon`);
  return icon;
}

/** Reads Phantom's icon from a set of drawings, because @bigmi/client has none. */
function phantomIcon(): string {
  const set = readFileSync(new URL("@iconify-json/token-branded/icons.json", modules), "utf8");
  const { icons } = JSON.parse(set) as { icons: { phantom: { body: string } } };
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24">${icons.phantom.body}</svg>`;
  return `data:image/svg+xml;base64,${Buffer.from(svg).toString("base64")}`;
}

/** Provides `virtual:wallet-icons`: the icons of the known wallets as data URLs, by provider id. */
export function walletIcons(): Plugin {
  return {
    name: "wallet-icons",
    resolveId: (id) => (id === ID ? `\0${ID}` : null),
    load(id) {
      if (id !== `\0${ID}`) return null;
      const known = Object.entries(CONNECTORS).map(([wallet, connector]) => [wallet, iconOf(connector)]);
      const icons = { ...Object.fromEntries(known), "phantom.bitcoin": phantomIcon() };
      return `export const icons = ${JSON.stringify(icons)};`;
    },
  };
}
