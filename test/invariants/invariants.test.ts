import { expect, it } from 'vitest';
import { checkInvariants } from './check-invariants.ts';
import { loadSubjects } from './subjects.ts';

/** For another run, use `FUZZ_SEED=2 FUZZ_CASES=100 npm test -- test/invariants/invariants.test.ts`. */
const seed = Number(process.env.FUZZ_SEED ?? 1);
const cases = Number(process.env.FUZZ_CASES ?? 1);

const subjects = await loadSubjects();

checkInvariants(subjects, { seed, cases });

it('starts from good objects of every kind', () => {
  expect(subjects.filter(({ objects }) => objects.length === 0)).toEqual([]);
});
