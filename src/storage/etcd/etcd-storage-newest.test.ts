import { describeEtcd } from './etcd-fixture.conformance.ts';

describeEtcd('sid', { randomRuns: 4 });
