/** English texts that the first screen does not need, loaded with the parts that do (lib/laterText.ts). */

import { compounding } from "./en.compounding.ts";
import { economy } from "./en.economy.ts";
import { events } from "./en.events.ts";
import { oneTx } from "./en.oneTx.ts";
import { confirmations, session, start, unstake } from "./en.money.ts";
import { order } from "./en.order.ts";
import { refund } from "./en.refund.ts";
import { payment, proof, recovery, rehearsal, stake } from "./en.payment.ts";

const counted = (n: number, one: string, many = `${one}s`): string => `${n} ${n === 1 ? one : many}`;

export const later = {
  compounding,
  economy,
  oneTx,
  order,
  refund,
  payment,
  proof,
  recovery,
  rehearsal,
  withdrawals: "Your withdrawal orders",
  confirmations,
  session,
  stake,
  start,
  unstake,
  history: {
    earnings: "Your earnings",
    check: "Check my reward",
    earned: (amount: string, token: string, epochs: number) => `${amount} ${token} in ${counted(epochs, "epoch")}`,
    from: "From epoch",
    to: "To epoch",
    ends: "Ended",
    stake: "Your stake",
    share: "Share",
    reward: "Reward",
    /** What became of a reward. */
    use: "Status",
    uses: { COMPOUNDED: "Compounded", CLAIMED: "Claimed", CLAIMABLE: "Not claimed yet" },
    used: (use: string, amount: string) => `${use}: ${amount}`,
    details: "Each epoch",
    csv: "Download as CSV",
    nothingHere: "No earnings in these epochs.",
    activity: "Activity",
    showAll: (count?: number) => (count === undefined ? "Show all" : `Show all ${count}`),
    showLess: "Show less",
    show: "Show",
    all: "All",
    stakes: "Stakes",
    rewards: "Rewards",
    orders: "Orders and payments",
    noneOfKind: "No matching activity yet.",
    more: "Show older",
    epoch: (n: number) => `Epoch ${n}`,
    /** The name of an entry of the server's journal; null: the entry's own sentence is shown. */
    event: (kind: string): string | null =>
      events[kind] ?? kind.slice(0, 1) + kind.slice(1).toLowerCase().replaceAll("_", " "),
  },
  recover: {
    open: "Recover without the operator",
    title: "Recover without the operator",
    what:
      "After a delay, your own key can send a staked output back to your ordinals address without this server. The " +
      "stake then stops earning rewards.",
    guide: "How it works with Bitcoin Core alone",
    list: "Your staked outputs",
    empty: "You have no outputs to recover.",
    cannot: (wallet: string) =>
      `${wallet} can't sign this transaction. Download the recovery kit and use one of the tools it lists.`,
    isOpen: "You can recover this now",
    opens: (block: string, left: string) => `You can recover this from block ${block}, ${left} blocks from now`,
    unconfirmed: "Waiting for the first confirmation",
    sign: "Sign only",
    send: "Sign and send",
    sent: (txid: string) => `Sent: ${txid}`,
    broadcast: "Signed. You can send this transaction with any Bitcoin node or block explorer.",
    later: "Signed. Keep this transaction and send it once the delay is over.",
    feeFirst:
      "This output holds too few sats to pay the current network fee. You can pay the fee from another of your " +
      "outputs: download your recovery kit and run this command, replacing TXID:VOUT with that output. It needs a " +
      "Bitcoin node. The change comes back to you.",
    copyCommand: "Copy command",
    needsFee:
      "Signed, but this output can't pay its own network fee. In a wallet that can edit PSBTs, add an input worth " +
      "about the fee, then send. Don't add outputs. Anything above the fee goes to the miners.",
    copyTx: "Copy transaction",
    copyPsbt: "Copy PSBT",
    failed: "Couldn't sign the recovery. Please try again.",
    mismatch:
      "The server's transaction doesn't return this stake to your ordinals address. Nothing was signed. Your " +
      "recovery kit explains how to recover without this page.",
  },
  fees: {
    title: "Costs",
    dust: "Dust",
    dustNote: "The small amount of bitcoin that carries your runes. It ends up in your wallet.",
    network: "Network fee",
    service: "Service fee",
    rate: (rate: string) => `at ${rate} sat/vB`,
    total: "Total",
    scale: "How this fee compares with current network fees",
    nextBlock: "Next block",
    hour: "Within an hour",
    day: "Within a day",
    blocks: (n: number) => `Within ${counted(n, "block")}`,
    own: "This order",
    rateValue: (rate: string) => `${rate} sat/vB`,
  },
  signing: {
    title: "How you sign",
    signers: {
      ordinals: "With my ordinals address",
      both: "With both addresses. After that, the payment address can sign alone.",
      payment: "With my payment address alone (after signing with both once)",
    },
    byPsbt: (wallet: string) =>
      `${wallet} can't sign messages. It will show you a transaction of 0 sats instead. That transaction can never ` +
      "be sent, and its signature proves the same thing.",
    cannot: (wallet: string) =>
      `${wallet} can't sign messages or transactions for this page. Connect another wallet that holds the same ` +
      "keys.",
  },
  wallets: {
    title: "Choose wallet to connect",
    titleNone: "Don't have a wallet?",
    none: "No wallet found. Install one of these to continue.",
    list: "Wallets",
    getOne: "Get a wallet",
    openIn: "Open in your wallet",
    open: "Opens this page",
    onPhone: "On a phone, a wallet works in its own browser. Choose yours, and this page opens there.",
    openingPage: (name: string) => `Opening this page in ${name}…`,
    toPhone: "Open on your phone",
    scan: "Scan this with your phone's camera, then choose your wallet there.",
    qr: "QR code of this page",
    installed: "Installed",
    install: "Get",
    explainer: "Wallets let you send, receive, store and display digital assets. Only you have their keys.",
    installOne: (name: string) => `Install ${name}`,
    prompt: (name: string, store: string) => `Don't have ${name}? Download it on ${store}`,
    stores: {
      chrome: "the Chrome web store",
      mozilla: "Mozilla add-ons",
      play: "Google Play",
      apple: "the App Store",
      site: "its website",
    },
    reloadHint: "Reload this page after you install it.",
    opening: (name: string) => `Opening ${name}...`,
    confirm: (name: string) => `Confirm the operation in ${name}`,
    noAnswer: (name: string) => `${name} didn't respond. Look for its window, then try again.`,
    retry: "Retry",
  },
  transaction: {
    title: "Transaction",
    waiting: "Waiting to be included in a block",
    confirmed: (n: number) => counted(n, "confirmation"),
    block: "Block",
    time: "Time",
    size: "Size",
    fee: "Fee",
    rate: (rate: string) => `${rate} sat/vB`,
    virtualBytes: (size: string) => `${size} vB`,
    inputs: "Inputs",
    outputs: "Outputs",
    coinbase: "New coins from a block",
    noAddress: "Message (OP_RETURN)",
    spent: "spent",
    message: "Runes message",
    cenotaph: "Malformed: all runes in its inputs are burned.",
    etches: "Etches a new rune.",
    mints: (id: string) => `Mints ${id}.`,
    moves: (amount: string, rune: string, output: number) => `${amount} ${rune} to output ${output}`,
    pointer: (output: number) => `The rest goes to output ${output}.`,
    unknown: "We can't find this transaction on this dev network.",
  },
};

export type LaterText = typeof later;
