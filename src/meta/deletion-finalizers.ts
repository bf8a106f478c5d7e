import { foregroundFinalizer, orphanFinalizer } from './finalizers.ts';

/** How the dependents of a deleted object are treated when the client does not choose; `none` if it cannot have any. */
export type DefaultDependents = 'deleted' | 'kept' | 'none';

/** The client's choice, from the delete options. At most one of the two fields is set. */
export interface DependentsChoice {
  readonly orphanDependents?: boolean | undefined;
  readonly propagationPolicy?: string | undefined;
}

/**
 * Returns the finalizers of an object that is being deleted; they tell the garbage collector how to treat its
 * dependents. The client's choice takes precedence, then the finalizers that the object already has, then the default.
 * Returns the argument itself when nothing changes.
 */
export function deletionFinalizers(
  finalizers: readonly string[],
  choice: DependentsChoice,
  byDefault: DefaultDependents = 'deleted',
): readonly string[] {
  const wanted = byDefault === 'none' ? undefined : (chosen(choice) ?? present(finalizers) ?? defaults[byDefault]);
  const others = finalizers.filter((name) => name !== orphanFinalizer && name !== foregroundFinalizer);
  const next = wanted ? [...others, wanted] : others;
  const known = new Set(finalizers);
  return next.length === finalizers.length && next.every((name) => known.has(name)) ? finalizers : next;
}

/** Background deletion needs no finalizer. */
const background = '';
const defaults = { deleted: background, kept: orphanFinalizer };

function chosen({ orphanDependents, propagationPolicy }: DependentsChoice): string | undefined {
  if (orphanDependents !== undefined) return orphanDependents ? orphanFinalizer : background;
  if (propagationPolicy === 'Orphan') return orphanFinalizer;
  if (propagationPolicy === 'Foreground') return foregroundFinalizer;
  return propagationPolicy === 'Background' ? background : undefined;
}

function present(finalizers: readonly string[]): string | undefined {
  return finalizers.find((name) => name === orphanFinalizer || name === foregroundFinalizer);
}
