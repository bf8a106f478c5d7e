/** The command line. Translates flags into server options and errors into exit codes. The behaviour is in `server`. */
import { flagGroups } from './flag-groups.ts';
import { type Flag, flagsHelp, UsageError } from './flags.ts';
import { serve } from './serve.ts';
import { serveFlags } from './serve-flags.ts';
import { exportFlags, importFlags } from './transfer-flags.ts';

const help = `keelson: a resource API server that speaks the Kubernetes API

Usage:
  keelson serve [flags]     start the server
  keelson import [flags]    copy objects into a store
  keelson export [flags]    copy objects out of a store
  keelson help              print this help, as keelson serve --help does

Flags are written --name=value or --name value. Durations are written as 30s, 5m or 1h30m. Values of
lists are separated by commas. Flags that kube-apiserver has too have the same names.

${flagGroups(serveFlags)
  .map(({ title, flags }) => `${title}:\n${flagsHelp(flags)}\n`)
  .join('\n')}`;

const transferHelp = (command: string, flags: Record<string, Flag<unknown>>): string => `keelson ${command}: ${
  command === 'import' ? 'copies objects into a store' : 'copies objects out of a store'
}

The copy is compared with its source at the end. A copy that was interrupted is continued when the
command is run again.

${flagsHelp(Object.values(flags))}
`;

const helps: Readonly<Record<string, () => string>> = {
  import: () => transferHelp('import', importFlags),
  export: () => transferHelp('export', exportFlags),
};

async function main(args: readonly string[]): Promise<number> {
  const [command, ...rest] = args;
  if (command === undefined || command === 'help' || args.includes('--help') || args.includes('-h')) {
    process.stdout.write(helps[command ?? '']?.() ?? help);
    return 0;
  }
  // Loaded on demand, so that the server starts faster.
  if (command === 'import') return (await import('./transfer.ts')).importObjects(rest);
  if (command === 'export') return (await import('./transfer.ts')).exportObjects(rest);
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
