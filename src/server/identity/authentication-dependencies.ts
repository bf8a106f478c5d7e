import type { Authenticator } from '../../authn/index.ts';
import type { Meter } from '../../meta/meter.ts';
import type { ResourceSet } from '../../registry/index.ts';
import type { OptionFiles } from '../files/option-files.ts';
import type { KeyMaterial } from '../key-material.ts';
import type { ResolvedOptions } from '../options.ts';

export interface AuthenticationDependencies {
  readonly options: ResolvedOptions;
  readonly files: OptionFiles;
  readonly resources: ResourceSet;
  readonly material: KeyMaterial;
  /** Additional authenticators, which are tried first. */
  readonly others?: readonly Authenticator[];
  /** For requests whose credentials, if any, have all been refused. */
  readonly visitors?: readonly Authenticator[];
  readonly meter: Meter;
  /** Abort it to end the calls of webhooks and issuers. */
  readonly stopCalls: AbortSignal;
  /** Stops following files. */
  readonly signal: AbortSignal;
}
