import { describeEtcd } from './etcd-fixture.conformance.ts';

for (const suite of ['own', 'sid'] as const) describeEtcd(suite, { randomRuns: 150 });
