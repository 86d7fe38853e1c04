import type { CallToolResult } from '@modelcontextprotocol/server';

/**
 * A tool result: structured, and as text for hosts that show only that, with an error's message first (D154).
 * @param errorText null when the call did not fail
 */
export function toolResult(
  structuredContent: Readonly<Record<string, unknown>>,
  errorText: string | null,
): CallToolResult {
  const json = { type: 'text', text: JSON.stringify(structuredContent) } as const;
  const sentence = errorText === null ? [] : [{ type: 'text', text: errorText } as const];
  return {
    content: [...sentence, json],
    structuredContent: { ...structuredContent },
    isError: errorText !== null,
  };
}
