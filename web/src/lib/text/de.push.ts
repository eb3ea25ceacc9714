import type { push as PushText } from "./en.push.ts";

/** German texts of messages to this browser, also of the service worker that shows them. */
export const push: typeof PushText = {
  offer: "Sag mir, wenn meine Runes frei werden, ein Reward abgerechnet ist oder ein Auftrag mich braucht.",
  hint:
    "Dein Browser zeigt eine Nachricht, auch wenn diese Seite geschlossen ist. Sein Push-Dienst sieht, wann, aber " +
    "nicht, was.",
  turnOn: "Nachrichten einschalten",
  on:
    "Dieser Browser sagt dir, wenn deine Runes frei werden, ein Reward abgerechnet ist oder ein Auftrag dich " +
    "braucht.",
  onForOther: "Dieser Browser bekommt vielleicht Nachrichten zu einer anderen Wallet.",
  turnOff: "Nachrichten ausschalten",
  blocked: "Dein Browser erlaubt keine Nachrichten dieser Seite. Du kannst das in seinen Einstellungen ändern.",
  failed: "In diesem Browser ließen sich keine Nachrichten einschalten. Sonst hat sich nichts geändert.",
  notOff: "Die Nachrichten ließen sich nicht ausschalten. Bitte versuche es noch einmal.",
  messages: {
    unlocked: { title: "Deine Runes sind frei", body: "Du kannst sie jetzt auszahlen oder wieder staken." },
    reward: {
      title: "Du hast einen neuen Reward",
      body: "Eine Epoche wurde abgerechnet. Sieh nach, was du verdient hast.",
    },
    order: { title: "Dein Auftrag braucht dich", body: "Öffne ihn und sieh nach, was zu tun ist." },
    other: { title: "Es gibt Neues zu deinem Stake", body: "Öffne die Seite und sieh nach." },
  },
};
