import {
  type CopyReport,
  copy,
  type OnProgress,
  type Source,
  type Target,
  TransferError,
  verify,
} from '../../transfer/index.ts';
import { isNotEmpty, type ObjectLocation } from './object-location.ts';

export interface TransferOptions {
  readonly from: ObjectLocation;
  readonly to: ObjectLocation;
  /** Whether the target may have objects already. */
  readonly merge: boolean;
  readonly skipUnreadable: boolean;
  readonly onStart?: (start: TransferStart) => void;
  readonly onProgress?: OnProgress;
}

export interface TransferStart {
  /** The number of keys to copy. Undefined if it is not known. */
  readonly total: number | undefined;
  /** Whether an interrupted copy is continued. */
  readonly continued: boolean;
}

export interface TransferReport extends CopyReport {
  /** The number of objects that were compared. */
  readonly verified: number;
  /** SHA-256 of all keys and values. */
  readonly digest: string;
  /** The revision of the source. */
  readonly revision: number;
}

/**
 * Copies all objects and compares the copy with the source. If the target already has exactly these objects, they are
 * only compared. Rejects with a `TransferError` when the copy is not possible or not equal, and with a `StorageError`
 * when a store cannot be used.
 */
export async function transferObjects(options: TransferOptions): Promise<TransferReport> {
  const source = await options.from.open();
  try {
    const target = await beginCopy(source, options);
    if (target === undefined)
      return await report(source, { copied: 0, leftOut: new Map(), unreadable: { count: 0, named: [] } }, options);
    const { at, copied } = await copyInto(target, source, options);
    return await report(at, copied, options);
  } finally {
    await source.close();
  }
}

/** Undefined when the target has a complete copy. */
async function beginCopy(source: Source, options: TransferOptions): Promise<Target | undefined> {
  const { to, merge } = options;
  try {
    return await to.begin({ revision: source.revision, merge });
  } catch (error) {
    if (!isNotEmpty(error)) throw error;
    if (await isComplete(source, options)) return undefined;
    const problem = `${to.name} has other objects already: choose another target, or add to it with --merge`;
    throw new TransferError(problem, { cause: error });
  }
}

async function isComplete(source: Source, { to }: TransferOptions): Promise<boolean> {
  const copied = await to.open();
  try {
    await verify({ source, copied, hasOthers: false, readBack: to.readBack });
    return true;
  } catch (error) {
    if (error instanceof TransferError) return false;
    throw error;
  } finally {
    await copied.close();
  }
}

async function copyInto(
  target: Target,
  source: Source,
  { skipUnreadable, onStart, onProgress }: TransferOptions,
): Promise<{ readonly at: Source; readonly copied: CopyReport }> {
  try {
    const at = target.revision === source.revision ? source : await source.at(target.revision);
    onStart?.({ total: at.count, continued: target.after !== undefined });
    return { at, copied: await copy({ source: at, target, skipUnreadable, onProgress }) };
  } finally {
    await target.close();
  }
}

async function report(source: Source, copied: CopyReport, options: TransferOptions): Promise<TransferReport> {
  const { to, merge, onProgress } = options;
  const found = await to.open();
  try {
    const compared = await verify({ source, copied: found, hasOthers: merge, readBack: to.readBack, onProgress });
    return { ...copied, verified: compared.count, digest: compared.digest, revision: source.revision };
  } finally {
    await found.close();
  }
}
