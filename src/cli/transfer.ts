import { silentLogger } from '../meta/logger.ts';
import {
  directoryLocation,
  etcdLocation,
  locationOf,
  type ObjectLocation,
  TransferError,
  type TransferReport,
  transferObjects,
  valueEncryption,
} from '../server/transfer/index.ts';
import { parseCommandLine } from './command-line.ts';
import { type FlagValues, UsageError } from './flags.ts';
import { exportFlags, importFlags } from './transfer-flags.ts';
import { TransferProgress } from './transfer-progress.ts';

/** Copies objects into the store. Resolves with the exit code. */
export async function importObjects(args: readonly string[]): Promise<number> {
  const { from, ...flags } = (await parseCommandLine(importFlags, args)).values;
  if (from === undefined) throw new UsageError('--from must be specified');
  return transfer(flags, (own, other) => ({ from: other, to: own }), from);
}

/** Copies objects out of the store. Resolves with the exit code. */
export async function exportObjects(args: readonly string[]): Promise<number> {
  const { to, ...flags } = (await parseCommandLine(exportFlags, args)).values;
  if (to === undefined) throw new UsageError('--to must be specified');
  return transfer(flags, (own, other) => ({ from: own, to: other }), to);
}

type CommonFlags = Omit<FlagValues<typeof importFlags>, 'from'>;
type Direction = (
  own: ObjectLocation,
  other: ObjectLocation,
) => { readonly from: ObjectLocation; readonly to: ObjectLocation };

/** `name` is the name of the source or destination. */
async function transfer(flags: CommonFlags, direction: Direction, name: string): Promise<number> {
  const {
    storage,
    dataDir,
    encryptionProviderConfig,
    merge = false,
    skipUnreadable = false,
    output,
    config: _,
    ...rest
  } = flags;
  const ended = new AbortController();
  try {
    const given = { encryptionProviderConfig, log: silentLogger };
    const encryption = await valueEncryption(given, ended.signal);
    const encryptionInEtcd = await valueEncryption({ ...given, etcdPrefix: rest.etcdPrefix }, ended.signal);
    const options = { ...defined(rest), encryption, encryptionInEtcd };
    const own = storage === 'etcd' ? etcdLocation(options) : directoryLocation(dataDir!, options);
    const places = direction(own, await locationOf(name, options));
    return await run({ ...places, merge, skipUnreadable, output });
  } catch (error) {
    if (error instanceof RangeError) throw new UsageError(error.message, { cause: error });
    throw error;
  } finally {
    ended.abort();
  }
}

/** Omits flags that were not set. */
function defined<T extends object>(flags: T): { [K in keyof T]?: NonNullable<T[K]> } {
  return Object.fromEntries(Object.entries(flags).filter(([, value]) => value !== undefined)) as never;
}

interface RunOptions {
  readonly from: ObjectLocation;
  readonly to: ObjectLocation;
  readonly merge: boolean;
  readonly skipUnreadable: boolean;
  readonly output: 'text' | 'json' | undefined;
}

async function run({ output, ...options }: RunOptions): Promise<number> {
  const progress = new TransferProgress(process.stderr);
  progress.line(`copying from ${options.from.name} to ${options.to.name}`);
  const begin = performance.now();
  try {
    const report = await transferObjects({
      ...options,
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

function textReport(report: TransferReport, seconds: number): string {
  const { copied, verified, digest, revision, leftOut, unreadable } = report;
  const others = [...leftOut].map(([group, count]) => `${group} (${count})`);
  return [
    `${copied} objects copied, ${verified} verified, in ${seconds.toFixed(1)} s`,
    `revision ${revision}, SHA-256 ${digest}`,
    ...(others.length > 0 ? [`skipped, because they are not objects of a known type: ${others.join(', ')}`] : []),
    ...(unreadable.count > 0 ? [`skipped, because they cannot be read: ${unreadable.count}`] : []),
    ...unreadable.named.map((text) => `  ${text}`),
    '',
  ].join('\n');
}
