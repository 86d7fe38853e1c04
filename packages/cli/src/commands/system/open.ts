import type { WritingCli } from '../../cli.ts';
import { usageError } from '../../cli-error.ts';
import { writes } from '../../command.ts';
import { hasBrowser, showInBrowser } from '../../oauth/browser.ts';
import type { Shape } from '../../output/shape.ts';

const ADDRESS: Shape = { fields: ['address'], columns: ['address'], id: 'address' };

/** Screens of the console, and the reference of the API. */
export const PAGES = [
  'console',
  'docs',
  'jobs',
  'runs',
  'links',
  'catalog',
  'keys',
  'webhooks',
  'people',
  'money',
  'account',
  'audit',
] as const;

/** What an id refers to, by its form. */
const SCREENS_OF_IDS: readonly (readonly [RegExp, string])[] = [
  [/^job_\w+$/, 'jobs'],
  [/^whk_\w+$/, 'webhooks'],
  [/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i, 'links'],
  [/^\w+(\.\w+)+$/, 'catalog'],
];

/** Opens a page of the service in the browser. Without a browser or a terminal, it prints the address. */
export const open = writes<[what: string]>(ADDRESS, async (cli, what) => {
  const address = await addressOf(cli, what);
  const { io } = cli;
  if (cli.interactive && io.stdout.isTTY === true && hasBrowser(io)) {
    await cli.change({ runs: ['open', address] }, () => showInBrowser(io, address));
    await cli.notes.info(cli.texts.open.opened);
  }
  if (cli.output.format === 'table') await cli.output.text(`${address}\n`);
  else await cli.output.item({ address }, ADDRESS);
  return undefined;
});

async function addressOf(cli: WritingCli, what: string): Promise<string> {
  const { baseUrl } = await cli.settings();
  if (!baseUrl) throw usageError(cli.texts.config.noBaseUrl, 'changgu login');
  const path = pathOf(what);
  if (path === null) throw usageError(cli.texts.open.unknown(what), PAGES.join(', '));
  return `${baseUrl.value.replace(/\/+$/, '')}/${path}`;
}

function pathOf(what: string): string | null {
  if (what === 'docs' || what === 'console') return what;
  if (PAGES.some((page) => page === what)) return `console/${what}`;
  const screen = SCREENS_OF_IDS.find(([form]) => form.test(what))?.[1];
  return screen === undefined ? null : `console/${screen}/${encodeURIComponent(what)}`;
}
