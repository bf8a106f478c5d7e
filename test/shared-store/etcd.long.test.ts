import { describe } from 'vitest';
import { fetchedEtcds } from '../../scripts/test-clients/etcd.ts';
import { describeEndings } from './endings.conformance.ts';
import { describeQuotas } from './quota.conformance.ts';
import { describeServices } from './services.conformance.ts';
import { type NewStore, SharedStore } from './shared-store.ts';

describe.skipIf(fetchedEtcds().length === 0)('servers that share an etcd', () => {
  const newStore: NewStore = (atEnd) => SharedStore.onEtcd(atEnd);
  describeServices(newStore);
  describeQuotas(newStore);
  describeEndings(newStore);
});
