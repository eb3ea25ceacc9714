import type { VerifyText } from "./en.verify.ts";

/** German texts about the checks of statements. */
export const verify: VerifyText = {
  outcomes: { passed: "Bestanden", failed: "Fehlgeschlagen", unchecked: "Nicht geprüft" },
  checks: {
    read: "Dokumente",
    form: "Form, Summen und Signatur",
    key: "Schlüssel der Abrechnungen",
    chain: "Kette der Abrechnungen",
    seen: "Eine früher gesehene Abrechnung",
    reserves: "Angegebene Reserven",
    rewards: "Rewards und Baum",
    compounded: "Wieder gestakte Rewards",
    instructions: "Automatisches Staken",
    proof: "Nachweis eines Eigentümers",
    owner: "Wessen Nachweis es ist",
    outputs: "Outputs in der Blockchain",
    runes: "Rune-Beträge",
    receipts: "Quittung",
  },
  passed: {
    read: () => "Alles konnte gelesen werden.",
    form: (n) => `Abrechnungen: ${n}. Jede ist in kanonischer Form, ihre Summen stimmen, ihre Signatur ist gültig.`,
    key: (key) => `Alle sind mit dem angegebenen Schlüssel signiert: ${key}`,
    chain: (n, from, to) => `Abrechnungen: ${n}, für die Epochen ${from} bis ${to}. Jede setzt die vorige fort.`,
    seen: (id) => `Die Kette enthält die Abrechnung ${id}.`,
    reserves: (owed, n, self, stakes) =>
      `In jeder Abrechnung decken die Reserven Stakes und Rewards. Die neueste schuldet ${owed} und nennt ${n} ` +
      `Outputs. Ihre Stakes enthalten ${stakes}, davon ${self} in Selbstverwahrung.`,
    rewards: (n) =>
      `Epochen: ${n}. Die aus den Einzelheiten neu berechneten Rewards und Bäume stimmen mit der Abrechnung überein.`,
    instructions: (active, rewards) =>
      `Aktive Anweisungen: ${active}. Durch eine Anweisung gestakte Rewards: ${rewards}. Jede Anweisung deckt ihre ` +
      "Rewards ab und ist in allen Abrechnungen gleich.",
    compounded: (n) => `Wieder gestakte Rewards: ${n}. Jeder hat den Betrag, den eine frühere Epoche gezahlt hat.`,
    proof: (owner, stake, reward, owed, epoch) =>
      `Epoche ${epoch} zählt für ${owner}: Stake ${stake}, Reward ${reward}, geschuldet ${owed}.`,
    owner: (owner) => `Der Nachweis ist für ${owner}.`,
    outputs: (n, height) =>
      `Verglichene Outputs: ${n}. Alle sind wie angegeben und waren bei Block ${height} unverbraucht.`,
    runes: (n) => `Mit dem Ord-Server verglichene Outputs: ${n}. Alle enthalten die angegebenen Runes.`,
    receipts: (kind, owner) =>
      `Der Server hat ${owner} bestätigt: ${kind}. Das beweist, was er gesagt hat, nicht dass es stimmt.`,
  },
  failed: {
    read: () => "Ein Dokument konnte nicht gelesen werden.",
    form: (place) => `${place}: kein gültiges Dokument.`,
    key: (given, found) => `Eine Abrechnung ist mit ${found} signiert, nicht mit dem angegebenen Schlüssel: ${given}`,
    chain: () => "Die Abrechnungen setzen einander nicht fort.",
    seen: (id) =>
      `Die Kette enthält die Abrechnung ${id} nicht. Bewahre beide auf: Zusammen zeigen sie zwei Verläufe.`,
    reserves: (sequence, kind, held, owed) =>
      `Abrechnung ${sequence}: Die Reserven der Art ${kind} enthalten ${held}, nötig sind ${owed}.`,
    rewards: (epoch) => `Epoche ${epoch}: Rewards oder Baum folgen nicht aus den Einzelheiten.`,
    instructions: (epoch) => `Epoche ${epoch}: Die Anweisungen widersprechen den Anweisungen der vorigen Epoche.`,
    compounded: (unit, counted, paid) => `${unit} zählt ${counted}, jene Epoche hat ${paid} gezahlt.`,
    proof: (owner) => `Der Nachweis für ${owner} passt nicht zu diesen Abrechnungen.`,
    owner: (given, found) => `Der Nachweis ist für ${found}, nicht für ${given}.`,
    outputs: () => "Ein Output oder Block weicht von der Abrechnung ab.",
    runes: () => "Die Rune-Beträge weichen ab.",
    receipts: (kind, owner, key) =>
      `Eine Quittung (${kind}) ist für ${owner}, beglaubigt von ${key}: nicht für den ` +
      "angegebenen Eigentümer oder Schlüssel.",
  },
  unchecked: {
    read: (place) => `${place}: konnte nicht gelesen werden.`,
    form: () => "Es gibt keine Abrechnung zu prüfen.",
    key: (key) =>
      key
        ? `Signiert mit ${key}. Vergleiche ihn mit dem Schlüssel, den die Community anderswo veröffentlicht.`
        : "Es gibt keine Abrechnung zu prüfen.",
    chain: () => "Höchstens eine Abrechnung: Gib alle an, um zu prüfen, ob jede die vorige fortsetzt.",
    seen: (id) =>
      `Bewahre die Id der neuesten Abrechnung auf und vergleiche sie beim nächsten Mal${id ? `: ${id}` : ""}. Sie ` +
      "zeigt, ob der Verlauf geändert wurde.",
    reserves: () => "Es gibt keine Abrechnung zu prüfen.",
    rewards: (n) =>
      n && n !== "0"
        ? `Abrechnungen ohne Einzelheiten: ${n}. Ihre Rewards wurden nicht neu berechnet.`
        : "Keine Einzelheiten.",
    instructions: () => "Keine Einzelheiten.",
    compounded: (n) => `Wieder gestakte Rewards: ${n}. Die Einzelheiten der Epochen, die sie gezahlt haben, fehlen.`,
    proof: (owner) =>
      owner ? `Es gibt keinen Nachweis für ${owner}.` : "Gib einen Nachweis oder die Adresse eines Eigentümers an.",
    owner: () => "Gib deine Ordinals-Adresse an, um zu prüfen, ob der Nachweis deiner ist.",
    outputs: () => "Gib die Adresse eines Esplora- oder Ord-Servers an, um die Outputs zu vergleichen.",
    runes: (ord) =>
      ord
        ? "Rune-Beträge nicht für alle Outputs geprüft: Ord kennt nur die Runes unverbrauchter Outputs."
        : "Rune-Beträge nicht geprüft: Esplora zeigt Outputs, keine Runes. Gib die Adresse eines Ord-Servers an.",
    receipts: (kind, owner, key) =>
      kind
        ? `Der Server hat ${owner} bestätigt: ${kind}. Vergleiche den Schlüssel mit dem der Community: ${key}`
        : "Unter den Dokumenten sind keine Quittungen.",
  },

  verdict: {
    failed: (n) => (n === 1 ? "1 Prüfung fehlgeschlagen" : `${n} Prüfungen fehlgeschlagen`),
    partly: (n) => `Was geprüft wurde, stimmt. Nicht geprüft: ${n}`,
    passed: "Alle Prüfungen bestanden",
    nothing: "Nichts wurde geprüft",
    failedAdvice:
      "Bewahre die Dokumente und diesen Bericht auf. Frage den Betreiber und zeige beides anderen Stakern: Ein " +
      "falsches signiertes Dokument ist ein Beweis gegen den, der es signiert hat.",
    limits:
      "Diese Prüfungen können nicht zeigen, dass ein Eigentümer fehlt: Nur er selbst findet keinen Nachweis. Auch " +
      "zeigen sie nicht, was morgen vorhanden ist.",
  },

  reward: {
    title: "Meinen Reward prüfen",
    intro: "Dein Browser prüft die neueste signierte Abrechnung und berechnet deinen Reward neu.",
    unpublished: (name) => `${name} veröffentlicht keine signierten Abrechnungen. So ist dein Reward nicht prüfbar.`,
    none: "Es gibt noch keine signierte Abrechnung. Die erste erscheint nach dem Ende einer Epoche.",
    unreachable: "Der Server ist nicht erreichbar, nichts wurde geprüft. Versuche es gleich noch einmal.",
    pending: (newest, epoch) =>
      `Für Epoche ${newest} gibt es noch keine Abrechnung. Dies ist die Prüfung von Epoche ${epoch}.`,
    mismatch: "Die Dokumente widersprechen sich",
    keep:
      "Speichere die Dokumente unten und mache einen Screenshot dieser Seite. Frage dann den Betreiber, und zeige " +
      "beides anderen.",
    notRewarded: (epoch) =>
      `Du hast für Epoche ${epoch} keinen Reward. Ein Stake bringt Rewards für Epochen, in denen er ` +
      "von Anfang bis Ende gestakt ist.",
    right: (amount, token, epoch) => `Dein Reward für Epoche ${epoch} stimmt: ${amount} ${token}`,
    steps: {
      signature: "Die Abrechnung ist mit dem Schlüssel signiert, den diese Seite hat.",
      chain: "Sie setzt die vorige Abrechnung fort.",
      recomputed: "Alle Rewards folgen aus den veröffentlichten Eingaben.",
      counted: "Die Abrechnung zählt dich, mit diesem Reward.",
      shown: "Diese Seite zeigt denselben Reward.",
    },
    detail: "Einzelheit",
    save: (name) => `${name} speichern`,
    standalone:
      "Diese Seite und ihr Schlüssel kommen vom selben Server und beweisen nur, dass dessen Dokumente " +
      "zusammenpassen. Die ganze Kette prüfst du mit einem Schlüssel von anderswo auf der",
    standaloneLink: "eigenständigen Seite",
  },

  page: {
    title: "Abrechnungen prüfen",
    intro:
      "Prüft die signierten Abrechnungen einer Moon-Fund-Community in deinem Browser. Gesendet wird nur etwas an " +
      "die Server, die du nennst.",
    save: "Diese Seite speichern",
    saveWhy: "Eine gespeicherte Kopie funktioniert offline, und kein Server kann sie ändern.",
    language: "English",
    noScript: "Diese Seite braucht JavaScript. This page needs JavaScript.",
    documents: "Was geprüft wird",
    server: "Adresse der Abrechnungen",
    serverHint:
      "Zum Beispiel https://lobo.example.org/lobo/statements. Alle werden mit ihren Einzelheiten geladen.",
    files: "Dateien",
    filesHint: "Abrechnungen, Einzelheiten, Nachweise und Quittungen, beliebig viele.",
    paste: "Oder Dokumente einfügen",
    pasteHint: "Ein Dokument pro Zeile.",
    compare: "Womit verglichen wird",
    key: "Schlüssel der Abrechnungen",
    keyHint:
      "64 Hex-Ziffern. Hole ihn anderswo als von diesem Server, zum Beispiel aus dem Chat der Community oder von " +
      "einem anderen Staker. Ein Schlüssel vom selben Server beweist nur, dass dessen Dokumente zusammenpassen.",
    keyWrong: "Ein Schlüssel hat 64 Hex-Ziffern.",
    owner: "Deine Ordinals-Adresse",
    ownerHint: "Um den Nachweis deines Stakes und Rewards zu prüfen.",
    seen: "Id einer früher gesehenen Abrechnung",
    seenHint: "64 Hex-Ziffern. Zeigt, ob der Verlauf seither geändert wurde.",
    explorers: "Mit der Blockchain vergleichen",
    esplora: "Esplora-Server",
    esploraHint:
      "Zum Beispiel https://mempool.space/api. Er zeigt Outputs, keine Runes, und sieht, wonach du fragst.",
    ord: "Ord-Server",
    ordHint: "Zum Beispiel https://ord.example.org. Er zeigt die Runes unverbrauchter Outputs.",
    run: "Prüfen",
    running: "Wird geprüft…",
    nothing: "Gib mindestens ein Dokument oder die Adresse der Abrechnungen an.",
    report: "Bericht",
    newest: "Neueste Abrechnung",
    incidents: "Zwischenfälle in diesen Abrechnungen",
    noIncidents: "Keine.",
    baseUnits: (amount) => `${amount} Basiseinheiten`,
    epoch: (epoch, community, network) => `Epoche ${epoch} von ${community} (${network})`,
    foot: "Die Formate stehen in docs/statements.md im Quellcode. Der Befehl moonfund-verify prüft dasselbe.",
  },
};
