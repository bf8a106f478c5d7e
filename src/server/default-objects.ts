import { readFileSync } from 'node:fs';
import type { CreateDefault } from '../bootstrap/ensure-object.ts';
import { serverUser } from '../meta/user.ts';
import { addPreparedObjects, type ResourceSet } from '../registry/index.ts';
import type { Storage } from '../storage/index.ts';
import { auditLogOptions } from './audit-options.ts';
import type { ResolvedOptions } from './options.ts';

export interface DefaultObjectsDependencies {
  readonly options: ResolvedOptions;
  readonly storage: Storage;
  readonly resources: ResourceSet;
}

/**
 * Creates default objects from prepared bytes, which is much cheaper than requests. Undefined when requests are needed:
 * if they must be audited, or if existing objects may affect requests.
 */
export async function defaultObjectCreator({
  options,
  storage,
  resources,
}: DefaultObjectsDependencies): Promise<CreateDefault | undefined> {
  if (auditLogOptions(options) !== undefined || options.admissionPlugins.has('AlwaysDeny')) return undefined;
  const { entries } = await storage.range({ start: '/registry/', end: '/registry0', limit: 1 });
  if (entries.length > 0) return undefined;
  loadPreparedObjects();
  return (type, wanted) => resources.createPrepared(type, { ...wanted, user: serverUser });
}

let isLoaded = false;

/** Loads the objects that were prepared with the bundle. In the sources, the first server of a process prepares them. */
function loadPreparedObjects(): void {
  if (isLoaded) return;
  isLoaded = true;
  try {
    addPreparedObjects(JSON.parse(readFileSync(new URL('default-objects.json', import.meta.url), 'utf8')));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}
