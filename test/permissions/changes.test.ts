import { describeChanges } from './changes.conformance.ts';

describeChanges();
