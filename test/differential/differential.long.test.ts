import { checkAgreement } from './check-agreement.ts';

for (const seed of [2, 3, 4]) checkAgreement({ seed, cases: Number(process.env.DIFFERENTIAL_CASES ?? 2000) });
