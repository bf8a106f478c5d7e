import './fuzz-protobuf.test.ts';
