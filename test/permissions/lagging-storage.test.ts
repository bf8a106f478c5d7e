import { describe } from 'vitest';
import { startLagging } from '../shared-store/lagging-server.ts';
import { describeAggregation } from './aggregation.conformance.ts';
import { describeChanges } from './changes.conformance.ts';

// A server that has accepted a change of permissions applies it to all later requests.
describe('on a storage that lags', () => {
  describeChanges((options) => startLagging(options));
  describeAggregation((options) => startLagging(options));
});
