import { describeServices } from './services.conformance.ts';
import { SharedStore } from './shared-store.ts';

describeServices((atEnd) => SharedStore.inMemory({ atEnd }));
