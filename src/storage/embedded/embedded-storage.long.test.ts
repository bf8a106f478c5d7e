import { describeModel } from '../conformance/model.conformance.ts';
import { openEmbeddedFixture } from './embedded-fixture.conformance.ts';

describeModel(openEmbeddedFixture, { singleWriter: true, randomRuns: 300 });
