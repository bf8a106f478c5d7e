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
  keelson status            show the state of a server
  keelson console           print a link that signs a browser in to the console
  keelson backup FILE       back up the objects and certificates of a server
  keelson restore FILE      restore a backup
  keelson verify [DIR|FILE] check a data directory or a backup for damage
  keelson import [flags]    copy objects into a store
  keelson export [flags]    copy objects out of a store
  keelson envtest path      create a folder for KUBEBUILDER_ASSETS and print its path
  keelson record [flags]    record requests and responses of a server
  keelson replay FILE       replay a recording against another server and compare
  keelson help              print this help, as keelson serve --help does
  keelson COMMAND --help    print the flags of the other commands

Flags are written --name=value or --name value. Durations are written as 30s, 5m or 1h30m. Values of
lists are separated by commas. Flags that kube-apiserver has too have the same names.

${flagGroups(serveFlags)
  .map(({ title, flags }) => `${title}:\n${flagsHelp(flags)}\n`)
  .join('\n')}`;

const copied =
  'The copy is compared with its source at the end. An interrupted copy continues when the command is\nrun again.';

const commandHelp = (usage: string, text: string, flags: Record<string, Flag<unknown>>): string => `keelson ${usage}

${text}

${flagsHelp(Object.values(flags))}
`;

const helps: Readonly<Record<string, () => string>> = {
  backup: () =>
    commandHelp(
      'backup FILE: backs up the objects and certificates of a server, running or not',
      'The backup is consistent at one revision. It is verified before it replaces a file with this name.\nPrints nothing on success, except on a terminal. Exit codes: 0 success, 1 failure, 2 wrong usage.',
      backupFlags,
    ),
  restore: () =>
    commandHelp(
      'restore FILE: restores a backup into a data directory',
      'A running server must be restarted to serve the restored objects.\nExit codes: 0 success, 1 failure, 2 wrong usage.',
      restoreFlags,
    ),
  verify: () =>
    commandHelp(
      'verify [DIR|FILE]: checks a data directory or a backup for damage',
      'Reads every page, index, checksum and object. A server may be running.\nExit codes: 0 no damage, 1 cannot be read, 2 wrong usage, 3 damage found.',
      verifyFlags,
    ),
  status: () =>
    commandHelp(
      'status: shows the state of a server',
      'Uses the API of the server. Exit codes: 0 ready, 1 not ready or not reachable, 2 wrong usage.',
      statusFlags,
    ),
  console: () =>
    commandHelp(
      'console: prints a sign-in link for the web console of a server',
      'The link works once, within 15 minutes, and signs in the user of the kubeconfig.\nExit codes: 0 success, 1 failure, 2 wrong usage.',
      consoleFlags,
    ),
  envtest: () =>
    commandHelp(
      'envtest path: creates a folder for KUBEBUILDER_ASSETS',
      'The folder contains kube-apiserver, etcd and kubectl for envtest of controller-runtime. Its path is\nprinted: export KUBEBUILDER_ASSETS=$(npx keelson envtest path)',
      envtestFlags,
    ),
  record: () =>
    commandHelp(
      'record: records the requests and responses between clients and a server',
      'Runs as a proxy until it is interrupted. Clients use the kubeconfig that it writes, and have the\npermissions of the upstream kubeconfig. Secrets are not recorded.',
      recordFlags,
    ),
  replay: () =>
    commandHelp(
      'replay FILE: replays a recording against another server and compares the responses',
      'Prints all differences. Exit codes: 0 no differences, 1 failure, 2 wrong usage, 3 differences.',
      replayFlags,
    ),
  import: () => commandHelp('import: copies objects into a store', copied, importFlags),
  export: () => commandHelp('export: copies objects out of a store', copied, exportFlags),
};

async function main(args: readonly string[]): Promise<number> {
  const [command, ...rest] = args;
  // Commands with separate help texts.
  const isProgram = command === 'envtest' && (rest[0] === 'kube-apiserver' || rest[0] === 'etcd');
  const requestsHelp = !isProgram && (args.includes('--help') || args.includes('-h'));
  if (command === undefined || command === 'help' || requestsHelp) {
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

/** Runs the command that the arguments name. Sets the exit code of the process. */
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
