import type { Bench } from '../bench.ts';
import { compare } from '../comparison.ts';
import { makeNamespace } from '../fixtures/filled-namespace.ts';
import { samplePod } from '../fixtures/sample-objects.ts';
import { startServerPair } from '../fixtures/server-pair.ts';
import type { Scenario } from '../scenario.ts';

const variants = [
  { clients: 1, goal: 0.33, peer: 0.17 },
  { clients: 16, goal: 0.55, peer: 0.27 },
  { clients: 64, goal: 0.65, peer: 0.31 },
] as const;

const namespace = 'bench-create';

/** Each client has its own connection and waits for the response before it sends the next pod. */
export const createScenarios: readonly Scenario[] = variants.map(({ clients, goal, peer }) => ({
  name: `create-${clients}`,
  run: async (bench) => {
    const pair = await bench.share(startServerPair);
    await bench.share(makeCreateNamespace);
    const comparison = await compare(bench, pair, {
      protocol: 'h2',
      connections: clients,
      streams: 1,
      request: (round) => ({
        method: 'POST',
        path: `/api/v1/namespaces/${namespace}/pods`,
        body: samplePod(`clients-${clients}-round-${round}`),
      }),
    });
    return [
      {
        name: `create-${clients}`,
        title: `create, ${clients} ${clients === 1 ? 'client' : 'clients'}`,
        unit: 'requests/s',
        better: 'higher',
        goal: { ratio: goal },
        peer: { ratio: peer },
        ...comparison,
      },
    ];
  },
}));

async function makeCreateNamespace(bench: Bench): Promise<void> {
  const { ours } = await bench.share(startServerPair);
  await makeNamespace(ours, namespace);
}
