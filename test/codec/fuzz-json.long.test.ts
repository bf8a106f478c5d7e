import './fuzz-json.test.ts';
