import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { createServer, type RequestListener, type Server } from 'node:http';
import { join, resolve } from 'node:path';
import type { EtcdFlags } from './etcd-flags.ts';

/** The path at which the API server detects the stand-in and gets the directory for its objects. */
const placePath = '/keelson/envtest';

export interface EtcdStandIn {
  stop(): Promise<void>;
}

/** Answers health checks on the client URLs. Rejects when an address is not available. */
export async function startEtcdStandIn({ clientUrls, dataDir }: EtcdFlags): Promise<EtcdStandIn> {
  const directory = resolve(dataDir);
  // Creates the directory if it is missing, like etcd. A new directory is therefore a new store.
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const servers: Server[] = [];
  const stop = async (): Promise<void> => {
    for (const server of servers) {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    }
  };
  try {
    for (const { hostname, port } of clientUrls) {
      const server = createServer(responder(directory));
      server.listen({ host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) });
      await once(server, 'listening');
      servers.push(server);
    }
  } catch (error) {
    await stop();
    throw error;
  }
  return { stop };
}

function responder(dataDir: string): RequestListener {
  const documents: Readonly<Record<string, object>> = {
    '/health': { health: 'true', reason: '' },
    '/readyz': { health: 'true', reason: '' },
    '/livez': { health: 'true', reason: '' },
    [placePath]: { dataDir },
  };
  return ({ url = '' }, response) => {
    const path = url.split('?')[0]!;
    const document = Object.hasOwn(documents, path) ? documents[path] : undefined;
    if (document === undefined) response.writeHead(404).end('This replaces etcd in tests and stores nothing.\n');
    else response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(document));
  };
}

/**
 * The directory for the data of an API server whose etcd is a stand-in. Undefined for a real etcd. Rejects when there
 * is neither.
 */
export async function dataDirOf(etcdServers: string): Promise<string | undefined> {
  const [first] = etcdServers.split(',');
  const url = URL.canParse(first!) ? new URL(first!) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw new RangeError(`--etcd-servers is not a URL: ${first}`);
  if (url.protocol === 'https:') return undefined;
  let response: Response;
  try {
    response = await fetch(new URL(placePath, url), { signal: AbortSignal.timeout(5_000) });
  } catch (error) {
    throw new Error(`there is no etcd at ${first}`, { cause: error });
  }
  const text = await response.text();
  if (response.status !== 200) return undefined;
  const { dataDir } = JSON.parse(text) as { readonly dataDir: string };
  return join(dataDir, 'keelson');
}
