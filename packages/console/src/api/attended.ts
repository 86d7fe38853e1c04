/** After so long without a touch, a click or a key the page stops asking by itself, so that the session can end. */
const ATTENDED_MS = 10 * 60_000;

let lastInput = Date.now();

for (const kind of ['pointerdown', 'pointermove', 'keydown']) {
  window.addEventListener(
    kind,
    () => {
      lastInput = Date.now();
    },
    { passive: true, capture: true },
  );
}

/** Somebody sits before the page. */
export function isAttended(): boolean {
  return Date.now() - lastInput < ATTENDED_MS;
}
