import type { OpenQuestion } from "../questions";
import { el } from "./dom";

/**
 * Shows the question as a modal dialog: the focus is trapped, Escape rejects, and the focus returns to its previous
 * element. Returns the function that removes the dialog.
 */
export function showQuestion(root: ShadowRoot, { question, answer }: OpenQuestion): () => void {
  const { title, facts, text, yes, warning } = question;
  const dialog = el(
    "dialog",
    { "aria-labelledby": "title" },
    el("h2", { id: "title" }, title),
    el("p", { class: "origin" }, `Asked by ${location.origin}`),
    el("dl", {}, ...facts.flatMap(([label, value]) => [el("dt", {}, label), el("dd", {}, value)])),
  );
  if (text !== undefined) dialog.append(el("pre", { tabindex: "0", "aria-label": "Message" }, text));
  if (warning) dialog.append(el("p", { class: "warning" }, warning));
  dialog.append(
    el(
      "div",
      { class: "buttons" },
      el("button", { type: "button", onclick: () => answer(false) }, "Reject"),
      el("button", { type: "button", class: "primary", autofocus: true, onclick: () => answer(true) }, yes),
    ),
  );
  dialog.addEventListener("cancel", (event) => {
    event.preventDefault(); // the answer closes the dialog
    answer(false);
  });
  root.append(dialog);
  dialog.showModal();
  return () => {
    dialog.close();
    dialog.remove();
  };
}
