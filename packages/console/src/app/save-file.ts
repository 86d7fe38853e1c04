const KEPT_MS = 60_000;

/** Lets the browser save a file. */
export function save(name: string, blob: Blob): void {
  const address = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // Some browsers read it after this task only.
  setTimeout(() => URL.revokeObjectURL(address), KEPT_MS);
}
