/** English texts of messages to this browser, also of the service worker that shows them. */
export const push = {
  offer: "Tell me when my runes unlock, a reward settles, or an order needs me.",
  hint: "Your browser shows a message, even while this page is closed. Its push service sees when, not what.",
  turnOn: "Turn on messages",
  on: "This browser tells you when your runes unlock, a reward settles, or an order needs you.",
  onForOther: "This browser may get messages about another wallet.",
  turnOff: "Turn off messages",
  blocked: "Your browser doesn't allow messages from this site. You can change that in its settings.",
  failed: "Messages couldn't be turned on in this browser. Nothing else has changed.",
  notOff: "Messages couldn't be turned off. Please try again.",
  /** By the kind of the news. */
  messages: {
    unlocked: { title: "Your runes are unlocked", body: "You can now withdraw or restake them." },
    reward: { title: "You have a new reward", body: "An epoch was settled. See what you earned." },
    order: { title: "Your order needs you", body: "Open it to see what to do." },
    other: { title: "There is news about your stake", body: "Open the page to see it." },
  },
};
