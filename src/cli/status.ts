import { type ObservedServer, readStatus } from '../server/read-status.ts';
import { parseCommandLine } from './command-line.ts';
import { UsageError } from './flags.ts';
import { serverKubeconfig } from './server-kubeconfig.ts';
import { statusFlags } from './status-flags.ts';

/** Prints the state of a server. Resolves with the exit code: 0 if it is ready. */
export async function status(args: readonly string[]): Promise<number> {
  const { values } = await parseCommandLine(statusFlags, args);
  const { output } = values;
  try {
    const server = await readStatus(serverKubeconfig(values));
    const isReady = server.ready && server.status !== undefined;
    process.stdout.write(output === 'json' ? `${JSON.stringify(server)}\n` : describeServer(server, new Date()));
    return isReady ? 0 : 1;
  } catch (error) {
    if (error instanceof RangeError) throw new UsageError(error.message, { cause: error });
    throw error;
  }
}

/** Formats the state for a terminal. */
export function describeServer(server: ObservedServer, now: Date): string {
  const { url, apiVersion, ready, checks, failing, status: own, problem } = server;
  const name = own === undefined ? 'The server' : `Keelson ${own.version}`;
  const health = failing.length === 0 ? `${checks} checks pass` : failing.join('\n              ');
  const rows: (readonly [string, string])[] = [
    ['API', apiVersion],
    ...(own === undefined ? [['status', `cannot be read: ${problem}`] as const] : rowsOf(own, now)),
    [ready ? 'health' : 'failing', health],
  ];
  const lines = rows.map(([title, value]) => `  ${title.padEnd(11)} ${value}`);
  return `${name} at ${url} is ${ready ? 'ready' : 'not ready'}\n\n${lines.join('\n')}\n`;
}

type Row = readonly [title: string, value: string];

function rowsOf(status: NonNullable<ObservedServer['status']>, now: Date): Row[] {
  const { storage, requests, threads, memory, startTime, lastBackup } = status;
  const size = storage.bytes === undefined ? '' : `, ${mebibytes(storage.bytes)}`;
  const backup =
    lastBackup === undefined
      ? 'none that is known'
      : `${age(lastBackup.time, now)} ago, ${count(lastBackup.objects)} objects at revision ${lastBackup.revision}, ${lastBackup.file}`;
  return [
    ['up', `${age(startTime, now)}, since ${startTime}`],
    ['store', `${storage.kind}${size}, revision ${storage.revision}, history since ${storage.compactedRevision}`],
    ['objects', count(storage.objects)],
    ['requests', `${count(requests.running)} running, ${count(requests.total)} since the start`],
    ['watches', count(requests.watches)],
    ...(threads > 1 ? [['threads', count(threads)] as const] : []),
    ['memory', `${mebibytes(memory.residentBytes)}, of which heap ${mebibytes(memory.heapBytes)}`],
    ...(storage.kind === 'embedded' ? [['last backup', backup] as const] : []),
  ];
}

function count(number: number): string {
  return number.toLocaleString('en-US');
}

function mebibytes(bytes: number): string {
  return `${(bytes / 1024 / 1024).toFixed(1)} MiB`;
}

/** Such as `3 d 4 h`: the two largest units. */
function age(time: string, now: Date): string {
  const seconds = Math.max(0, Math.floor((now.getTime() - Date.parse(time)) / 1000));
  const amounts = [
    [Math.floor(seconds / 86_400), 'd'],
    [Math.floor(seconds / 3600) % 24, 'h'],
    [Math.floor(seconds / 60) % 60, 'min'],
    [seconds % 60, 's'],
  ] as const;
  const first = amounts.findIndex(([number]) => number > 0);
  if (first < 0) return '0 s';
  const shown = amounts.slice(first, first + 2).filter(([number]) => number > 0);
  return shown.map(([number, unit]) => `${number} ${unit}`).join(' ');
}
