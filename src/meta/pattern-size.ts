/** The cost of parsing a character, and of a class of Unicode characters, in units of creating a state. */
const perCharacter = 6;
const perClass = 400;

/**
 * Estimates how many states a pattern in RE2 syntax has, so that a pattern that would take long to compile can be
 * rejected. A repetition multiplies the states of the repeated part. A state takes half a microsecond.
 */
export function patternSize(pattern: string): number {
  let repeats = perCharacter;
  for (const [, low = '0', high = '0'] of pattern.matchAll(/\{(\d{1,4})(?:,(\d{0,4}))?\}/g)) {
    repeats = Math.max(repeats, Number(low), Number(high));
  }
  const classes = pattern.match(/\\[pP]/g)?.length ?? 0;
  return pattern.length * repeats + classes * perClass;
}
