import { expect, it } from 'vitest';
import { type CreateScope, RunningCreates } from './running-creates.ts';

const lamps = { group: 'ex.io', resource: 'lamps' };
const others = { group: 'other.io', resource: 'lamps' };

it.each<[name: string, scope: CreateScope, waitsFor: string[]]>([
  ['a namespace', { namespace: 'a' }, ['lamp in a', 'other in a']],
  ['a type', { type: { ...lamps } }, ['lamp in a', 'lamp in b']],
  ['a namespace without any', { namespace: 'c' }, []],
  ['a type without any', { type: { group: '', resource: 'lamps' } }, []],
])('waits for the writes that have begun in %s', async (_, scope, waitsFor) => {
  const creates = new RunningCreates();
  const running = {
    'lamp in a': creates.begin(lamps, 'a'),
    'lamp in b': creates.begin(lamps, 'b'),
    'other in a': creates.begin(others, 'a'),
  };
  let hasEnded = false;
  const ended = creates.ended(scope).then(() => {
    hasEnded = true;
  });
  const together = creates.ended(scope);
  // Creates that begin later are rejected, so they are not awaited.
  creates.begin(lamps, 'a');
  for (const [name, create] of Object.entries(running)) {
    if (!waitsFor.includes(name)) continue;
    await new Promise(setImmediate);
    expect(hasEnded).toBe(false);
    creates.end(create);
  }
  await Promise.all([ended, together]);
});
