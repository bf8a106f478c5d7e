import { describe } from 'vitest';
import { describeCommits } from './conformance/commits.conformance.ts';
import { describeCommitsTwice } from './conformance/commits-twice.conformance.ts';
import { type OpenFixture, openForSuite, type StorageTraits } from './conformance/fixture.conformance.ts';
import { describeIntegrity } from './conformance/integrity.conformance.ts';
import { describeLifecycle } from './conformance/lifecycle.conformance.ts';
import { describeModel } from './conformance/model.conformance.ts';
import { describeReads } from './conformance/reads.conformance.ts';
import { describeResumedWatches } from './conformance/resumed-watches.conformance.ts';
import { describeWatches } from './conformance/watches.conformance.ts';

/** The tests that every backend must pass. `open` creates a separate empty store. */
export function describeStorage(name: string, open: OpenFixture, traits: StorageTraits): void {
  describe(name, () => {
    const stores = openForSuite(open);
    describeCommits(stores);
    if (traits.commitsTwice) describeCommitsTwice(stores);
    describeReads(stores);
    describeWatches(stores, traits);
    describeResumedWatches(stores, traits);
    describeIntegrity(stores);
    describeLifecycle(stores);
    describeModel(open, traits);
  });
}
