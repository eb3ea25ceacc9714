import { unlock } from "./de.unlock.ts";
import type { visit as english } from "./en.visit.ts";

/** German texts for a first visit. */
export const visit: typeof english = {
  title: "Bevor du dich verbindest",
  what: (token, length) =>
    `Stake ${token}, eine Rune auf Bitcoin, und teile dir ${length ? `alle ${length}` : "jede Epoche"} mit allen ` +
    "Stakern einen festen Reward.",
  glance: {
    title: "Die wichtigsten Zahlen",
    stakers: "Staker",
    lastReward: "Letzter Reward",
    reward: (epoch) => `Reward der Epoche ${epoch}`,
    thousand: (token) => `Pro 1.000 ${token} Stake`,
    first: "Neue Stakes zählen ab",
  },
  token: {
    title: (token) => `Was ${token} ist`,
    text: (token, rune) => `${token} ist ${rune}, eine Rune: ein Token direkt auf Bitcoin.`,
    issued: (amount, token) => `Es gibt ${amount} ${token}.`,
  },
  stake: {
    title: "Wann du verdienst",
    text: (length) =>
      "Dein Stake zählt ab dem Beginn der nächsten Epoche. Am Ende jeder Epoche" +
      `${length ? ` (${length})` : ""} bekommst du deinen Teil ihres Rewards, im Verhältnis zu deinem Stake.`,
  },
  cost: {
    title: "Was es kostet",
    text: (sats) =>
      "Staken: die Netzwerkgebühr deiner Wallet. Unstaken: nichts. Abholen oder Auszahlen: Netzwerkgebühr plus " +
      `${sats} Sats, und 546 Sats, die mit deinen Runes zu dir zurückkommen.`,
  },
  leave: {
    title: "Wie du aussteigst",
    text: (token, date) =>
      `Jederzeit: Wenn du ${date && "jetzt "}unstakst, werden deine ${token} ${unlock()}${date && `, am ${date}`}. ` +
      "Dann zahlst du sie aus.",
  },
  keys: {
    title: "Wer deine Runes hat",
    text: (time) =>
      "Stakes in Selbstverwahrung bewegt ihr nur zusammen, du und der Betreiber, oder etwa " +
      `${time} nach der Einzahlung du allein. Rewards hält der Betreiber, auch gestakte, bis zur Auszahlung.`,
    proofs: "Nachweise prüfen",
  },
  wouldEarn: "Was würdest du verdienen?",
  earned: {
    title: "Bisherige Rewards",
    one: (epoch, amount, token, stakers) => `Epoche ${epoch} zahlte ${amount} ${token} an ${stakers}.`,
    stakers: (count) => (count === 1 ? "1 Staker" : `${count} Staker`),
    running: (epoch) => `Epoche ${epoch} läuft noch. Ihre Rewards erscheinen nach ihrem Ende.`,
    unsettled: "noch nicht verdient",
  },
  footer: { contact: "Kontakt", source: "Quellcode", proofs: "Nachweise", more: "Über diese Seite" },
  duration: {
    months: (n) => `${n} Monate`,
    days: (n) => `${n} Tage`,
    hours: (n) => `${n} Stunden`,
    minutes: (n) => `${n} Minuten`,
    seconds: (n) => `${n} Sekunden`,
  },
  terms: {
    title: "Nutzungsbedingungen",
    version: (version) => `Version ${version}`,
    since: "Gültig seit",
    missing: (name) => `${name} hat noch keine Nutzungsbedingungen veröffentlicht.`,
    placeholder:
      "Dies ist ein Platzhalter. Jede Community hat eigene Nutzungsbedingungen, die gelten, wenn du dort stakst.",
    of: (name) => `Nutzungsbedingungen von ${name}`,
  },
};
