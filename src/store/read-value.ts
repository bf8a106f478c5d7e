import { isUtf8 } from 'node:buffer';
import type { StoredEntry, ValueIntegrity } from '../storage/storage.ts';
import { CorruptObject } from './corrupt-object.ts';
import type { ObjectMemory } from './slab.ts';
import { StoredObject } from './stored-object.ts';

export interface StoredValue extends ValueIntegrity {
  readonly key: string;
  readonly value: Buffer;
  /** Whether the value is in memory that other threads share, and stays there while it is current. */
  readonly isKept?: boolean | undefined;
  /** The revision of the commit that wrote the value. */
  readonly revision: number;
}

/**
 * Decodes a value from storage. Values that storage has verified are not parsed; all others must be of the given kind.
 * The bytes of the object are copied into `memory`, by default into a new buffer.
 */
export function readValue(
  stored: StoredValue,
  kind: string | undefined,
  memory?: ObjectMemory,
): StoredObject | CorruptObject {
  const { key, revision, corrupt, unverified } = stored;
  if (corrupt !== undefined) return new CorruptObject({ key, revision, reason: corrupt });
  try {
    if (unverified) verify(StoredObject.fromValue(stored), { value: stored.value, kind });
    return StoredObject.fromValue(stored, memory);
  } catch (error) {
    const reason = isEncrypted(stored.value) ? notDecrypted : (error as Error).message;
    return new CorruptObject({ key, revision, reason });
  }
}

/** The prefix of encrypted values. They are found here only if the server has no configuration for them. */
const encrypted = Buffer.from('k8s:enc:');
const notDecrypted = 'identity transformer tried to read encrypted data';

function isEncrypted(value: Buffer): boolean {
  return value.subarray(0, encrypted.length).equals(encrypted);
}

export function readEntry(
  entry: StoredEntry,
  kind: string | undefined,
  memory?: ObjectMemory,
): StoredObject | CorruptObject {
  const { key, value, modRevision: revision, isKept, corrupt, unverified } = entry;
  return readValue({ key, value, revision, isKept, corrupt, unverified }, kind, memory);
}

/** Throws when the value cannot have been written under its key. */
function verify(object: StoredObject, { value, kind }: { value: Buffer; kind: string | undefined }): void {
  if (!isUtf8(value)) throw new Error('the value is not UTF-8');
  const parsed: unknown = object.parse();
  if (typeof parsed !== 'object' || parsed === null) throw new Error('the value is not an object');
  const { kind: actualKind, metadata } = parsed as { kind?: unknown; metadata?: Record<string, unknown> };
  if (typeof metadata !== 'object' || metadata === null) throw new Error('the value has no metadata');
  // The resourceVersion was inserted after the first uid. If it is missing here, that uid was not `metadata.uid`.
  if (metadata.resourceVersion !== String(object.revision)) throw new Error('the value has no metadata.uid');
  if (kind !== undefined && actualKind !== kind) throw new Error(`the value is not a ${kind}`);
  const path = [metadata.namespace, metadata.name]
    .filter((segment) => segment !== undefined && segment !== '')
    .join('/');
  if (!object.key.endsWith(`/${path}`)) throw new Error('the name in the value is not that of the key');
}
