import { expect, it } from 'vitest';
import { nearestName } from './nearest-name.ts';

const known = ['data-dir', 'storage', 'storage-media-type', 'secure-port'];

it.each([
  ['data-dri', 'data-dir'],
  ['datadir', 'data-dir'],
  ['Storage', 'storage'],
  ['storage-mediatyp', 'storage-media-type'],
  ['secure-prot', 'secure-port'],
  ['gadget', undefined],
  ['', undefined],
])('%j may have been %j', (name, expected) => {
  expect(nearestName(name, known)).toBe(expected);
});
