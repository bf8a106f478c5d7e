import { ApiError, type Client, type ResourceReference } from '../client/index.ts';
import type { ResourceObject } from '../meta/object.ts';
import type { Controller } from './controller.ts';

const namespacesReference = { group: '', version: 'v1', resource: 'namespaces' };
/** How long to wait before looking again at what finalizers hold back, or after a failure. */
const retryMs = 1000;

/** Empties namespaces that are being deleted and then lets them go. */
export const namespaceDeletion: Controller = {
  name: 'namespace',

  async run({ client, report }, signal) {
    const namespaces = client.resource(namespacesReference);
    const inWork = new Set<string>();
    while (!signal.aborted) {
      try {
        for await (const { type, object } of namespaces.watch({}, signal)) {
          const { name = '', deletionTimestamp } = object.metadata;
          if (type === 'DELETED' || deletionTimestamp === undefined || inWork.has(name)) continue;
          inWork.add(name);
          void empty(client, name, { report, signal }).finally(() => inWork.delete(name));
        }
      } catch (error) {
        if (!signal.aborted) report(error as Error);
        await pause(signal);
      }
    }
  },
};

async function empty(
  client: Client,
  name: string,
  { report, signal }: { report: (error: Error) => void; signal: AbortSignal },
): Promise<void> {
  while (!signal.aborted) {
    try {
      const left = await deleteContent(client, name);
      if (left === 0 && (await release(client, name))) return;
    } catch (error) {
      if (error instanceof ApiError && error.code === 404) return;
      if (!signal.aborted) report(error as Error);
    }
    await pause(signal);
  }
}

/** Deletes everything in the namespace. The number of objects that are still there afterwards. */
async function deleteContent(client: Client, namespace: string): Promise<number> {
  let left = 0;
  for (const reference of await namespacedResources(client)) {
    const collection = client.resource(reference, namespace);
    const { items } = await collection.list();
    for (const { metadata } of items) {
      if (metadata.deletionTimestamp !== undefined) continue;
      await collection.delete(metadata.name ?? '').catch(ignoreMissing);
    }
    if (items.length > 0) left += (await collection.list()).items.length;
  }
  return left;
}

/** What the API server says that it serves, so that no type is forgotten. */
async function namespacedResources(client: Client): Promise<ResourceReference[]> {
  const accept = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
  const documents = await Promise.all(['/api', '/apis'].map((path) => discovery(client, path, accept)));
  return documents.flatMap(({ items }) =>
    items.flatMap(({ metadata, versions }) =>
      // All versions of a type hold the same objects; the first one is the preferred.
      versions
        .slice(0, 1)
        .flatMap(({ version, resources }) =>
          resources
            .filter(({ scope, verbs }) => scope === 'Namespaced' && verbs.includes('delete') && verbs.includes('list'))
            .map(({ resource }) => ({ group: metadata.name ?? '', version, resource })),
        ),
    ),
  );
}

interface DiscoveryList {
  readonly items: readonly {
    readonly metadata: { readonly name?: string };
    readonly versions: readonly {
      readonly version: string;
      readonly resources: readonly {
        readonly resource: string;
        readonly scope: string;
        readonly verbs: readonly string[];
      }[];
    }[];
  }[];
}

async function discovery(client: Client, path: string, accept: string): Promise<DiscoveryList> {
  const response = await client.fetch({ method: 'GET', path, headers: { accept } });
  const chunks: Uint8Array[] = [];
  for await (const chunk of response.body) chunks.push(chunk);
  const body = Buffer.concat(chunks).toString();
  if (response.status !== 200) throw new ApiError(response.status, body);
  return JSON.parse(body) as DiscoveryList;
}

/** Takes the finalizer away that stands for the content. False when somebody has changed the namespace meanwhile. */
async function release(client: Client, name: string): Promise<boolean> {
  const namespaces = client.resource(namespacesReference);
  const namespace = await namespaces.get(name);
  const spec = namespace.spec as { finalizers?: string[] } | undefined;
  const finalizers = (spec?.finalizers ?? []).filter((finalizer) => finalizer !== 'kubernetes');
  try {
    await namespaces.update({ ...namespace, spec: { finalizers } } as ResourceObject, { subresource: 'finalize' });
    return true;
  } catch (error) {
    if (error instanceof ApiError && error.code === 409) return false;
    throw error;
  }
}

function ignoreMissing(error: unknown): void {
  if (!(error instanceof ApiError) || error.code !== 404) throw error;
}

function pause(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, retryMs);
    timer.unref();
    signal.addEventListener('abort', done, { once: true });
  });
}
