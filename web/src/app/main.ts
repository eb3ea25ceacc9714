import { scriptURL } from "../lib/scriptURL.ts";
import formats from "./formats.ts?worker&url";
import "./style.css";

/** The app is fetched after this time if the browser has not reported a paint. */
const PAINT_LIMIT_MS = 1_000;

/**
 * Fetches the app. React is imported beside it, because its evaluation takes as long as that of all other modules
 * together, and is then a task of its own. Meanwhile a worker creates a number and a date format: for the first one, a
 * process of the browser opens the data of all languages, which takes 15 ms, four times that on a phone.
 */
function load(): void {
  void import("react-dom/client");
  void import("./start.tsx");
  new Worker(scriptURL("formats", formats));
}

// The page holds server-rendered HTML. The browser paints it before it fetches the app, which then replaces it.
if (document.hidden || !document.getElementById("root")!.hasChildNodes()) {
  load();
} else {
  new PerformanceObserver((paints, observer) => {
    if (paints.getEntriesByName("first-contentful-paint").length === 0) return;
    observer.disconnect();
    clearTimeout(limit);
    load();
  }).observe({ type: "paint", buffered: true });
  const limit = setTimeout(load, PAINT_LIMIT_MS);
}
