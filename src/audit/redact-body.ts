import { type Fields, hide, isRecord, mapFields } from './hide.ts';
import { redactJsonPatch } from './redact-json-patch.ts';
import { type Holder, holders, redactFields } from './secret-holders.ts';

/** What a request is about, as far as it tells what its bodies may hold. */
export interface BodyTarget {
  readonly group: string;
  readonly resource: string;
  readonly subresource: string;
}

export interface RedactOptions {
  readonly target: BodyTarget | undefined;
  readonly found?: Set<string> | undefined;
  readonly omitManagedFields: boolean;
}

/** Whether bodies about it hold secrets. */
export function holdsSecrets(target: BodyTarget | undefined): boolean {
  return holderOf(target) !== undefined;
}

/**
 * What a client has sent, an object, options or a patch, without its secrets. Fields that a type which holds secrets does not
 * have count as secret, too: they may be misspelt. The value itself is not changed.
 */
export function redactRequest(value: unknown, options: RedactOptions): unknown {
  const holder = holderOf(options.target);
  if (Array.isArray(value)) return holder === undefined ? value : redactJsonPatch(value, holder, options.found);
  if (!isRecord(value)) return holder === undefined ? value : hide(value, options.found);
  return redactOne(value, value.kind === 'DeleteOptions' && holder !== undefined ? deleteOptions : holder, options);
}

/** What a client is told, an object, a list, a Table or a Status, without its secrets. The value itself is not changed. */
export function redactAnswer(value: unknown, options: RedactOptions): unknown {
  if (!isRecord(value) || value.kind === 'Status') return value;
  const holder = holderOf(options.target);
  const inner = (item: unknown): unknown => (isRecord(item) ? redactOne(item, holder, options) : item);
  if (value.kind === 'Table')
    return mapFields(value, (name, rows) => (name === 'rows' ? eachObject(rows, inner) : rows));
  if (!Array.isArray(value.items)) return redactOne(value, holder, options);
  return mapFields(value, (name, items) => (name === 'items' ? (items as unknown[]).map(inner) : items));
}

function eachObject(rows: unknown, change: (object: unknown) => unknown): unknown {
  if (!Array.isArray(rows)) return rows;
  return rows.map((row) => (isRecord(row) ? mapFields(row, (name, it) => (name === 'object' ? change(it) : it)) : row));
}

const shown = (value: unknown): unknown => value;
const optionFields = ['gracePeriodSeconds', 'preconditions', 'orphanDependents', 'propagationPolicy', 'dryRun'];
const deleteOptions: Pick<Holder, 'fields'> = {
  fields: new Map(['kind', 'apiVersion', ...optionFields].map((name) => [name, shown])),
};

function redactOne(object: Fields, expected: Pick<Holder, 'fields'> | undefined, options: RedactOptions): Fields {
  const holder = expected ?? holders.find(({ kind }) => kind === object.kind);
  const clean = holder === undefined ? object : redactFields(object, holder, options.found);
  if (!options.omitManagedFields || !isRecord(clean.metadata) || !('managedFields' in clean.metadata)) return clean;
  const { managedFields, ...metadata } = clean.metadata;
  return { ...clean, metadata };
}

function holderOf(target: BodyTarget | undefined): Holder | undefined {
  if (target === undefined) return undefined;
  const { group, resource, subresource } = target;
  return holders.find((holder) => {
    if (holder.group !== group || holder.resource !== resource) return false;
    return holder.subresource === undefined || holder.subresource === subresource;
  });
}
