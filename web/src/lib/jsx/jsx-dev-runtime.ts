import { Fragment, jsxDEV as element, type JSXSource } from "react/jsx-dev-runtime";
import type { Key, ReactNode } from "react";
import { withOwnText, withOwnTexts, type JSX } from "./jsx-runtime.ts";

export { Fragment };
export type { JSX };

/** The functions of jsx-runtime.ts with the arguments that the development build adds. */
export function jsxDEV(
  type: Parameters<typeof withOwnTexts>[0],
  props: Parameters<typeof withOwnTexts>[1],
  key: Key | undefined,
  isStatic: boolean,
  ...rest: [source?: JSXSource, self?: unknown]
) {
  const own = isStatic ? withOwnTexts(type, props, props.children as ReactNode[]) : withOwnText(type, props);
  return element(type, own, key, isStatic && Array.isArray(own.children), ...rest);
}
