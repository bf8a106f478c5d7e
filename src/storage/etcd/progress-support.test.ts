import { expect, test } from 'vitest';
import { reportsProgress } from './progress-support.ts';

test.each([
  ['3.3.27', false],
  ['3.4.23', false],
  ['3.4.25', true],
  ['3.5.7', false],
  ['3.5.8', true],
  ['3.5.30', true],
  ['3.6.0-rc.1', true],
  ['4.0.0', true],
  ['', false],
])('%s: %s', (version, expected) => {
  expect(reportsProgress(version)).toBe(expected);
});
