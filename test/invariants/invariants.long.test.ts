import { checkInvariants } from './check-invariants.ts';
import { loadSubjects } from './subjects.ts';

const subjects = await loadSubjects();

for (const seed of [2, 3]) checkInvariants(subjects, { seed, cases: 60 });
