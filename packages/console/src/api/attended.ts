import { signal } from '@preact/signals';

/** After so long without a touch, a click or a key the page stops asking by itself, so that the session can end. */
const ATTENDED_MS = 10 * 60_000;
const LOOK_MS = 15_000;

let lastInput = Date.now();

/** Someone is looking at the page. */
export const isAttended = signal(!document.hidden);

function look(): void {
  isAttended.value = !document.hidden && Date.now() - lastInput < ATTENDED_MS;
}

for (const kind of ['pointerdown', 'pointermove', 'keydown']) {
  window.addEventListener(
    kind,
    () => {
      lastInput = Date.now();
      look();
    },
    { passive: true, capture: true },
  );
}
document.addEventListener('visibilitychange', look);
setInterval(look, LOOK_MS);
