/**
 * Every text that the page shows, in English. Each other language is a file in this folder with an object of type Text,
 * so it has the same texts. This file is part of the first load: what only a dialog or another later part shows is in
 * the files that en.later.ts imports. Words for statuses and stages are the specification's, with correct spelling.
 *
 * A file of this folder imports only other texts: it is loaded before the rest of the page.
 */

import { unlock } from "./en.unlock.ts";
import { visit } from "./en.visit.ts";

const counted = (n: number, one: string, many = `${one}s`): string => `${n} ${n === 1 ? one : many}`;

export const text = {
  common: {
    loading: "Loading…",
    retry: "Try again",
    close: "Close",
    opening: "Opening…",
    cancel: "Cancel",
    copy: "Copy",
    copied: "Copied",
    copyFull: (what: string) => `Copy ${what}`,
    dismiss: "Dismiss",
    details: "Details",
    stale: (age: string) => `Updated ${age} ago.`,
    updating: "Connection lost. Reconnecting…",
    sats: "sats",
    btc: "BTC",
    newTab: "opens in a new tab",
    showMore: (count: number) => `Show ${count} more`,
    failed: "Couldn't load this part.",
    selected: (count: number, amount: string) => `${count.toLocaleString("en")} selected, ${amount}`,
    noneSelected: "Nothing selected",
    selectAll: "Select all",
    reset: "Reset",
    sort: "Sort by",
    sortDate: "Newest first",
    sortRunes: "Largest first",
    keepLargest: (count: number) => `Keep only the largest ${count}`,
    tooManyToSign: (count: number) =>
      `One signature can include at most ${count} units. Each stake and each reward is one unit.`,
    noMatch: "No matches. Try another search.",
  },
  header: {
    home: "Home",
    language: "Language",
    connect: "Connect",
    disconnect: "Disconnect",
    reconnect: "Reconnect",
    switch: "Switch account",
    connectedAs: (address: string) => `Connected as ${address}. Copy the address`,
    skip: "Skip to content",
  },
  figures: {
    title: "Your balances",
    totalStaked: "Total staked",
    pendingStake: "Pending stake",
    pendingUnstake: "Pending unstake",
    yourStake: "Your stake",
    claimable: "Claimable rewards",
    share: "Your share",
    unlocked: "Unlocked",
    none: "—",
    now: (name: string, amount: string) => `${name}: ${amount}.`,
  },
  epoch: {
    title: "Epoch",
    current: "Current epoch",
    next: "Next epoch",
    totalStaked: "Total staked",
    issued: "Tokens issued",
    totalIssued: "Total issued",
    endsIn: (epoch: number | string) => `Epoch ${epoch} ends in`,
    unknown: "Next epoch in",
    ends: (local: string) => `Ends ${local}`,
    days: "d",
    hours: "h",
    minutes: "m",
    seconds: "s",
    spoken: (d: number, h: number, m: number, s: number) =>
      `${counted(d, "day")} ${counted(h, "hour")} ${counted(m, "minute")} ${counted(s, "second")}`,
    noticeDay: "One day until the next epoch.",
    noticeHour: "One hour until the next epoch.",
    noticeTen: "Ten minutes until the next epoch.",
    noticeZero: "The epoch has ended.",
    unreachable: "Site unreachable for the moment. Refresh or try later.",
    offline: "You're offline. This page updates once you're connected again.",
    catchingUp:
      "The server is catching up with the Bitcoin blockchain. You can look around now and make changes in a few " +
      "minutes.",
    catchingUpUntil: (block: number, of: number, minutes: number) =>
      `The server is catching up with the Bitcoin blockchain: block ${block.toLocaleString("en")} of ` +
      `${of.toLocaleString("en")}, about ` +
      `${minutes < 120 ? counted(minutes, "minute") : counted(Math.round(minutes / 60), "hour")} left. You can look ` +
      "around now and make changes when it is done.",
    paused: "Changes are paused for now. Your funds are safe, and deadlines will be extended.",
    payoutsPaused:
      "Deliveries are paused for now. Paid orders keep their place in line and are sent when deliveries resume.",
    closed: "This community is closed: nothing more can be staked. Unstaking, claims and withdrawals go on.",
  },
  tabs: {
    label: "Stake, rewards, unstake or withdraw",
    stake: "Stake",
    rewards: "Rewards",
    unstake: "Unstake",
    withdraw: "Withdraw",
    connect: "Connect Wallet to start staking!",
  },
  stake: {
    headline: (token: string) => `Stake ${token}`,
    amount: "Amount to stake",
    balance: "Balance",
    half: "Half",
    max: "Max",
    submit: "Stake",
    submitAmount: (amount: string, token: string) => `Stake ${amount} ${token}`,
    countsSoon: `Earns rewards from the next epoch. If you unstake, your runes ${unlock()}.`,
    minimum: (amount: string, token: string) => `The minimum stake is ${amount} ${token}.`,
    enter: "Enter an amount.",
    noBalance: "Couldn't read your balance from the wallet. You can still enter an amount.",
    byHand: (wallet: string) =>
      `${wallet} can't send runes from this page. Get your stake address here, then send the runes to it from ` +
      `${wallet} or any other wallet.`,
    noBalanceMethod: (wallet: string) =>
      `${wallet} doesn't share its rune balance. Enter the amount yourself. If it is more than you have, the ` +
      "wallet declines it.",
    getAddress: "Get my stake address",
    manual:
      "Send exactly this amount to your stake address, from any wallet that holds the runes. This page updates on " +
      "its own when the transfer arrives.",
    stepSign: "Sign in your wallet",
    stepBroadcast: "Sent",
    stepSeen: "Received",
    stepCounted: "Earning",
    preparing: "Getting your stake address…",
    confirm: "Confirm the transfer in your wallet.",
    sending: (amount: string, token: string) => `You're sending ${amount} ${token} to`,
    sent: (amount: string, token: string) => `You sent ${amount} ${token} to`,
    address: "Your stake address",
    recovery: (blocks: string, days: string) =>
      `About ${days} (${blocks} blocks) after your deposit, you can take your stake back with your own key, even ` +
      "if this site is gone.",
    days: (days: number) =>
      days >= 60
        ? `${Math.round(days / 30)} months`
        : days >= 2
          ? `${Math.round(days)} days`
          : counted(Math.max(1, Math.round(days * 24)), "hour"),
    kit: "Download recovery kit",
    kitFailed: "Couldn't download the recovery kit. Please try again.",
    broadcasted: (txid: string) => `Broadcasted tx id : ${txid}`,
    waitingSeen: "Waiting for your transfer to appear on the network…",
    seen: (epoch: number | null) =>
      epoch === null
        ? "Received. It earns rewards from the next epoch."
        : `Received. It earns rewards from epoch ${epoch}.`,
    counted: "Your stake is earning rewards.",
    rejectedButSeen: "Your wallet reported an error, but the transfer was sent: we received your deposit.",
    hintLost: "Your transfer was sent. It will appear here within a minute.",
    again: "Stake more",
    steps: "Progress of your stake",
    done: "done",
    running: "in progress",
  },
  rewards: {
    claimable: "Claimable",
    compound: "Stake Rewards",
    claim: "Claim",
    openOrder: "Open your claim order",
    activeOrder: "to complete or cancel it before you claim again.",
    orders: "Your claim orders",
    searchOrders: "Search by status",
    compounded: (amount: string, token: string) => `${amount} ${token} will earn rewards from the next epoch.`,
    perEpoch: "Rewards per epoch",
    perEpochNote: "The total that all stakers received.",
    running: "in progress",
    epochColumn: "Epoch",
    rewardColumn: "Rewards",
    ownersColumn: "Stakers",
    yearly: "Estimated yearly rate",
    yearlyAssumed: (amount: string, token: string, share: string) =>
      `For ${amount} ${token} more, ${share} of the total stake.`,
    yearlyOver: (most: string) => `more than ${most}`,
    yearlyHow: "How we estimate this",
    yearlyFormula: (amount: string, token: string) =>
      `We add ${amount} ${token} to what is staked now, take its share of this epoch's rewards, and multiply it by ` +
      "the epochs of 365 days. Compounding isn't included.",
    yearlyCaution: (most: string) =>
      "Each epoch pays a fixed total, so the rate falls when more is staked and rises when less is. It is an " +
      `estimate, not a promise. We don't show rates above ${most}: they only mean that very little is staked.`,
    claimTitle: "Claim rewards",
    claimLimit: (count: number) => `One claim takes your oldest ${count} rewards. Claim again for the rest.`,
  },
  calendar: {
    epochs: "Add epoch ends to your calendar",
    unlocks: "Add unlock dates to your calendar",
    epochTitle: (community: string, epoch: number) => `${community}: epoch ${epoch} starts`,
    epochNote: "Rewards for the previous epoch are being calculated. Runes that were staked in time now earn rewards.",
    unlockTitle: (amount: string, token: string) => `${amount} ${token} unlock`,
    unlockNote: "You can now withdraw or restake them.",
  },
  unstake: {
    title: "Your stakes",
    submit: "Unstake",
    submitAmount: (amount: string, token: string) => `Unstake ${amount} ${token}`,
    empty: "Nothing staked yet. Your stakes are listed here.",
    pending: "Pending stake",
    pendingFrom: (epoch: number) => `Pending stake · earns from epoch ${epoch}`,
    staked: "Staked",
    done: (amount: string, token: string) => `${amount} ${token} unstaked.`,
  },
  withdraw: {
    title: "Unlocked and locked runes",
    restake: "Restake",
    submit: "Withdraw",
    empty: "Nothing here yet. Runes that you unstake are listed here until you withdraw them.",
    warning:
      "Selected rune will become locked in preparation to be sent. If payment order expires or is cancelled, they " +
      "will be unlocked again.",
    unlocked: "Unlocked",
    pendingUnlock: "Pending unlock",
    poLocked: "Locked in pending payment order",
    batchLocked: "Paid and ready to send",
    pendingWithdraw: "Please complete payment",
    paidUnconfirmed: "Paid, waiting for confirmation",
    restaked: (amount: string, token: string) => `${amount} ${token} will earn rewards from the next epoch.`,
    openOrder: "Open payment order",
    tooMany: (max: number) => `One order can include at most ${max} units. Each stake and each reward is one unit.`,
    dialogTitle: "Withdraw",
    timeline: "Upcoming unlocks",
    when: "When",
    amount: "Amount",
    now: "Now",
  },
  unit: {
    reward: "Reward",
    self: "Self-custody",
    operator: "Operator custody",
    contested: "Already spent in another transaction. It can't be used here.",
    locked: "Locked",
    countdown: (left: string) => `${left} left`,
    soon: "any moment now",
  },
  action: {
    sign: "Sign the message in your wallet.",
    preparing: "Preparing…",
    sending: "Sending…",
    failedToSign: (action: string, wallet: string) =>
      `${wallet} didn't sign the message for ${action}.`,
    gettingCosts: "Getting transaction costs ...",
    delivers: "You receive",
    units: (count: number) => counted(count, "unit"),
    estimateNote: "This is an estimate. The order's price is then fixed for 30 minutes.",
    continue: "Continue to payment",
    requesting: "Requesting payment information.",
    unexpected: (call: string) => `The server sent an unexpected answer (${call}). Please try again.`,
    notConnected: "Connect your wallet first.",
    notApplied: "The server didn't carry out this action. Please try again.",
  },
  http: {
    notFound: "We couldn't find that (error 404).",
    internal: "Something went wrong on our side (error 500). Please try again.",
    nullBody: "The server sent an empty answer. Please try again.",
    offline: "You're offline. Check your connection and try again.",
    unreachable: "Can't reach the server. Check your connection and try again.",
  },
  visit,
  pages: {
    notFoundTitle: "404",
    notFoundName: "Page not found",
    proofs: "Proofs",
    transaction: "Transaction",
    notFound: "Sorry, the page was not found",
    home: "Go to the homepage",
    error: "Looks like something went wrong. Hang tight while we look into this!",
    errorId: (id: string) => `If you contact us, please mention error ${id}.`,
    reload: "Reload the page",
    panelError: "This part of the page stopped working. The rest still works.",
    noScript: "Turn on JavaScript to connect your wallet.",
    etch: "Etch and mint",
    terms: "Terms",
    testNote: "This is a test community for rehearsals and for trying out wallets. Its runes have no value.",
    firstUnstake: "First, unstake",
    thenWithdraw: "Then withdraw",
  },
};

export type Text = typeof text;
