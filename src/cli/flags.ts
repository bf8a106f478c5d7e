import { parseArgs } from 'node:util';
import { DecodeError } from '../meta/decode-error.ts';
import { parseDuration } from '../meta/duration.ts';
import { nearestName } from './nearest-name.ts';

/** A flag of a command. */
export interface Flag<T> {
  readonly name: string;
  /** The placeholder of the value in the help, such as `PORT`. */
  readonly placeholder: string;
  readonly help: string;
  /** The default value as text. The help shows it unless it is empty. */
  readonly fallback?: string;
  /**
   * The default shown in the help, for flags without `fallback`: the server distinguishes a missing flag from its
   * default.
   */
  readonly effectiveDefault?: string;
  /** A switch without a value means `true`. A list may be repeated, which joins the values. */
  readonly kind?: 'switch' | 'list';
  /** Throws a UsageError for a bad value. */
  readonly parse: (text: string) => T;
}

/** The command line is invalid. The message is for the user, and the exit code is 2. */
export class UsageError extends Error {}

export type FlagValues<F extends Record<string, Flag<unknown>>> = {
  readonly [K in keyof F]: ReturnType<F[K]['parse']> | undefined;
};

/** The command line before values are parsed. */
export interface FlagTexts {
  /** The texts of the flags, by their names. */
  readonly flags: Readonly<Record<string, string | undefined>>;
  /** The positional arguments. */
  readonly operands: readonly string[];
}

/** Parses `--name=value` and `--name value`. */
export function parseFlags<F extends Record<string, Flag<unknown>>>(flags: F, args: readonly string[]): FlagValues<F> {
  return parseTexts(flags, collectFlagTexts(flags, args).flags);
}

/** Parses the texts of the flags. Flags without one have their default. */
export function parseTexts<F extends Record<string, Flag<unknown>>>(
  flags: F,
  texts: FlagTexts['flags'],
): FlagValues<F> {
  const entries = Object.entries(flags).map(([key, flag]) => {
    const text = texts[flag.name] ?? flag.fallback;
    return [key, text === undefined ? undefined : parseValue(flag, text)];
  });
  return Object.fromEntries(entries) as FlagValues<F>;
}

/** `maxOperands` is how many arguments need not be flags. Throws a UsageError for unknown flags. */
export function collectFlagTexts(
  flags: Record<string, Flag<unknown>>,
  args: readonly string[],
  { maxOperands = 0 }: { readonly maxOperands?: number } = {},
): FlagTexts {
  const all = Object.values(flags);
  const options = Object.fromEntries(
    all.map(({ name, kind }) => [name, { type: 'string' as const, multiple: kind === 'list' }]),
  );
  const switches = new Set(all.filter(({ kind }) => kind === 'switch').map(({ name }) => `--${name}`));
  const normalizedArgs = args.map((arg) => (switches.has(arg) ? `${arg}=true` : arg));
  try {
    const { values, positionals } = parseArgs({ args: normalizedArgs, options, allowPositionals: maxOperands > 0 });
    if (positionals.length > maxOperands) throw new UsageError(`unexpected argument: ${positionals[maxOperands]}`);
    const texts = Object.entries(values).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join() : String(value),
    ]);
    return { flags: Object.fromEntries(texts), operands: positionals };
  } catch (error) {
    const [, unknown] = /^Unknown option '(--?[^']*)'/.exec((error as Error).message) ?? [];
    if (unknown === undefined) throw new UsageError((error as Error).message, { cause: error });
    const known = nearestName(
      unknown.replace(/^--?/, ''),
      all.map(({ name }) => name),
    );
    const hint = known === undefined ? '' : `; did you mean --${known}?`;
    throw new UsageError(`unknown flag: ${unknown}${hint}`, { cause: error });
  }
}

function parseValue(flag: Flag<unknown>, text: string): unknown {
  try {
    return flag.parse(text);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    throw new UsageError(`invalid value ${JSON.stringify(text)} for flag --${flag.name}: ${error.message}`, {
      cause: error,
    });
  }
}

const indent = ' '.repeat(6);
const maxWidth = 100;

/** Formats the help of some flags, each with its text on indented lines below. */
export function flagsHelp(flags: readonly Flag<unknown>[]): string {
  return flags
    .map(({ name, placeholder, help, fallback, effectiveDefault = fallback, kind }) => {
      const notes = [
        ...(effectiveDefault ? [`default ${effectiveDefault}`] : []),
        ...(kind === 'list' ? ['may be repeated'] : []),
      ];
      const words = notes.length === 0 ? help : `${help} (${notes.join('; ')})`;
      return `  --${name}=${placeholder}\n${wrapText(words)}`;
    })
    .join('\n');
}

function wrapText(text: string): string {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const line = `${lines.at(-1) ?? indent.slice(1)} ${word}`;
    if (lines.length > 0 && line.length <= maxWidth) lines[lines.length - 1] = line;
    else lines.push(`${indent}${word}`);
  }
  return lines.join('\n');
}

export const text = (value: string): string => {
  if (value === '') throw new UsageError('must not be empty');
  return value;
};

export const anyText = (value: string): string => value;

export const integer =
  ({ min, max }: { min: number; max: number }) =>
  (value: string): number => {
    const number = Number(value);
    if (/^[0-9]+$/.test(value) && number >= min && number <= max) return number;
    throw new UsageError(`must be an integer between ${min} and ${max}`);
  };

export const oneOf =
  <T extends string>(...values: readonly T[]) =>
  (value: string): T => {
    const found = values.find((known) => known === value);
    if (found === undefined) throw new UsageError(`must be one of ${values.join(', ')}`);
    return found;
  };

export const list = (value: string): string[] => value.split(',').filter((entry) => entry !== '');

/** Parses a boolean as Go does. */
export const bool = (value: string): boolean => {
  if (['1', 't', 'T', 'true', 'TRUE', 'True'].includes(value)) return true;
  if (['0', 'f', 'F', 'false', 'FALSE', 'False'].includes(value)) return false;
  throw new UsageError('must be true or false');
};

/** A Go duration such as `1m30s`, in milliseconds. */
export const duration = (value: string): number => {
  try {
    const milliseconds = Number(parseDuration(value)) / 1e6;
    if (milliseconds >= 0) return milliseconds;
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
  }
  throw new UsageError('must be a duration such as 30s, 5m or 1h30m, not negative');
};
