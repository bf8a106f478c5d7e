import './aggregation.test.ts';
