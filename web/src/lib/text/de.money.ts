/** German texts about costs, payments, earnings and dates. */
import { unlock } from "./de.unlock.ts";
import type { LaterText } from "./en.later.ts";

export const unstake: LaterText["unstake"] = {
  costs: (amount, token, epoch) => `Du verzichtest auf etwa ${amount} ${token} für Epoche ${epoch}.`,
  costsNothing: (epoch) => `Epoche ${epoch} zahlt für diesen Stake keinen Reward.`,
  costsReward: (epoch) => `Du verzichtest auf deinen Reward für Epoche ${epoch}.`,
  costsAll: (epoch) => `Für alles, was du unstakst, verzichtest du auf den Reward für Epoche ${epoch}.`,
  unlocks: (last, date) => `Deine Runes werden ${unlock(last, date)}.`,
  title: (amount) => `${amount} unstaken?`,
  wait: (epoch, end, last, unlockDate) =>
    `Wenn du bis zum Ende von Epoche ${epoch} am ${end} wartest, behältst du diesen Reward. Deine Runes werden ` +
    `dann ${unlock(last, unlockDate)}.`,
  after:
    "Gesperrte Runes bringen keine Rewards. Sobald sie freigegeben sind, kannst du sie auszahlen oder kostenlos " +
    "wieder staken.",
  keep: "Weiter staken",
  notYet: "Einen Stake kannst du hier auswählen, sobald er Rewards bringt. Durch Warten verlierst du nichts.",
};

export const start: LaterText["start"] = {
  likely: (epoch, date, last, unlockDate) =>
    `Bringt voraussichtlich Rewards ab Epoche ${epoch}, die am ${date} beginnt, wenn deine Einzahlung bis dahin 3 ` +
    `Bestätigungen hat. Wenn du in Epoche ${epoch} unstakst, werden deine Runes ${unlock(last, unlockDate)}.`,
  seen: (epoch, date, count, minutes) =>
    `Eingegangen. Dein Stake bringt voraussichtlich Rewards ab Epoche ${epoch}, die am ${date} beginnt. Er braucht ` +
    `bis dahin 3 Bestätigungen und hat ${count}. Die übrigen dauern etwa ${minutes} Minuten.`,
  final: (epoch, date) =>
    `Eingegangen, mit 3 Bestätigungen. Dein Stake bringt voraussichtlich Rewards ab Epoche ${epoch}, die am ${date} ` +
    "beginnt.",
  rune: (name, id) => `Zu senden ist die Rune ${name} mit der ID ${id}.`,
  pendingLikely: (epoch) => `Ausstehender Stake · bringt voraussichtlich Rewards ab Epoche ${epoch}`,
};

export const confirmations: LaterText["confirmations"] = {
  of: (count) => `${count} von 3`,
  left: (count, minutes) =>
    minutes === 0
      ? "Sie hat ihre 3 Bestätigungen."
      : `${count} von 3 Bestätigungen. Die übrigen dauern etwa ${minutes} Minuten.`,
};

export const session: LaterText["session"] = {
  switch: (wallet) =>
    `Wähle eine Wallet, um ein anderes Konto zu verbinden. Du kannst auch in ${wallet} ein anderes Konto ` +
    "auswählen; diese Seite übernimmt es.",
  same: (wallet) =>
    `${wallet} gibt weiterhin dasselbe Konto frei. Wähle in der Wallet ein anderes Konto aus; diese Seite ` +
    "übernimmt es.",
  copyByHand: (keys) =>
    `Dein Browser lässt diese Seite nicht kopieren. Der Text ist ausgewählt: Drücke ${keys}, oder halte ihn ` +
    "gedrückt und wähle „Kopieren“.",
  notRemembered:
    "Dein Browser lässt diese Seite nichts speichern. Lass die Seite offen, bis deine Zahlungen angekommen sind: " +
    "Wenn du sie schließt oder neu lädst, vergisst sie diese und die Verbindung zu deiner Wallet womöglich.",
  none: (token) => `Du hast noch keine ${token}.`,
  get: (token) => `${token} bekommen`,
  late: "Schon gekauft? Dann erscheinen sie vielleicht erst nach dem nächsten Block.",
  faucet: (token) => `Test-${token} vom Faucet holen`,
  faucetSent: (token) => `Der Faucet hat dir Test-${token} und Sats gesendet. Sie kommen mit dem nächsten Block an.`,
  faucetFailed: "Der Faucet konnte nichts senden. Bitte versuche es noch einmal.",
};
