import type { GrowingObject } from './growing-object.ts';

interface Container {
  /** The enclosing frame. */
  readonly around: ValueFrame | undefined;
  /** The event that begins the container. */
  readonly begin: number;
  /** The alias event, if an alias refers to the container; otherwise the same as `begin`. */
  readonly place: number;
}

export interface ListFrame extends Container {
  readonly kind: 'list';
  readonly list: unknown[];
}

export interface MapFrame extends Container {
  readonly kind: 'map';
  readonly object: GrowingObject;
  /** Whether the keys are merged into the enclosing map. */
  readonly isMerged: boolean;
  /** The role of the next node. */
  phase: 'key' | 'merge' | 'value';
  key: string;
  /** The key as Go prints it if it is not a string; otherwise empty. */
  syntax: string;
}

/** A list of maps that are merged into the enclosing map, from last to first, because earlier maps take precedence. */
export interface MergeFrame {
  readonly kind: 'merge';
  readonly around: MapFrame;
  readonly pending: number[];
  readonly after: number;
}

/** A container or merge that is not complete yet. */
export type ValueFrame = ListFrame | MapFrame | MergeFrame;
