import { silentLogger } from '../meta/logger.ts';
import { backUp, type Examination, examine, type Finding, restore, valueEncryption } from '../server/backup/index.ts';
import { checkNewFile } from '../server/files/check-new-file.ts';
import { backupFlags, restoreFlags, verifyFlags } from './backup-flags.ts';
import { parseCommandLine } from './command-line.ts';
import { UsageError } from './flags.ts';
import { TransferProgress } from './transfer-progress.ts';

/** Damage was found. Other failures have the code 1, so that a script can distinguish them. */
const damaged = 3;

/** Writes a backup. Resolves with the exit code. */
export async function backup(args: readonly string[]): Promise<number> {
  const { values, operands } = await parseCommandLine(backupFlags, args, { maxOperands: 1 });
  const { dataDir, storage, skipUnreadable = false, output } = values;
  const [file] = operands;
  if (file === undefined) throw new UsageError('the backup FILE must be specified');
  checkEmbedded(storage);
  checkNewFile('FILE', file);
  const progress = new QuietProgress('copy');
  const report = await backUp({ dataDir: dataDir!, file, skipUnreadable, onProgress: progress.report });
  progress.end();
  const { objects, revision, bytes, sha256, unreadable } = report;
  for (const problem of unreadable) process.stderr.write(`skipped, because it is damaged: ${problem}\n`);
  printReport(output, { file, ...report }, [
    `${objects} objects at revision ${revision}, ${bytes} bytes, verified`,
    `SHA-256 of the objects: ${sha256}`,
  ]);
  return 0;
}

/** Restores a backup. Resolves with the exit code. */
export async function restoreBackup(args: readonly string[]): Promise<number> {
  const { values, operands } = await parseCommandLine(restoreFlags, args, { maxOperands: 1 });
  const { dataDir, storage, replace = false, certificates = true, output } = values;
  const [file] = operands;
  if (file === undefined) throw new UsageError('the backup FILE must be specified');
  checkEmbedded(storage);
  const restored = await restore({ file, dataDir: dataDir!, replace, certificates });
  const { backup: made, revision, kept, atNextStart } = restored;
  printReport(output, { file, dataDir, ...restored }, [
    `${made.objects} objects of ${made.time} (revision ${made.revision}) restored and verified`,
    `resource versions continue from ${revision}: requests for older ones get 410, so that clients list again`,
    ...(restored.certificates ? ['certificates and keys restored'] : []),
    ...(kept === undefined ? [] : [`the previous store is kept as ${kept}: remove it when it is no longer needed`]),
  ]);
  // Always printed, because the restore has not taken effect yet.
  if (atNextStart) {
    const problem = `a server is using ${dataDir}: restart it to serve the restored objects`;
    process.stderr.write(`keelson: ${problem}\n`);
  }
  return 0;
}

/** Reads everything. Resolves with the exit code. */
export async function verify(args: readonly string[]): Promise<number> {
  const { values, operands } = await parseCommandLine(verifyFlags, args, { maxOperands: 1 });
  const { dataDir, storage, encryptionProviderConfig, output } = values;
  const [path = dataDir!] = operands;
  checkEmbedded(storage);
  const progress = new QuietProgress('verify');
  const ended = new AbortController();
  try {
    const encryption = await valueEncryption({ encryptionProviderConfig, log: silentLogger }, ended.signal);
    const found = await examine(path, { encryption, onProgress: (done) => progress.report(done) });
    progress.end();
    if (output === 'json') process.stdout.write(`${JSON.stringify(found)}\n`);
    else if (found.findings.length > 0) process.stdout.write(damageReport(path, found));
    else printReport(output, found, summaryOf(found));
    return found.findings.length > 0 ? damaged : 0;
  } catch (error) {
    if (error instanceof RangeError) throw new UsageError(error.message, { cause: error });
    throw error;
  } finally {
    ended.abort();
  }
}

function checkEmbedded(storage: 'embedded' | 'memory' | 'etcd' | undefined): void {
  if (storage === 'etcd') {
    throw new UsageError(
      'objects in etcd are backed up, restored and checked with etcdctl and etcdutl, or copied with keelson export and keelson import',
    );
  }
  if (storage === 'memory') throw new UsageError('objects in memory cannot be backed up');
}

/** Prints the result: as JSON, or as text on a terminal. Otherwise prints nothing on success. */
function printReport(output: 'text' | 'json' | undefined, report: object, lines: readonly string[]): void {
  if (output === 'json') process.stdout.write(`${JSON.stringify(report)}\n`);
  else if (process.stdout.isTTY) process.stdout.write(`${lines.join('\n')}\n`);
}

function summaryOf({ file, revision, objects, values, sealed }: Examination): string[] {
  return [
    `${file}: nothing is damaged`,
    `${objects} objects at revision ${revision}, ${values} values including history`,
    ...(sealed > 0 ? [`${sealed} values are encrypted: use --encryption-provider-config to check them`] : []),
  ];
}

/** The maximum number of printed faults. */
const maxPrinted = 50;

function damageReport(path: string, examination: Examination): string {
  const { file, isBackup, findings } = examination;
  const lines = findings.slice(0, maxPrinted).map(({ area, text }) => `  ${area}: ${text}`);
  const more = findings.length > maxPrinted ? [`  and ${findings.length - maxPrinted} more`] : [];
  const advice = isBackup ? ['Use another backup, and find the cause of the damage.'] : adviceFor(path, findings);
  return [`${file} is damaged:`, ...lines, ...more, '', 'What to do:', ...advice.map((line) => `  ${line}`), ''].join(
    '\n',
  );
}

function adviceFor(path: string, findings: readonly Finding[]): string[] {
  const areas = new Set(findings.map(({ area }) => area));
  const objectsOnly = areas.size === 1 && areas.has('object');
  const indexOnly = areas.size === 1 && areas.has('index');
  return [
    'Stop writing to this disk until you know the cause of the damage, and keep a copy of the directory.',
    ...(objectsOnly
      ? [
          'The server keeps running, and only requests for these objects fail. Replace or delete them (docs/errors.md), or:',
        ]
      : []),
    ...(indexOnly
      ? [`Only an index is damaged: stop the server and run sqlite3 ${path}/store/storage.sqlite REINDEX, or:`]
      : []),
    `Restore the latest backup: keelson restore FILE --data-dir=${path} --replace, and start the server again.`,
    `Without a backup, save what can be read: keelson export --to=objects.jsonl --data-dir=${path} --skip-unreadable, then keelson import into a new directory.`,
  ];
}

/** Shows progress on a terminal, and nothing elsewhere. */
class QuietProgress {
  readonly #progress = process.stderr.isTTY ? new TransferProgress(process.stderr) : undefined;
  readonly #phase: 'copy' | 'verify';
  #isStarted = false;

  constructor(phase: 'copy' | 'verify') {
    this.#phase = phase;
  }

  readonly report = (done: number, total?: number): void => {
    if (!this.#isStarted) this.#progress?.start({ total, continued: false });
    this.#isStarted = true;
    this.#progress?.report(this.#phase, done);
  };

  end(): void {
    this.#progress?.end();
  }
}
