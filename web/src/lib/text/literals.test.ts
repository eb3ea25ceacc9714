// @vitest-environment node
import { globSync, readFileSync } from "node:fs";
import { parseSync } from "vite";
import { expect, it } from "vitest";

interface Node {
  type: string;
  start: number;
  [key: string]: unknown;
}

/** Attributes whose value a person reads or hears. */
const shown = new Set(
  "alt aria-label aria-description aria-roledescription label placeholder title".split(" "),
);

/** Two words in a row, the first of them capitalized: how a sentence or a label begins. */
const sentence = /(^|[^\w])[A-Z][a-z']+ [a-z']{2,}/;
const letters = /[A-Za-z]{2,}/;

/** Errors of a broken build, console lines and type names are for developers. */
const forDevelopers = /^(new \w*Error|console\.\w+|invariant|assert\w*)\(/;

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && typeof (value as Node).type === "string";
}

/** Returns every text of a file that stands outside of the text modules, with its line. */
function literals(file: string): string[] {
  const code = readFileSync(file, "utf8");
  const found: string[] = [];
  const report = (node: Node, text: string): void => {
    found.push(`${file}:${code.slice(0, node.start).split("\n").length}: ${text.trim()}`);
  };
  const visit = (node: Node): void => {
    if (node.type.startsWith("TS") || node.type === "ImportDeclaration") return;
    if (node.type.endsWith("CallExpression") || node.type === "NewExpression") {
      if (forDevelopers.test(code.slice(node.start, node.start + 40))) return;
    }
    if (node.type === "JSXText" && letters.test(String(node["value"]))) report(node, String(node["value"]));
    if (node.type === "JSXAttribute") {
      const name = code.slice((node["name"] as Node).start).split(/[=\s]/)[0]!;
      const value = node["value"] as Node | null;
      if (value?.type === "Literal") {
        if (shown.has(name) && letters.test(String(value["value"]))) report(node, `${name}=${String(value["value"])}`);
        return;
      }
    }
    if (node.type === "Literal" && typeof node["value"] === "string" && sentence.test(node["value"])) {
      report(node, node["value"]);
    }
    if (node.type === "TemplateElement") {
      const { cooked } = node["value"] as { cooked: string };
      if (sentence.test(cooked)) report(node, cooked);
    }
    for (const child of Object.values(node)) {
      if (Array.isArray(child)) child.filter(isNode).forEach(visit);
      else if (isNode(child)) visit(child);
    }
  };
  visit(parseSync(file, code).program as unknown as Node);
  return found;
}

/** The dev wallet is a development tool in English; the devnet's faucet and tests are not part of the page. */
const excluded = /\.test\.tsx?$|^src\/(lib\/text|devwallet)\/|\/testing\/|schema\.gen\.ts$|^src\/wallet\/texts\.ts$/;

it("keeps every sentence of the page in the text modules", () => {
  const files = globSync("src/**/*.{ts,tsx}").filter((path) => !excluded.test(path));
  expect(files.length).toBeGreaterThan(150);
  expect(files.flatMap(literals)).toEqual([]);
});
