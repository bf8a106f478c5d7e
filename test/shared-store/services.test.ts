import { describeServices } from './services.conformance.ts';
import { SharedStore } from './shared-store.ts';

describeServices(() => SharedStore.inMemory());
