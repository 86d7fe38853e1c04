import { readdirSync, readFileSync } from 'node:fs';

/** Calls that span more than one file of the SDK. */
const INDIRECT: readonly (readonly [string, string])[] = [
  ['submitJob', 'jobs.submit'],
  ['submitAllAccounts', 'jobs.allAccounts'],
  ['readJob', 'jobs.get'],
  ['cancelJob', 'jobs.cancel'],
  ['readJobResult', 'jobs.result'],
  ['downloadArtifact', 'artifacts.download'],
];

/** `listJobs` → `jobs.list`: read from the SDK's sources, so that samples in the API reference stay true. */
export function generateSdkCalls(root: URL): string {
  const sdk = new URL('packages/sdk/src/', root);
  const properties = propertiesOf(readFileSync(new URL('client.ts', sdk), 'utf8'));
  const calls = new Map(INDIRECT);
  for (const file of readdirSync(new URL('resources/', sdk)).toSorted()) {
    for (const [operation, call] of callsIn(
      readFileSync(new URL(`resources/${file}`, sdk), 'utf8'),
      properties,
    )) {
      if (!calls.has(operation)) calls.set(operation, call);
    }
  }
  const rows = [...calls].map(([operation, call]) => `  ${operation}: '${call}',\n`).toSorted();
  return `/** The method of the SDK's client for each operation. */
export const SDK_CALLS: Readonly<Record<string, string>> = {\n${rows.join('')}};\n`;
}

/** `Jobs` → `jobs`, by the resources of a client. */
function propertiesOf(client: string): ReadonlyMap<string, string> {
  const found = client.matchAll(/^ {2}readonly (\w+): ([A-Z]\w+);/gm);
  const properties = [...found].map(([, name = '', type = '']) => [type, name] as const);
  return new Map([...properties, ['BankAccounts', 'credentials.bankAccounts']]);
}

function callsIn(source: string, properties: ReadonlyMap<string, string>): [string, string][] {
  const calls: [string, string][] = [];
  let property: string | undefined;
  let method = '';
  for (const line of source.split('\n')) {
    const resource = /^export class (\w+)/.exec(line)?.[1];
    if (resource !== undefined) property = properties.get(resource);
    method = /^ {2}(?:async )?([a-z]\w*)\(/.exec(line)?.[1] ?? method;
    // Either after the bracket or, in a longer call, on a line of its own.
    const operation = /\.call\('(\w+)'|^ {6}'([a-z]\w+)',$/.exec(line)?.slice(1).find(Boolean);
    if (operation && property) calls.push([operation, `${property}.${method}`]);
  }
  return calls;
}
