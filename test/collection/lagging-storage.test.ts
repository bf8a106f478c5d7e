import { it } from 'vitest';
import { createMemoryStorage } from '../../src/storage/index.ts';
import { startLagging } from '../shared-store/lagging-server.ts';
import { runRandomDeletions } from './run-random-deletions.ts';

it('collects exactly what has lost its owners on a storage that lags', () => {
  const store = createMemoryStorage();
  return runRandomDeletions(1, (options) => startLagging(options, store));
});
