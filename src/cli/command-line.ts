import { configFlag, readConfigFile } from './config-file.ts';
import { type Flag, type FlagValues, givenTexts, parseTexts } from './flags.ts';

export interface CommandLine<F extends Record<string, Flag<unknown>>> {
  readonly values: FlagValues<F>;
  /** What is not a flag. */
  readonly operands: readonly string[];
}

/**
 * Parses the arguments of a command, and the file that `--config` names. One file serves all commands: each takes what
 * it knows of it. Rejects with a UsageError.
 */
export async function parseCommandLine<F extends Record<string, Flag<unknown>>>(
  flags: F,
  args: readonly string[],
  options: { readonly maxOperands?: number } = {},
): Promise<CommandLine<F>> {
  const given = givenTexts(flags, args, options);
  const path = given.flags[configFlag.name];
  if (path === undefined) return { values: parseTexts(flags, given.flags), operands: given.operands };
  const { serveFlags } = await import('./serve-flags.ts');
  const known: readonly Flag<unknown>[] = [...Object.values(serveFlags), ...Object.values(flags)];
  const fromFile = await readConfigFile(configFlag.parse(path), known);
  return { values: parseTexts(flags, { ...fromFile, ...given.flags }), operands: given.operands };
}
