import { unlock } from "./de.unlock.ts";
import type { LandingText } from "./en.landing.ts";

/** The landing page in German. The hashes of the answers are the same in every language. */
export const landing: LandingText = {
  description: (product) =>
    `${product}: Staking und Rewards für Communities mit Bitcoin-Runes. Stake, verdiene in jeder Epoche und ` +
    "behalte einen eigenen Schlüssel.",
  skip: "Zum Inhalt springen",
  menu: "Auf dieser Seite",
  together: (product) => `Gemeinsam ${product}`,
  sub: "Stake Bitcoin-Runes mit deiner Community und erhalte jede Woche Rewards.",
  learnMore: "Mehr erfahren",
  missing: (host) => `Unter ${host} gibt es keine Community. Diesen hier kannst du beitreten.`,
  newTab: "öffnet in einem neuen Tab",
  language: "Sprache",

  communities: {
    title: "Die Communities",
    menu: "Communities",
    none: "Noch ist keine Community eröffnet.",
    token: "Token",
    ordinals: "Ordinals",
    staked: "Insgesamt gestakt",
    issued: "Insgesamt ausgegeben",
    epoch: "Epoche",
    ends: "Endet",
    soon: "Kommt bald",
  },

  about: {
    title: (product) => `Was ist ${product}?`,
    text: [
      "Ein Fonds, der Menschen belohnt, die ihre Runes behalten. Runes sind Tokens direkt auf Bitcoin. Eine " +
      "Community legt einen Teil ihrer Runes als Rewards zurück. Jede Woche (eine Epoche) erhalten alle, die " +
      "staken, einen Anteil im Verhältnis zu ihrem Stake.",
      "Alles geschieht auf Bitcoin. Es gibt keine neue Chain, keine Wrapped Tokens und kein Konto, das du eröffnen " +
      "musst. Du signierst mit deiner Wallet, die Blockchain hält es fest, und alle können das Ergebnis prüfen.",
    ],
  },

  steps: {
    title: "So funktioniert es",
    menu: "So funktioniert es",
    list: [
      [
        "Staken",
        "Wähle einen Betrag und sende ihn aus deiner Wallet an eine Adresse, " +
        "die nur für dich erstellt wird.",
      ],
      [
        "Verdienen",
        "Ab der nächsten Epoche erhält dein Stake einen Anteil an den Rewards. Eine Epoche dauert eine Woche und " +
        "beginnt am Mittwoch um 00:00 UTC.",
      ],
      [
        "Rewards staken oder abholen",
        "Stake deine Rewards mit einer Signatur, oder lass sie an deine Wallet senden.",
      ],
      [
        "Aussteigen, wann du willst",
        `Unstake: Deine Runes werden ${unlock()}. Dann zahlst du sie aus oder stakst sie wieder.`,
      ],
    ],
  },

  trust: {
    title: "Nicht nur vertrauen, sondern prüfen",
    check: (name) => `${name} prüfen`,
    source: "Quellcode lesen",
    trust: "Wem du was anvertraust",
    noSource: "Die Software ist quelloffen unter der MIT-Lizenz.",
    version: (version) => `Dieser Server läuft mit Version ${version}.`,
    list: [
      [
        "Ein eigener Schlüssel",
        "In Selbstverwahrung bewegt ohne deine Signatur nichts deinen Stake. Nach einer Wartefrist kannst du ihn " +
        "allein zurückholen, auch wenn es diese Seite nicht mehr gibt.",
      ],
      [
        "Rewards zum Nachrechnen",
        "Die Grundlagen und Ergebnisse jeder Epoche sind öffentlich. Mit denselben Regeln kommst du auf deinem " +
        "eigenen Computer zu denselben Zahlen.",
      ],
      [
        "Kosten vorab",
        "Abholungen und Auszahlungen bezahlst du mit einem Auftrag in Sats. Du siehst jeden Bestandteil des " +
        "Preises, bevor du zustimmst.",
      ],
    ],
  },

  roadmap: {
    title: "Fahrplan",
    sub: "Von Neumond bis Vollmond.",
    list: [
      [
        "Neumond",
        "Übung",
        "Probiere jeden Schritt des Stakings in deinem eigenen Bitcoin-Testnetzwerk aus, mit Wallet und Coins zum " +
        "Spielen.",
      ],
      [
        "Zunehmende Sichel",
        "Test-Community",
        "Eine Community, deren Runes keinen Wert haben. Hier probieren Staker und Wallets jeden Schritt aus, bevor " +
        "es ernst wird.",
      ],
      [
        "Erstes Viertel",
        "Das erste Rudel",
        "Die erste Community öffnet auf Bitcoin. Ihre erste Epoche beginnt an einem Mittwoch.",
      ],
      [
        "Zunehmender Mond",
        "Mehr Communities",
        "Jede mit eigener Rune, eigenen Rewards, Regeln und eigenem Aussehen, im selben Fonds.",
      ],
      ["Vollmond", "In aller Hände", "Alle können alles nachprüfen, und alle können einen Fonds betreiben."],
    ],
  },

  faq: {
    title: "Fragen und Antworten",
    link: "Link zu dieser Antwort",
    list: [
      [
        "what-is-staking",
        "Was ist Staking?",
        [
          "Staking heißt, Tokens für eine Zeit zurückzulegen und dafür belohnt zu werden. Hier sind die Tokens " +
          "Runes, die es direkt auf Bitcoin gibt. Sie gehören weiter dir, aber du kannst sie nicht ausgeben, " +
          "solange sie gestakt sind.",
          "Du brauchst keinen Computer, der immer läuft, und kein technisches Wissen. Eine Bitcoin-Wallet, die " +
          "Runes unterstützt, genügt.",
        ],
      ],
      [
        "how-to-start",
        "Wie fange ich an?",
        [
          "Öffne oben eine Community, verbinde deine Wallet, gib einen Betrag ein und wähle Staken. Deine Wallet " +
          "zeigt, was du wohin sendest; dort bestätigst du. Dein Stake erscheint nach wenigen Minuten als " +
          "ausstehend und bringt ab der nächsten Epoche Rewards.",
          "Du brauchst einige Runes der Community und ein paar tausend Sats für die Netzwerkgebühr von Bitcoin. " +
          "Ein Sat ist die kleinste Einheit von Bitcoin.",
        ],
      ],
      [
        "which-wallets",
        "Welche Wallets funktionieren?",
        [
          "Xverse, Unisat und andere Browser-Wallets mit einer Zahlungsadresse, einer Ordinals-Adresse und " +
          "Unterstützung für Runes. Wenn du noch keine hast, zeigt dir die Seite, wo du eine für deinen Browser " +
          "oder dein Handy bekommst.",
        ],
      ],
      [
        "when-do-rewards-start",
        "Wann beginnen die Rewards?",
        [
          "Mit der nächsten Epoche, wenn deine Einzahlung vor deren Beginn 3 Bestätigungen hat; das dauert etwa " +
          "eine halbe Stunde. Sonst mit der Epoche danach. Welche Epoche wahrscheinlich ist, zeigt der Tab " +
          "„Staken“ vor dem Senden.",
          "Eine Epoche dauert sieben Tage und beginnt jeden Mittwoch um 00:00 UTC. Dein Stake erhält die Rewards " +
          "einer Epoche, wenn er bis zu ihrem Ende gestakt bleibt. Abholen kannst du sie ein bis zwei Stunden " +
          "später, sobald das Ende acht Blöcke tief liegt.",
        ],
      ],
      [
        "how-much",
        "Wie viel verdiene ich?",
        [
          "Jede Epoche schüttet einen festen Gesamtbetrag aus, und du erhältst davon einen Teil entsprechend " +
          "deinem Anteil am gesamten Stake. Wenn du 2 % des Stakes hältst, erhältst du 2 % der Rewards. Deine " +
          "Rendite sinkt, wenn mehr Menschen staken, und steigt, wenn welche gehen. Niemand kann sie versprechen.",
          "Abgeholte Rewards werden an deine Wallet gesendet. Gestakte Rewards bringen ab der nächsten Epoche " +
          "selbst Rewards. Du kannst neue Rewards auch automatisch staken lassen: Signiere dafür einmal im Tab " +
          "„Rewards“.",
        ],
      ],
      [
        "how-long-unstaking",
        "Wie lange dauert Unstaken?",
        [
          `Deine Runes werden ${unlock()}. Wenn du zum Beispiel an einem Freitag unstakst, endet die laufende ` +
          "Epoche am nächsten Mittwoch, und eine Woche später sind deine Runes frei. In dieser Zeit bringen sie " +
          "keine Rewards. Danach kannst du sie auszahlen oder wieder staken.",
        ],
      ],
      [
        "what-does-it-cost",
        "Was kostet es?",
        [
          "Staken kostet die Netzwerkgebühr einer Überweisung, die deine Wallet anzeigt. Unstaken, wieder staken " +
          "und Rewards staken ist kostenlos: Du signierst nur eine Nachricht.",
          "Beim Abholen und Auszahlen werden Runes auf Bitcoin gesendet, und dafür fällt eine Netzwerkgebühr an. " +
          "Du bezahlst sie mit einem Auftrag in Sats: Netzwerkgebühr, Servicegebühr und 546 Sats (der sogenannte " +
          "Dust), die die Runes tragen und in deiner Wallet ankommen. Der Preis gilt 30 Minuten. Wenn es nicht eilt, " +
          "wähle die sparsame Lieferung: Du bezahlst zu einer niedrigeren Gebührenrate, und deine Runes werden " +
          "gesendet, wenn die Rate des Netzwerks so niedrig ist.",
        ],
      ],
      [
        "what-is-an-order",
        "Was ist ein Zahlungsauftrag?",
        [
          "Eine Rechnung in Sats für eine Abholung oder Auszahlung. Bezahle sie aus der verbundenen Wallet, oder " +
          "scanne den Code mit einer anderen. Am günstigsten zahlst du alles auf einmal, denn jede weitere Zahlung " +
          "erhöht die Netzwerkgebühr. Ein neuer Auftrag wartet 30 Minuten auf deine Zahlung. Sobald eine erste " +
          "Zahlung eingegangen ist, hast du für den Rest eine Woche Zeit. Danach werden deine Runes gesendet und " +
          "gelten nach 3 Bestätigungen als geliefert.",
          "Wenn du nichts tust, läuft der Auftrag ab und nichts ändert sich.",
        ],
      ],
      [
        "who-holds-my-runes",
        "Wer hält meine Runes, während sie gestakt sind?",
        [
          "Sie liegen in einem eigenen Bitcoin-Output, an einer Adresse nur für deine Stakes. Ohne deine Signatur " +
          "bewegt ihn nichts: du zusammen mit dem Betreiber oder, nach einer Wartefrist, du allein. Diese Regel " +
          "ist Teil der Adresse, und niemand kann sie ändern.",
          "Mit einer Wallet, die ein solches Skript nicht signieren kann, kannst du in der Verwahrung des " +
          "Betreibers staken, wenn die Community das anbietet. Dann kann er den Stake jederzeit allein bewegen. " +
          "Die Seite sagt dir das, bevor du es wählst.",
        ],
        ["/trust", "Wem du was anvertraust (Englisch)"],
      ],
      [
        "what-if-the-site-is-gone",
        "Was passiert, wenn es diese Seite nicht mehr gibt?",
        [
          "Lade beim Staken das Recovery-Kit herunter. Es enthält, was deine Wallet braucht, um den Stake nach der " +
          "Wartefrist zurückzuholen. Das funktioniert ohne unseren Server.",
        ],
        ["/recover", "Einen Stake mit Bitcoin Core zurückholen (Englisch)"],
      ],
      [
        "what-are-the-risks",
        "Welche Risiken gibt es?",
        [
          "Eine Rune kann ihren ganzen Wert verlieren. Software kann Fehler haben. Bitcoin-Transaktionen lassen " +
          "sich nicht rückgängig machen, prüfe also Adressen und Beträge in deiner Wallet, bevor du bestätigst. " +
          "Und niemand aus einer Community wird dich je nach deiner Seed-Phrase fragen: Das wäre Diebstahl.",
        ],
      ],
    ],
  },

  product: {
    caption:
      "Die Seite von LOBO, der ersten Community, zeigt, was du gestakt hast, was es gebracht hat und was du als " +
      "Nächstes tun kannst.",
    desk:
      "Die Seite einer Community auf einem Computer: oben dein Stake und deine Rewards, darunter die Tabs Staken, " +
      "Rewards, Unstaken und Auszahlen, daneben die Epoche und die Rewards vergangener Epochen.",
    phone: "Dieselbe Seite auf einem Handy, mit dem Formular zum Staken.",
  },

  footer: {
    terms: "Nutzungsbedingungen",
    etch: "Runes erstellen und minten",
    top: "Nach oben",
    proofs: "Nachweise",
    source: "Quellcode",
    contact: "Kontakt",
  },
};
