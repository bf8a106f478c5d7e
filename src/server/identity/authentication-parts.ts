import type { ResourceSet } from '../../registry/index.ts';
import type { ResolvedOptions } from '../options.ts';
import type { ServingMaterial } from '../serving-material.ts';

export interface AuthenticationParts {
  readonly options: ResolvedOptions;
  readonly resources: ResourceSet;
  readonly material: ServingMaterial;
  /** Ends what follows files and keeps connections. */
  readonly signal: AbortSignal;
}
