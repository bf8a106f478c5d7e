import { describeQuotas } from './quota.conformance.ts';
import { SharedStore } from './shared-store.ts';

describeQuotas((atEnd) => SharedStore.inMemory({ atEnd }));
