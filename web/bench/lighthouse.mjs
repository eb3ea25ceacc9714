import { launch } from "chrome-launcher";
import lighthouse from "lighthouse";

/** A busy machine can lose the start of a trace. Lighthouse then reports a runtime error, and the run is repeated. */
const TRIES = 3;

/** The development wallet, which only a dev network serves: it replaces a browser extension. */
const BLOCKED_URLS = ["*/dev/wallet.js"];
const FLAGS = { logLevel: "silent", output: "json", blockedUrlPatterns: BLOCKED_URLS };

/**
 * Runs Lighthouse once, as a phone on a slow network, in a new browser with an empty cache. Returns the scores (0 to
 * 100) by category, the largest contentful paint and the total blocking time in ms, the layout shift, and the ids of
 * the audits below 100.
 */
export async function audit(url, chromePath, chromeFlags) {
  const chrome = await launch({ ...(chromePath ? { chromePath } : {}), chromeFlags, logLevel: "silent" });
  try {
    let lhr;
    for (let run = 0; run < TRIES && (!lhr || lhr.runtimeError); run++) {
      ({ lhr } = await lighthouse(url, { ...FLAGS, port: chrome.port }));
    }
    if (lhr.runtimeError) throw new Error(lhr.runtimeError.message);
    const value = (name) => lhr.audits[name].numericValue;
    const failed = Object.values(lhr.categories).flatMap(({ auditRefs }) =>
      auditRefs.filter(({ id, weight }) => weight > 0 && isBelowFull(lhr.audits[id].score)).map(({ id }) => id),
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

/** Reports whether an audit that applies to the page has less than the full score. */
function isBelowFull(score) {
  return score !== null && score < 1;
}
