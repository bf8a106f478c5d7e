import { describe } from 'vitest';
import { describeEndings } from './endings.conformance.ts';
import { describeQuotas } from './quota.conformance.ts';
import { describeServices } from './services.conformance.ts';
import { SharedStore } from './shared-store.ts';

describe('servers that share an etcd', () => {
  const newStore = (): Promise<SharedStore> => SharedStore.onEtcd();
  describeServices(newStore);
  describeQuotas(newStore);
  describeEndings(newStore);
});
