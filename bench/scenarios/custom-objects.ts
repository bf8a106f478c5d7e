import type { Bench } from '../bench.ts';
import { type Comparison, compareTurns, loadRound } from '../comparison.ts';
import { makeNamespace } from '../fixtures/filled-namespace.ts';
import { itemCount } from '../fixtures/item-count.ts';
import { customPath, definitionName, sampleDefinition, sampleWidget } from '../fixtures/sample-definitions.ts';
import { samplePod } from '../fixtures/sample-objects.ts';
import { startServerPair } from '../fixtures/server-pair.ts';
import { LoadGenerator } from '../load/load-generator.ts';
import { jsonType, type LoadRequest } from '../load/load-plan.ts';
import type { Measurement, Scenario } from '../scenario.ts';
import { callApi } from '../servers/api-call.ts';
import { DefinitionClient } from '../servers/definition-client.ts';
import type { Server } from '../servers/server.ts';

const namespaces = { create: 'bench-custom-create', list: 'bench-custom-list' };
const podsPath = (namespace: string): string => `/api/v1/namespaces/${namespace}/pods`;
const listed = 10_000;

/** Custom objects with a schema of 100 fields and five rules, in units of pods of about the same size. */
export const customObjectScenarios: readonly Scenario[] = [
  {
    name: 'custom-create',
    run: async (bench) => {
      const server = await bench.share(defineWidgets);
      const comparison = await compareRequests(bench, server, {
        clients: 16,
        custom: (round) => ({
          method: 'POST',
          path: customPath(0, namespaces.create),
          body: named(sampleWidget(0), round),
        }),
        pods: (round) => ({ method: 'POST', path: podsPath(namespaces.create), body: samplePod(`round-${round}`) }),
      });
      return [row('custom-create', 'create a custom object / a pod, 16 clients', comparison)];
    },
  },
  {
    name: 'custom-list',
    run: async (bench) => {
      const server = await bench.share(defineWidgets);
      await fill(bench, server);
      const comparison = await compareRequests(bench, server, {
        clients: 2,
        custom: () => ({ method: 'GET', path: customPath(0, namespaces.list) }),
        pods: () => ({ method: 'GET', path: podsPath(namespaces.list) }),
      });
      return [row('custom-list', 'LIST 10,000 custom objects / 10,000 pods', comparison)];
    },
  },
];

/** A fixture: the server with the definition and two namespaces. */
async function defineWidgets(bench: Bench): Promise<Server> {
  const { ours } = await bench.share(startServerPair);
  const client = await DefinitionClient.open(ours.target('h2'));
  await client.establish(definitionName(0), sampleDefinition(0));
  client.close();
  for (const namespace of Object.values(namespaces)) await makeNamespace(ours, namespace);
  return ours;
}

async function fill(bench: Bench, server: Server): Promise<void> {
  const load = await bench.share(LoadGenerator.start);
  for (const { path, body } of [
    { path: customPath(0, namespaces.list), body: sampleWidget(0) },
    { path: podsPath(namespaces.list), body: samplePod('pod') },
  ]) {
    await load.run(server.target('h2'), {
      protocol: 'h2',
      connections: 4,
      streams: 16,
      limit: { requests: listed },
      request: { method: 'POST', path, body },
    });
    const { body: list } = await callApi(server.target('http/1.1'), { method: 'GET', path });
    const items = itemCount(list, jsonType);
    if (items !== listed) throw new Error(`${path}: ${items} items instead of ${listed}`);
  }
}

interface ComparedRequests {
  readonly clients: number;
  readonly custom: (round: string) => LoadRequest;
  readonly pods: (round: string) => LoadRequest;
}

/** Both kinds of requests go to one server, in turns. */
function compareRequests(
  bench: Bench,
  server: Server,
  { clients, custom, pods }: ComparedRequests,
): Promise<Comparison> {
  const { rampSeconds } = bench.options;
  const pair = { ours: { ...server }, bare: { ...server } };
  return compareTurns(bench, pair, (turnOf, { name, seconds }) =>
    loadRound(bench, server, {
      protocol: 'h2',
      connections: clients,
      streams: 1,
      request: (turnOf === pair.ours ? custom : pods)(name),
      limit: { rampSeconds, seconds },
    }),
  );
}

function named(body: string, round: string): string {
  return body.replace('"name":"widget-', `"name":"round-${round}-`);
}

function row(name: string, title: string, comparison: Comparison): Measurement {
  return { name, title, unit: 'requests/s', better: 'higher', goal: { ratio: 1 }, ...comparison };
}
