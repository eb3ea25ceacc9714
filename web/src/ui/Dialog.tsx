import { createContext, use, useEffect, useId, useRef, useState, type ReactNode } from "react";
import { createPortal } from "react-dom";
import { cx } from "../lib/cx.ts";
import { focusContent } from "../lib/focus.ts";
import { text } from "../lib/text.ts";
import { CloseIcon } from "./icons.tsx";

export interface DialogProps {
  title: string;
  /** Called for X, Escape and a click outside; the parent then unmounts the dialog. */
  onClose(): void;
  /** Additional classes of the box, such as its width. */
  className?: string;
  children: ReactNode;
}

/** The footer of the dialog. */
const Footer = createContext<HTMLElement | null>(null);

/**
 * A modal <dialog>: the browser traps the focus, closes on Escape and restores the focus. A card on wide screens, a
 * bottom sheet on narrow ones. Mounted means open.
 */
export function Dialog({ title, onClose, className = "sm:max-w-130", children }: DialogProps) {
  const box = useRef<HTMLDialogElement>(null);
  const pressedOutside = useRef(false);
  const heading = useId();
  const [footer, setFooter] = useState<HTMLElement | null>(null);

  useEffect(() => {
    const dialog = box.current!;
    const opener = document.activeElement;
    dialog.showModal();
    return () => {
      dialog.close();
      // React removes the element before the browser can restore the focus.
      if (opener instanceof HTMLElement) opener.focus();
      // If the element that opened the dialog was removed or disabled meanwhile, focus the page's main content.
      const focused = document.activeElement;
      if (!focused || focused === document.body || focused.matches(":disabled"))
        focusContent();
    };
  }, []);

  useEffect(() => {
    const dialog = box.current!;
    const press = (event: PointerEvent): void => {
      pressedOutside.current = isOutside(dialog, event);
    };
    const click = (event: MouseEvent): void => {
      // Selecting text may end outside the box: such a click began inside.
      if (pressedOutside.current && isOutside(dialog, event)) onClose();
    };
    dialog.addEventListener("pointerdown", press);
    dialog.addEventListener("click", click);
    return () => {
      dialog.removeEventListener("pointerdown", press);
      dialog.removeEventListener("click", click);
    };
  }, [onClose]);

  return (
    <dialog
      ref={box}
      aria-labelledby={heading}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      className={cx(
        "sheet fixed mx-auto mt-auto mb-0 max-h-[92dvh] w-full max-w-full sm:my-auto",
        "scroll-pt-24 scroll-pb-36 overflow-y-auto overscroll-contain",
        "rounded-t-sheet border border-line bg-den text-fur sm:rounded-sheet",
        className,
      )}
    >
      <div className="p-5 sm:p-6">
        <DialogHeader id={heading} title={title} onClose={onClose} />
        <Footer value={footer}>{children}</Footer>
      </div>
      <div
        ref={setFooter}
        className="sticky bottom-0 z-10 border-t border-line bg-den px-5 pt-4 pb-5 empty:hidden sm:px-6 sm:pb-6"
      />
    </dialog>
  );
}

/**
 * The total and the main button of a dialog, from anywhere in its content. They are in a sticky footer, which is
 * visible however long the content is.
 */
export function DialogActions({ children }: { children: ReactNode }) {
  const footer = use(Footer);
  return footer && createPortal(children, footer);
}

/** Sticky, so that the title and the close button stay visible while the content scrolls. */
function DialogHeader({ id, title, onClose }: { id: string; title: string; onClose: () => void }) {
  return (
    <div
      className={cx(
        "sticky top-0 z-10 flex items-center justify-between gap-4 bg-den",
        "-mx-5 -mt-5 px-5 pt-5 pb-4 sm:-mx-6 sm:-mt-6 sm:px-6 sm:pt-6",
      )}
    >
      <h2 id={id} className="text-xl font-bold">
        {title}
      </h2>
      <button
        type="button"
        onClick={onClose}
        aria-label={text.common.close}
        className={cx(
          "grid size-11 place-items-center rounded-box border border-edge text-moon",
          "transition-colors duration-120 hover:bg-raised",
        )}
      >
        <CloseIcon />
      </button>
    </div>
  );
}

/** Reports whether a press or a click was on the backdrop and not in the dialog's box. */
function isOutside(dialog: HTMLElement, { target, clientX, clientY }: MouseEvent): boolean {
  if (target !== dialog) return false;
  const { left, right, top, bottom } = dialog.getBoundingClientRect();
  return clientX < left || clientX > right || clientY < top || clientY > bottom;
}
