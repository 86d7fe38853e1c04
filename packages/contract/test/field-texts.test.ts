import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { describedFully } from '../scripts/generators/typescript.ts';
import { withFieldTexts } from '../src/texts/field-texts.ts';

const generated = new URL('../src/generated/', import.meta.url);

/** Lines that declare a property with no comment above them. */
function undocumented(file: string): string[] {
  const lines = readFileSync(new URL(file, generated), 'utf8').split('\n');
  const ownNames = new Set(['path', 'query', 'body', 'output', 'method', 'params', 'responses']);
  return lines.filter((line, index) => {
    const [, indent = '', name = ''] = /^( +)(\w+)\??: /.exec(line) ?? [];
    // The second level of a table of operations, and the table of types, are ours and not the wire's.
    const isTable = (indent.length === 4 && ownNames.has(name)) || /^ {2}[A-Z]/.test(line);
    return name !== '' && !isTable && !lines[index - 1]?.trimEnd().endsWith('*/');
  });
}

describe('the text of a field', () => {
  it.each(['camel.ts', 'camel-operations.ts'])('stands on every field of %s', (file) => {
    expect(undocumented(file)).toEqual([]);
  });

  it('is its schema’s own, then that of its type, then that of its name', () => {
    const properties = { status: {}, label: { description: 'Its own' }, email: {} };
    const { properties: described } = withFieldTexts({ properties }, 'JobReadResponse');
    expect(described).toEqual({
      status: { description: 'State of the job' },
      label: { description: 'Its own' },
      email: { description: 'Email address' },
    });
  });

  it('is demanded of a field that has none', () => {
    expect(() => describedFully({ properties: { unheard_of: {} } }, 'T')).toThrow(
      'T.unheard_of has no description: give its schema one, or add it to field-texts.ts.',
    );
  });
});
