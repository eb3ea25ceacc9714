import { launch } from "chrome-launcher";
import lighthouse from "lighthouse";

/** A trace that lost the page's start says nothing about the page: on a busy machine it happens. */
const TRIES = 3;

/** What a dev network adds to its pages and no other network has: it stands in for a browser's extension. */
const NOT_THE_PAGE = ["*/dev/wallet.js"];

/**
 * One Lighthouse run, as a phone on a slow line, in a browser of its own with an empty cache.
 * Gives the scores (0 to 100) by category, the largest contentful paint and the blocking time in ms, and the layout shift.
 */
export async function audit(url, chromePath, chromeFlags) {
  const chrome = await launch({ ...(chromePath ? { chromePath } : {}), chromeFlags, logLevel: "silent" });
  try {
    let lhr;
    for (let run = 0; run < TRIES && (!lhr || lhr.runtimeError); run++) {
      ({ lhr } = await lighthouse(url, { port: chrome.port, logLevel: "silent", output: "json", blockedUrlPatterns: NOT_THE_PAGE }));
    }
    if (lhr.runtimeError) throw new Error(lhr.runtimeError.message);
    const value = (name) => lhr.audits[name].numericValue;
    const failed = Object.values(lhr.categories).flatMap(({ auditRefs }) =>
      auditRefs.filter(({ id, weight }) => weight > 0 && lhr.audits[id].score !== null && lhr.audits[id].score < 1).map(({ id }) => id),
    );
    return {
      scores: Object.fromEntries(Object.values(lhr.categories).map(({ id, score }) => [id, Math.round(score * 100)])),
      paint: value("largest-contentful-paint"),
      shift: value("cumulative-layout-shift"),
      blocking: value("total-blocking-time"),
      failed,
    };
  } finally {
    chrome.kill();
  }
}
