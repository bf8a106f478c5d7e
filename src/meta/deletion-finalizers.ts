import { foregroundFinalizer, orphanFinalizer } from './finalizers.ts';

/** How the dependents of a deleted object are treated when the client does not choose; `none` if it cannot have any. */
export type DefaultDependents = 'deleted' | 'kept' | 'none';

/** The client's choice, from the delete options. At most one of the two fields is set. */
export interface DependentsOptions {
  readonly orphanDependents?: boolean | undefined;
  readonly propagationPolicy?: string | undefined;
}

/**
 * Returns the finalizers of an object that is being deleted; they determine how the garbage collector treats its
 * dependents. The client's choice takes precedence, then the finalizers that the object already has, then the default.
 * Returns the argument itself when nothing changes.
 */
export function deletionFinalizers(
  finalizers: readonly string[],
  options: DependentsOptions,
  defaultDependents: DefaultDependents = 'deleted',
): readonly string[] {
  const wanted =
    defaultDependents === 'none'
      ? undefined
      : (requestedFinalizer(options) ?? presentFinalizer(finalizers) ?? defaultFinalizers[defaultDependents]);
  const others = finalizers.filter((name) => name !== orphanFinalizer && name !== foregroundFinalizer);
  const next = wanted ? [...others, wanted] : others;
  const known = new Set(finalizers);
  return next.length === finalizers.length && next.every((name) => known.has(name)) ? finalizers : next;
}

/** Background deletion needs no finalizer. */
const background = '';
const defaultFinalizers = { deleted: background, kept: orphanFinalizer };

function requestedFinalizer({ orphanDependents, propagationPolicy }: DependentsOptions): string | undefined {
  if (orphanDependents !== undefined) return orphanDependents ? orphanFinalizer : background;
  if (propagationPolicy === 'Orphan') return orphanFinalizer;
  if (propagationPolicy === 'Foreground') return foregroundFinalizer;
  return propagationPolicy === 'Background' ? background : undefined;
}

function presentFinalizer(finalizers: readonly string[]): string | undefined {
  return finalizers.find((name) => name === orphanFinalizer || name === foregroundFinalizer);
}
