import { describe, expect, it } from 'vitest';
import { portableInput, portableOutput } from './portable-schema.ts';

describe('portable schemas', () => {
  it('take the first of several types of an argument with its own values, and no examples', () => {
    expect(portableInput({ type: ['integer', 'string'], enum: [1, 2, '1', '2'] })).toEqual({
      type: 'integer',
      enum: [1, 2],
    });
    const a = { type: ['string', 'null'], examples: ['x'] };
    const nested = { type: 'object', properties: { a } };
    expect(portableInput(nested)).toEqual({
      type: 'object',
      properties: { a: { type: 'string' } },
    });
  });

  it('require nothing of a result, and say of what may be null both that it may be', () => {
    const schema = {
      type: 'object',
      required: ['a'],
      properties: {
        a: { type: 'string', description: 'A' },
        b: { type: ['string', 'null'], description: 'B' },
        c: { anyOf: [{ type: 'object' }, { type: 'null' }] },
        d: { type: 'string', description: 'D', 'x-untrusted-text': true },
        f: { type: 'object', additionalProperties: { type: 'string', 'x-untrusted-text': true } },
        e: { type: ['string', 'null'], description: 'E', 'x-untrusted-text': true },
      },
    };
    expect(portableOutput(schema)).toEqual({
      type: 'object',
      properties: {
        a: { type: 'string', description: 'A' },
        b: { description: 'B', anyOf: [{ type: 'string' }, { type: 'null' }] },
        c: { anyOf: [{ type: 'object' }, { type: 'null' }] },
        d: {
          type: 'object',
          description: 'D',
          properties: { untrusted_text: { type: 'string' } },
        },
        f: {
          type: 'object',
          additionalProperties: {
            type: 'object',
            properties: { untrusted_text: { type: 'string' } },
          },
        },
        e: {
          description: 'E',
          anyOf: [
            { type: 'object', properties: { untrusted_text: { type: 'string' } } },
            { type: 'null' },
          ],
        },
      },
    });
  });
});
