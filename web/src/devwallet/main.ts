import { devChain } from "./chain";
import { control } from "./control";
import { methods } from "./methods";
import { bitcoinProvider } from "./provider";
import { Questions } from "./questions";
import { indexedStore } from "./settings";
import { mount } from "./ui/mount";
import { DevWallet } from "./wallet";

/**
 * The dev wallet: it registers itself like a browser extension, and signs in the page with keys of a dev network. A dev
 * network's server adds this script to its pages; no other build contains it.
 */
const PATH = "MoonDevWallet";
const ID = `${PATH}.BitcoinProvider`;

const ICON =
  "data:image/svg+xml," +
  encodeURIComponent(
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#171E2C"/>' +
      '<path d="M21 4a12 12 0 1 0 7 17A10 10 0 0 1 21 4Z" fill="#FFB84D"/></svg>',
  );

function start(page: any): void {
  if (page[PATH]) return; // the page has loaded the script twice
  const script = document.currentScript;
  const origin = script instanceof HTMLScriptElement && script.src ? script.src : location.href;
  const panel = mount();
  const questions = new Questions((open) => panel.show(open));
  const opening = DevWallet.open(indexedStore(), devChain(new URL("/dev/", origin)), questions.ask);
  page[PATH] = { BitcoinProvider: bitcoinProvider(opening), control: control(opening, questions) };
  page.btc_providers ??= [];
  page.btc_providers.push({
    id: ID,
    name: "Moon Dev Wallet",
    icon: ICON,
    webUrl: location.origin,
    methods: Object.keys(methods),
  });
  opening.then(panel.attach, panel.fail);
}

start(window);
