import type { Endpoint } from '../exactness/connection.ts';
import { type Availability, KillableServer, startTestedServer } from '../exactness/tested-server.ts';
import { temporaryDirectory } from '../process/temporary-directory.ts';
import { SharedStore } from '../shared-store/shared-store.ts';

/** Servers that share one store. Their histories are checked like those of one server. */
export interface ServersUnderTest extends Availability {
  readonly endpoints: readonly Endpoint[];
  /** The number of starts of a server. Its cache is new after each start. */
  starts(server: number): number;
  /**
   * Milliseconds after which a client gives up waiting for a response: 15,000 by default. Only tests with faults may
   * lose responses.
   */
  readonly patienceMs?: number;
}

/** For servers that never fail, because a busy machine may be slow. */
export const longPatienceMs = 120_000;

export const alwaysAvailable = {
  mayRestart: false,
  versionsExpire: false,
  available: async () => {},
  starts: () => 1,
  patienceMs: longPatienceMs,
};

/** Servers in this process that never fail. */
export const steadyServers: Readonly<Record<string, () => Promise<ServersUnderTest>>> = {
  memory: async () => {
    const { api } = await startTestedServer({ storage: 'memory' });
    return { ...alwaysAvailable, endpoints: [api] };
  },
  embedded: async () => {
    const { api } = await startTestedServer({ storage: 'embedded', dataDir: await temporaryDirectory() });
    return { ...alwaysAvailable, endpoints: [api] };
  },
  'one server whose watches lag': () => laggingServers(1),
  'three servers whose watches lag': () => laggingServers(3),
};

async function laggingServers(count: number): Promise<ServersUnderTest> {
  const servers = await SharedStore.inMemory().startAll(count);
  return { ...alwaysAvailable, endpoints: servers.map(({ api }) => api) };
}

/** Starts a server process with the embedded store. */
export async function killableServer(): Promise<ServersUnderTest & Pick<KillableServer, 'kill'>> {
  const server = await KillableServer.start(await temporaryDirectory());
  return {
    mayRestart: true,
    versionsExpire: false,
    available: () => server.available(),
    endpoints: [server.api],
    starts: () => server.starts,
    kill: () => server.kill(),
  };
}
