import { type MaybePromise, mapMaybe } from '../../meta/maybe-promise.ts';
import { StatusError } from '../../meta/status-error.ts';
import type { AdmissionPlugin } from '../admission-plugin.ts';
import { admissionForbidden } from './admission-forbidden.ts';
import { isNamespace, namespaces } from './namespaces.ts';

/** Creates a namespace on behalf of the server. Rejects with a StatusError. */
export type CreateNamespace = (name: string) => Promise<void>;

/** Creates the namespace of a new object if it does not exist. */
export function namespaceAutoProvision(createNamespace: CreateNamespace): AdmissionPlugin {
  return {
    name: 'NamespaceAutoProvision',
    rules: [{ operations: ['CREATE'], resources: ['*/*'] }],
    mutate(request, objects): MaybePromise<void> {
      const { resource, namespace, dryRun } = request;
      // A dry run has no effects, so the namespace has to exist.
      if (namespace === '' || dryRun || isNamespace(resource)) return;
      return mapMaybe(objects.get(namespaces, { namespace: '', name: namespace }), async (found) => {
        if (found !== undefined) return;
        try {
          await createNamespace(namespace);
        } catch (error) {
          if (!(error instanceof StatusError)) throw error;
          if (error.status.reason !== 'AlreadyExists') throw admissionForbidden(request, error.message);
        }
      });
    },
  };
}
