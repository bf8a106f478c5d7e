import { isDeepStrictEqual } from 'node:util';
import type { WatchEvent } from '../../registry/index.ts';

/** `EXISTING` is the state of the object where the kept history begins. */
type RevisionType = WatchEvent['type'] | 'EXISTING';

interface Revision {
  readonly revision: string;
  readonly type: RevisionType;
  readonly uid: string;
  /** The time of the change, if the object contains it. */
  readonly time?: string;
  /** The field manager of the newest entry of the managed fields that the change modified. */
  readonly manager?: string;
  readonly operation?: string;
  readonly subresource?: string;
}

interface ManagedFields {
  readonly manager?: string;
  readonly operation?: string;
  readonly subresource?: string;
  readonly time?: string;
}

interface Metadata {
  readonly resourceVersion: string;
  readonly uid: string;
  readonly creationTimestamp?: string;
  readonly deletionTimestamp?: string;
  readonly managedFields?: readonly ManagedFields[];
}

/** The newest revisions of an object, in their order. */
export class RevisionList {
  readonly #limit: number;
  #revisions: Revision[] = [];
  #isTruncated = false;
  #last: Metadata | undefined;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get isEmpty(): boolean {
    return this.#revisions.length === 0;
  }

  /** `document` is the object after the change. For a deletion, it is the last state. */
  add(type: RevisionType, document: Buffer): void {
    const { metadata } = JSON.parse(document.toString()) as { readonly metadata: Metadata };
    this.#revisions.push(revisionOf(type, metadata, this.#last));
    this.#last = type === 'DELETED' ? undefined : metadata;
    // The list is not truncated for each element, because that moves all elements.
    if (this.#revisions.length >= 2 * this.#limit) this.#truncate();
  }

  document({ oldest, latest }: { readonly oldest: number; readonly latest: number }): object {
    this.#truncate();
    return {
      revision: String(latest),
      oldestRevision: String(oldest),
      truncated: this.#isTruncated,
      revisions: this.#revisions,
    };
  }

  #truncate(): void {
    if (this.#revisions.length <= this.#limit) return;
    this.#isTruncated = true;
    this.#revisions = this.#revisions.slice(-this.#limit);
  }
}

function revisionOf(type: RevisionType, metadata: Metadata, before: Metadata | undefined): Revision {
  const { resourceVersion, uid, creationTimestamp, deletionTimestamp } = metadata;
  const named = { revision: resourceVersion, type, uid };
  if (type === 'DELETED') return { ...named, ...(deletionTimestamp !== undefined && { time: deletionTimestamp }) };
  const changed = newest(changedFields(metadata, before));
  const time = changed?.time ?? (type === 'ADDED' ? creationTimestamp : undefined);
  return {
    ...named,
    ...(time !== undefined && { time }),
    ...(changed?.manager !== undefined && { manager: changed.manager }),
    ...(changed?.operation !== undefined && { operation: changed.operation }),
    ...(changed?.subresource !== undefined && { subresource: changed.subresource }),
  };
}

function changedFields({ managedFields = [] }: Metadata, before: Metadata | undefined): readonly ManagedFields[] {
  const known = before?.managedFields ?? [];
  return managedFields.filter((entry) => !known.some((other) => isDeepStrictEqual(entry, other)));
}

/** Returns the newest entry; of those with the same time, the last one. Timestamps in UTC sort like their texts. */
function newest(entries: readonly ManagedFields[]): ManagedFields | undefined {
  let found: ManagedFields | undefined;
  for (const entry of entries) if ((entry.time ?? '') >= (found?.time ?? '')) found = entry;
  return found;
}
