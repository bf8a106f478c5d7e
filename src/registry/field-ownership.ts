import {
  type ApplyResult,
  afterUpdate,
  apply,
  describeConflicts,
  type FieldFilter,
  fieldFilter,
  hasPaths,
  kindShape,
  MalformedEntryError,
  MalformedFieldsError,
  type StructShape,
  type ToVersion,
  TypedPatchError,
  withLiteralQuantities,
} from '../merge/managed-fields/index.ts';
import { type Clock, systemClock, timestamp } from '../meta/clock.ts';
import { DecodeError } from '../meta/decode-error.ts';
import type { ResourceObject } from '../meta/object.ts';
import { badRequest, StatusError, unclassified } from '../meta/status-error.ts';
import type { StructSchema } from '../schema/model.ts';

export interface OwnedKind {
  /** Empty for the core group. */
  readonly group: string;
  readonly resource: string;
  readonly schema: StructSchema;
  readonly apiVersion: string;
  readonly hasStatus: boolean;
  /** Whether the fields that a write drops may have wrong types, because only what is stored is validated. */
  readonly acceptsWrongTypes?: boolean;
  /** Default: the clock of the machine. */
  readonly clock?: Clock;
  /** Needed only for kinds with several versions. */
  readonly toVersion?: ToVersion;
  /** Whether another spelling of the same quantity is no change. True by default. */
  readonly quantitiesByAmount?: boolean;
}

/** The field manager, and the subresource that it writes through. */
export interface FieldWriter {
  readonly manager: string;
  /** Empty for the main resource. */
  readonly subresource: string;
}

export interface TrackedChange {
  /** Undefined for a new object. */
  readonly live: ResourceObject | undefined;
  /** The desired object with defaults, before plugins change it. It is not modified. */
  readonly next: ResourceObject;
  /** `metadata.managedFields` as sent by the client. */
  readonly sentEntries?: unknown;
}

export interface AppliedChange {
  readonly live: ResourceObject | undefined;
  readonly applied: ResourceObject;
  /** Take over fields of other managers instead of failing with a conflict. */
  readonly force: boolean;
}

const badInput = [MalformedEntryError, MalformedFieldsError, DecodeError];

/** Tracks the field managers of the objects of one resource in `metadata.managedFields`. */
export class FieldOwnership {
  readonly #kind: OwnedKind;
  /** Keyed by subresource. */
  readonly #filters = new Map<string, FieldFilter>();

  constructor(kind: OwnedKind) {
    this.#kind = kind;
  }

  get shape(): StructShape {
    const { schema, quantitiesByAmount = true } = this.#kind;
    return quantitiesByAmount ? kindShape(schema) : withLiteralQuantities(kindShape(schema));
  }

  /** Returns the object with updated managed fields, for any write but apply. */
  tracked(change: TrackedChange, writer: FieldWriter): ResourceObject {
    const { live, next, sentEntries } = change;
    const update = { ...this.#write(writer), live, next, sent: sentEntries };
    // As in Kubernetes: nothing is recorded about an object with fields of wrong types, even if those are dropped.
    const managedFields = this.#dropsWrongTypes(next, writer) ? undefined : bounded(() => afterUpdate(update));
    return { ...next, metadata: { ...next.metadata, managedFields: managedFields as unknown[] | undefined } };
  }

  /**
   * Merges a configuration into the live object. The result is not in canonical form. Returns the live object itself
   * when nothing changes. Throws the 409 that names the conflicts.
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
      // Converting the object to the versions of other managers finds values that cannot be read.
      if (!badInput.some((type) => error instanceof type)) throw error;
      const { message } = error as Error;
      throw unclassified(message, { cause: error }, error instanceof TypedPatchError ? error.original : message);
    }
  }

  #dropsWrongTypes(next: ResourceObject, { subresource }: FieldWriter): boolean {
    if (!this.#kind.acceptsWrongTypes || !this.#kind.hasStatus) return false;
    const { kind: _kind, apiVersion: _apiVersion, metadata: _metadata, status, ...others } = next;
    if (subresource === 'status') return !hasPaths(this.shape, others);
    return subresource === '' && status !== undefined && !hasPaths(this.shape, { status });
  }

  #write({ manager, subresource }: FieldWriter) {
    const { apiVersion, toVersion } = this.#kind;
    return {
      shape: this.shape,
      manager,
      subresource,
      apiVersion,
      time: timestamp(this.#kind.clock ?? systemClock),
      filter: this.#filter(subresource),
      ...(toVersion && { toVersion }),
    };
  }

  #filter(subresource: string): FieldFilter {
    let filter = this.#filters.get(subresource);
    if (filter === undefined) {
      const { group, resource, hasStatus, schema } = this.#kind;
      filter = fieldFilter({ group, resource, subresource, hasStatus, isCustom: schema.structural !== undefined });
      this.#filters.set(subresource, filter);
    }
    return filter;
  }
}

/**
 * Turns a stack overflow into an error: the recursion is as deep as the objects, and stopping it leaves no partial
 * state.
 */
function bounded<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    const tooDeep = error instanceof RangeError && /call stack/.test(error.message);
    throw tooDeep ? badRequest('exceeded max depth', { cause: error }) : error;
  }
}
