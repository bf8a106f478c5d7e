import type { ResourceSet } from '../../registry/index.ts';
import type { KeyMaterial } from '../key-material.ts';
import type { ResolvedOptions } from '../options.ts';

export interface AuthenticationDependencies {
  readonly options: ResolvedOptions;
  readonly resources: ResourceSet;
  readonly material: KeyMaterial;
  /** Stops following files and closes connections. */
  readonly signal: AbortSignal;
}
