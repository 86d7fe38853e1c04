import type { Cli } from '../cli.ts';

/**
 * Tells when the service stops answering a run that waits, and when it answers again.
 * @returns ends it: what is read after a wait may fail too, and is no wait
 */
export function onContactChange(
  cli: Cli,
  { lost, back }: { readonly lost: () => void; readonly back?: () => void },
): () => void {
  let answered = true;
  cli.onContact = (answers) => {
    if (answers === answered) return;
    answered = answers;
    (answers ? back : lost)?.();
  };
  return () => {
    cli.onContact = undefined;
  };
}
