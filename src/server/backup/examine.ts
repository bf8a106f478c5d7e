import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import { isObjectKey, kindOfKey } from '../../kubernetes-layout/index.ts';
import {
  BackupReader,
  examineStructure,
  fileFailure,
  recoverDatabase,
  StoreReader,
  type StructuralDamage,
} from '../../storage/backup/index.ts';
import { StorageError, type StoredEntry, type TransformedValue, type ValueTransformer } from '../../storage/index.ts';
import { CorruptObject, readValue } from '../../store/index.ts';
import { storeFile } from './data-directory-store.ts';

/** One damaged part. */
export interface Finding {
  readonly area: StructuralDamage['area'] | 'object' | 'backup';
  readonly text: string;
}

export interface Examination {
  /** The file that was read. */
  readonly file: string;
  readonly isBackup: boolean;
  readonly revision: number;
  /** The number of objects, and of their values including history. */
  readonly objects: number;
  readonly values: number;
  /** The number of encrypted values that could not be checked without a key. */
  readonly sealed: number;
  readonly findings: readonly Finding[];
}

export interface ExamineOptions {
  /** How values are encrypted. */
  readonly encryption: ValueTransformer | undefined;
  readonly onProgress?: (done: number) => void;
}

const progressInterval = 500;

/**
 * Reads everything in a data directory or a backup: pages, indexes, history, checksums and objects. A server may be
 * using the directory. Rejects with a `StorageError` when the file cannot be opened at all.
 */
export async function examine(path: string, options: ExamineOptions): Promise<Examination> {
  const isBackup = statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
  const file = isBackup ? path : storeFile(path);
  const findings: Finding[] = [];
  const guard = orFinding(file, findings);
  if (!isBackup) guard(() => recoverDatabase(dirname(file)));
  const store = new StoreReader(file);
  try {
    guard(() => findings.push(...examineStructure(store)));
    const values = new ExaminedValues(options, findings);
    try {
      for (const entry of store.versions()) await values.add(entry);
    } catch (error) {
      guard(() => {
        throw error;
      });
    }
    if (isBackup) guard(() => verifyBackup(file), 'backup');
    const { count: read, sealed } = values;
    return {
      file,
      isBackup,
      revision: store.revision,
      objects: guard(() => store.count()) ?? 0,
      values: read,
      sealed,
      findings,
    };
  } finally {
    store.close();
  }
}

/** Calls a function whose failure to read is a finding like others. */
function orFinding(file: string, findings: Finding[]) {
  return <T>(read: () => T, area: Finding['area'] = 'file'): T | undefined => {
    try {
      return read();
    } catch (cause) {
      const error = fileFailure(cause, file);
      if (!(error instanceof StorageError) || error.code !== 'Corrupt') throw error;
      findings.push({ area, text: error.message });
      return undefined;
    }
  };
}

function verifyBackup(file: string): void {
  const backup = new BackupReader(file);
  try {
    backup.verify();
  } finally {
    backup.close();
  }
}

const encrypted = Buffer.from('k8s:enc:');

/** Checks values one by one. */
class ExaminedValues {
  readonly #options: ExamineOptions;
  readonly #findings: Finding[];
  count = 0;
  sealed = 0;

  constructor(options: ExamineOptions, findings: Finding[]) {
    this.#options = options;
    this.#findings = findings;
  }

  async add(entry: StoredEntry): Promise<void> {
    this.count += 1;
    if (this.count % progressInterval === 0) this.#options.onProgress?.(this.count);
    const problem = await this.#problem(entry);
    if (problem === undefined) return;
    this.#findings.push({ area: 'object', text: `${entry.key} at revision ${entry.modRevision}: ${problem}` });
  }

  async #problem({ key, modRevision: revision, value, corrupt }: StoredEntry): Promise<string | undefined> {
    if (corrupt !== undefined) return corrupt;
    if (!isObjectKey(key)) return undefined;
    const { encryption } = this.#options;
    if (encryption === undefined && value.subarray(0, encrypted.length).equals(encrypted)) {
      this.sealed += 1;
      return undefined;
    }
    const opened: TransformedValue = encryption === undefined ? { value } : await encryption.fromStored(value, key);
    const read = readValue({ key, revision, ...opened, unverified: true }, kindOfKey(key));
    return read instanceof CorruptObject ? read.reason : undefined;
  }
}
