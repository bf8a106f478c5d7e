import { describeQuotas } from './quota.conformance.ts';
import { SharedStore } from './shared-store.ts';

describeQuotas(() => SharedStore.inMemory());
