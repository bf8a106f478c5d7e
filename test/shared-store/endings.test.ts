import { describeEndings } from './endings.conformance.ts';
import { SharedStore } from './shared-store.ts';

describeEndings((atEnd) => SharedStore.inMemory({ atEnd }));
