import { expect, it } from 'vitest';
import { usedMemory } from '../../../test/used-memory.ts';
import { LinearPattern } from './linear-pattern.ts';
import { ValidationRun } from './validation-run.ts';

function use(count: number, prefix: string): void {
  for (let nth = 0; nth < count; nth++) {
    const run = new ValidationRun('', { stretch: Number.POSITIVE_INFINITY });
    LinearPattern.of(`${prefix}${nth}${'a'.repeat(7_000)}`, run);
  }
}

it('keeps few of the large patterns that clients choose', () => {
  use(10, 'first');
  const before = usedMemory();
  use(60, 'other');
  // Each takes 0.5 MB.
  expect(usedMemory() - before).toBeLessThan(15e6);
});
