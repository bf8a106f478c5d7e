import { mapMaybe } from '../../meta/maybe-promise.ts';
import { notFound } from '../../meta/status-error.ts';
import type { AdmissionPlugin } from '../admission-plugin.ts';
import { isNamespace, namespaces } from './namespaces.ts';

/** Rejects all writes in namespaces that do not exist. */
export const namespaceExists: AdmissionPlugin = {
  name: 'NamespaceExists',
  rules: [{ operations: ['CREATE', 'UPDATE', 'DELETE'], resources: ['*/*'] }],
  validate({ resource, namespace }, objects) {
    if (namespace === '' || isNamespace(resource)) return;
    return mapMaybe(objects.get(namespaces, { namespace: '', name: namespace }), (found) => {
      if (found === undefined) throw notFound(namespaces, namespace);
    });
  },
};
