import { type MaybePromise, mapMaybe } from '../../meta/maybe-promise.ts';
import type { ResourceObject } from '../../meta/object.ts';
import { notFound } from '../../meta/status-error.ts';
import type { AdmissionPlugin } from '../admission-plugin.ts';
import type { AdmissionRequest } from '../admission-request.ts';
import { admissionForbidden } from './admission-forbidden.ts';
import { isNamespace, namespaces } from './namespaces.ts';

/** The server needs these, so they cannot be deleted. */
const undeletable: ReadonlySet<string> = new Set(['default', 'kube-system', 'kube-public']);

/**
 * Rejects objects in namespaces that do not exist, new objects in terminating ones, and the deletion of system
 * namespaces.
 */
export const namespaceLifecycle: AdmissionPlugin = {
  name: 'NamespaceLifecycle',
  rules: [
    { operations: ['CREATE'], resources: ['*/*'] },
    { operations: ['DELETE'], resources: ['/namespaces'] },
  ],
  mutate(request, objects): MaybePromise<void> {
    const { operation, resource, namespace, name } = request;
    if (isNamespace(resource)) {
      if (operation === 'DELETE' && undeletable.has(name))
        throw admissionForbidden(request, 'this namespace may not be deleted');
      return;
    }
    if (namespace === '' || isAccessReview(resource)) return;
    const item = { namespace: '', name: namespace };
    // Synchronous in the common case: this runs for every create, and the namespace is nearly always in memory.
    return mapMaybe(objects.get(namespaces, item), (known) => {
      const isEnding = known?.metadata.deletionTimestamp !== undefined;
      // Another server may have created it again since.
      const found = isEnding && objects.current !== undefined ? objects.current.get(namespaces, item) : known;
      return mapMaybe(found, (object) => checkNamespace(request, object));
    });
  },
};

/** Permissions can be reviewed for a namespace that does not exist. */
function isAccessReview({ group, resource }: AdmissionRequest['resource']): boolean {
  return group === 'authorization.k8s.io' && resource.endsWith('subjectaccessreviews');
}

function checkNamespace(request: AdmissionRequest, found: ResourceObject | undefined): void {
  const { namespace } = request;
  if (found === undefined) throw notFound(namespaces, namespace);
  if (found.metadata.deletionTimestamp === undefined) return;
  const detail = `unable to create new content in namespace ${namespace} because it is being terminated`;
  const message = `namespace ${namespace} is being terminated`;
  throw admissionForbidden(request, detail, [{ reason: 'NamespaceTerminating', message, field: 'metadata.namespace' }]);
}
