/** A constructed style sheet: a strict content security policy allows it, but not style elements. */
const CSS = `
:host { all: initial; }
* { box-sizing: border-box; font: inherit; }
.root, dialog { font: 14px/1.45 system-ui, sans-serif; color: #F2F5FB; }
.root { position: fixed; left: 12px; bottom: 12px; z-index: 2147483000; }
button, select {
  min-height: 36px; padding: 0 12px; border: 1px solid #65738F; border-radius: 10px;
  background: #171E2C; color: inherit; cursor: pointer;
}
button:hover { background: #222C40; }
:focus-visible { outline: 2px solid #9CC8FF; outline-offset: 2px; }
button.primary { border-color: #FFB84D; background: #FFB84D; color: #1C1204; font-weight: 600; }
button[disabled] { opacity: .5; cursor: default; }
.toggle { border-radius: 20px; min-height: 40px; opacity: .85; }
.toggle:hover, .toggle:focus-visible, .toggle[aria-expanded=true] { opacity: 1; }
.panel {
  width: min(340px, calc(100vw - 24px)); max-height: min(560px, calc(100vh - 90px)); overflow: auto;
  margin-bottom: 8px; padding: 14px; border: 1px solid #65738F; border-radius: 16px;
  background: #10151F;
}
.panel[hidden] { display: none; }
h2 { margin: 0 0 8px; font-size: 16px; font-weight: 600; }
h3 {
  margin: 14px 0 6px; font-size: 12px; font-weight: 600; color: #93A1BD; text-transform: uppercase;
  letter-spacing: .04em;
}
.row { display: flex; flex-wrap: wrap; gap: 8px; align-items: center; }
.row + .row, dl + .row { margin-top: 8px; }
.row > select { flex: 1; min-width: 0; }
label { display: flex; gap: 8px; align-items: center; min-height: 30px; }
input[type=checkbox] { width: 18px; height: 18px; accent-color: #FFB84D; }
dl { display: grid; grid-template-columns: auto 1fr; gap: 6px 12px; margin: 0; }
dt { color: #93A1BD; }
dd { margin: 0; overflow-wrap: anywhere; text-align: right; font-variant-numeric: tabular-nums; }
p { margin: 8px 0; }
.status { min-height: 20px; color: #C3CDE0; overflow-wrap: anywhere; }
dialog {
  width: min(440px, calc(100vw - 24px)); max-height: calc(100vh - 24px); overflow: auto;
  padding: 20px; border: 1px solid #65738F; border-radius: 16px; background: #10151F;
}
dialog::backdrop { background: rgb(4 6 10 / .7); }
dialog h2 { font-size: 18px; }
dialog pre {
  margin: 12px 0; padding: 12px; max-height: 260px; overflow: auto; white-space: pre-wrap;
  overflow-wrap: anywhere; border-radius: 10px; background: #171E2C;
  font-family: ui-monospace, monospace; font-size: 13px;
}
.hint { margin: 6px 0; color: #93A1BD; font-size: 13px; }
.warning { color: #FF8D7D; }
.origin { color: #93A1BD; }
.buttons { display: flex; gap: 10px; justify-content: flex-end; margin-top: 16px; }
.buttons button { min-height: 44px; min-width: 110px; }
`;

/** Space below the page, so that the button does not cover its last line. */
const PAGE = "@media (max-width: 1400px) { body { padding-bottom: 60px; } }";

export function adoptStyle(root: ShadowRoot): void {
  root.adoptedStyleSheets = [sheetOf(CSS)];
  document.adoptedStyleSheets.push(sheetOf(PAGE));
}

function sheetOf(css: string): CSSStyleSheet {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  return sheet;
}
