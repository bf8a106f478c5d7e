import { placeOf, storePlace, TransferError, type TransferReport, transferObjects } from '../server/transfer/index.ts';
import { parseFlags, UsageError } from './flags.ts';
import { exportFlags, importFlags } from './transfer-flags.ts';
import { TransferProgress } from './transfer-progress.ts';

/** Copies objects into the store. Resolves with the exit code. */
export async function importObjects(args: readonly string[]): Promise<number> {
  const { from, dataDir, ...options } = parseFlags(importFlags, args);
  if (from === undefined) throw new UsageError('--from is required');
  return run({ from: await placeOf(from, {}), to: storePlace(dataDir!, {}), ...options });
}

/** Copies objects out of the store. Resolves with the exit code. */
export async function exportObjects(args: readonly string[]): Promise<number> {
  const { to, dataDir, ...options } = parseFlags(exportFlags, args);
  if (to === undefined) throw new UsageError('--to is required');
  return run({ from: storePlace(dataDir!, {}), to: await placeOf(to, {}), ...options });
}

interface RunOptions extends Pick<Parameters<typeof transferObjects>[0], 'from' | 'to'> {
  readonly merge: boolean | undefined;
  readonly skipUnreadable: boolean | undefined;
  readonly output: 'text' | 'json' | undefined;
}

async function run({ from, to, merge = false, skipUnreadable = false, output }: RunOptions): Promise<number> {
  const progress = new TransferProgress(process.stderr);
  progress.line(`copying from ${from.name} to ${to.name}`);
  const begin = performance.now();
  try {
    const report = await transferObjects({
      from,
      to,
      merge,
      skipUnreadable,
      onStart: (start) => progress.start(start),
      onProgress: (phase, done) => progress.report(phase, done),
    });
    progress.end();
    const seconds = (performance.now() - begin) / 1000;
    process.stdout.write(output === 'json' ? jsonReport(report, seconds) : textReport(report, seconds));
    return 0;
  } catch (error) {
    progress.end();
    if (!(error instanceof TransferError)) throw error;
    process.stderr.write(`keelson: ${error.message}\n`);
    return 1;
  }
}

function jsonReport({ leftOut, ...report }: TransferReport, seconds: number): string {
  return `${JSON.stringify({ ...report, leftOut: Object.fromEntries(leftOut), seconds })}\n`;
}

const maxNamed = 10;

function textReport(
  { copied, verified, digest, revision, leftOut, unreadable }: TransferReport,
  seconds: number,
): string {
  const others = [...leftOut].map(([group, count]) => `${group} (${count})`);
  const skipped = unreadable.slice(0, maxNamed).map(({ key, reason }) => `  ${key}: ${reason}`);
  return [
    `${copied} objects copied, ${verified} verified, in ${seconds.toFixed(1)} s`,
    `revision ${revision}, SHA-256 ${digest}`,
    ...(others.length > 0 ? [`left out, because they are no objects of a known type: ${others.join(', ')}`] : []),
    ...(unreadable.length > 0 ? [`left out, because they cannot be read: ${unreadable.length}`, ...skipped] : []),
    '',
  ].join('\n');
}
