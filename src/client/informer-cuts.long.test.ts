import './informer-cuts.test.ts';
