import { Command, Option } from '@commander-js/extra-typings';
import type { Command as ProgramCommand } from './command.ts';
import type { GlobalOptions } from './global-options.ts';
import { optionValues } from './input/option-values.ts';
import type { Io } from './io.ts';
import { type Language, type Text, textsOf } from './language.ts';
import { FORMATS } from './output/format.ts';
import { helpSettings } from './program/help-settings.ts';
import type { Setup } from './program/setup.ts';
import { TOP_LEVEL } from './program/top-level.ts';
import type { Texts } from './texts/ko.ts';
import { ENV_SCOPES } from './wire-names.ts';

/** Runs a parsed command. */
export type Start = <Args extends readonly unknown[]>(
  globals: GlobalOptions,
  texts: Texts,
  command: ProgramCommand<Args>,
  args: Args,
) => Promise<void>;

export interface ProgramOptions {
  readonly io: Io;
  readonly language: Language;
  readonly start: Start;
  /** The one top-level command to declare: the others would slow the start and are not run. */
  readonly only?: string | undefined;
  /** Where `only` names none, all commands are declared: completely, or by name and description. */
  readonly whole?: boolean;
  /** Help that was not asked for is left out, because stderr takes one JSON line. */
  readonly json?: boolean;
}

/** The commands with their options. A command's implementation is loaded when it runs. */
export async function createProgram({
  io,
  language,
  start,
  only,
  whole = false,
  json = false,
}: ProgramOptions): Promise<ReturnType<typeof withGlobalOptions>> {
  const texts = await textsOf(language);
  const t = (text: Text) => text[language];
  const values = optionValues(texts, io);
  const named = new Command('changgu').description(
    t({
      ko: '창구: 여러 기관의 조회와 발급을 한 곳에서 처리합니다.',
      en: 'Changgu: one job service for many institutions.',
    }),
  );
  const program = withGlobalOptions(named, t, values);
  addHelp(program, io, t, texts, json);
  const setup: Setup = {
    t,
    texts,
    values,
    run:
      (load) =>
      async (...args) =>
        start(program.opts(), texts, await load(), args),
    examples: (...lines) =>
      // An indented line continues the previous one.
      ['', texts.help.examples, ...lines.map((line) => `  ${line.replace(/^(?=\S)/, '$ ')}`)].join(
        '\n',
      ),
  };
  const one = TOP_LEVEL.find(({ name }) => name === only);
  for (const { name, about, declare } of one ? [one] : TOP_LEVEL) {
    const command = program.command(name).description(t(about)).helpCommand(false);
    if (one || whole) (await declare())(command, setup);
  }
  return program;
}

type Translate = (text: Text) => string;

function withGlobalOptions(
  program: Command,
  t: Translate,
  values: ReturnType<typeof optionValues>,
) {
  return program
    .option('-V, --version', t({ ko: '버전을 출력합니다', en: 'print the version' }))
    .option('--profile <name>', t({ ko: '사용할 프로필', en: 'profile to use' }), values.text)
    .option('--base-url <url>', t({ ko: '서버 주소', en: 'address of the service' }), values.text)
    .addOption(
      new Option('--env-scope <scope>', t({ ko: '환경', en: 'environment' })).choices(ENV_SCOPES),
    )
    .addOption(
      new Option('-o, --output <format>', t({ ko: '출력 형식', en: 'output format' })).choices(
        FORMATS,
      ),
    )
    .option(
      '--json',
      t({ ko: 'JSON으로 출력합니다. --json=필드,필드', en: 'print JSON; --json=field,field' }),
    )
    .option('--fields <names>', t({ ko: '출력할 필드', en: 'fields to print' }), values.list)
    .option('--jq <expression>', t({ ko: 'JSON을 jq 식으로 거릅니다', en: 'filter JSON with jq' }))
    .option('--header', t({ ko: 'TSV에 머리글을 넣습니다', en: 'print a header line in TSV' }))
    .option(
      '--bom',
      t({
        ko: 'CSV를 Excel에서 바로 열 수 있게 출력합니다',
        en: 'write CSV that Excel opens as UTF-8',
      }),
    )
    .addOption(
      new Option('--lang <language>', t({ ko: '언어', en: 'language' })).choices([
        'ko',
        'en',
      ] as const),
    )
    .option(
      '--timeout <time>',
      t({ ko: '기다릴 최대 시간(예: 30s, 10m)', en: 'longest time to wait, e.g. 30s, 10m' }),
      values.duration,
    )
    .option(
      '-n, --dry-run',
      t({ ko: '보내지 않고 요청만 보여 줍니다', en: 'show the request, send nothing' }),
    )
    .option('-y, --yes', t({ ko: '확인 질문에 예로 답합니다', en: 'answer yes to questions' }))
    .option('--no-input', t({ ko: '입력을 요청하지 않습니다', en: 'never prompt' }))
    .option(
      '-q, --quiet',
      t({ ko: '안내와 진행 상황을 출력하지 않습니다', en: 'no notices, no progress' }),
    )
    .option('--no-color', t({ ko: '색상을 사용하지 않습니다', en: 'no colors' }))
    .option('--debug', t({ ko: '요청과 오류 위치를 보여 줍니다', en: 'show requests and stacks' }))
    .option('--config <file>', t({ ko: '설정 파일', en: 'configuration file' }), values.text);
}

function addHelp(program: Command, io: Io, t: Translate, texts: Texts, json: boolean): void {
  program
    .helpOption('-h, --help', t({ ko: '도움말을 출력합니다', en: 'print help' }))
    .helpCommand(false)
    .configureHelp(helpSettings(texts))
    .configureOutput({
      writeOut: (text) => io.stdout.write(text),
      writeErr: (text) => json || io.stderr.write(text),
      // The program reports errors itself, in its language and format.
      outputError: () => {},
      getOutHelpWidth: () => io.stdout.columns ?? 100,
      getErrHelpWidth: () => io.stderr.columns ?? 100,
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    })
    .exitOverride()
    .addHelpText('after', () =>
      [
        '',
        texts.help.exitCodes,
        ...texts.help.exitCodeLines.map((line) => `  ${line}`),
        '',
        texts.help.more('changgu … '),
      ].join('\n'),
    );
}
