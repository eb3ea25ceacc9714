import { verify as german } from "../lib/text/de.verify.ts";
import { verify as english, type VerifyText } from "../lib/text/en.verify.ts";
import { Report } from "../verify/report.ts";
import { verifyAll, type Request, type Source } from "../verify/run.ts";
import { decodeText } from "../verify/source.ts";
import { h } from "./dom.ts";
import { lineItem, summary, verdictBox } from "./report.ts";

const HASH = /^[0-9a-f]{64}$/;

/** The chosen language is in the address's fragment, which also works for a file. */
function chosenLanguage(): "en" | "de" {
  if (location.hash === "#en" || location.hash === "#de") return location.hash.slice(1) as "en" | "de";
  return navigator.language.startsWith("de") ? "de" : "en";
}

interface FieldOptions {
  id: string;
  label: string;
  hint: string;
  input: HTMLElement;
}

function field({ id, label, hint, input }: FieldOptions): HTMLElement {
  input.id = id;
  input.setAttribute("aria-describedby", `${id}-hint`);
  return h(
    "div",
    {},
    h("label", { for: id, class: "font-semibold text-moon" }, label),
    h("p", { id: `${id}-hint`, class: "mb-2 text-sm text-mist" }, hint),
    input,
  );
}

const textInput = (type = "text"): HTMLInputElement =>
  h("input", { class: "field", type, autocomplete: "off", autocapitalize: "off", spellcheck: "false" });

const inputs = {
  server: textInput("url"),
  files: h("input", { class: "field file:mr-3 file:text-ice", type: "file", multiple: true }),
  paste: h("textarea", { class: "field", rows: "3", spellcheck: "false", autocomplete: "off" }),
  key: textInput(),
  owner: textInput(),
  seen: textInput(),
  esplora: textInput("url"),
  ord: textInput("url"),
};

function fields(title: string, names: (keyof typeof inputs)[], text: VerifyText): HTMLElement {
  return h(
    "fieldset",
    { class: "card grid content-start gap-4 p-5" },
    h("legend", { class: "float-left w-full font-display text-xl font-bold text-moon" }, title),
    ...names.map((name) =>
      field({ id: name, label: text.page[name], hint: text.page[`${name}Hint`], input: inputs[name] }),
    ),
  );
}

function header(text: VerifyText, code: "en" | "de"): HTMLElement {
  const isServed = location.protocol !== "file:";
  const other = code === "en" ? "de" : "en";
  return h(
    "header",
    {},
    h(
      "p",
      { class: "flex items-center justify-between gap-4" },
      h("strong", { class: "font-display text-lg text-moon" }, "Moon Fund"),
      h("a", { href: `#${other}`, lang: other, class: "inline-flex min-h-11 items-center" }, text.page.language),
    ),
    h("h1", { class: "mt-4 text-4xl font-bold sm:text-5xl" }, text.page.title),
    h("p", { class: "mt-3 max-w-2xl text-lg" }, text.page.intro),
    h(
      "p",
      { class: "mt-2 flex max-w-2xl flex-wrap items-center gap-x-2" },
      isServed &&
        h(
          "a",
          {
            href: location.pathname,
            download: "moonfund-verify.html",
            class: "inline-flex min-h-11 items-center underline",
          },
          text.page.save,
        ),
      h("span", {}, text.page.saveWhy),
    ),
  );
}

async function readRequest(): Promise<Request> {
  const documents: Source[] = [];
  for (const file of inputs.files.files ?? []) {
    documents.push({ place: file.name, text: decodeText(await file.arrayBuffer()) });
  }
  // A canonical document has no line break, so each line is one.
  const pasted = inputs.paste.value.split("\n").map((line) => line.trim()).filter((line) => line !== "");
  pasted.forEach((text, i) => documents.push({ place: `#${i + 1}`, text }));
  const value = (input: HTMLInputElement): string => input.value.trim();
  return {
    documents,
    server: value(inputs.server),
    key: value(inputs.key).toLowerCase(),
    seen: value(inputs.seen).toLowerCase(),
    owner: value(inputs.owner),
    servers: { esplora: value(inputs.esplora), ord: value(inputs.ord) },
  };
}

/** Returns what is wrong with the input, or null. */
function problem(request: Request, text: VerifyText): string | null {
  if (request.documents.length === 0 && request.server === "") return text.page.nothing;
  for (const hash of [request.key, request.seen]) if (hash !== "" && !HASH.test(hash)) return text.page.keyWrong;
  return null;
}

function render(): void {
  const code = chosenLanguage();
  const text = code === "de" ? german : english;
  document.documentElement.lang = code;
  document.title = `${text.page.title} · Moon Fund`;
  const result = h("section", { class: "card p-5 sm:p-6", "aria-labelledby": "report", tabindex: "-1", hidden: true });
  const status = h("p", { role: "status", class: "min-h-6 text-amber" });
  const button = h(
    "button",
    { type: "submit", class: "min-h-12 w-full rounded-box bg-amber px-8 text-lg font-bold text-ink sm:w-auto" },
    text.page.run,
  );
  const form = h(
    "form",
    { novalidate: true, class: "grid gap-5" },
    h(
      "div",
      { class: "grid items-start gap-5 md:grid-cols-2" },
      fields(text.page.documents, ["server", "files", "paste"], text),
      fields(text.page.compare, ["key", "owner", "seen"], text),
    ),
    fields(text.page.explorers, ["esplora", "ord"], text),
    h("div", { class: "grid gap-2 sm:flex sm:items-center sm:gap-4" }, button, status),
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void run(text, { button, status, result });
  });
  const main = h("main", { class: "mt-8 grid gap-5" }, form, result);
  const foot = h("footer", { class: "mt-8 text-sm text-mist" }, text.page.foot);
  const page = h("div", { class: "mx-auto max-w-4xl px-4 py-6 sm:px-6" }, header(text, code), main, foot);
  document.getElementById("verifier")!.replaceChildren(page);
}

interface Elements {
  button: HTMLButtonElement;
  status: HTMLElement;
  result: HTMLElement;
}

async function run(text: VerifyText, { button, status, result }: Elements): Promise<void> {
  button.disabled = true;
  status.textContent = text.page.running;
  try {
    const request = await readRequest();
    const wrong = problem(request, text);
    status.textContent = wrong ?? text.page.running;
    result.hidden = true;
    if (wrong) return;
    const list = h("ul", { class: "mt-4" });
    const report = new Report((line) => list.append(lineItem(line, text, report.tokens)));
    const chain = await verifyAll(request, report, (step) => (status.textContent = `${text.page.running} ${step}`));
    const title = h("h2", { id: "report", class: "mb-3 text-xl font-bold" }, text.page.report);
    result.replaceChildren(title, verdictBox(report, text), list);
    if (chain.length > 0) result.append(summary(chain, text));
    result.hidden = false;
    result.focus();
    status.textContent = "";
  } catch (error) {
    status.textContent = error instanceof Error ? error.message : String(error);
  } finally {
    button.disabled = false;
  }
}

/** Returns the address of the statements of this host's community, which a header of the page names, or "". */
async function ownStatements(): Promise<string> {
  if (location.protocol === "file:") return "";
  const { headers } = await fetch(location.pathname, { method: "HEAD" });
  const [, path] = /^<([^>]+)>; rel="related"$/.exec(headers.get("Link") ?? "") ?? [];
  return path ? new URL(path, location.href).href : "";
}

addEventListener("hashchange", render);
render();
ownStatements().then(
  (own) => (inputs.server.value ||= own),
  () => {}, // the field stays empty
);
