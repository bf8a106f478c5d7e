import { CelError, isAbsorbable } from '../cel-error.ts';
import { defineFunction, type Overload } from '../checker/declarations.ts';
import { ListValue } from '../evaluate/values.ts';
import { LinearRegex } from '../linear-regex.ts';
import { patternCost } from './text-costs.ts';

const matches = (text: string, pattern: string): boolean => LinearRegex.of(pattern).test(text);
function findAll(text: string, pattern: string, limit?: number): readonly string[] {
  try {
    return LinearRegex.of(pattern).findAll(text, limit);
  } catch (error) {
    if (isAbsorbable(error)) throw new CelError(`Illegal regex: ${error.message}`);
    throw error;
  }
}

const options = { cost: patternCost, hasPattern: true };

/** `matches`, `find` and `findAll`. The global form of `matches` costs one. */
export const regex: readonly Overload[] = [
  defineFunction('matches', { '(string, string): bool': matches }, { hasPattern: true }),
  defineFunction('matches', { 'string.(string): bool': matches }, options),
  defineFunction(
    'find',
    {
      'string.(string): string': (text: string, pattern: string) => findAll(text, pattern, 1)[0] ?? '',
    },
    options,
  ),
  defineFunction(
    'findAll',
    {
      'string.(string): list(string)': (text: string, pattern: string) => new ListValue(findAll(text, pattern)),
      'string.(string, int): list(string)': (text: string, pattern: string, limit: bigint) =>
        new ListValue(findAll(text, pattern, limit < 0n ? undefined : Number(limit))),
    },
    options,
  ),
].flat();
