import { describeModel } from '../conformance/model.conformance.ts';
import { openMemoryFixture } from './memory-fixture.conformance.ts';

describeModel(openMemoryFixture, { singleWriter: true, randomRuns: 3000 });
