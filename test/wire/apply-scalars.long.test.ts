import './apply-scalars.test.ts';
