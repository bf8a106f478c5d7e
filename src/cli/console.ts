import { readSignInLink } from '../server/read-sign-in-link.ts';
import { parseCommandLine } from './command-line.ts';
import { consoleFlags } from './console-flags.ts';
import { UsageError } from './flags.ts';
import { serverKubeconfig } from './server-kubeconfig.ts';

/** Prints a link that signs a browser in to the console of a server. Resolves with the exit code. */
export async function consoleLink(args: readonly string[]): Promise<number> {
  const { values } = await parseCommandLine(consoleFlags, args);
  try {
    process.stdout.write(`${await readSignInLink(serverKubeconfig(values))}\n`);
    return 0;
  } catch (error) {
    if (error instanceof RangeError) throw new UsageError(error.message, { cause: error });
    throw error;
  }
}
