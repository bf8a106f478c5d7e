/** The command line. Translates flags into server options and errors into exit codes. The behaviour is in `server`. */
import { backupFlags, restoreFlags, verifyFlags } from './backup-flags.ts';
import { consoleFlags } from './console-flags.ts';
import { envtestFlags } from './envtest-flags.ts';
import { flagGroups } from './flag-groups.ts';
import { type Flag, flagsHelp, UsageError } from './flags.ts';
import { nearestName } from './nearest-name.ts';
import { recordFlags, replayFlags } from './record-flags.ts';
import { serveFlags } from './serve-flags.ts';
import { statusFlags } from './status-flags.ts';
import { exportFlags, importFlags } from './transfer-flags.ts';

const help = (): string => `keelson: a resource API server that speaks the Kubernetes API

Usage:
  keelson serve [flags]     start the server
  keelson status            tell what a server is doing
  keelson console           print a link that signs a browser in to the console
  keelson backup FILE       back up the objects and certificates of a server
  keelson restore FILE      restore a backup
  keelson verify [DIR|FILE] check a data directory or a backup for damage
  keelson import [flags]    copy objects into a store
  keelson export [flags]    copy objects out of a store
  keelson envtest path      make a folder with the programs that envtest starts, and print it
  keelson record [flags]    record what clients and a server say to each other
  keelson replay FILE       play a recording to another server and compare
  keelson help              print this help, as keelson serve --help does
  keelson COMMAND --help    print the flags of the other commands

Flags are written --name=value or --name value. Durations are written as 30s, 5m or 1h30m. Values of
lists are separated by commas. Flags that kube-apiserver has too have the same names.

${flagGroups(serveFlags)
  .map(({ title, flags }) => `${title}:\n${flagsHelp(flags)}\n`)
  .join('\n')}`;

const copied =
  'The copy is compared with its source at the end. A copy that was interrupted is continued when the\ncommand is run again.';

const commandHelp = (usage: string, text: string, flags: Record<string, Flag<unknown>>): string => `keelson ${usage}

${text}

${flagsHelp(Object.values(flags))}
`;

const helps: Readonly<Record<string, () => string>> = {
  backup: () =>
    commandHelp(
      'backup FILE: backs up the objects and certificates of a server, running or not',
      'The backup is consistent at one revision. It is verified before it replaces a file with this name.\nPrints nothing if all is well, unless on a terminal. Exit codes: 0 done, 1 failed, 2 wrong usage.',
      backupFlags,
    ),
  restore: () =>
    commandHelp(
      'restore FILE: restores a backup into a data directory',
      'A server that is running takes the restored objects when it is started again.\nExit codes: 0 done, 1 failed, 2 wrong usage.',
      restoreFlags,
    ),
  verify: () =>
    commandHelp(
      'verify [DIR|FILE]: checks a data directory or a backup for damage',
      'Reads every page, index, checksum and object. A server may be running.\nExit codes: 0 nothing is damaged, 1 it cannot be read, 2 wrong usage, 3 something is damaged.',
      verifyFlags,
    ),
  status: () =>
    commandHelp(
      'status: tells what a server is doing',
      'Asks the server over its API. Exit codes: 0 it is ready, 1 it is not or cannot be reached, 2 wrong usage.',
      statusFlags,
    ),
  console: () =>
    commandHelp(
      'console: prints a link that signs a browser in to the console of a server',
      'The link is valid once, for 15 minutes, and signs in as the user of the kubeconfig.\nExit codes: 0 done, 1 failed, 2 wrong usage.',
      consoleFlags,
    ),
  envtest: () =>
    commandHelp(
      'envtest path: makes a folder for KUBEBUILDER_ASSETS',
      'The folder has kube-apiserver, etcd and kubectl, which envtest of controller-runtime starts. Its path is\nprinted: export KUBEBUILDER_ASSETS=$(npx keelson envtest path)',
      envtestFlags,
    ),
  record: () =>
    commandHelp(
      'record: records what clients and a server say to each other',
      'Stands in front of a server until it is interrupted. Clients use the kubeconfig that it writes, and have\nthe permissions of the given one. Secrets are not recorded.',
      recordFlags,
    ),
  replay: () =>
    commandHelp(
      'replay FILE: plays a recording to another server and compares the answers',
      'Exit codes: 0 all is the same, 1 failed, 2 wrong usage, 3 there are differences, which are printed.',
      replayFlags,
    ),
  import: () => commandHelp('import: copies objects into a store', copied, importFlags),
  export: () => commandHelp('export: copies objects out of a store', copied, exportFlags),
};

async function main(args: readonly string[]): Promise<number> {
  const [command, ...rest] = args;
  // These have help of their own.
  const isProgram = command === 'envtest' && (rest[0] === 'kube-apiserver' || rest[0] === 'etcd');
  const asksForHelp = !isProgram && (args.includes('--help') || args.includes('-h'));
  if (command === undefined || command === 'help' || asksForHelp) {
    process.stdout.write((helps[command ?? ''] ?? help)());
    return 0;
  }
  // Loaded on demand: a command does not wait for the code of the others.
  if (command === 'import') return (await import('./transfer.ts')).importObjects(rest);
  if (command === 'export') return (await import('./transfer.ts')).exportObjects(rest);
  if (command === 'status') return (await import('./status.ts')).status(rest);
  if (command === 'console') return (await import('./console.ts')).consoleLink(rest);
  if (command === 'backup') return (await import('./backup.ts')).backup(rest);
  if (command === 'restore') return (await import('./backup.ts')).restoreBackup(rest);
  if (command === 'envtest') return (await import('./envtest.ts')).envtest(rest);
  if (command === 'record') return (await import('./record.ts')).record(rest);
  if (command === 'replay') return (await import('./record.ts')).replayRecording(rest);
  if (command === 'verify') return (await import('./backup.ts')).verify(rest);
  if (command !== 'serve') {
    const nearest = nearestName(command, ['serve', ...Object.keys(helps)]);
    throw new UsageError(`unknown command: ${command}${nearest === undefined ? '' : `; did you mean ${nearest}?`}`);
  }
  return (await import('./serve.ts')).serve(rest);
}

/** Runs the command that the arguments name. Its success is the exit code of the process. */
export async function runCommand(args: readonly string[]): Promise<void> {
  try {
    process.exitCode = await main(args);
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
}
