import './hostile-bytes.test.ts';
