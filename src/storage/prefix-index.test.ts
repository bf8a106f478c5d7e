import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PrefixIndex } from './prefix-index.ts';

test('finds exactly the prefixes of a key, the longest first', () => {
  const text = fc.string({ unit: fc.constantFrom('/', 'a', 'b', '\u{1f600}'), maxLength: 6 });
  fc.assert(
    fc.property(fc.uniqueArray(text), fc.array(text), text, (prefixes, removed, key) => {
      const index = new PrefixIndex<string>();
      for (const prefix of prefixes) index.set(prefix, prefix);
      for (const prefix of removed) index.delete(prefix);
      const found: string[] = [];
      index.forEachMatch(key, (prefix) => found.push(prefix));
      const expected = prefixes.filter((prefix) => key.startsWith(prefix) && !removed.includes(prefix));
      expect(found).toEqual(expected.sort((left, right) => right.length - left.length));
    }),
    { numRuns: 2000 },
  );
});
