import { fuzz } from './fuzz.ts';

fuzz('protobuf');
