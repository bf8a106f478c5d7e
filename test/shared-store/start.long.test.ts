import { describeStart } from './start.conformance.ts';

describeStart(Array.from({ length: 10 }, (_, index) => index + 1));
