const VISIBLE_ASCII = /^[\x20-\x7e]+$/;

/** Whether it can be sent as a header, whichever way it came. */
export function isSendableKey(key: string): boolean {
  return VISIBLE_ASCII.test(key);
}
