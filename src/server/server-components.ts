import type { InFlight } from '../http/filters/in-flight.ts';
import type { RequestObserver } from '../http/observation/request-observer.ts';
import type { OpenWatches } from '../http/watch/open-watches.ts';
import type { FindDecoded, ResourceSet } from '../registry/index.ts';
import type { Storage } from '../storage/index.ts';
import type { KeyMaterial } from './key-material.ts';
import type { ResolvedOptions } from './options.ts';
import type { RunningControllers } from './running-controllers.ts';
import type { SharingTimings } from './sharing-timings.ts';

/** The parts of a running server, for code that wraps it. */
export interface ServerComponents {
  readonly options: ResolvedOptions;
  /** The storage without transformations: values are the stored bytes. */
  readonly store: Storage;
  readonly resources: ResourceSet;
  readonly material: KeyMaterial;
  readonly inFlight: InFlight;
  readonly watches: OpenWatches;
  readonly controllers: RunningControllers;
}

/** Options for servers that are started by other code instead of a user. */
export interface StartInternals extends SharingTimings {
  /** The keys and certificates of another server. Default: they are read or created. */
  readonly material?: KeyMaterial;
  /** Whether the store is a copy of the store of a ready server, so that the objects of the start exist already. */
  readonly isCopy?: boolean;
  /** Returns objects that the other server has already parsed. */
  readonly findDecoded?: FindDecoded;
  /** The size in bytes from which the first of several threads passes writes on. Default: that of large documents. */
  readonly largeRequestBytes?: number;
  /** Called with every request. */
  readonly observers?: readonly RequestObserver[];
  /** Called when the server is ready. */
  readonly onReady?: (components: ServerComponents) => void;
}
