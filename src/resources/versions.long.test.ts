import './versions.test.ts';
