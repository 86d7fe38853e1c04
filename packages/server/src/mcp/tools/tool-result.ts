import type { CallToolResult, ResourceLink } from '@modelcontextprotocol/server';

/**
 * A tool result: structured, and as text for hosts that show only that, with an error's message first.
 * @param errorText null when the call did not fail
 * @param links to the files of a result
 */
export function toolResult(
  structuredContent: Readonly<Record<string, unknown>>,
  errorText: string | null,
  links: readonly ResourceLink[] = [],
): CallToolResult {
  const json = { type: 'text', text: JSON.stringify(structuredContent) } as const;
  const sentence = errorText === null ? [] : [{ type: 'text', text: errorText } as const];
  return {
    content: [...sentence, json, ...links],
    structuredContent: { ...structuredContent },
    isError: errorText !== null,
  };
}
