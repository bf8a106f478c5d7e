import { isJsonObject, memberOf } from '../../meta/json-object.ts';
import { FieldSet, MalformedFieldsError } from './field-set.ts';

/** The fields that one manager owns through one endpoint (the main resource or a subresource). */
export interface ManagedEntry {
  readonly manager: string;
  readonly operation: 'Apply' | 'Update';
  /** The API version that the field names refer to. */
  readonly apiVersion: string;
  /** The time of the manager's last change to the object. Undefined for an applier that only became a co-owner. */
  readonly time: string | undefined;
  /** Empty for the main resource. */
  readonly subresource: string;
  readonly fields: FieldSet;
}

/** An entry that cannot be parsed. */
export class MalformedEntryError extends Error {
  override readonly name = 'MalformedEntryError';
}

/**
 * Returns the identity of an entry, which includes the version for updates only. Entries with equal identities are one.
 */
export function identityOf({
  manager,
  operation,
  apiVersion,
  subresource,
}: Omit<ManagedEntry, 'fields' | 'time'>): string {
  return `${manager}"${operation}"${operation === 'Apply' ? '' : apiVersion}"${subresource}`;
}

export interface ReadOptions {
  /** Whether this server wrote the entries. Their field sets are then in canonical form. */
  readonly trusted: boolean;
}

/**
 * Parses the entries of `metadata.managedFields`. When several have the same identity, the last one wins. Throws
 * `MalformedEntryError` and `MalformedFieldsError`.
 */
export function readEntries(values: readonly unknown[] | undefined, options: ReadOptions): ManagedEntry[] {
  const entries = new Map<string, ManagedEntry>();
  for (const [index, value] of (values ?? []).entries()) {
    const entry = readEntry(value, index, options);
    entries.set(identityOf(entry), entry);
  }
  return [...entries.values()];
}

/** Why entries cannot be read. Undefined when they can. */
export function managedFieldsProblem(values: readonly unknown[] | undefined): string | undefined {
  try {
    readEntries(values, { trusted: false });
    return undefined;
  } catch (error) {
    if (error instanceof MalformedEntryError || error instanceof MalformedFieldsError) return error.message;
    throw error;
  }
}

function readEntry(value: unknown, index: number, { trusted }: ReadOptions): ManagedEntry {
  if (!isJsonObject(value)) throw new MalformedEntryError(`managed fields entry ${index} is not an object`);
  const operation = textOf(value, 'operation');
  const apiVersion = textOf(value, 'apiVersion');
  const fieldsType = textOf(value, 'fieldsType');
  if (operation !== 'Apply' && operation !== 'Update') {
    throw new MalformedEntryError('operation must be `Apply` or `Update`');
  }
  if (apiVersion === '') throw new MalformedEntryError('apiVersion must not be empty');
  if (fieldsType === '') throw new MalformedEntryError(`missing fieldsType in managed fields entry ${index}`);
  if (fieldsType !== 'FieldsV1') {
    throw new MalformedEntryError(`invalid fieldsType ${JSON.stringify(fieldsType)} in managed fields entry ${index}`);
  }
  const fields = memberOf(value, 'fieldsV1');
  const time = textOf(value, 'time');
  return {
    manager: textOf(value, 'manager'),
    operation,
    apiVersion,
    time: time === '' ? undefined : time,
    subresource: textOf(value, 'subresource'),
    fields: trusted && isJsonObject(fields) ? FieldSet.of(fields as never) : FieldSet.parse(fields),
  };
}

function textOf(value: Record<string, unknown>, name: string): string {
  const text = memberOf(value, name);
  return typeof text === 'string' ? text : '';
}

/**
 * Formats entries for `metadata.managedFields`. Omits entries that own nothing. Returns undefined when none is left.
 */
export function writeEntries(entries: readonly ManagedEntry[]): Record<string, unknown>[] | undefined {
  const owners = entries.filter(({ fields }) => !fields.isEmpty);
  if (owners.length === 0) return undefined;
  return owners.sort(compareEntries).map(({ manager, operation, apiVersion, time, subresource, fields }) => ({
    ...(manager !== '' && { manager }),
    operation,
    apiVersion,
    ...(time !== undefined && { time }),
    fieldsType: 'FieldsV1',
    fieldsV1: fields.toJSON(),
    ...(subresource !== '' && { subresource }),
  }));
}

function compareEntries(left: ManagedEntry, right: ManagedEntry): number {
  return (
    compareTexts(left.operation, right.operation) ||
    secondsOf(left) - secondsOf(right) ||
    compareTexts(left.manager, right.manager) ||
    compareTexts(left.apiVersion, right.apiVersion) ||
    compareTexts(left.subresource, right.subresource)
  );
}

function compareTexts(left: string, right: string): number {
  return left < right ? -1 : left === right ? 0 : 1;
}

export function secondsOf({ time }: ManagedEntry): number {
  return time === undefined ? 0 : Math.floor(Date.parse(time) / 1000);
}

/** Clients reset the entries by sending an empty list or a list with one empty entry. */
export function isReset(values: unknown): boolean {
  if (!Array.isArray(values)) return false;
  if (values.length === 0) return true;
  return values.length === 1 && isJsonObject(values[0]) && Object.values(values[0]).every(isNothing);
}

function isNothing(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}
