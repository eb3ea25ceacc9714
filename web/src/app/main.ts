import "./style.css";

/** The app is fetched after this time if the browser has not reported a paint. */
const PAINT_LIMIT_MS = 1_000;

/**
 * Fetches the app. React is imported beside it, because its evaluation takes as long as that of all other modules
 * together, and is then a task of its own. Meanwhile the page creates a number and a date format: the first ones of a
 * page take 20 ms to load the language's data, four times that on a phone, and would lengthen the app's first render.
 */
function load(): void {
  void import("react-dom/client");
  void import("./start.tsx");
  const language = document.documentElement.lang;
  setTimeout(() => new Intl.NumberFormat(language).format(0));
  setTimeout(() => new Intl.DateTimeFormat(language, { timeStyle: "short" }).format(0));
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
