import { describe } from 'vitest';
import { startLagging } from '../shared-store/lagging-server.ts';
import { describeChanges } from './changes.conformance.ts';

// Whoever changes a permission is obeyed by the same server from then on.
describe('on a storage that lags', () => describeChanges((options) => startLagging(options)));
