import { configFlag, readConfigFile } from './config-file.ts';
import { collectFlagTexts, type Flag, type FlagValues, parseTexts } from './flags.ts';

export interface CommandLine<F extends Record<string, Flag<unknown>>> {
  readonly values: FlagValues<F>;
  /** The positional arguments. */
  readonly operands: readonly string[];
}

/** The output format of the server is not that of other commands. */
const ownOfServer = ['output'];

/**
 * Parses the arguments of a command, and the file that `--config` names. The file has flags of the server. Other
 * commands use those that they need to find its data. Rejects with a UsageError.
 */
export async function parseCommandLine<F extends Record<string, Flag<unknown>>>(
  flags: F,
  args: readonly string[],
  options: { readonly maxOperands?: number } = {},
): Promise<CommandLine<F>> {
  const given = collectFlagTexts(flags, args, options);
  const path = given.flags[configFlag.name];
  if (path === undefined) return { values: parseTexts(flags, given.flags), operands: given.operands };
  const { serveFlags } = await import('./serve-flags.ts');
  const fromFile = await readConfigFile(configFlag.parse(path), Object.values(serveFlags));
  const isServer = flags === (serveFlags as Record<string, Flag<unknown>>);
  const taken = Object.entries(fromFile).filter(([name]) => isServer || !ownOfServer.includes(name));
  return { values: parseTexts(flags, { ...Object.fromEntries(taken), ...given.flags }), operands: given.operands };
}
