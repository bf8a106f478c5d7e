import { type NetworkFetch, networkFetch, parseKubeconfig } from '../../src/client/index.ts';
import type { ServerOptions } from '../../src/index.ts';
import { type StartServer, TestApi } from '../wire/api.ts';
import { RawClient } from '../wire/raw-client.ts';

/** A server on which nothing but the cases writes, and that has every type. */
export function startQuiet(options: ServerOptions = {}, start?: StartServer): Promise<TestApi> {
  const quiet: ServerOptions = {
    controllers: [],
    runtimeConfig: 'api/all=true',
    // Priority and fairness would write the status of flow schemas.
    enablePriorityAndFairness: false,
    // These plugins would need other objects. The test is only about the types.
    disableAdmissionPlugins: ['ServiceAccount', 'PodGroupProtection', 'PodGroupWorkloadExists'],
  };
  return TestApi.start({ ...quiet, ...options }, start);
}

/** Reaches a server over several connections in turns, which different threads may serve. */
export function overHttp1({ server }: Pick<TestApi, 'server'>, connections = 1): NetworkFetch {
  const access = parseKubeconfig(Buffer.from(server.kubeconfig), 'of the server');
  const fetches = Array.from({ length: connections }, () => networkFetch(access));
  let next = 0;
  return {
    fetch: (request) => fetches[next++ % connections]!.fetch(request),
    close: () => {
      for (const one of fetches) one.close();
    },
  };
}

/** Reaches a server over one connection with HTTP/2. */
export function overHttp2(api: TestApi): NetworkFetch {
  const client = new RawClient(api);
  return {
    fetch: async ({ method, path, headers = {}, body }) => {
      const response = await client.open(method, path, { headers, body, protocol: 'HTTP/2' });
      return { ...response, headers: response.headers as Readonly<Record<string, string>> };
    },
    close: () => client.close(),
  };
}
