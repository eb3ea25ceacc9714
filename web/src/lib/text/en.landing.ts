type Pairs = [title: string, text: string][];
type Phase = [phase: string, title: string, text: string];
/** Hashes stay as they are: people have linked to them. */
type Answer = [hash: string, question: string, paragraphs: string[]];

/**
 * Every sentence of the landing page in English, in a file of its own because it is read at build time only:
 * no visitor loads it as script. `product` is the fund's name.
 */
export const landing = {
  description: (product: string) =>
    `${product}: staking and rewards for communities of Bitcoin runes. Stake, earn each epoch, keep a key of your own.`,
  skip: "Skip to content",
  menu: "On this page",
  together: (product: string) => `Together ${product}`,
  sub: "Staking and rewards for runes communities on Bitcoin.",
  learnMore: "Learn More",
  missing: (host: string) => `There is no community at ${host}. These are the ones you can join.`,
  newTab: "opens in a new tab",
  language: "Language",

  communities: {
    title: "Supported Communities",
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
      "A fund that pays rewards to people who hold on. A community sets aside part of its runes as rewards; " +
      "whoever stakes shares them, epoch by epoch, in proportion to what they staked.",
      "Everything happens on Bitcoin. There is no new chain, no wrapped token and no account to open: your wallet " +
      "signs, the chain records, and anyone can check the result.",
    ],
  },

  steps: {
    title: "How it works",
    menu: "How it works",
    list: [
      ["Stake", "Choose an amount and send it from your wallet to an address that is made for you alone."],
      [
        "Earn",
        "From the next epoch on your stake shares in the rewards. An epoch lasts a week and begins on Wednesday, " +
        "00:00 UTC.",
      ],
      ["Compound or claim", "Stake your rewards again with one signature, or have them sent to your wallet."],
      [
        "Leave when you like",
        "Unstake, wait one full epoch, and withdraw to your wallet. Or restake, if you think again.",
      ],
    ] as Pairs,
  },

  trust: {
    title: "Check it, don’t just trust it",
    check: (name: string) => `Check ${name}`,
    source: "Read the source code",
    noSource: "The software is open source under the MIT license.",
    version: (version: string) => `This server runs version ${version}.`,
    list: [
      [
        "A key of your own",
        "Each stake sits on its own Bitcoin output. After a delay of some months your key alone can take it back, " +
        "even if this site is gone.",
      ],
      [
        "Rewards you can recompute",
        "The inputs and results of every epoch are published. The same rules give the same numbers on your own " +
        "machine.",
      ],
      [
        "Costs before you commit",
        "Claims and withdrawals are paid by an order in sats. Every item of its price is shown before you agree.",
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
        "The whole life of a stake on a Bitcoin network of one’s own, with a wallet and coins to play with.",
      ],
      [
        "Waxing crescent",
        "Test community",
        "A community without value, where stakers and wallets try every step before it counts.",
      ],
      ["First quarter", "First pack", "The first community opens on Bitcoin. Its first epoch begins on a Wednesday."],
      [
        "Waxing gibbous",
        "More communities",
        "Each with its own rune, rewards, rules and look, carried by the same fund.",
      ],
      ["Full moon", "In everyone’s hands", "Anyone runs the checks, anyone can run a fund."],
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
          "Staking means that you set tokens aside for a time and are rewarded for it. Here the tokens are runes: " +
          "tokens that live on Bitcoin itself. You keep the right to them; what you give up for a while is " +
          "spending them.",
          "You need no machine that runs day and night and no technical knowledge, only a Bitcoin wallet that " +
          "knows runes.",
        ],
      ],
      [
        "how-to-start",
        "How do I start?",
        [
          "Open a community above, connect your wallet, type an amount and press Stake. The wallet shows what " +
          "leaves and where it goes; you confirm there. Within minutes the page shows your stake as pending, and " +
          "from the next epoch on it earns.",
          "You need some of the community’s runes, and a few thousand sats for Bitcoin’s network fee.",
        ],
      ],
      [
        "which-wallets",
        "Which wallets work?",
        [
          "Xverse and Unisat, and other browser wallets that have a payment address, an ordinals address and " +
          "support for runes. Without one, the page shows where to get one for your browser or phone.",
        ],
      ],
      [
        "when-do-rewards-start",
        "When do rewards start?",
        [
          "With the next epoch, if your deposit has 3 confirmations before it starts; that takes about half an hour. " +
          "Otherwise with the one after it. The Stake tab says which epoch is likely before you send.",
          "An epoch lasts seven days and begins every Wednesday at 00:00 UTC. Your stake earns the epoch’s rewards " +
          "if it stays staked to its end. They appear as claimable an hour or two later, when the end is eight " +
          "blocks deep.",
        ],
      ],
      [
        "how-much",
        "How much do I earn?",
        [
          "Each epoch has a fixed amount of rewards, and every staker gets a part of it as large as their part of " +
          "everything staked. If you hold 2 % of the stake you get 2 % of the rewards. So your rate falls when " +
          "more people stake and rises when they leave; nobody can promise it.",
          "Claimed rewards leave the fund. Compounded rewards become stake and earn from then on.",
        ],
      ],
      [
        "how-long-unstaking",
        "How long does unstaking take?",
        [
          "The running epoch and one more. If you unstake on a Friday, the running epoch ends next Wednesday, and " +
          "a week later your runes are unlocked. During that time they earn nothing. Once unlocked, withdraw them " +
          "to your wallet or restake them.",
        ],
      ],
      [
        "what-does-it-cost",
        "What does it cost?",
        [
          "Staking costs the network fee of one transfer, which your wallet shows. Unstaking, restaking and " +
          "compounding cost nothing: you sign a message.",
          "Claiming and withdrawing send runes on Bitcoin, so somebody has to pay the miners. You pay it with an " +
          "order in sats: network fee, a service fee, and 546 sats that travel with the runes and end up in your " +
          "wallet. The price is fixed for 30 minutes.",
        ],
      ],
      [
        "what-is-an-order",
        "What is a payment order?",
        [
          "A bill in sats for a claim or a withdrawal. Pay it from the connected wallet or from any other by " +
          "scanning its code, at once or in parts, which adds to the network fee. A new order waits 30 minutes for " +
          "your payment; once a first payment has been seen you have a week for the rest. After it is paid your " +
          "runes are sent and count as arrived after 3 blocks.",
          "If you do nothing, the order expires and everything is as before.",
        ],
      ],
      [
        "who-holds-my-runes",
        "Who holds my runes while they are staked?",
        [
          "They sit on a Bitcoin output of their own, at an address that only stakes of yours use. The community’s " +
          "key can spend it, which is how withdrawals are sent. After a delay of several months your key alone can " +
          "spend it too: that is written into the address and nobody can change it.",
          "So you do trust the community in the meantime. Stake what you are willing to trust it with.",
        ],
      ],
      [
        "what-if-the-site-is-gone",
        "What if this site disappears?",
        [
          "Download the recovery kit when you stake. It holds what your wallet needs to take the stake back on its " +
          "own once the delay is over. No server is asked.",
        ],
      ],
      [
        "what-are-the-risks",
        "What are the risks?",
        [
          "The value of a rune can fall to nothing. Software can have errors. Bitcoin transactions can’t be " +
          "undone, so look at addresses and amounts in your wallet before you confirm. And nobody from a community " +
          "ever asks for your seed words: who does is a thief.",
        ],
      ],
    ] as Answer[],
  },

  product: {
    title: "See it first",
    caption: "The page of LOBO, the first community: what you staked, what it earned, and what you can do next.",
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
