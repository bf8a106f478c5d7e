import { describe } from 'vitest';
import { fetchedEtcds } from '../../scripts/test-clients/etcd.ts';
import { describeServices } from './services.conformance.ts';
import { SharedStore } from './shared-store.ts';

describe.skipIf(fetchedEtcds().length === 0)('servers that share an etcd', () => {
  describeServices(() => SharedStore.onEtcd());
});
