import './apply-kinds.test.ts';
