import type { LandingText } from "./en.landing.ts";

/** The landing page in German. The hashes of the answers are the same in every language. */
export const landing: LandingText = {
  description: (product) =>
    `${product}: Staking und Rewards für Communities von Bitcoin-Runes. Staken, jede Epoche verdienen, einen ` +
    "eigenen Schlüssel behalten.",
  skip: "Zum Inhalt springen",
  menu: "Auf dieser Seite",
  together: (product) => `Gemeinsam ${product}`,
  sub: "Staking und Rewards für Runes-Communities auf Bitcoin.",
  learnMore: "Mehr erfahren",
  missing: (host) => `Unter ${host} gibt es keine Community. Diesen hier kannst du beitreten.`,
  newTab: "öffnet in neuem Tab",
  language: "Sprache",

  communities: {
    title: "Unterstützte Communities",
    menu: "Communities",
    none: "Noch keine Community ist offen.",
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
      "Ein Fonds, der Menschen belohnt, die dabeibleiben. Eine Community legt einen Teil ihrer Runes als Rewards " +
      "zurück; wer stakt, teilt sie sich, Epoche für Epoche, im Verhältnis zum eigenen Stake.",
      "Alles geschieht auf Bitcoin. Es gibt keine neue Chain, kein verpacktes Token und kein Konto, das du " +
      "eröffnen musst: Deine Wallet signiert, die Blockchain hält fest, und alle können das Ergebnis prüfen.",
    ],
  },

  steps: {
    title: "So geht es",
    menu: "So geht es",
    list: [
      ["Staken", "Wähle einen Betrag und sende ihn aus deiner Wallet an eine Adresse, die nur für dich gemacht wird."],
      [
        "Verdienen",
        "Ab der nächsten Epoche hat dein Stake Anteil an den Rewards. Eine Epoche dauert eine Woche und beginnt am " +
        "Mittwoch um 00:00 UTC.",
      ],
      [
        "Mitstaken oder abholen",
        "Stake deine Rewards mit einer Signatur gleich wieder, oder lass sie an deine Wallet senden.",
      ],
      [
        "Gehen, wann du willst",
        "Unstake, warte eine ganze Epoche und zahle an deine Wallet aus. Oder stake wieder, wenn du es dir anders " +
        "überlegst.",
      ],
    ],
  },

  trust: {
    title: "Prüfen statt nur vertrauen",
    check: (name) => `${name} prüfen`,
    source: "Quellcode lesen",
    noSource: "Die Software ist quelloffen unter der MIT-Lizenz.",
    version: (version) => `Dieser Server läuft mit Version ${version}.`,
    list: [
      [
        "Ein eigener Schlüssel",
        "Jeder Stake liegt auf einem eigenen Bitcoin-Output. Nach einer Frist von einigen Monaten kann dein " +
        "Schlüssel allein ihn zurückholen, auch wenn es diese Seite nicht mehr gibt.",
      ],
      [
        "Rewards zum Nachrechnen",
        "Grundlagen und Ergebnisse jeder Epoche sind öffentlich. Dieselben Regeln geben auf deinem eigenen Rechner " +
        "dieselben Zahlen.",
      ],
      [
        "Kosten vor der Zusage",
        "Abholen und Auszahlen werden mit einer Order in Sats bezahlt. Jeder Posten ihres Preises steht da, bevor " +
        "du zustimmst.",
      ],
    ],
  },

  roadmap: {
    title: "Fahrplan",
    sub: "Von Neumond bis Vollmond.",
    list: [
      [
        "Neumond",
        "Probe",
        "Das ganze Leben eines Stakes auf einem eigenen Bitcoin-Netz, mit Wallet und Coins zum Spielen.",
      ],
      [
        "Zunehmende Sichel",
        "Test-Community",
        "Eine Community ohne Wert, in der Staker und Wallets jeden Schritt ausprobieren, bevor er zählt.",
      ],
      [
        "Erstes Viertel",
        "Das erste Rudel",
        "Die erste Community öffnet auf Bitcoin. Ihre erste Epoche beginnt an einem Mittwoch.",
      ],
      [
        "Zunehmender Mond",
        "Mehr Communities",
        "Jede mit eigenem Rune, eigenen Rewards, Regeln und Aussehen, getragen vom selben Fonds.",
      ],
      ["Vollmond", "In aller Hände", "Alle können alles prüfen, alle können einen Fonds betreiben."],
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
          "Staking heißt, dass du Token für eine Zeit beiseitelegst und dafür belohnt wirst. Hier sind die Token " +
          "Runes: Token, die auf Bitcoin selbst leben. Sie bleiben deine; was du für eine Weile aufgibst, ist, sie " +
          "auszugeben.",
          "Du brauchst keinen Rechner, der Tag und Nacht läuft, und kein technisches Wissen, nur eine " +
          "Bitcoin-Wallet, die Runes kennt.",
        ],
      ],
      [
        "how-to-start",
        "Wie fange ich an?",
        [
          "Öffne oben eine Community, verbinde deine Wallet, gib einen Betrag ein und drücke auf Staken. Die " +
          "Wallet zeigt, was hinausgeht und wohin; dort bestätigst du. Nach wenigen Minuten zeigt die Seite deinen " +
          "wartenden Stake, und ab der nächsten Epoche verdient er.",
          "Du brauchst einige Runes der Community und ein paar tausend Sats für die Netzwerkgebühr von Bitcoin.",
        ],
      ],
      [
        "which-wallets",
        "Welche Wallets gehen?",
        [
          "Xverse und Unisat sowie andere Browser-Wallets mit einer Zahlungsadresse, einer Ordinals-Adresse und " +
          "Unterstützung für Runes. Ohne Wallet zeigt dir die Seite, wo es eine für deinen Browser oder dein " +
          "Telefon gibt.",
        ],
      ],
      [
        "when-do-rewards-start",
        "Wann beginnen die Rewards?",
        [
          "Mit der nächsten Epoche, wenn deine Einzahlung vor ihrem Beginn 3 Bestätigungen hat; das dauert etwa eine " +
          "halbe Stunde. Sonst mit der übernächsten. Welche Epoche wahrscheinlich ist, steht vor dem Senden im Tab " +
          "„Staken“.",
          "Eine Epoche dauert sieben Tage und beginnt jeden Mittwoch um 00:00 UTC. Dein Stake verdient ihre Rewards, " +
          "wenn er bis zu ihrem Ende gestakt bleibt. Abholen kannst du sie ein bis zwei Stunden später, wenn das " +
          "Ende acht Blöcke tief liegt.",
        ],
      ],
      [
        "how-much",
        "Wie viel verdiene ich?",
        [
          "Jede Epoche hat eine feste Menge an Rewards, und jeder bekommt davon einen Teil, der so groß ist wie " +
          "sein Teil am ganzen Stake. Wer 2 % des Stakes hält, bekommt 2 % der Rewards. Deine Rate fällt also, " +
          "wenn mehr Menschen staken, und steigt, wenn welche gehen; niemand kann sie versprechen.",
          "Abgeholte Rewards verlassen den Fonds. Mitgestakte Rewards werden zu Stake und verdienen von da an selbst.",
        ],
      ],
      [
        "how-long-unstaking",
        "Wie lange dauert Unstaken?",
        [
          "Die laufende Epoche und noch eine. Wenn du an einem Freitag unstakst, endet die laufende Epoche am " +
          "nächsten Mittwoch, und eine Woche später sind deine Runes frei. In dieser Zeit verdienen sie nichts. " +
          "Danach zahlst du sie an deine Wallet aus oder stakst sie wieder.",
        ],
      ],
      [
        "what-does-it-cost",
        "Was kostet es?",
        [
          "Staken kostet die Netzwerkgebühr einer Überweisung, die deine Wallet anzeigt. Unstaken, Wiederstaken " +
          "und Mitstaken kosten nichts: Du signierst eine Nachricht.",
          "Abholen und Auszahlen senden Runes auf Bitcoin, also muss jemand die Miner bezahlen. Du tust es mit " +
          "einer Order in Sats: Netzwerkgebühr, eine Servicegebühr und 546 Sats, die mit den Runes reisen und in " +
          "deiner Wallet ankommen. Der Preis steht 30 Minuten fest.",
        ],
      ],
      [
        "what-is-an-order",
        "Was ist eine Zahlungsorder?",
        [
          "Eine Rechnung in Sats für ein Abholen oder eine Auszahlung. Bezahle sie aus der verbundenen Wallet oder " +
          "aus jeder anderen, indem du ihren Code scannst, auf einmal oder in Teilen, was die Netzwerkgebühr " +
          "erhöht. Eine neue Order wartet 30 Minuten auf deine Zahlung; ist eine erste Zahlung gesehen, hast du " +
          "für den Rest eine Woche. Danach werden deine Runes gesendet und gelten nach 3 Blöcken als angekommen.",
          "Tust du nichts, läuft die Order ab und alles ist wie vorher.",
        ],
      ],
      [
        "who-holds-my-runes",
        "Wer hält meine Runes, während sie gestakt sind?",
        [
          "Sie liegen auf einem eigenen Bitcoin-Output, an einer Adresse, die nur deine Stakes benutzen. Der " +
          "Schlüssel der Community kann ihn ausgeben; so werden Auszahlungen gesendet. Nach einer Frist von " +
          "mehreren Monaten kann auch dein Schlüssel allein ihn ausgeben: Das steht in der Adresse selbst und " +
          "niemand kann es ändern.",
          "Bis dahin vertraust du also der Community. Stake, was du ihr anvertrauen magst.",
        ],
      ],
      [
        "what-if-the-site-is-gone",
        "Was, wenn diese Seite verschwindet?",
        [
          "Lade beim Staken das Recovery-Kit herunter. Es enthält, was deine Wallet braucht, um den Stake nach der " +
          "Frist allein zurückzuholen. Kein Server wird dabei gefragt.",
        ],
      ],
      [
        "what-are-the-risks",
        "Was sind die Risiken?",
        [
          "Der Wert eines Runes kann auf nichts fallen. Software kann Fehler haben. Bitcoin-Transaktionen lassen " +
          "sich nicht rückgängig machen, also sieh dir Adressen und Beträge in deiner Wallet an, bevor du " +
          "bestätigst. Und niemand aus einer Community fragt dich je nach deinen Seed-Wörtern: Wer das tut, ist " +
          "ein Dieb.",
        ],
      ],
    ],
  },

  product: {
    title: "Erst ansehen",
    caption:
      "Die Seite von LOBO, der ersten Community: was du gestakt hast, was es gebracht hat und was du tun kannst.",
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
