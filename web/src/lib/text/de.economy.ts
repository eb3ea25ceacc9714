import type { economy as english } from "./en.economy.ts";

const days = (count: number): string => `${count} ${count === 1 ? "Tag" : "Tage"}`;

/** German texts about economy delivery. */
export const economy: typeof english = {
  choose: "Wann geliefert wird",
  now: "Jetzt",
  nowNote: "Wird gesendet, sobald deine Zahlung bestätigt ist.",
  economy: "Sparsam",
  economyNote: "Wird gesendet, wenn die Netzwerkgebühren sinken.",
  cheapest: {
    order: "Am günstigsten ohne Warten: Eine einzelne Transaktion müsste mehr Coins ausgeben.",
    oneTx: "Am günstigsten ohne Warten: nur eine Netzwerkgebühr und keine Servicegebühr.",
    economy: "Am günstigsten, wenn du warten kannst: wird gesendet, wenn die Netzwerkgebühren sinken.",
  },
  saves: (sats) => `spart ${sats} Sats`,
  rate: "Deine Gebührenrate in sat/vB",
  range: (least, most, network) => `Von ${least} bis ${most}. Die Rate des Netzwerks ist zurzeit ${network}.`,
  unreadable: (example) => `Gib die Rate als Zahl mit höchstens 3 Nachkommastellen ein, zum Beispiel ${example}.`,
  tooLow: (least) => `Die Rate ist zu niedrig. Gib mindestens ${least} sat/vB ein.`,
  tooHigh: (most, network) =>
    `Gib höchstens ${most} sat/vB ein. Die Rate des Netzwerks ist zurzeit ${network}; eine höhere spart nichts.`,
  limit: "Höchstens warten",
  days,
  daysNear: (count) =>
    `Höchstens ${days(count)}: Du kannst eine dieser Einheiten bald selbst zurückholen, und der Auftrag muss ` +
    "vorher enden.",
  payNow:
    "Du bezahlst jetzt. Deine Runes werden gesendet, wenn die Rate des Netzwerks höchstens so hoch ist wie " +
    "deine.",
  idle: "Bis dahin sind sie gesperrt und bringen keine Rewards. Bis sie gesendet werden, kannst du stornieren.",
  mayNot: (date) =>
    `Wenn deine Runes bis ${date} nicht gesendet sind, wählst du: bis zu 14 Tage länger warten, die Differenz zum ` +
    "normalen Preis bezahlen oder stornieren.",
  noChoice:
    "Wenn niemand wählt, endet der Auftrag spätestens 14 Tage danach, und deine Zahlung geht abzüglich der " +
    "Netzwerkgebühr zurück. Warten braucht keine Unterschrift, also kann jeder es für dich wählen, bis der " +
    "Auftrag 84 Tage alt ist. Wenn der Auftrag enden soll, storniere ihn.",
  mayNotNear: (date) =>
    `Wenn deine Runes bis ${date} nicht gesendet sind, wählst du: länger warten, die Differenz zum normalen Preis ` +
    "bezahlen oder stornieren.",
  endsNear: (count) =>
    `Wenn deine Runes nach etwa ${count} ${count === 1 ? "Tag" : "Tagen"} noch nicht gesendet sind, endet der ` +
    "Auftrag, und deine Zahlung geht abzüglich der Netzwerkgebühr zurück.",
  priceNote:
    "Das ist eine Schätzung. Der Preis des Auftrags steht dann fest. Beginne innerhalb von 30 Minuten mit der " +
    "Zahlung.",
  gone: "Die Rate des Netzwerks ist jetzt so niedrig wie möglich, Warten spart also nichts.",
  nearRecovery:
    "Du kannst eine dieser Einheiten bald selbst zurückholen. Deshalb kann dieser Auftrag nicht auf niedrigere " +
    "Gebühren warten.",
  chooseOther: "Wähle eine andere Lieferung.",
  unwanted:
    "Die Nachricht des Servers verlangt die sparsame Lieferung, die du nicht gewählt hast. Es wurde nichts signiert.",
  otherRate: (rate) =>
    `Die Nachricht des Servers enthält nicht deine Rate von ${rate} sat/vB. Es wurde nichts signiert.`,
  otherLimit: (date) => `Die Nachricht des Servers enthält nicht deine Frist bis ${date}. Es wurde nichts signiert.`,
  waitsFor: (rate) => `Wartet auf ${rate} sat/vB`,
  limitReached: "Frist erreicht: Bitte wähle",
  title: "Sparsame Lieferung",
  own: "Deine Rate",
  network: "Rate des Netzwerks",
  until: "Wartet bis",
  sentAt: (rate) => `bei ${rate} sat/vB`,
  unpaid:
    "Nach deiner Zahlung werden deine Runes gesendet, wenn die Rate des Netzwerks höchstens so hoch ist wie " +
    "deine.",
  covered:
    "Vollständig bezahlt. Sobald ein Block die Zahlung bestätigt, werden deine Runes gesendet, wenn die Rate des " +
    "Netzwerks höchstens so hoch ist wie deine.",
  waiting: "Bezahlt. Deine Runes werden gesendet, wenn die Rate des Netzwerks höchstens so hoch ist wie deine.",
  soon: "Die Rate des Netzwerks ist niedrig genug. Deine Runes gehen mit der nächsten Lieferung hinaus.",
  before: (until, ends) =>
    `Wenn deine Runes bis ${until} nicht gesendet sind, wählst du: länger warten, die Differenz bezahlen oder ` +
    `stornieren. Wenn du nichts wählst, endet dieser Auftrag am ${ends}, und deine Zahlung geht abzüglich der ` +
    "Netzwerkgebühr zurück.",
  beforeEnd: (ends) =>
    `Wenn deine Runes bis ${ends} nicht gesendet sind, endet dieser Auftrag, und deine Zahlung geht abzüglich der ` +
    "Netzwerkgebühr zurück.",
  reached: (ends) =>
    "Die Frist ist vorbei. Wähle, wie es weitergeht; deine Runes werden immer noch gesendet, wenn die Rate sinkt. " +
    `Wenn du nichts wählst, endet dieser Auftrag am ${ends}, und deine Zahlung geht abzüglich der Netzwerkgebühr ` +
    "zurück. Warten braucht keine Unterschrift, also kann jeder es für dich wählen. Wenn der Auftrag enden soll, " +
    "storniere ihn.",
  wait: (date) => `Bis ${date} warten`,
  pay: (sats) => `Differenz bezahlen, etwa ${sats} Sats`,
  payNote:
    "Du willst nicht warten? Bezahle die Differenz zum normalen Preis, und deine Runes werden gesendet, sobald sie " +
    "bestätigt ist.",
  difference: (total, rate) =>
    `Der normale Preis ist ${total} Sats bei ${rate} sat/vB. Bezahle die Differenz, und deine Runes werden gesendet, ` +
    "sobald sie bestätigt ist. Wenn du nicht bezahlst, wartet der Auftrag weiter.",
  differenceSeen: "Die Differenz ist eingegangen. Deine Runes werden gesendet, sobald ein Block sie bestätigt.",
  payAgain: "Nicht deine Zahlung, oder dauert es zu lange?",
  payAgainNote:
    "Du kannst die Differenz noch einmal bezahlen. Deine Runes werden gesendet, sobald eine der Zahlungen bestätigt " +
    "ist. Wenn mehrere bestätigt werden, geht die Überzahlung abzüglich der Netzwerkgebühr zurück.",
  ended: (rate) =>
    `Dieser Auftrag wurde beendet, weil die Rate des Netzwerks nicht rechtzeitig auf ${rate} sat/vB gesunken ist. ` +
    "Seine Runes sind wieder verfügbar.",
};
