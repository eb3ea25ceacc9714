type Child = Node | string | false;

/** Creates an element with attributes and children. `class` and all others are attributes; texts are never markup. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K, attributes: Record<string, string | boolean> = {}, ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== false) element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child !== false));
  return element;
}
