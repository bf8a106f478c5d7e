import { ApiError, untilAborted } from '../client/index.ts';
import type { ResourceObject } from '../meta/object.ts';
import type { ControllerTools } from './controller.ts';
import { inNamespace, type KeptObject } from './kept-object.ts';

const namespaces = { group: '', version: 'v1', resource: 'namespaces' };

/**
 * Ensures that every active namespace has the object, until the signal aborts. Restores it when it is deleted or
 * changed.
 */
export async function keepInNamespaces(tools: ControllerTools, kept: KeptObject, signal: AbortSignal): Promise<void> {
  const { informers } = tools;
  const { type, name, metadataOnly, isRight } = kept;
  const spaces = informers.informer(namespaces);
  const objects = informers.informer(type, { metadataOnly, selectors: { fieldSelector: `metadata.name=${name}` } });
  const queue = tools.queue(async (namespace) => {
    if (!isActive(spaces.get('', namespace))) return;
    const found = objects.get(namespace, name);
    if (found === undefined || !isRight(found)) await ensure(tools, kept, { namespace, found });
  });
  await objects.synced;
  const enqueue = ({ metadata }: ResourceObject): void => queue.add(metadata.namespace ?? metadata.name ?? '');
  spaces.addHandler({ added: enqueue, updated: enqueue });
  objects.addHandler({ updated: enqueue, deleted: enqueue });
  await untilAborted(signal);
}

function isActive(namespace: ResourceObject | undefined): boolean {
  return namespace !== undefined && namespace.metadata.deletionTimestamp === undefined;
}

async function ensure(
  { client }: ControllerTools,
  kept: KeptObject,
  { namespace, found }: { namespace: string; found: ResourceObject | undefined },
): Promise<void> {
  const { type, name, content } = kept;
  const resource = client.resource(type, namespace);
  try {
    if (found === undefined) await resource.create(inNamespace(kept, namespace));
    else await resource.patch(name, { ...content, metadata: { resourceVersion: found.metadata.resourceVersion } });
  } catch (error) {
    // The object exists already, or the namespace is deleted or terminating.
    const reason = error instanceof ApiError ? error.status?.reason : undefined;
    if (reason !== 'AlreadyExists' && reason !== 'NotFound' && !isTerminating(error)) throw error;
  }
}

function isTerminating(error: unknown): boolean {
  const causes = error instanceof ApiError ? error.status?.details?.causes : undefined;
  return causes?.some(({ reason }) => reason === 'NamespaceTerminating') === true;
}
