import type { GrowingObject } from './growing-object.ts';

interface Container {
  /** What it is a part of. */
  readonly around: ValueFrame | undefined;
  /** The event with which it begins. */
  readonly begin: number;
  /** The event where it stands: another one when an alias has led here. */
  readonly place: number;
}

export interface ListFrame extends Container {
  readonly kind: 'list';
  readonly list: unknown[];
}

export interface MapFrame extends Container {
  readonly kind: 'map';
  readonly object: GrowingObject;
  /** Set when the keys go into the map around this one. */
  readonly isMerged: boolean;
  /** What comes next. */
  phase: 'key' | 'merge' | 'value';
  key: string;
  /** How Go prints a key that is no text; otherwise empty. */
  syntax: string;
}

/** The maps of a list that go into the map around it, the last one first: earlier ones override. */
export interface MergeFrame {
  readonly kind: 'merge';
  readonly around: MapFrame;
  readonly pending: number[];
  readonly after: number;
}

/** What is not complete yet. */
export type ValueFrame = ListFrame | MapFrame | MergeFrame;
