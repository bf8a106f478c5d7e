import { fuzz } from './fuzz.ts';

fuzz('yaml');
