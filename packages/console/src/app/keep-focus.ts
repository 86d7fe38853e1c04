/**
 * What has the focus may vanish with what was done to it: a revoked key takes its button along. Without this the focus
 * would be nowhere, and a screen reader silent; it goes to the screen instead.
 */
export function keepFocus(): void {
  let last: EventTarget | null = null;
  document.addEventListener('focusin', ({ target }) => {
    last = target;
  });
  new MutationObserver(() => {
    if (!(last instanceof Element) || last.isConnected) return;
    last = null;
    if (document.activeElement === document.body) {
      document.getElementById('main')?.focus({ preventScroll: true });
    }
  }).observe(document.body, { childList: true, subtree: true });
}
