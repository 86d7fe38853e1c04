import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { fileURLToPath } from 'node:url';
import { type ConnectorCase, keepsContract } from '@changgu/server/connector';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  bundleContract,
  type ContractBundle,
} from '../../packages/server/src/institutions/testing/contract-bundle.ts';
import { startPortal } from '../own-institution/portal.ts';

const source = fileURLToPath(new URL('../own-institution/connectors.ts', import.meta.url));
const guide = new URL('../../docs/writing-a-connector.md', import.meta.url);

let suite: ContractBundle;
let portal: Awaited<ReturnType<typeof startPortal>>;
beforeAll(async () => {
  [suite, portal] = await Promise.all([bundleContract({ connectors: source }), startPortal()]);
});
afterAll(async () => {
  portal.close();
  await suite.remove();
});

function caseOf(action: string, more: Partial<ConnectorCase> = {}): ConnectorCase {
  const credential = { type: 'id_password', loginId: 'kim', loginPassword: 'union-pass' } as const;
  const module = suite.moduleOf('connectors');
  return { module, action, baseUrl: portal.url, link: { credential }, ...more };
}

describe('the connector of the guide', () => {
  it('keeps the contract when it reads (D149)', async () => {
    const findings = await suite.checkConnector(caseOf('my_union.members.list'));
    expect(findings.filter(({ kept }) => !kept)).toEqual([]);
    expect(findings).toHaveLength(14);
  });

  it('keeps it when it issues: killed before and after the point of no return (D03)', async () => {
    const effects = async () => portal.issued();
    const findings = await suite.checkConnector(caseOf('my_union.certificates.issue', { effects }));
    expect(findings.filter(({ kept }) => !kept)).toEqual([]);
    expect(findings).toHaveLength(18);
  });

  it('and the suite sees what is wrong', async () => {
    const credential = { type: 'id_password', loginId: 'kim', loginPassword: 'wrong' } as const;
    const findings = await suite.checkConnector(
      caseOf('my_union.members.list', { link: { credential } }),
    );
    expect(keepsContract(findings)).toBe(false);
    const [first] = findings;
    expect(first?.seen).toContain('PROVIDER_CREDENTIAL_REJECTED');
  });

  it('stands by a portal that outlives a form sent in part', async () => {
    const { port } = new URL(portal.url);
    const socket = connect(Number(port), '127.0.0.1');
    socket.write('POST /login HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\nuser=kim');
    // Its answer to another request shows that the first one has arrived.
    expect((await fetch(`${portal.url}/login`)).status).toBe(200);
    const closed = once(socket, 'close');
    socket.resetAndDestroy();
    await closed;
    expect((await fetch(`${portal.url}/login`)).status).toBe(200);
  });

  it('is what the guide shows', async () => {
    const [text, code] = await Promise.all([readFile(guide, 'utf8'), readFile(source, 'utf8')]);
    const blocks = [...text.matchAll(/```ts\n(.*?)```/gs)].map((match) => match[1] ?? '');
    const shown = blocks.filter((block) => !block.startsWith('//'));
    expect(shown.length).toBeGreaterThan(2);
    for (const block of shown) expect(code).toContain(block.trim());
  });
});
