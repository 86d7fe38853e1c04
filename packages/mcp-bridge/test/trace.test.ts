import { expect, it } from 'vitest';
import { FakeSetting } from './support/fake-bridge.ts';

const TRACE = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

it('passes the trace of a host on to the service, of its own call only, and nothing that is none', async () => {
  const setting = new FakeSetting();
  const host = await setting.host();
  const traces = async (traceparent: string | undefined, request_id: string) => {
    const before = setting.service.requests.length;
    const params = { name: 'bank_a_accounts', arguments: { request_id } };
    const meta = traceparent === undefined ? {} : { _meta: { traceparent } };
    await setting.timed(host.client.callTool({ ...params, ...meta }));
    const sent = setting.service.requests.slice(before);
    return new Set(sent.map(({ headers }) => headers.get('traceparent')));
  };
  expect(await traces(TRACE, 'one')).toEqual(new Set([TRACE]));
  expect(await traces(undefined, 'two')).toEqual(new Set([null]));
  expect(await traces('00-x', 'three')).toEqual(new Set([null]));
});
