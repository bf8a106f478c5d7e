import { describeStorage } from '../storage.conformance.ts';
import { openSharedDirectoryFixture, openSharedFixture } from './shared-store-fixture.conformance.ts';

describeStorage('shared store', openSharedFixture, { singleWriter: true, commitsTwice: true, randomRuns: 100 });
describeStorage('shared store in a directory', openSharedDirectoryFixture, {
  singleWriter: true,
  commitsTwice: true,
  randomRuns: 100,
});
