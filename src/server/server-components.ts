import type { InFlight } from '../http/filters/in-flight.ts';
import type { RequestObserver } from '../http/observation/request-observer.ts';
import type { OpenWatches } from '../http/watch/open-watches.ts';
import type { AlreadyRead, ResourceSet } from '../registry/index.ts';
import type { Storage } from '../storage/index.ts';
import type { KeyMaterial } from './key-material.ts';
import type { ResolvedOptions } from './options.ts';
import type { RunningControllers } from './running-controllers.ts';
import type { SharingTimings } from './sharing-timings.ts';

/** The inside of a running server, for what is built around it. */
export interface ServerComponents {
  readonly options: ResolvedOptions;
  /** The storage without transformations: values are those that are stored. */
  readonly store: Storage;
  readonly resources: ResourceSet;
  readonly material: KeyMaterial;
  readonly inFlight: InFlight;
  readonly watches: OpenWatches;
  readonly controllers: RunningControllers;
}

/** How a server starts that no user starts. */
export interface StartInternals extends SharingTimings {
  /** The keys and certificates of another server. By default they are read or created. */
  readonly material?: KeyMaterial;
  /** The store is a copy of that of a server that was ready, so that the objects of the start exist. */
  readonly isCopy?: boolean;
  /** What the other server has read of the same objects. */
  readonly alreadyRead?: AlreadyRead;
  /** Called with every request. */
  readonly observers?: readonly RequestObserver[];
  /** Called when the server is ready. */
  readonly onReady?: (components: ServerComponents) => void;
}
