import { createElement, type JSX, type Key, type ReactNode } from "react";
import { Fragment, jsx as element, jsxs as elements } from "react/jsx-runtime";
import { site } from "../site.ts";

export { Fragment };
export type { JSX };

type Props = { children?: ReactNode } & Record<string, unknown>;
type Type = Parameters<typeof element>[0];

/**
 * What JSX compiles to (jsxImportSource in tsconfig.json). It makes every text the only child of an element. A page
 * translator replaces text nodes by elements: React then fails to remove such a node from between others, and its
 * updates of the node stay invisible. The whole content of an element with one text is replaced correctly.
 */
export function jsx(type: Type, props: Props, key?: Key) {
  return element(type, withOwnText(type, props), key);
}

export function jsxs(type: Type, props: Props, key?: Key) {
  const own = withOwnTexts(type, props, props.children as ReactNode[]);
  return Array.isArray(own.children) ? elements(type, own, key) : element(type, own, key);
}

/** The same for one child. */
export function withOwnText(type: Type, props: Props): Props {
  const { children } = props;
  if (type === Fragment) return withOwnTexts(type, props, [children]);
  const own = typeof children === "string" ? contentOf(type, props, children) : children;
  return own === children ? props : { ...props, children: own };
}

/**
 * Joins the texts if an element has nothing else; otherwise gives texts an element. An element's place among the
 * children stays, because React knows it by that.
 */
export function withOwnTexts(type: Type, props: Props, children: readonly ReactNode[]): Props {
  const shown = children.filter((child) => child !== null && child !== undefined && typeof child !== "boolean");
  if (!shown.some(isText)) return props;
  if (type !== Fragment && shown.every(isText)) return { ...props, children: contentOf(type, props, shown.join("")) };
  const own = [...children];
  let start = -1; // of the texts that follow each other
  for (const [i, child] of children.entries()) {
    // Translators leave a space between elements as it is.
    const isOutside = isBlank(child) && (start < 0 || !isText(children[i + 1]));
    if (!isText(child) || isOutside) {
      start = -1;
      continue;
    }
    if (start < 0) start = i;
    own[i] = null;
    own[start] = createElement("span", null, withKeptParts(children.slice(start, i + 1).join("")));
  }
  return { ...props, children: children.length > 1 ? own : own[0] };
}

const isText = (child: ReactNode) => typeof child === "string" || typeof child === "number";
const isBlank = (child: ReactNode) => typeof child === "string" && child.trim() === "";

/** Transaction and order ids and addresses, whole or shortened: long words with letters and digits. */
const ID =
  "(?<![0-9A-Za-z])(?:(?=[a-z:-]*\\d)(?=[\\d:-]*[a-z])[0-9a-z][0-9a-z:-]{15,}|[0-9a-z]{3,}…[0-9a-z]{3,})(?![0-9a-z])";

/** Amounts as the languages write them: "2,606 sats" and "1,05 Mio. LOBO" in a sentence, "1,000.5" alone. */
const UNITS = ["sats?(?:/vB)?", "BTC", "vB", site.token.replace(/\W/g, "\\$&")].filter(Boolean).join("|");
const AMOUNT = `\\d[\\d.,]*(?:\\s?(?:[KMBT]|Mi[ol]\\.|Mrd\\.))?\\s(?:${UNITS})(?![\\w/])|^\\d[\\d.,]*[.,]\\d+$`;

const KEPT = new RegExp(`${ID}|${AMOUNT}`, "gi");

/** These elements hold text only. */
const TEXT_ONLY: readonly unknown[] = ["option", "script", "style", "text", "textarea", "title"];

/** Returns the content of an element with one text. What a component does with its text, its own elements say. */
function contentOf(type: Type, props: Props, text: string): ReactNode {
  const isKept = typeof type !== "string" || TEXT_ONLY.includes(type) || props["translate"] === "no";
  return isKept ? text : withKeptParts(text);
}

/** Marks ids and amounts within a sentence, so that a page translator does not change them. */
function withKeptParts(text: string): ReactNode {
  const kept = text.match(KEPT);
  if (!kept) return text;
  const parts = text
    .split(KEPT)
    .flatMap((words, i) => [
      words && createElement("span", null, words),
      kept[i] && createElement("span", { translate: "no" }, kept[i]),
    ]);
  return createElement("span", null, ...parts.filter(Boolean));
}
