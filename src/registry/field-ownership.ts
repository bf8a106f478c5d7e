import {
  type ApplyResult,
  afterUpdate,
  apply,
  describeConflicts,
  type FieldFilter,
  fieldFilter,
  kindShape,
  MalformedEntryError,
  MalformedFieldsError,
  type StructShape,
  type ToVersion,
} from '../merge/managed-fields/index.ts';
import { DecodeError } from '../meta/decode-error.ts';
import type { ResourceObject } from '../meta/object.ts';
import { badRequest, StatusError } from '../meta/status-error.ts';
import { formatTime } from '../meta/time.ts';
import type { StructSchema } from '../schema/model.ts';

export interface OwnedKind {
  /** Empty for the core group. */
  readonly group: string;
  readonly resource: string;
  readonly schema: StructSchema;
  readonly apiVersion: string;
  readonly hasStatus: boolean;
  /** Needed only where a kind has several versions. */
  readonly toVersion?: ToVersion;
}

/** Who writes, and through which door. */
export interface FieldWriter {
  readonly manager: string;
  /** Empty for the main resource. */
  readonly subresource: string;
}

export interface TrackedChange {
  /** Undefined for a new object. */
  readonly live: ResourceObject | undefined;
  /** What the client wants there to be, with defaults, before plugins add to it. Not changed. */
  readonly next: ResourceObject;
  /** `metadata.managedFields` as the client wrote it. */
  readonly sentEntries?: unknown;
}

export interface AppliedChange {
  readonly live: ResourceObject | undefined;
  readonly applied: ResourceObject;
  /** Take over fields of others instead of refusing. */
  readonly force: boolean;
}

const badInput = [MalformedEntryError, MalformedFieldsError, DecodeError];

/** Knows who owns the fields of the objects of one resource, and keeps `metadata.managedFields`. */
export class FieldOwnership {
  readonly #kind: OwnedKind;
  /** By subresource. */
  readonly #filters = new Map<string, FieldFilter>();

  constructor(kind: OwnedKind) {
    this.#kind = kind;
  }

  get shape(): StructShape {
    return kindShape(this.#kind.schema);
  }

  /** The object to be written in any way but apply, with its owners afterwards. */
  tracked({ live, next, sentEntries }: TrackedChange, writer: FieldWriter): ResourceObject {
    const managedFields = bounded(() => afterUpdate({ ...this.#write(writer), live, next, sent: sentEntries }));
    return { ...next, metadata: { ...next.metadata, managedFields: managedFields as unknown[] | undefined } };
  }

  /**
   * What a configuration makes of the live object, not yet in canonical form; the live object itself when nothing changes.
   * Throws the 409 that names the conflicts.
   */
  applied(change: AppliedChange, writer: FieldWriter): ResourceObject {
    const result = this.#apply(change, writer);
    if (result.outcome === 'applied') return result.object;
    const { message, causes } = describeConflicts(result.conflicts);
    throw new StatusError({ code: 409, reason: 'Conflict', message, details: { causes } });
  }

  #apply(change: AppliedChange, writer: FieldWriter): ApplyResult {
    try {
      return bounded(() => apply({ ...this.#write(writer), ...change }));
    } catch (error) {
      // A value that cannot be read is found here when owners in other versions are asked about it.
      throw badInput.some((type) => error instanceof type)
        ? badRequest((error as Error).message, { cause: error })
        : error;
    }
  }

  #write({ manager, subresource }: FieldWriter) {
    const { apiVersion, toVersion } = this.#kind;
    return {
      shape: this.shape,
      manager,
      subresource,
      apiVersion,
      time: formatTime(new Date()),
      filter: this.#filter(subresource),
      ...(toVersion && { toVersion }),
    };
  }

  #filter(subresource: string): FieldFilter {
    let filter = this.#filters.get(subresource);
    if (filter === undefined) {
      const { group, resource, hasStatus } = this.#kind;
      filter = fieldFilter({ group, resource, subresource, hasStatus });
      this.#filters.set(subresource, filter);
    }
    return filter;
  }
}

/** The work descends as deep as the objects are, and nothing is left half done by giving up. */
function bounded<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    const tooDeep = error instanceof RangeError && /call stack/.test(error.message);
    throw tooDeep ? badRequest('exceeded max depth', { cause: error }) : error;
  }
}
