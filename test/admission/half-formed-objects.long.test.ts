import './half-formed-objects.test.ts';
