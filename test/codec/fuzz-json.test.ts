import { fuzz } from './fuzz.ts';

fuzz('json');
