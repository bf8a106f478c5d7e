import { expect, it } from 'vitest';
import { HealthChecks, PostStartHooks } from '../http/health/index.ts';
import { postStartHooks } from './post-start-hooks.ts';

type Options = Parameters<typeof postStartHooks>[0];

/** The hooks whose work is only to wait for what a server does elsewhere, with these parts of the server. */
const waits: readonly [string, readonly string[]][] = [
  ['admission', ['start-apiserver-admission-initializer']],
  ['definitions', ['crd-informer-synced', 'start-apiextensions-controllers']],
  [
    'apiServices',
    [
      'apiservice-discovery-controller',
      'apiservice-openapi-controller',
      'apiservice-openapiv3-controller',
      'apiservice-registration-controller',
      'start-kube-aggregator-informers',
    ],
  ],
  ['storage', ['storage-readiness']],
  ['serviceAddresses', ['start-service-ip-repair-controllers']],
  [
    'aggregation',
    [
      'apiservice-status-local-available-controller',
      'apiservice-status-remote-available-controller',
      'kube-apiserver-autoregistration',
    ],
  ],
];
const names = waits.flatMap(([, hooks]) => hooks);

it.each(waits)('hooks fail until the server has done what they are named after: %s', async (part, expected) => {
  const late = Promise.withResolvers<never>();
  const done = (name: string): Promise<never> => (name === part ? late.promise : (Promise.resolve() as Promise<never>));
  let starts = 0;
  const start = (): void => {
    starts++;
  };
  const parts = {
    loading: {
      admission: done('admission'),
      definitions: done('definitions').then(() => ({ start })),
      apiServices: done('apiServices'),
    },
    storage: { probe: () => done('storage') },
    completeServiceAddresses: () => done('serviceAddresses'),
    aggregation: { start: () => done('aggregation') },
    flowControl: { hooks: { consumer: {}, producer: {} } },
    client: () => undefined,
    hasLease: false,
  };
  const health = new HealthChecks({ log: () => {} });
  const hooks = new PostStartHooks(health);
  for (const [name, run] of Object.entries(postStartHooks(parts as unknown as Options))) {
    if (names.includes(name)) hooks.add(name, run);
  }
  const started = hooks.start(new AbortController().signal);
  await new Promise((resolve) => setImmediate(resolve));
  let text = '';
  const query = 'verbose';
  const respond = (_status: number, _headers: object, body: string): void => {
    text = body;
  };
  await health.handle(
    { query, respond, header: () => undefined } as unknown as Parameters<typeof health.handle>[0],
    '/readyz',
  );
  const failed = [...text.matchAll(/^\[-\]poststarthook\/(\S+) failed/gm)].map(([, name]) => name);
  expect(failed.toSorted()).toEqual(expected);
  late.resolve(undefined as never);
  await started;
  expect(starts).toBe(1);
});
