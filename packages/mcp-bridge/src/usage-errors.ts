import type { Text } from '@changgu/sdk/catalogue';
import { SettingError } from './settings.ts';

/** What is wrong with the command line, or with the settings of a way to serve. */
export const TEXTS = {
  bothDoors: {
    ko: 'CHANGGU_MCP_TOKEN과 CHANGGU_MCP_RESOURCE 중 하나만 설정하십시오.',
    en: 'Set CHANGGU_MCP_TOKEN or CHANGGU_MCP_RESOURCE, not both.',
  },
  noIntrospection: {
    ko: 'CHANGGU_MCP_RESOURCE를 사용하려면 CHANGGU_MCP_INTROSPECTION_ID와 CHANGGU_MCP_INTROSPECTION_SECRET이 필요합니다. `changgu-server oauth client add --name Bridge --resource <주소>`를 실행하십시오.',
    en: 'CHANGGU_MCP_RESOURCE needs CHANGGU_MCP_INTROSPECTION_ID and CHANGGU_MCP_INTROSPECTION_SECRET: run `changgu-server oauth client add --name Bridge --resource <address>`.',
  },
} as const satisfies Record<string, Text>;

export function unexpected(argument: string): Text {
  return { ko: `필요 없는 인수입니다: ${argument}`, en: `Unexpected argument ${argument}.` };
}

export function onlyFor(command: string, option: string): Text {
  return {
    ko: `${command}에서만 사용하는 옵션입니다: --${option}`,
    en: `--${option} is for ${command} only.`,
  };
}

export function noCommand(command: string): Text {
  return {
    ko: `없는 명령입니다: ${command}. --help로 명령을 확인하십시오.`,
    en: `There is no command ${command}. See --help.`,
  };
}

/** Null for a failure that is not the caller's usage. */
export function usageText(error: unknown): Text | null {
  if (error instanceof SettingError) return error.text;
  if (!(error instanceof TypeError)) return null;
  const code = String(Reflect.get(error, 'code'));
  if (!code.startsWith('ERR_PARSE_ARGS')) return null;
  // Node's parser speaks English only.
  const name = /'([^']+)'/.exec(error.message)?.[1] ?? '';
  const ko =
    code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION'
      ? `알 수 없는 옵션입니다: ${name}`
      : `옵션의 값을 확인하십시오: ${name}`;
  return { ko, en: error.message };
}
