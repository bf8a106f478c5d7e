/** The cost of parsing a character, and of a class of Unicode characters, in units of creating a state. */
const perCharacter = 6;
const perClass = 400;

/**
 * Roughly how many states a pattern in RE2 syntax has, by which compiling it can be refused before it takes long.
 * Repetitions repeat the states of what they follow. A state takes half a microsecond.
 */
export function patternSize(pattern: string): number {
  let repeats = perCharacter;
  for (const [, low = '0', high = '0'] of pattern.matchAll(/\{(\d{1,4})(?:,(\d{0,4}))?\}/g)) {
    repeats = Math.max(repeats, Number(low), Number(high));
  }
  const classes = pattern.match(/\\[pP]/g)?.length ?? 0;
  return pattern.length * repeats + classes * perClass;
}
