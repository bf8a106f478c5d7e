import './ordered-objects.test.ts';
