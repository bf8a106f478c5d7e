import { compare } from '../comparison.ts';
import { bindings, startAuthorizingPair } from '../fixtures/authorizing-pair.ts';
import type { Scenario } from '../scenario.ts';

const name = 'authorization';

/** The cost of authorization, measured on the cheapest request. */
export const authorizationScenario: Scenario = {
  name,
  run: async (bench) => {
    const { podPath, ...pair } = await startAuthorizingPair(bench);
    const request = { method: 'GET', path: podPath } as const;
    const comparison = await compare(bench, pair, {
      protocol: 'h2',
      connections: 4,
      streams: 8,
      request: () => request,
    });
    await Promise.all([pair.ours.stop(), pair.bare.stop()]);
    return [
      {
        name,
        title: `GET one pod, RBAC with ${bindings.toLocaleString('en')} bindings / AlwaysAllow`,
        unit: 'requests/s',
        better: 'higher',
        goal: { ratio: 0.9 },
        ...comparison,
      },
    ];
  },
};
