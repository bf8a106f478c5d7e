import './fuzz-yaml.test.ts';
