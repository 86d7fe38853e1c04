import type { CallToolResult } from '@modelcontextprotocol/server';
import { type Envelope, isFailure } from '../results/envelope.ts';

/**
 * An envelope as a tool result: structured, and as text the same JSON, because hosts show only one of the two;
 * files as links.
 */
export function toolResult(envelope: Envelope): CallToolResult {
  const links = (envelope.files ?? []).flatMap(({ uri, name, mime_type, size_bytes }) =>
    uri === undefined
      ? []
      : [
          {
            type: 'resource_link' as const,
            uri,
            name,
            mimeType: mime_type,
            ...(size_bytes === null ? {} : { size: size_bytes }),
            // For the person: a model gets its bytes only if a host is told to read it.
            annotations: { audience: ['user' as const] },
          },
        ],
  );
  return {
    content: [{ type: 'text', text: JSON.stringify(envelope) }, ...links],
    structuredContent: { ...envelope },
    isError: isFailure(envelope),
  };
}
