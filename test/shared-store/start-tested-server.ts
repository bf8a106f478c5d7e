import { Client, networkFetch, parseKubeconfig } from '../../src/client/index.ts';
import { type Server, type ServerOptions, startServer } from '../../src/index.ts';
import { resolveOptions } from '../../src/server/options.ts';
import { singleThreadReason } from '../../src/server/threads/usable-threads.ts';

/** How many threads tested servers have, unless a test says it. */
export const testedThreads = Number(process.env.TEST_THREADS ?? 1);

/**
 * TEST_STORAGE=lagging or etcd runs servers that would keep their objects in memory on a storage that can be shared.
 * TEST_THREADS=2 runs servers with so many threads.
 */
export async function startTestedServer(given: ServerOptions = {}): Promise<Server> {
  // By default a server writes to the folder that it is started in, and finds there what the last run has left.
  const options: ServerOptions = { ...(given.dataDir === undefined && { storage: 'memory' }), ...given };
  switch (options.storage === 'memory' && process.env.TEST_STORAGE) {
    case 'lagging':
      return (await import('./lagging-server.ts')).startLagging(options);
    case 'etcd':
      return (await import('./etcd-server.ts')).startOnEtcd(options);
  }
  const server = await startServer({ threads: testedThreads, ...options });
  if (testedThreads > 1 && options.threads === undefined && (await mayHaveThreads(options))) {
    await threadsReady(server, testedThreads);
  }
  return server;
}

/** With some options, a server uses one thread, whatever it is told. */
async function mayHaveThreads(options: ServerOptions): Promise<boolean> {
  return (await singleThreadReason(resolveOptions(options))) === undefined;
}

/** A client whose requests meet any thread, over the network; one without a socket if there is only one thread. */
export function clientOfAnyThread(server: Server): { readonly client: Client; readonly close: () => void } {
  if (testedThreads === 1) return { client: server.client, close: () => {} };
  const { fetch, close } = networkFetch(parseKubeconfig(Buffer.from(server.kubeconfig), 'of the server'));
  return { client: new Client(fetch), close };
}

/** Further threads start after the server is ready. */
export async function threadsReady(server: Pick<Server, 'client'>, threads: number): Promise<void> {
  while ((await threadCount(server)) < threads) await new Promise((resolve) => setTimeout(resolve, 20));
}

/** The number of threads that serve requests now. */
export async function threadCount({ client }: Pick<Server, 'client'>): Promise<number> {
  const { body } = await client.fetch({ method: 'GET', path: '/keelson/status' });
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return JSON.parse(Buffer.concat(chunks).toString()).threads;
}
