import type { ResourceObject } from '../meta/object.ts';
import type { PastRequest } from './request-history.ts';
import type { Snapshot, StoreSnapshot } from './snapshot.ts';
import { readAll } from './store-copy.ts';

export interface ChangedObject {
  /** The key without its first part, such as `configmaps/default/settings`. */
  readonly key: string;
  readonly change: 'created' | 'changed' | 'deleted';
  /** The stored object, or its initial state if it is deleted. Undefined for bytes that are not JSON. */
  readonly object: ResourceObject | undefined;
  /** The field managers in `metadata.managedFields`, the last writer last. */
  readonly managers: readonly string[];
}

/** The changes and requests since a snapshot. */
export interface Report {
  readonly since: Snapshot;
  readonly changed: readonly ChangedObject[];
  readonly requests: readonly PastRequest[];
}

const root = '/registry/';
/** Keys that the server itself writes all the time. */
const noise = ['leases/kube-system/'];
const maxShown = 100;

export async function changedObjects({ store, copy }: StoreSnapshot): Promise<ChangedObject[]> {
  const [before, now] = await Promise.all([readAll(copy), readAll(store)]);
  const changed: ChangedObject[] = [];
  for (const key of new Set([...before.keys(), ...now.keys()])) {
    const [old, present] = [before.get(key), now.get(key)];
    if (!key.startsWith(root) || old?.modRevision === present?.modRevision) continue;
    const name = key.slice(root.length);
    if (noise.some((prefix) => name.startsWith(prefix))) continue;
    const object = parsed((present ?? old)!.value);
    const change = old === undefined ? 'created' : present === undefined ? 'deleted' : 'changed';
    changed.push({ key: name, change, object, managers: managersOf(object) });
  }
  return changed;
}

function parsed(value: Buffer): ResourceObject | undefined {
  try {
    return JSON.parse(value.toString()) as ResourceObject;
  } catch {
    return undefined;
  }
}

interface ManagedEntry {
  readonly manager?: string;
  readonly operation?: string;
  readonly subresource?: string;
  readonly time?: string;
}

function managersOf(object: ResourceObject | undefined): string[] {
  const entries = [...((object?.metadata.managedFields ?? []) as readonly ManagedEntry[])];
  entries.sort((left, right) => Date.parse(left.time ?? '') - Date.parse(right.time ?? ''));
  return entries.map(({ manager = '', operation = '', subresource, time = '' }) =>
    [manager, operation, ...(subresource ? [`of ${subresource}`] : []), `at ${time}`].join(' '),
  );
}

/** The report as text for the output of a failed test. Secrets are not shown. */
export function describeReport({ since, changed, requests }: Report): string {
  const lines = [`What happened on the server since revision ${since.revision}:`];
  for (const { key, change, object, managers } of changed.slice(0, maxShown)) {
    lines.push(`  ${change} ${key}`);
    for (const manager of managers) lines.push(`    by ${manager}`);
    if (object !== undefined && change !== 'deleted') lines.push(`    ${JSON.stringify(shown(key, object))}`);
  }
  if (changed.length > maxShown) lines.push(`  and ${changed.length - maxShown} more objects`);
  lines.push('The last requests:');
  for (const { method, path, status, ms, user, userAgent } of requests.slice(-maxShown)) {
    lines.push(`  ${method} ${path} ${status} in ${ms.toFixed(1)} ms by ${user} (${userAgent})`);
  }
  return lines.join('\n');
}

function shown(key: string, object: ResourceObject): object {
  const { managedFields: _managedFields, ...metadata } = object.metadata;
  const { data: _data, stringData: _stringData, ...withoutData } = object;
  return { ...(key.startsWith('secrets/') ? withoutData : object), metadata };
}
