import './linear-regex.test.ts';
