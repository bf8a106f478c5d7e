import { type Server, type ServerOptions, startServer } from '../../src/index.ts';

/**
 * TEST_STORAGE=lagging or etcd runs servers that would keep their objects in memory on a storage that can be shared.
 * TEST_THREADS=2 runs servers with so many threads.
 */
export async function startTestedServer(options: ServerOptions = {}): Promise<Server> {
  const inMemory = { storage: 'memory', ...options } as const;
  switch (inMemory.storage === 'memory' && process.env.TEST_STORAGE) {
    case 'lagging':
      return (await import('./lagging-server.ts')).startLagging(inMemory);
    case 'etcd':
      return (await import('./etcd-server.ts')).startOnEtcd(inMemory);
  }
  const threads = Number(process.env.TEST_THREADS ?? 1);
  return startServer({ threads, ...options });
}
