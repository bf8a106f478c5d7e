/** The command line. Translates flags into server options and errors into exit codes. The behaviour is in `server`. */
import { flagGroups } from './flag-groups.ts';
import { flagsHelp, UsageError } from './flags.ts';
import { serve } from './serve.ts';
import { serveFlags } from './serve-flags.ts';

const help = `keelson: a resource API server that speaks the Kubernetes API

Usage:
  keelson serve [flags]    start the server
  keelson help             print this help, as keelson serve --help does

Flags are written --name=value or --name value. Durations are written as 30s, 5m or 1h30m. Values of
lists are separated by commas. Flags that kube-apiserver has too have the same names.

${flagGroups(serveFlags)
  .map(({ title, flags }) => `${title}:\n${flagsHelp(flags)}\n`)
  .join('\n')}`;

async function main(args: readonly string[]): Promise<number> {
  const [command, ...rest] = args;
  if (command === undefined || command === 'help' || args.includes('--help') || args.includes('-h')) {
    process.stdout.write(help);
    return 0;
  }
  if (command !== 'serve') throw new UsageError(`unknown command: ${command}`);
  return serve(rest);
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  if (error instanceof UsageError) {
    process.stderr.write(`keelson: ${error.message}\nRun "keelson help" for the flags.\n`);
    process.exitCode = 2;
  } else {
    // Errors of the environment need no stack trace; bugs do.
    const fault = error instanceof TypeError || error instanceof ReferenceError || !(error instanceof Error);
    process.stderr.write(`keelson: ${fault ? String((error as Error).stack ?? error) : error.message}\n`);
    process.exitCode = 1;
  }
}
