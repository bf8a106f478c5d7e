import { Random } from '../codec/random.ts';
import type { KnownValues } from '../invariants/plausible-values.ts';
import type { Subject } from '../invariants/subjects.ts';
import type { Case } from './case.ts';
import { generateDefinitions } from './generate-definitions.ts';
import { generateManagers } from './generate-managers.ts';
import { generateObjects } from './generate-objects.ts';
import { generateQueries } from './generate-queries.ts';
import { generateRules } from './generate-rules.ts';
import type { Scope } from './scope.ts';

/** A generator is chosen as often as it occurs here. Cases of custom types take longer than others. */
const generators: readonly ((scope: Scope) => Case)[] = [
  ...Array<typeof generateObjects>(6).fill(generateObjects),
  ...Array<typeof generateManagers>(4).fill(generateManagers),
  ...Array<typeof generateQueries>(3).fill(generateQueries),
  generateDefinitions,
  generateRules,
];

export interface CaseNumber {
  readonly seed: number;
  readonly index: number;
}

/** Generates a case, which depends only on its number and on the types. */
export function generateCase(
  { seed, index }: CaseNumber,
  types: { readonly subjects: readonly Subject[]; readonly known: KnownValues },
): Case {
  const random = new Random(Math.imul(seed, 0x9e3779b1) + index);
  const word = `s${seed}c${index}`;
  return random.pick(generators)({ ...types, random, word, namespace: `differential-${word}` });
}
