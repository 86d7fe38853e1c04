import type { FastifyInstance, FastifyRequest } from 'fastify';
import { invalidShape } from '../../rules/service-error.ts';
import { unusableTexts } from '../../validation/unusable-texts.ts';

const MAX_FORM_BYTES = 16_384;

/** The fields of a form, each as often as it was sent. */
export type Form = Readonly<Record<string, readonly string[]>>;

/** Pages without scripts send forms; nothing else of this service takes them. */
export function takeForms(
  scope: Pick<FastifyInstance, 'removeAllContentTypeParsers' | 'addContentTypeParser'>,
): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: MAX_FORM_BYTES },
    async (_request: FastifyRequest, text: string) => {
      const violations = unusableTexts(formOf(text), ['body']);
      if (violations.length > 0) throw invalidShape(violations);
      return text;
    },
  );
}

export function formOf(body: unknown): Form {
  const fields = new URLSearchParams(typeof body === 'string' ? body : '');
  return Object.fromEntries([...new Set(fields.keys())].map((name) => [name, fields.getAll(name)]));
}
