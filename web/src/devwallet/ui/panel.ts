import { faucet } from "../control";
import { paymentTypes, type PaymentType } from "../keys";
import { units } from "../params";
import type { DevWallet, Misbehaviour } from "../wallet";
import { el } from "./dom";

/** Amounts of one faucet request. */
const FAUCET_SATS = 1_000_000;
const FAUCET_WHOLE_RUNES = 1_000_000n;
/** Interval in ms at which the open panel refreshes the balances. */
const REFRESH = 4_000;

const SWITCHES: { label: string; name: keyof Misbehaviour; on: boolean | number }[] = [
  { label: "Reject everything", name: "reject", on: true },
  { label: "Respond after 5 seconds", name: "late", on: 5000 },
  { label: "Report a rejection after sending", name: "rejectAfterBroadcast", on: true },
  { label: "Use the wrong network", name: "wrongNetwork", on: true },
  { label: "Never respond", name: "silent", on: true },
  { label: "Return malformed results", name: "garbled", on: true },
  { label: "Throw exceptions", name: "throws", on: true },
  { label: "Return false addresses and transaction ids", name: "lies", on: true },
  { label: "Switch the account before the next response", name: "switches", on: true },
  { label: "Change transactions to sign", name: "changesPsbt", on: true },
  { label: "Spend coins elsewhere after signing", name: "spendsElsewhere", on: true },
];

/** The floating panel: accounts, balances, faucet, misbehaviour. */
export function panelOf(wallet: DevWallet): HTMLElement {
  const status = el("p", { class: "status", role: "status" });
  const body = el("div");
  const panel = el("section", { class: "panel", hidden: true, "aria-label": "Dev wallet", id: "panel" });
  const toggle = el(
    "button",
    { type: "button", class: "toggle", "aria-expanded": "false", "aria-controls": "panel" },
    "Dev wallet",
  );
  const setStatus = (text: string) => status.replaceChildren(text);

  /** Runs an action of the user and shows its result. */
  const run = (action: () => Promise<string | void>) => async () => {
    try {
      setStatus((await action()) ?? "");
    } catch (error) {
      setStatus(error instanceof Error ? error.message : "That went wrong.");
    }
  };

  const balances = el("dl");
  const refresh = async () => {
    if (!panel.hidden) balances.replaceChildren(...(await balanceRows(wallet).catch(unknownBalance)));
  };
  const draw = () => {
    const active = (panel.getRootNode() as ShadowRoot).activeElement;
    const focused = controls(body).findIndex((control) => control === active);
    body.replaceChildren(
      ...accountSection(wallet, run),
      ...misbehaviourSection(wallet),
      ...siteSection(wallet, run),
    );
    controls(body)[focused]?.focus(); // the same control, drawn again
    void refresh();
  };

  panel.append(
    el("h2", {}, "Dev wallet"),
    el("h3", {}, "Balances"),
    balances,
    el(
      "div",
      { class: "row" },
      el("button", { type: "button", onclick: run(() => fill(wallet, refresh)) }, "Faucet: sats and runes"),
    ),
    status,
    body,
  );
  toggle.addEventListener("click", () => {
    panel.hidden = !panel.hidden;
    toggle.setAttribute("aria-expanded", String(!panel.hidden));
    if (!panel.hidden) draw();
  });
  wallet.watch(() => {
    if (!panel.hidden) draw();
  });
  setInterval(() => void refresh(), REFRESH);
  return el("div", { class: "root" }, panel, toggle);
}

const controls = (within: HTMLElement) => [...within.querySelectorAll<HTMLElement>("button, select, input")];

function unknownBalance(error: unknown): HTMLElement[] {
  const reason = error instanceof Error ? error.message : "The dev network did not respond.";
  return [el("dt", {}, "Not known"), el("dd", {}, reason)];
}

async function balanceRows(wallet: DevWallet): Promise<HTMLElement[]> {
  const [sats, runes] = await Promise.all([wallet.sats(), wallet.runeBalances()]);
  const unconfirmed = sats.unconfirmed > 0 ? ` (${sats.unconfirmed.toLocaleString("en")} unconfirmed)` : "";
  return [
    el("dt", {}, "Sats"),
    el("dd", {}, (sats.confirmed + sats.unconfirmed).toLocaleString("en") + unconfirmed),
    ...runes.flatMap(({ rune, amount }) => [
      el("dt", {}, rune.name),
      el("dd", {}, `${units(amount, rune.divisibility)} ${rune.symbol}`),
    ]),
  ];
}

/** Sats, and an amount of every community's rune. */
async function fill(wallet: DevWallet, refresh: () => Promise<void>): Promise<string> {
  await faucet(wallet, { sats: FAUCET_SATS });
  for (const { prefix, divisibility } of await wallet.chain.runes()) {
    await faucet(wallet, { runes: (FAUCET_WHOLE_RUNES * 10n ** BigInt(divisibility)).toString(), prefix });
  }
  await refresh();
  return "The faucet has sent.";
}

type Run = (action: () => Promise<string | void>) => () => Promise<void>;

function accountSection(wallet: DevWallet, run: Run): HTMLElement[] {
  const { account, accounts, paymentType } = wallet.settings;
  const { payment, ordinals } = wallet.account;
  const accountChoice = el(
    "select",
    { "aria-label": "Account", onchange: () => void run(() => wallet.useAccount(Number(accountChoice.value)))() },
    ...Array.from({ length: accounts }, (_, i) =>
      el("option", { value: String(i), selected: i === account }, `Account ${i + 1}`),
    ),
  );
  const typeChoice = el(
    "select",
    {
      "aria-label": "Payment address type",
      onchange: () => void run(() => wallet.usePaymentType(typeChoice.value as PaymentType))(),
    },
    ...paymentTypes.map((type) => el("option", { value: type, selected: type === paymentType }, type)),
  );
  return [
    el("h3", {}, "Account"),
    el(
      "div",
      { class: "row" },
      accountChoice,
      el("button", { type: "button", onclick: run(async () => void (await wallet.addAccount())) }, "Add"),
    ),
    el("div", { class: "row" }, typeChoice),
    el("h3", {}, `Addresses on ${wallet.network}`),
    el(
      "dl",
      {},
      el("dt", {}, "Payment"),
      el("dd", {}, payment.address),
      el("dt", {}, "Ordinals"),
      el("dd", {}, ordinals.address),
    ),
  ];
}

function misbehaviourSection(wallet: DevWallet): HTMLElement[] {
  const boxes = SWITCHES.map(({ label, name, on }) => {
    const off = typeof on === "number" ? 0 : false;
    const box = el("input", {
      type: "checkbox",
      checked: Boolean(wallet.misbehaviour[name]),
      onchange: () => void wallet.misbehave({ [name]: box.checked ? on : off }),
    });
    return el("label", {}, box, label);
  });
  return [el("h3", {}, "Misbehave"), ...boxes];
}

function siteSection(wallet: DevWallet, run: Run): HTMLElement[] {
  const orders = el("input", {
    type: "checkbox",
    checked: wallet.settings.nativeOrders,
    onchange: () => void run(() => wallet.haveOrders(orders.checked))(),
  });
  const auto = el("input", {
    type: "checkbox",
    checked: wallet.settings.autoConfirm,
    onchange: () => void run(() => wallet.setAutoConfirm(auto.checked))(),
  });
  return [
    el("h3", {}, "This site"),
    el("label", {}, auto, "Confirm everything without asking"),
    el("label", {}, orders, "Mint and etch by itself"),
    el(
      "div",
      { class: "row" },
      el(
        "button",
        { type: "button", disabled: !wallet.settings.connected, onclick: run(() => wallet.revoke()) },
        "Disconnect this site",
      ),
      el("button", { type: "button", onclick: run(() => wallet.restore()) }, "New seed"),
    ),
  ];
}
