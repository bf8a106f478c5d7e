import type { ResourceSet } from '../registry/index.ts';
import type { ResolvedOptions } from './options.ts';

interface FollowAdmissionOptions {
  readonly options: Pick<ResolvedOptions, 'log'>;
  readonly resources: ResourceSet;
  readonly signal: AbortSignal;
}

/**
 * Starts the admission plugins' watches of their configuration objects. Resolves when the existing objects are loaded.
 */
export async function followAdmission({ options, resources, signal }: FollowAdmissionOptions): Promise<void> {
  await resources.admission?.follow(
    {
      get: (type, item) => resources.get(type, item),
      list: (type, namespace) => resources.list(type, namespace),
      // A type that the runtime configuration disables configures nothing.
      follow: async (type, follower) => {
        if (resources.find(type) !== undefined) await resources.follow(type, follower);
      },
    },
    { onError: (err) => options.log.error('an admission configuration cannot be read', { err }), signal },
  );
}
