import { describeAggregation } from './aggregation.conformance.ts';

describeAggregation();
