/** A document or a server can't be read, so that something is not checked. */
export class UnavailableError extends Error {
  override name = "UnavailableError";
}

/** The server answered with status 404. */
export class MissingError extends UnavailableError {
  override name = "MissingError";
}

const TIMEOUT_MS = 60_000;
const MAX_WAIT_S = 60;
const TOO_MANY = 429;

/** Returns the text of bytes. A byte order mark stays in it, because the checks are of the exact bytes. */
export function decodeText(bytes: ArrayBuffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new UnavailableError("not a text in UTF-8");
  }
}

/** Returns an address without slashes at its end. Throws UnavailableError if it is none. */
export function readAddress(text: string): string {
  const address = text.trim().replace(/\/+$/, "");
  if (!/^https?:\/\/[^\s/]+/.test(address)) {
    throw new UnavailableError(`${JSON.stringify(text)} is not an address such as https://example.org`);
  }
  return address;
}

/**
 * Reads the document at an address. While the server answers that requests come too fast, it waits as long as the
 * server says. Throws MissingError and UnavailableError.
 */
export async function fetchText(address: string, signal?: AbortSignal): Promise<string> {
  for (;;) {
    const limit = AbortSignal.timeout(TIMEOUT_MS);
    let response: Response;
    try {
      response = await fetch(address, {
        headers: { Accept: "application/json" },
        credentials: "omit",
        cache: "no-store",
        signal: signal ? AbortSignal.any([signal, limit]) : limit,
      });
    } catch {
      throw new UnavailableError(`${address}: no answer, or this server does not allow requests of other pages (CORS)`);
    }
    if (response.ok) return decodeText(await response.arrayBuffer());
    const seconds = Number(response.headers.get("Retry-After"));
    if (response.status === 404) throw new MissingError(`${address}: status 404`);
    if (response.status !== TOO_MANY || !(seconds > 0 && seconds <= MAX_WAIT_S)) {
      throw new UnavailableError(`${address}: status ${response.status}`);
    }
    await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
  }
}
