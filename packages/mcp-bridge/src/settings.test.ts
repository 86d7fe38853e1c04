import { describe, expect, it } from 'vitest';
import { readSettings, TOOLSETS } from './settings.ts';

describe('settings', () => {
  it('have defaults that can do no harm and let every host wait to the end', () => {
    expect(readSettings({})).toMatchObject({
      envScope: 'sandbox',
      toolsets: ['bank', 'employment'],
      tools: null,
      readOnly: false,
      requireElicitation: false,
      waitCapSeconds: 50,
      reveal: false,
      secretsFile: null,
    });
  });

  it('come from the environment, and from the command line before it', () => {
    const env = {
      CHANGGU_ENV_SCOPE: 'real_test',
      CHANGGU_MCP_TOOLSETS: 'all',
      CHANGGU_MCP_TOOLS: ' bank_a_balance, bank_a_accounts ',
      CHANGGU_MCP_READ_ONLY: '1',
      CHANGGU_MCP_WAIT_CAP: '10',
      CHANGGU_MCP_SECRETS: '/run/secrets.json',
    };
    expect(readSettings({}, env)).toMatchObject({
      envScope: 'real_test',
      toolsets: TOOLSETS,
      tools: ['bank_a_balance', 'bank_a_accounts'],
      readOnly: true,
      waitCapSeconds: 10,
      secretsFile: '/run/secrets.json',
    });
    expect(readSettings({ 'wait-cap': '20', toolsets: 'tax' }, env)).toMatchObject({
      toolsets: ['tax'],
      readOnly: true,
      waitCapSeconds: 20,
    });
  });

  it.each([
    [{ 'wait-cap': '281' }, {}, '--wait-cap must be an integer 1–280, not "281"'],
    [{}, { CHANGGU_MCP_READ_ONLY: 'yes' }, 'CHANGGU_MCP_READ_ONLY must be 1 or 0'],
    [{}, { CHANGGU_MCP_READONLY: '1' }, 'did you mean CHANGGU_MCP_READ_ONLY?'],
    [{}, { CHANGGU_ENV_SCOPE: 'live' }, 'CHANGGU_ENV_SCOPE must be one of'],
  ])('%j %j: a misspelt protection is an error, not its absence', (values, env, message) => {
    expect(() => readSettings(values, env)).toThrow(message);
  });
});
