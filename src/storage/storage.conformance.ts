import { describe } from 'vitest';
import { describeCommits } from './conformance/commits.conformance.ts';
import type { OpenFixture, StorageTraits } from './conformance/fixture.conformance.ts';
import { describeIntegrity } from './conformance/integrity.conformance.ts';
import { describeLifecycle } from './conformance/lifecycle.conformance.ts';
import { describeModel } from './conformance/model.conformance.ts';
import { describeReads } from './conformance/reads.conformance.ts';
import { describeResumedWatches } from './conformance/resumed-watches.conformance.ts';
import { describeWatches } from './conformance/watches.conformance.ts';

/** The tests that every backend must pass. `open` creates a separate empty store for each test. */
export function describeStorage(name: string, open: OpenFixture, traits: StorageTraits): void {
  describe(name, () => {
    describeCommits(open);
    describeReads(open);
    describeWatches(open, traits);
    describeResumedWatches(open, traits);
    describeIntegrity(open);
    describeLifecycle(open);
    describeModel(open, traits);
  });
}
