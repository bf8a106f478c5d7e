import { fuzz } from './fuzz.ts';

fuzz('cbor');
