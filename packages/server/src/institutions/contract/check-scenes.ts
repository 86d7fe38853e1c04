import { isDeepStrictEqual } from 'node:util';
import type { ConnectorCase, FromRun, Scene } from './connector-case.ts';
import { type ContractFinding, finding } from './finding.ts';

type Ended = Extract<FromRun, { kind: 'done' | 'failed' }>;
type RunScenes = (scenes: readonly (Scene | null)[]) => Promise<readonly Ended[]>;

/** How many requests of the action a fault is tried on. */
const TRIED = 3;
const REJECTED = ['PROVIDER_CREDENTIAL_REJECTED', 'PROVIDER_ACCOUNT_LOCKED'];
const UPSTREAM = ['PROVIDER_UPSTREAM_ERROR'];

/**
 * Causes one fault at a time at the portal and checks that the connector notices it: each run must fail with an
 * institution's error, or return the same result as without the fault.
 */
export async function checkScenes(
  connectorCase: ConnectorCase,
  whole: Extract<Ended, { kind: 'done' }>,
  run: RunScenes,
): Promise<{ readonly findings: ContractFinding[]; readonly ends: readonly Ended[] }> {
  const plans = plansFor(connectorCase, whole);
  const ends = await run([...plans.flatMap(({ scenes }) => scenes), null]);
  const isSame = sameAs(whole, ends.at(-1));
  let next = 0;
  const findings = plans.map(({ rule, scenes, codes }) => {
    const seen = scenes.flatMap((scene) => {
      const end = ends[next];
      next += 1;
      const isKept =
        end !== undefined && (keeps(end, codes, whole) || (codes === null && isSame(end)));
      return isKept ? [] : [`at request ${scene.at}: ${describe(end)}`];
    });
    return finding(rule, seen.length === 0, seen.join('; '));
  });
  return { findings, ends };
}

interface Plan {
  readonly rule: string;
  readonly scenes: readonly Scene[];
  /** The expected failure; null for any institution's error, or none. */
  readonly codes: readonly string[] | null;
}

function plansFor(
  { link, account, before = [] }: ConnectorCase,
  { requests, credentialAt }: Ended,
): Plan[] {
  const [login] = credentialAt;
  const hasPassword = link?.credential.type === 'id_password' || account !== undefined;
  const spread = [...new Set([1, Math.ceil(requests / 2), requests])].slice(0, TRIED);
  const everywhere = (fault: Scene['fault']) => spread.map((at) => ({ fault, at }));
  const inside = before.length > 0 ? 1 : login === undefined ? null : login + 1;
  return [
    ...(login !== undefined && hasPassword
      ? [
          {
            rule: 'reports a wrong password as rejected',
            scenes: [{ fault: 'wrong_password', at: login } as const],
            codes: REJECTED,
          },
        ]
      : []),
    ...(login === undefined
      ? []
      : [
          {
            rule: 'takes no unknown page for a login, and sends no credential twice',
            scenes: [{ fault: 'unknown_page', at: login } as const],
            codes: UPSTREAM,
          },
        ]),
    ...(inside === null || inside > requests
      ? []
      : [
          {
            rule: 'notices that its session has ended',
            scenes: [{ fault: 'no_cookies', at: inside } as const],
            codes: null,
          },
        ]),
    {
      rule: 'fails when a page does not come in time',
      scenes: everywhere('no_answer'),
      codes: null,
    },
    { rule: 'fails when a page breaks off', scenes: everywhere('broken_page'), codes: null },
    {
      rule: 'fails when another page comes than the one that was asked for',
      scenes: everywhere('unknown_page'),
      codes: null,
    },
    {
      rule: 'fails when a page is in another charset than it says',
      scenes: everywhere('wrong_charset'),
      codes: null,
    },
  ];
}

function keeps(end: Ended, codes: readonly string[] | null, whole: Ended): boolean {
  if (end.kind !== 'failed' || end.code === null) return false;
  if (end.credentialAt.length > whole.credentialAt.length) return false;
  if (codes !== UPSTREAM) return codes === null || codes.includes(end.code);
  return codes.includes(end.code) && end.credentialAt.length === 1;
}

/**
 * Equal, files included, except for what differs between the first run and the last, both without a fault, such as
 * times and issued numbers: what did not change between them did not change in the runs between them either.
 */
function sameAs(whole: Ended, last: Ended | undefined): (end: Ended) => boolean {
  const first = outcomeOf(whole);
  const second = last?.kind === 'done' ? outcomeOf(last) : first;
  const steady = [...first.keys()].filter((key) =>
    isDeepStrictEqual(first.get(key), second.get(key)),
  );
  return (end) =>
    end.kind === 'done' &&
    steady.every((key) => isDeepStrictEqual(outcomeOf(end).get(key), first.get(key)));
}

function outcomeOf(end: Ended): ReadonlyMap<string, unknown> {
  const data = end.kind === 'done' ? Object.entries(end.data ?? {}) : [];
  return new Map<string, unknown>([
    ...data.map(([key, value]) => [`data.${key}`, value] as const),
    ...end.files.map((hash, index) => [`file ${index}`, hash] as const),
    ['number of files', end.files.length],
  ]);
}

function describe(end: Ended | undefined): string {
  if (end === undefined) return 'it did not end';
  if (end.kind === 'done') return 'it succeeded with another result';
  const sent = end.credentialAt.length > 1 ? `, ${end.credentialAt.length} credentials sent` : '';
  return `${end.code ?? end.error.split('\n')[0]}${sent}`;
}
