import type { SessionEnded, SessionList } from '@changgu/sdk';
import { reads, writes } from '../../command.ts';
import { fieldsOf, type Shape } from '../../output/shape.ts';

const SESSION: Shape = {
  fields: fieldsOf<SessionList['items'][number]>()([
    'session_id',
    'current',
    'kind',
    'created_at',
    'last_used_on',
    'expires_at',
    'address',
    'user_agent',
  ]),
  columns: ['session_id', 'current', 'kind', 'last_used_on', 'address', 'user_agent'],
  id: 'session_id',
  expendable: ['user_agent'],
};

export const list = reads<[]>(SESSION, async (cli) => {
  const client = await cli.client('console');
  const { items } = await client.account.listSessions(cli.call);
  await cli.output.list(items, SESSION);
  return undefined;
});

const ENDED: Shape = {
  fields: fieldsOf<SessionEnded>()(['session_id', 'status']),
  columns: ['session_id', 'status'],
  id: 'session_id',
};

export const end = writes<[sessionId: string]>(ENDED, async (cli, sessionId) => {
  const client = await cli.client('console');
  await cli.output.item(await client.account.endSession(sessionId, cli.call), ENDED);
  return undefined;
});
