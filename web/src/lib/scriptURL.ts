interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): { createScriptURL(url: string): string };
}

/** Declares the address of a worker's script: the page's policy allows no address that is not declared. */
export function scriptURL(name: string, url: string): string {
  const { trustedTypes } = window as { trustedTypes?: TrustedTypes };
  return trustedTypes?.createPolicy(name, { createScriptURL: () => url }).createScriptURL(url) ?? url;
}
