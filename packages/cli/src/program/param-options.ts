import type { Setup } from './setup.ts';

/** Options of commands that submit, as arguments for `option()`. */
export function paramOptions({ t, values }: Setup) {
  return {
    param: [
      '-p, --param <name=value>',
      t({ ko: '파라미터. 여러 번 지정할 수 있습니다', en: 'param; may be repeated' }),
      values.collect,
    ],
    params: [
      '--params <json>',
      t({ ko: '파라미터 전체: JSON, @파일, @-', en: 'all params: JSON, @file, @-' }),
    ],
    unchecked: [
      '--no-check',
      t({
        ko: '업무와 파라미터를 미리 확인하지 않습니다',
        en: 'do not check action and params locally',
      }),
    ],
    sandboxOutcome: [
      '--sandbox-outcome <outcome>',
      t({
        ko: 'sandbox에서 재현할 결과(예: "FAILED;code=PROVIDER_UPSTREAM_ERROR")',
        en: 'outcome to simulate in sandbox, e.g. "FAILED;code=PROVIDER_UPSTREAM_ERROR"',
      }),
    ],
  } as const;
}
