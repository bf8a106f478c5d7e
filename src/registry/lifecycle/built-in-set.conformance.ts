import { onTestFinished } from 'vitest';
import { builtInResources } from '../../resources/index.ts';
import { createMemoryStorage } from '../../storage/index.ts';
import { CachedObjectStore, RecentBytes } from '../../store/index.ts';
import { ResourceSet, type ResourceSetOptions } from '../resource-set.ts';

interface BuiltInSetOptions extends Pick<ResourceSetOptions, 'admission'> {
  readonly storage?: ReturnType<typeof createMemoryStorage>;
}

/** The built-in types on a store in memory, until the end of the test. */
export function builtInSet({ storage = createMemoryStorage(), ...options }: BuiltInSetOptions = {}): ResourceSet {
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  const encoded = new RecentBytes(1_000_000);
  return new ResourceSet({
    ...options,
    definitions: builtInResources,
    openStore: (prefix) => new CachedObjectStore({ storage, prefix, encoded, signal: stop.signal }),
  });
}
