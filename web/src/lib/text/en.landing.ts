import { unlock } from "./en.unlock.ts";

type Pairs = [title: string, text: string][];
type Phase = [phase: string, title: string, text: string];
/** Hashes stay as they are: people have linked to them. */
type Answer = [hash: string, question: string, paragraphs: string[], more?: [path: string, link: string]];

/**
 * The texts of the landing page in English. They are in a separate file because only the build reads them: no visitor
 * loads them as script. `product` is the fund's name.
 */
export const landing = {
  description: (product: string) =>
    `${product}: staking and rewards for Bitcoin runes communities. Stake, earn every epoch, and keep a key of ` +
    "your own.",
  skip: "Skip to content",
  menu: "On this page",
  together: (product: string) => `Together ${product}`,
  sub: "Stake Bitcoin runes with your community and earn rewards every week.",
  learnMore: "Learn More",
  missing: (host: string) => `There is no community at ${host}. These are the ones you can join.`,
  newTab: "opens in a new tab",
  language: "Language",

  communities: {
    title: "Communities",
    menu: "Communities",
    none: "No community is open yet.",
    token: "Token",
    ordinals: "Ordinals",
    staked: "Total staked",
    issued: "Total issued",
    epoch: "Epoch",
    ends: "Ends",
    soon: "Coming soon",
  },

  about: {
    title: (product: string) => `What is ${product}?`,
    text: [
      "A fund that rewards people who hold on to their runes. Runes are tokens on Bitcoin itself. A " +
      "community sets some of its runes aside as rewards. Every week (an epoch), everyone who stakes gets a share " +
      "in proportion to their stake.",
      "Everything happens on Bitcoin. There is no new chain, no wrapped token and no account to open. You sign " +
      "with your wallet, the blockchain keeps the record, and anyone can check the result.",
    ],
  },

  steps: {
    title: "How it works",
    menu: "How it works",
    list: [
      ["Stake", "Choose an amount and send it from your wallet to an address made only for you."],
      [
        "Earn",
        "From the next epoch, your stake earns a share of the rewards. An epoch lasts a week and starts on " +
        "Wednesday at 00:00 UTC.",
      ],
      ["Compound or claim", "Stake your rewards with one signature, or have them sent to your wallet."],
      [
        "Leave when you like",
        `Unstake: your runes ${unlock()}. Then withdraw or restake them.`,
      ],
    ] as Pairs,
  },

  trust: {
    title: "Don't just trust it. Check it.",
    check: (name: string) => `Check ${name}`,
    source: "Read the source code",
    trust: "Whom you trust, and with what",
    noSource: "The software is open source under the MIT license.",
    version: (version: string) => `This server runs version ${version}.`,
    list: [
      [
        "A key of your own",
        "In self-custody, nothing moves your stake without your signature. After a delay, your key alone can take it " +
        "back, even if this site is gone.",
      ],
      [
        "Rewards you can recompute",
        "The inputs and results of every epoch are published. With the same rules, you get the same numbers on " +
        "your own computer.",
      ],
      [
        "Costs before you commit",
        "You pay for claims and withdrawals with an order in sats. You see every part of its price before you agree.",
      ],
    ] as Pairs,
  },

  roadmap: {
    title: "Roadmap",
    sub: "From new moon to full moon.",
    list: [
      [
        "New moon",
        "Rehearsal",
        "Try every step of staking on your own Bitcoin test network, with a wallet and coins to play with.",
      ],
      [
        "Waxing crescent",
        "Test community",
        "A community whose runes have no value, where stakers and wallets can try every step before it counts.",
      ],
      ["First quarter", "First pack", "The first community opens on Bitcoin. Its first epoch starts on a Wednesday."],
      [
        "Waxing gibbous",
        "More communities",
        "Each with its own rune, rewards, rules and look, in the same fund.",
      ],
      ["Full moon", "In everyone's hands", "Anyone can run the checks, and anyone can run a fund."],
    ] as Phase[],
  },

  faq: {
    title: "FAQ",
    link: "Link to this answer",
    list: [
      [
        "what-is-staking",
        "What is staking?",
        [
          "Staking means setting tokens aside for a time and being rewarded for it. Here the tokens are runes, " +
          "which exist on Bitcoin itself. They remain yours, but you can't spend them while they are staked.",
          "You don't need a computer that is always on, or technical knowledge. A Bitcoin wallet that supports " +
          "runes is enough.",
        ],
      ],
      [
        "how-to-start",
        "How do I start?",
        [
          "Open a community above, connect your wallet, enter an amount and choose Stake. Your wallet shows what " +
          "you send and where it goes, and you confirm there. Your stake appears as pending within minutes and " +
          "starts to earn with the next epoch.",
          "You need some of the community's runes, and a few thousand sats for Bitcoin's network fee. A sat is the " +
          "smallest unit of bitcoin.",
        ],
      ],
      [
        "which-wallets",
        "Which wallets work?",
        [
          "Xverse, Unisat and other browser wallets that have a payment address, an ordinals address and support " +
          "for runes. If you don't have one, the page shows where to get one for your browser or phone.",
        ],
      ],
      [
        "when-do-rewards-start",
        "When do rewards start?",
        [
          "With the next epoch, if your deposit has 3 confirmations before that epoch starts, which takes about " +
          "half an hour. Otherwise, with the epoch after that. The Stake tab shows which epoch is likely before " +
          "you send.",
          "An epoch lasts seven days and starts every Wednesday at 00:00 UTC. Your stake earns an epoch's rewards " +
          "if it stays staked until the epoch ends. You can claim them an hour or two later, once the end is eight " +
          "blocks deep.",
        ],
      ],
      [
        "how-much",
        "How much do I earn?",
        [
          "Each epoch pays a fixed total, and you get a part in proportion to your share of the total stake. If " +
          "you hold 2% of the stake, you get 2% of the rewards. Your rate falls when more people stake and rises " +
          "when people leave, so nobody can promise it.",
          "Claimed rewards are sent to your wallet. Compounded rewards are staked and earn from the next epoch. " +
          "To have new rewards staked automatically, sign once in the Rewards tab.",
        ],
      ],
      [
        "how-long-unstaking",
        "How long does unstaking take?",
        [
          `Your runes ${unlock()}. For example, if you unstake on a Friday, the current epoch ends the next ` +
          "Wednesday, and your runes unlock a week after that. They earn nothing during this time. Once " +
          "unlocked, you can withdraw or restake them.",
        ],
      ],
      [
        "what-does-it-cost",
        "What does it cost?",
        [
          "Staking costs the network fee of one transfer, which your wallet shows you. Unstaking, restaking and " +
          "compounding are free: you only sign a message.",
          "Claims and withdrawals send runes on Bitcoin, and Bitcoin charges a network fee. You pay it with an " +
          "order in sats: the network fee, a service fee, and 546 sats (called dust) that carry the runes and end " +
          "up in your wallet. The price is fixed for 30 minutes. If you are in no hurry, choose economy delivery: " +
          "you pay at a lower fee rate, and your runes are sent when the network's rate is that low.",
        ],
      ],
      [
        "what-is-an-order",
        "What is a payment order?",
        [
          "A bill in sats for a claim or a withdrawal. Pay it from the connected wallet, or scan its code with " +
          "another one. It is cheapest to pay all at once, because each extra payment adds to the network fee. A " +
          "new order waits 30 minutes for your payment. Once a first payment arrives, you have a week to pay the " +
          "rest. Your runes are then sent and count as delivered after 3 confirmations.",
          "If you do nothing, the order expires and nothing changes.",
        ],
      ],
      [
        "who-holds-my-runes",
        "Who holds my runes while they are staked?",
        [
          "They are in a Bitcoin output of their own, at an address used only for your stakes. Nothing moves it " +
          "without your signature: you and the operator together, or, after a delay, you alone. That rule is part " +
          "of the address, and nobody can change it.",
          "A wallet that can't sign such a script can stake in operator custody, if the community offers it. Then " +
          "the operator can move the stake alone, at any time. The page says so before you choose it.",
        ],
        ["/trust", "Whom you trust, and with what"],
      ],
      [
        "what-if-the-site-is-gone",
        "What if this site disappears?",
        [
          "Download the recovery kit when you stake. It contains what your wallet needs to take the stake back " +
          "once the delay is over. This works without our server.",
        ],
        ["/recover", "Recover a stake with Bitcoin Core"],
      ],
      [
        "what-are-the-risks",
        "What are the risks?",
        [
          "A rune can lose all its value. Software can have bugs. Bitcoin transactions can't be undone, so check " +
          "addresses and amounts in your wallet before you confirm. And nobody from a community will ever ask for " +
          "your seed phrase: that would be theft.",
        ],
      ],
    ] as Answer[],
  },

  product: {
    caption: "The page of LOBO, the first community, shows what you staked, what it earned, and what you can do next.",
    desk:
      "A community's page on a computer: your stake and rewards on top; below them the tabs Stake, Rewards, Unstake " +
      "and Withdraw; at their side the epoch and the rewards of past epochs.",
    phone: "The same page on a phone, with the form to stake.",
  },

  footer: {
    terms: "Terms",
    etch: "Etch and mint",
    top: "Back to top",
    proofs: "Proofs",
    source: "Source code",
    contact: "Contact",
  },
};

export type LandingText = typeof landing;
