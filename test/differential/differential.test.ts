import { checkAgreement } from './check-agreement.ts';

/** For another run, use `DIFFERENTIAL_SEED=2 DIFFERENTIAL_CASES=1000 npm test -- test/differential`. */
const seed = Number(process.env.DIFFERENTIAL_SEED ?? 1);
const cases = Number(process.env.DIFFERENTIAL_CASES ?? 30);

checkAgreement({ seed, cases });
