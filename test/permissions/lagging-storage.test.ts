import { describe } from 'vitest';
import { startLagging } from '../shared-store/lagging-server.ts';
import { describeChanges } from './changes.conformance.ts';

// A server applies changes of permissions immediately to its own requests.
describe('on a storage that lags', () => describeChanges((options) => startLagging(options)));
