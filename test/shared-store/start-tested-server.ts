import { Client, networkFetch, parseKubeconfig } from '../../src/client/index.ts';
import { type Server, type ServerOptions, startServer } from '../../src/index.ts';
import { resolveOptions } from '../../src/server/options.ts';
import { singleThreadReason } from '../../src/server/threads/usable-threads.ts';

/** The number of threads of tested servers, unless a test sets it. */
export const testedThreads = Number(process.env.TEST_THREADS ?? 1);

/**
 * With TEST_STORAGE=lagging or etcd, servers that would keep their objects in memory use a storage that can be shared.
 * With TEST_THREADS=2, servers have two threads.
 */
export async function startTestedServer(given: ServerOptions = {}): Promise<Server> {
  // By default a server writes to the current directory and would find the data of the previous run there.
  const options: ServerOptions = { ...(given.dataDir === undefined && { storage: 'memory' }), ...given };
  switch (options.storage === 'memory' && process.env.TEST_STORAGE) {
    case 'lagging':
      return (await import('./lagging-server.ts')).startLagging(options);
    case 'etcd':
      return (await import('./etcd-server.ts')).startOnEtcd(options);
  }
  const server = await startServer({ ...(testedThreads > 1 && { threads: testedThreads }), ...options });
  if (testedThreads > 1 && options.threads === undefined && (await mayHaveThreads(options))) {
    await threadsReady(server, testedThreads);
  }
  return server;
}

/** Some options make a server use one thread, whatever the option for threads is. */
async function mayHaveThreads(options: ServerOptions): Promise<boolean> {
  return (await singleThreadReason(resolveOptions(options))) === undefined;
}

/** Returns a client whose requests reach any thread over the network. With only one thread, it uses no socket. */
export function clientOfAnyThread(server: Server): { readonly client: Client; readonly close: () => void } {
  if (testedThreads === 1) return { client: server.client, close: () => {} };
  const { fetch, close } = networkFetch(parseKubeconfig(Buffer.from(server.kubeconfig), 'of the server'));
  return { client: new Client(fetch), close };
}

/** Resolves when all threads run. Additional threads start after the server is ready. */
export async function threadsReady(server: Pick<Server, 'client'>, threads: number): Promise<void> {
  while ((await threadCount(server)) < threads) await new Promise((resolve) => setTimeout(resolve, 20));
}

/** Returns the number of threads that currently serve requests. */
export async function threadCount({ client }: Pick<Server, 'client'>): Promise<number> {
  const { body } = await client.fetch({ method: 'GET', path: '/keelson/status' });
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return JSON.parse(Buffer.concat(chunks).toString()).threads;
}
