import './evaluate.test.ts';
