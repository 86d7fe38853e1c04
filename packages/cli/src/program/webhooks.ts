import { type Command, Option } from '@commander-js/extra-typings';
import { ENV_SCOPES } from '../wire-names.ts';
import type { Setup } from './setup.ts';

export function declareWebhooks(webhooks: Command, setup: Setup): void {
  declareEndpoints(webhooks, setup);
  declareSecretsAndEnd(webhooks, setup);
  declareDeliveries(webhooks, setup);
  declareListen(webhooks, setup);
}

const idText = ({ t }: Setup) => t({ ko: '웹훅 ID', en: 'webhook id' });

function declareEndpoints(webhooks: Command, setup: Setup): void {
  const { t, run, values, examples } = setup;
  webhooks
    .command('create')
    .description(t({ ko: '이벤트를 받을 주소를 등록합니다', en: 'send events to an address' }))
    .argument('<url>', t({ ko: '주소', en: 'address' }))
    .requiredOption(
      '--type <types>',
      t({
        ko: '받을 이벤트(예: job.finished,link.suspended)',
        en: 'events to send, e.g. job.finished,link.suspended',
      }),
      values.list,
    )
    .addOption(
      new Option(
        '--env <scope>',
        t({
          ko: '이벤트의 환경. 생략하면 현재 환경',
          en: 'their environment; default: the current one',
        }),
      ).choices(ENV_SCOPES),
    )
    .option('--description <text>', t({ ko: '설명', en: 'description' }))
    .addHelpText(
      'after',
      examples('changgu webhooks create https://receiver.example/hook --type job.finished --json'),
    )
    .action(run(async () => (await import('../commands/webhooks/endpoints.ts')).create));
  webhooks
    .command('list')
    .description(t({ ko: '웹훅 목록, 최근 것부터', en: 'list webhooks, newest first' }))
    .action(run(async () => (await import('../commands/webhooks/endpoints.ts')).list));
  webhooks
    .command('show')
    .description(t({ ko: '웹훅 하나', en: 'one webhook' }))
    .argument('<webhook>', idText(setup))
    .action(run(async () => (await import('../commands/webhooks/endpoints.ts')).show));
}

function declareSecretsAndEnd(webhooks: Command, setup: Setup): void {
  const { t, run, values } = setup;
  webhooks
    .command('rotate')
    .description(
      t({
        ko: '시크릿을 교체합니다. 이전 시크릿으로도 잠시 서명합니다',
        en: 'replace the secret; the old one also signs for a while',
      }),
    )
    .argument('<webhook>', idText(setup))
    .option(
      '--overlap <hours>',
      t({
        ko: '이전 시크릿으로도 서명하는 시간, 0~168(기본 24)',
        en: 'hours that the old secret also signs, 0 to 168; default 24',
      }),
      values.integer,
    )
    .action(run(async () => (await import('../commands/webhooks/endpoints.ts')).rotate));
  webhooks
    .command('delete')
    .description(
      t({ ko: '웹훅과 전송 기록을 삭제합니다', en: 'delete a webhook with its delivery log' }),
    )
    .argument('<webhook>', idText(setup))
    .action(run(async () => (await import('../commands/webhooks/endpoints.ts')).remove));
}

function declareDeliveries(webhooks: Command, setup: Setup): void {
  const { t, run, values, examples } = setup;
  webhooks
    .command('test')
    .description(t({ ko: '시험 이벤트를 한 번 보냅니다', en: 'send a test event, once' }))
    .argument('<webhook>', idText(setup))
    .action(run(async () => (await import('../commands/webhooks/deliveries.ts')).test));
  webhooks
    .command('deliveries')
    .description(t({ ko: '전송 기록, 최근 것부터', en: 'what was sent, newest first' }))
    .argument('<webhook>', idText(setup))
    .option('-L, --limit <n>', t({ ko: '최대 건수', en: 'maximum rows' }), values.positive, 20)
    .action(run(async () => (await import('../commands/webhooks/deliveries.ts')).deliveries));
  webhooks
    .command('replay')
    .description(
      t({
        ko: '전송 하나 또는 한 기간의 이벤트를 다시 보냅니다',
        en: 'resend a delivery, or the events of a period',
      }),
    )
    .argument('<webhook>', idText(setup))
    .argument('[delivery]', t({ ko: '전송 ID', en: 'delivery id' }))
    .option(
      '--from <time>',
      t({ ko: '시작 시각(예: 2h)', en: 'beginning of the period, e.g. 2h' }),
      values.since,
    )
    .option(
      '--to <time>',
      t({ ko: '끝 시각(기본: 지금)', en: 'end of the period; default: now' }),
      values.since,
    )
    .addHelpText('after', examples('changgu webhooks replay whk_01J --from 2h --to 1h'))
    .action(run(async () => (await import('../commands/webhooks/deliveries.ts')).replay));
}

function declareListen(webhooks: Command, { t, run, values, examples }: Setup): void {
  webhooks
    .command('listen')
    .description(
      t({
        ko: '이벤트를 이 컴퓨터의 주소로 보냅니다. 공개 주소가 필요 없습니다',
        en: 'forward events to this machine; no public address needed',
      }),
    )
    .requiredOption('--forward <url>', t({ ko: '이벤트를 받을 주소', en: 'where to send them' }))
    .option(
      '--type <types>',
      t({ ko: '이 종류의 이벤트만(예: job.finished)', en: 'only these, e.g. job.finished' }),
      values.list,
    )
    .addOption(
      new Option(
        '--env <scope>',
        t({
          ko: '이벤트의 환경. 생략하면 현재 환경',
          en: 'their environment; default: the current one',
        }),
      ).choices(ENV_SCOPES),
    )
    .option('--after <event>', t({ ko: '이 이벤트 다음부터', en: 'from after this event' }))
    .addHelpText('after', examples('changgu webhooks listen --forward http://localhost:3000/hook'))
    .action(run(async () => (await import('../commands/webhooks/listen.ts')).listen));
}
