/** The fields of `navigator` that identify browsers and phones. */
export interface Device {
  userAgent: string;
  /** Above 1 on a tablet that identifies itself as a Mac. */
  maxTouchPoints: number;
}

export function isAndroid({ userAgent }: Device): boolean {
  return userAgent.includes("Android");
}

export function isApple({ userAgent, maxTouchPoints }: Device): boolean {
  return /iPhone|iPad|iPod/.test(userAgent) || (userAgent.includes("Macintosh") && maxTouchPoints > 1);
}

/** Whether this is a phone or a tablet. Their browsers install no wallets. */
export function isPhone(device: Device): boolean {
  return isAndroid(device) || isApple(device);
}

/** Whether the page runs in React Native's web view, which injects this object. */
export function inReactNative(): boolean {
  return (globalThis as { ReactNativeWebView?: unknown }).ReactNativeWebView !== undefined;
}

/** Whether the page is inside an app, such as a wallet: Android's web view names itself, Apple's omits "Safari". */
export function isInApp(device: Device): boolean {
  if (inReactNative()) return true;
  if (isAndroid(device)) return device.userAgent.includes("; wv)");
  return isApple(device) && !device.userAgent.includes("Safari/");
}
