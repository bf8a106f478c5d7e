import { type Fields, type Found, isRecord, mapFields, redactAll } from './redact-all.ts';
import { redactAt, redactFields, type SecretKind, secretKinds } from './secret-kinds.ts';

/** Fields of a patch operation that contain no secrets. */
const publicFields = new Set(['op', 'path', 'from']);

/** The resource of a request, which determines the secrets in its bodies. */
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

/** Whether bodies for this resource contain secrets. */
export function containsSecrets(target: BodyTarget | undefined): boolean {
  return secretKindOf(target) !== undefined;
}

/**
 * Removes secrets from what a client sent: an object, options or a patch. Unknown fields of types with secrets are
 * removed as well, because a secret may be in a misspelt field. Does not modify the value.
 */
export function redactRequest(value: unknown, options: RedactOptions): unknown {
  const secretKind = secretKindOf(options.target);
  if (Array.isArray(value)) return secretKind === undefined ? value : redactJsonPatch(value, secretKind, options.found);
  if (!isRecord(value)) return secretKind === undefined ? value : redactAll(value, options.found);
  return redactOne(
    value,
    value.kind === 'DeleteOptions' && secretKind !== undefined ? deleteOptions : secretKind,
    options,
  );
}

/** Removes secrets from a response: an object, a list, a Table or a Status. Does not modify the value. */
export function redactResponse(value: unknown, options: RedactOptions): unknown {
  if (!isRecord(value) || value.kind === 'Status') return value;
  const secretKind = secretKindOf(options.target);
  const inner = (item: unknown): unknown => (isRecord(item) ? redactOne(item, secretKind, options) : item);
  if (value.kind === 'Table')
    return mapFields(value, (name, rows) => (name === 'rows' ? eachObject(rows, inner) : rows));
  if (!Array.isArray(value.items)) return redactOne(value, secretKind, options);
  return mapFields(value, (name, items) => (name === 'items' ? (items as unknown[]).map(inner) : items));
}

function eachObject(rows: unknown, change: (object: unknown) => unknown): unknown {
  if (!Array.isArray(rows)) return rows;
  return rows.map((row) => (isRecord(row) ? mapFields(row, (name, it) => (name === 'object' ? change(it) : it)) : row));
}

const shown = (value: unknown): unknown => value;
const optionFields = ['gracePeriodSeconds', 'preconditions', 'orphanDependents', 'propagationPolicy', 'dryRun'];
const deleteOptions: Pick<SecretKind, 'fields'> = {
  fields: new Map(['kind', 'apiVersion', ...optionFields].map((name) => [name, shown])),
};

function redactOne(object: Fields, expected: Pick<SecretKind, 'fields'> | undefined, options: RedactOptions): Fields {
  const secretKind = expected ?? secretKinds.find(({ kind }) => kind === object.kind);
  const clean = secretKind === undefined ? object : redactFields(object, secretKind, options.found);
  if (!options.omitManagedFields || !isRecord(clean.metadata) || !('managedFields' in clean.metadata)) return clean;
  const { managedFields, ...metadata } = clean.metadata;
  return { ...clean, metadata };
}

function secretKindOf(target: BodyTarget | undefined): SecretKind | undefined {
  if (target === undefined) return undefined;
  const { group, resource, subresource } = target;
  return secretKinds.find((secretKind) => {
    if (secretKind.group !== group || secretKind.resource !== resource) return false;
    return secretKind.subresource === undefined || secretKind.subresource === subresource;
  });
}

/** Removes secrets from a JSON patch of an object with secrets: paths stay, values are removed. */
function redactJsonPatch(operations: readonly unknown[], secretKind: SecretKind, found: Found): unknown[] {
  return operations.map((operation) => {
    if (!isRecord(operation)) return redactAll(operation, found);
    return mapFields(operation, (name, value) => {
      if (name === 'value') return redactAt(pathOf(operation), value, { secretKind, found });
      return publicFields.has(name) ? value : redactAll(value, found);
    });
  });
}

function pathOf({ path }: Fields): string[] {
  // Without a valid path it is unknown what the value is.
  if (typeof path !== 'string' || (path !== '' && !path.startsWith('/'))) return ['?', '?'];
  return path
    .split('/')
    .slice(1)
    .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'));
}
