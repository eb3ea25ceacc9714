/** German words for what things cost, what they bring and when. */
import type { LaterText } from "./en.later.ts";

export const order: LaterText["order"] = {
  costs: (sats) => `Kosten: ${sats} Sats`,
  paidOf: (paid, total) => `${paid} von ${total} Sats bezahlt`,
  overdue:
    "Die Zahlungsfrist ist vorbei. Bitte bezahle diesen Auftrag jetzt nicht mehr. Hast du schon bezahlt, erscheint " +
    "deine Zahlung hier innerhalb einer Minute.",
  cancelAskCovered:
    "Du hast diesen Auftrag vollständig bezahlt. Deine Runes werden gesendet, sobald ein Block deine Zahlung " +
    "bestätigt. Wenn du jetzt stornierst, werden sie nicht gesendet: Was du bezahlt hast, geht abzüglich der " +
    "Netzwerkgebühr an deine Zahlungsadresse zurück.",
};

export const unstake: LaterText["unstake"] = {
  costs: (amount, token, epoch) => `Du verzichtest auf etwa ${amount} ${token} für Epoche ${epoch}.`,
  costsNothing: (epoch) => `Epoche ${epoch} zahlt für diesen Stake keinen Reward.`,
  costsReward: (epoch) => `Du verzichtest auf deinen Reward für Epoche ${epoch}.`,
  costsAll: (epoch) => `Was du unstakst, bekommt für Epoche ${epoch} keinen Reward.`,
  unlocks: (date) => `Deine Runes werden am ${date} freigegeben.`,
  ask: (amount) => `${amount} unstaken?`,
  wait: (epoch, end, unlock) =>
    `Wenn du bis zum Ende von Epoche ${epoch} am ${end} wartest, behältst du diesen Reward. Deine Runes werden ` +
    `dann am ${unlock} freigegeben.`,
  after:
    "Gesperrte Runes verdienen nichts. Sobald sie freigegeben sind, kannst du sie auszahlen oder kostenlos wieder " +
    "staken.",
  keep: "Weiter staken",
};

export const start: LaterText["start"] = {
  likely: (epoch, date) =>
    `Verdient voraussichtlich ab Epoche ${epoch}, die am ${date} beginnt: Bis dahin braucht eine Einzahlung 3 ` +
    "Bestätigungen. Unstaken dauert eine volle Epoche.",
  seen: (epoch, date) =>
    `Gesehen. Dein Stake verdient voraussichtlich ab Epoche ${epoch}, die am ${date} beginnt. Bis dahin braucht ` +
    "er 3 Bestätigungen.",
  pendingLikely: (epoch) => `Ausstehender Stake · verdient voraussichtlich ab Epoche ${epoch}`,
};

export const session: LaterText["session"] = {
  switch: (wallet) =>
    `Wähle eine Wallet, um ein anderes Konto zu verbinden. Oder wähle in ${wallet} ein anderes Konto: Diese Seite ` +
    "übernimmt es.",
  same: (wallet) =>
    `${wallet} gibt dasselbe Konto frei wie bisher. Wähle in der Wallet ein anderes Konto: Diese Seite übernimmt es.`,
  none: (token) => `Du hast noch keine ${token}.`,
  get: (token) => `${token} bekommen`,
  late: "Schon gekauft? Es kann bis zum nächsten Block dauern, bis deine Wallet sie zeigt.",
  faucet: (token) => `Test-${token} vom Faucet holen`,
  faucetSent: (token) => `Der Faucet hat dir Test-${token} und Sats gesendet. Mit dem nächsten Block sind sie da.`,
  faucetFailed: "Der Faucet konnte nichts senden. Bitte versuche es noch einmal.",
};
