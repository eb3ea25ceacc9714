/**
 * The page comes with its picture, written by the server: it can be read, scrolled, pressed and walked through by keyboard
 * before the app is there. The app then draws the same over it, and does what was meant.
 */
const root = document.getElementById("root")!;
const CONTROLS = "a, button";

/** How long at most: a tab in the background paints nothing. */
const PATIENCE_MS = 1_000;

/** Resolves when the picture is on the screen; at once where there is none to wait for. */
export function pictured(): Promise<unknown> {
  if (document.hidden || !root.hasChildNodes()) return Promise.resolve();
  return new Promise<void>((done) => {
    const seen = new PerformanceObserver((paints) => {
      if (paints.getEntriesByName("first-contentful-paint").length === 0) return;
      seen.disconnect();
      done();
    });
    seen.observe({ type: "paint", buffered: true });
    setTimeout(done, PATIENCE_MS);
  });
}

let pressed: string | null = null;
let focused: string | null = null;

/** What is the same control in the picture and in the app. */
function nameOf(target: EventTarget | null): string | null {
  const control = target instanceof Element ? target.closest(CONTROLS) : null;
  return control && `${control.tagName} ${control.textContent}`;
}

const press = (event: Event): void => void (pressed = nameOf(event.target));
const focus = (event: Event): void => void (focused = nameOf(event.target));

/** From now on, what is done with the picture is remembered. */
export function watchPicture(): void {
  root.addEventListener("click", press);
  root.addEventListener("focusin", focus);
}

/** The app stands where the picture was: the focus goes where it was, and the button that was pressed last is pressed. */
export function takeOver(): void {
  root.dataset.app = "stands"; // for whoever waits until keys are heard
  root.removeEventListener("click", press);
  root.removeEventListener("focusin", focus);
  const same = (name: string | null) =>
    name === null ? undefined : [...root.querySelectorAll<HTMLElement>(CONTROLS)].find((control) => nameOf(control) === name);
  if (document.activeElement === document.body) same(focused)?.focus();
  // A link has led where it leads by itself.
  if (pressed?.startsWith("BUTTON")) same(pressed)?.click();
  pressed = focused = null;
}
