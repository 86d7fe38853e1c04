import type { Cli } from '../cli.ts';

/** Tells when the service stops answering a run that waits, and when it answers again. */
export function onContactChange(
  cli: Cli,
  { lost, back }: { readonly lost: () => void; readonly back?: () => void },
): void {
  let answered = true;
  cli.onContact = (answers) => {
    if (answers === answered) return;
    answered = answers;
    (answers ? back : lost)?.();
  };
}
