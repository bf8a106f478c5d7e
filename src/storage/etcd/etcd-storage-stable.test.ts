import { describeEtcd } from './etcd-fixture.conformance.ts';

describeEtcd('own', { randomRuns: 15 });
