import { createMemoryStorage } from '../storage/index.ts';
import { describeObjectStore } from './cached-object-store.conformance.ts';

describeObjectStore('over a storage with one writer', () => createMemoryStorage());
