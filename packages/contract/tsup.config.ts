import { defineConfig } from 'tsup';

export default defineConfig({
  entry: [
    'src/index.ts',
    'src/texts/audit-acts.ts',
    'src/errors.ts',
    'src/texts/field-messages-ko.ts',
    'src/texts/harmless-text.ts',
    'src/texts/job-event-texts.ts',
    'src/language.ts',
    'src/result-headings-ko.ts',
    'src/catalogue.ts',
    'src/schemas.ts',
  ],
  format: 'esm',
  target: 'node22',
  // The catalog's data becomes its own chunk, read on first use.
  splitting: true,
  clean: true,
});
