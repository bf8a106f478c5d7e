import './fuzz-cbor.test.ts';
