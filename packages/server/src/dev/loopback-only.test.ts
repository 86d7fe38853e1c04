import { describe, expect, it } from 'vitest';
import { refuseForeign } from './loopback-only.ts';

describe('the development server', () => {
  it.each([
    { host: '127.0.0.1:4010' },
    { host: 'localhost:4010', origin: 'http://localhost:3000' },
    { host: '[::1]:4010', origin: 'http://127.0.0.1:5173' },
  ])('answers %j', (headers) => {
    expect(refuseForeign(headers)).toBeNull();
  });

  it.each([
    {},
    { host: 'evil.example' },
    { host: '127.0.0.1.evil.example' },
    { host: 'localhost:4010', origin: 'https://evil.example' },
    { host: 'localhost:4010', origin: 'null' },
  ])('refuses %j', (headers) => {
    expect(refuseForeign(headers)?.status).toBe(403);
  });
});
