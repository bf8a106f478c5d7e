import { ApiError, type Client, type DiscoveredResource, isUnreadable, untilAborted } from '../client/index.ts';
import { type Clock, timestamp } from '../meta/clock.ts';
import type { ResourceObject } from '../meta/object.ts';
import type { Controller } from './controller.ts';

const migrations = { group: 'storagemigration.k8s.io', version: 'v1beta1', resource: 'storageversionmigrations' };
const controllerName = 'storage-version-migrator-controller';
const pageSize = 500;
/** How many objects are written at the same time. */
const parallel = 8;

interface Condition {
  readonly type: string;
  readonly status: string;
  readonly lastTransitionTime: string;
  readonly reason: string;
  readonly message: string;
}

interface Migration extends ResourceObject {
  readonly spec?: { readonly resource?: { readonly group?: string; readonly resource?: string } };
  readonly status?: { readonly conditions?: readonly Condition[]; readonly resourceVersion?: string };
}

type Outcome = 'Running' | 'Succeeded' | 'Failed';

const reasons: Readonly<Record<Outcome, string>> = {
  Running: 'StorageVersionMigrationInProgress',
  Succeeded: 'StorageVersionMigrationSucceeded',
  Failed: 'StorageVersionMigrationFailed',
};

/**
 * Rewrites all objects of a resource without changes, for a StorageVersionMigration. The server then stores them in the
 * current storage version, encrypted with the current key.
 */
export const storageVersionMigrator: Controller = {
  name: controllerName,

  async run({ client, informers, discovery, report, queue: makeQueue, clock }, signal) {
    const isServed = (await discovery.read()).resources.some(
      ({ group, resource }) => group === migrations.group && resource === migrations.resource,
    );
    // The beta type is served on request only.
    if (!isServed) return untilAborted(signal);
    const informer = informers.informer<Migration>(migrations);
    const own = client.resource<Migration>(migrations);
    const queue = makeQueue(async (name) => {
      const seen = informer.get('', name);
      if (seen === undefined || hasEnded(seen)) return;
      const end = async (migration: Migration, outcome: Outcome, message = ''): Promise<void> => {
        await own.update(withOutcome(migration, { outcome, message, clock }), { subresource: 'status' });
      };
      const { group = '', resource = '' } = seen.spec?.resource ?? {};
      const { resources, failed } = await discovery.read();
      const type = resources.find((each) => each.group === group && each.resource === resource);
      if (type === undefined) {
        if (failed.some((version) => version.startsWith(`${group}/`))) throw new Error(`${group} cannot be discovered`);
        return end(seen, 'Failed', 'resource does not exist in discovery');
      }
      let current = seen;
      try {
        const version = seen.status?.resourceVersion ?? (await versionOf(client, type));
        const status = { ...seen.status, resourceVersion: version };
        current = await own.update(withOutcome({ ...seen, status }, { outcome: 'Running', message: '', clock }), {
          subresource: 'status',
        });
        await rewriteAll(client, type, signal);
      } catch (error) {
        if (signal.aborted) return;
        // Other failures are transient, or concern the status: the queue tries again.
        if (!isFinal(error)) throw error;
        report(error as Error);
        return end(current, 'Failed', 'migration encountered unhandled error');
      }
      await end(current, 'Succeeded');
    });
    const enqueue = ({ metadata }: Migration): void => queue.add(metadata.name ?? '');
    informer.addHandler({ added: enqueue, updated: enqueue });
    await untilAborted(signal);
  },
};

async function versionOf(client: Client, type: DiscoveredResource): Promise<string> {
  const { metadata } = await client.resource(type).metadataOnly().list({ limit: 1 });
  return metadata.resourceVersion;
}

function isFinal(error: unknown): boolean {
  if (isUnreadable(error)) return true;
  return error instanceof ApiError && error.code < 500 && ![409, 410, 429].includes(error.code);
}

async function rewriteAll(client: Client, type: DiscoveredResource, signal: AbortSignal): Promise<void> {
  let next: string | undefined;
  do {
    signal.throwIfAborted();
    const list = client.resource(type).metadataOnly().list({ limit: pageSize, continue: next }, signal);
    const { items, metadata } = await list;
    for (let at = 0; at < items.length; at += parallel) {
      signal.throwIfAborted();
      await Promise.all(items.slice(at, at + parallel).map((item) => rewrite(client, type, item)));
    }
    next = metadata.continue;
  } while (next);
}

/** An apply without fields changes nothing. */
async function rewrite(client: Client, type: DiscoveredResource, { metadata }: ResourceObject): Promise<void> {
  const { group, version, kind } = type;
  const { name = '', namespace = '', uid, resourceVersion } = metadata;
  const apiVersion = group === '' ? version : `${group}/${version}`;
  // With both preconditions, an object that was changed, deleted or recreated meanwhile causes a conflict and need not
  // be written.
  const applied = { apiVersion, kind, metadata: { name, uid, resourceVersion } };
  const options = { type: 'apply', fieldManager: controllerName } as const;
  try {
    await client.resource(type, namespace).patchOnly(name, applied, options);
  } catch (error) {
    if (!(error instanceof ApiError && (error.code === 409 || error.code === 404))) throw error;
  }
}

function hasEnded({ status }: Migration): boolean {
  return (status?.conditions ?? []).some((condition) => condition.type !== 'Running' && condition.status === 'True');
}

function withOutcome(
  migration: Migration,
  { outcome: type, message, clock }: { outcome: Outcome; message: string; clock: Clock },
): Migration {
  const lastTransitionTime = timestamp(clock);
  const before = (migration.status?.conditions ?? []).filter((condition) => condition.type !== type);
  const others = before.map((condition) =>
    condition.status === 'True' ? { ...condition, status: 'False', lastTransitionTime } : condition,
  );
  const condition = { type, status: 'True', lastTransitionTime, reason: reasons[type], message };
  // A status without a version is not valid, but the migration may fail before it knows one.
  const resourceVersion = migration.status?.resourceVersion ?? migration.metadata.resourceVersion!;
  return { ...migration, status: { ...migration.status, resourceVersion, conditions: [...others, condition] } };
}
