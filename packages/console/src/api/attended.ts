import { signal } from '@preact/signals';

/** After this long without a touch, click or key the page stops polling, so that the session can end. */
const ATTENDED_MS = 10 * 60_000;
const LOOK_MS = 15_000;

let lastInput = Date.now();

/** Whether someone is using the page. */
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
