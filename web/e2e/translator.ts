import type { Page } from "@playwright/test";

/**
 * Makes a page's documents change as a page translator changes them: each text node, now and later, is replaced by two
 * nested elements with its text. Elements with translate="no" and form fields stay. The words stay too, so that tests
 * find them.
 */
export async function translate(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const isKept = (element: Element) => element.closest("font, script, style, textarea, [translate=no]") !== null;
    const replace = (text: Node) => {
      if (!text.nodeValue?.trim() || !text.parentElement || isKept(text.parentElement)) return;
      const outer = document.createElement("font");
      outer.append(document.createElement("font"));
      outer.firstElementChild!.textContent = text.nodeValue;
      text.parentElement.replaceChild(outer, text);
    };
    const replaceAll = (root: Node) => {
      const texts: Node[] = root.nodeType === Node.TEXT_NODE ? [root] : [];
      const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
      while (walker.nextNode()) texts.push(walker.currentNode);
      for (const text of texts) replace(text);
    };
    document.addEventListener("DOMContentLoaded", () => {
      replaceAll(document.body);
      const observer = new MutationObserver((changes) => {
        for (const { addedNodes, target } of changes) for (const node of [...addedNodes, target]) replaceAll(node);
      });
      observer.observe(document.body, { childList: true, subtree: true, characterData: true });
    });
  });
}
