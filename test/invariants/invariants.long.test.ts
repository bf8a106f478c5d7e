import { checkInvariants } from './check-invariants.ts';
import { loadSubjects } from './subjects.ts';

const subjects = await loadSubjects();

for (let seed = 100; seed < 105; seed++) checkInvariants(subjects, { seed, cases: 80 });
