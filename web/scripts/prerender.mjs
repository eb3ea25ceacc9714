// Renders the pages into dist/pages/<language>/ for each language: the app's page with the content that a dashboard
// shows before its script runs, and the documents without script, which are the landing page, the terms and the guides.
// Go fills in the server's values (web/pages.go). The pages are bundled like the app, so that they refer to the app's
// hashed picture files. The bundle selects its language when it is loaded, so each language is rendered in a separate
// process: `node prerender.mjs <bundle> <language>`.
import { execFileSync } from "node:child_process";
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "vite";

const root = new URL("../", import.meta.url).pathname;
const dist = join(root, "dist");
const [bundle, language] = process.argv.slice(2);

if (bundle && language) await renderPages();
else await renderAll();

async function renderAll() {
  const outDir = await mkdtemp(join(root, "node_modules", ".prerender-")); // so that the bundle can resolve react
  try {
    await build({
      root,
      logLevel: "warn",
      publicDir: false,
      build: {
        ssr: "src/app/prerender.tsx",
        outDir,
        ssrEmitAssets: true,
        assetsInlineLimit: 0,
        rolldownOptions: { output: { entryFileNames: "prerender.mjs" } },
      },
    });
    const isPicture = (path) => !/\.m?js$/.test(path);
    await cp(join(outDir, "assets"), join(dist, "assets"), { recursive: true, filter: isPicture });
    const { languages } = JSON.parse(run(outDir, "en"));
    const all = languages.map((code) => JSON.parse(run(outDir, code)).conventions);
    await writeFile(join(dist, "pages", "languages.json"), JSON.stringify(all, null, 1));
    await rm(join(dist, ".vite"), { recursive: true, force: true });
  } finally {
    await rm(outDir, { recursive: true, force: true });
  }
}

function run(outDir, code) {
  const script = fileURLToPath(import.meta.url);
  return execFileSync(process.execPath, [script, join(outDir, "prerender.mjs"), code], { encoding: "utf8" });
}

async function renderPages() {
  // The browser objects that the app's modules read when they are loaded. The site consists of template slots, too.
  const site = { variant: "community", prefix: "x", name: "{{.Name}}", token: "{{.Token}}" };
  globalThis.document = {
    documentElement: { lang: language },
    getElementById: (id) => (id === "site" ? { textContent: JSON.stringify(site) } : null),
  };
  const page = await import(pathToFileURL(bundle).href);
  const folder = join(dist, "pages", language);
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "app.html"), await appPage(page));
  const landing = await page.landingPage();
  const terms = page.termsPage();
  const guide = await page.guidePage();
  for (const document of [landing, terms, guide]) await checkStyle(document, page.landingStyle);
  await writeFile(join(folder, "landing.html"), landing);
  await writeFile(join(folder, "terms.html"), terms);
  await writeFile(join(folder, "guide.html"), guide);
  await writeFile(join(dist, "pages", "landing.css"), page.landingStyle);
  for (const variant of ["community", "dummy"]) await writeFile(join(folder, `${variant}.html`), page.home(variant));
  process.stdout.write(JSON.stringify({ languages: page.codes, conventions: page.conventions() }));
}

/**
 * Returns the built index.html in this language. The browser fetches the language file with the page and the app after
 * the first paint (src/app/main.ts), so that neither delays the fonts and the picture.
 */
async function appPage({ noScript }) {
  const chunks = JSON.parse(await readFile(join(dist, ".vite", "manifest.json"), "utf8"));
  const words = chunks[`src/lib/text/${language}.ts`].file;
  return (await readFile(join(dist, "index.html"), "utf8"))
    .replace(/<html lang="[^"]*">/, `<html lang="${language}">`)
    .replace(/(<noscript>)[^<]*/, (_, tag) => tag + noScript)
    .replace(/<(script type="module"|link rel="modulepreload")/g, '<$1 fetchpriority="low"')
    .replace("</head>", `<link rel="modulepreload" fetchpriority="low" crossorigin href="/${words}"></head>`);
}

/** The documents' own style (src/app/landing.css) must have every class of a document that the app's style has. */
async function checkStyle(landing, own) {
  const chunks = Object.values(JSON.parse(await readFile(join(dist, ".vite", "manifest.json"), "utf8")));
  const whole = await readFile(join(dist, chunks.find(({ file }) => file.endsWith(".css")).file), "utf8");
  for (const name of classesOf(landing)) {
    const rule = `.${name.replace(/[^\w-]/g, "\\$&")}`;
    if (whole.includes(rule) && !own.includes(rule))
      throw new Error(`src/app/landing.css does not name the file that uses the class ${name}`);
  }
}

function classesOf(html) {
  const attributes = [...html.matchAll(/ class="([^"]*)"/g)].map(([, names]) => names.replaceAll("&amp;", "&"));
  return new Set(attributes.flatMap((names) => names.split(/\s+/)).filter(Boolean));
}
