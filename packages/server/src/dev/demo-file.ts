import { randomUUID } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

export const LINK_NAMES = [
  'tax_portal',
  'employment',
  'si_edi',
  'bank_a',
  'bank_b',
  'bank_b_second',
  'bank_c',
  'bank_d',
] as const;
export type LinkName = (typeof LINK_NAMES)[number];
export type BankLinkName = Extract<LinkName, `bank_${string}`>;

/** Everything one needs to call the demo organization; true for as long as the server runs. */
export interface Demo {
  readonly base_url: string;
  readonly organization_id: number;
  readonly client: { readonly client_id: string; readonly client_secret: string };
  readonly console: { readonly email: string; readonly password: string };
  readonly admin: { readonly token: string };
  readonly legacy_api_key: string;
  readonly account_links: Readonly<Partial<Record<LinkName, string>>>;
  readonly bank_accounts: Readonly<Partial<Record<BankLinkName, readonly string[]>>>;
  readonly simulators: { readonly control_url: string } | null;
}

export function demoFile(dataDir: string): string {
  return join(dataDir, 'demo.json');
}

/** Null when there is none yet. */
export async function readDemo(dataDir: string): Promise<Demo | null> {
  const text = await readFile(demoFile(dataDir), 'utf8').catch(() => null);
  // Only this program writes it, and a demo that does not work any more is made anew.
  return text === null ? null : (JSON.parse(text) as Demo);
}

/** For the owner's eyes only: it holds working credentials. */
export async function writeDemo(dataDir: string, demo: Demo): Promise<void> {
  const draft = `${demoFile(dataDir)}.${randomUUID()}`;
  await writeFile(draft, `${JSON.stringify(demo, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
  await rename(draft, demoFile(dataDir));
}
