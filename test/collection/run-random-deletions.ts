import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, vi } from 'vitest';
import type { Client } from '../../src/client/index.ts';
import type { Server } from '../../src/index.ts';
import { createRandom } from '../faults/random.ts';
import { isLong } from '../is-long.ts';
import { clientOfAnyThread, startTestedServer } from '../shared-store/start-tested-server.ts';
import type { StartServer } from '../wire/api.ts';
import { type Kind, type OwnedObject, OwnershipGraph, policies, referenceTo } from './ownership-graph.ts';
import { pendingWork, violations } from './violations.ts';

/** Whether the run is large enough to find rare faults. By default it is smaller. */
const isThorough = isLong || process.env.COLLECTION_SEED !== undefined;
const rounds = 3;
const clients = 4;
const actionsPerClient = isThorough ? 60 : 25;

/** Fails unless exactly the objects that have lost their owners are deleted in the end. */
export async function runRandomDeletions(seed: number, startOn?: StartServer): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'keelson-collection-'));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  const errors: string[] = [];
  const start = () => startCollecting({ dataDir, errors, startOn });
  let server = await start();
  onTestFinished(() => server.stop());
  const graph = new OwnershipGraph(server.client);
  for (const name of ['a', 'b']) {
    await server.client.resource({ group: '', version: 'v1', resource: 'namespaces' }).create({ metadata: { name } });
  }
  for (let round = 0; round < rounds; round++) {
    const run = (client: number) =>
      runClient(graph, createRandom(seed * 1000 + round * 10 + client), `${round}-${client}`);
    await Promise.all(Array.from({ length: clients }, (_, client) => run(client)));
    if (round === rounds - 1) break;
    // The server stops while the collector is working.
    await server.stop();
    server = await start();
    graph.reconnect(server.client);
  }
  await vi.waitFor(async () => expect(pendingWork(await graph.list())).toEqual([]), {
    interval: 50,
  });
  const present = await graph.list();
  expect(violations(graph, present)).toEqual([]);
  expect(present.size).toBeGreaterThan(0);
  expect(present.size).toBeLessThan(graph.objects.size);
  expect(errors).toEqual([]);
}

interface Collecting extends Pick<Server, 'stop'> {
  readonly client: Client;
}

interface CollectingServer {
  readonly dataDir: string;
  readonly errors: string[];
  readonly startOn?: StartServer | undefined;
}

async function startCollecting({ dataDir, errors, startOn = startEmbedded }: CollectingServer): Promise<Collecting> {
  const error = (message: string, fields?: object) => void errors.push(`${message} ${JSON.stringify(fields)}`);
  const log = { info: () => {}, error, flush: () => Promise.resolve() };
  const server = await startOn({
    dataDir,
    log,
    controllers: ['garbage-collector-controller'],
    disableAdmissionPlugins: ['ServiceAccount'],
  });
  const { client, close } = clientOfAnyThread(server);
  return {
    client,
    stop: async () => {
      close();
      await server.stop();
    },
  };
}

const startEmbedded: StartServer = (options) => startTestedServer({ storage: 'embedded', ...options });

const kinds: readonly Kind[] = ['ConfigMap', 'Secret', 'ConfigMap', 'Secret', 'ClusterRole'];

async function runClient(graph: OwnershipGraph, random: (limit: number) => number, suffix: string): Promise<void> {
  const oneOf = <T>(items: readonly T[]): T => items[random(items.length)]!;
  for (let action = 0; action < actionsPerClient; action++) {
    const known = [...graph.objects.values()];
    if (known.length > 10 && random(4) === 0) {
      await graph.delete(oneOf(known), oneOf(policies));
      continue;
    }
    const kind = oneOf(kinds);
    const namespace = kind === 'ClusterRole' ? '' : oneOf(['a', 'b']);
    const count = known.length < 4 ? 0 : random(4);
    const owners = new Map<string, OwnedObject>();
    for (let index = 0; index < count; index++) {
      // The owner is mostly valid and mostly recent, so that the graph becomes deep.
      const near = known.filter((owner) => owner.namespace === '' || owner.namespace === namespace).slice(-20);
      const owner = oneOf(random(12) === 0 || near.length === 0 ? known : near);
      owners.set(owner.uid, owner);
    }
    const references = Array.from(owners.values(), (owner) => referenceTo(owner, random(2) === 0));
    await graph.create({ kind, namespace, name: `m${suffix}-${action}`, owners: references });
  }
}
