/** A smaller change of the visible height, in px, comes from the browser's own bars. */
const MIN_KEYBOARD = 120;

/**
 * Keeps the style variable --keyboard at the height, in px, that an on-screen keyboard covers, and the focused field in
 * sight. Browsers that make the page smaller instead (`interactive-widget` in index.html) always have 0.
 */
export function followKeyboard(): void {
  const view = window.visualViewport;
  if (!view) return;
  const apply = (): void => {
    // A pinch makes the viewport small as well.
    const covered = view.scale > 1 ? 0 : Math.round(window.innerHeight - view.height);
    const isOpen = covered >= MIN_KEYBOARD;
    document.documentElement.toggleAttribute("data-keyboard", isOpen);
    document.documentElement.style.setProperty("--keyboard", `${isOpen ? covered : 0}px`);
    if (isOpen) document.activeElement?.scrollIntoView({ block: "center" });
  };
  view.addEventListener("resize", apply);
}
