/** Whether a character, given by its code point, belongs to a set. */
export type CharacterTest = (code: number) => boolean;

const surrogateless = (code: number): string => String.fromCodePoint(code);

export const digits = ranges([[0x30, 0x39]]);
export const spaces = ranges([
  [0x09, 0x0a],
  [0x0c, 0x0d],
  [0x20, 0x20],
]);
export const wordCharacters = ranges([
  [0x30, 0x39],
  [0x41, 0x5a],
  [0x5f, 0x5f],
  [0x61, 0x7a],
]);

/** `[:alpha:]` and its like. */
export const namedSets: Readonly<Record<string, CharacterTest>> = {
  alnum: matching(/[0-9A-Za-z]/),
  alpha: matching(/[A-Za-z]/),
  ascii: ranges([[0, 0x7f]]),
  blank: matching(/[\t ]/),
  cntrl: matching(/[\x00-\x1f\x7f]/),
  digit: digits,
  graph: ranges([[0x21, 0x7e]]),
  lower: matching(/[a-z]/),
  print: ranges([[0x20, 0x7e]]),
  punct: matching(/[!-/:-@[-`{-~]/),
  space: ranges([
    [0x09, 0x0d],
    [0x20, 0x20],
  ]),
  upper: matching(/[A-Z]/),
  word: wordCharacters,
  xdigit: matching(/[0-9A-Fa-f]/),
};

export function ranges(pairs: readonly (readonly [number, number])[]): CharacterTest {
  return (code) => pairs.some(([low, high]) => code >= low && code <= high);
}

export function not(test: CharacterTest): CharacterTest {
  return (code) => !test(code);
}

export function either(tests: readonly CharacterTest[]): CharacterTest {
  const [only] = tests;
  return tests.length === 1 ? only! : (code) => tests.some((test) => test(code));
}

/** Also the other case of each letter. */
export function ignoringCase(test: CharacterTest): CharacterTest {
  return (code) => test(code) || otherCases(code).some(test);
}

function otherCases(code: number): number[] {
  const character = surrogateless(code);
  const cases = [character.toLowerCase(), character.toUpperCase()];
  return cases.filter((text) => [...text].length === 1).map((text) => text.codePointAt(0)!);
}

/** A general category or a script, `L` or `Greek`; undefined for a name that Unicode does not have. */
export function unicodeSet(name: string): CharacterTest | undefined {
  if (!/^[A-Za-z_]+$/.test(name)) return undefined;
  for (const property of [`gc=${name}`, `Script=${name}`]) {
    try {
      return matching(new RegExp(`^\\p{${property}}$`, 'u'));
    } catch {
      // The next kind of names.
    }
  }
  return undefined;
}

/** The pattern looks at one character only, so it costs nothing to use JavaScript's engine. */
function matching(pattern: RegExp): CharacterTest {
  return (code) => pattern.test(surrogateless(code));
}
