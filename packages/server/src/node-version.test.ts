import { expect, it } from 'vitest';
import manifest from '../package.json' with { type: 'json' };
import { isNodeSupported, REQUIRED_NODE } from './node-version.ts';

it('is the one that the package requires', () => {
  expect(manifest.engines.node).toBe(`>=${REQUIRED_NODE}`);
});

it.each([
  ['22.19.0', false],
  ['24.6.0', false],
  ['24.10.99', false],
  ['24.11.0', true],
  ['24.21.0', true],
  ['25.0.0', true],
  ['26.1.0-nightly', true],
])('the server runs on Node %s: %s', (version, supported) => {
  expect(isNodeSupported(version)).toBe(supported);
});
