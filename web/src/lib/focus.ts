/** The ref of a button that takes the place of the pressed one, which was removed with its focus. */
export const focusOnMount = (button: HTMLButtonElement | null): void => button?.focus();

/** Focuses the page's main content, where nothing takes the place of the focused element. */
export const focusContent = (): void => document.getElementById("content")?.focus({ preventScroll: true });
