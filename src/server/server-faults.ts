import type { Faults, FaultsOptions } from '../fault-injection/index.ts';
import type { PathHandler } from '../http/api-route.ts';
import type { ResolvedOptions } from './options.ts';

export interface ServerFaults {
  readonly faults: Faults;
  readonly page: PathHandler;
}

/** Returns undefined without the test API. Its code is then not loaded. */
export async function serverFaults(
  { enableTestApi }: Pick<ResolvedOptions, 'enableTestApi'>,
  dependencies: FaultsOptions,
): Promise<ServerFaults | undefined> {
  if (!enableTestApi) return undefined;
  const { Faults, FaultsEndpoint } = await import('../fault-injection/index.ts');
  const faults = new Faults(dependencies);
  return { faults, page: new FaultsEndpoint(faults) };
}
