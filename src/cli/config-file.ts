import { readFile } from 'node:fs/promises';
import { DecodeError } from '../meta/decode-error.ts';
import { type Flag, type FlagTexts, text, UsageError } from './flags.ts';
import { nearestName } from './nearest-name.ts';

export const configFlag = {
  name: 'config',
  placeholder: 'FILE',
  help: 'File (YAML or JSON) with values of flags, by their names without the dashes. The command line takes precedence.',
  parse: text,
};

/**
 * Reads the flags in a file: a mapping from the names of flags to values. Lists and mappings are converted to the text
 * used on the command line. Rejects with a UsageError that names the file and the key.
 */
export async function readConfigFile(path: string, flags: readonly Flag<unknown>[]): Promise<FlagTexts['flags']> {
  const fail = (problem: string): UsageError => new UsageError(`--config ${path}: ${problem}`);
  const known = new Map(flags.filter(({ name }) => name !== configFlag.name).map((flag) => [flag.name, flag]));
  const values = await readMapping(path, fail);
  const entries = Object.entries(values).map(([name, value]) => {
    const flag = known.get(name);
    if (flag !== undefined) return [name, flagText(flag, value, fail)];
    const nearest = nearestName(name, [...known.keys()]);
    throw fail(`unknown key ${JSON.stringify(name)}${nearest === undefined ? '' : `; did you mean "${nearest}"?`}`);
  });
  return Object.fromEntries(entries);
}

type Fail = (problem: string) => UsageError;

async function readMapping(path: string, fail: Fail): Promise<object> {
  // Loaded on demand, so that a server without such a file starts faster.
  const { decodeYaml } = await import('../codec/yaml/index.ts');
  try {
    const { value, duplicates } = decodeYaml(await readFile(path));
    if (duplicates[0] !== undefined) throw fail(duplicates[0]);
    if (value === null) return {};
    if (typeof value !== 'object' || Array.isArray(value)) throw fail('must be a mapping from flags to values');
    return value;
  } catch (error) {
    if (error instanceof DecodeError || (error as NodeJS.ErrnoException).code !== undefined) {
      throw fail((error as Error).message);
    }
    throw error;
  }
}

function flagText(flag: Flag<unknown>, value: unknown, fail: Fail): string {
  const values = takesSeveral(flag) ? valuesOf(value) : undefined;
  if (values === undefined) {
    if (isScalar(value)) return String(value);
    throw fail(`${flag.name}: must be ${takesSeveral(flag) ? 'a list or ' : ''}a string, a number, true or false`);
  }
  const divided = values.find((item) => item.includes(','));
  if (divided !== undefined) throw fail(`${flag.name}: ${JSON.stringify(divided)} must not contain a comma`);
  return values.join();
}

/** On the command line, the values of such flags are separated by commas. */
function takesSeveral({ kind, placeholder }: Flag<unknown>): boolean {
  return kind === 'list' || placeholder.includes(',');
}

/** `{ a: true }` is written `a=true`. Undefined for anything else than a list or a mapping of scalars. */
function valuesOf(value: unknown): string[] | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const isList = Array.isArray(value);
  const entries = Object.entries(value);
  if (!entries.every(([, item]) => isScalar(item))) return undefined;
  return entries.map(([name, item]) => (isList ? String(item) : `${name}=${item}`));
}

function isScalar(value: unknown): boolean {
  return ['string', 'number', 'boolean'].includes(typeof value);
}
