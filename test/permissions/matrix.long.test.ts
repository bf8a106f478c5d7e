import './matrix.test.ts';
