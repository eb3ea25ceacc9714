import { resolve } from "node:path";
import { build } from "vite";

/** Bundles a module with its imports to one script that assigns its exports to `window[name]`. */
export async function scriptOf(entry: string, name: string): Promise<string> {
  const bundle = await build({
    configFile: false,
    logLevel: "error",
    publicDir: false,
    build: {
      write: false,
      minify: false,
      target: "es2022",
      lib: { entry: resolve(import.meta.dirname, entry), formats: ["iife"], name },
    },
  });
  const output = (Array.isArray(bundle) ? bundle : [bundle]).flatMap((one) => ("output" in one ? one.output : []));
  const chunk = output.find((one) => one.type === "chunk")!;
  return `${chunk.code}\nwindow[${JSON.stringify(name)}] = ${name};`;
}
