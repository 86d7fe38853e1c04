import { safeLine } from '../../terminal-text.ts';

/** A server's name for a file, safe in this directory: no path, not hidden, nothing that a file system refuses. */
export function safeFileName(name: string): string {
  const plain = safeLine(name)
    .replaceAll(/[/\\:*?"<>|]/g, '_')
    .replace(/^[.\s]+/, '')
    .replace(/[.\s]+$/, '');
  return plain === '' ? 'file' : plain;
}
